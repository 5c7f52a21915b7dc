"""A match with clocks, at times that a test chooses."""

from __future__ import annotations

from typing import Any

from domain import commands
from domain.commands import Clock, Join, Move, RunOut
from domain.game import AnyGame
from domain.match import Refused
from tests.support.timed_log import TimedLog

PEOPLE = ("ada", "ben", "cleo", "dan")
PROTOCOL = 3
SECOND = 1000


class Clocked(TimedLog):
    """A match with clocks, whose seats are taken in the order of ``PEOPLE``. Each command comes when the test says."""

    def __init__(self, game: AnyGame, seats: int = 2, clock: Clock | None = None, **opening: Any) -> None:
        super().__init__(seats, game=game, protocol=PROTOCOL, clock=clock or Clock(turn=60), **opening)
        arbiter = opening.get("arbiter")
        if arbiter is not None:
            self.do(commands.AcceptArbitration(), arbiter)
        for name in PEOPLE[1:seats]:
            self.do(Join(arbiter=arbiter), name)

    def after(self, seconds: float, command: Any, by: str) -> Refused | None:
        """Does the command so long after the newest commit, or returns the reason why it is refused."""
        self.now = self.match.at + round(seconds * SECOND) - SECOND
        return self.attempt(command, by)

    def move(self, seconds: float, place: int = 0, seat: int | None = None) -> Any:
        """Makes one of the legal moves of a seat, by default the one that is to move, after so long; returns the move."""
        seat = min(self.match.to_move) if seat is None else seat
        move = self.legal(seat)[place]
        refused = self.after(seconds, Move(seat, move), PEOPLE[seat])
        assert refused is None, refused
        return move

    def run_out(self, seconds: float) -> list[Any]:
        """Records what is due, as the server does so long after the newest commit; returns the events."""
        refused = self.after(seconds, RunOut(), "house")
        assert refused is None, refused
        return self.events()

    def left(self, seat: int) -> float:
        """The seconds that a seat had left at the newest commit."""
        assert self.match.clocks is not None
        return self.match.clocks.left[seat] / SECOND

    def due_in(self) -> list[tuple[int, str, float]]:
        """The times that run: seat, what, and seconds after the newest commit."""
        assert self.match.clocks is not None
        return [(due.seat, due.what, (due.at - self.match.at) / SECOND) for due in self.match.clocks.due()]

"""Stored matches of any game over HTTP, and matches forked from their positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from domain import limits, validation, wire
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Match
from domain.store import Store
from tests.support.dice import RandomDice
from tests.support.house import House
from tests.support.http import Body, Table, table
from tests.support.playing import any_kind, bot

MOST_MOVES = 250
"""Then somebody resigns."""


@dataclass(frozen=True)
class Played:
    """A match that was played to its end by what it listed."""

    game: AnyGame
    options: Any
    table: Table
    listed: dict[int, list[Body]] = field(default_factory=dict)
    """The moves that were listed for who moved next, by version."""

    @property
    def seats(self) -> int:
        return len(self.table.players)

    def moment(self, version: int) -> Body:
        """A version with everything open, as after the end."""
        return self.table.host.get(f"{self.table.path}/replay/{version}?as=all").shown()

    def forked(self, version: int) -> Table:
        """A match of the same players that starts as this one was at a version. Its host may take everything back."""
        position = self.moment(version)["state"]
        options = validation.plain(self.options)
        return table(self.table.players, self.game.id, options=options, position=position, undo="host")

    def sample(self, count: int) -> list[int]:
        """Versions from the first to the last but one at even distances, and the first that listed each kind of move."""
        versions = sorted(self.listed)
        even = [versions[i * (len(versions) - 1) // (count - 1)] for i in range(count)]
        first: dict[str, int] = {}
        for version in versions:
            for move in self.listed[version]:
                first.setdefault(move["type"], version)
        return sorted({*even, *first.values()})


class Follower:
    """The match as its log folds: for a bot, which looks at states and not at views."""

    def __init__(self, game: AnyGame, store: Store, match_id: str) -> None:
        self._game, self._store, self._id = game, store, match_id
        self._match: Match | None = None

    def now(self) -> Match:
        for entry in self._store.read(self._id, 0 if self._match is None else self._match.version):
            commit = wire.decode(self._game, entry)
            self._match = begin(self._id, self._game, commit) if self._match is None else advance(self._match, commit)
        assert self._match is not None
        return self._match


def play(house: House, game: AnyGame, seats: int, options: Any) -> Played:
    """Posts moves until the match ends, chosen by the game's bot if it has one. A long one ends by resignation."""
    made = Played(game, options, house.table(game.id, seats, options=validation.plain(options)))
    follower = Follower(game, house.backend.store, made.table.match_id)
    choose, dice = bot(game.id) or any_kind, RandomDice(seats)
    while made.table.last["status"] == "live":
        mover = dice.choice(made.table.to_move)
        if len(made.listed) == MOST_MOVES:
            made.table.give_up(mover)
            break
        listed = made.listed[made.table.version] = made.table.listed(mover)
        moves = [game.read_move(move) for move in listed]
        chosen = choose(redact(follower.now().state, frozenset({mover})), mover, moves, dice)
        post(made.table, mover, listed[moves.index(chosen)])
    return made


def post(table: Table, seat: int, move: Body) -> Body:
    """An accepted move."""
    return table.took(table.players[seat].post(f"{table.path}/moves", {"move": move}))


class Fork:
    """One position, posted as often as needed: each move made in it is taken back as long as that is free and possible."""

    def __init__(self, played: Played, version: int) -> None:
        self._played, self._version = played, version
        self.table = played.forked(version)
        self.first = self.table.version
        self._returns = 0

    def choices(self) -> Iterator[tuple[int, list[Body]]]:
        """Each seat that is to move there, with its listed moves."""
        for seat in self.table.to_move:
            yield seat, self.table.listed(seat)

    def try_move(self, seat: int, move: Body) -> Body:
        done = post(self.table, seat, move)
        self.restore()
        return done

    def restore(self) -> None:
        if self.table.last["status"] == "live" and self._returns < limits.FREE_RETURNS:
            self.table.undo(self.first)
            self._returns += 1
        else:
            self.table, self._returns = self._played.forked(self._version), 0

"""Clocks of a match: its settings, and the time of each seat."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from domain import validation
from domain.commands import DAY, Clock
from domain.match import Match
from service.web.bodies.body import Body, Time, about, body, time
from service.web.bodies.inputs import described

CLOCK = described(
    'The time for each turn, or for the whole match, in seconds: `{"turn": 259200}` or `{"bank": 600, "increment": 5}`, and'
    " `answer` for the time to answer in another seat's turn. Null: no clocks. If left out, a public match has three days for"
    " each turn, a private one no clocks.",
    type="object",
    properties={name: {"type": "integer"} for name in ("turn", "bank", "increment", "answer")},
    additionalProperties=False,
    examples=[{"turn": 3 * DAY}, {"bank": 600, "increment": 5, "answer": 30}],
)

USUAL = Clock(turn=3 * DAY)
"""The clock of a public match that names none."""


def read_clock(given: Any) -> Clock | None:
    """Reads a clock from untrusted data. Raises ``MalformedError``."""
    if given is None:
        return None
    clock: Clock = validation.read(Clock, given, "clock")
    if (fault := clock.fault()) is not None:
        raise fault
    return clock


@body
class ClockBody(Body):
    turn: Annotated[int | None, about("The seconds for each turn.")]
    bank: Annotated[int | None, about("The seconds for the whole match.")]
    increment: Annotated[int, about("The seconds that the bank gains by the end of each own turn.")]
    answer: Annotated[int, about("The seconds for an answer in another seat's turn.")]


@body
class SeatClock(Body):
    seat: int
    left_ms: Annotated[int, about("The milliseconds that the seat had left at the newest version.")]
    runs: Annotated[
        Literal["turn", "answer"] | None, about("The time that runs for the seat now; null while none does.")
    ]
    deadline: Annotated[Time | None, about("The time at which it will have run out.")]


@body
class ReadyCheckBody(Body):
    due: Annotated[Time, about("The time until which all seats must be ready.")]
    ready: Annotated[list[int], about("The seats that are ready. Bots always are.")]


def clock_body(clock: Clock | None) -> ClockBody | None:
    if clock is None:
        return None
    return ClockBody(turn=clock.turn, bank=clock.bank, increment=clock.increment, answer=clock.answer_seconds)


def seat_clocks(match: Match) -> list[SeatClock]:
    """Returns the clock of each seat that has one, from the start of play to the end."""
    clocks = match.clocks
    if clocks is None or match.ended:
        return []
    due = {each.seat: each for each in clocks.due()}
    made = []
    for seat in match.in_play:
        running = due.get(seat)
        left = clocks.left[seat] if running is None else max(0, running.at - match.at)
        runs, deadline = (None, None) if running is None else (running.what, time(running.at))
        made.append(SeatClock(seat=seat, left_ms=left, runs=runs, deadline=deadline))
    return made


def ready_check(match: Match) -> ReadyCheckBody | None:
    check = match.table.check
    return None if check is None else ReadyCheckBody(due=time(check.due), ready=sorted(check.ready))

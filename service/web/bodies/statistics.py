"""Statistics of a game, over its finished matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from domain.game import AnyGame
from service.web.bodies.body import Body, about, body
from service.web.bodies.pages import KnownBody


@body
class SeatWins(Body):
    seat: int
    wins: int
    rate: Annotated[
        float, about("The share of the matches with this number of seats. A shared win counts for each winner.")
    ]


@body
class SeatsStatistics(Body):
    seats: int
    matches: int
    by_seat: list[SeatWins]


@body
class StatisticsBody(KnownBody):
    game: str
    matches: Annotated[int, about("The number of finished matches.")]
    mean_turns: float | None
    mean_returns: Annotated[float | None, about("The mean number of undos and redos in a match.")]
    reasons: dict[str, int]
    by_seats: list[SeatsStatistics]


def statistics_body(game: AnyGame, totals: Mapping[str, int], *, fresh: bool) -> StatisticsBody:
    matches = totals.get("matches", 0)
    reasons = {name.partition(":")[2]: count for name, count in totals.items() if name.startswith("reason:") and count}
    return StatisticsBody(
        game=game.id,
        matches=matches,
        mean_turns=_mean(totals.get("turns", 0), matches),
        mean_returns=_mean(totals.get("returns", 0), matches),
        reasons=dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        by_seats=[_by_seat(seats, totals) for seats in game.seats if totals.get(f"seats:{seats}")],
        fresh=fresh,
    )


def _by_seat(seats: int, totals: Mapping[str, int]) -> SeatsStatistics:
    matches = totals[f"seats:{seats}"]
    wins = [totals.get(f"wins:{seats}:{seat}", 0) for seat in range(seats)]
    rows = [SeatWins(seat=seat, wins=count, rate=round(count / matches, 4)) for seat, count in enumerate(wins)]
    return SeatsStatistics(seats=seats, matches=matches, by_seat=rows)


def _mean(total: int, count: int) -> float | None:
    return None if not count else round(total / count, 2)

"""The strength of players at a game: the Plackett-Luce model of openskill, in the order of (finished at, match id).

A row is a result: the players and their ranks. The ratings depend on the order of the results, so they are folded apart from
the rows: see ``rated``. All winners share the first place. The losers' places follow their scores if the winners' scores show
whether high or low ones are good; otherwise they share the last place.

Not rated are private matches, those from a position, forks, imported ones, and those whose host may return to any version. A
match that becomes void is rated no longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from domain.game import Outcome
from domain.rating import why_unrated
from domain.retirement import Retirement
from projections.match_facts import MatchFacts
from projections.projection import AcrossMatches, Places, Projection, Row

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

Rating = tuple[float, float]
"""The mean and the standard deviation of a player's strength."""

NEW: Rating = (25.0, 25.0 / 3)
"""The rating of a player without a rated match: what openskill begins with."""


@cache
def _model() -> PlackettLuce:
    # Imported when the first result is folded: queries, the web process and the command handler load this module, too.
    from openskill.models import PlackettLuce

    return PlackettLuce()


def row(story: MatchFacts) -> Row | None:
    match = story.match
    players = [seated.player for seated in match.table.seats if seated is not None]
    if match.status != "finished" or match.outcome is None or why_unrated(match) is not None or len(players) < 2:
        return None
    return {
        "game": match.game.id,
        "at": story.ended_at,
        "players": players,
        "ranks": ranks(match.outcome, len(players), match.retired),
    }


def places(row: Row) -> Places:
    game, at = row["game"], row["at"]
    return {order(game): at} | {results(game, player): at for player in row["players"]}


def order(game: str) -> str:
    """The list of a game's results."""
    return f"g:{game}"


def results(game: str, player: str) -> str:
    """The list of a player's results at a game."""
    return f"p:{game}:{player}"


def ranks(outcome: Outcome, seats: int, retired: Sequence[Retirement] = ()) -> list[int]:
    """The rank of each seat, from 1; seats may share a rank. Who retired is behind all in play, the latest first."""
    sign = _direction(outcome)
    gone = {each.seat: -each.at for each in retired}
    keys = [
        (
            seat in gone,
            gone.get(seat, 0),
            seat not in outcome.winners,
            -sign * outcome.scores[seat] if sign and seat not in outcome.winners and seat not in gone else 0,
        )
        for seat in range(seats)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def _direction(outcome: Outcome) -> int:
    """The direction of the scores: 1 if high ones win, -1 if low ones do, 0 if the outcome does not show it."""
    won = {outcome.scores[seat] for seat in outcome.winners if outcome.scores}
    if len(won) != 1 or len(set(outcome.scores)) == 1:
        return 0
    (score,) = won
    return 1 if score == max(outcome.scores) else -1 if score == min(outcome.scores) else 0


def rated(result: Row, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings after a result of its players, from those before; a player missing there has none yet. About 90 µs."""
    model = _model()
    teams = [[model.create_rating(list(before.get(player, NEW)))] for player in result["players"]]
    after = model.rate(teams, ranks=[float(rank) for rank in result["ranks"]])
    return {player: (team[0].mu, team[0].sigma) for player, team in zip(result["players"], after, strict=True)}


def ordinal(rating: Rating) -> float:
    """The number that orders leaderboards: a player has at least this strength with more than 99.7 % certainty."""
    mean, deviation = rating
    return mean - 3 * deviation


ACROSS = AcrossMatches(
    group=lambda result: result["game"],
    at=lambda result: result["at"],
    players=lambda result: result["players"],
    order=order,
    results=results,
    after=rated,
    score=ordinal,
    new=NEW,
)

RATINGS = Projection(name="ratings", row=row, places=places, across=ACROSS)

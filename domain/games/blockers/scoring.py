"""Groups, captures, and the winners: BL-14 to BL-17."""

from __future__ import annotations

from typing import NamedTuple

from domain.game import Outcome
from domain.games.blockers.board import COLOUR_GLYPHS, groups, spaces_with
from domain.games.blockers.state import State


class Score(NamedTuple):
    """The score of a seat, as if the match ended now. The lowest total wins."""

    groups: int
    """The number of groups of all its colours."""
    most_captured: int
    """The number of captured tiles of the colour of which it captured most (BL-15)."""
    all_captured: int
    """The number of all captured tiles: fewer wins a tie (BL-16)."""
    total: int


def score(state: State, seat: int) -> Score:
    own = 0
    for colour in state.own(seat):
        own += groups(spaces_with(state.colours, COLOUR_GLYPHS[colour]))
    captured = [*map(len, state.captured[seat])]
    most = max(captured)
    return Score(own, most, sum(captured), own if state.scoring == "uptown" else own + most)


# -- outcome ----------------------------------------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    scores = [score(state, seat) for seat in range(state.seats)]
    totals = tuple(each.total for each in scores)
    lowest = [seat for seat, total in enumerate(totals) if total == min(totals)]
    fewest = min(scores[seat].all_captured for seat in lowest)
    winners = tuple(seat for seat in lowest if scores[seat].all_captured == fewest)
    if len(lowest) == 1:
        return Outcome(winners, totals, "All turns are taken; the lowest score wins.", "BL-14")
    if len(winners) == 1:
        return Outcome(winners, totals, "The lowest score is shared; the fewest captured tiles win.", "BL-16")
    return Outcome(winners, totals, "Lowest score and captured tiles are equal; the victory is shared.", "BL-16")

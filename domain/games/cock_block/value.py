"""The worth of a state for a seat, as bots see it: the way that its hero still has to go, and the cards to go it with."""

from __future__ import annotations

from functools import lru_cache

from domain.game import chance
from domain.games.cock_block.board import BOARDS, exits
from domain.games.cock_block.components import HAND, SKILLS
from domain.games.cock_block.state import Hero, State, token_spaces
from domain.games.cock_block.turn import actions_left

STEP = 10
"""The worth of a step of the way."""
DOOR = (60, 30, 20, 10, 5)
"""The worth that is added where a hero with a chick has so few steps left: its seat may win in its next turn."""
NO_WAY = 6
"""The steps that a way counts more if the tokens leave none."""
ACTION = 7
"""The worth of an action that the running turn has left."""
KNOCKED_OUT, SLOWED, ALL_ACCESS = -34, -8, 14
AVERAGE = 5
"""The worth of a card that is not seen, or will be drawn."""
CARD_WORTH = {
    "get_2_drinks": 8,
    "got_bread": 13,
    "the_rumor": 10,
    "jealous_bff": 5,
    "drink_spiller": 5,
    "loud_friend": 5,
    "wingman": 3,
    "bartender": 3,
    "bouncer": 3,
    "bag_of_seeds": 5,
    "mop_of_destiny": 5,
    "golden_mute": 5,
    "all_access": 12,
    "moment_of_glory": 7,
    "tomahawk_god": 6,
    "drank_2_much": 5,
    "corn_pills": 3,
    "wild": 4,
}
"""The worth of a card in the hand, without skills."""
OWN_SKILL, PAIR, SINGLE = 8, 9, 3
"""The worth of a skill card that pays alone, of two that pay together, and of one that needs another."""
UNIT = 30

_EXITS = frozenset(exits())


def evaluate(state: State, seat: int) -> float:
    """The chance that the seat wins: by the ways of all heroes, their cards, and what lies on them."""
    tokens = token_spaces(state)
    strengths = [strength(state, other, tokens) for other in range(len(state.heroes))]
    if not state.hero.knocked_out:
        strengths[state.active] += ACTION * actions_left(state)
    return chance(strengths, seat, UNIT)


def strength(state: State, seat: int, tokens: frozenset[str]) -> int:
    hero = state.heroes[seat]
    worth = cards_worth(state.hands[seat].cards, len(state.hands[seat]), hero)
    worth += KNOCKED_OUT * hero.knocked_out + SLOWED * hero.slowed + ALL_ACCESS * hero.all_access
    steps = way(state, hero, tokens)
    if hero.chick is not None and steps < len(DOOR):
        worth += DOOR[steps]
    return worth - STEP * steps


def cards_worth(cards: tuple[str, ...] | None, count: int, hero: Hero) -> int:
    """The worth of a hand to this hero; free places are worth as much as the cards that will be drawn to them."""
    if cards is None:
        return AVERAGE * max(count, HAND)
    worth, skills = AVERAGE * max(0, HAND - count), hero.skills
    for card in cards:
        worth += CARD_WORTH.get(card, 0)
    for skill in SKILLS:
        copies = cards.count(skill)
        worth += OWN_SKILL * copies if skill in skills else PAIR * (copies // 2) + SINGLE * (copies % 2)
    return worth


def way(state: State, hero: Hero, tokens: frozenset[str]) -> int:
    """The steps from the hero to the Exit Area with a chick, around the tokens; the steps back are counted without them."""
    rows = state.options.barn_rows
    if hero.chick is not None:
        return _steps(rows, "down", hero.at, _EXITS, tokens)
    homes = _waiting(rows, tuple([other.chick for other in state.heroes]))
    # One step more for picking her up, so that doing it is worth something.
    return _steps(rows, "up", hero.at, homes, tokens) + 2 + rows


@lru_cache(1 << 10)
def _waiting(barn_rows: int, carried: tuple[str | None, ...]) -> frozenset[str]:
    return frozenset(space for space, chick in BOARDS[barn_rows].homes.items() if chick not in carried)


@lru_cache(1 << 15)
def _steps(barn_rows: int, ahead: str, start: str, goals: frozenset[str], tokens: frozenset[str]) -> int:
    """The fewest steps ahead and sideways to a goal that no token stands on; ``NO_WAY`` more if tokens leave no way."""
    board = BOARDS[barn_rows]
    ways = (board.steps[ahead], board.steps["left"], board.steps["right"])
    reached, edge, steps = {start}, [start], 0
    while edge:
        if not goals.isdisjoint(edge):
            return steps
        near = [table.get(space) for space in edge for table in ways]
        edge = [space for space in dict.fromkeys(near) if space is not None and space not in reached | tokens]
        reached.update(edge)
        steps += 1
    return NO_WAY + (_steps(barn_rows, ahead, start, goals, frozenset()) if tokens else 0)

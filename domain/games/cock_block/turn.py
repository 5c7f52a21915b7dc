"""The running turn: the actions that still fit into it, discarding, ending it, and helpers about hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from domain.game import Rejected
from domain.games.cock_block.components import ACTIONS, DISCARDS, TITLES, in_order
from domain.games.cock_block.events import Discarded, Rose, TurnEnded
from domain.games.cock_block.moves import Discard, EndTurn
from domain.games.cock_block.state import Action, State, outcome
from domain.games.cock_block.story import Story

KNOCKED_OUT_DISCARDS = 3

# -- hands ------------------------------------------------------------------------------------------------------------


def holds(state: State, seat: int, *cards: str) -> bool:
    hand = state.hands[seat].cards or ()
    if len(cards) == 1:
        return cards[0] in hand
    return all(hand.count(card) >= cards.count(card) for card in cards)


def refuse_unheld(state: State, seat: int, rule: str, *cards: str) -> Rejected | None:
    """Refuses cards that the seat does not hold, by the rule of the card."""
    if holds(state, seat, *cards):
        return None
    return Rejected(rule, f"You do not hold {listed(cards)}.")


def listed(cards: tuple[str, ...]) -> str:
    """The titles of cards, joined for a sentence."""
    titles = [TITLES[card] for card in cards]
    return " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)


# -- actions ----------------------------------------------------------------------------------------------------------


def actions_left(state: State) -> int:
    return ACTIONS + state.glory - len(state.actions)


def combines(used: tuple[Action, ...], action: Action) -> bool:
    """CB-4: true if ``action`` fits after ``used``: moves, and at most one other kind.

    A legendary counts as attack or as defend, whichever fits (CB-28).
    """
    others = {kind for kind in used if kind != "move"}
    if action == "move" or not others:
        return True
    if action == "legendary":
        return "discard" not in others
    return others <= ({action} if action == "discard" else {action, "legendary"})


def fits(state: State, action: Action) -> bool:
    """True if the active seat's turn has room for such an action."""
    if state.hero.knocked_out or actions_left(state) < 1:
        return False
    return state.options.free_combinations or combines(state.actions, action)


def refuse_action(state: State, action: Action) -> Rejected | None:
    if fits(state, action):
        return None
    used = ", ".join(state.actions)
    if state.hero.knocked_out:
        return Rejected("CB-35", "Your hero is knocked out: discard once, recover with Corn Pills, or end your turn.")
    if actions_left(state) < 1:
        return Rejected("CB-4", f"This turn's actions are used up: {used}.")
    return Rejected("CB-4", f"This turn was {used}; {action} does not go with it.")


# -- discarding -------------------------------------------------------------------------------------------------------


def most_discardable(state: State) -> int:
    """The most cards that one discard may name now (CB-6, CB-35)."""
    if state.hero.knocked_out:
        return 0 if state.actions else KNOCKED_OUT_DISCARDS
    if not fits(state, "discard"):
        return 0
    return DISCARDS[state.actions.count("discard") + actions_left(state)] - state.thrown


def discard_cost(state: State, count: int) -> int:
    """The fewest actions, at least one, that let a turn throw ``count`` more cards."""
    used = state.actions.count("discard")
    return next(cost for cost in range(1, len(DISCARDS) - used) if DISCARDS[used + cost] >= state.thrown + count)


@cache
def _discard(cards: tuple[str, ...]) -> Discard:
    # Bounded: there are about 10,600 hands of one to four cards.
    return Discard(cards)


def legal_discards(state: State, hand: tuple[str, ...]) -> Iterator[Discard]:
    for count in range(1, most_discardable(state) + 1):
        yield from map(_discard, dict.fromkeys(combinations(hand, count)))


def refuse_discard(state: State, seat: int, move: Discard) -> Rejected | None:
    if state.hero.knocked_out and state.actions:
        return Rejected("CB-35", "A knocked-out hero discards once a turn; end the turn.")
    if not state.hero.knocked_out and (rejected := refuse_action(state, "discard")):
        return rejected
    most = most_discardable(state)
    if len(move.cards) > most:
        rule = "CB-35" if state.hero.knocked_out else "CB-6"
        return Rejected(rule, f"You may discard at most {most} now, not {len(move.cards)}.")
    return refuse_unheld(state, seat, "CB-6", *move.cards)


def decide_discard(story: Story, seat: int, move: Discard) -> None:
    cost = discard_cost(story.state, len(move.cards))
    story.tell(Discarded(seat, in_order(move.cards), cost))


# -- the end of a turn ------------------------------------------------------------------------------------------------


def decide_end_turn(story: Story, seat: int, move: EndTurn) -> None:
    if story.state.hero.knocked_out:
        story.tell(Rose(seat))
    if outcome(story.state) is None:
        pass_turn(story)


def pass_turn(story: Story) -> None:
    """Ends the turn (CB-5, CB-7): the active seat refills, then the next seat, whose turn begins, does."""
    story.refill(story.state.active)
    story.tell(TurnEnded(story.state.active))
    if outcome(story.state) is None:
        story.refill(story.state.active)

"""The state as JSON, and an imagined full state that a seat cannot tell from the real one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from domain import validation
from domain.game import Dice
from domain.games.cock_block.components import BLOCKS, COMMITTED_AT_MOST, DECK, in_order
from domain.games.cock_block.state import PARTS, Duel, Hero, Pending, Puts, Showdown, State, supply, waiting_chick
from domain.games.cock_block.turn import actions_left
from domain.hidden import Bag, Hidden, Secret

_PART_NAMES = {part: name for name, part in PARTS.items()}


def view(state: State) -> dict[str, Any]:
    """Redacted state → JSON; of the full state, the position format."""
    return {
        "barn_rows": state.options.barn_rows,
        "fights": state.options.fights,
        "free_combinations": state.options.free_combinations,
        "turn": state.turn,
        "active": state.active,
        "seats": [_seat(hero, hand) for hero, hand in zip(state.heroes, state.hands, strict=True)],
        "friend_zone": friend_zone(state),
        "tokens": dict(state.tokens),
        "supply": {kind: supply(state, kind) for kind in BLOCKS},
        "deck": _pile(state.deck),
        "discard": list(in_order(state.discard)),
        "actions": list(state.actions),
        "actions_left": 0 if state.hero.knocked_out else actions_left(state),
        "thrown": state.thrown,
        "glory": state.glory,
        "pending": _pending(state.pending),
    }


def _seat(hero: Hero, hand: Bag) -> dict[str, Any]:
    return {
        "hero": hero.name,
        "at": hero.at,
        "chick": hero.chick,
        "knocked_out": hero.knocked_out,
        "slowed": hero.slowed,
        "all_access": hero.all_access,
        "hand": _pile(hand),
    }


def _pile(bag: Bag) -> dict[str, Any]:
    return {"count": len(bag), "cards": validation.HIDDEN if bag.cards is None else list(in_order(bag.cards))}


def friend_zone(state: State) -> dict[str, str]:
    """Space → the chick that waits on it."""
    return {space: chick for space in state.board.homes if (chick := waiting_chick(state, space)) is not None}


def _pending(pending: Pending | None) -> dict[str, Any] | None:
    return None if pending is None else {"type": _PART_NAMES[type(pending)]} | validation.plain(pending)


# -- imagine ----------------------------------------------------------------------------------------------------------


def imagine(state: State, seat: int, dice: Dice) -> State:
    """(state redacted for the seat, seat, dice) → a full state: deals the unseen cards again to the places they may be in."""
    unseen = list((Counter(DECK) - Counter(open_cards(state)) - Counter(state.hands[seat].cards)).elements())
    dealt = list(dice.sample(unseen, len(unseen)))
    hands = []
    for hand in state.hands:
        hands.append(hand if hand.cards is not None else Bag.of(dealt[: hand.rest], hand.seats))
        dealt = dealt if hand.cards is not None else dealt[hand.rest :]
    pending = state.pending
    if isinstance(pending, Duel):
        pending = _imagined_duel(pending, hands, dice)
    return replace(state, hands=tuple(hands), deck=Bag.of(dealt, state.deck.seats), pending=pending)


def _imagined_duel(duel: Duel, hands: list[Bag], dice: Dice) -> Duel:
    def imagined(fighter: int, chosen: Secret[tuple[str, ...]] | Hidden | None) -> Secret[tuple[str, ...]] | None:
        if not isinstance(chosen, Hidden):
            return chosen
        cards = hands[fighter].cards or ()
        count = dice.below(min(COMMITTED_AT_MOST, len(cards)) + 1)
        return Secret(in_order(dice.sample(cards, count)), chosen.seats)

    ours, theirs = duel.commitments
    return Duel(duel.mover, duel.foe, (imagined(duel.mover, ours), imagined(duel.foe, theirs)))


def open_cards(state: State) -> list[str]:
    """Every open card: those of the discard pile, those on heroes, and those that a legendary or a fight holds back."""
    cards = list(state.discard)
    for hero in state.heroes:
        cards += ["drank_2_much"] * hero.slowed + ["all_access"] * hero.all_access
    if isinstance(state.pending, Puts):
        cards.append(state.pending.card)
    if isinstance(state.pending, Showdown):
        cards += state.pending.table
    return cards

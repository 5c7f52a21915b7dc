"""The invariants of a full state. A state that passes can be played to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.games.cock_block.board import column
from domain.games.cock_block.components import (
    ACTIONS,
    BLOCKS,
    CHICKS,
    COMMITTED_AT_MOST,
    DECK,
    DISCARDS,
    HAND,
    HEROES,
    TITLES,
    TOKENS_OF_A_KIND,
    TURN_LIMIT,
)
from domain.games.cock_block.defence import free_neighbours
from domain.games.cock_block.state import (
    CounterWindow,
    Duel,
    PillWindow,
    Puts,
    Showdown,
    State,
    clockwise,
    is_home,
    spaces_of,
    token_at,
)
from domain.games.cock_block.turn import KNOCKED_OUT_DISCARDS, combines
from domain.games.cock_block.view import open_cards
from domain.hidden import NOBODY, Secret
from domain.validation import MalformedError


def check(state: State) -> Iterator[MalformedError]:
    """The broken invariants of a full state, with the field of the position format."""
    broken = list(_check_frame(state))
    yield from broken
    if broken:
        return  # The other checks would look up seats and spaces that do not exist.
    yield from _check_heroes(state)
    yield from _check_tokens(state)
    yield from _check_cards(state)
    yield from _check_turn(state)
    yield from _check_pending(state)


def _check_frame(state: State) -> Iterator[MalformedError]:
    """Names of seats and spaces that do not exist."""
    seats = len(state.heroes)
    if not 2 <= seats <= len(HEROES) or len(state.hands) != seats:
        yield MalformedError("seats", "must be 2 to 4, each with a hero and a hand")
    if not 0 <= state.active < seats:
        yield MalformedError("active", f"must be from 0 to {seats - 1}")
    if not 1 <= state.turn <= TURN_LIMIT + 1:
        yield MalformedError("turn", f"must be from 1 to {TURN_LIMIT + 1}")
    for seat, hero in enumerate(state.heroes):
        if hero.at not in state.board.neighbours:
            yield MalformedError(f"seats[{seat}].at", "is not on this board")
    for space, _kind in state.tokens:
        if space not in state.board.neighbours:
            yield MalformedError(f"tokens.{space}", "is not on this board")
    for seat in _named_seats(state):
        if not 0 <= seat < seats:
            yield MalformedError("pending", f"names seat {seat}, which there is not")


def _named_seats(state: State) -> Iterable[int]:
    match state.pending:
        case CounterWindow(_, asked):
            return asked
        case PillWindow(seat):
            return (seat,)
        case Duel(mover, foe) | Showdown(mover, foe):
            return (mover, foe)
        case _:
            return ()


# -- pieces -----------------------------------------------------------------------------------------------------------


def _check_heroes(state: State) -> Iterator[MalformedError]:
    names = [hero.name for hero in state.heroes]
    if len(set(names)) != len(names) or not set(names) <= HEROES.keys():
        yield MalformedError("seats", "must have different heroes")
    if state.options.heroes not in (None, tuple(names)):
        yield MalformedError("seats", "must have the heroes that the option names")
    chicks = [hero.chick for hero in state.heroes if hero.chick is not None]
    if len(set(chicks)) != len(chicks) or not set(chicks) <= CHICKS.keys():
        yield MalformedError("seats", "must carry different chicks")
    for seat, hero in enumerate(state.heroes):
        if hero.slowed and hero.all_access:
            yield MalformedError(f"seats[{seat}].slowed", "must be false for a hero with all_access")
    yield from _check_home(state)


def _check_home(state: State) -> Iterator[MalformedError]:
    """More than one winner, or a game that goes on though a hero is home with a chick.

    A hero that arrived just now may still have to fight for it.
    """
    home = [seat for seat, hero in enumerate(state.heroes) if is_home(hero)]
    if len(home) > 1:
        yield MalformedError("seats", "must not have two heroes home with a chick")
    arriving = isinstance(state.pending, (Duel, Showdown)) and home == [state.pending.mover] == [state.active]
    if home and state.pending is not None and not arriving:
        yield MalformedError("pending", "must be null once a hero is home with a chick")


def _check_tokens(state: State) -> Iterator[MalformedError]:
    spaces = [space for space, _kind in state.tokens]
    if spaces != sorted(set(spaces)):
        yield MalformedError("tokens", "must stand one on a space, in order")
    if not {kind for _space, kind in state.tokens} <= set(BLOCKS):
        yield MalformedError("tokens", f"must be of the kinds {', '.join(BLOCKS)}")
    for seat, hero in enumerate(state.heroes):
        if hero.at in spaces:
            yield MalformedError(f"tokens.{hero.at}", f"stands on the hero of seat {seat}")
    for kind in BLOCKS:
        lifted = state.pending.left if isinstance(state.pending, Puts) and state.pending.kind == kind else 0
        if len(spaces_of(state, kind)) + lifted > TOKENS_OF_A_KIND:
            yield MalformedError("tokens", f"must be at most {TOKENS_OF_A_KIND} of {kind}")


def _check_cards(state: State) -> Iterator[MalformedError]:
    for seat, hand in enumerate(state.hands):
        if hand.seats != frozenset({seat}) or hand.top or hand.cards is None:
            yield MalformedError(f"seats[{seat}].hand", "must be known to its seat alone, and without order")
        if len(hand) > HAND:
            yield MalformedError(f"seats[{seat}].hand", f"must have at most {HAND} cards")
    if state.deck.seats != NOBODY or state.deck.top or state.deck.cards is None:
        yield MalformedError("deck", "must be known to nobody, and without order")
    if state.discard != tuple(sorted(state.discard)):
        yield MalformedError("discard", "must be sorted")
    cards = Counter(open_cards(state))
    for pile in (*state.hands, state.deck):
        cards.update(pile.cards or ())
    for card in sorted((cards - Counter(DECK)) + (Counter(DECK) - cards)):
        there, all_of_it = cards[card], DECK.count(card)
        yield MalformedError(
            "deck", f"the match has {there} of {TITLES.get(card, card[:60])} where the box has {all_of_it}"
        )


# -- the running turn -------------------------------------------------------------------------------------------------


def _check_turn(state: State) -> Iterator[MalformedError]:
    used, discards = state.actions, state.actions.count("discard")
    if len(used) > ACTIONS + state.glory:
        yield MalformedError("actions", f"must be at most {ACTIONS + state.glory}")
    elif not discards <= state.thrown <= DISCARDS[discards]:
        yield MalformedError(
            "thrown", f"must be from {discards} to {DISCARDS[discards]} with {discards} discard actions"
        )
    if not state.options.free_combinations and not all(combines(used[:i], used[i]) for i in range(len(used))):
        yield MalformedError("actions", "must be moves and at most one other kind")
    if state.hero.knocked_out:
        yield from _check_knocked_out_turn(state)


def _check_knocked_out_turn(state: State) -> Iterator[MalformedError]:
    if state.glory:
        yield MalformedError("glory", "must be false for a hero who is knocked out")
    if set(state.actions) - {"discard"} or state.thrown > KNOCKED_OUT_DISCARDS:
        yield MalformedError("actions", "must be one discard at most for a hero who is knocked out")
    if isinstance(state.pending, (CounterWindow, PillWindow, Puts)):
        yield MalformedError("pending", "must be null: the active hero is knocked out and cannot have played that")


def _check_pending(state: State) -> Iterator[MalformedError]:
    match state.pending:
        case CounterWindow() as window:
            yield from _check_counter_window(state, window)
        case PillWindow(seat) if seat == state.active or not state.heroes[seat].slowed:
            yield MalformedError("pending.seat", "must be an opponent who was given drank_2_much")
        case Puts(_, left) if not 1 <= left <= TOKENS_OF_A_KIND:
            yield MalformedError("pending.left", f"must be from 1 to {TOKENS_OF_A_KIND}")
        case Duel() as duel:
            yield from _check_duel(state, duel)
    if state.pending is not None and state.turn > TURN_LIMIT:
        yield MalformedError("pending", f"must be null after turn {TURN_LIMIT}")
    expected = _EXPECTED.get(type(state.pending))
    # An active hero that is knocked out lost just now, to a mover that has more foes on that space: its turn is over.
    if not state.hero.knocked_out and expected is not None and (not state.actions or state.actions[-1] not in expected):
        yield MalformedError("actions", f"must end with {' or '.join(expected)} while that is pending")


_EXPECTED = {
    CounterWindow: ("attack",),
    PillWindow: ("attack",),
    Puts: ("legendary",),
    Duel: ("move", "attack"),
}
"""Pending step → the action that must have been played just before."""


def _check_counter_window(state: State, window: CounterWindow) -> Iterator[MalformedError]:
    if token_at(state, window.at) is None or not free_neighbours(state, window.at):
        yield MalformedError("pending.at", "must be a token with a free space beside it")
        return
    in_column = [seat for seat in clockwise(state, state.active) if column(state.heroes[seat].at) == column(window.at)]
    if not window.asked or window.asked != tuple(in_column[len(in_column) - len(window.asked) :]):
        yield MalformedError("pending.asked", "must be the last of the opponents in the token's column, clockwise")


def _check_duel(state: State, duel: Duel) -> Iterator[MalformedError]:
    mover, foe = state.heroes[duel.mover], state.heroes[duel.foe]
    if state.options.fights != "geeks":
        yield MalformedError("pending.type", "must not be a duel: fights are by dice")
    if duel.mover == duel.foe or mover.at != foe.at or not (mover.fights and foe.fights):
        yield MalformedError("pending", "must be a fight of two upright heroes without all_access on one space")
    for seat, chosen in zip(duel.fighters, duel.commitments, strict=True):
        if isinstance(chosen, Secret) and not _may_commit(state, seat, chosen.value):
            yield MalformedError("pending.commitments", f"must be at most three cards of the hand of seat {seat}")


def _may_commit(state: State, seat: int, cards: tuple[str, ...]) -> bool:
    held = Counter(state.hands[seat].cards or ())
    return len(cards) <= COMMITTED_AT_MOST and not Counter(cards) - held

"""Refusals of moves: the rule, and the facts of the position. Works on a state redacted for the seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.game import Rejected
from domain.games.block_happy.components import (
    BLOCKABLE,
    CREATIVE,
    CREATIVE_PLAYS,
    HAPPY,
    KIND,
    OVERJOYED,
    SHOCKED,
    SIMPLE,
    SMUG,
    TICKLED_PINK,
    title,
)
from domain.games.block_happy.legal import happy_opponents, opponents, seen_hand, seen_top
from domain.games.block_happy.moves import Answer, Decline, Keep, Move, Pair, Play, Rainbow, Take
from domain.games.block_happy.state import HandSeen, State, TopSeen, Window, answers_to

Refusal = Rejected | None


def refuse(state: State, seat: int, move: Move) -> Refusal:
    return _out_of_place(state, move) or _REFUSERS[type(move)](state, seat, move)


# -- the right kind of move -------------------------------------------------------------------------------------------


def _out_of_place(state: State, move: Move) -> Refusal:
    """Refuses a move of another kind than the state waits for."""
    awaited, rule, what = _AWAITED[type(state.pending)]
    if isinstance(move, awaited):
        return None
    if state.pending is not None:
        return Rejected(rule, what)
    return Rejected(*_NOTHING_TO[type(move)])


_AWAITED: dict[type, tuple[tuple[type, ...], str, str]] = {
    type(None): ((Play, Pair, Rainbow), "BH-3", "A turn is one play."),
    Window: ((Answer, Decline), "BH-14", "You are asked to answer the play aimed at you, or to decline."),
    HandSeen: ((Take,), "BH-18", "You see a hand and are to take one card of it."),
    TopSeen: ((Keep,), "BH-19", "You see cards of the hidden pile and are to keep one of them."),
}

_NOTHING_TO: dict[type, tuple[str, str]] = {
    Answer: ("BH-12", "There is no play aimed at you that could be answered; it is your turn to play."),
    Decline: ("BH-3", "There is nothing to decline; a turn is one play, and there is no pass."),
    Take: ("BH-18", "You see nobody's hand; it is your turn to play."),
    Keep: ("BH-19", "You see no cards of the hidden pile; it is your turn to play."),
}


# -- plays ------------------------------------------------------------------------------------------------------------


def _play(state: State, seat: int, move: Play) -> Refusal:
    if move.card == TICKLED_PINK:
        return Rejected("BH-4", "Tickled Pink is never played; it shows itself when you have six happiness.")
    return (
        _not_held(state, seat, (move.card,))
        or _wrong_guise(move)
        or _wrong_question(move)
        or _wrong_target(state, seat, move.emotion, move.target)
    )


def _not_held(state: State, seat: int, cards: tuple[str, ...]) -> Refusal:
    hand = state.hands[seat].cards or ()
    for card in cards:
        if hand.count(card) < cards.count(card):
            held = "no" if card not in hand else "only one"
            return Rejected("BH-3", f"You have {held} {title(card)} in your hand.")
    return None


def _wrong_guise(move: Play) -> Refusal:
    if move.card != CREATIVE:
        return None if move.as_ is None else Rejected("BH-23", f"{title(move.card)} cannot stand for anything else.")
    if move.as_ is None:
        return Rejected("BH-23", "Say what Creative stands for.")
    if move.as_ in CREATIVE_PLAYS:
        return None
    if move.as_ == SMUG:
        return Rejected("BH-23", "Creative can be Smug only as an answer.")
    return Rejected("BH-23", f"Creative cannot be {title(move.as_)}.")


def _wrong_question(move: Play) -> Refusal:
    if move.emotion != "curious":
        return None if move.ask is None else Rejected("BH-20", f"{title(move.emotion)} asks for no card.")
    if move.ask is None:
        return Rejected("BH-20", "Name the card that you are curious about.")
    return Rejected("BH-20", "Happy is never in a hand; ask for another card.") if move.ask == HAPPY else None


def _wrong_target(state: State, seat: int, emotion: str, target: int | None) -> Refusal:
    aim = KIND[emotion].aim
    if aim == "nobody":
        return _must_be_none(target, "BH-4", f"{title(emotion)} is aimed at nobody.")
    if emotion == SHOCKED and state.shocked:
        return _must_be_none(target, "BH-22", "Shocked has acted in this game; it is played on nobody now.")
    if aim == "anybody":
        return _must_be_opponent(state, seat, emotion, target)
    return _must_be_happy(state, seat, title(emotion), target)


def _must_be_none(target: int | None, rule: str, message: str) -> Refusal:
    return None if target is None else Rejected(rule, message)


def _must_be_opponent(state: State, seat: int, emotion: str, target: int | None) -> Refusal:
    if target is None:
        return Rejected("BH-4", f"{title(emotion)} can act, so it must: name an opponent.")
    if target in opponents(seat, len(state.hands)):
        return None
    return Rejected("BH-10", f"Seat {target} is not an opponent of yours.")


def _must_be_happy(state: State, seat: int, what: str, target: int | None) -> Refusal:
    possible = happy_opponents(state, seat)
    if target in possible:
        return None
    if possible[0] is None:
        return Rejected("BH-10", f"No opponent has happiness; {what} is played on nobody now.")
    seats = ", ".join(str(other) for other in possible)
    if target is None:
        return Rejected("BH-4", f"{what} can act, so it must: name one of the seats {seats}.")
    return Rejected("BH-10", f"Seat {target} is no opponent with happiness; those are the seats {seats}.")


# -- pairs and the rainbow --------------------------------------------------------------------------------------------


def _pair(state: State, seat: int, move: Pair) -> Refusal:
    simple = [card for card in move.cards if card != CREATIVE]
    if not simple or len(set(simple)) > 1 or simple[0] not in SIMPLE:
        cards = " and ".join(title(card) for card in move.cards)
        return Rejected("BH-25", f"{cards} are no pair: that is two of one simple emotion, or one and Creative.")
    return _not_held(state, seat, move.cards) or _wrong_wish(state, move.take)


def _wrong_wish(state: State, take: str | None) -> Refusal:
    if take is None:
        waits = "The show pile is not empty; say which of its cards you take."
        return Rejected("BH-25", waits) if state.show_pile else None
    if take in state.show_pile:
        return None
    return Rejected("BH-25", f"There was no {title(take)} on the show pile before the pair.")


def _rainbow(state: State, seat: int, move: Rainbow) -> Refusal:
    simple = {card for card in move.cards if card in SIMPLE}
    if len(simple) + (CREATIVE in move.cards) < len(SIMPLE):
        return Rejected("BH-26", "A rainbow is one each of the five simple emotions; Creative may be one of them.")
    return _not_held(state, seat, move.cards) or _must_be_happy(state, seat, "the rainbow", move.target)


# -- answers and follow-ups -------------------------------------------------------------------------------------------


def _answer(state: State, seat: int, move: Answer) -> Refusal:
    assert isinstance(state.pending, Window)
    if move.card in answers_to(state.pending.card, state.pending.as_):
        return _not_held(state, seat, (move.card,))
    if move.card == OVERJOYED:
        return Rejected("BH-13", f"Overjoyed answers only an attack, and {title(state.pending.emotion)} is none.")
    if move.card in (SMUG, CREATIVE) and state.pending.card not in BLOCKABLE:
        return Rejected("BH-23", "A play made with Creative is a power; Smug does not block it.")
    return Rejected("BH-11", f"{title(move.card)} is no answer.")


def _decline(state: State, seat: int, move: Decline) -> Refusal:
    return None


def _take(state: State, seat: int, move: Take) -> Refusal:
    assert isinstance(state.pending, HandSeen)
    if move.card in seen_hand(state.pending):
        return None
    return Rejected("BH-18", f"The hand that you see has no {title(move.card)}.")


def _keep(state: State, seat: int, move: Keep) -> Refusal:
    assert isinstance(state.pending, TopSeen)
    if move.card in seen_top(state, state.pending):
        return None
    return Rejected("BH-19", f"There is no {title(move.card)} among the cards that you see.")


_REFUSERS: dict[type, Callable[[State, int, Any], Refusal]] = {
    Play: _play,
    Pair: _pair,
    Rainbow: _rainbow,
    Answer: _answer,
    Decline: _decline,
    Take: _take,
    Keep: _keep,
}

"""The seats that learn something by an event that moves nothing hidden: by an answer "no", and by a win that does not come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.block_happy import events as e
from domain.games.block_happy.components import NEARLY, TICKLED_PINK
from domain.games.block_happy.state import State
from domain.hidden import NOBODY, Seats


def discloses(state: State, event: e.Event) -> Seats:
    """(state before the event, event) → the seats that learn. Only the seat whose hand an event is about learns nothing."""
    disclosing = _DISCLOSING.get(type(event))
    return NOBODY if disclosing is None else disclosing(state, event)


def _question_answered(state: State, event: e.QuestionAnswered) -> Seats:
    return _all_but(event.target, state)


def _happiness_taken(state: State, event: e.HappinessTaken) -> Seats:
    return _happier(state, event.seat, event.count)


def _happy_drawn(state: State, event: e.HappyDrawn | e.HappyLaidOut) -> Seats:
    return _happier(state, event.seat, 1)


def _happier(state: State, seat: int, count: int) -> Seats:
    return _no_win(state, seat) if count and state.happiness[seat] + count == NEARLY else NOBODY


def _card_drawn(state: State, event: e.CardDrawn | e.CardKept | e.CardTaken) -> Seats:
    return _no_win(state, event.seat) if state.happiness[event.seat] == NEARLY else NOBODY


def _cards_swapped(state: State, event: e.CardsSwapped) -> Seats:
    nearly = [seat for seat in (event.seat, event.target) if state.happiness[seat] == NEARLY]
    return _no_win(state, nearly[0]) if nearly else NOBODY


def _no_win(state: State, seat: int) -> Seats:
    """A seat with six happiness shows Tickled Pink, or shows by not winning that it does not hold it (BH-9)."""
    return NOBODY if TICKLED_PINK in state.show_pile else _all_but(seat, state)


def _all_but(seat: int, state: State) -> Seats:
    return frozenset(range(len(state.hands))) - {seat}


_DISCLOSING: dict[type, Callable[[State, Any], Seats]] = {
    e.QuestionAnswered: _question_answered,
    e.HappinessTaken: _happiness_taken,
    e.HappyDrawn: _happy_drawn,
    e.HappyLaidOut: _happy_drawn,
    e.CardDrawn: _card_drawn,
    e.CardKept: _card_drawn,
    e.CardTaken: _card_drawn,
    e.CardsSwapped: _cards_swapped,
}

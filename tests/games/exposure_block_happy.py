"""Who may know what, field by field, written from BH-29: every field of every event, and of every move.

"public", or for an event a function from the full event to the seats that may know the field; for a move "face_down" is
what its seat alone may know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import State, TopSeen
from domain.hidden import NOBODY
from tests.support.block_happy.tables import OTHER, PLAIN


def its_seat(event: Any) -> frozenset[int]:
    return frozenset({event.seat})


def both_seats(event: Any) -> frozenset[int]:
    return frozenset({event.seat, event.target})


EXPOSURE: dict[tuple[str, str], str | Callable[[Any], frozenset[int]]] = {
    # What is played, asked and answered is public.
    ("card_played", "seat"): "public",
    ("card_played", "card"): "public",
    ("card_played", "target"): "public",
    ("card_played", "as_"): "public",
    ("card_played", "ask"): "public",
    ("pair_played", "seat"): "public",
    ("pair_played", "cards"): "public",
    ("rainbow_played", "seat"): "public",
    ("rainbow_played", "cards"): "public",
    ("rainbow_played", "target"): "public",
    ("answered", "seat"): "public",
    ("answered", "card"): "public",
    ("declined", "seat"): "public",
    ("question_answered", "seat"): "public",
    ("question_answered", "target"): "public",
    ("question_answered", "card"): "public",
    ("question_answered", "has"): "public",
    # Happiness is public.
    ("happiness_taken", "seat"): "public",
    ("happiness_taken", "source"): "public",
    ("happiness_taken", "count"): "public",
    ("happiness_buried", "seat"): "public",
    ("happiness_buried", "count"): "public",
    ("happiness_buried", "card"): "public",
    ("happy_drawn", "seat"): "public",
    ("happy_laid_out", "seat"): "public",
    ("tickled_pink_shown", "seat"): "public",
    # The show pile is public, and so is what is taken from it.
    ("card_retrieved", "seat"): "public",
    ("card_retrieved", "card"): "public",
    ("card_retrieved", "place"): "public",
    # Every draw is known to who draws.
    ("card_drawn", "seat"): "public",
    ("card_drawn", "card"): its_seat,
    # Cards that change hands are known to both.
    ("cards_swapped", "seat"): "public",
    ("cards_swapped", "target"): "public",
    ("cards_swapped", "given"): both_seats,
    ("cards_swapped", "got"): both_seats,
    ("card_taken", "seat"): "public",
    ("card_taken", "target"): "public",
    ("card_taken", "card"): both_seats,
    # What Cheeky and Optimistic show is known to who plays them.
    ("hand_shown", "seat"): "public",
    ("hand_shown", "target"): "public",
    ("hand_shown", "cards"): its_seat,
    ("cards_seen", "seat"): "public",
    ("cards_seen", "cards"): its_seat,
    ("card_kept", "seat"): "public",
    ("card_kept", "card"): its_seat,
    ("cards_put_back", "seat"): "public",
    # Turns are public.
    ("turn_lost", "seat"): "public",
    ("turn_passed", "seat"): "public",
    ("turn_passed", "skipped"): "public",
    # Moves.
    ("play", "card"): "public",
    ("play", "target"): "public",
    ("play", "as_"): "public",
    ("play", "ask"): "public",
    ("pair", "cards"): "public",
    ("pair", "take"): "public",
    ("rainbow", "cards"): "public",
    ("rainbow", "target"): "public",
    ("answer", "card"): "public",
    ("take", "card"): "face_down",
    ("keep", "card"): "face_down",
}

STATE: dict[tuple[str, str], str | Callable[[Any, Any], Any]] = {
    ("state", "turn"): "public",
    ("state", "turns"): "public",
    ("state", "hands"): lambda state, _state: tuple(frozenset({seat}) for seat in range(len(state.hands))),
    ("state", "happiness"): "public",
    # The cards that Optimistic shows lie on top, for the active seat alone; once put back they are nobody's.
    ("state", "hidden_pile"): lambda state, _state: (NOBODY, *on_top(state)),
    ("state", "show_pile"): "public",
    ("state", "skips"): "public",
    ("state", "shocked"): "public",
    ("state", "pending"): "parts",
    ("state", "tickled_pink"): "public",
    ("answer_window", "target"): "public",
    ("answer_window", "card"): "public",
    ("answer_window", "as_"): "public",
    ("answer_window", "ask"): "public",
    ("hand_seen", "target"): "public",
    ("hand_seen", "cards"): lambda _seen, state: frozenset({state.turn}),
    ("top_seen", "count"): "public",
}


def on_top(state: State) -> list[frozenset[int]]:
    seen = state.pending.count if isinstance(state.pending, TopSeen) else 0
    return [frozenset({state.turn}) if place < seen else NOBODY for place in range(len(state.hidden_pile.top))]


REVEALS: frozenset[tuple[str, str | None]] = frozenset({("question_answered", "has"), ("tickled_pink_shown", None)})
"""What by the rules tells everybody what was hidden before: the answer to Curious, and that Tickled Pink is shown."""

RARE: dict[int, tuple[State, ...]] = {
    2: (
        composed([f"curious annoyed {PLAIN}", f"smug {OTHER}"], [1, 1]),
        composed([f"annoyed frustrated {PLAIN}", f"smug {OTHER}"], [4, 2]),
        composed([f"magical annoyed {PLAIN}", f"smug {OTHER}"], [5, 1]),
    )
}
"""Positions in which the active seat has eight cards (BH-27), so that it draws nothing after its play."""

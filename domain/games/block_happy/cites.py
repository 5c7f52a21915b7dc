"""The numbers of the rules that bind a move, and of those that an event follows."""

from __future__ import annotations

from domain.games.block_happy import events, moves
from domain.games.block_happy.events import CardPlayed, Event
from domain.games.block_happy.moves import Move, Play

CITED: dict[type, tuple[str, ...]] = {
    moves.Play: ("BH-3", "BH-4", "BH-5"),
    moves.Pair: ("BH-3", "BH-5", "BH-25"),
    moves.Rainbow: ("BH-3", "BH-5", "BH-26"),
    moves.Answer: ("BH-11", "BH-12", "BH-14"),
    moves.Decline: ("BH-14",),
    moves.Take: ("BH-18",),
    moves.Keep: ("BH-19",),
    events.CardPlayed: ("BH-3", "BH-5"),
    events.PairPlayed: ("BH-3", "BH-5", "BH-25"),
    events.RainbowPlayed: ("BH-3", "BH-5", "BH-26"),
    events.Answered: ("BH-11", "BH-14"),
    events.Declined: ("BH-14",),
    events.HappinessTaken: ("BH-8", "BH-10"),
    events.HappinessBuried: ("BH-8", "BH-22"),
    events.HappyDrawn: ("BH-6", "BH-8"),
    events.HappyLaidOut: ("BH-8", "BH-19"),
    events.TickledPinkShown: ("BH-9",),
    events.CardDrawn: ("BH-6",),
    events.ShowPileShuffled: ("BH-7",),
    events.CardRetrieved: ("BH-25",),
    events.CardsSwapped: ("BH-17",),
    events.HandShown: ("BH-18",),
    events.CardTaken: ("BH-18",),
    events.QuestionAnswered: ("BH-20",),
    events.CardsSeen: ("BH-19",),
    events.CardKept: ("BH-19",),
    events.CardsPutBack: ("BH-9", "BH-19"),
    events.TurnLost: ("BH-16",),
    events.TurnPassed: ("BH-3",),
}

EMOTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("frustrated", "annoyed", "outraged"), ("BH-10", "BH-15")),
    **dict.fromkeys(("funny", "surprised", "scared", "angry", "sad"), ("BH-24",)),
    **dict.fromkeys(("glum", "shocked"), ("BH-10", "BH-22")),
    **dict.fromkeys(("magical", "jealous"), ("BH-10", "BH-21")),
    "bored": ("BH-16",),
    "flirty": ("BH-17",),
    "cheeky": ("BH-18",),
    "optimistic": ("BH-19",),
    "curious": ("BH-20",),
    "creative": ("BH-23",),
    "overjoyed": ("BH-13",),
}
"""The numbers of the rules of each card's effect."""


def cites(said: Move | Event) -> tuple[str, ...]:
    felt: tuple[str, ...] = ()
    if isinstance(said, (Play, CardPlayed)):
        felt = EMOTIONS.get(said.card, ()) + EMOTIONS.get(said.as_ or "", ())
    elif isinstance(said, (moves.Answer, events.Answered)):
        felt = EMOTIONS.get(said.card, ())
    return CITED[type(said)] + felt

"""Every event as a sentence."""

from __future__ import annotations

import pytest

from domain.games.block_happy import GAME
from domain.games.block_happy import events as e
from domain.hidden import NOBODY, redact
from tests.support.block_happy.tables import known

NAMES = ("Red", "Blue", "Green")

SENTENCES = [
    (e.CardPlayed(0, "annoyed", 1), "Red plays Annoyed on Blue."),
    (e.CardPlayed(0, "sad"), "Red plays Sad."),
    (e.CardPlayed(0, "curious", 1, ask="overjoyed"), "Red plays Curious on Blue and asks for Overjoyed."),
    (e.CardPlayed(0, "creative", 1, "annoyed"), "Red plays Creative as Annoyed on Blue."),
    (e.PairPlayed(0, ("sad", "creative")), "Red plays a pair: Sad and Creative."),
    (
        e.RainbowPlayed(0, ("funny", "surprised", "scared", "angry", "sad"), 1),
        "Red plays the rainbow on Blue: Funny, Surprised, Scared, Angry and Sad.",
    ),
    (
        e.RainbowPlayed(0, ("funny", "surprised", "scared", "angry", "sad"), None),
        "Red plays the rainbow: Funny, Surprised, Scared, Angry and Sad.",
    ),
    (e.Answered(1, "smug"), "Blue answers with Smug."),
    (e.Answered(1, "creative"), "Blue answers with Creative as Smug."),
    (e.Answered(1, "overjoyed"), "Blue turns the attack round with Overjoyed."),
    (e.Declined(1), "Blue does not answer."),
    (e.HappinessTaken(0, 1, 2), "Red takes 2 happiness from Blue."),
    (e.HappinessTaken(0, 1, 0), "Red takes no happiness from Blue."),
    (e.HappinessBuried(1, 1, "glum"), "Glum puts 1 happiness of Blue into the hidden pile, which is shuffled."),
    (e.HappyDrawn(0), "Red draws Happy and lays it out."),
    (e.HappyLaidOut(0), "Red sees Happy and lays it out."),
    (e.TickledPinkShown(0), "Red has six happiness and shows Tickled Pink."),
    (e.ShowPileShuffled(), "The show pile is shuffled into the hidden pile."),
    (e.CardRetrieved(0, "glum", 2), "Red takes Glum from the show pile."),
    (e.QuestionAnswered(0, 1, "glum", True), "Blue has Glum and gives it to Red."),
    (e.QuestionAnswered(0, 1, "glum", False), "Blue does not have Glum."),
    (e.CardsPutBack(0), "Red puts the cards seen back on top."),
    (e.TurnLost(1), "Blue is bored and will miss a turn."),
    (e.TurnPassed(1), "It is the turn of Blue."),
    (e.TurnPassed(0, (1, 2)), "Blue misses a turn. Green misses a turn. It is the turn of Red."),
]

HIDDEN_SENTENCES = [
    (e.CardDrawn(0, known("glum", 0)), "Red draws Glum.", "Red draws a card."),
    (
        e.CardsSwapped(0, 1, known("sad", 0, 1), None),
        "Red gives Sad to Blue and gets nothing.",
        "Red gives a card to Blue and gets nothing.",
    ),
    (
        e.HandShown(0, 1, known(("sad", "smug"), 0)),
        "Red sees the hand of Blue: Sad and Smug.",
        "Red sees the hand of Blue.",
    ),
    (
        e.CardTaken(0, 1, known("smug", 0, 1)),
        "Red takes Smug from the hand of Blue.",
        "Red takes a card from the hand of Blue.",
    ),
    (
        e.CardsSeen(0, (known("sad", 0),)),
        "Red sees the top card of the hidden pile: Sad.",
        "Red sees the top card of the hidden pile.",
    ),
    (e.CardKept(0, known("sad", 0)), "Red keeps Sad of the cards seen.", "Red keeps a card of the cards seen."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_what_is_public_reads_the_same_for_all(event: e.Event, sentence: str) -> None:
    assert GAME.sentence(event, NAMES) == sentence
    assert GAME.sentence(redact(event, NOBODY), NAMES) == sentence


@pytest.mark.parametrize(("event", "seen", "unseen"), HIDDEN_SENTENCES)
def test_a_card_is_named_only_to_who_knows_it(event: e.Event, seen: str, unseen: str) -> None:
    assert GAME.sentence(redact(event, frozenset({0})), NAMES) == seen
    assert GAME.sentence(redact(event, NOBODY), NAMES) == unseen


def test_every_event_has_a_sentence_here() -> None:
    told = {type(event) for event, _ in SENTENCES} | {type(event) for event, _, _ in HIDDEN_SENTENCES}
    assert told == set(GAME.events.values())

"""Every event can be told in English to everybody, and the telling names nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from domain import wire
from domain.game import AnyGame
from domain.hidden import Sees
from tests.support.played_games import each_table, matches, viewers
from tests.support.playing import Playing

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
CODE = re.compile(r"Hidden|Secret|frozenset|None(?! of)|[{}_]|\(value")
"""What shows that a value got into a sentence as Python writes it."""


def told(playing: Playing, sees: Sees) -> Iterator[tuple[Any, str]]:
    """The game's events as a viewer gets them, with their sentences."""
    game = playing.game
    for entry in playing.entries:
        with playing.telling(entry.version):
            for event in wire.decode(game, entry, sees).events:
                if type(event) in game.names:
                    yield event, game.sentence(event, NAMES[: playing.setup.seats])


@each_table
def test_every_event_is_one_readable_sentence_for_everybody(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for sees in viewers(seats):
            for event, sentence in told(playing, sees):
                assert sentence == sentence.strip(), sentence
                assert sentence[0].isupper() or sentence[0].isdigit(), sentence
                assert sentence[-1] in ".!?", sentence
                assert not CODE.search(sentence), f"{event} is told as {sentence!r}"

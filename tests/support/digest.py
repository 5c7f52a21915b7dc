"""A digest of everything that anybody gets to see of some matches, one line a game: ``python -m tests.properties.digest``.

Run under two hash seeds it tells whether the order of a set or of a dictionary gets into what is stored or shown.
"""

from __future__ import annotations

import hashlib
import json
import sys

from domain import wire
from domain.game import AnyGame
from domain.hidden import redact
from tests.support.options import option_sets
from tests.support.played_games import GAMES, viewers
from tests.support.playing import Playing, Setup, choosers, played

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
VERSIONS = 50


def digest(game: AnyGame) -> str:
    hasher = hashlib.sha256()
    for seats in game.seats:
        for number, choose in enumerate(choosers(game)[:2]):
            options = option_sets(game, seats)[-number]
            for text in shown(played(Setup(game, seats, options, seed=number), choose, VERSIONS)):
                hasher.update(text)
    return hasher.hexdigest()


def shown(playing: Playing) -> list[bytes]:
    """Stored bytes, and for each viewer views, moves and sentences."""
    game, found = playing.game, []
    for entry, match in zip(playing.entries, playing.matches, strict=True):
        found += [entry.public, entry.secrets, entry.hash]
        for sees in viewers(playing.setup.seats) if match.node is not None else ():
            state = redact(match.state, sees)
            found.append(json.dumps(game.view(state)).encode())
            for seat in sorted(match.to_move):
                alone = redact(match.state, frozenset({seat}))
                found.append(json.dumps([game.plain_move(move) for move in game.legal(alone, seat)]).encode())
            events = [event for event in wire.decode(game, entry, sees).events if type(event) in game.names]
            found += [game.sentence(event, NAMES).encode() for event in events]
            found += [json.dumps(game.plain_event(event)).encode() for event in events]
    return found


if __name__ == "__main__":
    for name, game in GAMES.items():
        sys.stdout.write(f"{name} {digest(game)}\n")

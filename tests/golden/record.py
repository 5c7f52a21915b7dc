"""Records the ways of ending that have no record yet: ``python -m tests.golden.record [game [way]]``.

A record that exists is never touched. One that a deliberate change of the rules made wrong keeps its rules version and is
read for ever; the new rules get a way, and a record, of another name.
"""

from __future__ import annotations

import sys

from domain.game import AnyGame
from tests.golden.records import Record, path_of, telling, write
from tests.golden.ways import Way, ways
from tests.support.played_games import GAMES
from tests.support.playing import Playing


def record(game: AnyGame, way: Way) -> Record:
    """The match that is played this way."""
    playing = Playing(way.setup)
    way.play(playing)
    assert playing.match.ended, "a golden match goes to its end"
    seen = telling(game, playing.match_id, playing.entries)
    return Record(game.id, game.version, playing.match_id, playing.seed, tuple(playing.entries), seen)


def main(only_game: str | None = None, only_way: str | None = None) -> None:
    for game in GAMES.values() if only_game is None else [GAMES[only_game]]:
        for name, way in ways(game).items():
            path = path_of(game.id, name)
            if only_way in (None, name) and (only_way is not None or not path.exists()):
                write(path, record(game, way))
                sys.stdout.write(f"recorded {game.id}, {name}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

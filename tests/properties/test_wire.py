"""What is stored comes back as it was, and what was decided once is decided again."""

from __future__ import annotations

import json
from typing import Any

from domain import hashchain, validation, wire
from domain.commands import Move, Open
from domain.decide import decide, decide_open
from domain.evolve import fold
from domain.game import AnyGame
from domain.hidden import ALL, Hidden, redact
from domain.match import Act
from tests.support.played_games import each_table, matches, viewers
from tests.support.playing import Playing, played


@each_table
def test_commands_events_and_states_survive_the_wire(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        previous = hashchain.GENESIS
        for entry, commit in zip(playing.entries, playing.commits, strict=True):
            with playing.telling(commit.version):
                again = wire.encode(game, playing.match_id, commit, playing.seed, previous)
                assert again == entry, "what was read is written otherwise"
                assert wire.decode(game, again) == commit
                assert hashchain.link(playing.match_id, entry.version, previous, entry.public) == entry.hash
                assert wire.game_of(playing.entries[0]) == (game.id, game.version)
                previous = entry.hash


@each_table
def test_a_state_survives_the_wire_at_every_version(game: AnyGame, seats: int) -> None:
    """As the position that a match starts from."""
    for playing in matches(game, seats):
        first = playing.commits[0]
        for match in playing.matches[seats - 1 :: 3]:
            with playing.telling(match.version):
                opened = replaced(first.events[0], position=match.state)
                commit = replaced(first, events=(opened, *first.events[1:]))
                entry = wire.encode(game, playing.match_id, commit, playing.seed, hashchain.GENESIS)
                assert wire.decode(game, entry).events[0].position == match.state
                for sees in viewers(seats):
                    seen = wire.decode(game, wire.redacted(entry, sees)).events[0].position
                    assert seen == redact(match.state, sees)


def replaced(value: Any, **changes: Any) -> Any:
    return type(value)(**{name: changes.get(name, getattr(value, name)) for name in value.__dataclass_fields__})


@each_table
def test_every_secret_opens_its_commitment(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for entry in playing.entries:
            with playing.telling(entry.version):
                made, values = wire.commitments(entry.public), wire.secret_values(entry.secrets)
                assert len(made) == len(values)
                for index, ((_seats, commitment), value) in enumerate(zip(made, values, strict=True)):
                    assert value is not None
                    salt = hashchain.salt(playing.seed, entry.version, index)
                    opened = hashchain.commitment(salt, playing.match_id, entry.version, index, value)
                    assert opened == commitment


@each_table
def test_a_position_is_read_back_through_json(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is not None:
                with playing.telling(match.version):
                    position = game.view(redact(match.state, ALL))
                    text = json.dumps(position, allow_nan=False)
                    assert json.loads(text) == position, "the view is more than JSON"
                    assert game.parse(json.loads(text), seats, playing.setup.options) == match.state


@each_table
def test_the_same_setup_gives_the_same_bytes(game: AnyGame, seats: int) -> None:
    first = matches(game, seats)[0]
    again = played(first.setup, limit=first.match.version)
    assert again.entries == first.entries


@each_table
def test_deciding_the_stored_commands_again_gives_the_stored_events(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for i in range(len(playing.commits)):
            with playing.telling(i + 1):
                assert redecided(playing, i) == playing.entries[i]


def redecided(playing: Playing, i: int) -> Any:
    """The entry that deciding the stored command number i once more, with the seed's own dice, comes to."""
    commit, game = playing.commits[i], playing.game
    before = fold(playing.match_id, game, playing.commits[:i]) if i < 3 else playing.matches[i - 1]
    dice: Any = playing.dice_at(commit.command, commit.version, before)
    act = Act(commit.player, commit.at, dice)
    if before is None:
        assert isinstance(commit.command, Open)
        opened = commit.events[0]
        decision = decide_open(game, commit.command, act, opened.seed_commitment, opened.position, opened.protocol)
    else:
        decision = decide(before, commit.command, act)
    assert isinstance(decision, tuple), decision
    again = replaced(commit, events=decision, draws=dice.draws)
    previous = playing.entries[i - 1].hash if i else hashchain.GENESIS
    return wire.encode(game, playing.match_id, again, playing.seed, previous)


@each_table
def test_face_down_fields_of_a_move_are_secrets_of_who_moves(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for entry, commit in zip(playing.entries, playing.commits, strict=True):
            if not isinstance(commit.command, Move):
                continue
            with playing.telling(commit.version):
                move: Any = commit.command.move
                cls: Any = type(move)
                outside = wire.decode(game, entry, frozenset()).command.move
                assert wire.decode(game, entry, frozenset({commit.command.seat})).command == commit.command
                for name in validation.names(cls):
                    hidden = name in wire.face_down(cls)
                    value = Hidden(frozenset({commit.command.seat})) if hidden else getattr(move, name)
                    assert getattr(outside, name) == value, name

"""Old records are read for ever, and their commands still decide their events."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from domain import hashchain, wire
from domain.chance import SeededDice, seed_commitment
from domain.commit import Commit
from domain.decide import decide, decide_open, entropy_with
from domain.game import AnyGame
from domain.hidden import ALL
from domain.match import Act, Match
from tests.golden.record import record
from tests.golden.records import FOLDER, Record, folded, read, telling, write
from tests.golden.ways import ways
from tests.support.played_games import GAMES, each_game

PATHS = sorted(FOLDER.glob("*/*.json"))

each_record = pytest.mark.parametrize("path", PATHS, ids=[f"{path.parent.name}-{path.stem}" for path in PATHS])


def of_game(path: Path) -> tuple[AnyGame, Record]:
    """The rules that a record is read by, those that it was made by if they are still here, and the record."""
    old = read(path)
    return GAMES[path.parent.name].reader(old.rules), old


@each_record
def test_folding_an_old_record_gives_what_everybody_saw(path: Path) -> None:
    game, old = of_game(path)
    assert telling(game, old.match_id, old.entries) == old.seen


@each_record
def test_the_chain_and_the_commitments_of_an_old_record_hold(path: Path) -> None:
    game, old = of_game(path)
    previous = hashchain.GENESIS
    for entry in old.entries:
        assert hashchain.link(old.match_id, entry.version, previous, entry.public) == entry.hash
        previous = entry.hash
        made, values = wire.commitments(entry.public), wire.secret_values(entry.secrets)
        for index, ((_seats, commitment), value) in enumerate(zip(made, values, strict=True)):
            salt = hashchain.salt(old.seed, entry.version, index)
            assert hashchain.commitment(salt, old.match_id, entry.version, index, value or b"") == commitment
    opened = wire.decode(game, old.entries[0]).events[0]
    assert opened.seed_commitment == seed_commitment(old.seed).hex()


@each_record
def test_deciding_the_old_commands_gives_the_old_events(path: Path) -> None:
    """Under the same rules only: a record of older rules is read, and not decided again."""
    game, old = of_game(path)
    before: Match | None = None
    for (match, _events), entry in zip(folded(game, old.match_id, old.entries, ALL), old.entries, strict=True):
        if old.rules == game.version:
            commit = wire.decode(game, entry)
            again = redecided(game, old, before, commit)
            assert again == (commit.events, commit.draws), f"version {entry.version}"
        before = match


def redecided(game: AnyGame, old: Record, before: Match | None, commit: Commit) -> tuple[Any, int]:
    """The events, as they come back from their bytes, and the number of draws."""
    command = commit.command
    entropy = (command.entropy,) if before is None else entropy_with(before, command)
    dice = SeededDice(old.seed, old.match_id, commit.version, commit.command_id, entropy)
    act = Act(commit.player, commit.at, dice)
    if before is None:
        opened = commit.events[0]
        decision = decide_open(game, command, act, opened.seed_commitment, opened.position, opened.protocol)
    else:
        decision = decide(before, command, act)
    assert isinstance(decision, tuple), decision
    sealed = wire.encode(game, old.match_id, dataclasses.replace(commit, events=decision), old.seed, hashchain.GENESIS)
    return wire.decode(game, sealed).events, dice.draws


@each_game
def test_every_way_of_ending_has_its_record(game: AnyGame) -> None:
    recorded = {path.stem for path in PATHS if path.parent.name == game.id}
    assert game.newest is not game or recorded >= set(ways(game)), (
        "python -m tests.golden.record makes the missing ones"
    )
    assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in recorded)


@each_game
def test_the_records_end_in_every_way_that_they_say(game: AnyGame) -> None:
    outcomes = {path.stem: read(path).seen["outcome"] for path in PATHS if path.parent.name == game.id}
    assert {read(path).seen["status"] for path in PATHS if path.parent.name == game.id} == {"finished"}
    assert outcomes["resigned"][2] == "resigned"
    assert outcomes["usual"][2] != "resigned"
    for name, (winners, _scores, _reason, _rule) in outcomes.items():
        assert len(winners) > 1 or not name.startswith("shared")


def test_a_record_is_never_written_again(tmp_path: Path) -> None:
    game = GAMES["highest_card"]
    path = tmp_path / "usual.json"
    made = record(game, ways(game)["usual"])
    write(path, made)
    assert read(path) == made
    with pytest.raises(FileExistsError):
        write(path, made)

"""What can be done to a record, and what is then found. The records are those of matches of two."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import msgpack

from domain import hashchain, wire
from replay.record import Plain
from tests.support.playing import Playing
from tests.support.records import FORGER, plain_record

START = 2
"""The version at which a match of two starts, with everybody's secrets."""

CHANGES: dict[str, tuple[Callable[[Plain], Any], list[Any]]] = {
    "another match": (lambda made: made.update(match_id="00other"), [1, "altered"]),
    "other rules": (lambda made: made.update(rules=2), [1, "altered"]),
    "another sight": (lambda made: made.update(sees="0"), [None, "altered"]),
    "more versions": (lambda made: made.update(version=made["version"] + 1), ["behind", "truncated"]),
    "another head": (lambda made: made.update(head="00" * 32), ["last", "altered"]),
    "another seed": (lambda made: made.update(seed="00" * 32), [1, "wrong_seed"]),
    "another key id": (lambda made: made.update(key="00" * 8), [None, "wrong_signature"]),
    "another key": (lambda made: made.update(public_key=FORGER.public.hex()), [None, "wrong_signature"]),
    "another signature": (lambda made: made.update(signature="00" * 64), [None, "wrong_signature"]),
    "a secret less": (lambda made: made["entries"][START - 1]["secrets"].pop(), [START, "secret_altered"]),
    "a secret left out": (
        lambda made: made["entries"][START - 1]["secrets"].__setitem__(0, None),
        [START, "secret_altered"],
    ),
    "another salt": (
        lambda made: made["entries"][START - 1]["secrets"][0].__setitem__(0, "00" * 16),
        [START, "secret_altered"],
    ),
    "another card": (
        lambda made: made["entries"][START - 1]["secrets"][0].__setitem__(1, "a131"),
        [START, "secret_altered"],
    ),
}


def later(line: Plain) -> Plain:
    """The same commit a second later."""
    public = msgpack.unpackb(bytes.fromhex(line["public"]), strict_map_key=False)
    public[1] += 1000
    return line | {"public": msgpack.packb(public).hex()}


def resealed(playing: Playing, version: int, change: Callable[[Any], Any]) -> Plain:
    """The record of a house that changes a commit, with everything that follows from it, and signs."""
    game, previous, entries = playing.game, hashchain.GENESIS, []
    for commit in playing.commits:
        made = change(commit) if commit.version == version else commit
        entries.append(wire.encode(game, playing.match_id, made, playing.seed, previous))
        previous = entries[-1].hash
    other = copy.copy(playing)
    other.entries = entries
    return plain_record(other)


def other_chance(playing: Playing) -> Plain:
    """The deal under another command id."""
    return resealed(playing, START, lambda commit: dataclasses.replace(commit, command_id="another"))


def other_player(playing: Playing) -> Plain:
    """The first move by somebody who does not sit there."""
    return resealed(playing, START + 1, lambda commit: dataclasses.replace(commit, player="player-9"))

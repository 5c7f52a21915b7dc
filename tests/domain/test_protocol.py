"""The protocol of a match: named by its first commit, and kept for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgpack
import pytest

from domain import wire
from domain.commands import Clock, Open
from domain.commit import Commit
from domain.decide import decide_open
from domain.events import Joined, Opened
from domain.evolve import begin
from domain.hashchain import GENESIS
from domain.match import Act
from domain.protocol import PROTOCOL, NewerProtocolError
from domain.store import Entry
from replay.verify import Judge
from tests.support import toy
from tests.support.dice import RandomDice

MATCH_ID = "00abc"
SEED = bytes(32)


def first(command: Open, protocol: int = PROTOCOL) -> Commit:
    events = decide_open(toy.GAME, command, Act("ada", 1_000, RandomDice()), "00", protocol=protocol)
    assert isinstance(events, tuple)
    return Commit(1, 1_000, "ada", "t0", "c1", command, events, 0, b"")


def stored(commit: Commit) -> Entry:
    return wire.encode(toy.GAME, MATCH_ID, commit, SEED, GENESIS)


def with_fields_of_opened(entry: Entry, change: Any) -> Entry:
    public = msgpack.unpackb(entry.public, use_list=True)
    change(public[6][0])
    return replace(entry, public=msgpack.packb(public))


def test_a_first_commit_without_a_protocol_has_the_first() -> None:
    def without(opened: dict[str, Any]) -> None:
        del opened["protocol"], opened["rated"]

    match = begin(
        MATCH_ID,
        toy.GAME,
        wire.decode(toy.GAME, with_fields_of_opened(stored(first(Open("highest_card", 2, {}))), without)),
    )
    assert match.table.protocol == 1
    assert match.table.rated


@pytest.mark.parametrize("protocol", range(1, PROTOCOL + 1))
def test_a_match_is_decided_again_by_the_protocol_that_it_was_opened_by(protocol: int) -> None:
    commit = wire.decode(toy.GAME, stored(first(Open("highest_card", 2, {}), protocol)))
    judge = Judge(MATCH_ID, toy.GAME, SEED)
    assert judge.judge(commit) is None
    assert judge.match is not None
    assert judge.match.table.protocol == protocol


def test_somebody_who_claims_another_rating_than_the_conditions_give_is_found_out() -> None:
    commit = first(Open("highest_card", 2, {}, private=True))
    opened, joined = commit.events
    assert isinstance(opened, Opened)
    assert isinstance(joined, Joined)
    assert opened.rated is False
    fault = Judge(MATCH_ID, toy.GAME, SEED).judge(replace(commit, events=(replace(opened, rated=True), joined)))
    assert fault is not None
    assert fault.kind == "illegal"


DAILY = Clock(turn=24 * 60 * 60)


@pytest.mark.parametrize(
    ("command", "rated"),
    [
        (Open("highest_card", 2, {}, clock=DAILY), True),
        (Open("highest_card", 2, {}, undo="off", clock=DAILY), True),
        (Open("highest_card", 2, {}, undo="host", clock=DAILY), False),
        (Open("highest_card", 2, {}, private=True, clock=DAILY), False),
        (Open("highest_card", 2, {"hand": 3}, clock=DAILY), False),
        (Open("highest_card", 2, {}), False),
    ],
)
def test_only_a_public_match_under_the_usual_conditions_is_rated(command: Open, rated: bool) -> None:
    assert begin(MATCH_ID, toy.GAME, first(command)).rated is rated


def test_odd_options_were_rated_by_the_first_protocol_and_are_for_ever() -> None:
    assert begin(MATCH_ID, toy.GAME, first(Open("highest_card", 2, {"hand": 3}), protocol=1)).rated


def test_a_newer_protocol_is_not_mistaken_for_damage() -> None:
    entry = with_fields_of_opened(stored(first(Open("highest_card", 2, {}))), lambda opened: opened.update(protocol=99))
    with pytest.raises(NewerProtocolError):
        wire.game_of(entry)


@pytest.mark.parametrize("protocol", [0, -1, "2", True, None, 1.0])
def test_what_is_no_protocol_is_damage(protocol: object) -> None:
    entry = with_fields_of_opened(
        stored(first(Open("highest_card", 2, {}))), lambda opened: opened.update(protocol=protocol)
    )
    with pytest.raises(wire.UnreadableError):
        wire.game_of(entry)

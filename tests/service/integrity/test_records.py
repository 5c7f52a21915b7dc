"""A record is verified without a server, and whatever was changed in it is found."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgpack
import pytest

from domain import wire
from domain.commit import Commit
from domain.game import AnyGame
from domain.hidden import NOBODY
from replay.record import Plain, RecordFormatError, canonical, read, written
from service.integrity.records import (
    OtherKeyError,
    OtherMatchError,
    Receipt,
    UnknownGameError,
    Verification,
    verify_signed_record,
)
from tests.support.dice import RandomDice
from tests.support.forged_records import CHANGES, later, resealed
from tests.support.played_games import GAMES, SOAK, each_game
from tests.support.playing import Playing
from tests.support.records import (
    FORGER,
    HOUSE,
    KEYS,
    changed,
    ended,
    plain_record,
    receipt,
    rechained,
    record_bytes,
    short,
    signed,
)


@cache
def whole(game: AnyGame) -> Playing:
    return ended(game)


@cache
def small(game: AnyGame) -> Playing:
    return short(game)


def judged(plain: Plain, *receipts: Receipt) -> Verification:
    return verify_signed_record(read(canonical(plain)), GAMES, receipts=receipts, keys=KEYS)


def violated(plain: Plain, *receipts: Receipt) -> tuple[int | None, str]:
    fault = judged(plain, *receipts).fault
    assert fault is not None, "nothing was found"
    return fault.version, fault.kind


# -- what holds -------------------------------------------------------------------------------------------------------


@each_game
def test_a_finished_match_holds_down_to_every_draw_and_decision(game: AnyGame) -> None:
    for playing in (whole(game), small(game)):
        receipts = [receipt(playing, version) for version in range(1, len(playing.entries) + 1)]
        assert judged(plain_record(playing), *receipts) == Verification(None, complete=True, decided_again=True)


@each_game
def test_a_running_match_holds_as_far_as_each_reader_can_tell(game: AnyGame) -> None:
    entries = small(game).entries[:-1]
    running = copy.copy(small(game))
    running.entries, running.matches = entries, running.matches[: len(entries)]
    for sees in (NOBODY, frozenset({0}), frozenset({1})):
        plain = plain_record(running, sees)
        assert plain["seed"] is None
        assert judged(plain) == Verification(None, complete=False, decided_again=False)
        for line, entry in zip(plain["entries"], entries, strict=True):
            told = [secret is not None for secret in line["secrets"]]
            assert told == [not seats.isdisjoint(sees) for seats, _commitment in wire.commitments(entry.public)]


@each_game
def test_both_forms_are_the_same_record(game: AnyGame) -> None:
    plain = plain_record(small(game))
    assert read(written(plain, "json")) == read(written(plain, "msgpack"), "msgpack")


@each_game
def test_the_entries_come_back_as_they_were_stored(game: AnyGame) -> None:
    assert list(read(record_bytes(small(game))).entries) == small(game).entries


def test_a_match_of_older_rules_is_not_decided_again() -> None:
    game = GAMES["highest_card"]
    newer = dataclasses.replace(game, version=game.version + 1)
    verdict = verify_signed_record(read(record_bytes(small(game))), {game.id: newer}, keys=KEYS)
    assert verdict == Verification(None, complete=True, decided_again=False)


def test_a_game_that_is_not_known_cannot_be_verified() -> None:
    with pytest.raises(UnknownGameError):
        verify_signed_record(read(record_bytes(small(GAMES["highest_card"]))), {})


# -- what does not read -----------------------------------------------------------------------------------------------

TOY = GAMES["highest_card"]

UNCLEAN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda raw: b"",
    "half of it": lambda raw: raw[: len(raw) // 2],
    "a space": lambda raw: raw.replace(b",", b", ", 1),
    "a line end": lambda raw: raw + b"\n",
    "upper-case digits": lambda raw: raw.replace(b'"hash":"', b'"hash":"A', 1)[:-1] + b"}",
    "a field more": lambda raw: raw[:-1] + b',"more":1}',
    "a field twice": lambda raw: raw[:-1] + b',"version":1}',
    "a number as text": lambda raw: raw.replace(b'"rules":1', b'"rules":"1"'),
    "a truth as number": lambda raw: raw.replace(b'"rules":1', b'"rules":true'),
    "a fraction": lambda raw: raw.replace(b'"rules":1', b'"rules":1.0'),
    "half of a pair": lambda raw: raw.replace(b'"sees":"all"', b'"sees":"\\ud800"'),
    "another format": lambda raw: raw.replace(b"foldtable record 1", b"foldtable record 2"),
    "a list": lambda raw: b"[" + raw + b"]",
    "brackets": lambda raw: b"[" * 100_000,
    "no UTF-8": lambda raw: raw.replace(b"all", b"\xff\xff\xff"),
}


@pytest.mark.parametrize("name", UNCLEAN)
def test_what_is_written_in_another_way_is_not_a_record(name: str) -> None:
    raw = record_bytes(small(TOY))
    assert UNCLEAN[name](raw) != raw
    with pytest.raises(RecordFormatError):
        read(UNCLEAN[name](raw))


@pytest.mark.parametrize("raw", [b"\xc1", b"\x80", msgpack.packb([1]), msgpack.packb({"format": "x"})])
def test_msgpack_that_is_no_record(raw: bytes) -> None:
    with pytest.raises(RecordFormatError):
        read(raw, "msgpack")


# -- what was changed -------------------------------------------------------------------------------------------------


@each_game
def test_a_dropped_swapped_or_doubled_entry_is_named(game: AnyGame) -> None:
    plain = plain_record(small(game))
    last = len(plain["entries"])
    lines = plain["entries"]
    for at in range(last - 1):
        one, two = lines[at], lines[at + 1]
        assert violated(plain | {"entries": [*lines[:at], *lines[at + 1 :]]}) == (at + 1, "gap")
        assert violated(plain | {"entries": [*lines[: at + 1], *lines[at:]]}) == (at + 2, "reordered")
        assert violated(plain | {"entries": [*lines[:at], two, one, *lines[at + 2 :]]}) == (at + 1, "reordered")
    assert violated(changed(plain, lambda made: made["entries"].pop())) == (last, "truncated")


@each_game
def test_an_entry_of_another_match_is_named(game: AnyGame) -> None:
    plain, other = plain_record(small(game)), plain_record(short(game, seed=6))
    for at in range(min(len(plain["entries"]), len(other["entries"]))):
        lines = [*plain["entries"][:at], other["entries"][at], *plain["entries"][at + 1 :]]
        assert violated(plain | {"entries": lines}) == (at + 1, "altered")


@each_game
def test_a_chain_recomputed_without_the_key_is_found(game: AnyGame) -> None:
    """The time of a commit changed, and every hash behind it made anew: it all fits, but nobody signed it."""
    playing = small(game)
    plain = plain_record(playing)
    for at in range(2, len(plain["entries"])):
        lines = [*plain["entries"][:at], later(plain["entries"][at]), *plain["entries"][at + 1 :]]
        forged = rechained(plain | {"entries": lines})
        assert violated(forged) == (None, "wrong_signature")
        assert violated(signed(forged, FORGER)) == (None, "wrong_signature")
        assert violated(signed(forged, FORGER), receipt(playing, len(plain["entries"]))) == (
            len(plain["entries"]),
            "forked",
        )


@each_game
def test_a_match_cut_short_is_found_by_its_receipt(game: AnyGame) -> None:
    playing = small(game)
    last = len(playing.entries)
    cut = signed(rechained(changed(plain_record(playing), lambda made: made["entries"].pop())), HOUSE)
    assert violated(cut) == (last, "truncated"), "the seed is told, but the end is missing"
    running = copy.copy(playing)
    running.entries, running.matches = playing.entries[:-1], playing.matches[:-1]
    assert judged(plain_record(running, NOBODY)).fault is None
    assert violated(plain_record(running, NOBODY), receipt(playing, last)) == (last, "truncated")


@each_game
def test_a_finished_match_whose_seed_is_withheld_is_found(game: AnyGame) -> None:
    for playing in (small(game), whole(game)):
        withheld = plain_record(playing, NOBODY) | {"seed": None}
        assert violated(signed(withheld, HOUSE)) == (None, "wrong_seed")


@each_game
def test_a_record_holds_what_the_reader_that_it_names_may_know(game: AnyGame) -> None:
    playing = copy.copy(small(game))
    whole_record = plain_record(playing)
    for name in ("0", "spectator"):
        assert violated(signed(whole_record | {"sees": name}, HOUSE)) == (None, "altered")
    playing.entries, playing.matches = playing.entries[:-1], playing.matches[:-1]
    seat = plain_record(playing, frozenset({0}))
    told = {line["version"] for line in seat["entries"] if any(line["secrets"])}
    for name in ("spectator", "1"):
        if told:
            assert violated(signed(seat | {"sees": name}, HOUSE)) == (min(told), "secret_altered")
    for name in ("banana", "00", "7 ", ""):
        with pytest.raises(RecordFormatError):
            read(canonical(signed(seat | {"sees": name}, HOUSE)))


def test_a_receipt_by_another_key_says_nothing_without_the_keys_of_the_house() -> None:
    playing = small(TOY)
    record = read(canonical(plain_record(playing)))
    other = receipt(playing, 3, FORGER)
    with pytest.raises(OtherKeyError):
        verify_signed_record(record, GAMES, receipts=[other])
    assert verify_signed_record(record, GAMES, receipts=[other], keys=[*KEYS, *FORGER.published]).fault is None


def test_rules_of_the_future_cannot_be_verified() -> None:
    forged = resealed(small(TOY), 1, lambda commit: renumbered(commit, 2))
    with pytest.raises(UnknownGameError):
        judged(forged | {"rules": 2})


def renumbered(commit: Commit, rules: int) -> Commit:
    return dataclasses.replace(commit, events=(dataclasses.replace(commit.events[0], rules=rules), *commit.events[1:]))


@pytest.mark.parametrize("at", [-1, 2**53, 2**60, 1.5, True])
def test_a_time_that_is_none_is_found(at: Any) -> None:
    assert violated(resealed(small(TOY), 3, lambda commit: dataclasses.replace(commit, at=at)))[0] == 3


def test_an_event_of_another_type_is_found_though_it_is_equal() -> None:
    """False is 0, but it is not what the rules give."""
    playing = small(TOY)

    def change(commit: Commit) -> Commit:
        opened, joined = commit.events
        return dataclasses.replace(commit, events=(opened, dataclasses.replace(joined, seat=False)))

    assert violated(resealed(playing, 1, change)) == (1, "illegal")


def test_bytes_that_are_not_as_short_as_can_be_are_found() -> None:
    plain = plain_record(small(TOY))
    line = plain["entries"][2]
    public = bytes.fromhex(line["public"])
    assert public[0] == 0x98
    longer = line | {"public": (b"\xdc\x00\x08" + public[1:]).hex()}
    forged = signed(rechained(plain | {"entries": [*plain["entries"][:2], longer, *plain["entries"][3:]]}), HOUSE)
    assert violated(forged) == (3, "unreadable")


def test_a_receipt_counts_only_with_its_signature_and_for_its_match() -> None:
    playing = small(TOY)
    plain, good = plain_record(playing), receipt(playing, 3)
    assert violated(plain, receipt(playing, 3, FORGER)) == (None, "wrong_signature")
    assert violated(plain, dataclasses.replace(good, version=2)) == (None, "wrong_signature")
    assert violated(plain, dataclasses.replace(good, signature=bytes(64))) == (None, "wrong_signature")
    with pytest.raises(OtherMatchError):
        judged(plain, dataclasses.replace(good, match_id="00other"))


@pytest.mark.parametrize("name", CHANGES)
def test_every_field_of_a_record_counts(name: str) -> None:
    change, (version, kind) = CHANGES[name]
    plain = plain_record(small(TOY))
    last = len(plain["entries"])
    places = {"last": last, "behind": last + 1}
    assert violated(changed(plain, change)) == (places.get(version, version), kind)


@each_game
def test_every_flipped_byte_of_a_record_is_found(game: AnyGame) -> None:
    """A sample of the bits; every bit of every byte when the properties are run at length."""
    raw = record_bytes(small(game))
    dice = RandomDice(3)
    bits = range(8 * len(raw)) if SOAK > 1 else dice.sample(range(8 * len(raw)), 250)
    for bit in bits:
        at = bit // 8
        flipped = raw[:at] + bytes((raw[at] ^ (1 << bit % 8),)) + raw[at + 1 :]
        try:
            found = verify_signed_record(read(flipped), GAMES, keys=KEYS).fault
        except (RecordFormatError, UnknownGameError):
            continue
        assert found is not None, f"byte {at} of {len(raw)}"


# -- what never was played --------------------------------------------------------------------------------------------


@each_game
def test_a_house_that_plays_against_its_own_rules_is_found(game: AnyGame) -> None:
    """Another player makes the move; the house signs all of it."""
    playing = small(game)
    (version, *_rest) = [commit.version for commit in playing.commits if commit.command.__class__.__name__ == "Move"]
    forged = resealed(playing, version, lambda commit: dataclasses.replace(commit, player="player-9"))
    assert violated(forged) == (version, "illegal")


def renamed(commit: Commit, name: str) -> Commit:
    return dataclasses.replace(commit, command_id=name)


@each_game
def test_a_house_that_rolls_its_own_dice_is_found(game: AnyGame) -> None:
    """The same command under another id would have drawn something else (or the same, if there is little to draw)."""
    playing = small(game)
    version = game.seats[0]
    assert playing.commits[version - 1].draws
    names = [f"another {number}" for number in range(8)]
    forged = [resealed(playing, version, partial(renamed, name=name)) for name in names]
    found = [judged(plain).fault for plain in forged]
    assert any(found), "eight draws that all came out as the first"
    assert {(fault.version, fault.kind) for fault in found if fault} == {(version, "wrong_chance")}


@each_game
def test_a_house_that_miscounts_its_dice_is_found(game: AnyGame) -> None:
    playing = small(game)
    version = game.seats[0]
    forged = resealed(playing, version, lambda commit: dataclasses.replace(commit, draws=commit.draws + 1))
    assert violated(forged) == (version, "wrong_chance")


NONSENSE: dict[str, dict[str, Any]] = {
    "a time that is text": {"at": "now"},
    "a player that is a number": {"player": 7},
    "a command id that is none": {"command_id": None},
    "draws that are true": {"draws": True},
}


@pytest.mark.parametrize("name", NONSENSE)
def test_a_house_that_writes_nonsense_is_found(name: str) -> None:
    forged = resealed(small(TOY), 3, lambda commit: dataclasses.replace(commit, **NONSENSE[name]))
    assert violated(forged) in [(3, "illegal"), (3, "unreadable")]

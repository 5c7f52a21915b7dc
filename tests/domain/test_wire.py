"""Stored bytes: redaction, old shapes, corruption, and what the codec refuses to be given."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import msgpack
import pytest

from domain import wire
from domain.commands import Clock, Join, Move, Open, Resign
from domain.commit import Commit
from domain.events import Opened, Resigned, Started
from domain.game import AnyGame
from domain.hashchain import GENESIS
from domain.hidden import ALL, NOBODY, Bag, Hidden, Secret, Veiled
from domain.protocol import NewerProtocolError
from domain.store import Entry
from domain.validation import FACE_DOWN
from domain.wire import UnreadableError
from tests.support import toy
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, played
from tests.support.timed_log import TimedLog

MINE, YOURS = frozenset({0}), frozenset({1})
SEED = bytes(32)


@pytest.fixture(scope="module")
def playing() -> Playing:
    """A whole match of the toy game, with peeking in it."""
    return played(Setup(toy.GAME, 3, toy.Options(), seed=2))


def sealed(game: AnyGame, *events: Any, command: Any = None) -> Entry:
    commit = Commit(5, 1_000, "ada", "t0", "c5", command or Resign(0), events, 0, b"")
    return wire.encode(game, "00abc", commit, SEED, GENESIS)


def rewritten(entry: Entry, change: Callable[[list[Any]], None]) -> Entry:
    """The entry with its public part taken apart, changed and packed again."""
    fields = msgpack.unpackb(entry.public)
    change(fields)
    return dataclasses.replace(entry, public=msgpack.packb(fields))


# -- what is left out -------------------------------------------------------------------------------------------------


def test_the_public_part_holds_no_secret_and_redaction_keeps_it() -> None:
    entry = sealed(toy.GAME, toy.Laid(0, Secret("7", MINE)))
    assert b"\xa17" not in entry.public
    assert b"\xa17" in entry.secrets
    for sees in (YOURS, NOBODY):
        left = wire.redacted(entry, sees)
        assert (left.public, left.hash, left.version) == (entry.public, entry.hash, entry.version)
        assert b"\xa17" not in left.secrets
        assert wire.decode(toy.GAME, left).events == (toy.Laid(0, Hidden(MINE)),)
    assert wire.redacted(entry, MINE) == wire.redacted(entry, ALL) == entry


def test_equal_secrets_have_different_commitments() -> None:
    entry = sealed(toy.GAME, toy.Peeked(0, (Secret("7", MINE), Secret("7", MINE))))
    (first, one), (second, other) = wire.commitments(entry.public)
    assert first == second == MINE
    assert one != other


def test_an_entry_without_secrets_keeps_no_bytes_for_them() -> None:
    entry = sealed(toy.GAME, toy.Shown(("1", "2"), took=1))
    assert entry.secrets == b""
    assert wire.commitments(entry.public) == []
    assert wire.secret_values(b"") == []
    assert wire.redacted(entry, NOBODY) is entry


def test_a_face_down_field_is_for_its_seat_and_hides_its_length() -> None:
    short, long = (sealed(WIDE, Noted(()), command=Move(1, Pick(pairs))) for pairs in (PAIRS[:1], PAIRS))
    assert len(short.public) == len(long.public)
    assert wire.decode(WIDE, long, YOURS).command == Move(1, Pick(PAIRS))
    unseen = wire.decode(WIDE, long, MINE).command
    assert unseen.move.pairs == Hidden(YOURS)
    assert wire.decode(WIDE, wire.redacted(long, MINE)).command == unseen


def test_fields_at_their_defaults_are_not_stored_but_face_down_ones_are() -> None:
    entry = sealed(WIDE, Noted(()), command=Move(1, Pick(())))
    assert msgpack.unpackb(entry.public)[5]["move"].keys() == {"type", "pairs", "maybe"}
    assert wire.decode(WIDE, entry).command == Move(1, Pick((), note="none", maybe=None))
    assert len(wire.commitments(entry.public)) == 2


def test_a_mark_inside_of_a_union_counts() -> None:
    kind: Any = Pick
    assert wire.face_down(kind) == {"pairs", "maybe"}


# -- every kind of value ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    left: str
    right: int


@dataclass(frozen=True, slots=True)
class Spot:
    at: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Hole:
    deep: Spot | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    pairs: Annotated[tuple[Pair, ...], FACE_DOWN]
    note: str = "none"
    maybe: Annotated[str, FACE_DOWN] | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    items: tuple[Secret[Pair] | Hidden | None, ...]
    places: tuple[Spot | Hole | None, ...] = ()
    flags: frozenset[str] = frozenset()
    bag: Bag | None = None
    fixed: tuple[int, Veiled[tuple[int, ...]]] | None = None


PAIRS = (Pair("a", 1), Pair("b", 2))
WIDE: AnyGame = dataclasses.replace(
    toy.GAME,
    id="wide",
    moves={"pick": Pick},
    events={"noted": Noted},
    parts={"spot": Spot, "hole": Hole},
    upcasts={},
)

EVERYTHING = Noted(
    items=(Secret(Pair("a", 1), MINE), None, Secret(Pair("b", 2), YOURS)),
    places=(Spot((Pair("c", 3),)), Hole(), None, Hole(Spot(()))),
    flags=frozenset({"x", "y"}),
    bag=Bag.of("ab").put_on_top(Secret("c", MINE)),
    fixed=(1, Secret((1, 2), YOURS)),
)


def test_every_kind_of_value_comes_back() -> None:
    assert wire.decode(WIDE, sealed(WIDE, EVERYTHING)).events == (EVERYTHING,)


def test_every_kind_of_value_is_left_out_where_it_is_not_seen() -> None:
    (seen,) = wire.decode(WIDE, sealed(WIDE, EVERYTHING), MINE).events
    assert seen == Noted(
        items=(Secret(Pair("a", 1), MINE), None, Hidden(YOURS)),
        places=EVERYTHING.places,
        flags=EVERYTHING.flags,
        bag=Bag(None, 2, NOBODY, (Secret("c", MINE),)),
        fixed=(1, Hidden(YOURS)),
    )


def test_a_union_that_cannot_be_told_apart_is_the_programmers_mistake() -> None:
    @dataclass(frozen=True)
    class Vague:
        what: Bag | tuple[Pair, ...]

    vague = dataclasses.replace(WIDE, id="vague", events={"vague": Vague})
    with pytest.raises(TypeError, match="cannot tell apart"):
        sealed(vague, Noted(()))


def test_an_event_name_of_the_kernel_is_not_for_games() -> None:
    taken = dataclasses.replace(WIDE, id="taken", events={"resigned": Noted})
    with pytest.raises(ValueError, match="event names that the kernel uses"):
        sealed(taken, Noted(()))


# -- old shapes -------------------------------------------------------------------------------------------------------


def test_the_schema_number_is_written_from_the_second_shape_on() -> None:
    public = msgpack.unpackb(sealed(toy.GAME, toy.Shown(("1", "2"), 1), toy.Drawn(0, Secret("3", MINE))).public)
    assert [event.get("schema") for event in public[6]] == [2, None]


def test_an_old_event_is_lifted() -> None:
    entry = sealed(toy.GAME, toy.Shown(("1", "2"), took=1))

    def as_it_was(fields: list[Any]) -> None:
        del fields[6][0]["schema"], fields[6][0]["took"]

    old = rewritten(entry, as_it_was)
    assert len(old.public) < len(entry.public)
    assert wire.decode(toy.GAME, old).events == (toy.Shown(("1", "2"), took=1),)


def test_an_old_state_is_lifted_with_its_secrets() -> None:
    hands = (Bag.of("1", MINE), Bag.of("2", YOURS))
    laid = (Secret("5", MINE), None)
    state = toy.State(hands, Bag.of("34"), toy.Laying(laid), (0, 1), peek=False)

    def as_it_was(fields: list[Any]) -> None:
        state = fields[6][0]["state"]
        del state["schema"], state["peek"], state["won"]
        # The order of fields is the order of their secrets, and stays what it was.
        fields[6][0]["state"] = {
            name if name != "doing" else "laid": item["laid"] if name == "doing" else item
            for name, item in state.items()
        }

    old = rewritten(sealed(toy.GAME, Started(state)), as_it_was)
    assert b"doing" not in old.public
    assert wire.decode(toy.GAME, old).events == (Started(state),)
    seen = wire.decode(toy.GAME, old, YOURS).events[0].state
    assert seen.doing == toy.Laying((Hidden(MINE), None))


def test_shapes_are_lifted_one_by_one() -> None:
    chain: AnyGame = dataclasses.replace(
        WIDE,
        id="chain",
        upcasts={
            ("noted", 1): lambda plain: {"things": plain["old"]},
            ("noted", 2): lambda plain: {"items": plain["things"]},
        },
    )
    entry = sealed(chain, Noted(()))
    assert msgpack.unpackb(entry.public)[6][0]["schema"] == 3
    for event in ({"type": "noted", "old": []}, {"type": "noted", "schema": 2, "things": []}):
        old = rewritten(entry, lambda fields, event=event: fields[6].__setitem__(0, event))  # type: ignore[misc]
        assert wire.decode(chain, old).events == (Noted(()),)


# -- what is not readable ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.__setitem__(0, 2),
        lambda fields: fields.append(1),
        lambda fields: fields.pop(),
        lambda fields: fields[5].pop("type"),
        lambda fields: fields[5].update(type="unheard"),
        lambda fields: fields[6][0].update(type="unheard"),
        lambda fields: fields[6][0].update(extra=1),
        lambda fields: fields[6][0].pop("seat"),
        lambda fields: fields[6].__setitem__(0, [1]),
        lambda fields: fields.__setitem__(6, 5),
        lambda fields: fields[6][0].update(card=msgpack.ExtType(7, b"x")),
        lambda fields: fields[6][0].update(card=msgpack.ExtType(1, b"")),
        lambda fields: fields[6][0].update(more=msgpack.ExtType(1, bytes(33))),
    ],
)
def test_an_unknown_format_name_field_or_type_is_unreadable(change: Callable[[list[Any]], None]) -> None:
    entry = rewritten(sealed(toy.GAME, toy.Laid(0, Secret("7", MINE))), change)
    with pytest.raises(UnreadableError, match="version 5"):
        wire.decode(toy.GAME, entry)


def test_options_that_the_game_does_not_have_are_unreadable(playing: Playing) -> None:
    entry = rewritten(playing.entries[0], lambda fields: fields[6][0]["options"].update(hand=99))
    with pytest.raises(UnreadableError):
        wire.decode(toy.GAME, entry)


@pytest.mark.parametrize(
    "secrets", [b"", b"\xc1", b"\x90", b"\x05", b"\x91\xa17", b"\x91\xc4\x01\xc1", b"\x92\xc0", b"x"]
)
def test_secrets_that_are_none_are_unreadable(secrets: bytes) -> None:
    entry = dataclasses.replace(sealed(toy.GAME, toy.Laid(0, Secret("7", MINE))), secrets=secrets)
    with pytest.raises(UnreadableError):
        wire.decode(toy.GAME, entry)


def test_leaving_out_needs_as_many_values_as_secrets() -> None:
    entry = sealed(toy.GAME, toy.Laid(0, Secret("7", MINE)))
    for secrets in (b"\x92\xc0\xc0", b"\x90"):
        with pytest.raises(UnreadableError):
            wire.redacted(dataclasses.replace(entry, secrets=secrets), YOURS)


@pytest.mark.parametrize(
    "public", [b"", b"\xc1", b"\x91" * 5_000, b"\x98" + b"\xc0" * 8, b"\xdd\xff\xff\xff\xff", b"\x80"]
)
def test_bytes_that_are_no_commit_are_unreadable(public: bytes) -> None:
    entry = Entry(5, public, b"", b"")
    with pytest.raises(UnreadableError):
        wire.decode(toy.GAME, entry)
    with pytest.raises(UnreadableError):
        wire.game_of(entry)


def test_one_corrupt_byte_is_read_or_unreadable_and_nothing_else(playing: Playing) -> None:
    chance = random.Random(5)
    asked: tuple[Callable[[Entry], Any], ...] = (
        lambda entry: wire.decode(toy.GAME, entry),
        lambda entry: wire.decode(toy.GAME, entry, MINE),
        lambda entry: wire.redacted(entry, MINE),
        lambda entry: wire.commitments(entry.public),
        lambda entry: wire.secret_values(entry.secrets),
        wire.game_of,
    )
    unreadable = 0
    for entry in playing.entries:
        for place in range(len(entry.public) + len(entry.secrets)):
            corrupt = flipped(entry, place, 1 << chance.randrange(8))
            for ask in asked:
                try:
                    ask(corrupt)
                except (UnreadableError, NewerProtocolError):
                    unreadable += 1
    assert unreadable > 1_000


def flipped(entry: Entry, place: int, bits: int) -> Entry:
    whole = bytearray(entry.public + entry.secrets)
    whole[place] ^= bits
    size = len(entry.public)
    return dataclasses.replace(entry, public=bytes(whole[:size]), secrets=bytes(whole[size:]))


def test_truncated_entries_are_unreadable(playing: Playing) -> None:
    for entry in playing.entries[:8]:
        for size in range(len(entry.public)):
            with pytest.raises(UnreadableError):
                wire.decode(toy.GAME, dataclasses.replace(entry, public=entry.public[:size]))


def test_the_game_of_a_match_stands_in_its_first_entry(playing: Playing) -> None:
    assert wire.game_of(playing.entries[0]) == ("highest_card", 1)
    with pytest.raises(UnreadableError):
        wire.game_of(playing.entries[1])
    opened = rewritten(playing.entries[0], lambda fields: fields[6][0].update(game=5))
    with pytest.raises(UnreadableError, match="named by a string"):
        wire.game_of(opened)


# -- the kernel's own commands and events -----------------------------------------------------------------------------


def test_the_kernels_commands_and_events_come_back() -> None:
    state = toy.deal(2, toy.Options(), RandomDice(4))
    opened = Opened("highest_card", 1, 2, toy.Options(hand=1), "ada", "host", True, "00" * 32, position=state)
    command = Open("highest_card", 2, {"hand": 1}, private=True, entropy="x", positioned=True)
    entry = sealed(toy.GAME, opened, Started(state), Resigned(1), command=command)
    read = wire.decode(toy.GAME, entry)
    assert read.events == (opened, Started(state), Resigned(1))
    assert read.command == command
    assert (read.version, read.at, read.player, read.token, read.command_id) == (5, 1_000, "ada", "t0", "c5")
    hidden = wire.decode(toy.GAME, entry, NOBODY).events[0].position
    assert hidden.pile == Bag(None, len(state.pile))


# -- fields that were added later -------------------------------------------------------------------------------------


def opened_plain(protocol: int, **opening: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The stored command and the stored first event of a match."""
    log = TimedLog(protocol=protocol, **opening)
    entry = wire.encode(toy.GAME, "00abc", log.commits[0], bytes(32), GENESIS)
    public = msgpack.unpackb(entry.public, strict_map_key=False)
    return public[5], public[6][0]


def test_a_match_of_protocol_1_is_stored_without_the_fields_of_later_ones() -> None:
    """In a rolling update a process of the release before reads what this one writes."""
    command, event = opened_plain(1)
    assert not {"clock", "start"} & command.keys()
    assert not {"protocol", "rated", "clock", "start"} & event.keys()
    log = TimedLog(protocol=1).do(Join(), "ben")
    joined = wire.encode(toy.GAME, "00abc", log.commits[1], bytes(32), GENESIS)
    assert "arbiter" not in msgpack.unpackb(joined.public, strict_map_key=False)[5]


def test_such_fields_are_stored_where_they_say_something() -> None:
    command, event = opened_plain(3, clock=Clock(turn=60), start="ready")
    assert (command["clock"]["turn"], command["start"]) == (60, "ready")
    assert (event["protocol"], event["rated"], event["clock"]["turn"], event["start"]) == (3, True, 60, "ready")

"""Records over HTTP: given out for each reader's eyes, brought in to be watched."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from replay.record import canonical, read, written
from service.integrity.records import verify_signed_record
from tests.support.forged_records import later
from tests.support.house import SIGNER, House, catalogue
from tests.support.http import JSON, MSGPACK, Answer, Body, Player, Table, Web
from tests.support.playing import Playing
from tests.support.records import FORGER, changed, plain_record, rechained, short, signed


def record(who: Player | Web, table: Table) -> Answer:
    return who.get(f"{table.path}/record")


def ended(table: Table) -> Table:
    table.give_up()
    return table


def sent(who: Player, plain: Body) -> Answer:
    return who.ask("POST", "/records", raw=canonical(plain), headers={"Content-Type": JSON})


def holds(raw: bytes, form: Any = "json") -> bool:
    return verify_signed_record(read(raw, form), catalogue(), keys=SIGNER.published).fault is None


@pytest.mark.parametrize("game", list(catalogue()))
def test_the_record_of_an_ended_match_verifies_in_both_forms(house: House, game: str) -> None:
    table = house.table(game, 2)
    table.play_on(4)
    table.undo(table.version - 1)
    ended(table)
    text = record(house.web, table)
    assert holds(text.data)
    assert text.body["seed"]
    packed = house.web.get(f"{table.path}/record", {"Accept": MSGPACK})
    assert packed.headers["Content-Type"] == MSGPACK
    assert holds(packed.data, "msgpack")
    assert msgpack.unpackb(packed.data) == text.body


def test_while_the_match_runs_a_record_holds_what_its_reader_may_know(small: House) -> None:
    table = small.table("blockers")
    table.play_on(4)
    seed = small.backend.store.seed(table.match_id)
    assert seed is not None
    told = [record(reader, table) for reader in table.readers(small.web)]
    assert [answer.body["sees"] for answer in told] == ["0", "1", "2", "spectator"]
    known = []
    for answer in told:
        assert holds(answer.data)
        assert answer.body["seed"] is None
        assert seed.hex().encode() not in answer.data
        known.append({str(secret) for line in answer.body["entries"] for secret in line["secrets"] if secret})
    assert known[3] == set()
    assert len(set.union(*known)) == sum(map(len, known))


def test_a_record_is_the_same_as_long_as_nothing_happens(small: House) -> None:
    table = small.table("territories", 2)
    first = record(table.host, table)
    assert first.data == record(table.host, table).data
    assert table.host.get(f"{table.path}/record", {"If-None-Match": first.etag}).status == 304


def test_the_record_of_a_private_match_is_for_those_who_know_of_it(small: House) -> None:
    table = small.table("territories", 2, private=True)
    small.web.get(f"{table.path}/record").refused(404, "match_not_found")
    record(table.host, table).shown()


def test_the_record_of_a_cancelled_match_is_complete(small: House) -> None:
    host = small.web.enter("Ann")
    opened = host.post("/matches", {"game": "blockers", "seats": 3}).done()
    host.delete(f"/matches/{opened['match_id']}/seats/0")
    answer = small.web.get(f"/matches/{opened['match_id']}/record")
    assert holds(answer.data)
    brought = sent(host, answer.body).done()
    assert (brought["status"], brought["outcome"]) == ("void", None)


# -- brought in -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def playing() -> Playing:
    return short(catalogue()["blockers"])


def test_a_record_of_this_house_is_brought_in_and_watched(small: House) -> None:
    table = ended(small.table("blockers"))
    who = small.web.enter("Zoe")
    answer = sent(who, record(small.web, table).body)
    made = answer.done()
    assert (made["house"], made["rated"], made["match_id"]) == ("this", False, table.match_id)
    path = f"/records/{made['record_id']}"
    assert answer.headers["Location"] == f"/api/v1{path}"
    assert small.web.get(path).shown() == made
    assert small.web.get(f"{path}/record").data == record(small.web, table).data
    steps = small.web.get(f"{path}/replay").shown()["steps"]
    assert [step["kind"] for step in steps] == ["join", "join", "start", "resign", "resign"]
    real = small.web.get(f"{table.path}/replay/3?as=1").shown()
    seen = small.web.get(f"{path}/replay/3?as=1").shown()
    assert (seen["state"], seen["to_move"]) == (real["state"], real["to_move"])
    assert small.web.get(f"{path}/replay/1").shown()["state"] is None


def test_a_record_of_an_unknown_house_is_shown_as_that(small: House, playing: Playing) -> None:
    who = small.web.enter("Zoe")
    plain = plain_record(playing, signer=FORGER)
    made = sent(who, plain).done()
    assert (made["house"], made["key"]) == ("unknown", FORGER.key_id)
    packed = who.ask("POST", "/records", raw=written(plain, "msgpack"), headers={"Content-Type": MSGPACK})
    assert packed.done() == made
    assert small.web.get("/matches").shown()["matches"] == []


def test_a_record_that_does_not_hold_is_refused_with_the_first_bad_version(small: House, playing: Playing) -> None:
    who = small.web.enter("Zoe")
    plain = plain_record(playing)
    before = small.dump()
    for version in (2, 4):
        secret = changed(plain, lambda made: made["entries"][3]["secrets"].__setitem__(0, ["00" * 16, "a135"]))
        gone = plain | {"entries": [*plain["entries"][: version - 1], *plain["entries"][version:]]}
        assert sent(who, gone).refused(422, "record_refused")["detail"].startswith(f"Version {version} (gap): ")
        assert sent(who, secret).refused(422, "record_refused")["detail"].startswith("Version 4 (secret_altered): ")
    told = sent(who, gone).refused(422, "record_refused")
    assert (told["version"], told["fault"]) == (4, "gap")
    forged = rechained(plain | {"entries": [*plain["entries"][:3], later(plain["entries"][3]), *plain["entries"][4:]]})
    assert sent(who, forged).refused(422, "record_refused")["fault"] == "wrong_signature"
    assert small.dump() == before


def test_a_match_that_goes_on_is_not_brought_in(small: House, playing: Playing) -> None:
    who = small.web.enter("Zoe")
    sent(who, record(small.web, small.table("blockers")).body).refused(422, "record_incomplete")
    plain = plain_record(playing)
    unended = signed(rechained(plain | {"entries": plain["entries"][:-1]}), FORGER)
    told = sent(who, unended).refused(422, "record_refused")
    assert (told["version"], told["fault"]) == (len(plain["entries"]), "truncated")


@pytest.mark.parametrize("raw", [b"", b"{}", b"[1]", b'{"format":"foldtable record 1"}', b"\xff"])
def test_what_is_no_record_is_unreadable(small: House, raw: bytes) -> None:
    who = small.web.enter("Zoe")
    for kind in (JSON, MSGPACK):
        who.ask("POST", "/records", raw=raw, headers={"Content-Type": kind}).refused(400, "unreadable")


def test_records_are_brought_in_by_players_only_as_json_or_msgpack_and_of_known_games(
    small: House, playing: Playing
) -> None:
    raw = canonical(plain_record(playing))
    small.web.ask("POST", "/records", raw=raw, headers={"Content-Type": JSON}).refused(401, "unauthenticated")
    who = small.web.enter("Zoe")
    who.ask("POST", "/records", raw=raw, headers={"Content-Type": "text/plain"}).refused(415, "unsupported_type")
    big = b"[" + b" " * (8 * 1024 * 1024)
    who.ask("POST", "/records", raw=big, headers={"Content-Type": JSON}).refused(413, "body_too_large")
    sent(who, plain_record(playing) | {"game": "chess"}).refused(404, "game_not_found")


def test_a_record_that_there_is_not(small: House) -> None:
    for record_id in ("x", "0" * 32, "%C3%BC" * 32):
        for part in ("", "/record", "/replay", "/replay/1"):
            small.web.get(f"/records/{record_id}{part}").refused(404, "record_not_found")

"""A match keeps the version of its game's rules, in every process and for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain import wire
from domain.game import NewerRulesError
from replay.record import canonical, read
from service.adapters.memory.store import MemoryStore
from service.integrity.audit import audit_stored
from service.integrity.records import UnknownGameError, verify_signed_record
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Body, Table
from tests.support.releases import NAME, at, change_over, forgetful, newer, older, rules_of
from tests.support.seals import STRICT_SEALS


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def before(store: MemoryStore) -> House:
    """The service before version 2 of the rules."""
    return older(House(replace(in_memory(), store=store)))


def shown_at(table: Table, version: int) -> Body:
    return table.host.get(f"{table.path}/replay/{version}").shown()


def cards_of(table: Table) -> list[tuple[list[str], int | None]]:
    """The cards of each round that was shown, and who took the point."""
    rows = table.host.get(f"{table.path}/log").shown()["commits"]
    shown = [event for row in rows for event in row["events"] if event["type"] == "shown"]
    return [(event["cards"], event["took"]) for event in shown]


def alone(cards: list[str], best: str) -> int | None:
    return cards.index(best) if cards.count(best) == 1 else None


# -- the old rules, and the new ones ----------------------------------------------------------------------------------


def test_a_live_match_goes_on_by_the_rules_that_it_started_by(before: House) -> None:
    table = before.table(NAME, 3)
    table.play_on(2)
    after = at(table, newer(before))
    assert rules_of(after) == {"version": 1, "installed": True, "newer": 2, "proposal": None}
    after.play_to_end()
    rounds = cards_of(after)
    assert rounds
    assert all(took == alone(cards, max(cards)) for cards, took in rounds)
    assert "rounds" not in shown_at(after, after.version)["state"]
    for house in (before, newer(before)):
        told = house.web.get(f"{after.path}/audit").shown()
        assert (told["ok"], told["decided_again"]) == (True, True)
        for version in range(1, after.version + 1):
            report = house.web.get(f"{after.path}/audit/{version}").shown()
            assert (report["decided_again"], report["rules_version"]) == ({"possible": True, "same": True}, 1)
            assert f"Version {version} holds: by version 1 of the rules" in report["verdict"]


def test_what_is_opened_after_the_update_goes_by_the_new_rules(before: House) -> None:
    house = newer(before)
    table = house.table(NAME, 3)
    table.play_to_end()
    rounds = cards_of(table)
    assert rounds
    assert all(took == alone(cards, min(cards)) for cards, took in rounds)
    assert house.web.get(f"{table.path}/audit").shown()["decided_again"]
    assert rules_of(table) == {"version": 2, "installed": True, "newer": None, "proposal": None}


def test_every_state_move_and_undo_of_an_old_match_is_as_before_the_update(before: House) -> None:
    table = before.table(NAME, 2, options={"hand": 3})
    table.play_on(4)
    table.undo(4)
    table.play_on(1)
    there = newer(before)
    paths = [table.path, f"{table.path}/moves", f"{table.path}/log", f"{table.path}/replay"]
    paths += [f"{table.path}/replay/{version}" for version in range(1, table.version + 1)]
    for player in table.players:
        for path in paths:
            old, new = player.get(path).shown(), player.at(there.web).get(path).shown()
            assert old | {"rules": None} == new | {"rules": None}
    after = at(table, there)
    after.undo(3)
    after.redo(after.version - 1)
    after.play_to_end()
    assert before.web.get(f"{table.path}/audit").shown()["decided_again"]


def test_the_catalogue_shows_the_rules_of_each_version(before: House) -> None:
    house = newer(before)
    newest, first = house.web.get(f"/games/{NAME}").shown(), house.web.get(f"/games/{NAME}?rules=1").shown()
    assert [(game["version"], game["versions"]) for game in (newest, first)] == [(2, [1, 2]), (1, [1, 2])]
    assert "low" in newest["options"]["properties"]
    assert "low" not in first["options"]["properties"]
    house.web.get(f"/games/{NAME}?rules=3").refused(404, "version_not_found")
    house.web.get(f"/games/{NAME}?rules=x").refused(400, "unreadable", field="rules")


def test_a_fork_of_an_old_match_goes_by_its_rules(before: House) -> None:
    table = before.table(NAME, 2)
    table.play_to_end()
    after = at(table, newer(before))
    made = after.host.post(f"{table.path}/forks", {"version": 2}).done()
    assert after.host.get(f"/matches/{made['match_id']}").shown()["rules"]["version"] == 1
    assert "rounds" not in made["events"][0]["position"]


def test_records_of_both_versions_are_verified_and_imported_and_replayed(before: House) -> None:
    house, tables = newer(before), []
    for at_house in (before, newer(before)):
        table = at_house.table(NAME, 2)
        table.play_to_end()
        tables.append(at(table, house))
    for rules, table in enumerate(tables, 1):
        plain = table.host.get(f"{table.path}/record").shown()
        assert plain["rules"] == rules
        verdict = verify_signed_record(read(canonical(plain)), house.games)
        assert (verdict.fault, verdict.decided_again) == (None, True)
        brought = table.host.ask("POST", "/records", raw=canonical(plain), headers={"Content-Type": "application/json"})
        assert brought.done()["rules_version"] == rules
        record = f"/records/{brought.body['record_id']}"
        last = table.host.get(f"{record}/replay/{table.version}").shown()
        assert last["state"] == shown_at(table, table.version)["state"]


# -- a process without the new rules ----------------------------------------------------------------------------------


def test_a_process_without_the_new_rules_says_so_and_decides_nothing(before: House, store: MemoryStore) -> None:
    table = newer(before).table(NAME, 2)
    table.play_on(1)
    there, kept = at(table, before), before.dump()
    for path in ("", "/moves", "/log", "/replay", "/replay/2", "/record", "/audit", "/audit/2"):
        there.host.get(table.path + path).refused(503, "newer_rules")
    move = {"move": table.listed(table.to_move[0])[0]}
    refused = there.players[table.to_move[0]].post(f"{table.path}/moves", move)
    refused.refused(503, "newer_rules")
    assert refused.headers["Retry-After"] == "10"
    assert before.dump() == kept
    with pytest.raises(NewerRulesError):
        list(audit_stored(store, before.games, STRICT_SEALS, table.match_id))
    assert table.match_id not in [row["match_id"] for row in before.web.get("/matches").shown()["matches"]]
    table.play_on(1)


def test_a_record_by_newer_rules_is_unknown_and_not_illegal(before: House) -> None:
    table = newer(before).table(NAME, 2)
    table.play_to_end()
    plain = table.host.get(f"{table.path}/record").shown()
    with pytest.raises(UnknownGameError, match="version 2"):
        verify_signed_record(read(canonical(plain)), before.games)
    headers = {"Content-Type": "application/json"}
    at(table, before).host.ask("POST", "/records", raw=canonical(plain), headers=headers).refused(404, "game_not_found")


def test_an_altered_version_of_the_rules_is_a_finding_and_no_excuse(before: House, store: MemoryStore) -> None:
    table = before.table(NAME, 2)
    log = store._logs[table.match_id]
    log[0] = replace(log[0], public=log[0].public.replace(b"\xa5rules\x01", b"\xa5rules\x63"))
    fresh = before.another()
    fresh.web.get(table.path).refused(500, "log_damaged")
    told = fresh.web.get(f"{table.path}/audit").shown()
    assert (told["ok"], told["fault"], told["first_bad_version"]) == (False, "altered", 1)
    (found,) = audit_stored(store, fresh.games, STRICT_SEALS, table.match_id)
    assert found is not None
    assert found.fault is not None
    assert found.fault.kind == "altered"


@pytest.mark.parametrize("rules", [b"\x00", b"\xff", b"\xc3", b"\xc0", b"\xa11"])
def test_what_is_no_version_of_rules_is_damage(before: House, store: MemoryStore, rules: bytes) -> None:
    table = before.table(NAME, 2)
    first = store._logs[table.match_id][0]
    with pytest.raises(wire.UnreadableError):
        wire.game_of(replace(first, public=first.public.replace(b"\xa5rules\x01", b"\xa5rules" + rules)))


# -- a process without the old rules ----------------------------------------------------------------------------------


def test_a_process_without_the_old_rules_reads_the_match_and_decides_nothing(before: House) -> None:
    table = before.table(NAME, 3)
    table.play_on(4)
    house = forgetful(before)
    there, kept = at(table, house), before.dump()
    assert rules_of(there) == {"version": 1, "installed": False, "newer": None, "proposal": None}
    for version in range(1, table.version + 1):
        old, new = shown_at(table, version), shown_at(there, version)
        assert (new["step"]["kind"], new["to_move"], new["moves"]) == (old["step"]["kind"], old["to_move"], [])
        assert (old["state"] or {}).items() <= (new["state"] or {}).items()
    seat = table.to_move[0]
    player = there.players[seat]
    player.get(f"{table.path}/moves").refused(409, "rules_missing")
    sent: list[tuple[str, Body]] = [("moves", {"move": table.listed(seat)[0]}), ("undo", {"to": 4}), ("rules", {})]
    sent += [("disputes", {"version": 5, "reason": "That is not so."})]
    for path, body in sent:
        player.post(f"{table.path}/{path}", body).refused(409, "rules_missing")
    asked = {"version": 4, "seat": seat, "move": table.listed(seat)[0]}
    player.post(f"{table.path}/audit/explain", asked).refused(409, "rules_missing")
    assert before.dump() == kept
    assert (
        player.get(f"{table.path}/record").shown()["entries"]
        == table.players[seat].get(f"{table.path}/record").shown()["entries"]
    )
    table.play_on(1)


def test_what_cannot_be_decided_again_is_never_said_to_hold(before: House) -> None:
    table = before.table(NAME, 2)
    table.play_to_end()
    house = forgetful(before)
    told = house.web.get(f"{table.path}/audit").shown()
    assert (told["ok"], told["decided_again"], told["fault"]) == (False, False, None)
    assert "nothing was decided again" in told["message"]
    report = house.web.get(f"{table.path}/audit/4").shown()
    assert report["decided_again"] == {"possible": False, "same": None}
    assert report["before"]["moves"] is None
    assert report["verdict"] == (
        "Version 4 was decided by version 1 of the rules of Highest Card, which is not installed here, so it is not"
        " decided again."
    )
    verdict = verify_signed_record(read(canonical(table.host.get(f"{table.path}/record").shown())), house.games)
    assert (verdict.fault, verdict.decided_again) == (None, False)
    at(table, house).host.post(f"{table.path}/forks", {"version": 2}).refused(409, "rules_missing")


def test_a_match_can_be_left_where_its_rules_are_missing(before: House) -> None:
    table = before.table(NAME, 2)
    table.play_on(4)
    waiting = before.web.enter("Zoe").post("/matches", {"game": NAME, "seats": 2}).done()["match_id"]
    house = forgetful(before)
    there = at(table, house)
    assert there.took(there.host.post(f"{table.path}/resign"))["outcome"]["winners"] == [1]
    other = house.web.enter("Yan")
    other.post(f"/matches/{waiting}/seats", {}).refused(409, "rules_missing")
    assert before.web.get(f"{table.path}/audit").shown()["decided_again"]


def test_a_match_that_no_rules_here_can_read_is_not_called_damaged(before: House) -> None:
    table = before.table(NAME, 2)
    table.play_to_end()
    bare: Any = replace(forgetful(before).games[NAME], upcasts={})
    house = before.another(games=dict(before.games) | {NAME: replace(bare, events={})})
    for path in ("", "/replay", "/audit"):
        house.web.get(table.path + path).refused(409, "rules_missing")


# -- a change of the rules in a rolling deployment --------------------------------------------------------------------


def test_no_match_is_decided_by_two_versions_while_both_releases_run(house: House) -> None:
    """Each process takes turns, with what it has cached; one of them changes the match over in between."""
    before = older(house)
    table = before.table(NAME, 3, options={"hand": 3})
    here, there = table, at(table, newer(before))
    here.play_on(2)
    there.last = here.last
    there.play_on(1)
    change_over(there)
    mover = there.to_move[0]
    move = {"move": there.listed(mover)[0]}
    here.players[mover].post(f"{table.path}/moves", move).refused(503, "newer_rules")
    here.players[mover].get(table.path).refused(503, "newer_rules")
    there.took(there.players[mover].post(f"{table.path}/moves", move))
    there.play_to_end()
    told = there.host.get(f"{table.path}/audit").shown()
    assert (told["ok"], told["decided_again"]) == (True, True)

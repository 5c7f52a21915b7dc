"""The report of one version, and why a move is or was legal or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain import wire
from domain.chance import SeededDice
from domain.hashchain import GENESIS
from service.adapters.memory.store import MemoryStore
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Body, Table
from tests.support.seals import seal


def ended(table: Table) -> Table:
    table.give_up()
    return table


def report(table: Table, version: int, seat: int = 0) -> Body:
    return table.players[seat].get(f"{table.path}/audit/{version}").shown()


def test_a_report_says_who_did_what_when_and_with_which_token(small: House) -> None:
    table = small.table("blockers")
    seat = table.to_move[0]
    move = table.listed(seat)[0]
    table.took(table.players[seat].post(f"{table.path}/moves", {"move": move}, {"Idempotency-Key": "mine"}))
    told = report(table, 4, seat)
    assert (told["version"], told["seat"], told["player_id"]) == (4, seat, table.players[seat].id)
    assert (told["name"], told["kind"]) == (table.players[seat].name, "move")
    assert (told["command_id"], told["command"]) == ("mine", {"type": "move", "seat": seat, "move": move})
    assert told["token_id"]
    assert told["token_id"] not in table.players[seat].token
    assert told["events"] == table.last["events"]
    assert told["receipt"] == table.last["receipt"]
    assert told["hash"] == table.last["receipt"]["head"]
    assert told["previous"] == table.answers[3]["receipt"]["head"]
    assert told["decided_again"] == {"possible": True, "same": True}
    assert told["verdict"].startswith("Version 4 holds")


def test_a_report_shows_what_the_seat_saw_and_could_do_at_that_moment(small: House) -> None:
    table = small.table("blockers")
    seat = table.to_move[0]
    before, moves = table.players[seat].get(table.path).shown(), table.listed(seat)
    table.move()
    table.play_on(3)
    told = report(table, 4, seat)["before"]
    assert told == {"version": 3, "as": str(seat), "state": before["state"], "to_move": [seat], "moves": moves}


def test_another_reader_of_a_live_match_sees_the_own_side_only_and_no_moves(small: House) -> None:
    table = small.table("blockers")
    seat = table.to_move[0]
    other = (seat + 1) % 3
    seen = table.players[other].get(table.path).shown()["state"]
    table.move()
    told = report(table, 4, other)["before"]
    assert (told["as"], told["state"], told["moves"]) == (str(other), seen, None)
    stranger = small.web.get(f"{table.path}/audit/4").shown()["before"]
    assert (stranger["as"], stranger["moves"]) == ("spectator", None)
    assert ended(table)
    after = small.web.get(f"{table.path}/audit/4").shown()["before"]
    assert after["as"] == str(seat)
    assert after["moves"]


def test_the_rules_involved_are_quoted(small: House) -> None:
    table = small.table("territories", 2)
    table.move()
    rules = {rule["number"]: rule["text"] for rule in report(table, 3)["rules"]}
    assert list(rules) == ["TR-2", "TR-3"]
    table.play_to_end()
    assert report(table, table.version)["rules"][-1]["number"] in ("TR-7", "TR-8", "TR-9")


def test_the_numbers_drawn_are_told_once_the_seed_is_public(small: House) -> None:
    table = small.table("blockers", entropy="mine")
    table.play_on(2)
    live = report(table, 4)["chance"]
    assert (live["draws"], live["numbers"], live["seed"]) == (1, None, None)
    assert live["entropy"] == ["mine", "", ""]
    told = report(ended(table), 4)
    chance = told["chance"]
    assert chance["draws"] == len(chance["numbers"]) == 1
    seed, drawn = bytes.fromhex(chance["seed"]), chance["numbers"][0]
    dice = SeededDice(seed, table.match_id, 4, told["command_id"], chance["entropy"])
    assert dice.below(drawn["below"]) == drawn["gave"]
    dealt = report(table, 3)["chance"]
    assert dealt["draws"] == len(dealt["numbers"]) > 15


def test_the_first_version_is_reported_too(small: House) -> None:
    table = small.table("territories", 2)
    told = report(table, 1)
    assert (told["previous"], told["before"]["state"], told["kind"]) == (GENESIS.hex(), None, "join")
    assert told["decided_again"]["same"]


def test_every_version_of_a_match_with_undo_and_redo_holds(small: House) -> None:
    table = small.table("highest_card")
    table.play_on(1)
    table.undo(3)
    table.redo(4)
    ended(table)
    assert [report(table, version)["decided_again"]["same"] for version in range(1, 8)] == [True] * 7


def test_a_command_face_down_is_its_owners(small: House) -> None:
    table = small.table("highest_card")
    card = table.listed(1)[0]["card"]
    table.took(table.players[1].post(f"{table.path}/moves", {"move": {"type": "lay", "card": card}}))
    assert report(table, 4, 1)["command"]["move"] == {"type": "lay", "card": card}
    assert report(table, 4, 0)["command"]["move"] == {"type": "lay", "card": {"hidden": True}}


def test_a_version_that_there_is_not_is_no_report(small: House) -> None:
    table = small.table("territories", 2)
    for version in ("0", "3", "x", "-1", "9" * 20):
        table.host.get(f"{table.path}/audit/{version}").refused(404, "version_not_found")


def test_a_log_that_was_made_anew_against_the_rules_is_found_by_deciding_it_again(small: House) -> None:
    """Every hash fits; but somebody moves who does not sit there."""
    table = small.table("blockers")
    table.play_on(4)
    store = small.backend.store
    assert isinstance(store, MemoryStore)
    log, game = store._logs[table.match_id], small.service.game("blockers")
    seed, previous = store._seeds[table.match_id], log[3].hash
    for place in range(4, len(log)):
        commit = wire.decode(game, log[place])
        made = replace(commit, player="nobody") if place == 4 else commit
        log[place] = wire.encode(game, table.match_id, made, seed, previous)
        previous = log[place].hash
    seal(store, table.match_id)
    told = small.another().web.get(f"{table.path}/audit/5").shown()
    assert told["decided_again"] == {"possible": True, "same": False}
    assert told["verdict"].startswith("Version 5 does not hold")
    found = small.another().web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["first_bad_version"], found["fault"]) == (False, 5, "illegal")
    for version in (5, table.version):
        told = small.another().web.get(f"{table.path}/audit/{version}").shown()
        assert (told["fault"]["version"], told["fault"]["kind"]) == (5, "illegal")


# -- explain ----------------------------------------------------------------------------------------------------------


def explained(table: Table, version: int, seat: int, move: Any, by: int | None = None) -> Body:
    body = {"version": version, "seat": seat, "move": move}
    return table.players[seat if by is None else by].post(f"{table.path}/audit/explain", body).shown()


def test_a_legal_move_is_explained_as_legal_with_the_rules_that_bind_it(small: House) -> None:
    table = small.table("blockers")
    seat = table.to_move[0]
    told = explained(table, 3, seat, table.listed(seat)[0])
    assert (told["legal"], told["code"], told["rule"]) == (True, None, None)
    assert {rule["number"] for rule in told["rules"]} >= {"BL-4", "BL-5", "BL-6"}


def test_a_refused_move_is_explained_with_its_rule_and_the_facts_as_it_is_refused(small: House) -> None:
    example = small.web.get("/games/blockers").shown()["positions"]["held_together"]
    table = small.table("blockers", position=example)
    seat = table.to_move[0]
    before = small.dump()
    for move in ({"type": "pass"}, {"type": "place", "tile": "5", "at": "C6"}):
        told = explained(table, 3, seat, move)
        problem = (
            table.players[seat]
            .post(f"{table.path}/moves", {"move": move})
            .refused(422, "illegal_move", rule=told["rule"])
        )
        assert (told["legal"], told["code"], told["message"]) == (False, "illegal_move", problem["detail"])
        assert told["rules"][0]["number"] == told["rule"]
        assert told["rules"][0]["text"]
    assert small.dump() == before


def test_out_of_turn_and_before_the_start_is_explained(small: House) -> None:
    table = small.table("territories", 2)
    waiting = 1 - table.to_move[0]
    move = {"type": "place", "at": "E5"}
    assert explained(table, 2, waiting, move)["code"] == "not_your_turn"
    assert explained(table, 1, waiting, move)["code"] == "not_live"
    ended(table)
    assert explained(table, 3, waiting, move)["message"] == "At version 3 the match was over."


def test_while_the_match_runs_a_move_is_explained_to_its_own_seat_only(small: House) -> None:
    table = small.table("territories", 2)
    body = {"version": 2, "seat": 0, "move": {"type": "place", "at": "E5"}}
    path = f"{table.path}/audit/explain"
    table.players[1].post(path, body).refused(403, "forbidden")
    small.web.post(path, body).refused(403, "forbidden")
    ended(table)
    first = table.players[1].post(path, body).shown()
    assert first == small.web.post(path, body).shown()


@pytest.mark.parametrize(
    ("changed", "status", "code", "field"),
    [
        ({"version": 99}, 404, "version_not_found", None),
        ({"seat": 7}, 422, "invalid", "seat"),
        ({"move": {"type": "fly"}}, 422, "invalid", "move.type"),
        ({"version": "2"}, 422, "invalid", "version"),
    ],
)
def test_what_cannot_be_explained(small: House, changed: Body, status: int, code: str, field: str | None) -> None:
    table = small.table("territories", 2)
    body = {"version": 2, "seat": 0, "move": {"type": "place", "at": "E5"}} | changed
    table.host.post(f"{table.path}/audit/explain", body).refused(status, code, field=field)


# -- what is not as it was written ------------------------------------------------------------------------------------


def damaged(version: int, **change: Any) -> tuple[House, Table, MemoryStore]:
    """A match of which an entry was changed behind everybody's back, which the service has in its memory as it was."""
    store = MemoryStore()
    house = House(replace(in_memory(), store=store))
    table = house.table("blockers", 2)
    table.play_on(6)
    log = store._logs[table.match_id]
    log[version - 1] = replace(log[version - 1], **change)
    return house, table, store


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"hash": bytes(32)}, "altered"),
        ({"secrets": b"\x91\xc4\x01\x01"}, "secret_altered"),
        ({"public": b"\xc1"}, "altered"),
    ],
)
@pytest.mark.parametrize("forgotten", [False, True])
def test_a_report_never_says_that_what_the_audit_condemns_holds(
    change: dict[str, Any], kind: str, *, forgotten: bool
) -> None:
    house, table, _store = damaged(5, **change)
    web = house.another().web if forgotten else house.web
    audit = web.get(f"{table.path}/audit").shown()
    assert (audit["first_bad_version"], audit["fault"]) == (5, kind)
    for version in (5, 6, table.version):
        told = web.get(f"{table.path}/audit/{version}").shown()
        assert (told["fault"]["version"], told["fault"]["kind"], told["receipt"], told["events"]) == (
            5,
            kind,
            None,
            None,
        )
        rests = "" if version == 5 else "rests on version 5, which "
        assert told["verdict"].startswith(f"Version {version} {rests}does not hold ({kind}). ")
    web.get(f"{table.path}/audit/4").refused(500, "log_damaged")


def test_the_report_of_a_missing_version_says_that_it_is_missing() -> None:
    house, table, store = damaged(5)
    del store._logs[table.match_id][4]
    told = house.web.get(f"{table.path}/audit/5").shown()
    assert told["fault"] == {"version": 5, "kind": "gap", "message": "Version 6 stands in its place."}
    house.web.get(f"{table.path}/audit/{table.version + 1}").refused(404, "version_not_found")


def test_the_start_and_the_end_cite_the_rules_of_setting_up_and_of_winning(small: House) -> None:
    table = small.table("territories", 2, options={"max_rounds": 20})
    table.play_to_end()
    assert [rule["number"] for rule in report(table, 2)["rules"]] == ["TR-1"]
    assert {"TR-6", "TR-8"} <= {rule["number"] for rule in report(table, table.version)["rules"]}
    assert report(table, table.version)["in_force"] is True

"""Going on by newer rules: proposed, accepted, declined, withdrawn, ended, and what holds afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from replay.record import canonical, read
from service.integrity.records import UnknownGameError, verify_signed_record
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Body, Table
from tests.support.releases import NAME, answered, at, change_over, forgetful, newer, older, propose, rules_of


@pytest.fixture
def before() -> House:
    return older(House(in_memory()))


@pytest.fixture
def table(before: House) -> Table:
    """Three seats in their second round by version 1, at a process that knows both."""
    made = before.table(NAME, 3, options={"hand": 3})
    made.play_on(4)
    return at(made, newer(before))


def states(table: Table) -> list[Any]:
    return [player.get(table.path).shown()["state"] for player in table.players]


def last_row(table: Table) -> Body:
    (row,) = table.host.get(f"{table.path}/log?after={table.version - 1}").shown()["commits"]
    return dict(row)


# -- consent ----------------------------------------------------------------------------------------------------------


def test_a_proposal_is_shown_to_all_and_changes_nothing_yet(table: Table) -> None:
    earlier = states(table)
    asked = propose(table, 1)
    assert asked["events"] == [{"type": "rules_proposed", "seat": 1, "rules": 2, "asks": [0, 2]}]
    proposal = {"version": table.version, "seat": 1, "rules": 2, "asks": [0, 2], "accepted": []}
    for seat in range(3):
        assert rules_of(table, seat) == {"version": 1, "installed": True, "newer": 2, "proposal": proposal}
    assert states(table) == earlier
    assert last_row(table)["sentence"] == "“Bob” asks to go on by version 2 of the rules."
    table.took(answered(table, 2, asked["version"]))
    assert rules_of(table)["proposal"] == proposal | {"asks": [0], "accepted": [2]}
    assert states(table) == earlier


def test_the_last_acceptance_changes_the_rules_and_keeps_the_position(table: Table) -> None:
    earlier, to_move = states(table), table.to_move
    body = change_over(table)
    answer, changed = body["events"]
    assert answer == {"type": "rules_answered", "seat": 2, "accepted": True}
    assert (changed["type"], changed["rules"]) == ("rules_changed", 2)
    assert changed["options"] == {"hand": 3, "peek": True, "first_seat": None, "low": True}
    assert changed["state"] == body["state"] == earlier[2] | {"rounds": 0}
    assert states(table) == [state | {"rounds": 0} for state in earlier]
    assert body["to_move"] == to_move
    assert rules_of(table) == {"version": 2, "installed": True, "newer": None, "proposal": None}
    assert last_row(table)["sentence"] == "“Cid” agrees. The match goes on by version 2 of the rules."
    assert last_row(table)["kind"] == "rules_changed"


def test_declining_withdrawing_and_any_other_action_end_a_proposal(table: Table) -> None:
    first = propose(table)["version"]
    declined = table.took(answered(table, 1, first, accept=False))
    assert declined["events"] == [{"type": "rules_answered", "seat": 1, "accepted": False}]
    assert rules_of(table)["proposal"] is None
    second = propose(table)["version"]
    table.took(answered(table, 0, second, accept=False))
    assert rules_of(table)["proposal"] is None
    third = propose(table, 1)["version"]
    table.took(answered(table, 2, third))
    table.move()
    assert rules_of(table) == {"version": 1, "installed": True, "newer": 2, "proposal": None}
    answered(table, 0, third).refused(409, "request_lapsed", field="request")
    table.play_to_end()
    assert table.host.get(f"{table.path}/audit").shown()["decided_again"]


def test_an_acceptance_counts_for_the_proposal_that_it_names_only(table: Table) -> None:
    first = propose(table)["version"]
    table.took(answered(table, 0, first, accept=False))
    second = propose(table)["version"]
    answered(table, 1, first).refused(409, "request_lapsed", field="request")
    table.took(answered(table, 1, second))
    answered(table, 1, second).refused(409, "already_answered")
    answered(table, 0, second).refused(409, "already_answered")
    table.players[2].post(f"{table.path}/rules/answer", {"accept": True}).refused(422, "invalid", field="request")
    stranger = table.host.web.enter("Zoe")
    stranger.post(f"{table.path}/rules", {}).refused(403, "not_seated")
    stranger.post(f"{table.path}/rules/answer", {"accept": True, "request": second}).refused(403, "not_seated")


def test_only_newer_rules_that_the_game_has_a_way_to_can_be_proposed(table: Table) -> None:
    def refused(rules: int) -> str:
        asked = table.host.post(f"{table.path}/rules", {"rules": rules})
        return str(asked.refused(409, "change_refused", field="rules")["detail"])

    assert refused(1) == "The match is played by version 1 of the rules."
    assert refused(3) == "The newest rules of Highest Card here are version 2."
    change_over(table)
    assert refused(2) == "The match is played by version 2 of the rules."
    table.host.post(f"{table.path}/rules", {}).refused(409, "change_refused")


def test_without_newer_rules_there_is_nothing_to_propose(before: House) -> None:
    table = before.table(NAME, 2)
    table.host.post(f"{table.path}/rules", {}).refused(409, "change_refused")
    waiting = before.web.enter("Zoe")
    match = waiting.post("/matches", {"game": NAME, "seats": 2}).done()["match_id"]
    waiting.at(newer(before).web).post(f"/matches/{match}/rules", {"rules": 2}).refused(409, "not_live")


def test_a_match_of_the_first_protocol_keeps_its_rules(before: House) -> None:
    store: Any = before.backend.store
    store._protocol = 1
    table = at(before.table(NAME, 2), newer(before))
    table.host.post(f"{table.path}/rules", {"rules": 2}).refused(409, "change_refused")
    assert rules_of(table)["newer"] is None


def test_a_seat_proposes_twice_a_turn_at_most_and_never_while_something_is_open(before: House) -> None:
    made = before.table(NAME, 2, undo="consent", options={"hand": 3})
    made.play_on(2)
    table = at(made, newer(before))
    for _ in range(2):
        request = propose(table)["version"]
        table.players[1].post(f"{table.path}/rules", {}).refused(409, "request_open")
        table.took(answered(table, 1, request, accept=False))
    table.host.post(f"{table.path}/rules", {}).refused(409, "too_many_requests")


def test_a_repeated_answer_is_answered_as_the_first_time(table: Table) -> None:
    request = propose(table)["version"]
    table.took(answered(table, 1, request))
    sent: Any = f"{table.path}/rules/answer", {"accept": True, "request": request}, {"Idempotency-Key": "once"}
    first = table.took(table.players[2].post(*sent))
    table.play_on(2)
    assert table.players[2].post(*sent).done() == first


# -- afterwards -------------------------------------------------------------------------------------------------------


def played_out(table: Table) -> int:
    """Changes over and plays to the end; returns the version of the change."""
    changed = int(change_over(table)["version"])
    table.play_to_end()
    return changed


def test_a_changed_match_is_replayed_reported_and_audited_by_the_rules_of_each_version(table: Table) -> None:
    changed = played_out(table)
    for version in range(2, table.version + 1):
        seen = table.host.get(f"{table.path}/replay/{version}?as=all").shown()
        assert ("rounds" in (seen["state"] or {"rounds": 0})) == (version >= changed or seen["state"] is None)
        told = table.host.get(f"{table.path}/audit/{version}").shown()
        assert told["rules_version"] == (1 if version <= changed else 2)
        assert told["decided_again"] == {"possible": True, "same": True}
    rows = table.host.get(f"{table.path}/log?limit=500").shown()["commits"]
    shown = [(row, event) for row in rows for event in row["events"] if event["type"] == "shown"]
    assert {("round" in event, row["version"] > changed) for row, event in shown} == {(False, False), (True, True)}
    assert all(("Round" in row["sentence"]) == ("round" in event) for row, event in shown)
    told = table.host.get(f"{table.path}/audit").shown()
    assert (told["ok"], told["decided_again"]) == (True, True)


def test_the_record_of_a_changed_match_names_the_first_rules_and_is_verified(table: Table, before: House) -> None:
    changed = played_out(table)
    plain = table.host.get(f"{table.path}/record").shown()
    assert plain["rules"] == 1
    record = read(canonical(plain))
    verdict = verify_signed_record(record, newer(before).games)
    assert (verdict.fault, verdict.decided_again) == (None, True)
    with pytest.raises(UnknownGameError, match="version 2"):
        verify_signed_record(record, before.games)
    verdict = verify_signed_record(record, forgetful(before).games)
    assert (verdict.fault, verdict.decided_again) == (None, False)
    brought = table.host.ask("POST", "/records", raw=canonical(plain), headers={"Content-Type": "application/json"})
    path = f"/records/{brought.done()['record_id']}/replay"
    for version in (changed - 1, changed, table.version):
        live = table.host.get(f"{table.path}/replay/{version}").shown()
        assert table.host.get(f"{path}/{version}").shown()["state"] == live["state"]


def test_a_running_changed_match_can_be_verified_by_what_a_seat_knows(table: Table, before: House) -> None:
    change_over(table)
    table.move()
    for reader in table.readers(table.host.web):
        plain = reader.get(f"{table.path}/record").shown()
        assert verify_signed_record(read(canonical(plain)), newer(before).games).fault is None


def test_after_the_change_the_old_rules_are_not_needed_to_play_on(table: Table, before: House) -> None:
    change_over(table)
    house = forgetful(before)
    there = at(table, house)
    assert rules_of(there) == {"version": 2, "installed": True, "newer": None, "proposal": None}
    there.play_to_end()
    assert house.web.get(f"{table.path}/audit").shown()["decided_again"] is False
    assert newer(before).web.get(f"{table.path}/audit").shown()["decided_again"] is True


def test_no_undo_redo_or_ruling_returns_to_a_state_of_the_old_rules(before: House) -> None:
    made = before.table(NAME, 2, options={"hand": 3}, clock=None)
    made.play_on(2)
    made.undo(3)
    table = at(made, newer(before))
    changed = int(change_over(table)["version"])
    table.move()
    preview = table.host.get(f"{table.path}/undo?to={changed - 1}").shown()
    assert (preview["verdict"], preview["undone"]) == ("refused", [])
    table.host.post(f"{table.path}/undo", {"to": changed - 1}).refused(409, "undo_refused", field="to")
    table.host.post(f"{table.path}/redo", {"to": 4}).refused(409, "undo_refused", field="to")
    for version in (changed - 1, changed):
        number = table.took(table.host.post(f"{table.path}/disputes", {"version": version, "reason": "No."}))
        one = f"{table.path}/disputes/{len(table.host.get(f'{table.path}/disputes').shown()['disputes'])}"
        assert number["status"] == "frozen"
        rewind = {"ruling": "rewind", "reason": "Back."}
        table.host.post(f"{one}/ruling", rewind).refused(409, "ruling_impossible")
        for player in table.players:
            last = player.post(f"{one}/ruling", {"ruling": "stands", "reason": "Well."})
        table.took(last)
    undone = table.undo(changed)
    assert undone["state"]["rounds"] == 0
    table.play_to_end()
    assert table.host.get(f"{table.path}/audit").shown()["decided_again"]


def test_a_fork_goes_by_the_rules_of_the_version_that_it_starts_from(table: Table) -> None:
    changed = played_out(table)
    for version, rules in ((changed - 1, 1), (changed, 2)):
        fork = table.host.post(f"{table.path}/forks", {"version": version}).done()
        assert table.host.get(f"/matches/{fork['match_id']}").shown()["rules"]["version"] == rules
        assert table.host.get(f"/matches/{fork['match_id']}/audit").shown()["decided_again"]


def test_the_change_tells_nobody_the_cards_of_another(table: Table) -> None:
    change_over(table)
    hands = [player.get(table.path).shown()["state"]["hands"][seat] for seat, player in enumerate(table.players)]
    assert all(isinstance(hand["cards"], list) for hand in hands)
    for seat, reader in enumerate(table.readers(table.host.web)):
        row = reader.get(f"{table.path}/log?after={table.version - 1}").shown()["commits"][0]
        seen = row["events"][1]["state"]
        assert [hand["cards"] == {"hidden": True} for hand in seen["hands"]] == [other != seat for other in range(3)]
        assert seen["pile"]["cards"] == {"hidden": True}

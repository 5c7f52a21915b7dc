"""Taking back and bringing back over HTTP: what may be, what comes of it, and what stays readable."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.house import House
from tests.support.http import Body, Table


def rows(table: Table, mode: str) -> list[Body]:
    page = table.host.get(f"{table.path}/replay?mode={mode}&limit=500").shown()
    assert page["more"] is False
    return list(page["steps"])


def states_stay_as_they_were_answered(table: Table) -> None:
    """Every version ever committed still shows what was answered to who acted when it was live."""
    for version, body in table.answers.items():
        (row,) = table.host.get(f"{table.path}/log?after={version - 1}&limit=1").shown()["commits"]
        actor = table.players[row["seat"]]
        sight = "all" if body["status"] == "finished" else str(row["seat"])
        moment = actor.get(f"{table.path}/replay/{version}?as={sight}").shown()
        assert (moment["state"], moment["to_move"]) == (body["state"], body["to_move"]), version


def test_the_host_takes_back_ten_versions_plays_on_and_returns_to_the_old_branch(house: House) -> None:
    table = house.table("blockers")
    table.play_on(14)
    end = table.version
    tip = table.host.get(table.path).shown()["state"]
    kept = table.host.get(f"{table.path}/replay/{end - 10}").shown()["state"]

    undone = table.undo(end - 10)
    assert undone["version"] == end + 1
    assert undone["state"] == kept
    assert undone["events"] == [{"type": "rewound", "to": end - 10}]
    assert table.host.get(table.path).shown()["state"] == kept
    table.play_on(3)

    back = table.redo(end)
    assert back["version"] == end + 5
    assert back["state"] == tip
    assert back["events"] == [{"type": "restored", "to": end}]
    table.play_on(2)
    states_stay_as_they_were_answered(table)
    assert house.web.get(f"{table.path}/audit").shown()["ok"]
    assert house.another().web.get(table.path).shown() == house.web.get(table.path).shown()


def test_the_replay_tells_what_is_in_force_and_what_was_undone(small: House) -> None:
    table = small.table("territories")
    table.play_on(4)  # 4 5 6 7
    table.undo(5)  # 8
    table.play_on(1)  # 9
    table.redo(7)  # 10
    table.play_on(1)  # 11
    played, effective = rows(table, "played"), rows(table, "effective")
    assert [step["version"] for step in played] == list(range(1, 12))
    assert [step["version"] for step in effective] == [1, 2, 3, 4, 5, 6, 7, 10, 11]
    assert [step for step in played if step["in_force"]] == effective
    assert [step["branch"] for step in played] == [0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2]
    assert [step["turn"] for step in played] == [0, 0, 0, 1, 2, 3, 4, 2, 3, 4, 5]
    assert [step["kind"] for step in played[7:]] == ["undo", "move", "redo", "move"]
    assert played[7]["sentence"] == "The match goes back to version 5."
    assert played[9]["sentence"] == "The match returns to version 7."
    page = table.host.get(f"{table.path}/replay?after=5&limit=3").shown()
    assert ([step["version"] for step in page["steps"]], page["more"]) == ([6, 7, 10], True)
    for version, undone in ((8, True), (9, True), (10, False)):
        assert table.host.get(f"{table.path}/replay/{version}").shown()["step"]["in_force"] != undone
    states_stay_as_they_were_answered(table)


def test_undo_and_redo_without_a_target_mean_the_last_own_move_and_the_last_branch(small: House) -> None:
    table = small.table("territories", undo="free_only")
    table.play_on(3)
    last = table.players[(table.to_move[0] + 2) % 3]
    assert last.get(f"{table.path}/undo").shown() == {
        "version": 6,
        "verdict": "free",
        "reason": "Only your own moves are concerned, and nobody learned anything by them.",
        "to": 5,
        "asks": [],
        "undone": [
            {"version": 6, "seat": table.players.index(last), "sentence": rows(table, "played")[-1]["sentence"]}
        ],
        "restored": [],
        "learned": [],
    }
    assert last.get(table.path).shown()["undo"]["to"] == 5
    undone = table.took(last.post(f"{table.path}/undo"))
    assert undone["events"] == [{"type": "rewound", "to": 5}]
    redone = table.took(last.post(f"{table.path}/redo", {"to": None}))
    assert redone["events"] == [{"type": "restored", "to": 6}]
    assert redone["state"] == table.answers[6]["state"]


def test_with_free_only_ones_own_last_move_is_free_until_somebody_else_acts(small: House) -> None:
    table = small.table("territories", undo="free_only")
    table.play_on(2)
    last = table.players[(table.to_move[0] + 2) % 3]
    table.undo(4, last)
    table.redo(5, last)
    table.undo(4, last)
    table.move()
    table.move()
    before = small.dump()
    assert last.get(f"{table.path}/undo?to=4").shown()["verdict"] == "refused"
    for player in table.players:
        problem = player.post(f"{table.path}/undo", {"to": 4}).refused(409, "undo_refused")
        assert problem["detail"].startswith("Version ")
    table.host.post(f"{table.path}/undo", {"to": 3}).refused(409, "undo_refused")
    assert small.dump() == before


def test_with_free_only_a_move_that_drew_a_tile_is_never_taken_back(small: House) -> None:
    table = small.table("blockers", undo="free_only")
    last = table.mover
    table.move()
    before = small.dump()
    preview = last.get(f"{table.path}/undo").shown()
    assert (preview["verdict"], preview["to"], preview["undone"]) == ("refused", 3, [])
    assert preview["reason"] == "By version 4 somebody learned something."
    last.post(f"{table.path}/undo").refused(409, "undo_refused")
    assert small.dump() == before


def test_without_undo_nobody_takes_anything_back(small: House) -> None:
    table = small.table("territories", undo="off")
    table.play_on(2)
    before = small.dump()
    for player in table.players:
        problem = player.post(f"{table.path}/undo", {"to": 4}).refused(409, "undo_refused")
        assert problem["detail"] == "This match is played without undo."
    assert table.host.get(table.path).shown()["undo_policy"] == "off"
    assert small.dump() == before


def test_under_the_hosts_policy_others_have_only_what_is_free(small: House) -> None:
    table = small.table("territories")
    while table.mover is table.host:
        table.move()
    mover = table.mover
    table.move()
    made = table.version
    table.move()
    mover.post(f"{table.path}/undo", {"to": made - 1}).refused(409, "undo_refused")
    preview = table.host.get(f"{table.path}/undo?to=3").shown()
    assert preview["reason"] == "The host of this match may return to any version."
    table.undo(made, table.host)
    assert table.undo(made - 1, mover)["version"] == made + 3, (
        "it is the newest move in force again, and the mover's own"
    )


def test_targets_that_there_are_not_are_refused_as_what_they_are(small: House) -> None:
    table = small.table("territories")
    table.play_on(3)  # 4 5 6
    table.undo(4)  # 7
    before = small.dump()
    undo, redo = f"{table.path}/undo", f"{table.path}/redo"
    for to in (-1, 0, 1, 2, 8, 2**53 - 1):
        table.host.post(undo, {"to": to}).refused(404, "version_not_found", field="to")
        table.host.post(redo, {"to": to}).refused(404, "version_not_found", field="to")
    for to in (4, 7):
        table.host.post(undo, {"to": to}).refused(409, "nothing_to_undo", field="to")
    for to in (5, 6):
        table.host.post(undo, {"to": to}).refused(409, "not_in_force", field="to")
    for to in (3, 4, 7):
        table.host.post(redo, {"to": to}).refused(409, "in_force", field="to")
    assert small.dump() == before


@pytest.mark.parametrize("query", ["to=-1", "to=x", "to=", "to=9007199254740992", "to=1.0"])
def test_a_preview_of_a_version_that_cannot_be_is_a_400(small: House, query: str) -> None:
    table = small.table("territories")
    table.host.get(f"{table.path}/undo?{query}").refused(400, "unreadable", field="to")


def test_a_preview_says_what_the_undo_would_say(small: House) -> None:
    table = small.table("territories")
    table.play_on(5)
    table.undo(6)
    table.play_on(1)
    for to in range(table.version + 2):
        preview = table.host.get(f"{table.path}/undo?to={to}").shown()
        if preview["verdict"] == "refused":
            assert table.host.post(f"{table.path}/undo", {"to": to}).body["detail"] == preview["reason"]
        else:
            in_force = rows(table, "effective")
            lost = [step for step in in_force if step["version"] > to and step["kind"] == "move"]
            assert preview["undone"] == [{key: step[key] for key in ("version", "seat", "sentence")} for step in lost]
            assert preview["learned"] == []
            assert to in [step["version"] for step in in_force]
    assert [to for to in range(11) if table.host.get(f"{table.path}/undo?to={to}").body["verdict"] == "free"] == [
        *(3, 4, 5, 6),
        9,
    ]


def test_what_has_ended_is_final(small: House) -> None:
    resigned, finished = small.table("territories"), small.table("highest_card")
    resigned.play_on(2)
    resigned.undo(4)
    resigned.give_up()
    finished.play_to_end()
    before = small.dump()
    for table in (resigned, finished):
        for player in table.players:
            for body in ({"to": 3}, {"to": table.version}, {"to": 99}, {"to": 0}):
                player.post(f"{table.path}/undo", body).refused(409, "final")
                player.post(f"{table.path}/redo", body).refused(409, "final")
        assert table.host.get(f"{table.path}/undo?to=3").shown()["verdict"] == "refused"
        assert table.host.get(table.path).shown()["undo"] is None
    assert small.dump() == before


def test_a_spectator_takes_nothing_back(small: House) -> None:
    table = small.table("territories")
    table.play_on(2)
    zoe = small.web.enter("Zoe")
    before = small.dump()
    for path in ("undo", "redo"):
        for body in ({}, {"to": 3}, {"to": 99}):
            zoe.post(f"{table.path}/{path}", body).refused(403, "not_seated")
            small.web.post(f"{table.path}/{path}", body).refused(401, "unauthenticated")
    assert small.dump() == before


def test_nothing_to_take_back_or_bring_back_is_said(small: House) -> None:
    table = small.table("territories")
    for player in table.players:
        player.post(f"{table.path}/undo").refused(409, "undo_refused")
        player.post(f"{table.path}/redo").refused(409, "undo_refused")
        player.get(f"{table.path}/undo").refused(409, "undo_refused")
        assert player.get(table.path).shown()["undo"] is None


def test_what_is_drawn_after_an_undo_is_drawn_anew(small: House) -> None:
    table = small.table("blockers")
    seat = table.to_move[0]
    move = {"move": table.listed(seat)[0]}
    drawn = set()
    for _ in range(12):
        done = table.took(table.players[seat].post(f"{table.path}/moves", move))
        drawn.add(done["events"][0]["drawn"])
        table.undo(3)
    assert len(drawn) > 3


def test_a_match_in_which_the_host_may_return_is_not_rated(small: House) -> None:
    for policy, rated in (("host", False), ("free_only", True), ("off", True)):
        table = small.table("territories", undo=policy)
        live = table.host.get(table.path).shown()
        assert (live["undo_policy"], live["rated"]) == (policy, rated)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "seats"), [("blockers", 3), ("blockers", 2), ("territories", 4), ("highest_card", 3)])
def test_wherever_one_returns_to_the_state_is_that_versions_and_play_goes_on(
    small: House, game: str, seats: int, seed: int
) -> None:
    chance = random.Random(seed)
    table = small.table(game, seats)
    table.random = chance
    first = table.version
    views: dict[int, list[Any]] = {}
    for _ in range(16):
        if table.last["status"] != "live":
            break
        views[table.version] = seen(table)
        to = chance.randint(first, table.version)
        target = table.host.get(f"{table.path}/replay/{to}").shown()
        if chance.random() < 0.4 and target["state"] != table.host.get(table.path).shown()["state"]:
            in_force = target["step"]["in_force"]
            returned = table.undo(to) if in_force else table.redo(to)
            assert seen(table) == views[to]
            assert returned["to_move"] == table.answers[to]["to_move"]
        else:
            table.move()
    states_stay_as_they_were_answered(table)
    audit = table.host.get(f"{table.path}/audit").shown()
    assert (audit["ok"], audit["version"]) == (True, table.version)
    steps = rows(table, "played")
    assert [step for step in steps if step["in_force"]] == rows(table, "effective")
    assert small.another().web.get(table.path).data == small.web.get(table.path).data


def seen(table: Table) -> list[Any]:
    """State and moves as every seat sees them."""
    made = []
    for player in table.players:
        live = player.get(table.path).shown()
        made.append([live["state"], live["to_move"], player.get(f"{table.path}/moves").shown()["moves"]])
    return made

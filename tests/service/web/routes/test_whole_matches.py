"""Matches from the first seat to the last move, told and looked at as clients do."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import msgpack
import pytest

from service.adapters.memory.store import MemoryStore
from tests.support.backends import Backend
from tests.support.house import House
from tests.support.http import Table

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("blockers", {}),
    ("territories", {"options": {"max_rounds": 4}}),
    ("highest_card", {}),
]
games = pytest.mark.parametrize(("game", "more"), GAMES, ids=[game for game, _more in GAMES])
VIEWERS = ("all", "spectator", "0", "1", "2")


@pytest.fixture(scope="module", params=GAMES, ids=[game for game, _more in GAMES])
def ended(request: pytest.FixtureRequest, quiet: House) -> Table:
    """A match that was played to its end."""
    game, more = request.param
    table = quiet.table(game, **more)
    table.play_to_end()
    return table


def log_of(table: Table, limit: int = 500) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    more = True
    while more:
        page = table.host.get(f"{table.path}/log?after={len(rows)}&limit={limit}").shown()
        assert len(page["commits"]) <= limit
        rows += page["commits"]
        more = page["more"]
    return rows


@games
def test_three_clients_play_listed_moves_to_the_end(house: House, game: str, more: dict[str, Any]) -> None:
    table = house.table(game, **more)
    assert table.last["status"] == "live"
    assert [event["type"] for event in table.last["events"]] == ["joined", "started"]
    table.play_to_end()
    outcome = table.last["outcome"]
    assert table.last["status"] == "finished"
    assert table.last["to_move"] == []
    assert outcome["winners"]
    assert set(outcome["winners"]) <= {0, 1, 2}
    assert len(outcome["scores"]) in (0, 3)
    for who in table.readers(house.web):
        live = who.get(table.path).shown()
        assert live["state"] == table.last["state"], "everything is open after the end"
        assert (live["version"], live["status"], live["outcome"]) == (table.version, "finished", outcome)
    audit = house.web.get(f"{table.path}/audit").shown()
    assert (audit["ok"], audit["version"], len(audit["seed"])) == (True, table.version, 64)
    assert [row["version"] for row in log_of(table, limit=50)] == list(range(1, table.version + 1))
    assert table.host.get(f"{table.path}/replay/{table.version}").shown()["state"] == table.last["state"]


def test_the_log_is_contiguous_however_it_is_cut_into_pages(ended: Table) -> None:
    rows = log_of(ended)
    assert [row["version"] for row in rows] == list(range(1, ended.version + 1))
    assert log_of(ended, limit=7) == rows
    assert [row["kind"] for row in rows[:3]] == ["join", "join", "start"]
    assert {row["kind"] for row in rows[3:]} == {"move"}
    assert all(row["sentence"].strip() for row in rows)
    assert all("{" not in row["sentence"] and "Secret" not in row["sentence"] for row in rows)


def test_pages_of_log_and_replay_end_where_they_say(small: House) -> None:
    table = small.table("highest_card", 3)
    table.play_on(4)
    newest = table.version
    for part, rows in (("log", "commits"), ("replay", "steps")):
        for after in range(newest + 2):
            for limit in (1, 2, newest):
                page = small.web.get(f"{table.path}/{part}?after={after}&limit={limit}").shown()
                wanted = list(range(after + 1, newest + 1))
                assert [row["version"] for row in page[rows]] == wanted[:limit]
                assert page["more"] == (len(wanted) > limit)
        page = small.web.get(f"{table.path}/{part}?after={2**53 - 1}").shown()
        assert (page[rows], page["more"]) == ([], False)


@pytest.mark.parametrize("part", ["log", "replay"])
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=x", "limit"),
        ("limit=1.5", "limit"),
        ("limit=", "limit"),
        ("after=-1", "after"),
        ("after=9007199254740992", "after"),
        ("after=" + "9" * 5000, "after"),
    ],
)
def test_a_page_that_cannot_be_is_refused(small: House, part: str, query: str, field: str) -> None:
    table = small.table("highest_card", 2)
    small.web.get(f"{table.path}/{part}?{query}").refused(400, "unreadable", field=field)


def test_every_version_of_the_replay_answers_and_the_last_is_the_live_state(ended: Table) -> None:
    steps = ended.host.get(f"{ended.path}/replay?limit=500").shown()["steps"]
    assert [step["version"] for step in steps] == list(range(1, ended.version + 1))
    assert all(step["in_force"] and step["branch"] == 0 for step in steps)
    assert [step["turn"] for step in steps] == [0, 0, 0, *range(1, ended.version - 2)]
    for version in range(1, ended.version + 1):
        moment = ended.host.get(f"{ended.path}/replay/{version}").shown()
        assert (moment["version"], moment["as"], moment["step"]) == (version, "all", steps[version - 1])
        assert (moment["state"] is None) == (version < 3)
        assert [row["seat"] for row in moment["moves"]] == moment["to_move"]
        assert all(row["moves"] for row in moment["moves"])
    assert moment["state"] == ended.host.get(ended.path).shown()["state"]
    assert moment["outcome"] == ended.last["outcome"]


@games
def test_each_move_was_among_the_moves_that_the_replay_lists_before_it(
    small: House, game: str, more: dict[str, Any]
) -> None:
    table = small.table(game, **more)
    while table.last["status"] == "live" and table.version < 30:
        seat = table.random.choice(table.to_move)
        listed = table.listed(seat)
        moment = table.players[seat].get(f"{table.path}/replay/{table.version}").shown()
        assert moment["moves"] == [{"seat": seat, "moves": listed}]
        table.took(table.players[seat].post(f"{table.path}/moves", {"move": table.random.choice(listed)}))


@games
def test_what_a_seat_was_answered_is_what_it_sees_live_and_in_the_replay(
    small: House, game: str, more: dict[str, Any]
) -> None:
    table = small.table(game, **more)
    for _ in range(6):
        seat = table.to_move[0]
        chosen = table.random.choice(table.listed(seat))
        done = table.took(table.players[seat].post(f"{table.path}/moves", {"move": chosen}))
        live = table.players[seat].get(table.path).shown()
        moment = table.players[seat].get(f"{table.path}/replay/{table.version}").shown()
        assert done["state"] == live["state"] == moment["state"]
        assert done["to_move"] == live["to_move"] == moment["to_move"]
        (row,) = table.players[seat].get(f"{table.path}/log?after={table.version - 1}").shown()["commits"]
        assert done["events"] == row["events"]
        assert (row["seat"], row["player_id"]) == (seat, table.players[seat].id)


def test_while_a_match_runs_one_looks_over_no_other_shoulder(small: House) -> None:
    table = small.table("blockers")
    table.play_on(2)
    moment = f"{table.path}/replay/4"
    for seat, player in enumerate(table.players):
        assert player.get(moment).shown()["as"] == str(seat)
        assert player.get(f"{moment}?as={seat}").shown()["as"] == str(seat)
        assert player.get(f"{moment}?as=spectator").shown()["as"] == "spectator"
        for other in {"0", "1", "2", "all"} - {str(seat)}:
            player.get(f"{moment}?as={other}").refused(403, "forbidden")
    assert small.web.get(moment).shown() == small.web.get(f"{moment}?as=spectator").shown()
    for viewer in ("all", "0", "1", "2"):
        small.web.get(f"{moment}?as={viewer}").refused(403, "forbidden")


@pytest.mark.parametrize("viewer", ["3", "-1", "00", "ALL", "", "x" * 5000, "¹"])
def test_nobody_looks_as_a_seat_that_there_is_not(small: House, viewer: str) -> None:
    table = small.table("blockers")
    small.web.get(f"{table.path}/replay/3?as={viewer}").refused(400, "unreadable", field="as")
    table.give_up()
    small.web.get(f"{table.path}/replay/3?as={viewer}").refused(400, "unreadable", field="as")


def test_after_the_end_anybody_looks_over_every_shoulder(small: House) -> None:
    table = small.table("blockers")
    table.play_on(3)
    before = [player.get(f"{table.path}/replay/5").shown() for player in table.players]
    spectated = small.web.get(f"{table.path}/replay/5").shown()
    table.give_up(1)
    assert small.web.get(f"{table.path}/replay/5").shown()["as"] == "all"
    for seen in (*before, spectated):
        assert small.web.get(f"{table.path}/replay/5?as={seen['as']}").shown() == seen
    for viewer in VIEWERS:
        assert table.host.get(f"{table.path}/replay/5?as={viewer}").shown()["as"] == viewer


def test_the_seed_is_published_when_the_match_has_ended_and_not_before(small: House) -> None:
    table = small.table("blockers")
    table.play_on(2)
    for who in table.readers(small.web):
        audit = who.get(f"{table.path}/audit").shown()
        assert (audit["ok"], audit["seed"], len(audit["seed_commitment"])) == (True, None, 64)
    table.give_up()
    audit = small.web.get(f"{table.path}/audit").shown()
    assert bytes.fromhex(audit["seed"]) in small.entropy.given
    assert audit["head"] == table.last["receipt"]["head"]


def test_after_the_others_have_resigned_the_last_seat_wins(house: House) -> None:
    table = house.table("blockers")
    table.play_on(1)
    first = table.took(table.players[1].post(f"{table.path}/resign", {}))
    assert (first["status"], first["outcome"]) == ("live", None)
    seats = house.web.get(table.path).shown()["seats"]
    assert [seat["retired"] for seat in seats] == [None, "resigned", None]
    table.players[1].post(f"{table.path}/resign", {}).refused(409, "retired")
    done = table.give_up(0)
    assert done["outcome"] == {"winners": [2], "scores": [], "reason": "resigned", "rule": None}
    assert done["events"][0] == {"type": "retired", "seat": 0, "reason": "resigned", "due": None}
    assert (done["status"], done["to_move"]) == ("finished", [])
    table.host.post(f"{table.path}/resign", {}).refused(409, "not_live")
    assert table.host.get(f"{table.path}/moves").shown()["moves"] == []
    assert house.web.get(table.path).shown()["undo"] is None


def test_the_same_play_in_msgpack_says_the_same(small: House) -> None:
    packed = {"Content-Type": "application/msgpack", "Accept": "application/msgpack"}
    table = small.table("blockers")
    move = {"move": table.listed(table.to_move[0])[0]}
    answer = table.mover.ask("POST", f"{table.path}/moves", raw=msgpack.packb(move), headers=packed)
    assert answer.headers["Content-Type"] == "application/msgpack"
    table.took(answer)
    for path in ("", "/log", "/replay", "/replay/4", "/audit", "/moves", "/undo?to=3"):
        plain = table.host.get(table.path + path)
        other = table.host.get(table.path + path, packed)
        assert (plain.headers["Content-Type"], other.headers["Content-Type"]) == (
            "application/json",
            "application/msgpack",
        )
        assert plain.body == other.body


def test_the_catalogue_tells_every_game_with_its_rules(small: House) -> None:
    rows = small.web.get("/games").shown()["games"]
    assert {"blockers", "territories"} <= {row["game"] for row in rows}
    for row in rows:
        page = small.web.get(f"/games/{row['game']}").shown()
        assert page.items() >= row.items()
        assert all(rule["number"] and rule["text"] and rule["basis"] for rule in page["rules"])
        assert page["moves"]
        assert row["options"]["type"] == "object"
    small.web.get("/games/chess").refused(404, "game_not_found")


def test_the_list_of_matches_is_newest_first_and_filters(memory: Backend) -> None:
    small = House(replace(memory, store=MemoryStore(now=count(1).__next__)))
    first = small.table("highest_card", 2)
    second = small.table("blockers", 2)
    third = first.host.post("/matches", {"game": "highest_card", "seats": 2}).done()["match_id"]

    def listed(query: str = "") -> list[str]:
        return [row["match_id"] for row in small.web.get(f"/matches{query}").shown()["matches"]]

    assert listed() == [third, second.match_id, first.match_id]
    first.move()
    assert listed() == [first.match_id, third, second.match_id]
    assert listed("?status=open") == [third]
    assert listed("?game=blockers") == [second.match_id]
    assert listed(f"?player={first.host.id}") == [first.match_id, third]
    assert listed("?player=nobody") == []
    small.web.get("/matches?game=chess").refused(404, "game_not_found")
    page = small.web.get("/matches?limit=2").shown()
    assert ([row["match_id"] for row in page["matches"]], page["more"]) == ([first.match_id, third], True)
    assert small.web.get("/matches?limit=3").shown()["more"] is False
    for query, field in (("limit=0", "limit"), ("limit=101", "limit"), ("status=over", "status")):
        small.web.get(f"/matches?{query}").refused(400, "unreadable", field=field)

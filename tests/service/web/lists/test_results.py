"""Histories, leaderboards, statistics over HTTP."""

from __future__ import annotations

from tests.support.house import House
from tests.support.http import Table, move_and_resign
from tests.support.queries import Follow


def test_a_history_tells_result_opponents_and_what_was_asked(house: House, follow: Follow, ending: Table) -> None:
    loser, winner = ending.players
    ending.took(loser.post(f"{ending.path}/resign", {}))
    follow()
    (row,) = winner.get(f"/players/{winner.id}/matches").shown()["matches"]
    assert (row["status"], row["reason"], row["rated"], row["turns"]) == ("finished", "resigned", True, 4)
    assert [(seat["name"], seat["result"]) for seat in row["seats"]] == [("Ann", "lost"), ("Bob", "won")]
    assert all(seat["undo"] == {"asked": 0, "granted": 0, "declined": 0, "free": 0} for seat in row["seats"])


def test_a_rated_match_moves_its_players_on_the_leaderboard(house: House, follow: Follow, ending: Table) -> None:
    loser, winner = ending.players
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    ending.took(loser.post(f"{ending.path}/resign", {}))
    follow()
    rows = house.web.get("/leaderboards/blockers").shown()["players"]
    assert [(row["place"], row["name"], row["matches"]) for row in rows] == [(1, "Bob", 1), (2, "Ann", 1)]
    (rating,) = house.web.get(f"/players/{winner.id}").shown()["ratings"]
    assert rating == {name: value for name, value in rows[0].items() if name not in ("name", "player_id")}
    body = house.web.get("/leaderboards/blockers?limit=1").shown()
    assert body["more"]
    assert house.web.get("/leaderboards/blockers?after=1").shown()["players"] == rows[1:]


def test_a_match_whose_host_may_return_anywhere_is_not_rated(house: House, follow: Follow) -> None:
    table = house.table("blockers", 2, undo="host")
    table.give_up()
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []


def test_a_voided_result_is_taken_out_of_ratings_and_statistics_again(house: House, follow: Follow) -> None:
    ann, bob, judge = house.players(3)
    opened = ann.post("/matches", {"game": "blockers", "seats": 2, "arbiter": judge.id}).done()
    path = f"/matches/{opened['match_id']}"
    judge.post(f"{path}/arbiter").done()
    started = bob.post(f"{path}/seats", {"arbiter": judge.id}).done()
    move_and_resign(opened["match_id"], ann, bob)
    follow()
    assert len(house.web.get("/leaderboards/blockers").shown()["players"]) == 2
    ann.post(f"{path}/disputes", {"version": started["version"], "reason": "The deal was odd."}).done()
    judge.post(f"{path}/disputes/1/ruling", {"ruling": "void", "reason": "It was."}).done()
    follow()
    assert house.web.get("/leaderboards/blockers").shown()["players"] == []
    assert house.web.get(f"/players/{bob.id}").shown()["ratings"] == []
    assert house.web.get("/games/blockers/statistics").shown()["matches"] == 0
    (row,) = bob.get(f"/players/{bob.id}/matches").shown()["matches"]
    assert (row["status"], {seat["result"] for seat in row["seats"]}) == ("void", {None})


def test_statistics_count_finished_matches_by_how_they_went(house: House, follow: Follow, ending: Table) -> None:
    assert house.web.get("/games/blockers/statistics").shown()["matches"] == 0
    ending.give_up()
    follow()
    body = house.web.get("/games/blockers/statistics").shown()
    assert (body["matches"], body["mean_turns"], body["reasons"]) == (1, 4, {"resigned": 1})
    assert body["by_seats"] == [
        {
            "seats": 2,
            "matches": 1,
            "by_seat": [{"seat": 0, "wins": 0, "rate": 0.0}, {"seat": 1, "wins": 1, "rate": 1.0}],
        }
    ]


def test_a_player_that_there_is_not_is_not_found(house: House, follow: Follow) -> None:
    for path in ("/players/nobody", "/players/nobody/matches", "/players/%2e%2e"):
        house.web.get(path).refused(404, "player_not_found")
    house.web.get("/leaderboards/chess").refused(404, "game_not_found")
    house.web.get("/games/chess/statistics").refused(404, "game_not_found")

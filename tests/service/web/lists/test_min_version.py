"""What is read across matches waits for what an action has answered; and what there is without a worker."""

from __future__ import annotations

from threading import Timer

import pytest

from service.readmodels import queries
from tests.support.house import House
from tests.support.http import Table
from tests.support.queries import Follow, open_one


def test_a_list_waits_for_what_an_action_has_answered(house: House, follow: Follow) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    worker = Timer(0.1, follow)
    worker.start()
    body = ann.get(f"/matches?min_version={made}:1").shown()
    worker.join()
    assert body["fresh"]
    assert [row["match_id"] for row in body["matches"]] == [made]


def test_a_list_that_waited_long_enough_answers_what_it_has_and_says_so(
    house: House, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "WAIT_SECONDS", 0.05)
    ann, eve = house.players(2)
    known, unknown, private = open_one(ann), "00" + "a" * 14, open_one(ann, private=True)
    follow()
    for who, waited_for, fresh in (
        (eve, f"{known}:1", True),
        (eve, f"{known}:2", False),
        (eve, f"{unknown}:1", False),
        (eve, f"{private}:1", False),
        (ann, f"{private}:1", True),
    ):
        body = who.get(f"/matches?min_version={waited_for}").shown()
        assert (body["fresh"], known in [row["match_id"] for row in body["matches"]]) == (fresh, True)


@pytest.mark.parametrize(
    "path", ["/players/ANN/matches", "/players/ANN", "/leaderboards/blockers", "/games/blockers/statistics"]
)
def test_everything_across_matches_waits_for_what_an_action_has_answered(
    house: House, follow: Follow, ending: Table, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    ann, bob = ending.players
    follow()
    path = path.replace("ANN", ann.id)
    known = f"{ending.match_id}:{ending.took(bob.post(f'{ending.path}/resign', {}))['version']}"
    before = house.web.get(path).shown()
    worker = Timer(0.1, follow)
    worker.start()
    after = house.web.get(f"{path}?min_version={known}").shown()
    worker.join()
    assert before["fresh"]
    assert after["fresh"]
    assert before != after
    assert after == house.web.get(path).shown()
    monkeypatch.setattr(queries, "WAIT_SECONDS", 0.02)
    match_id, _colon, version = known.partition(":")
    assert not house.web.get(f"{path}?min_version={match_id}:{int(version) + 1}").shown()["fresh"]
    assert house.web.get(f"{path}?min_version={match_id}").status == 400


def test_what_is_in_no_rating_is_known_to_them_all_the_same(house: House, follow: Follow) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    follow()
    assert house.web.get(f"/leaderboards/blockers?min_version={made}:1").shown()["fresh"]


def test_without_a_worker_the_log_says_what_it_knows(house: House) -> None:
    ann, eve = house.players(2)
    made = open_one(ann, private=True)
    for who, version, fresh in ((ann, 1, True), (ann, 2, False), (eve, 1, False)):
        assert who.get(f"/matches?min_version={made}:{version}").shown()["fresh"] == fresh


def test_without_a_worker_the_lobby_is_read_from_the_log(house: House) -> None:
    ann = house.players(1)[0]
    made = open_one(ann)
    body = house.web.get("/matches").shown()
    assert [row["match_id"] for row in body["matches"]] == [made]
    assert body["counts"] is None


def test_without_a_worker_what_only_it_makes_is_not_ready(house: House) -> None:
    ann = house.players(1)[0]
    for path in (f"/players/{ann.id}", f"/players/{ann.id}/matches", "/leaderboards/blockers"):
        ann.get(path).refused(503, "not_ready")


# -- players ----------------------------------------------------------------------------------------------------------

"""Bots at their seats: every move through the command handler, once, and by what the seat sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.store import SHARDS
from service.jobs import bots as module
from service.jobs.bots import ALONE_MS, PAUSE_MS, REST_SECONDS, Bots
from tests.support import toy
from tests.support.backends import Backend
from tests.support.house import House, catalogue
from tests.support.views import read_models, worker

PAUSE = PAUSE_MS["greedy"]


class Scene:
    """A service, its read models, and the driver of its bots."""

    def __init__(self, fake: Backend) -> None:
        self.house = House(fake)
        assert fake.client is not None
        self.views = read_models(fake.client)
        vars(self.house)["parts"] = replace(self.house.parts, views=self.views)
        lease = self.views.claim("projector", 600_000)
        assert lease is not None
        self._worker = worker(fake.client, self.house.parts.store, self.views, catalogue(), lease)
        self.now = 0.0
        self.bots = self.driver()
        self.follow()

    def driver(self) -> Bots:
        return Bots(self.house.another().service.handler, self.views, lambda: self.now)

    def follow(self) -> None:
        self._worker.step(set(range(SHARDS)))

    def pass_time(self, milliseconds: int = PAUSE) -> None:
        self.house.clock.time += milliseconds
        self.now += milliseconds / 1000
        self.follow()

    def opened(self, game: str, seats: int, bots: dict[str, str], **more: Any) -> str:
        host = self.house.web.enter("Ann")
        body = {"game": game, "seats": seats, "bots": bots, **more}
        match_id: str = host.post("/matches", body).done()["match_id"]
        self.host = host
        self.follow()
        return match_id

    def shown(self, match_id: str) -> dict[str, Any]:
        return dict(self.host.get(f"/matches/{match_id}").shown())


@pytest.fixture
def scene(fake: Backend) -> Scene:
    return Scene(fake)


def play(scene: Scene, match_id: str, most: int = 2_000) -> dict[str, Any]:
    """Plays to the end: the host makes its first legal move, the bots theirs."""
    for _ in range(most):
        shown = scene.shown(match_id)
        if shown["status"] != "live":
            return shown
        if 0 in shown["to_move"]:
            moves = scene.host.get(f"/matches/{match_id}/moves").shown()["moves"]
            scene.host.post(f"/matches/{match_id}/moves", {"move": moves[0]}).done()
            scene.follow()
        scene.pass_time()
        scene.bots.step()
    return scene.shown(match_id)


@pytest.mark.parametrize(
    ("game", "seats"), [("territories", 2), ("blockers", 3), ("block_happy", 2), ("cock_block", 2)]
)
def test_bots_play_at_every_game_and_every_move_is_decided_again(scene: Scene, game: str, seats: int) -> None:
    levels = {str(seat): ("greedy", "random")[seat % 2] for seat in range(1, seats)}
    match_id = scene.opened(game, seats, levels)
    play(scene, match_id, 60)
    log = scene.host.get(f"/matches/{match_id}/log?limit=500").shown()["commits"]
    moved = {row["player_id"] for row in log if row["kind"] == "move"}
    assert moved >= {f"bot:{level}:{seat}" for seat, level in levels.items()}
    assert scene.host.get(f"/matches/{match_id}/audit").shown()["ok"]


def test_a_bot_waits_for_its_pause_and_moves_once_however_many_drivers_there_are(scene: Scene) -> None:
    match_id = scene.opened("territories", 2, {"1": "greedy"}, options={"first_seat": 1})
    before = scene.shown(match_id)["version"]
    scene.pass_time(PAUSE - 1)
    assert scene.bots.step() > 0
    assert scene.shown(match_id)["version"] == before
    scene.pass_time(1)
    others = [scene.driver() for _ in range(3)]
    for bots in (scene.bots, *others):
        bots.step()
    assert scene.shown(match_id)["version"] == before + 1


def test_a_bot_that_is_killed_in_a_move_makes_the_same_one_again(scene: Scene) -> None:
    match_id = scene.opened("territories", 2, {"1": "random"}, options={"first_seat": 1})
    scene.pass_time()
    match = scene.house.service.matches.fresh(match_id).match
    first, second = scene.driver(), scene.driver()
    plans = [bots._plan(match_id, match.at) for bots in (first, second)]
    assert plans[0] == plans[1]
    for bots, plan in zip((first, second), plans, strict=True):
        assert plan is not None
        assert bots._carry_out(match_id, plan) is None
    assert scene.shown(match_id)["version"] == match.version + 1


def test_a_bot_at_a_private_match_plays_too(scene: Scene) -> None:
    match_id = scene.opened("territories", 2, {"1": "greedy"}, options={"first_seat": 1}, private=True)
    before = scene.shown(match_id)["version"]
    scene.pass_time()
    scene.bots.step()
    assert scene.shown(match_id)["version"] == before + 1


def test_a_bot_that_fails_makes_a_random_move(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "LEVELS", {"greedy": broken, "random": broken})
    match_id = scene.opened("territories", 2, {"1": "greedy"}, options={"first_seat": 1})
    before = scene.shown(match_id)["version"]
    scene.pass_time()
    scene.bots.step()
    assert scene.shown(match_id)["version"] == before + 1


def test_a_stand_in_plays_on_for_a_seat_that_has_retired(scene: Scene) -> None:
    players = scene.house.players(3)
    table = scene.house.table("territories", 3)
    del players
    for player in table.players[:1]:
        table.play_on(3)
        table.took(player.post(f"{table.path}/resign", {}))
    scene.host = table.players[1]
    scene.follow()
    assert table.to_move == [0] or table.play_on(1) is None
    for _ in range(3):
        shown = scene.shown(table.match_id)
        if shown["to_move"] == [0]:
            break
        seat = shown["to_move"][0]
        moves = table.players[seat].get(f"{table.path}/moves").shown()["moves"]
        table.players[seat].post(f"{table.path}/moves", {"move": moves[0]}).done()
    before = scene.shown(table.match_id)["version"]
    scene.pass_time()
    scene.bots.step()
    step = scene.host.get(f"{table.path}/log?limit=500").shown()["commits"][-1]
    assert (step["version"], step["player_id"], step["seat"]) == (before + 1, "bot:greedy:0", 0)


def test_bots_among_themselves_take_their_time(scene: Scene) -> None:
    match_id = scene.opened("territories", 3, {"1": "greedy", "2": "greedy"}, options={"first_seat": 0})
    moves = scene.host.get(f"/matches/{match_id}/moves").shown()["moves"]
    scene.host.post(f"/matches/{match_id}/moves", {"move": moves[0]}).done()
    scene.host.post(f"/matches/{match_id}/resign", {}).done()
    before = scene.shown(match_id)["version"]
    scene.pass_time(ALONE_MS - 1)
    scene.bots.step()
    assert scene.shown(match_id)["version"] == before
    scene.pass_time(1)
    scene.bots.step()
    assert scene.shown(match_id)["version"] == before + 1


def test_a_match_that_cannot_be_played_is_left_alone_for_a_while(scene: Scene) -> None:
    match_id = scene.opened("territories", 2, {"1": "greedy"}, options={"first_seat": 1})
    before = scene.shown(match_id)["version"]
    scene.house.service.matches.store.quarantine(match_id, b"1 altered It was a test.")
    scene.pass_time()
    scene.bots._handler.matches.follow_quarantine(match_id)
    scene.bots.step()
    assert match_id in scene.bots._resting
    assert scene.house.service.matches.store.release(match_id)
    scene.bots._handler.matches.follow_quarantine(match_id)
    scene.pass_time(round(REST_SECONDS * 1000) + 1)
    scene.bots.step()
    assert scene.shown(match_id)["version"] == before + 1


def test_what_a_seat_remembers_follows_the_versions_in_force(scene: Scene) -> None:
    """A game that counts the events that its seat has seen."""

    def count(memory: Any, _state: Any, _event: Any, _seat: int) -> int:
        return (memory or 0) + 1

    counting = replace(toy.GAME, remember=count)
    house = House(scene.house.backend, games={counting.id: counting})
    table = house.table(counting.id, 2, undo="host", options={"hand": 3, "peek": False})
    bots = Bots(house.service.handler, scene.views, lambda: 0.0)
    table.play_on(2)
    match = house.service.matches.fresh(table.match_id).match
    first = bots._memory(match, 0)
    assert first >= 2
    table.play_on(1)
    longer = house.service.matches.fresh(table.match_id).match
    assert bots._memory(longer, 0) == first + len(table.last["events"])
    table.undo(match.version)
    assert bots._memory(house.service.matches.fresh(table.match_id).match, 0) == first

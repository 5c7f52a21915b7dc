"""A log that cannot be reached, an answer that gets lost on the way, a race that is lost for ever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.store import Appended, Conflict, Entry, Sealing, Store, Stored, UnavailableError, Unsealed
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from tests.support.backends import Backend, in_memory, on_server
from tests.support.house import House
from tests.support.processes import crash
from tests.support.scene import POSTS, Scene

KEY = {"Idempotency-Key": "the key"}
ACTIONS = [name for name in POSTS if name != "players"]


class Network:
    """The way to a log, on which things happen."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.down = False
        self.lose_answers = 0
        """Of so many appends to come the answer does not arrive, though they are done."""
        self.drop_appends = 0
        """So many appends to come do not arrive."""
        self.cut_after_loss = False
        """Whether the way is cut when an answer is lost, so that nobody can look whether it was done."""
        self.others = 0
        """Before so many appends to come somebody else is faster and nothing is told of it."""

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        self._check()
        if self.drop_appends:
            self.drop_appends -= 1
            raise UnavailableError
        if self.others:
            self.others -= 1
            return Conflict(())
        done = self._store.append(match_id, entry, previous, seed, sealing)
        if self.lose_answers:
            self.lose_answers -= 1
            self.down = self.cut_after_loss
            raise UnavailableError
        return done

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        self._check()
        return self._store.read(match_id, after, limit)

    def read_each(self, after: Mapping[str, int], limit: int) -> Mapping[str, Sequence[Entry]]:
        self._check()
        return self._store.read_each(after, limit)

    def seed(self, match_id: str) -> bytes | None:
        self._check()
        return self._store.seed(match_id)

    def whole(self, match_id: str, after: int = 0) -> Stored:
        self._check()
        return self._store.whole(match_id, after)

    def changes(self, shard: int, since: int = 0, limit: int | None = None) -> Any:
        self._check()
        return self._store.changes(shard, since, limit)

    def newest(self, limit: int) -> Any:
        self._check()
        return self._store.newest(limit)

    def protocol(self) -> int:
        self._check()
        return self._store.protocol()

    def raise_protocol(self, protocol: int) -> None:
        self._check()
        self._store.raise_protocol(protocol)

    def __getattr__(self, name: str) -> Any:
        self._check()
        return getattr(self._store, name)

    def _check(self) -> None:
        if self.down:
            raise UnavailableError


@pytest.fixture
def network() -> Network:
    return Network(in_memory().store)


@pytest.fixture
def shaky(network: Network) -> House:
    """A service whose way to the log can be disturbed."""
    return House(in_memory(), store=network)


def count(network: Network, match_id: str) -> int:
    return len(network._store.read(match_id))


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_whose_answer_was_lost_on_the_way_is_answered_as_done(
    shaky: House, network: Network, name: str
) -> None:
    target = Scene.of(shaky).target(name)
    network.lose_answers = 1
    first = target.post(headers=KEY)
    done = first.done()
    assert count(network, done["match_id"]) == done["version"]
    assert target.post(headers=KEY).data == first.data
    assert count(network, done["match_id"]) == done["version"]


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_that_did_not_arrive_is_a_503_and_can_be_sent_again(
    shaky: House, network: Network, name: str
) -> None:
    target = Scene.of(shaky).target(name)
    network.drop_appends = 2
    problem = target.post(headers=KEY)
    problem.refused(503, "unavailable")
    assert problem.headers["Retry-After"] == "1"
    *_, last = (target.post(headers=KEY) for _ in range(2))
    done = last.done()
    assert count(network, done["match_id"]) == done["version"]


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_that_did_not_arrive_the_first_time_is_sent_again_by_the_service_itself(
    shaky: House, network: Network, name: str
) -> None:
    target = Scene.of(shaky).target(name)
    network.drop_appends = 1
    done = target.post(headers=KEY).done()
    assert network.drop_appends == 0
    assert count(network, done["match_id"]) == done["version"]


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_of_which_nobody_knows_is_a_503_and_is_found_done_when_it_is_sent_again(
    shaky: House, network: Network, name: str
) -> None:
    target = Scene.of(shaky).target(name)
    network.lose_answers, network.cut_after_loss = 1, True
    target.post(headers=KEY).refused(503, "unavailable")
    target.post(headers=KEY).refused(503, "unavailable")
    network.down = False
    done = target.post(headers=KEY).done()
    assert count(network, done["match_id"]) == done["version"], "it was done once"
    assert target.player.post(target.path, target.body, KEY).body == done


def test_while_the_log_is_away_everything_that_needs_it_is_a_503(shaky: House, network: Network) -> None:
    scene = Scene.of(shaky)
    targets = [target for target in scene.targets() if target.path != "/players"]
    network.down = True
    for target in targets:
        target.post().refused(503, "unavailable")
    for part in ("", "/moves", "/log", "/replay", "/replay/3", "/undo", "/audit"):
        answer = scene.running.host.get(scene.running.path + part)
        answer.refused(503, "unavailable")
        assert answer.headers["Retry-After"] == "1"
    shaky.web.get("/matches").refused(503, "unavailable")
    assert shaky.web.get("/games").status == shaky.web.get("/healthz").status == 200
    network.down = False
    assert scene.running.host.get(scene.running.path).shown()["version"] == scene.running.version
    for target in targets[:2]:
        target.post().done()


def test_readiness_is_what_the_log_says() -> None:
    there = [True]
    house = House(in_memory(), ready=lambda: there[0])
    assert house.web.get("/readyz").shown() == {"status": "ready"}
    there[0] = False
    house.web.get("/readyz").refused(503, "unavailable")
    assert house.web.get("/healthz").shown() == {"status": "ok"}


def test_losing_some_races_goes_unnoticed_and_losing_all_is_a_429(shaky: House, network: Network) -> None:
    table = shaky.table("highest_card")
    network.others = 5
    table.move()
    assert network.others == 0
    network.others = 1000
    seat = table.to_move[0]
    move = {"move": table.listed(seat)[0]}
    busy = table.players[seat].post(f"{table.path}/moves", move)
    busy.refused(429, "busy")
    assert busy.headers["Retry-After"] == "1"
    assert 0 < network.others < 1000
    network.others = 0
    table.took(table.players[seat].post(f"{table.path}/moves", move))
    assert count(network, table.match_id) == table.version


@pytest.fixture
def server_of_mine(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """One that a test may break."""
    with EmbeddedServer(tmp_path / "store") as running:
        yield running


@pytest.fixture
def standing(server_of_mine: EmbeddedServer) -> Iterator[Backend]:
    client = connect(server_of_mine.url)
    yield on_server(client)
    client.close()


def test_a_killed_server_is_a_503_and_all_is_there_again_when_it_is_back(
    server_of_mine: EmbeddedServer, standing: Backend
) -> None:
    house = House(standing)
    table = house.table("blockers")
    table.play_on(4)
    before = [player.get(table.path).data for player in table.players]
    move = {"move": table.listed(table.to_move[0])[0]}
    crash(server_of_mine)
    for _ in range(2):
        table.mover.post(f"{table.path}/moves", move, KEY).refused(503, "unavailable")
        table.host.get(table.path).refused(503, "unavailable")
        house.web.post("/players", {"name": "Fay"}).refused(503, "unavailable")
        house.web.get("/matches").refused(503, "unavailable")
    server_of_mine.start()
    assert [player.get(table.path).data for player in table.players] == before
    assert [player.at(house.another().web).get(table.path).data for player in table.players] == before
    table.took(table.mover.post(f"{table.path}/moves", move, KEY))
    assert table.version == 8
    table.play_on(2)
    assert house.web.get(f"{table.path}/audit").shown()["ok"]

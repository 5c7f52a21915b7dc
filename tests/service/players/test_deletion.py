"""A player who leaves is gone in every web process at once: token, name, and the name in streams that are open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gevent import GreenletExit
from gevent.event import Event

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.memory.players import MemoryPlayers
from service.adapters.redis.client import connect
from service.adapters.redis.notifications import LOST
from service.ports.players import Credential
from service.problems import ProblemError
from service.web.app import build_service
from service.web.background import keep_running
from tests.support.curl import Curl, Seat, opened
from tests.support.house import House, catalogue
from tests.support.processes import within
from tests.support.projecting import work
from tests.support.serving import served

NAME = "Annabella"


def test_nothing_remembers_who_has_left(tmp_path: Path, server: EmbeddedServer) -> None:
    """Two processes of one house; the player leaves by one of them."""
    (tmp_path / "other").mkdir()
    with (
        served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (here, _pids),
        served(tmp_path / "other", server.url, FOLDTABLE_WEB_WORKERS="1") as (there, _pids_there),
    ):
        ann, bob = Seat(here, NAME), Seat(here, "Bob")
        path, _first = opened([ann, bob])
        ports = (here, there)
        watching = [Curl(port, path, last=0) for port in ports]
        assert all(NAME in repr(curl.take(2)) for curl in watching)
        assert all(NAME in shown(port, path) for port in ports)
        assert {status(port, ann.token, path) for port in ports} == {200}

        assert Connection(here, ann.token).delete("/api/v1/players/me")[0] == 200
        assert within(1, lambda: not any(NAME in shown(port, path) for port in ports))
        assert within(1, lambda: {status(port, ann.token, path) for port in ports} == {401})
        again = [Curl(port, path, last=0) for port in ports]
        assert not any(NAME in repr(curl.take(2)) for curl in again)
        bob.post(f"{path}/resign", {})
        for curl in (*watching, *again):
            assert NAME not in repr(curl.take(1))
            curl.close()


def test_open_streams_of_who_has_left_end(tmp_path: Path, server: EmbeddedServer) -> None:
    with served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (port, _pids):
        ann, bob = Seat(port, NAME), Seat(port, "Bob")
        path, _first = opened([ann, bob])
        work(connect(server.url))
        watching = [Curl(port, path, ann.token), Curl(port, "/lobby", ann.token)]
        for curl in watching:
            curl.take(1)
        others = Curl(port, path, bob.token)
        others.take(1)
        Connection(port, ann.token).delete("/api/v1/players/me")
        bob.post(f"{path}/resign", {})
        assert [event.data["kind"] for event in others.take(1)] == ["resign"]
        for curl in watching:
            assert curl.take(3) == []
            curl.close()
        others.close()


def test_every_stream_of_everybody_who_leaves_ends_in_every_process(tmp_path: Path, server: EmbeddedServer) -> None:
    """One after another, each with streams on many matches: who hears of it must go on hearing."""
    with served(tmp_path, server.url) as (port, _pids):
        bob = Seat(port, "Bob")
        for _leaver in range(4):
            ann = Seat(port, NAME)
            paths = [opened([ann, bob])[0] for _ in range(8)]
            watching = [Curl(port, path, ann.token) for path in paths]
            for curl in watching:
                curl.take(1)
            Connection(port, ann.token).delete("/api/v1/players/me")
            assert [curl.take(1) for curl in watching] == [[]] * len(watching)
            assert within(1, lambda token=ann.token: {status(port, token, "/matches") for _ in range(8)} == {401})  # type: ignore[misc]
            assert within(1, lambda path=paths[0]: not any(NAME in shown(port, path) for _ in range(4)))  # type: ignore[misc]
            for curl in watching:
                curl.close()


def test_a_revoked_token_is_good_for_nothing_in_any_process_and_a_new_name_shows_in_all(
    tmp_path: Path, server: EmbeddedServer
) -> None:
    (tmp_path / "other").mkdir()
    with (
        served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (here, _pids),
        served(tmp_path / "other", server.url, FOLDTABLE_WEB_WORKERS="1") as (there, _pids_there),
    ):
        ann, bob = Seat(here, "Ann"), Seat(here, "Bob")
        path, _first = opened([ann, bob])
        phone = ann.post("/players/me/tokens", {})
        assert {status(port, phone["token"], path) for port in (here, there)} == {200}
        assert all("Annalena" not in shown(port, path) for port in (here, there))
        assert Connection(here, ann.token).delete(f"/api/v1/players/me/tokens/{phone['token_id']}")[0] == 200
        assert within(1, lambda: {status(port, phone["token"], path) for port in (here, there)} == {401})
        assert {status(port, ann.token, path) for port in (here, there)} == {200}
        renamed = Connection(here, ann.token).patch("/api/v1/players/me", {"name": f"Annalena {here}"})
        assert renamed[0] == 200
        assert within(1, lambda: all("Annalena" in shown(port, path) for port in (here, there)))


class Said:
    """What is heard, told by a test."""

    def __init__(self, *said: str | None) -> None:
        self._said = said

    def heard(self) -> Iterator[str | None]:
        yield from self._said


def test_who_may_have_missed_a_departure_asks_for_everything_anew(house: House) -> None:
    parts = build_service(house.parts, catalogue())
    made = parts.accounts.create(NAME)
    player, asking = made.player, f"Bearer {made.token}"
    assert parts.tokens.caller(asking) is not None
    assert parts.names.of([player.id]) == {player.id: NAME}
    house.parts.players.forget(player.id)
    parts.deletions.listen(Said(None, "somebody-else", None))
    assert parts.tokens.caller(asking) is not None
    assert parts.names.of([player.id]) == {player.id: NAME}
    parts.deletions.listen(Said(LOST))
    assert parts.names.of([player.id]) == {}
    with pytest.raises(ProblemError):
        parts.tokens.caller(asking)


class Slow(MemoryPlayers):
    """Lets something happen while it is being asked."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] = lambda: None

    def token(self, player_id: str, token_id: str) -> Credential | None:
        found = super().token(player_id, token_id)
        self.meanwhile()
        return found

    def names(self, ids: Collection[str]) -> dict[str, str]:
        found = super().names(ids)
        self.meanwhile()
        return found


def test_what_was_asked_for_before_somebody_left_is_not_remembered_after_it(house: House) -> None:
    players = Slow()
    parts = build_service(replace(house.parts, players=players), catalogue())
    made = parts.accounts.create(NAME)
    player, token, kept = made.player, made.token, players.get(made.player.id)

    def leave() -> None:
        players.meanwhile = lambda: None
        parts.accounts.forget(player.id)
        parts.deletions.invalidate(player.id)

    for ask in (lambda: parts.names.of([player.id]), lambda: parts.tokens.caller(f"Bearer {token}")):
        players._players[player.id] = kept
        players.meanwhile = leave
        assert ask()
        assert parts.names.of([player.id]) == {}
        with pytest.raises(ProblemError):
            parts.tokens.caller(f"Bearer {token}")


def test_work_that_breaks_off_begins_anew() -> None:
    begun = list[int]()
    enough = Event()

    def work() -> None:
        begun.append(len(begun))
        if len(begun) == 3:
            enough.set()
            raise GreenletExit  # Otherwise it would go on, and write into the logs of all tests after this one.
        raise RuntimeError("it broke")

    keep_running("testing", work, rest=0.001)
    assert enough.wait(5)
    assert begun[:3] == [0, 1, 2]


def shown(port: int, path: str) -> str:
    """What a stranger reads of the match."""
    connection = Connection(port)
    return connection.get(f"/api/v1{path}")[1].decode() + connection.get(f"/api/v1{path}/log")[1].decode()


def status(port: int, token: str, path: str) -> int:
    return Connection(port, token).get(f"/api/v1{path}")[0]

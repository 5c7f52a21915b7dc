"""``GET /lobby/stream``: the lobby as it changes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from werkzeug.test import Client

from domain.store import SHARDS
from service.adapters.redis_views import RedisViews
from service.worker import Worker
from tests.contracts.backends import Backend
from tests.service.house import House, catalogue
from tests.support.http import API, Player, Web
from tests.support.sse import Event, events


class Lobby:
    """A house whose lists are kept, and its open streams."""

    def __init__(self, backend: Backend) -> None:
        assert backend.client is not None
        self.house = House(backend)
        views = RedisViews(backend.client)
        vars(self.house)["parts"] = replace(self.house.parts, views=views, poll=0.005)
        lease = views.claim("projector", 600_000)
        assert lease is not None
        self._worker = Worker(self.house.parts.store, views, catalogue(), lease)
        self._open: list[Any] = []
        self.web = Web(self.house.app)
        self.follow()

    def follow(self) -> None:
        self._worker.step(set(range(SHARDS)))

    def watch(
        self, who: Player | None = None, query: str = "", headers: Mapping[str, str] | None = None
    ) -> Iterator[Event]:
        given = (who.authorization if who else {}) | dict(headers or {})
        answer = Client(self.house.app).open(f"{API}/lobby/stream{query}", headers=given)
        assert answer.status_code == 200, answer.get_data()
        self._open.append(answer)
        return events(answer.iter_encoded())

    def close(self) -> None:
        for answer in self._open:
            answer.close()


@pytest.fixture
def lobby(fake: Backend) -> Iterator[Lobby]:
    made = Lobby(fake)
    yield made
    made.close()


def opened(host: Player, **more: Any) -> str:
    return str(host.post("/matches", {"game": "blockers", "seats": 2, **more}).done()["match_id"])


def told(stream: Iterator[Event], count: int) -> list[str]:
    return [event.data["match_id"] for event in islice(stream, count)]


def test_it_begins_with_the_lobby_as_it_is_and_goes_on_with_every_change(lobby: Lobby) -> None:
    ann, bob = lobby.web.enter("Ann"), lobby.web.enter("Bob")
    first = opened(ann)
    lobby.follow()
    stream = lobby.watch()
    beginning = next(stream)
    assert beginning.name == "lobby"
    page = lobby.web.get("/matches").shown()
    assert beginning.data == {name: value for name, value in page.items() if name != "fresh"}
    second = opened(ann)
    lobby.follow()
    assert told(stream, 1) == [second]
    bob.post(f"/matches/{first}/seats", {}).done()
    lobby.follow()
    change = next(stream)
    assert (change.name, change.data["match_id"], change.data["status"]) == ("match", first, "live")
    assert change.data == lobby.web.get("/matches?status=live").shown()["matches"][0]


def test_it_goes_on_where_its_reader_was_with_each_match_as_it_is_now(lobby: Lobby) -> None:
    ann, bob = lobby.web.enter("Ann"), lobby.web.enter("Bob")
    first = opened(ann)
    lobby.follow()
    stream = lobby.watch()
    known = next(stream).id
    second = opened(ann)
    bob.post(f"/matches/{first}/seats", {}).done()
    lobby.follow()
    opened_third = opened(ann)
    bob.post(f"/matches/{second}/seats", {}).done()
    lobby.follow()
    again = lobby.watch(headers={"Last-Event-ID": str(known)})
    changes = list(islice(again, 3))
    assert {change.data["match_id"] for change in changes} == {first, second, opened_third}
    assert [change.id for change in changes] == sorted(change.id for change in changes)
    assert {change.data["status"] for change in changes} == {"live", "open"}


def test_its_numbers_tell_nothing_of_private_matches(lobby: Lobby) -> None:
    """They are times: a moment ago at the beginning, and how long a change took to come is no count of others."""
    ann = lobby.web.enter("Ann")
    opened(ann)
    lobby.follow()
    for _ in range(3):
        before = time.time_ns() // 1000
        opened(ann, private=True)
        lobby.follow()
        first = next(lobby.watch())
        assert before - 60_000_000 <= first.id <= time.time_ns() // 1000 - 60_000_000
    again = next(lobby.watch(headers={"Last-Event-ID": "0"}))
    assert again.name == "lobby"
    later = next(lobby.watch(headers={"Last-Event-ID": str(time.time_ns())}))
    assert later.name == "lobby"


def test_private_matches_are_told_to_those_who_belong_to_them(lobby: Lobby) -> None:
    ann, eve = lobby.web.enter("Ann"), lobby.web.enter("Eve")
    streams = [lobby.watch(who) for who in (ann, eve, None)]
    for stream in streams:
        next(stream)
    private = opened(ann, private=True)
    public = opened(ann)
    for _ in range(2):
        lobby.follow()
    expected = [{private, public}, {public}, {public}]
    assert [set(told(stream, len(matches))) for stream, matches in zip(streams, expected, strict=True)] == expected


def test_only_one_game_if_asked_for(lobby: Lobby) -> None:
    ann = lobby.web.enter("Ann")
    stream = lobby.watch(query="?game=territories")
    next(stream)
    opened(ann)
    wanted = opened(ann, game="territories")
    lobby.follow()
    assert told(stream, 1) == [wanted]


def test_a_number_that_never_was_begins_anew(lobby: Lobby) -> None:
    assert next(lobby.watch(headers={"Last-Event-ID": "999"})).name == "lobby"


def test_without_lists_there_is_nothing_to_watch(small: House) -> None:
    Web(small.app).get("/lobby/stream").refused(503, "not_ready")

"""Notifications that read models have changed, one listener for everybody who waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Queue

import fakeredis
import pytest

from service.adapters.redis.notifications import READ_MODELS_CHANNEL, RedisNotifications
from service.adapters.redis.store import RedisStore
from service.ports.readmodels import LOBBY
from service.readmodels import queries
from service.readmodels.changes import Changes
from service.readmodels.queries import Known, Queries
from tests.support.processes import within
from tests.support.projecting import playings, work
from tests.support.views import append, read_models


def in_a_thread(listen: Callable[[], None]) -> None:
    threading.Thread(target=listen, daemon=True).start()


class Said:
    """Notifications that a test sends."""

    def __init__(self) -> None:
        self.queue: Queue[str | None] = Queue()
        self.listeners = 0

    def heard(self) -> Iterator[str | None]:
        self.listeners += 1
        while True:
            yield self.queue.get()


def test_everybody_who_waits_is_woken_by_one_listener() -> None:
    said, heard = Said(), list[str]()
    changes = Changes(said, in_a_thread)
    assert said.listeners == 0
    changes.follow(heard.append)
    waiting = [changes.next() for _ in range(3)]
    said.queue.put(None)
    assert not waiting[0].wait(0.05)
    said.queue.put(LOBBY)
    assert all(event.wait(5) for event in waiting)
    assert within(5, lambda: heard == [LOBBY])
    assert not changes.next().is_set()
    assert said.listeners == 1


@pytest.fixture
def client() -> fakeredis.FakeRedis:
    return fakeredis.FakeRedis()


@pytest.mark.parametrize("name", ["lobby", "ratings"])
def test_a_read_waits_for_a_notification_and_not_for_the_next_slow_look(
    client: fakeredis.FakeRedis, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "SLOW_LOOK_SECONDS", 60.0)
    monkeypatch.setattr(queries, "WAIT_SECONDS", 60.0)
    store, playing = RedisStore(client), playings()[0]
    end = len(playing.entries)
    append(store, playing, 0, end - 1)
    work(client)
    lists = Queries(read_models(client), Changes(RedisNotifications(client, READ_MODELS_CHANNEL), in_a_thread))
    known, fresh = Known(playing.match_id, end), list[bool]()
    reader = threading.Thread(target=lambda: fresh.append(lists.knows(name, known, None)), daemon=True)
    reader.start()
    assert within(5, lambda: client.pubsub_numpat() == 1)
    append(store, playing, end - 1, end)
    work(client)
    reader.join(10)
    assert fresh == [True]


def test_every_write_that_makes_a_read_model_fresh_is_announced(client: fakeredis.FakeRedis) -> None:
    store, views = RedisStore(client), read_models(client)
    append(store, playings()[0], 0, len(playings()[0].entries))
    channel = client.pubsub()  # type: ignore[no-untyped-call]
    channel.subscribe(READ_MODELS_CHANNEL)
    assert channel.get_message(timeout=1)["type"] == "subscribe"
    work(client)
    said = set()
    while (message := channel.get_message(timeout=0.1)) is not None:
        said.add(message["data"])
    assert said == {b"lobby", b"ratings", b"generations"}
    assert views.marks(views.generations("serving")["ratings"]) == {}

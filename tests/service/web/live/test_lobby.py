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
from service.adapters.system import SystemClock
from tests.support.backends import Backend
from tests.support.house import House, catalogue
from tests.support.http import API, Player, Web
from tests.support.sse import Event, events
from tests.support.views import read_models, worker


class Lobby:
    """A house whose lists are kept, and its open streams."""

    def __init__(self, backend: Backend) -> None:
        assert backend.client is not None
        self.house = House(backend)
        views = read_models(backend.client)
        # The numbers of changes are times of this machine, and so must those of leaving be.
        vars(self.house)["parts"] = replace(self.house.parts, views=views, poll=0.005, clock=SystemClock())
        lease = views.claim("projector", 600_000)
        assert lease is not None
        self._worker = worker(backend.client, self.house.parts.store, views, catalogue(), lease)
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


class Leaving:
    """A private match that Bob joins and leaves again, while he watches."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.ann, self.bob = lobby.web.enter("Ann"), lobby.web.enter("Bob")
        made = self.ann.post("/matches", {"game": "blockers", "seats": 3, "private": True}).done()
        self.match_id, self.path = made["match_id"], f"/matches/{made['match_id']}"
        self.invite = {"Foldtable-Invite": made["invite"]}

    def join(self, who: Player) -> None:
        who.post(f"{self.path}/seats", {}, self.invite).done()
        self.lobby.follow()

    def leave(self) -> None:
        self.bob.delete(f"{self.path}/seats/1").done()
        self.lobby.follow()


def kinds(stream: Iterator[Event], until: str) -> list[tuple[str, str]]:
    """What is told, up to the card of a match."""
    found = list[tuple[str, str]]()
    while not found or found[-1][1] != until:
        event = next(stream)
        found.append((event.name, event.data["match_id"]))
    return found


def test_who_leaves_a_private_match_is_told_once_that_it_is_gone(lobby: Lobby) -> None:
    at = Leaving(lobby)
    early, stranger = lobby.watch(at.bob), lobby.watch()
    assert next(early).data["matches"] == next(stranger).data["matches"] == []
    at.join(at.bob)
    assert kinds(early, at.match_id) == [("match", at.match_id)]
    late = lobby.watch(at.bob)
    assert [card["match_id"] for card in next(late).data["matches"]] == [at.match_id]
    at.leave()
    assert kinds(early, at.match_id) == kinds(late, at.match_id) == [("gone", at.match_id)]
    for player in (lobby.web.enter("Cat"), lobby.web.enter("Dan")):
        at.join(player)
    end = opened(at.ann)
    lobby.follow()
    assert kinds(early, end) == kinds(late, end) == kinds(stranger, end) == [("match", end)]


def test_who_was_away_when_it_left_is_told_on_coming_back(lobby: Lobby) -> None:
    at = Leaving(lobby)
    at.join(at.bob)
    strangers, bobs = lobby.watch(), lobby.watch(at.bob)
    known, beginning = next(strangers).id, next(bobs)
    assert [card["match_id"] for card in beginning.data["matches"]] == [at.match_id]
    at.leave()
    at.join(lobby.web.enter("Cat"))
    end = opened(at.ann)
    lobby.follow()
    again = lobby.watch(at.bob, headers={"Last-Event-ID": str(beginning.id)})
    first = next(again)
    assert (first.name, first.data, first.id) == ("gone", {"match_id": at.match_id}, beginning.id)
    assert kinds(again, end) == [("match", end)]
    end = opened(at.ann, game="territories")
    lobby.follow()
    for who, query in ((None, ""), (at.bob, "?game=territories")):
        other = lobby.watch(who, query, {"Last-Event-ID": str(known)})
        assert "gone" not in [name for name, _match in kinds(other, end)]


def test_who_comes_back_to_its_seat_is_told_nothing_of_having_been_gone(lobby: Lobby) -> None:
    at = Leaving(lobby)
    at.join(at.bob)
    beginning = next(lobby.watch(at.bob))
    at.leave()
    at.join(at.bob)
    again = lobby.watch(at.bob, headers={"Last-Event-ID": str(beginning.id)})
    assert kinds(again, at.match_id) == [("match", at.match_id)]


def test_a_private_match_comes_to_its_arbiter_once_it_accepts_and_goes_when_it_resigns(lobby: Lobby) -> None:
    ann, judge = lobby.web.enter("Ann"), lobby.web.enter("Ida")
    stream = lobby.watch(judge)
    beginning = next(stream)
    private, public = opened(ann, private=True, arbiter=judge.id), opened(ann)
    lobby.follow()
    assert kinds(stream, public) == [("match", public)]
    judge.post(f"/matches/{private}/arbiter").done()
    lobby.follow()
    assert kinds(stream, private) == [("match", private)]
    accepted = next(lobby.watch(judge))
    judge.delete(f"/matches/{private}/arbiter").done()
    lobby.follow()
    assert kinds(stream, private) == [("gone", private)]
    again = lobby.watch(judge, headers={"Last-Event-ID": str(accepted.id)})
    assert next(again).name == "gone"
    assert beginning.data["matches"] == []


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


def test_a_deletion_that_nobody_heard_of_is_found_out(lobby: Lobby) -> None:
    ann, bob = lobby.web.enter("Ann"), lobby.web.enter("Bob")
    gone, other = lobby.watch(ann), lobby.watch(bob)
    assert [next(stream).name for stream in (gone, other)] == ["lobby", "lobby"]
    lobby.house.parts.players.forget(ann.id)
    lobby.house.app.extensions["foldtable"].deletions.invalidate(None)
    assert list(gone) == []
    match_id = opened(bob)
    lobby.follow()
    assert told(other, 1) == [match_id]

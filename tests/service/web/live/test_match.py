"""``GET …/stream``: what a viewer is told, in what order, and how it goes on after a break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

import pytest
from gevent import sleep, spawn
from gevent import socket as gevent_socket
from werkzeug.test import Client

from service.ports.players import TokenChange
from service.web.live.broadcast import Fanout, Message, Sink, Viewer
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import API, Player, Table, Web
from tests.support.http import table as start
from tests.support.releases import NAME, at, change_over, newer, older
from tests.support.sse import Event, events


@pytest.fixture
def house() -> House:
    """Whose streams look at the log often, for in memory nobody wakes them up."""
    made = House(in_memory())
    vars(made)["parts"] = replace(made.parts, poll=0.005)
    return made


class Watching:
    """An open stream."""

    def __init__(self, house: House, path: str, headers: Mapping[str, str]) -> None:
        self._answer = Client(house.app).open(f"{API}{path}/stream", headers=dict(headers))
        assert self._answer.status_code == 200, self._answer.get_data()
        assert self._answer.content_type == "text/event-stream"
        self._events = events(self._answer.iter_encoded())

    def take(self, count: int = 1) -> list[Event]:
        return list(islice(self._events, count))

    def close(self) -> None:
        self._answer.close()


class Watch:
    def __init__(self, house: House) -> None:
        self.house = house
        self._open: list[Watching] = []

    def __call__(self, table: Table, who: Player | None = None, **headers: str) -> Watching:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        made = Watching(self.house, table.path, (who.authorization if who else {}) | named)
        self._open.append(made)
        return made

    def close(self) -> None:
        for watching in self._open:
            watching.close()


@pytest.fixture
def watch(house: House) -> Iterator[Watch]:
    made = Watch(house)
    yield made
    made.close()


@pytest.fixture
def watch_toy(house: House) -> Iterator[Watch]:
    """At a service that has both versions of the toy game's rules."""
    both = newer(house)
    vars(both)["parts"] = house.parts
    made = Watch(both)
    yield made
    made.close()


@pytest.fixture
def table(house: House) -> Table:
    made = seated(house)
    made.play_on(3)
    return made


def seated(house: House) -> Table:
    """At the app whose streams are read."""
    web = Web(house.app)
    return start([web.enter(name) for name in ("Ann", "Bob", "Cid")], "blockers")


def log(table: Table, who: Player | Web) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = who.get(f"{table.path}/log?limit=500").shown()["commits"]
    return rows


def without_more(row: dict[str, Any]) -> dict[str, Any]:
    """A streamed commit as a row of the log."""
    return {name: value for name, value in row.items() if name not in ("to_move", "outcome")}


def test_a_stream_begins_with_the_match_as_it_is(table: Table, watch: Watch) -> None:
    (first,) = watch(table, table.host).take()
    assert (first.name, first.id) == ("state", table.version)
    assert first.data == table.host.get(table.path).shown()


def test_every_move_is_told_as_the_log_tells_it_to_this_viewer(table: Table, watch: Watch) -> None:
    readers: list[Player | Web] = [*table.players, table.host.web]
    streams = [watch(table, who if isinstance(who, Player) else None) for who in readers]
    for stream in streams:
        stream.take()
    table.play_on(5)
    for who, stream in zip(readers, streams, strict=True):
        told = stream.take(5)
        assert [event.name for event in told] == ["commit"] * 5
        assert [event.id for event in told] == list(range(table.version - 4, table.version + 1))
        assert [without_more(event.data) for event in told] == log(table, who)[-5:]


def test_a_commit_says_who_is_to_move_then(table: Table, watch: Watch) -> None:
    stream = watch(table)
    stream.take()
    for _ in range(3):
        table.move()
        (told,) = stream.take()
        assert (told.data["to_move"], told.data["outcome"]) == (table.to_move, None)


def test_the_last_event_id_is_where_it_goes_on(table: Table, watch: Watch) -> None:
    told = watch(table, table.host, Last_Event_ID="2").take(table.version - 2)
    assert [event.id for event in told] == list(range(3, table.version + 1))
    assert [without_more(event.data) for event in told] == log(table, table.host)[2:]


def test_a_reader_that_comes_back_again_and_again_misses_nothing(table: Table, watch: Watch) -> None:
    seen = 0
    while seen < table.version:
        stream = watch(table, Last_Event_ID=str(seen))
        (told,) = stream.take()
        assert told.id == seen + 1
        stream.close()
        seen = told.id
        if table.version < 12:
            table.move()


def test_a_version_that_the_match_never_had_is_answered_with_the_state(table: Table, watch: Watch) -> None:
    for version in (str(table.version + 1), "9" * 24):
        (first,) = watch(table, Last_Event_ID=version).take()
        assert (first.name, first.id) == ("state", table.version)


def test_another_commit_of_the_same_version_is_not_gone_on_behind(table: Table, watch: Watch) -> None:
    """As after a restored backup: the log has another version 4 than the reader."""
    told = watch(table, table.host, Last_Event_ID="2").take(2)
    assert [event.full_id for event in told] == [
        f"{row['version']}-{row['hash'][:8]}" if "hash" in row else event.full_id
        for row, event in zip(log(table, table.host)[2:4], told, strict=True)
    ]
    own = told[-1].full_id
    assert watch(table, table.host, Last_Event_ID=own).take(1)[0].id == 5
    other = own[:-1] + ("0" if own[-1] != "0" else "1")
    for wrong in (other, f"0-{'0' * 8}", f"{table.version}-{'0' * 8}"):
        (first,) = watch(table, table.host, Last_Event_ID=wrong).take()
        assert (first.name, first.id) == ("state", table.version)
    (again,) = watch(table, table.host, Last_Event_ID="999").take()
    newest = again.full_id
    table.move()
    assert watch(table, table.host, Last_Event_ID=newest).take()[0].name == "commit"


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "3-", "3-12345", "3-1234567g", "3-123456789", "9" * 101, "٣"])
def test_a_last_event_id_that_is_none_cannot_be_read(table: Table, given: str) -> None:
    table.host.get(f"{table.path}/stream", {"Last-Event-ID": given.encode().decode("latin-1")}).refused(
        400, "unreadable"
    )


def test_when_the_match_ends_everybody_sees_everything(table: Table, watch: Watch) -> None:
    stream = watch(table)
    stream.take()
    table.give_up()
    told = stream.take(2)[-1]
    assert told.data["outcome"]["reason"] == "resigned"
    again = watch(table, Last_Event_ID="0").take(table.version)
    assert [without_more(event.data) for event in again] == log(table, table.host)
    assert "hidden" not in again[2].raw


def test_undo_and_redo_are_told_as_what_they_are(table: Table, watch: Watch) -> None:
    stream = watch(table)
    stream.take()
    table.undo(table.version - 1)
    table.redo(table.version - 1)
    assert [event.data["kind"] for event in stream.take(2)] == ["undo", "redo"]


def test_who_takes_a_seat_while_watching_sees_from_then_on_what_the_seat_sees(house: House, watch: Watch) -> None:
    web = Web(house.app)
    ann, bob = web.enter("Ann"), web.enter("Bob")
    opened = ann.post("/matches", {"game": "blockers", "seats": 2}).done()
    table = Table(opened["match_id"], [ann, bob], opened)
    stream = watch(table, bob)
    stream.take()
    table.took(bob.post(f"{table.path}/seats", {}))
    (told,) = stream.take()
    assert without_more(told.data) == log(table, bob)[-1]
    assert without_more(told.data) != log(table, ann)[-1]


def test_a_private_match_is_streamed_to_its_players_and_with_the_invite(house: House, watch: Watch) -> None:
    web = Web(house.app)
    ann, eve = web.enter("Ann"), web.enter("Eve")
    opened = ann.post("/matches", {"game": "blockers", "seats": 2, "private": True}).done()
    table = Table(opened["match_id"], [ann], opened)
    for stranger in (web, eve):
        stranger.get(f"{table.path}/stream").refused(404, "match_not_found")
    assert watch(table, ann).take()[0].id == 1
    assert watch(table, eve, Foldtable_Invite=opened["invite"]).take()[0].id == 1


def test_who_leaves_a_private_match_is_told_no_more(house: House, watch: Watch) -> None:
    web = Web(house.app)
    ann, bob = web.enter("Ann"), web.enter("Bob")
    opened = ann.post("/matches", {"game": "blockers", "seats": 3, "private": True}).done()
    invite = {"Foldtable-Invite": opened["invite"]}
    table = Table(opened["match_id"], [ann, bob], opened)
    table.took(bob.post(f"{table.path}/seats", {}, invite))
    stream = watch(table, bob)
    stream.take()
    table.took(bob.delete(f"{table.path}/seats/1"))
    assert stream.take() == []


def test_a_token_in_the_address_is_refused(house: House, table: Table) -> None:
    answer = Client(house.app).get(f"{API}{table.path}/stream?token={table.host.token}")
    assert answer.status_code == 400
    assert table.host.token.encode() not in answer.data


@pytest.mark.parametrize("accept", ["text/event-stream", "*/*", "text/*;q=0.5"])
def test_who_takes_events_gets_them(table: Table, watch: Watch, accept: str) -> None:
    assert watch(table, Accept=accept).take()[0].name == "state"


def test_who_takes_no_events_is_refused(table: Table) -> None:
    table.host.get(f"{table.path}/stream", {"Accept": "application/json"}).refused(406, "not_acceptable")


def test_asking_for_the_head_only_opens_no_stream(house: House, table: Table) -> None:
    answer = Client(house.app).head(f"{API}{table.path}/stream")
    assert (answer.status_code, answer.get_data()) == (200, b"")
    assert house.app.extensions["foldtable"].streams.open == 0


def test_a_stream_that_is_closed_is_forgotten(house: House, table: Table, watch: Watch) -> None:
    streams = house.app.extensions["foldtable"].streams
    stream = watch(table)
    stream.take()
    assert streams.open == 1
    stream.close()
    assert streams.open == 0


# -- the fan-out ------------------------------------------------------------------------------------------------------


def test_a_viewer_that_is_elsewhere_gets_nothing_directly() -> None:
    fanout, viewer = Fanout(), Viewer(None, 3)
    fanout.viewers.add(viewer)
    fanout.publish(4, 5, lambda _viewer: Message(b"x"))
    assert viewer.position == 3
    assert viewer.attention.is_set()


class Pair:
    """A viewer whose connection takes little at once, and the other end of it."""

    def __init__(self) -> None:
        ours, self.theirs = gevent_socket.socketpair()
        ours.setsockopt(SOL_SOCKET, SO_SNDBUF, 4096)
        self.viewer = Viewer(None, 0, Sink(ours))
        self.fanout = Fanout()
        self._ours = ours
        self._frames: list[Message] = []
        self._body = self.fanout.serve(self.viewer, b"opening", self._missing)
        next(self._body)
        self.greenlet = spawn(list, self._body)
        sleep(0)

    def _missing(self, viewer: Viewer) -> Iterator[tuple[int, Message]]:
        while viewer.position < len(self._frames):
            yield viewer.position + 1, self._frames[viewer.position]

    def publish(self, count: int) -> bytes:
        """Frames of a megabyte, one after the other; gives what was to be sent."""
        for number in range(count):
            frame = Message(bytes([65 + number]) * 2**20)
            self._frames.append(frame)
            self.fanout.publish(number, number + 1, lambda _viewer, frame=frame: frame)  # type: ignore[misc]
            sleep(0)
        return b"".join(frame.chunk for frame in self._frames)

    def close(self) -> None:
        self.viewer.drop()
        self.greenlet.join(5)
        self._ours.close()
        self.theirs.close()


@pytest.fixture
def pair() -> Iterator[Pair]:
    made = Pair()
    yield made
    made.close()


def test_what_a_connection_does_not_take_at_once_comes_later_and_whole(pair: Pair) -> None:
    sent = pair.publish(3)
    assert not pair.viewer.direct
    got = b""
    while len(got) < len(sent):
        got += pair.theirs.recv(65536)
    assert got == sent
    sleep(0.01)
    assert pair.viewer.direct


def test_a_connection_that_takes_nothing_is_cut_off(pair: Pair) -> None:
    assert pair.viewer.sink is not None
    pair.viewer.sink._socket.settimeout(0.05)
    pair.publish(3)
    pair.greenlet.join(5)
    assert pair.greenlet.successful()
    assert pair.viewer not in pair.fanout.viewers


def test_a_viewer_whose_connection_is_gone_is_forgotten(pair: Pair) -> None:
    pair.theirs.close()
    pair.publish(2)
    pair.greenlet.join(5)
    assert pair.viewer not in pair.fanout.viewers


def test_a_deletion_that_nobody_heard_of_is_found_out(house: House, table: Table, watch: Watch) -> None:
    """After notifications may have been lost, a deleted player's streams end and the others show no name of it."""
    gone, other = table.players[:2]
    own, others = watch(table, gone), watch(table, other)
    assert all(gone.name in repr(stream.take()) for stream in (own, others))
    house.parts.players.forget(gone.id)
    house.app.extensions["foldtable"].deletions.invalidate(None)
    assert own.take() == []
    other.post(f"{table.path}/resign", {}).done()
    (commit,) = others.take()
    assert gone.name not in repr(commit)
    assert other.name in repr(watch(table).take())


def test_a_change_of_name_is_told_at_once_and_ends_no_stream(house: House, table: Table, watch: Watch) -> None:
    ann, other = table.players[:2]
    own, others = watch(table, ann), watch(table, other)
    assert all(ann.name in repr(stream.take()) for stream in (own, others))
    body = {"Content-Type": "application/json"}
    ann.ask("PATCH", "/players/me", raw=b'{"name": "Renamed"}', headers=body).shown()
    house.app.extensions["foldtable"].deletions.invalidate(None)
    other.post(f"{table.path}/resign", {}).done()
    for stream in (own, others):
        (commit,) = stream.take()
        assert commit.data["kind"] == "resign"
    assert "Renamed" in repr(watch(table).take())


@pytest.mark.parametrize("missed", [False, True], ids=["heard", "missed"])
def test_the_streams_of_a_revoked_token_end_and_those_of_others_go_on(
    house: House, table: Table, watch: Watch, missed: bool
) -> None:
    ann, bob = table.players[:2]
    made = ann.post("/players/me/tokens").done()
    phone = Player(ann.web, ann.id, ann.name, made["token"])
    ending, going = watch(table, phone), [watch(table, ann), watch(table, bob)]
    for stream in (ending, *going):
        stream.take()
    if missed:
        change = TokenChange(remove=(made["token_id"],))
        house.parts.players.change_tokens(ann.id, change)
        house.app.extensions["foldtable"].deletions.invalidate(None)
    else:
        ann.delete(f"/players/me/tokens/{made['token_id']}").shown()
    assert ending.take() == []
    bob.post(f"{table.path}/resign", {}).done()
    assert [stream.take()[0].data["kind"] for stream in going] == ["resign", "resign"]


def test_the_streams_of_those_who_were_invited_end_when_the_invite_is_renewed(house: House, watch: Watch) -> None:
    web = Web(house.app)
    ann, bob, eve = (web.enter(name) for name in ("Ann", "Bob", "Eve"))
    opened = ann.post("/matches", {"game": "blockers", "seats": 3, "private": True}).done()
    table = Table(opened["match_id"], [ann, bob], opened)
    table.took(bob.post(f"{table.path}/seats", {}, {"Foldtable-Invite": opened["invite"]}))
    invited = [watch(table, who, Foldtable_Invite=opened["invite"]) for who in (eve, None)]
    seated = [watch(table, who) for who in (ann, bob)]
    for stream in (*invited, *seated):
        stream.take()
    new = table.took(ann.post(f"{table.path}/invite"))["invite"]
    assert [stream.take() for stream in invited] == [[], []]
    assert [stream.take()[0].data["kind"] for stream in seated] == ["invite", "invite"]
    assert watch(table, eve, Foldtable_Invite=new).take()[0].name == "state"


def test_a_change_of_the_rules_is_told_as_the_log_tells_it_and_so_is_what_follows(watch_toy: Watch) -> None:
    house = watch_toy.house
    web = Web(house.app)
    players = [web.enter(name) for name in ("Ann", "Bob")]
    before = older(house)
    table = at(start([player.at(before.web) for player in players], NAME, options={"hand": 3}), house)
    table.players = players
    table.play_on(1)
    readers: list[Player | Web] = [*table.players, web]
    streams = [watch_toy(table, who if isinstance(who, Player) else None) for who in readers]
    for stream in streams:
        stream.take()
    change_over(table)
    table.play_on(4)
    for who, stream in zip(readers, streams, strict=True):
        told = stream.take(6)
        assert [without_more(event.data) for event in told] == log(table, who)[-6:]
        assert "rounds" in told[1].data["events"][1]["state"]

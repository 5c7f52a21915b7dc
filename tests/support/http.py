"""A client of the HTTP API: players with tokens, tables that fill and play, over any WSGI app.

Everything goes through ``Web.ask``, which hands each answer to the watchers, so that what must hold for every answer is
asked of every answer in every test.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgpack
from werkzeug.test import Client

API = "/api/v1"
JSON = "application/json"
MSGPACK = "application/msgpack"
PROBLEM = "application/problem+json"

Headers = Mapping[str, str]
Body = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came back for one request."""

    method: str
    path: str
    status: int
    headers: Headers
    data: bytes

    @cached_property
    def body(self) -> Any:
        if self.headers.get("Content-Type") == MSGPACK:
            return msgpack.unpackb(self.data)
        return json.loads(self.data)

    @property
    def etag(self) -> str:
        return self.headers["ETag"]

    def done(self) -> Body:
        """The body of an accepted action."""
        assert self.status == 201, f"{self.method} {self.path}: {self.status} {self.data!r}"
        return dict(self.body)

    def asked(self) -> Body:
        """The body of a request that others have to agree to."""
        assert self.status == 202, f"{self.method} {self.path}: {self.status} {self.data!r}"
        return dict(self.body)

    def shown(self) -> Body:
        """The body of a read."""
        assert self.status == 200, f"{self.method} {self.path}: {self.status} {self.data!r}"
        return dict(self.body)

    def refused(self, status: int, code: str, *, rule: str | None = None, field: str | None = None) -> Body:
        """The problem, which is exactly this one: RFC 9457, nothing missing, nothing more."""
        assert (self.status, self.headers["Content-Type"]) == (status, PROBLEM), f"{self.status} {self.data!r}"
        body = dict(self.body)
        assert (body["status"], body["code"]) == (status, code), body
        assert (body.get("rule"), body.get("field")) == (rule, field), body
        assert body["type"] == f"/api/problems/{code}"
        assert body["title"]
        assert body["detail"]
        assert body.keys() <= {"type", "title", "status", "code", "detail", "rule", "field", "version", "fault"}
        assert (self.headers.get("WWW-Authenticate") == "Bearer") == (status == 401)
        assert ("Retry-After" in self.headers) == (status in (429, 503))
        return body


Watcher = Callable[[Answer], None]


class Web:
    """A connection to an app, for nobody in particular."""

    def __init__(self, app: Any, watchers: Iterable[Watcher] = ()) -> None:
        self._client = Client(app)
        self.watchers = list(watchers)

    def ask(
        self,
        method: str,
        path: str,
        *,
        raw: bytes | None = None,
        headers: Headers | None = None,
        environment: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Sends bytes as they are. A path outside of ``/api`` is taken below ``/api/v1``."""
        full = path if path.startswith(("/api", "/healthz", "/readyz", "/metrics")) else API + path
        environ = {"REMOTE_ADDR": "127.0.0.1"} | dict(environment or {})
        got = self._client.open(full, method=method, data=raw, headers=dict(headers or {}), environ_overrides=environ)
        answer = Answer(method, full, got.status_code, dict(got.headers), got.get_data())
        got.close()
        for watch in self.watchers:
            watch(answer)
        return answer

    def get(self, path: str, headers: Headers | None = None) -> Answer:
        return self.ask("GET", path, headers=headers)

    def delete(self, path: str, headers: Headers | None = None) -> Answer:
        return self.ask("DELETE", path, headers=headers)

    def post(self, path: str, body: Any = None, headers: Headers | None = None) -> Answer:
        """Sends JSON; no body at all for ``None``."""
        if body is None:
            return self.ask("POST", path, headers=headers)
        return self.ask(
            "POST", path, raw=json.dumps(body).encode(), headers={"Content-Type": JSON} | dict(headers or {})
        )

    def enter(self, name: str) -> Player:
        """A new player with this name, or with a number behind it if it is taken."""
        answer = self.post("/players", {"name": name})
        number = 2
        while answer.status == 409:
            answer = self.post("/players", {"name": f"{name} {number}"})
            number += 1
        made = answer.done()
        return Player(self, made["player_id"], made["name"], made["token"])


@dataclass(frozen=True)
class Player:
    """Somebody with a token."""

    web: Web
    id: str
    name: str
    token: str = field(repr=False)

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, **more: Any) -> Answer:
        headers = self.authorization | dict(more.pop("headers", None) or {})
        return self.web.ask(method, path, headers=headers, **more)

    def get(self, path: str, headers: Headers | None = None) -> Answer:
        return self.web.get(path, self.authorization | dict(headers or {}))

    def delete(self, path: str, headers: Headers | None = None) -> Answer:
        return self.web.delete(path, self.authorization | dict(headers or {}))

    def post(self, path: str, body: Any = None, headers: Headers | None = None) -> Answer:
        return self.web.post(path, body, self.authorization | dict(headers or {}))

    def at(self, web: Web) -> Player:
        """The same player at another instance of the service."""
        return Player(web, self.id, self.name, self.token)


class Table:
    """A match with its players, and a seeded chooser of moves."""

    def __init__(self, match_id: str, players: Sequence[Player], last: Body, seed: int = 0) -> None:
        self.match_id = match_id
        self.players = list(players)
        self.last = last
        """The body of the last accepted action."""
        self.answers: dict[int, Body] = {last["version"]: last}
        """Those bodies by version."""
        self.random = random.Random(seed)

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    @property
    def host(self) -> Player:
        return self.players[0]

    @property
    def version(self) -> int:
        return int(self.last["version"])

    @property
    def to_move(self) -> list[int]:
        return list(self.last["to_move"])

    @property
    def mover(self) -> Player:
        """The one who is to move, one of them if several are."""
        return self.players[self.to_move[0]]

    @property
    def waiting(self) -> Player:
        """Somebody who is not to move."""
        return next(player for seat, player in enumerate(self.players) if seat not in self.to_move)

    def took(self, answer: Answer) -> Body:
        """Notes an accepted action."""
        return self._noted(answer.done())

    def asked(self, answer: Answer) -> Body:
        """Notes a request that others have to agree to."""
        return self._noted(answer.asked())

    def _noted(self, body: Body) -> Body:
        self.last = self.answers[body["version"]] = body
        return body

    def give_up(self, first: int = 0) -> Body:
        """One seat after the other resigns, this one first, until the match is over."""
        for seat in sorted(range(len(self.players)), key=lambda seat: (seat != first, seat)):
            if self.last["status"] in ("live", "frozen"):
                self.took(self.players[seat].post(f"{self.path}/resign", {}))
        return self.last

    def readers(self, web: Web) -> list[Player | Web]:
        """Those at the table, and a stranger."""
        return [*self.players, web]

    def listed(self, seat: int) -> list[Body]:
        return list(self.players[seat].get(f"{self.path}/moves").shown()["moves"])

    def move(self) -> Body:
        """One of the seats that are to move makes one of its listed moves."""
        seat = self.random.choice(self.to_move)
        chosen = self.random.choice(self.listed(seat))
        return self.took(self.players[seat].post(f"{self.path}/moves", {"move": chosen}))

    def play_on(self, count: int) -> list[Body]:
        return [self.move() for _ in range(count)]

    def play_to_end(self, most: int = 2000) -> list[Body]:
        made: list[Body] = []
        while self.last["status"] == "live":
            assert len(made) < most, f"the match does not end in {most} moves"
            made.append(self.move())
        return made

    def undo(self, to: int, player: Player | None = None) -> Body:
        return self.took((player or self.host).post(f"{self.path}/undo", {"to": to}))

    def redo(self, to: int, player: Player | None = None) -> Body:
        return self.took((player or self.host).post(f"{self.path}/redo", {"to": to}))


def table(players: Sequence[Player], game: str, seed: int = 0, *, arbiter: Player | None = None, **more: Any) -> Table:
    """A match that the first player opens with these fields and the others join, so that it starts.

    Unless said otherwise the host may return to any version. The ``arbiter`` accepts, and all agree to it.
    """
    host, *others = players
    named = {} if arbiter is None else {"arbiter": arbiter.id}
    last = host.post("/matches", {"game": game, "seats": len(players), "undo": "host", **named, **more}).done()
    made = Table(last["match_id"], players, last, seed)
    headers = {"Foldtable-Invite": last["invite"]} if "invite" in last else None
    if arbiter is not None:
        made.took(arbiter.post(f"{made.path}/arbiter"))
    for player in others:
        made.took(player.post(f"{made.path}/seats", named, headers))
    return made


def move_and_resign(match_id: str, *players: Player) -> None:
    """Whoever of these players is on turn makes a move and resigns: a match of two without a move would be void."""
    for player in players:
        moves = player.get(f"/matches/{match_id}/moves").shown()["moves"]
        if moves:
            player.post(f"/matches/{match_id}/moves", {"move": moves[0]}).done()
            player.post(f"/matches/{match_id}/resign", {}).done()
            return
    raise AssertionError("none of them is on turn")

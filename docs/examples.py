"""Makes the examples of the API's description: bodies that a service in memory is sent, and answers, on a walk through the API.

So every example is true. What belongs to a game comes from the game: its first example position and the first move listed
there. Clock and entropy stand still, so the examples are the same ones every time. About 0.3 s.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count, cycle
from typing import Any

from flask import Flask
from werkzeug.test import Client

from domain import validation
from domain.game import AnyGame
from domain.games import all_games
from domain.validation import MalformedError
from replay.record import canonical
from service.adapters.memory.players import MemoryPlayers
from service.adapters.memory.store import MemoryStore
from service.integrity.receipts import KEY_BYTES, Signer, read_key
from service.players.credentials import Seal
from service.problems import CODES, ProblemError
from service.web.app import Parts, create_app
from service.web.bodies.body import plain
from service.web.bodies.problems import problem_body
from service.web.encoding import JSON_TYPE

Plain = dict[str, Any]
Operation = str
"""Method in small letters and path with its variables in braces: ``get /api/v1/games/{game_id}``."""

API = "/api/v1"
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
NOON = 1_767_182_400_000
"""The time of all examples."""
SHOWN = 3
"""So many rows of a long list are shown in an answer."""
LONG_LISTS = ("moves", "rules", "problems", "entries")


class Still:
    """A clock that stands."""

    def now(self) -> int:
        return NOON

    def micros(self) -> int:
        return NOON * 1000


class Same:
    """Entropy that is the same every time; for examples only, which are no secret."""

    def __init__(self) -> None:
        self._calls = count()

    def bytes(self, length: int) -> bytes:
        return hashlib.shake_256(f"example {next(self._calls)}".encode()).digest(length)


DEPTHS = {"sent": 2, "answered": 3, "problems": 1, "places": 1}
"""How many levels of names lead to an example."""


def examples_text() -> str:
    """The text of ``service/web/examples.json``: an example a line, so that a change shows which ones differ."""
    made = _walked(all_games())
    parts = [f"{json.dumps(name)}: {_laid_out(made[name], depth)}" for name, depth in DEPTHS.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _laid_out(value: Plain, depth: int) -> str:
    if depth == 0:
        return json.dumps(value, ensure_ascii=False)
    rows = [f"{json.dumps(name)}: {_laid_out(inner, depth - 1)}" for name, inner in value.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def _walked(games: Mapping[str, AnyGame]) -> Plain:
    """All examples, as ``service.web.examples`` reads them."""
    signer = Signer(read_key("00" * KEY_BYTES))
    parts = Parts(MemoryStore(), MemoryPlayers(), Still(), Same(), signer, lambda: True, Seal(bytes(KEY_BYTES)))
    walk = _Walk(Client(create_app(parts, games)))
    tokens = [
        walk.post("/players", {"name": name})["token"] for name in NAMES[: max(g.seats[-1] for g in games.values())]
    ]
    for path in ("/healthz", "/readyz", "/api/problems", "/api/problems/{code}"):
        walk.ask("get", path, {"code": "stale_version"})
    walk.ask("get", f"{API}/games")
    walk.ask("get", f"{API}/keys")
    for game, undo in zip(games.values(), cycle(("consent", "host"))):
        _visit(walk, game, tokens, undo)
    _settle(walk, next(iter(games.values())), tokens)
    _seat_bots(walk, next(iter(games.values())), tokens)
    _change_rules(walk, create_app(parts, _next_release(games)), next(iter(games.values())), tokens)
    _keep_house(walk, next(iter(games.values())))
    leaver = walk.post("/players", {"name": "Joe"})
    walk.ask("delete", f"{API}/players/me", None, leaver["token"])
    walk.places.setdefault("player_id", leaver["player_id"])
    problems = {code: plain(problem_body(ProblemError(code))) for code in CODES} | walk.problems
    return {"sent": walk.sent, "answered": walk.answered, "problems": problems, "places": walk.places}


@dataclass
class _Walk:
    """Keeps what is sent and answered: of each operation the first, and one a game where it is the game that matters."""

    web: Client
    sent: dict[Operation, dict[str, Plain]] = field(default_factory=lambda: defaultdict(dict))
    answered: dict[Operation, dict[str, dict[str, Plain]]] = field(default_factory=lambda: defaultdict(dict))
    problems: dict[str, Plain] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def post(self, path: str, body: Plain, token: str | None = None, name: str = "", **places: str) -> Plain:
        return self.ask("post", API + path, places, token, body, name)

    def get(self, path: str, token: str | None = None, name: str = "", **places: str) -> Plain:
        return self.ask("get", API + path, places, token, None, name)

    def ask(
        self,
        method: str,
        path: str,
        places: Mapping[str, str] | None = None,
        token: str | None = None,
        body: Plain | None = None,
        name: str = "",
    ) -> Plain:
        path, _, query = path.partition("?")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        places = places or {}
        if body is not None:
            headers["Content-Type"] = JSON_TYPE
        answer = self.web.open(
            path.format_map(places),
            query_string=query,
            method=method.upper(),
            headers=headers,
            data=None if body is None else canonical(body),
        )
        made: Plain = answer.get_json()
        if answer.status_code >= 400:
            self.problems.setdefault(made["code"], made)
            return made
        for variable, value in places.items():
            self.places.setdefault(variable, value)
        if body is not None:
            _keep(self.sent[f"{method} {path}"], name, body)
        _keep(self.answered[f"{method} {path}"].setdefault(str(answer.status_code), {}), name, _cut(made))
        return made


def _keep(kept: dict[str, Plain], name: str, body: Plain) -> None:
    if name or not kept:
        kept.setdefault(name or "example", body)


def _cut(body: Plain) -> Plain:
    return {
        name: item[:SHOWN] if name in LONG_LISTS and isinstance(item, list) else item for name, item in body.items()
    }


def _visit(walk: _Walk, game: AnyGame, tokens: list[str], undo: str) -> None:
    """One match of the game: opened, filled, played, taken back, brought back, given up, read."""
    host, name = tokens[0], game.id
    walk.get("/games/{game_id}", name=name, game_id=game.id)
    seats, position = _start(game)
    plain: Plain = {"game": game.id, "seats": seats, "options": validation.plain(game.options())}
    match = {"match_id": walk.post("/matches", plain, host, name)["match_id"]}
    walk.ask("delete", API + "/matches/{match_id}/seats/{seat}", match | {"seat": "0"}, host)
    if position is not None:
        body = {"game": game.id, "seats": seats, "position": position, "undo": undo}
        match = {"match_id": walk.post("/matches", body, host, f"{name}, from a position")["match_id"]}
    else:
        match = {"match_id": walk.post("/matches", plain | {"undo": undo}, host)["match_id"]}
    for seat in range(1, seats):
        started = walk.post("/matches/{match_id}/seats", {"seat": seat}, tokens[seat], **match)
    mover = tokens[started["to_move"][0]]
    listed = walk.get("/matches/{match_id}/moves", mover, name, **match)["moves"]
    move = {"move": listed[0]}
    moved = walk.post("/matches/{match_id}/moves", move, mover, name, **match)
    for refused in (move, {"move": {"type": "sleep"}}):
        walk.post("/matches/{match_id}/moves", refused, tokens[moved["to_move"][0]], name, **match)
    walk.post("/matches/{match_id}/resign", {}, **match)
    _return(walk, match, tokens[:seats], started["version"])
    _read(walk, match, tokens[:seats], started["version"])


def _return(walk: _Walk, match: Mapping[str, str], tokens: list[str], started: int) -> None:
    """Back to the start and forward again; where the others are asked, one request is withdrawn and the next granted."""
    undo, redo = "/matches/{match_id}/undo", "/matches/{match_id}/redo"
    walk.get(f"{undo}?to={started}", tokens[0], **match)
    if _asks(walk.post(undo, {"to": started}, tokens[0], **match)):
        walk.ask("delete", API + undo, match, tokens[0])
        _grant(walk, match, tokens[1:], walk.post(undo, {"to": started}, tokens[0], **match)["version"])
    asked = walk.post(redo, {"to": started + 1}, tokens[0], **match)
    if _asks(asked):
        _grant(walk, match, tokens[1:], asked["version"])


def _asks(accepted: Plain) -> bool:
    return bool(accepted["events"][-1]["type"] == "undo_asked")


def _grant(walk: _Walk, match: Mapping[str, str], tokens: list[str], asked: int) -> None:
    for token in tokens:
        walk.post("/matches/{match_id}/undo/answer", {"accept": True, "request": asked}, token, **match)


def _read(walk: _Walk, match: Mapping[str, str], tokens: list[str], started: int) -> None:
    host = tokens[0]
    for path in ("", "/log", "/replay"):
        walk.get("/matches/{match_id}" + path, host, **match)
    walk.get("/matches/{match_id}/replay/{version}", host, version=str(started + 1), **match)
    for token in tokens[:-1]:
        walk.post("/matches/{match_id}/resign", {}, token, **match)
    walk.get("/matches/{match_id}/audit", host, **match)
    walk.post("/matches/{match_id}/forks", {"version": started + 1}, host, **match)
    walk.get("/matches", host)
    _prove(walk, match, host, started)


def _settle(walk: _Walk, game: AnyGame, tokens: list[str]) -> None:
    """A dispute that an arbiter rules on, and one that the seats settle."""
    arbiter = walk.post("/players", {"name": "Ida"})
    plain: Plain = {"game": game.id, "seats": game.seats[0], "options": validation.plain(game.options())}
    for more in ({"arbiter": arbiter["player_id"]}, {}):
        match = {"match_id": walk.post("/matches", plain | more, tokens[0])["match_id"]}
        if more:
            _arbitrate(walk, match, arbiter["token"])
            match = {"match_id": walk.post("/matches", plain | more, tokens[0])["match_id"]}
            walk.post("/matches/{match_id}/arbiter", {}, arbiter["token"], **match)
            walk.post("/matches/{match_id}/seats", {"seat": 1}, tokens[1], **match)
        for seat in range(1, plain["seats"]):
            seated = {"seat": seat} | more
            started = walk.post("/matches/{match_id}/seats", seated, tokens[seat], "with an arbiter", **match)
        asked = {"version": started["version"], "reason": "These are not the cards that I was dealt."}
        walk.post("/matches/{match_id}/disputes", asked, tokens[1], **match)
        walk.get("/matches/{match_id}/disputes", tokens[1], **match)
        one = match | {"dispute": "1"}
        walk.get("/matches/{match_id}/disputes/{dispute}", tokens[1], **one)
        walk.post("/matches/{match_id}/disputes/{dispute}/look", {}, arbiter["token"], **one)
        ruling = {"ruling": "stands", "reason": "The report holds."}
        ruler = arbiter["token"] if more else tokens[0]
        walk.post("/matches/{match_id}/disputes/{dispute}/ruling", ruling, ruler, **one)


def _seat_bots(walk: _Walk, game: AnyGame, tokens: list[str]) -> None:
    """A match against bots, and one that starts once all are ready."""
    plain: Plain = {"game": game.id, "seats": 3, "clock": {"bank": 600, "increment": 5}, "start": "ready"}
    match = {"match_id": walk.post("/matches", plain | {"bots": {"2": "greedy"}}, tokens[0], "with a bot")["match_id"]}
    walk.post("/matches/{match_id}/ready", {}, tokens[0], **match)
    walk.post("/matches/{match_id}/bots", {"seat": 1, "level": "random"}, tokens[0], **match)
    walk.get("/matches/{match_id}", tokens[0], "asked whether all are ready", **match)
    walk.post("/matches/{match_id}/ready", {}, tokens[0], **match)


def _arbitrate(walk: _Walk, match: Mapping[str, str], arbiter: str) -> None:
    """A player who declines to be the arbiter."""
    walk.ask("delete", API + "/matches/{match_id}/arbiter", match, arbiter)


def _next_release(games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    """The same games, each with a next version of its rules, to which a match can change over as it is."""

    def next_version(game: AnyGame) -> AnyGame:
        earlier, lifts = {game.version: game}, {game.version: lambda state, options: (state, options)}
        return replace(game, version=game.version + 1, earlier=earlier, lifts=lifts)

    return {name: next_version(game) for name, game in games.items()}


def _change_rules(walk: _Walk, next_app: Flask, game: AnyGame, tokens: list[str]) -> None:
    """A match of this release that goes on by the rules of the next one."""
    plain: Plain = {"game": game.id, "seats": 2, "options": validation.plain(game.options())}
    match = {"match_id": walk.post("/matches", plain, tokens[0])["match_id"]}
    walk.post("/matches/{match_id}/seats", {"seat": 1}, tokens[1], **match)
    rules = "/matches/{match_id}/rules"
    walk.post(rules, {"rules": game.version + 1}, tokens[0], **match)
    walk.web = Client(next_app)
    proposed = walk.post(rules, {"rules": game.version + 1}, tokens[0], **match)
    walk.post(f"{rules}/answer", {"accept": True, "request": proposed["version"]}, tokens[1], **match)


def _keep_house(walk: _Walk, game: AnyGame) -> None:
    """Changes of an account, and the renewal of an invite."""
    made = walk.post("/players", {"name": "Kim"})
    walk.post("/players", {"name": "KIM"})
    token = made["token"]
    walk.ask("patch", f"{API}/players/me", None, token, {"name": "Kim Lee"})
    other = walk.post("/players/me/tokens", {"label": "phone"}, token)
    walk.get("/players/me", token)
    walk.get("/players/me/tokens", token)
    walk.post("/players/me/tokens/{token_id}/renew", {}, token, token_id=other["token_id"])
    other = walk.post("/players/me/tokens", {"label": "tablet"}, token)
    walk.ask("delete", API + "/players/me/tokens/{token_id}", {"token_id": other["token_id"]}, token)
    code = walk.post("/players/me/recovery-code", {}, token)["recovery_code"]
    opened = walk.post("/matches", {"game": game.id, "seats": game.seats[0], "private": True}, token, "private")
    walk.post("/matches/{match_id}/invite", {}, token, match_id=opened["match_id"])
    walk.post("/recovery", {"code": code})


def _prove(walk: _Walk, match: Mapping[str, str], host: str, started: int) -> None:
    """What can be asked for of an ended match as evidence."""
    report = walk.get("/matches/{match_id}/audit/{version}", host, version=str(started + 1), **match)
    asked = {"version": started, "seat": report["seat"], "move": report["command"]["move"]}
    walk.post("/matches/{match_id}/audit/explain", asked, host, **match)
    walk.post("/receipts/check", {"receipts": [report["receipt"]]})
    record = walk.get("/matches/{match_id}/record", host, **match)
    brought = {"record_id": walk.post("/records", record, host)["record_id"]}
    for path in ("", "/record", "/replay"):
        walk.get("/records/{record_id}" + path, **brought)
    walk.get("/records/{record_id}/replay/{version}", version=str(started), **brought)


def _start(game: AnyGame) -> tuple[int, Any]:
    """The game's first example position with its number of seats; if it has none, its fewest seats and no position."""
    for position in game.examples.values():
        for seats in game.seats:
            try:
                state = game.parse(position, seats, game.options())
            except MalformedError:
                continue
            if not any(game.check(state)):
                return seats, position
    return game.seats[0], None

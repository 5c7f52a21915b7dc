"""A service over memory with matches in it, and what its description says about each answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask import Flask
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from werkzeug.test import Client, TestResponse

from domain.game import AnyGame
from domain.games import all_games
from service.adapters.system import SystemClock, SystemEntropy
from service.integrity.receipts import Signer, read_key
from service.web.app import Parts, create_app
from tests.support.backends import Backend, in_memory
from tests.support.next_release import next_release

JSON = "application/json"
PROBLEM = "application/problem+json"
API = "/api/v1"
HERE = "urn:description"
SEATS = 5

Plain = dict[str, Any]


@dataclass
class Running:
    """One service, asked as if over HTTP."""

    backend: Backend = field(default_factory=in_memory)
    games: Mapping[str, AnyGame] = field(default_factory=all_games)

    @cached_property
    def app(self) -> Flask:
        store, players = self.backend.store, self.backend.players
        signer = Signer(read_key("17" * 32))
        return create_app(Parts(store, players, SystemClock(), SystemEntropy(), signer, lambda: True), self.games)

    @cached_property
    def web(self) -> Client:
        return Client(self.app)

    @cached_property
    def description(self) -> Plain:
        made: Plain = self.ask("get", "/api/openapi.json").get_json()
        return made

    @cached_property
    def tokens(self) -> list[str]:
        """Of as many players as any game seats."""
        names = [f"Player {number}" for number in range(SEATS)]
        return [self.ask("post", f"{API}/players", body={"name": name}).get_json()["token"] for name in names]

    def updated(self) -> Running:
        """The service over the same data and with the same players once every game has newer rules."""
        newer = Running(self.backend, next_release(self.games))
        newer.__dict__["tokens"] = self.tokens
        return newer

    def ask(self, method: str, path: str, token: str | None = None, body: Any = None, **more: Any) -> TestResponse:
        headers = more.pop("headers", {}) | ({} if token is None else {"Authorization": f"Bearer {token}"})
        if body is not None:
            # As short as can be, and sorted: the one way in which a record may be sent.
            more |= {
                "data": json.dumps(body, separators=(",", ":"), sort_keys=True),
                "content_type": "application/json",
            }
        return self.web.open(path, method=method.upper(), headers=headers, **more)

    def kept(self) -> object:
        """Everything that is kept, for comparison."""
        players: Any = self.backend.players
        return self.backend.dump(), dict(players._players)

    def opened(self, body: Plain) -> str:
        answer = self.ask("post", f"{API}/matches", self.tokens[0], body)
        assert answer.status_code == 201, answer.text
        return str(answer.get_json()["match_id"])

    def started(self, body: Plain) -> str:
        """A match with everybody on their seat, opened with this body."""
        match_id = self.opened(body)
        for seat in range(1, body["seats"]):
            self.ask("post", f"{API}/matches/{match_id}/seats", self.tokens[seat], {"seat": seat})
        return match_id

    # -- what the description says ------------------------------------------------------------------------------------

    def operations(self) -> Iterator[tuple[str, str, Plain]]:
        """Path, method and operation."""
        for path, item in self.description["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    yield path, method, operation

    def operation(self, method: str, path: str) -> Plain:
        found: Plain = self.description["paths"][path][method]
        return found

    @cached_property
    def _registry(self) -> Registry[Any]:
        registry: Registry[Any] = Registry().with_resource(HERE, DRAFT202012.create_resource(self.description))
        return registry

    def faults(self, schema: Plain, value: Any) -> list[str]:
        """Where a value is not what a schema of the description says."""
        # References of the schema are to the whole document, so it is looked at from there.
        around = {"$id": "urn:schema", "$ref": f"{HERE}#/components/schemas/{schema['$ref'].rpartition('/')[2]}"}
        validator = Draft202012Validator(around, registry=self._registry)
        return [f"{fault.json_path}: {fault.message[:200]}" for fault in validator.iter_errors(value)]

    def check(self, method: str, path: str, answer: TestResponse) -> None:
        """An answer of the operation has a status, type, headers, code and shape that are documented."""
        responses = self.operation(method, path)["responses"]
        status = str(answer.status_code)
        assert status in responses, f"{method} {path}: {status} is not documented: {answer.text[:300]}"
        said = responses[status]
        for name in said["headers"]:
            assert name in answer.headers, f"{method} {path}: {status} has no {name}"
        if status == "304":
            assert answer.data == b""
            return
        content = said["content"][answer.content_type]
        body = answer.get_json()
        assert not self.faults(content["schema"], body)
        if answer.content_type == PROBLEM:
            assert body["code"] in said["x-codes"], f"{method} {path}: {body['code']} is not documented"


def needs_more_than_memory(operation: Plain) -> bool:
    """Streams and figures, which have types of their own, and lists, which a worker keeps: they have their own tests."""
    answers = operation["responses"]
    kinds = {kind for status, answer in answers.items() if status.startswith("2") for kind in answer["content"]}
    return JSON not in kinds or "not_ready" in answers["503"].get("x-codes", [])

"""A service with everything it stands on in the hands of a test: the log, the players, the clock, entropy, the key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from flask import Flask

from domain.game import AnyGame
from domain.games import all_games
from domain.store import Store
from service.adapters.memory.players import MemoryPlayers
from service.web.app import Parts, build_service, create_app
from service.web.context import Service
from service.web.limits.limits import Limits
from tests.support import seals, toy
from tests.support.backends import Backend, in_memory
from tests.support.documented import documented
from tests.support.http import API, Answer, Player, Table, Web, table
from tests.support.serving import OPERATOR

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

SIGNER = seals.SIGNER
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve")


def catalogue() -> dict[str, AnyGame]:
    return all_games() | {toy.GAME.id: toy.GAME}


class Clock:
    """Stands still until it is moved; milliseconds."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    def micros(self) -> int:
        return self.time * 1000


class Entropy:
    """The same bytes in the same order for the same seed."""

    def __init__(self, seed: str = "entropy") -> None:
        self._seed = seed
        self._count = count(1)
        self.given: list[bytes] = []

    def bytes(self, length: int) -> bytes:
        made = hashlib.shake_256(f"{self._seed} {next(self._count)}".encode()).digest(length)
        self.given.append(made)
        return made


@cache
def _routes() -> Flask:
    return House(in_memory()).app


@dataclass
class House:
    """One service over a log. ``another`` opens a second one over the same log, with a cache of its own."""

    backend: Backend
    clock: Clock = field(default_factory=Clock)
    entropy: Entropy = field(default_factory=Entropy)
    store: Store | None = None
    """Between the service and the log, if a test puts something there."""
    ready: Callable[[], bool] = lambda: True
    limits: Limits | None = None
    """The limits of callers: none, but in tests of limits, which use ``app``."""
    games: Mapping[str, AnyGame] = field(default_factory=catalogue)
    """The games that this service has the code of."""

    @cached_property
    def parts(self) -> Parts:
        store = self.store or self.backend.store
        parts = Parts(store, self.backend.players, self.clock, self.entropy, SIGNER, self.ready)
        return replace(parts, limits=self.limits, operator_token=OPERATOR)

    @cached_property
    def app(self) -> Flask:
        """An app of its own, as production makes it: about 30 ms."""
        return create_app(self.parts, self.games)

    @cached_property
    def web(self) -> Web:
        return Web(self._wsgi, [documented, self._keeps_secrets])

    @cached_property
    def service(self) -> Service:
        return build_service(self.parts, self.games)

    def _wsgi(self, environ: WSGIEnvironment, respond: StartResponse) -> Iterable[bytes]:
        """The routes of all houses are one app, which is told before each request whose they are now. Not for threads."""
        app = _routes()
        app.extensions["foldtable"] = self.service
        return app.wsgi_app(environ, respond)

    def another(self, **other: Any) -> House:
        return replace(self, **other)

    def players(self, count: int) -> list[Player]:
        return [self.web.enter(name) for name in NAMES[:count]]

    def table(self, game: str, seats: int = 3, **more: Any) -> Table:
        """A started match among new players."""
        return table(self.players(seats), game, **more)

    def dump(self) -> object:
        """Everything that is kept, for comparison."""
        players = self.backend.players
        kept = dict(players._players) if isinstance(players, MemoryPlayers) else None
        return self.backend.dump(), kept

    def _keeps_secrets(self, answer: Answer) -> None:
        """No answer holds a traceback; none but the one to its new owner a token; only the audit and the record an (old) seed."""
        assert b"Traceback" not in answer.data
        if "/audit" in answer.path or answer.path.endswith("/record"):
            return
        for secret in self.entropy.given[-40:]:
            if len(secret) == 32:
                assert secret.hex().encode() not in answer.data
        if answer.path != f"{API}/players":
            assert b'"token"' not in answer.data

"""The composition root of the web process: builds the WSGI app from its parts.

Importing this or any other module builds nothing: each call of ``create_app`` makes an app of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from flask import Flask, Response
from flask_smorest import Api

from domain.game import AnyGame
from domain.games import all_games
from domain.protocol import PROTOCOL
from domain.store import Store
from projections import REVISIONS
from service import config, telemetry
from service.adapters.memory.records import MemoryRecords
from service.adapters.redis.client import check_server, connect, is_reachable
from service.adapters.redis.notifications import (
    ACCOUNTS_CHANNEL,
    QUARANTINE_CHANNELS,
    READ_MODELS_CHANNEL,
    RedisNotifications,
)
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.quotas import RedisQuotas
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.records import RedisRecords
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock, SystemEntropy
from service.cache import Cache
from service.config import METRICS, SettingError, Settings
from service.integrity.audit import AuditCache
from service.integrity.heads import NOTE, Sealer, SealsRequired
from service.integrity.imports import Imports
from service.integrity.receipts import Signer
from service.integrity.signers import check_sealers, signer_of
from service.matches.cache import MatchCache
from service.matches.handler import CommandHandler
from service.matches.repository import MatchRepository
from service.players.accounts import Accounts
from service.players.adoption import KEY_BYTES, take_up
from service.players.credentials import Seal
from service.players.deletion import Deletions, RemembersPlayers
from service.players.names import Names
from service.players.tokens import Tokens
from service.ports import Entropy, FineClock, Notifications, Quotas, Records
from service.ports.players import Players
from service.ports.readmodels import ReadModels
from service.readmodels.changes import Changes
from service.readmodels.queries import Queries
from service.web import error_handlers, evenly, openapi
from service.web.background import Turns, keep_running, pause
from service.web.context import Service
from service.web.encoding import HARDENING
from service.web.examples import read_examples
from service.web.limits.address import Addresses
from service.web.limits.limits import Kind, Limits
from service.web.limits.routes import guard
from service.web.live.lobby import LobbyStream
from service.web.live.match import POLL_SECONDS, Streams
from service.web.metrics import measure
from service.web.request_log import log_requests
from service.web.routes import (
    arbiters,
    audit,
    disputes,
    docs,
    forks,
    games,
    health,
    history,
    keys,
    lobby,
    matches,
    metrics,
    moves,
    players,
    records,
    rules,
    streams,
    undo,
)
from service.web.schemas import Plugin

API_PREFIX = "/api/v1"
CHECKED = 2_000
"""The most versions whose verification one process remembers; a few KB each at most."""
DOCUMENT_BYTES = 32 * 1024 * 1024
"""The most bytes of records of matches that one process keeps in memory."""
GRID_SECONDS = 0.02
"""Longer than a refusal takes on a busy machine, and short for a client that was given a wrong address."""
UNBOUNDED = 10**9
"""The number of matches of an account where limits are off."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that the service is built from. Tests pass other parts than production does."""

    store: Store
    players: Players
    clock: FineClock
    entropy: Entropy
    signer: Signer
    ready: Callable[[], bool]
    seal: Seal = field(default_factory=lambda: Seal(SystemEntropy().bytes(KEY_BYTES)))
    cache_commits: int = 100_000
    records: Records = field(default_factory=MemoryRecords)
    appends: Notifications | None = None
    """Notifies of appended commits. Without it, live streams only poll."""
    view_changes: Notifications | None = None
    """Notifies of changed read models. Without it, lobby streams and queries that wait only poll."""
    deletions: Notifications | None = None
    """Notifies of deleted and changed accounts."""
    poll: float = POLL_SECONDS
    """The seconds between two looks of a live stream at the log, whatever notifications say."""
    views: ReadModels | None = None
    """The read models; ``None`` over a log in memory."""
    max_matches: int = 50
    max_record_bytes: int = 64 * 1024 * 1024
    sealed_note: Path | None = None
    """The file in the data folder that notes since when every log has a seal."""
    quarantines: Notifications | None = None
    """Notifies of matches whose quarantine begins or ends."""
    metrics: Path | None = None
    """The folder in which each web process leaves its counts."""
    limits: Limits | None = None
    """The limits of callers; tests of other things have none."""
    operator_token: str | None = None
    grid: float = 0.0
    """The seconds of the grid on which it is answered that there is no such match; see ``evenly``. 0: no grid."""


def production_parts(settings: Settings) -> Parts:
    """Returns the parts that the settings name. Raises ``SettingError``, and ``UnfitServerError`` for an unfit database."""
    if settings.redis_url is None:
        raise SettingError("FOLDTABLE_REDIS_URL is not set; foldtable serve starts a server and sets it")
    client = connect(settings.redis_url)
    check_server(client, settings.durability)
    signer, store = signer_of(settings), RedisStore(client, replicas=1 if settings.durability == "replicated" else 0)
    check_sealers(store, signer)
    players = RedisPlayers(client, SystemClock())
    return Parts(
        store=store,
        players=players,
        seal=take_up(settings.data, players, is_final=store.protocol() >= PROTOCOL),
        clock=SystemClock(),
        entropy=SystemEntropy(),
        signer=signer,
        ready=lambda: is_reachable(client),
        cache_commits=settings.cache_commits,
        records=RedisRecords(client),
        appends=RedisNotifications(client),
        view_changes=RedisNotifications(client, READ_MODELS_CHANNEL),
        deletions=RedisNotifications(client, ACCOUNTS_CHANNEL),
        views=RedisReadModels(client, REVISIONS),
        max_matches=settings.max_matches if settings.limits else UNBOUNDED,
        max_record_bytes=settings.max_record_bytes if settings.limits else UNBOUNDED,
        sealed_note=settings.data / NOTE,
        quarantines=RedisNotifications(client, QUARANTINE_CHANNELS),
        metrics=settings.data / METRICS,
        limits=_limits(settings, RedisQuotas(client)),
        operator_token=_operator_token(settings.operator_token),
        grid=GRID_SECONDS,
    )


def _limits(settings: Settings, quotas: Quotas) -> Limits | None:
    if not settings.limits:
        return None
    rates = {kind: getattr(settings, f"rate_{kind}") for kind in Kind}
    # All web processes, on all machines, have the signing key, and nobody else.
    addresses = Addresses(settings.forwarded_hops, settings.signing_key.read_bytes().strip())
    return Limits(rates, quotas, addresses, settings.max_streams)


def _operator_token(path: Path) -> str | None:
    return (path.read_text().strip() or None) if path.exists() else None


class Application(Flask):
    """Flask without support of coroutines."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        # Flask asks for every view, hook and handler of every request whether it is a coroutine. None of ours is.
        return func


def create_app(parts: Parts | None = None, catalogue: Mapping[str, AnyGame] | None = None) -> Flask:
    """Builds the WSGI app, by default with the settings of the environment and all games. Starts greenlets that listen."""
    app = Application("foldtable", static_folder=None)
    games_known = catalogue or all_games()
    app.extensions["foldtable"] = build_service(parts or production_parts(config.read(os.environ)), games_known)
    _add_routes(app, games_known)
    limits = app.extensions["foldtable"].limits
    if limits is not None:
        guard(app, limits)
    app.before_request(evenly.begin)
    error_handlers.register(app)
    measure(app)
    log_requests(app)
    app.after_request(_harden)
    return app


def _add_routes(app: Flask, catalogue: Mapping[str, AnyGame]) -> None:
    """Adds all routes and their description in OpenAPI."""
    app.config.update(_description())
    # Otherwise Werkzeug answers some unknown paths with a redirect in HTML. Here they are a problem, or just found.
    app.url_map.strict_slashes = app.url_map.merge_slashes = False
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin()})
    for module in (
        games,
        players,
        lobby,
        matches,
        moves,
        undo,
        history,
        forks,
        streams,
        audit,
        disputes,
        arbiters,
        keys,
        records,
        rules,
    ):
        api.register_blueprint(module.blueprint, url_prefix=API_PREFIX)
    api.register_blueprint(docs.blueprint, url_prefix="/api")
    api.register_blueprint(health.blueprint)
    api.register_blueprint(metrics.blueprint)
    app.register_blueprint(docs.page)
    app.add_url_rule(docs.OPENAPI_PATH, view_func=docs.description)
    app.extensions["foldtable-openapi"] = cache(
        lambda: openapi.described(api.spec.to_dict(), catalogue, read_examples())
    )


def _harden(response: Response) -> Response:
    for name, value in HARDENING.items():
        response.headers.setdefault(name, value)
    return response


def build_service(parts: Parts, catalogue: Mapping[str, AnyGame]) -> Service:
    """Builds the parts that routes work with."""
    tokens = Tokens(parts.players, parts.clock, parts.seal)
    cache = MatchCache(parts.cache_commits, telemetry.count_lookup)
    turns = Turns()
    seals = Sealer(parts.signer, SealsRequired(parts.store, parts.sealed_note))
    store = telemetry.MeasuredStore(parts.store)
    known = MatchRepository(store, catalogue, parts.clock, cache, seals, pause=pause, turn=turns.turn)
    names = Names(parts.players, parts.clock)
    streams = Streams(known, names.of, tokens.holds, parts.appends, parts.poll)
    queries, lobby_stream = _read_models(parts, tokens, names)
    # Names come before the streams, which read them again.
    remembering: list[RemembersPlayers] = [tokens, names, streams]
    if lobby_stream is not None:
        remembering.append(lobby_stream)
    deletions = Deletions(remembering)
    _listen(parts, known, streams, deletions)
    imports = Imports(
        parts.records, catalogue, parts.signer.published, most=parts.max_record_bytes, pause=pause, turn=turns.turn
    )
    return Service(
        games=catalogue,
        matches=known,
        handler=CommandHandler(known, parts.clock, parts.entropy),
        clock=parts.clock,
        entropy=parts.entropy,
        players=parts.players,
        names=names,
        tokens=tokens,
        accounts=Accounts(parts.players, tokens, parts.clock, parts.entropy, parts.seal),
        seal=parts.seal,
        signer=parts.signer,
        ready=parts.ready,
        streams=streams,
        queries=queries,
        lobby=lobby_stream,
        store=parts.store,
        views=parts.views,
        audits=AuditCache(seals),
        checked=Cache(CHECKED),
        max_matches=parts.max_matches,
        metrics=parts.metrics,
        limits=parts.limits,
        operator_token=parts.operator_token,
        grid=parts.grid,
        imports=imports,
        documents=Cache(DOCUMENT_BYTES, weigh=len),
        turns=turns,
        deletions=deletions,
    )


def _read_models(parts: Parts, tokens: Tokens, names: Names) -> tuple[Queries | None, LobbyStream | None]:
    """Returns the queries and the lobby's stream; neither over a log in memory, which has no read models."""
    if parts.views is None:
        return None, None
    listening = partial(keep_running, "listening to the read models")
    changes = None if parts.view_changes is None else Changes(parts.view_changes, listening)
    queries = Queries(parts.views, changes)
    return queries, LobbyStream(queries, names.of, tokens.holds, changes, parts.poll)


def _listen(parts: Parts, matches: MatchRepository, streams: Streams, deletions: Deletions) -> None:
    """Starts the greenlets that hear of what other processes do."""
    if parts.deletions is not None:
        keep_running("listening to deletions", partial(deletions.listen, parts.deletions))
    if parts.quarantines is not None:
        heard = partial(_listen_to_quarantines, parts.quarantines, matches, streams)
        keep_running("listening to quarantines", heard)


def _listen_to_quarantines(notifications: Notifications, matches: MatchRepository, streams: Streams) -> None:
    for match_id in notifications.heard():
        if match_id is not None:
            matches.follow_quarantine(match_id or None)  # "" says that some may have been missed
            streams.look_at(match_id or None)


def _description() -> dict[str, Any]:
    return {
        "API_TITLE": "Foldtable",
        "API_VERSION": "v1",
        "OPENAPI_VERSION": "3.1.0",
    }

"""The settings: read once, from the environment, into one frozen record.

Every field is the variable ``FOLDTABLE_<FIELD>`` in capitals. The README lists them; a bad value is reported in one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from domain.errors import FoldtableError
from service.ports import Rate
from service.rates import parse_rate

Durability = Literal["always", "everysec", "replicated"]
DURABILITIES = ("always", "everysec", "replicated")
LEVELS = ("debug", "info", "warning", "error")
METRICS = "metrics"
"""The folder, inside the data folder, in which web processes write their counts."""
RATES = {
    "players": "30 per 3 minutes",
    "matches": "30 per 3 minutes",
    "seats": "30 per 3 minutes",
    "records": "30 per 3 minutes",
    "evidence": "300 per minute",
    "explanations": "5 per second",
    "moves": "100 per 5 seconds",
    "returns": "20 per 10 seconds",
    "requests": "400 per 2 seconds",
}
"""The rates to which callers are held, by default."""
SCHEMES = ("redis", "rediss", "unix")


class SettingError(FoldtableError):
    """An environment variable has an invalid value; the message is one line with its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one process. Paths are absolute; those with a default lie in ``data``."""

    host: str
    """The address to listen on: 127.0.0.1 serves this machine only, 0.0.0.0 every network."""
    port: int
    data: Path
    """The data folder. Created by ``serve``, readable by its owner only."""
    redis_url: str | None
    """The address of the database; ``None`` for the embedded server."""
    signing_key: Path
    """The file with the key that signs receipts; created by ``serve``."""
    web_workers: int
    durability: Durability
    """The point at which a move is acknowledged: on disk, on disk within a second, or on a replica too."""
    cache_commits: int
    """The most commits whose states one web process keeps in memory, over all matches."""
    max_matches: int
    """The most open and running matches at which an account has a seat."""
    max_record_bytes: int
    """The most bytes of records that an account may import."""
    limits: bool
    """Whether callers are limited at all."""
    forwarded_hops: int
    """The proxies in front, each of which adds an address to ``X-Forwarded-For``."""
    max_connections: int
    """The most connections of an address, over all web processes of this machine."""
    max_streams: int
    """The most live streams of an account, or of an address without a token."""
    body_seconds: int
    """The time in which a request body, or a request's head, must arrive."""
    body_rate: int
    """Bytes by which a long body, or response, gets another second."""
    rate_players: Rate
    """Accounts that an address creates."""
    rate_matches: Rate
    """Matches and forks that an account opens."""
    rate_seats: Rate
    """Seats that an account takes."""
    rate_records: Rate
    """Records that an account imports."""
    rate_evidence: Rate
    """Audits, reports and records that are asked for."""
    rate_explanations: Rate
    rate_moves: Rate
    rate_returns: Rate
    """Requests about undo and redo."""
    rate_requests: Rate
    """All requests of an account, or of an address without a token."""
    operator_token: Path
    """The file with the token for what only operators may read; created at the start."""
    log_level: str
    """The lowest level that is logged; ``info`` logs each request."""
    lifeline: str | None
    """The hold (see ``parent_watch``) that ``serve`` names to its processes, so that they end when it does."""


def read(environment: Mapping[str, str]) -> Settings:
    """Reads the settings; an empty variable counts as unset. Raises ``SettingError``."""
    given = {name: value.strip() for name, value in environment.items() if value.strip()}
    data = Path(given.get("FOLDTABLE_DATA", "var")).expanduser().absolute()
    url = _url(given.get("FOLDTABLE_REDIS_URL"))
    if not given.get("SCRIPT_NAME", "/").startswith("/"):
        raise SettingError(f"SCRIPT_NAME must begin with /, not {given['SCRIPT_NAME']!r}")
    return Settings(
        host=given.get("FOLDTABLE_HOST", "127.0.0.1"),
        port=_whole(given, "FOLDTABLE_PORT", default=8000, most=65535),
        data=data,
        redis_url=url,
        signing_key=Path(given.get("FOLDTABLE_SIGNING_KEY", data / "signing.key")).expanduser().absolute(),
        web_workers=_whole(given, "FOLDTABLE_WEB_WORKERS", default=2, most=256),
        durability=_durability(given.get("FOLDTABLE_DURABILITY", "always"), url),
        cache_commits=_whole(given, "FOLDTABLE_CACHE_COMMITS", default=200_000, most=10**9),
        max_matches=_whole(given, "FOLDTABLE_MAX_MATCHES", default=50, most=10**9),
        max_record_bytes=_whole(given, "FOLDTABLE_MAX_RECORD_BYTES", default=64 * 1024 * 1024, most=10**12),
        limits=_switch(given, "FOLDTABLE_LIMITS"),
        forwarded_hops=_whole(given, "FOLDTABLE_FORWARDED_HOPS", default=0, least=0, most=16),
        max_connections=_whole(given, "FOLDTABLE_MAX_CONNECTIONS", default=200, most=10_000),
        max_streams=_whole(given, "FOLDTABLE_MAX_STREAMS", default=10, most=10_000),
        body_seconds=_whole(given, "FOLDTABLE_BODY_SECONDS", default=10, most=3600),
        body_rate=_whole(given, "FOLDTABLE_BODY_RATE", default=32 * 1024, most=10**9),
        **{f"rate_{name}": _rate(given, f"FOLDTABLE_RATE_{name.upper()}", text) for name, text in RATES.items()},
        operator_token=Path(given.get("FOLDTABLE_OPERATOR_TOKEN", data / "operator.token")).expanduser().absolute(),
        log_level=_level(given.get("FOLDTABLE_LOG_LEVEL", "warning")),
        lifeline=given.get("FOLDTABLE_LIFELINE"),
    )


def _whole(given: Mapping[str, str], name: str, *, default: int, least: int = 1, most: int) -> int:
    text = given.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise SettingError(f"{name} must be a whole number from {least} to {most}, not {text!r}")
    return int(text)


def _switch(given: Mapping[str, str], name: str) -> bool:
    text = given.get(name, "on")
    if text not in ("on", "off"):
        raise SettingError(f"{name} must be on or off, not {text!r}")
    return text == "on"


def _rate(given: Mapping[str, str], name: str, default: str) -> Rate:
    text = given.get(name, default)
    try:
        return parse_rate(text)
    except ValueError as fault:
        raise SettingError(f"{name}: {fault}, not {text!r}") from fault


def _level(text: str) -> str:
    if text not in LEVELS:
        raise SettingError(f"FOLDTABLE_LOG_LEVEL must be one of {', '.join(LEVELS)}, not {text!r}")
    return text


def _url(text: str | None) -> str | None:
    if text is None:
        return None
    if text.partition("://")[0] not in SCHEMES or "://" not in text:
        # Not shown: the address may hold a password.
        raise SettingError("FOLDTABLE_REDIS_URL must begin with redis://, rediss:// or unix://")
    return text


def _durability(text: str, url: str | None) -> Durability:
    if text not in DURABILITIES:
        raise SettingError(f"FOLDTABLE_DURABILITY must be one of {', '.join(DURABILITIES)}, not {text!r}")
    if text == "replicated" and url is None:
        raise SettingError(
            "FOLDTABLE_DURABILITY replicated needs FOLDTABLE_REDIS_URL: the embedded server has no replica"
        )
    return cast(Durability, text)

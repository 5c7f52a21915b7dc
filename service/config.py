"""The settings: read once, from the environment, into one frozen record.

Every field is the variable ``FOLDTABLE_<FIELD>`` in capitals. The README lists them; a bad value is reported in one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from domain.errors import FoldtableError

Durability = Literal["always", "everysec", "replicated"]
DURABILITIES = ("always", "everysec", "replicated")
LEVELS = ("debug", "info", "warning", "error")
METRICS = "metrics"
"""The folder, inside the data folder, in which web processes write their counts."""
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
    log_level: str
    """The lowest level that is logged; ``info`` logs each request."""
    lifeline: str | None
    """The hold (see ``parent_watch``) that ``serve`` names to its processes, so that they end when it does."""


def read(environment: Mapping[str, str]) -> Settings:
    """Reads the settings; an empty variable counts as unset. Raises ``SettingError``."""
    given = {name: value.strip() for name, value in environment.items() if value.strip()}
    data = Path(given.get("FOLDTABLE_DATA", "var")).expanduser().absolute()
    url = _url(given.get("FOLDTABLE_REDIS_URL"))
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
        log_level=_level(given.get("FOLDTABLE_LOG_LEVEL", "warning")),
        lifeline=given.get("FOLDTABLE_LIFELINE"),
    )


def _whole(given: Mapping[str, str], name: str, *, default: int, most: int) -> int:
    text = given.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise SettingError(f"{name} must be a whole number from 1 to {most}, not {text!r}")
    return int(text)


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

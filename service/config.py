"""The settings: read once, from the environment, into one frozen record.

Every field is the variable ``FOLDTABLE_<FIELD>`` in capitals. The README lists them; a bad value is told in one line.
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
"""The folder in the data folder in which web processes leave their counts."""
SCHEMES = ("redis", "rediss", "unix")


class SettingError(FoldtableError):
    """A variable of the environment that makes no sense; the message is one line with its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where a default says nothing else, ``DATA`` is the folder that other paths are in."""

    host: str
    """The address to listen on; 127.0.0.1 is this machine only, 0.0.0.0 everybody."""
    port: int
    data: Path
    """Absolute. Made by ``serve``, for nobody else to read."""
    redis_url: str | None
    """``None``: the embedded server."""
    signing_key: Path
    """The file with the key that signs receipts; made by ``serve``."""
    web_workers: int
    durability: Durability
    """When a move counts as written: on disk, on disk within a second, or on a replica too."""
    cache_commits: int
    """How many commits' states one web process may keep in memory, over all matches."""
    log_level: str
    """From which level on the service writes a line to its own log; ``info`` has one for each request."""
    lifeline: str | None
    """Set by ``serve`` for its processes, which end when it does."""


def read(environment: Mapping[str, str]) -> Settings:
    """Raises ``SettingError``. An empty variable is one that is not set."""
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

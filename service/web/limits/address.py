"""The address of a client, also behind proxies: what is counted where no account is known."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

IPV6_PREFIX = 64
"""One customer of a provider has this many bits in common, and may use every address below."""
FORWARDED = "HTTP_X_FORWARDED_FOR"

_log = logging.getLogger(__name__)


@lru_cache(4096)
def network(address: str) -> str | None:
    """Returns what an address counts as: itself, for IPv6 its /64; ``None`` if it is no address."""
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_PREFIX), strict=False))
    return None if found is None else str(found)


@lru_cache(4096)
def is_local(address: str) -> bool:
    """Returns whether an address can only be of this machine or a private network, so that it may be a proxy's."""
    found = _parsed(address)
    return found is not None and found.is_private


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Reads an address, with or without a port. Returns an IPv4 address also for its form in IPv6."""
    text = address.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found


class Addresses:
    """Finds the addresses of clients. ``hops`` is the number of proxies in front; ``key`` makes the hashes unguessable."""

    def __init__(self, hops: int, key: bytes) -> None:
        self._hops = hops
        self._key = hashlib.sha256(b"foldtable addresses\x00" + key).digest()
        self.proxies: set[str] = set()
        """Local addresses that send ``X-Forwarded-For`` although no proxy is configured."""

    def of(self, environ: Mapping[str, Any]) -> str | None:
        """Returns the keyed hash of a client's address; ``None`` if it cannot be known."""
        found = self._client(environ)
        return None if found is None else self.hashed(found)

    def hashed(self, name: str) -> str:
        """Returns the keyed hash of an address: whoever reads the store cannot try all addresses out."""
        return hashlib.blake2b(name.encode(), key=self._key, digest_size=12).hexdigest()

    def _client(self, environ: Mapping[str, Any]) -> str | None:
        peer: str = environ.get("REMOTE_ADDR") or ""
        forwarded: str | None = environ.get(FORWARDED)
        if self._hops and forwarded is not None:
            # Counted from the right, where the proxies write: whatever the client sent itself stands to the left. Fewer
            # entries than proxies mean that it came in behind the first of them.
            entries = forwarded.split(",")
            return network(entries[-min(self._hops, len(entries))]) or network(peer)
        if forwarded is not None and is_local(peer):
            self._note(peer)
            return None
        return network(peer)

    def _note(self, peer: str) -> None:
        # Behind a proxy that nobody has configured all clients have one address. To refuse them all would be worse than to
        # count none of them.
        if not self.proxies:
            _log.warning(
                "%s sends X-Forwarded-For, but FOLDTABLE_FORWARDED_HOPS is 0: clients of this and of other local addresses that"
                " send it are not limited by address",
                peer,
            )
        self.proxies.add(peer)

"""Connections of an address: admitted or refused when they are accepted, before anything is read."""

from __future__ import annotations

from dataclasses import dataclass

from service.problems import ProblemError
from service.web.limits.address import Addresses, network
from service.web.limits.tally import Places, Tally

TOO_MANY = ProblemError(
    "too_many_connections",
    "Close connections that you do not need, and send several requests on one.",
    # Half-open connections end within this time.
    headers={"Retry-After": "10"},
)


@dataclass(frozen=True, slots=True)
class Pace:
    """``seconds`` for a head or a body, and one more for each ``rate`` bytes of the body; for a response the same."""

    seconds: int
    rate: int


UNCOUNTED: Places = (-1, -1)
"""The places of a connection that is not counted."""


class Connections:
    """Admits connections. Behind configured proxies all clients come by the proxies' connections, so none is counted."""

    def __init__(self, tally: Tally, most: int, hops: int) -> None:
        self._tally = tally
        self._most = most
        self._counts = not hops
        self.proxies: set[str] = set()
        """Addresses whose connections are not counted; see ``Addresses``."""

    def admit(self, peer: str) -> Places | None:
        """Counts a connection and returns its places; ``None`` if it is one too many. About 3 µs for two processes."""
        name = network(peer) if self._counts and peer not in self.proxies else None
        if name is None:
            return UNCOUNTED
        places = self._tally.places(name)
        if self._tally.count(places) >= self._most:
            return None
        self._tally.add(places, 1)
        return places

    def release(self, places: Places) -> None:
        """Counts a connection less."""
        if places is not UNCOUNTED:
            self._tally.add(places, -1)

    def share(self, addresses: Addresses) -> None:
        """Leaves out the proxies that requests make known from now on."""
        self.proxies = addresses.proxies

"""The limits of an app: rates of routes by account or address, and live streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from math import ceil

from flask import request
from gevent import sleep

from domain.store import UnavailableError
from service.ports import Quotas, Rate
from service.problems import ProblemError
from service.rates import Buckets
from service.web.limits.address import Addresses
from service.web.limits.tally import Places, Tally

PATIENCE = 1.0
"""Seconds. A request beyond the rate of requests waits as long as this before it is refused."""
STREAMS_RETRY = "5"
"""Seconds: a stream that ended has left its place by then."""


class Kind(StrEnum):
    """The kinds of what is limited. Each has a setting ``FOLDTABLE_RATE_…``."""

    PLAYERS = "players"
    MATCHES = "matches"
    SEATS = "seats"
    RECORDS = "records"
    EVIDENCE = "evidence"
    EXPLANATIONS = "explanations"
    MOVES = "moves"
    RETURNS = "returns"
    REQUESTS = "requests"


BY_ADDRESS = (Kind.PLAYERS,)
"""Counted by address also under a token: an account must not be worth thirty more."""
IN_PROCESS = (Kind.MOVES, Kind.RETURNS, Kind.EXPLANATIONS)
"""Counted by each web process for itself, without a round trip to the store."""


class Limits:
    """Holds callers to their rates. Under a token the account counts, otherwise the address."""

    def __init__(
        self,
        rates: Mapping[Kind, Rate],
        quotas: Quotas,
        addresses: Addresses,
        max_streams: int,
        own: Buckets | None = None,
    ) -> None:
        self._rates = rates
        self._quotas = quotas
        self._own = own or Buckets()
        self._max_streams = max_streams
        self.addresses = addresses
        self.streams = Tally()
        """Open streams; ``gunicorn_conf`` puts one here that all web processes share."""

    def check(self, kind: Kind, player: str | None) -> None:
        """Takes one of the caller's rate. Raises ``ProblemError`` (429). ``player`` is ``None`` without a token."""
        caller = self._caller(None if kind in BY_ADDRESS else player)
        if caller is not None and (wait := self._take(kind, f"{kind}:{caller}")):
            raise self._refused(kind, wait)

    def pace(self, player: str | None) -> None:
        """Takes one of the caller's requests, for which it may wait. Raises ``ProblemError`` (429). Costs about 3 µs."""
        # Waiting costs nothing, and a client that sends many requests at once meets no error as long as they are not too
        # many. Whoever pipelines requests on all connections that an address has gets no more than this either.
        caller = self._caller(player)
        if caller is not None and (wait := self._own.take(caller, self._rates[Kind.REQUESTS], PATIENCE)):
            if wait > PATIENCE:
                raise self._refused(Kind.REQUESTS, wait)
            sleep(wait)

    def _refused(self, kind: Kind, wait: float) -> ProblemError:
        headers = {"Retry-After": str(ceil(wait))}
        return ProblemError("rate_limited", f"The limit is {self._rates[kind]}.", headers=headers)

    def _take(self, kind: Kind, key: str) -> float:
        if kind in IN_PROCESS:
            return self._own.take(key, self._rates[kind])
        try:
            return self._quotas.take(key, self._rates[kind])
        except UnavailableError:
            # The route needs the store too, and says so itself.
            return 0.0

    def _caller(self, player: str | None) -> str | None:
        """Returns the name under which a caller counts; ``None`` for an address that is not counted."""
        return player if player is not None else self.addresses.of(request.environ)

    def stream(self, player: str | None, body: Iterator[bytes]) -> Iterator[bytes]:
        """Returns the body of a live stream, which counts as long as it is sent. Raises ``ProblemError`` (429)."""
        caller = self._caller(player)
        if caller is None:
            return body
        places = self.streams.places(caller)
        if self.streams.count(places) >= self._max_streams:
            detail = f"An account, or an address without a token, has at most {self._max_streams} live streams."
            raise ProblemError("too_many_streams", detail, headers={"Retry-After": STREAMS_RETRY})
        return self._held(places, body)

    def _held(self, places: Places, body: Iterator[bytes]) -> Iterator[bytes]:
        # Counted from the first bytes on: a body that is never begun, as of HEAD, is never ended either.
        with self.streams.held(places):
            yield from body

"""SIGTERM at the worst moments: while the lease is being taken, and twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from redis import Redis

from domain.games import all_games
from projections import REVISIONS
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.aof import RedisAppendOnlyFile
from service.adapters.redis.client import connect
from service.adapters.redis.heartbeat import RedisHeartbeat
from service.adapters.redis.players import RedisPlayers
from service.adapters.redis.readmodels import RedisReadModels
from service.adapters.redis.store import RedisStore
from service.adapters.system import SystemClock, SystemEntropy
from service.ports.readmodels import Lease
from service.worker.interrupt import Interrupt
from service.worker.loop import ChangedShards, Parts, stand_by
from tests.support.seals import SIGNER


class TerminatedWhileClaiming(RedisReadModels):
    def claim(self, work: str, ms: int) -> Lease | None:
        lease = super().claim(work, ms)
        os.kill(os.getpid(), signal.SIGTERM)
        return lease


@pytest.fixture
def interrupt() -> Iterator[Interrupt]:
    before = signal.getsignal(signal.SIGTERM)
    made = Interrupt()
    made.install()
    yield made
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[Redis]:
    made = connect(server.url)
    made.flushall()
    yield made
    made.close()


def test_a_worker_that_is_terminated_while_it_takes_the_lease_leaves_none(client: Redis, interrupt: Interrupt) -> None:
    parts = Parts(
        store=RedisStore(client),
        views=TerminatedWhileClaiming(client, REVISIONS),
        games=all_games(),
        accounts=RedisPlayers(client, SystemClock()),
        file=RedisAppendOnlyFile(client),
        clock=SystemClock(),
        entropy=SystemEntropy(),
        signer=SIGNER,
        heartbeat=RedisHeartbeat(client),
    )
    with pytest.raises(KeyboardInterrupt):
        stand_by(parts, ChangedShards(), interrupt)
    assert client.get("{views}:lease:projector") is None


def test_a_second_sigterm_does_not_break_off_what_the_first_began(interrupt: Interrupt) -> None:
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)
    with interrupt.put_off():
        os.kill(os.getpid(), signal.SIGTERM)

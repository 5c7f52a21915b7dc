from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fakeredis
import pytest

from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from tests.support.backends import Backend, in_memory, on_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A real server with the settings of production, for all tests of the session."""
    with EmbeddedServer(Path(tmp_path_factory.mktemp("store"))) as running:
        yield running


@pytest.fixture
def valkey(server: EmbeddedServer) -> Iterator[Backend]:
    client = connect(server.url)
    client.flushall()
    yield on_server(client)
    client.close()


@pytest.fixture
def fake() -> Backend:
    return on_server(fakeredis.FakeRedis())


@pytest.fixture
def memory() -> Backend:
    return in_memory()


@pytest.fixture(params=["memory", "fake", "valkey"])
def backend(request: pytest.FixtureRequest) -> Backend:
    found: Backend = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["fake", "valkey"])
def speaking(request: pytest.FixtureRequest) -> Backend:
    """The backends that are spoken to over the protocol."""
    found: Backend = request.getfixturevalue(request.param)
    return found

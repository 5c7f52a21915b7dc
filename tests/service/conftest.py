from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.backends import Backend, in_memory
from tests.support.house import House
from tests.support.scene import Scene


@pytest.fixture
def house(backend: Backend) -> House:
    """A service over memory, over fakeredis and over a real server: for what the log has a part in."""
    return House(backend)


@pytest.fixture
def small() -> House:
    """A service over memory."""
    return House(in_memory())


@pytest.fixture(scope="module")
def quiet() -> House:
    """A service over memory for all tests of a module, which change nothing in it or only what is their own."""
    return House(in_memory())


@pytest.fixture(scope="module")
def scene(quiet: House) -> Scene:
    """In which every POST can be done."""
    return Scene.of(quiet)


@pytest.fixture
def untouched(scene: Scene) -> Iterator[None]:
    """Whatever the test does to the scene leaves no trace."""
    before = scene.house.dump()
    yield
    assert scene.house.dump() == before

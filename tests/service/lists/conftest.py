"""A house whose lists are kept, step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.store import SHARDS
from service.adapters.redis.readmodels import RedisViews
from service.worker.loop import Worker
from tests.contracts.backends import Backend
from tests.service.house import House, catalogue
from tests.service.lists.asking import Follow
from tests.support.http import Table


@pytest.fixture
def house(fake: Backend) -> House:
    made = House(fake)
    assert fake.client is not None
    vars(made)["parts"] = replace(made.parts, views=RedisViews(fake.client))
    return made


@pytest.fixture
def follow(house: House) -> Follow:
    """Brings the lists up to date."""
    views = house.parts.views
    assert views is not None
    lease = views.claim("projector", 600_000)
    assert lease is not None
    worker = Worker(house.parts.store, views, catalogue(), lease)

    def step() -> None:
        worker.step(set(range(SHARDS)))

    step()
    return step


@pytest.fixture
def ending(house: House, follow: Follow) -> Table:
    """A rated match that is about to end."""
    table = house.table("blockers", 2, undo="consent")
    table.play_on(4)
    follow()
    return table

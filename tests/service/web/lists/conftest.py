"""A house whose lists are kept, step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.store import SHARDS
from tests.support.backends import Backend
from tests.support.house import House, catalogue
from tests.support.http import Table
from tests.support.queries import Follow
from tests.support.views import read_models, worker


@pytest.fixture
def house(fake: Backend) -> House:
    made = House(fake)
    assert fake.client is not None
    vars(made)["parts"] = replace(made.parts, views=read_models(fake.client))
    return made


@pytest.fixture
def follow(house: House, fake: Backend) -> Follow:
    """Brings the lists up to date."""
    views = house.parts.views
    assert views is not None
    assert fake.client is not None
    lease = views.claim("projector", 600_000)
    assert lease is not None
    at_work = worker(fake.client, house.parts.store, views, catalogue(), lease)

    def step() -> None:
        at_work.step(set(range(SHARDS)))

    step()
    return step


@pytest.fixture
def ending(house: House, follow: Follow) -> Table:
    """A rated match that is about to end."""
    table = house.table("blockers", 2, undo="consent")
    table.play_on(4)
    follow()
    return table

"""Logs that somebody else wrote into the store: they end too."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from service.adapters.redis.store import stream_key
from tests.support.backends import Backend
from tests.support.house import House


@pytest.mark.parametrize("count", [99, 100, 101, 250])
def test_a_log_in_which_versions_do_not_rise_is_read_once_and_audited(fake: Backend, count: int) -> None:
    house = House(fake)
    table = house.table("blockers", 2)
    table.play_on(3)
    assert fake.client is not None
    rows: Any = fake.client.xrange(stream_key(table.match_id))
    newest, fields = rows[-1]
    number = int(newest.split(b"-")[0])
    for again in range(count):
        fake.client.xadd(stream_key(table.match_id), fields, id=f"{number}-{again + 1}")
    other = house.another()
    pages = other.service.matches._reader.pages(table.match_id)
    assert len(list(islice(pages, 1000))) <= len(rows) + count + 100
    found = other.web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["quarantined"]) == (False, True)
    house.web.get(table.path).refused(500, "log_damaged")

"""Lists that hold something else, and what lists know that a log has lost."""

from __future__ import annotations

from typing import cast

from service.adapters.redis.store import stream_key
from tests.support.backends import Backend
from tests.support.house import House
from tests.support.http import Table
from tests.support.queries import Follow


def test_lists_that_hold_something_else_are_no_fault_of_a_match(
    house: House, follow: Follow, ending: Table, fake: Backend
) -> None:
    follow()
    assert fake.client is not None
    for name in ("lobby", "history", "ratings", "statistics"):
        for key in cast(list[bytes], fake.client.keys(f"{{views}}:{name}:1:*")):
            fake.client.delete(key)
            fake.client.set(key, "x")
    fake.client.set("{views}:ratings:1:board:blockers", "x")
    fake.client.set("{views}:statistics:1:t:blockers", "x")
    ann = ending.host.id
    for path in (
        "/matches",
        f"/players/{ann}/matches",
        f"/players/{ann}",
        "/leaderboards/blockers",
        "/games/blockers/statistics",
    ):
        house.web.get(path).refused(500, "lists_damaged")
    assert house.web.get(ending.path).status == 200


def test_an_audit_tells_that_a_log_has_lost_its_end(house: House, follow: Follow, ending: Table, fake: Backend) -> None:
    ending.play_on(4)
    follow()
    assert house.web.get(f"{ending.path}/audit").shown()["ok"]
    assert fake.client is not None
    fake.client.xdel(stream_key(ending.match_id), f"{ending.version}-0")
    told = house.web.get(f"{ending.path}/audit").shown()
    assert (told["ok"], told["fault"], told["first_bad_version"]) == (False, "truncated", ending.version)

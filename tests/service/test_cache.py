from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.cache import Cache, Lifetime


class Clock:
    def __init__(self) -> None:
        self.time = 1_000

    def now(self) -> int:
        return self.time


def test_the_entry_used_longest_ago_goes_first() -> None:
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_an_entry_put_again_counts_once() -> None:
    cache: Cache[str, int] = Cache(2)
    for value in range(5):
        cache.put("a", value)
    cache.put("b", 7)
    assert [cache.get(key) for key in "ab"] == [4, 7]


def test_weights_are_added_up_and_the_newest_stays_however_heavy() -> None:
    cache: Cache[str, int] = Cache(10, weigh=lambda value: value)
    cache.put("a", 4)
    cache.put("b", 6)
    assert cache.get("a") == 4
    cache.put("c", 1)
    assert [cache.get(key) for key in "abc"] == [4, None, 1]
    cache.put("heavy", 100)
    assert [cache.get(key) for key in ("a", "c", "heavy")] == [None, None, 100]


def test_what_is_removed_weighs_nothing_any_more() -> None:
    cache: Cache[str, int] = Cache(10, weigh=lambda value: value)
    cache.put("a", 10)
    cache.remove("a")
    cache.put("b", 10)
    cache.remove_where(lambda value: value == 10)
    cache.put("c", 5)
    cache.clear()
    cache.put("d", 4)
    cache.put("e", 6)
    assert [cache.get(key) for key in "abcde"] == [None, None, None, 4, 6]


def test_an_entry_counts_for_its_lifetime_from_when_it_was_put() -> None:
    clock = Clock()
    cache: Cache[str, int] = Cache(10, lifetime=Lifetime(clock, 60))
    cache.put("a", 1)
    clock.time += 59
    assert cache.get("a") == 1
    clock.time += 1
    assert cache.get("a") is None
    cache.put("a", 2)
    assert cache.get("a") == 2


def test_a_value_is_kept_unless_the_one_there_is_better() -> None:
    cache: Cache[str, int] = Cache(10)
    cache.put("a", 2, unless=lambda known: known > 2)
    cache.put("a", 1, unless=lambda known: known > 1)
    assert cache.get("a") == 2


@pytest.mark.parametrize("how", ["remove", "remove_where", "clear"])
def test_what_was_asked_for_before_a_removal_is_not_kept_after_it(how: str) -> None:
    cache: Cache[str, int] = Cache(10)
    before = cache.removals
    {"remove": lambda: cache.remove("b"), "remove_where": lambda: cache.remove_where(bool), "clear": cache.clear}[how]()
    cache.put("a", 1, since=before)
    assert cache.get("a") is None
    cache.put("a", 1, since=cache.removals)
    assert cache.get("a") == 1


def test_threads_do_not_lose_count() -> None:
    cache: Cache[int, int] = Cache(50, weigh=lambda value: value % 7)

    def work(start: int) -> None:
        for step in range(2_000):
            cache.put((start + step) % 100, step)
            cache.get(step % 100)
            if step % 50 == 0:
                cache.remove(step % 100)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    kept = [value for key in range(100) if (value := cache.get(key)) is not None]
    assert sum(value % 7 for value in kept) <= 50
    cache.put(1000, 49)
    assert cache.get(1000) == 49

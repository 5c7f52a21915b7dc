from __future__ import annotations

import pytest

from service.ports import Rate
from service.rates import MOST_KEYS, Buckets, parse_rate


class Time:
    def __init__(self) -> None:
        self.now = 5_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("text", "amount", "seconds"),
    [("30 per 3 minutes", 30, 180), ("5 per second", 5, 1), ("1 per 2 hours", 1, 7200), ("10 per 1 day", 10, 86400)],
)
def test_a_rate_is_read(text: str, amount: int, seconds: int) -> None:
    assert parse_rate(text) == Rate(amount, seconds)


@pytest.mark.parametrize(
    "text", ["", "5", "0 per second", "5 per 0 seconds", "5/second", "-1 per second", "5 per week"]
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a rate looks like"):
        parse_rate(text)


@pytest.mark.parametrize("rate", [Rate(30, 180), Rate(5, 1), Rate(100, 5), Rate(7, 3), Rate(1, 60)])
def test_all_may_be_taken_at_once_and_then_come_back_evenly(rate: Rate) -> None:
    time = Time()
    buckets = Buckets(time)
    assert [buckets.take("ann", rate) for _ in range(rate.amount)] == [0.0] * rate.amount
    one = rate.seconds / rate.amount
    assert buckets.take("ann", rate) == pytest.approx(one)
    time.now += one / 2
    assert buckets.take("ann", rate) == pytest.approx(one / 2)
    time.now += one / 2
    assert buckets.take("ann", rate) == 0.0
    assert buckets.take("ann", rate) > 0
    time.now += rate.seconds
    assert [buckets.take("ann", rate) for _ in range(rate.amount)] == [0.0] * rate.amount


def test_with_patience_also_what_is_there_soon_is_taken() -> None:
    time = Time()
    buckets = Buckets(time)
    rate = Rate(4, 2)
    waits = [buckets.take("ann", rate, patience=1.0) for _ in range(8)]
    assert waits[:6] == pytest.approx([0, 0, 0, 0, 0.5, 1.0])
    assert waits[6:] == pytest.approx([1.5, 1.5]), "not taken"
    time.now += 0.5
    assert buckets.take("ann", rate, patience=1.0) == pytest.approx(1.0)
    assert buckets.take("ann", rate) == pytest.approx(1.5)


def test_each_caller_has_its_own() -> None:
    buckets = Buckets(Time())
    assert buckets.take("ann", Rate(1, 60)) == buckets.take("ben", Rate(1, 60)) == 0.0
    assert buckets.take("ann", Rate(1, 60)) > 0


def test_callers_that_went_away_take_no_memory() -> None:
    time = Time()
    buckets = Buckets(time)
    for number in range(5 * MOST_KEYS):
        buckets.take(str(number), Rate(10, 1))
        time.now += 0.001
        assert len(buckets._full_at) <= MOST_KEYS


def test_so_many_callers_at_once_that_all_are_kept_waiting_are_forgotten_oldest_first() -> None:
    buckets = Buckets(Time())
    for number in range(MOST_KEYS + 1):
        buckets.take(str(number), Rate(1, 60))
    assert len(buckets._full_at) <= MOST_KEYS
    assert buckets.take(str(MOST_KEYS), Rate(1, 60)) > 0
    assert buckets.take("0", Rate(1, 60)) == 0.0

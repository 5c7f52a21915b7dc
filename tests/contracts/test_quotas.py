"""What every keeper of quotas promises."""

from __future__ import annotations

import time

import pytest

from domain.store import UnavailableError
from service.adapters.redis.client import connect
from service.adapters.redis.quotas import RedisQuotas
from service.ports import Quotas, Rate
from service.rates import Buckets
from tests.support.backends import Backend


@pytest.fixture
def quotas(backend: Backend) -> Quotas:
    return Buckets() if backend.client is None else RedisQuotas(backend.client)


@pytest.mark.parametrize("rate", [Rate(30, 180), Rate(1, 60), Rate(7, 86400)])
def test_all_may_be_taken_at_once_and_not_one_more(quotas: Quotas, rate: Rate) -> None:
    assert [quotas.take("ann", rate) for _ in range(rate.amount)] == [0.0] * rate.amount
    assert 0 < quotas.take("ann", rate) <= rate.seconds / rate.amount


def test_what_was_taken_comes_back(quotas: Quotas) -> None:
    rate = Rate(20, 1)
    while not (wait := quotas.take("ann", rate)):
        continue
    assert wait <= 0.05
    time.sleep(wait + 0.01)
    assert quotas.take("ann", rate) == 0.0


def test_each_caller_has_its_own(quotas: Quotas) -> None:
    assert quotas.take("ann", Rate(1, 60)) == quotas.take("ben", Rate(1, 60)) == 0.0
    assert quotas.take("ann", Rate(1, 60)) > 0


def test_what_is_stored_of_a_caller_expires_when_it_has_all_again(speaking: Backend) -> None:
    assert speaking.client is not None
    quotas = RedisQuotas(speaking.client)
    for _ in range(3):
        quotas.take("ann", Rate(30, 180))
    (key,) = speaking.client.keys()
    assert 0 < int(speaking.client.pttl(key)) <= 18_000


def test_two_processes_share_what_is_left(speaking: Backend) -> None:
    assert speaking.client is not None
    one, other = RedisQuotas(speaking.client), RedisQuotas(speaking.client)
    assert one.take("ann", Rate(1, 60)) == 0.0
    assert other.take("ann", Rate(1, 60)) > 0


def test_a_store_that_is_away_is_unavailable() -> None:
    with pytest.raises(UnavailableError):
        RedisQuotas(connect("redis://127.0.0.1:1")).take("ann", Rate(1, 60))

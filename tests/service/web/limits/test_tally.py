"""Counts over processes."""

from __future__ import annotations

import os

from service.web.limits.connections import Connections
from service.web.limits.tally import Tally


def test_a_key_is_counted_as_often_as_it_was_added() -> None:
    tally = Tally()
    ann, ben = tally.places("ann"), tally.places("ben")
    with tally.held(ann), tally.held(ann):
        assert (tally.count(ann), tally.count(ben)) == (2, 0)
    assert tally.count(ann) == 0


def test_processes_see_each_others_counts_and_the_end_of_one_clears_its_own() -> None:
    tally = Tally(rows=2)
    ours, theirs = tally.reserve(), tally.reserve()
    assert {ours, theirs} == {0, 1}
    assert tally.reserve() is None
    tally.use(ours)
    ann = tally.places("ann")
    tally.add(ann, 3)
    child = os.fork()
    if child == 0:
        tally.use(theirs)
        tally.add(ann, 4)
        os._exit(0 if tally.count(ann) == 7 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert tally.count(ann) == 7
    assert theirs is not None
    tally.release(theirs)
    assert tally.count(ann) == 3
    assert tally.reserve() == theirs


def test_a_process_without_a_place_counts_by_itself() -> None:
    tally = Tally(rows=1)
    tally.add(tally.places("ann"), 1)
    tally.use(None)
    assert tally.count(tally.places("ann")) == 0


def test_a_thousand_busy_keys_do_not_count_for_another() -> None:
    tally = Tally()
    for number in range(1000):
        tally.add(tally.places(str(number)), 10)
    others = [tally.count(tally.places(f"other {number}")) for number in range(1000)]
    assert sum(count >= 10 for count in others) < 20


def test_an_address_has_so_many_connections_and_no_more() -> None:
    connections = Connections(Tally(), 3, hops=0)
    held = [connections.admit("127.0.0.2") for _ in range(4)]
    assert held[-1] is None
    assert connections.admit("127.0.0.3") is not None
    assert held[0] is not None
    connections.release(held[0])
    assert connections.admit("127.0.0.2") is not None


def test_addresses_of_one_ipv6_network_count_together() -> None:
    connections = Connections(Tally(), 2, hops=0)
    assert connections.admit("2001:db8::1") is not None
    assert connections.admit("2001:db8::2") is not None
    assert connections.admit("2001:db8::3") is None
    assert connections.admit("2001:db8:0:1::3") is not None


def test_connections_of_a_proxy_are_not_counted() -> None:
    behind = Connections(Tally(), 2, hops=1)
    assert None not in [behind.admit("10.0.0.1") for _ in range(5)]
    found = Connections(Tally(), 2, hops=0)
    counted = found.admit("10.0.0.1")
    found.proxies.add("10.0.0.1")
    uncounted = [found.admit("10.0.0.1") for _ in range(5)]
    assert None not in uncounted
    for places in [counted, *uncounted]:
        assert places is not None
        found.release(places)
    found.proxies.clear()
    assert None not in [found.admit("10.0.0.1") for _ in range(2)]

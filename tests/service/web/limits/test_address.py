"""The address that counts for a client."""

from __future__ import annotations

import logging

import pytest

from service.web.limits.address import Addresses, is_local, network


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("127.0.0.2", "127.0.0.2"),
        (" 203.0.113.9 ", "203.0.113.9"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("unknown", None),
        ("", None),
        ("1.2.3.4, 5.6.7.8", None),
        ("999.1.1.1", None),
    ],
)
def test_an_ipv4_address_counts_by_itself_and_an_ipv6_one_by_its_64(address: str, counts_as: str | None) -> None:
    assert network(address) == counts_as


@pytest.mark.parametrize(
    ("address", "local"),
    [("127.0.0.1", True), ("10.1.2.3", True), ("192.168.1.1", True), ("fd00::1", True), ("::1", True)]
    + [("8.8.8.8", False), ("2606:4700::1", False), ("x", False)],
)
def test_a_proxy_that_nobody_configured_can_only_be_near(address: str, local: bool) -> None:
    assert is_local(address) is local


def client(hops: int, peer: str, forwarded: str | None = None) -> str | None:
    addresses = Addresses(hops, b"key")
    environ = {"REMOTE_ADDR": peer} | ({} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded})
    found = addresses.of(environ)
    names = ("8.8.8.8", "9.9.9.9", "10.0.0.1", "10.0.0.2", "127.0.0.2")
    return None if found is None else {addresses.hashed(name): name for name in names}[found]


def test_without_proxies_the_peer_counts_whatever_it_sends() -> None:
    assert client(0, "8.8.8.8") == "8.8.8.8"
    assert client(0, "8.8.8.8", "9.9.9.9") == "8.8.8.8"
    assert client(0, "127.0.0.2") == "127.0.0.2"


def test_behind_proxies_the_entry_that_the_first_of_them_wrote_counts() -> None:
    assert client(1, "10.0.0.1", "8.8.8.8") == "8.8.8.8"
    assert client(1, "10.0.0.1", "9.9.9.9, 8.8.8.8") == "8.8.8.8"
    assert client(2, "10.0.0.1", "1.1.1.1, 8.8.8.8, 10.0.0.2") == "8.8.8.8"
    assert client(2, "10.0.0.1", "8.8.8.8") == "8.8.8.8"
    assert client(1, "10.0.0.1", "garbage") == "10.0.0.1"
    assert client(1, "10.0.0.1") == "10.0.0.1"


def test_a_near_peer_that_forwards_without_being_configured_is_not_counted_and_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    addresses = Addresses(0, b"key")
    environ = {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}
    with caplog.at_level(logging.WARNING):
        assert [addresses.of(environ) for _ in range(3)] == [None] * 3
    assert len(caplog.records) == 1
    assert "FOLDTABLE_FORWARDED_HOPS" in caplog.text
    assert "8.8.8.8" not in caplog.text
    assert addresses.proxies == {"10.0.0.1"}


def test_what_is_kept_of_an_address_is_a_keyed_hash() -> None:
    environ = {"REMOTE_ADDR": "8.8.8.8"}
    one, same, other = Addresses(0, b"key"), Addresses(0, b"key"), Addresses(0, b"another key")
    assert one.of(environ) == same.of(environ) != other.of(environ)
    assert "8.8" not in str(one.of(environ))

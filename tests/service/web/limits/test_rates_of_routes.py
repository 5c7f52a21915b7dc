"""The rates of routes: by account under a token, otherwise by address."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from time import monotonic
from typing import cast

import pytest

from domain.store import UnavailableError
from service.adapters.redis.client import connect
from service.adapters.redis.quotas import RedisQuotas
from service.ports import Quotas, Rate
from service.rates import Buckets
from service.web.limits.address import Addresses
from service.web.limits.limits import Kind, Limits
from tests.support.backends import Backend, in_memory
from tests.support.documented import documented, operation
from tests.support.house import House
from tests.support.http import Answer, Player, Table, Web, table

USUAL = Rate(1000, 1)
TWO_A_MINUTE = Rate(2, 60)
MARKED = {
    Kind.PLAYERS: {"new_player", "rename", "new_token", "renew", "new_code", "recover"},
    Kind.MATCHES: {"open_match", "fork"},
    Kind.SEATS: {"join"},
    Kind.RECORDS: {"bring"},
    Kind.EVIDENCE: {"audit", "report", "record", "imported", "document", "watch", "watch_version"} | {"check_receipts"},
    Kind.EXPLANATIONS: {"explain"},
    Kind.MOVES: {"move"},
    Kind.RETURNS: {"undo", "redo", "withdraw", "answer"},
}


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Limited:
    """A service with limits: two of this kind in a minute, or another rate, and of everything else enough."""

    def __init__(self, kind: Kind, quotas: Quotas | None = None, hops: int = 0, rate: Rate = TWO_A_MINUTE) -> None:
        self.time = Time()
        rates = dict.fromkeys(Kind, USUAL) | {kind: rate}
        buckets = Buckets(self.time)
        limits = Limits(rates, quotas or buckets, Addresses(hops, b"key"), 10, own=buckets)
        self.house = House(in_memory(), limits=limits)
        self.web = Web(self.house.app, [documented])

    def enter(self, name: str) -> Player:
        return self.web.enter(name)

    def table(self) -> Table:
        return table([self.enter("Ann"), self.enter("Ben")], "blockers")


def refused(answer: Answer) -> int:
    """The seconds to wait."""
    answer.refused(429, "rate_limited")
    return int(answer.headers["Retry-After"])


NUMBERS = count()


def create(web: Web, source: str, headers: Mapping[str, str] | None = None) -> Answer:
    return web.ask(
        "POST",
        "/players",
        raw=b'{"name": "Ann %d"}' % next(NUMBERS),
        headers={"Content-Type": "application/json", **(headers or {})},
        environment={"REMOTE_ADDR": source},
    )


def test_every_kind_of_limit_guards_its_routes_and_they_document_it(small: House) -> None:
    marked: dict[Kind, set[str]] = {}
    for rule in small.app.url_map.iter_rules():
        view = small.app.view_functions[rule.endpoint]
        kind = getattr(view, "limited", None)
        if kind is not None:
            marked.setdefault(kind, set()).add(rule.endpoint.rpartition(".")[2])
            method = next(iter((rule.methods or set()) - {"HEAD", "OPTIONS"}))
            described = operation(method, rule.rule.replace("<", "{").replace(">", "}"))
            assert described is not None
            assert "`rate_limited`" in described["responses"]["429"]["description"], rule.rule
    # All routes count as requests.
    expected = dict.fromkeys(set(Kind) - {Kind.REQUESTS}, True)
    assert {kind: names >= MARKED[kind] for kind, names in marked.items()} == expected


def test_accounts_are_limited_by_address_and_a_token_makes_no_difference() -> None:
    limited = Limited(Kind.PLAYERS)
    ann = limited.enter("Ann")
    limited.enter("Ben")
    dump = limited.house.dump()
    assert refused(create(limited.web, "127.0.0.1")) == 30
    assert refused(create(limited.web, "127.0.0.1", ann.authorization)) == 30
    assert limited.house.dump() == dump
    create(limited.web, "127.0.0.2").done()
    limited.time.now += 30
    create(limited.web, "127.0.0.1").done()
    refused(create(limited.web, "127.0.0.1"))


def test_a_limit_of_an_ipv6_address_is_that_of_its_64() -> None:
    limited = Limited(Kind.PLAYERS)
    create(limited.web, "2001:db8::1").done()
    create(limited.web, "2001:db8::2").done()
    refused(create(limited.web, "2001:db8::3"))
    create(limited.web, "2001:db8:0:1::3").done()


def test_behind_a_configured_proxy_the_address_that_it_wrote_counts() -> None:
    limited = Limited(Kind.PLAYERS, hops=1)
    for forged in ("1.1.1.1, 8.8.8.8", "2.2.2.2, 8.8.8.8"):
        create(limited.web, "10.0.0.1", {"X-Forwarded-For": forged}).done()
    refused(create(limited.web, "10.0.0.1", {"X-Forwarded-For": "3.3.3.3, 8.8.8.8"}))
    create(limited.web, "10.0.0.1", {"X-Forwarded-For": "9.9.9.9"}).done()


def test_clients_of_a_proxy_that_nobody_configured_are_not_counted() -> None:
    limited = Limited(Kind.PLAYERS)
    for number in range(5):
        create(limited.web, "10.0.0.1", {"X-Forwarded-For": f"8.8.8.{number}"}).done()
    for _ in range(2):
        create(limited.web, "8.8.8.8", {"X-Forwarded-For": "9.9.9.9"}).done()
    refused(create(limited.web, "8.8.8.8", {"X-Forwarded-For": "9.9.9.10"}))


@pytest.mark.parametrize("path", ["/matches/none", "/healthz", "/nothing", "/api/openapi.json"])
def test_every_request_counts_for_the_account_or_else_for_the_address(path: str) -> None:
    limited = Limited(Kind.REQUESTS)
    elsewhere = {"REMOTE_ADDR": "127.0.0.2"}
    for _ in range(2):
        assert limited.web.ask("GET", path, environment=elsewhere).status in (200, 404)
    assert refused(limited.web.ask("GET", path, environment=elsewhere)) == 30
    assert limited.web.ask("GET", path).status in (200, 404)
    wrong = {"Authorization": "Bearer abcdefghijklmnop.wrong"}
    refused(limited.web.ask("GET", path, headers=wrong, environment=elsewhere))
    limited.time.now += 30
    assert limited.web.ask("GET", path, environment=elsewhere).status in (200, 404)


def test_a_request_that_comes_a_little_early_waits() -> None:
    limited = Limited(Kind.REQUESTS, rate=Rate(10, 1))
    assert [limited.web.ask("GET", "/healthz").status for _ in range(10)] == [200] * 10
    before = monotonic()
    assert limited.web.ask("GET", "/healthz").status == 200
    assert monotonic() - before > 0.09
    assert limited.web.ask("GET", "/healthz", environment={"REMOTE_ADDR": "127.0.0.2"}).status == 200


NEW_MATCH = {"game": "blockers", "seats": 2}


def test_matches_and_forks_are_limited_by_account_wherever_it_comes_from() -> None:
    limited = Limited(Kind.MATCHES)
    ann, ben = limited.enter("Ann"), limited.enter("Ben")
    first = ann.post("/matches", NEW_MATCH).done()
    ann.post("/matches", NEW_MATCH).done()
    assert refused(ann.post("/matches", NEW_MATCH)) == 30
    refused(ann.post(f"/matches/{first['match_id']}/forks", {"version": 1}))
    refused(ann.ask("POST", "/matches", environment={"REMOTE_ADDR": "127.0.0.2"}))
    ben.post("/matches", NEW_MATCH).done()


def test_moves_are_limited_and_resigning_is_not() -> None:
    limited = Limited(Kind.MOVES)
    played = limited.table()
    for _ in range(4):
        played.move()
    again = {"move": played.listed(played.to_move[0])[0]}
    dump = limited.house.dump()
    for _ in range(2):
        refused(played.mover.post(f"{played.path}/moves", again))
    assert limited.house.dump() == dump
    played.mover.post(f"{played.path}/resign", {}).done()


def test_every_request_about_undo_counts() -> None:
    limited = Limited(Kind.RETURNS)
    played = limited.table()
    played.move()
    played.undo(played.version - 1)
    played.redo(played.version - 1)
    path = f"{played.path}/undo"
    for answer in (
        played.host.post(path, {}),
        played.host.post(f"{played.path}/redo", {}),
        played.host.delete(path),
        played.host.post(f"{path}/answer", {"accept": True, "request": 1}),
    ):
        refused(answer)
    played.players[1].delete(path).refused(409, "no_request")
    played.move()


@pytest.mark.parametrize("anonymous", [False, True])
def test_evidence_is_limited_also_for_strangers(anonymous: bool) -> None:
    limited = Limited(Kind.EVIDENCE)
    played = limited.table()
    reader = limited.web if anonymous else played.host
    reader.get(f"{played.path}/audit").shown()
    reader.get(f"{played.path}/audit/1").shown()
    refused(reader.get(f"{played.path}/audit"))
    refused(reader.get(f"{played.path}/audit/1"))
    refused(reader.get(f"{played.path}/record"))
    refused(reader.get(f"/records/{'0' * 32}"))
    played.players[1].get(f"{played.path}/record").shown()


def test_explanations_have_a_limit_of_their_own() -> None:
    limited = Limited(Kind.EXPLANATIONS)
    played = limited.table()
    seat = played.to_move[0]
    asked = {"version": played.version, "seat": seat, "move": played.listed(seat)[0]}
    for _ in range(2):
        played.mover.post(f"{played.path}/audit/explain", asked).shown()
    refused(played.mover.post(f"{played.path}/audit/explain", asked))
    played.mover.get(f"{played.path}/audit").shown()


def test_records_are_limited_before_their_bodies_are_read() -> None:
    limited = Limited(Kind.RECORDS)
    ann = limited.enter("Ann")
    for _ in range(2):
        ann.post("/records", {}).refused(400, "unreadable")
    refused(ann.ask("POST", "/records", headers={"Content-Length": "1000000"}))


def test_a_wrong_token_counts_as_none_and_is_still_refused() -> None:
    limited = Limited(Kind.MATCHES)
    wrong = {"Authorization": "Bearer x.y"}
    for _ in range(2):
        limited.web.post("/matches", NEW_MATCH, wrong).refused(401, "unauthenticated")
    refused(limited.web.post("/matches", NEW_MATCH, wrong))
    limited.enter("Ann").post("/matches", NEW_MATCH).done()


def test_without_limits_nothing_is_counted(small: House) -> None:
    web = Web(small.app)
    for _ in range(50):
        create(web, "127.0.0.1").done()


class Away:
    """Quotas in a store that is away."""

    def take(self, key: str, rate: Rate) -> float:
        raise UnavailableError("away")


def test_while_the_store_is_away_no_limit_refuses_anybody() -> None:
    limited = Limited(Kind.PLAYERS, quotas=Away())
    for _ in range(5):
        create(limited.web, "127.0.0.1").done()


def test_what_is_stored_of_an_address_names_it_to_nobody(speaking: Backend) -> None:
    assert speaking.client is not None
    limited = Limited(Kind.PLAYERS, quotas=RedisQuotas(speaking.client))
    create(limited.web, "127.0.0.2").done()
    (key,) = cast(list[bytes], speaking.client.keys("quota:*"))
    assert b"127.0.0.2" not in key
    assert speaking.client.pttl(key) > 0
    assert cast(bytes, speaking.client.get(key)).isdigit()


def test_a_limit_whose_store_does_not_answer_lets_the_route_say_so() -> None:
    limited = Limited(Kind.PLAYERS, quotas=RedisQuotas(connect("redis://127.0.0.1:1")))
    create(limited.web, "127.0.0.1").done()

"""Receipts shown to the server: what its log bears out, and what is an alarm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.adapters.redis.store import RedisStore, meta_key, stream_key
from service.cli.audit import _alarms
from tests.support.backends import Backend
from tests.support.house import SIGNER, House
from tests.support.http import Body, Table, Web
from tests.support.queries import open_one
from tests.support.records import FORGER, plain_receipt
from tests.support.serving import OPERATOR
from tests.support.views import read_models


@pytest.fixture
def house(fake: Backend) -> House:
    made = House(fake)
    assert fake.client is not None
    vars(made)["parts"] = replace(made.parts, views=read_models(fake.client))
    return made


@pytest.fixture
def table(house: House) -> Table:
    table = house.table("blockers", 2)
    table.play_on(3)
    return table


def checked(house: House, *receipts: Body) -> list[str]:
    found = house.web.post("/receipts/check", {"receipts": list(receipts)}).shown()["receipts"]
    assert [(row["match"], row["version"]) for row in found] == [(r["match"], r["version"]) for r in receipts]
    return [row["result"] for row in found]


def test_every_receipt_of_a_good_match_is_confirmed(house: House, table: Table) -> None:
    receipts = [answer["receipt"] for answer in table.answers.values()]
    assert checked(house, *receipts) == ["confirmed"] * len(receipts)
    views = house.parts.views
    assert views is not None
    assert views.alarms() == {}


@pytest.mark.parametrize("what", ["head", "signature", "key", "version", "match"])
def test_a_receipt_that_was_changed_is_not_signed(house: House, table: Table, what: str) -> None:
    receipt: dict[str, Any] = dict(table.last["receipt"])
    changed = (
        receipt[what] - 1 if what == "version" else receipt[what][:-1] + ("0" if receipt[what][-1] != "0" else "1")
    )
    assert checked(house, receipt | {what: changed}) == ["not_signed"]


def test_what_is_not_signed_tells_nothing_of_a_match(house: House) -> None:
    ann = house.web.enter("Ann")
    private = open_one(ann, private=True)
    for match_id in (private, "00" + "a" * 14, "no match"):
        receipt = plain_receipt(FORGER, match_id, 1, bytes(32))
        body = house.web.post("/receipts/check", {"receipts": [receipt]}).shown()["receipts"][0]
        assert body == {"match": match_id, "version": 1, "result": "not_signed", "message": body["message"]}
        assert body["message"] == "This server did not sign it."


def test_a_log_that_says_something_else_is_an_alarm_that_an_operator_clears(
    house: House, table: Table, fake: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    """The server has signed two histories: another one stands in the log now."""
    assert fake.client is not None
    receipt, key = table.last["receipt"], stream_key(table.match_id)
    newest: Any = fake.client.xrevrange(key, count=1)
    fake.client.xdel(key, newest[0][0])
    assert checked(house, receipt) == ["version_lost"]
    fake.client.delete(key)
    other = newest[0][1] | {b"h": bytes(32)}
    fake.client.xadd(key, other, id=newest[0][0])
    assert checked(house, receipt, receipt) == ["contradicted"] * 2
    views = house.parts.views
    assert views is not None
    assert views.alarms()[table.match_id].startswith(f"receipt of version {receipt['version']}: version_lost.")
    assert caplog.text.count(f"alarm: match {table.match_id}") == 1
    assert _alarms(views, None) == _alarms(views, [table.match_id]) == views.alarms()
    views.clear_alarms([table.match_id])
    assert checked(house, receipt) == ["contradicted"]
    assert f"receipt of version {receipt['version']}: contradicted" in caplog.text


def test_the_audit_shows_an_alarm_until_an_operator_clears_it(house: House, table: Table, fake: Backend) -> None:
    """A backup was restored: the log is good, but somebody has a receipt of a version that it does not have."""
    assert fake.client is not None
    good = house.web.get(f"{table.path}/audit").shown()
    assert (good["ok"], good["alarm"]) == (True, None)
    receipt = plain_receipt(SIGNER, table.match_id, 99, bytes(32))
    assert checked(house, receipt) == ["version_lost"]
    found = house.web.get(f"{table.path}/audit").shown()
    assert (found["ok"], found["fault"], found["quarantined"]) == (False, None, False)
    assert (
        found["alarm"]
        == "receipt of version 99: version_lost. This server signed it, but the log ends before this version."
    )
    assert found["message"].endswith(f" But there is a {found['alarm']}")
    views = house.parts.views
    assert views is not None
    views.clear_alarms([table.match_id])
    assert house.web.get(f"{table.path}/audit").shown() == good


def test_a_match_of_which_only_a_receipt_is_left_is_an_alarm(house: House, table: Table, fake: Backend) -> None:
    assert fake.client is not None
    fake.client.delete(stream_key(table.match_id), meta_key(table.match_id))
    assert checked(house, table.last["receipt"]) == ["match_lost"]
    fake.client.set(stream_key(table.match_id), "mine")
    assert checked(house, table.last["receipt"]) == ["match_lost"]
    metrics = Web(house.app).get("/metrics", {"Authorization": f"Bearer {OPERATOR}"}).data.decode()
    assert "foldtable_alarms 1.0" in metrics
    assert 'foldtable_receipts_checked_total{result="match_lost"}' in metrics


def test_receipts_are_few_and_have_their_form(house: House, table: Table) -> None:
    receipt = table.last["receipt"]
    for receipts, field in (
        ([], "receipts"),
        ([receipt] * 21, "receipts"),
        ([receipt | {"head": "xyz"}], "receipts.0.head"),
        ([receipt | {"signature": receipt["signature"].upper()}], "receipts.0.signature"),
        ([receipt | {"version": 0}], "receipts.0.version"),
        ([receipt | {"more": 1}], "receipts.0.more"),
    ):
        house.web.post("/receipts/check", {"receipts": receipts}).refused(422, "invalid", field=field)


def test_a_store_is_asked_only_about_what_is_signed(house: House, fake: Backend) -> None:
    class Asked(RedisStore):
        def read(self, *_given: Any, **_more: Any) -> Any:
            raise AssertionError("the log was asked")

    assert fake.client is not None
    deaf = house.another(store=Asked(fake.client))
    assert checked(deaf, plain_receipt(FORGER, "00" + "a" * 14, 1, bytes(32))) == ["not_signed"]

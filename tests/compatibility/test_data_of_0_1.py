"""A data folder, receipts and records of version 0.1.0 work unchanged."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.games import all_games
from domain.store import SHARDS
from replay.record import canonical
from replay.record import read as read_record
from service import config
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore
from service.integrity.keys import PublicKey
from service.integrity.receipts import signed_bytes
from service.integrity.records import read_receipt, verify_signed_record
from service.web.app import create_app, production_parts
from tests.support.house import Clock
from tests.support.http import Player, Web
from tests.support.views import read_models, worker

HERE = Path(__file__).parent
KNOWN = json.loads(gzip.decompress((HERE / "answers_0_1.json.gz").read_bytes()))
STOPPED_AT = 1_796_083_976_000
"""A moment before the service was stopped, in milliseconds: the dispute that was open then is open still."""
PROSE = ("title", "detail")
"""Members of a problem that may be worded better; its code may not change."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("data") / "data"
    shutil.copytree(HERE / "data_0_1", folder)
    with EmbeddedServer(folder / "store") as server:
        settings = config.read({"FOLDTABLE_DATA": str(folder), "FOLDTABLE_REDIS_URL": server.url})
        parts = production_parts(settings)
        _build_read_models(server.url)
        # Without notifications, for their listeners would block a process that gevent has not patched.
        quiet = replace(
            parts, clock=Clock(STOPPED_AT), appends=None, view_changes=None, deletions=None, quarantines=None
        )
        yield Web(create_app(quiet))


def _build_read_models(url: str) -> None:
    """Builds the read models whose revision has risen since, as the worker does at its first start."""
    client = connect(url)
    views = read_models(client)
    lease = views.claim("projector", 60_000)
    assert lease is not None
    clock = Clock(STOPPED_AT)
    worker(client, RedisStore(client), views, all_games(), lease, clock).step(set(range(SHARDS)))
    views.release(lease)
    client.close()


def reader(web: Web, name: str | None) -> Web | Player:
    if name is None:
        return web
    known = KNOWN["players"][name]
    return Player(web, known["player_id"], name, known["token"])


@pytest.mark.parametrize("known", KNOWN["answers"], ids=lambda known: f"{known['path']} {known['as']}")
def test_every_answer_is_the_one_that_version_0_1_gave(web: Web, known: dict[str, Any]) -> None:
    headers = {} if known["invite"] is None else {"Foldtable-Invite": known["invite"]}
    answer = reader(web, known["as"]).get(known["path"], headers)
    assert answer.status == known["status"]
    before = {name: value for name, value in known["body"].items() if name not in PROSE}
    assert without_new_members(before, answer.body) == before


def without_new_members(before: Any, after: Any) -> Any:
    """Returns the newer answer without the members that the older one lacks: a response may gain members, and nothing else.

    A hand is a lot of cards without an order, so the order in which it is shown makes no difference.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        kept = {name: without_new_members(before[name], value) for name, value in after.items() if name in before}
        if isinstance(before.get("sentence"), str) and kept.get("sentence"):
            kept["sentence"] = before["sentence"]  # English for people, which may be worded better.
        if _same_cards(before.get("cards"), kept.get("cards")):
            kept["cards"] = before["cards"]
        if any("/cards/" in change["path"] for change in before.get("changes") or ()):
            kept["changes"] = before["changes"]  # Places in a hand; the state after them is compared as a whole.
        return kept
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [without_new_members(old, new) for old, new in zip(before, after, strict=True)]
    return after


def test_every_receipt_of_version_0_1_is_signed_by_a_published_key_and_fits_the_log(web: Web) -> None:
    keys = {row["id"]: PublicKey(row["id"], row["public"]) for row in web.get("/keys").shown()["keys"]}
    ann = reader(web, "Ann")
    for receipt in KNOWN["receipts"]:
        head = bytes.fromhex(receipt["head"])
        message = signed_bytes(receipt["match"], receipt["version"], head)
        assert keys[receipt["key"]].signed(message, bytes.fromhex(receipt["signature"]))
    newest = {receipt["match"]: receipt for receipt in KNOWN["receipts"]}
    for name, match_id in KNOWN["matches"].items():
        if name != "with_deleted":
            audit = ann.get(f"/matches/{match_id}/audit", {"Foldtable-Invite": KNOWN["invite"]}).shown()
            assert audit["ok"]
            assert audit["head"] == newest[match_id]["head"] or audit["version"] > newest[match_id]["version"]


def test_a_record_of_version_0_1_verifies_with_its_receipts(web: Web) -> None:
    match_id = KNOWN["matches"]["territories_resigned"]
    (body,) = (known["body"] for known in KNOWN["answers"] if known["path"] == f"/matches/{match_id}/record")
    record = read_record(canonical(body))
    receipts = [read_receipt(json.dumps(row).encode()) for row in KNOWN["receipts"] if row["match"] == match_id]
    assert len(receipts) == 14
    verdict = verify_signed_record(record, all_games(), receipts=receipts)
    assert (verdict.fault, verdict.complete, verdict.decided_again) == (None, True, True)
    ben = KNOWN["players"]["Ben"]
    headers = {"Authorization": f"Bearer {ben['token']}", "Content-Type": "application/json"}
    brought = web.ask("POST", "/records", raw=canonical(body), headers=headers).done()
    assert brought["record_id"] == KNOWN["record_id"]


def test_a_match_of_version_0_1_goes_on_under_its_old_tokens(web: Web) -> None:
    path = f"/matches/{KNOWN['matches']['blockers_live']}"
    ann, ben = reader(web, "Ann"), reader(web, "Ben")
    for player in (ann, ben):
        for move in player.get(f"{path}/moves").shown()["moves"][:1]:
            assert isinstance(player, Player)
            player.post(f"{path}/moves", {"move": move}).done()
    audit = ann.get(f"{path}/audit").shown()
    assert (audit["ok"], audit["decided_again"]) == (True, True)
    assert audit["version"] > 11


def _same_cards(before: Any, after: Any) -> bool:
    return (
        isinstance(before, list) and isinstance(after, list) and Counter(map(str, before)) == Counter(map(str, after))
    )

"""No report, record, explanation, dispute or audit tells a seat what it may not know: twin worlds answer alike."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain import wire
from tests.support.backends import in_memory
from tests.support.house import House, catalogue
from tests.support.http import Answer, Player, Table, Web
from tests.support.twin_services import Twin, twins

GAMES = [name for name in catalogue() if name != "territories"]
"""All in which anything is hidden."""

HASHES = re.compile(r'"([0-9a-f]{64}|[0-9a-f]{128})"')
"""Hashes, commitments and signatures: of fixed length, and not to be compared."""


def proofs(who: Player | Web, table: Table) -> Iterator[Answer]:
    """All evidence that somebody can ask for."""
    yield who.get(f"{table.path}/audit")
    yield who.get(f"{table.path}/record")
    yield who.get(f"{table.path}/disputes")
    yield who.get(f"{table.path}/disputes/1")
    for version in range(1, table.version + 2):
        yield who.get(f"{table.path}/audit/{version}")


def explained(twin: Twin, seat: int) -> Iterator[Answer]:
    """Moves of all kinds, possible and impossible, by the seat and by others, at every version."""
    listed = twin.legal(seat) + [
        {"type": "pass"},
        {"type": "lay", "card": "1"},
        {"type": "place", "tile": "5", "at": "E5"},
    ]
    for version in range(1, twin.table.version + 1):
        for other in range(3):
            for move in listed[:4] + listed[-3:]:
                body = {"version": version, "seat": other, "move": move}
                yield twin.table.players[seat].post(f"{twin.table.path}/audit/explain", body)


def masked(answer: Answer) -> tuple[Any, ...]:
    """All of an answer but hashes, commitments and signatures, and the tag that is made of them."""
    body = answer.body
    if "entries" in body:
        for line in body["entries"]:
            public = bytes.fromhex(line["public"])
            for _seats, commitment in wire.commitments(public):
                public = public.replace(commitment, bytes(32))
            line["public"] = public.hex()
    headers = {name: value for name, value in answer.headers.items() if name != "ETag"}
    return answer.status, len(answer.data), headers, HASHES.sub('"#"', json.dumps(body))


def all_shown(twin: Twin, seat: int) -> list[tuple[Any, ...]]:
    readers: list[Player | Web] = [twin.table.players[seat], twin.house.web]
    shown = [masked(answer) for reader in readers for answer in proofs(reader, twin.table)]
    return shown + [masked(answer) for answer in explained(twin, seat)]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_two_worlds_that_a_seat_cannot_tell_apart_prove_the_same_to_it(game: str, seat: int) -> None:
    one, two = twins(game, seat, 1)
    assert all_shown(one, seat) == all_shown(two, seat)
    for _ in range(3):
        actor = one.table.to_move[0]
        common = [move for move in one.legal(actor) if move in two.legal(actor)]
        if not common:
            break
        first, second = one.act(actor, "/moves", {"move": common[0]}), two.act(actor, "/moves", {"move": common[0]})
        assert first.status == second.status == 201
        if one.learned_by(seat) != two.learned_by(seat):
            break
        assert all_shown(one, seat) == all_shown(two, seat)
    else:
        raised = {"version": one.table.version, "reason": "Not so."}
        assert one.act(seat, "/disputes", raised).status == two.act(seat, "/disputes", raised).status == 201
        assert all_shown(one, seat) == all_shown(two, seat)


def test_the_masks_hide_hashes_only(small: House) -> None:
    table = small.table("blockers")
    report = masked(table.host.get(f"{table.path}/audit/3"))[3]
    assert '"#"' in report
    assert '"racks"' in report
    record = json.loads(masked(table.host.get(f"{table.path}/record"))[3])
    assert any(secret for line in record["entries"] for secret in line["secrets"])


def test_no_evidence_on_a_running_match_holds_the_seed_or_anothers_secret(
    small: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = small.table("blockers")
    table.play_on(6)
    table.took(table.host.post(f"{table.path}/disputes", {"version": 5, "reason": "Not so."}))
    seed = small.backend.store.seed(table.match_id)
    assert seed is not None
    bodies = [[answer.data for answer in proofs(reader, table)] for reader in table.readers(small.web)]
    for seen in bodies:
        assert not any(seed.hex().encode() in body for body in seen)
    for entry in small.backend.store.read(table.match_id):
        kept = wire.secret_values(entry.secrets)
        for (seats, _commitment), value in zip(wire.commitments(entry.public), kept, strict=True):
            assert value is not None
            if len(value) < 12:
                continue
            for seat, seen in enumerate(bodies):
                assert any(value.hex().encode() in body for body in seen) == (seat in seats)
    assert seed.hex() not in caplog.text


@pytest.mark.parametrize("game", GAMES)
def test_an_arbiter_who_has_not_looked_is_a_stranger(game: str) -> None:
    house = House(in_memory())
    arbiter, players = house.web.enter("Ida"), house.players(2)
    opened = players[0].post("/matches", {"game": game, "seats": 2, "arbiter": arbiter.id}).done()
    arbiter.post(f"/matches/{opened['match_id']}/arbiter").done()
    table = Table(opened["match_id"], players, opened)
    table.took(players[1].post(f"{table.path}/seats", {"arbiter": arbiter.id}))
    table.play_on(3)
    table.took(players[0].post(f"{table.path}/disputes", {"version": 4, "reason": "Not so."}))
    for mine, strangers in zip(proofs(arbiter, table), proofs(house.web, table), strict=True):
        assert (mine.status, mine.data) == (strangers.status, strangers.data)
    table.took(arbiter.post(f"{table.path}/disputes/1/look"))
    for version in range(1, table.version + 1):
        pair = [who.get(f"{table.path}/audit/{version}").data for who in (arbiter, house.web)]
        assert (pair[0] == pair[1]) == (version != 4), version
    assert arbiter.get(f"{table.path}/record").data == house.web.get(f"{table.path}/record").data

"""A match that has become too long: its end over HTTP, and everything that reads it afterwards."""

from __future__ import annotations

import pytest

from domain import limits
from tests.support.house import House
from tests.support.http import Table
from tests.support.returns import consenting


@pytest.fixture
def too_long(small: House, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match whose next move is one too many."""
    table = consenting(small, "highest_card", 3, options={"hand": 3, "peek": False})
    monkeypatch.setattr(limits, "COMMITS", table.version)
    return table


def test_a_move_too_many_makes_the_match_void_and_says_so(small: House, too_long: Table) -> None:
    seat = too_long.to_move[0]
    last = too_long.version
    body = {"move": too_long.listed(seat)[0]}
    key = {"Idempotency-Key": "one too many"}
    done = too_long.took(too_long.players[seat].post(f"{too_long.path}/moves", body, key))
    assert (done["version"], done["status"], done["events"]) == (last + 1, "void", [{"type": "too_long"}])
    again = too_long.players[seat].post(f"{too_long.path}/moves", body, key).done()
    assert (again["version"], again["events"]) == (done["version"], done["events"])
    shown = small.web.get(too_long.path).shown()
    assert (shown["status"], shown["outcome"], shown["to_move"], shown["rated"]) == ("void", None, [], False)
    assert shown["void_reason"] == "too_long"
    (step,) = small.web.get(f"{too_long.path}/replay?after={last}").shown()["steps"]
    assert (step["kind"], step["seat"]) == ("too_long", seat)
    assert step["sentence"] == "The match has become too long and is void."
    before = small.dump()
    too_long.players[seat].post(f"{too_long.path}/moves", body).refused(409, "not_live")
    too_long.host.post(f"{too_long.path}/resign").refused(409, "not_live")
    assert small.dump() == before


def test_it_is_audited_reported_and_exported_like_any_other(small: House, too_long: Table) -> None:
    too_long.move()
    audit = small.web.get(f"{too_long.path}/audit").shown()
    assert audit["ok"]
    assert audit["seed"] is not None, "the match has ended: its seed is open"
    told = small.web.get(f"{too_long.path}/audit/{too_long.version}").shown()
    assert told["decided_again"]["same"]
    assert told["command"]["type"] == "move"
    assert small.web.get(f"{too_long.path}/record").status == 200


def test_a_refused_move_and_a_resignation_are_as_ever(small: House, too_long: Table) -> None:
    before = small.dump()
    seat = too_long.to_move[0]
    held = {move["card"] for move in too_long.listed(seat)}
    unheld = {"type": "lay", "card": next(card for card in "123456789" if card not in held)}
    too_long.players[seat].post(f"{too_long.path}/moves", {"move": unheld}).refused(422, "illegal_move", rule="TOY-1")
    assert small.dump() == before
    assert too_long.give_up()["status"] == "finished"

"""The rulebook's two examples of Block Happy, played by two clients."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House
from tests.support.http import Body, Table
from tests.support.whole_matches import post

EXAMPLE = "annoyed meets smug"
HIDDEN = {"hidden": True}
ANNOYED = {"type": "play", "card": "annoyed", "target": 1}
SMUG = {"type": "answer", "card": "smug"}
DECLINE = {"type": "decline"}


@pytest.fixture
def example(small: House) -> Table:
    """Seat 0 holds Annoyed and Curious, seat 1 Smug and Overjoyed; both have seven cards."""
    position = small.web.get("/games/block_happy").shown()["positions"][EXAMPLE]
    table = small.table("block_happy", 2, position=position)
    assert cards(table) == [7, 7]
    return table


def live(table: Table, seat: int) -> Body:
    return table.players[seat].get(table.path).shown()


def cards(table: Table) -> list[int]:
    """How many cards each seat holds."""
    return [hand["count"] for hand in live(table, 0)["state"]["hands"]]


def hand(table: Table, seat: int) -> list[str]:
    """A seat's own hand."""
    return list(live(table, seat)["state"]["hands"][seat]["cards"])


def happened(done: Body) -> list[str]:
    return [event["type"] for event in done["events"]]


def last_events(table: Table, seat: int) -> list[Any]:
    """What the newest commit says to a seat."""
    (row,) = table.players[seat].get(f"{table.path}/log?after={table.version - 1}").shown()["commits"]
    return list(row["events"])


def drawn(table: Table, reader: int) -> list[tuple[int, Any]]:
    """Who drew in the newest commit, and what, as a seat may know it. A happiness that was drawn is no card of a hand."""
    return [(event["seat"], event["card"]) for event in last_events(table, reader) if event["type"] == "card_drawn"]


def ask_for(card: str) -> Body:
    return {"type": "play", "card": "curious", "target": 1, "ask": card}


def test_an_annoyed_attack_is_blocked_by_smug_and_both_pick_up(example: Table) -> None:
    before = live(example, 0)["state"]
    asked = post(example, 0, ANNOYED)
    assert (asked["to_move"], happened(asked)) == ([1], ["card_played"])
    assert asked["state"]["happiness"] == before["happiness"] == [1, 4]
    example.players[0].post(f"{example.path}/moves", {"move": SMUG}).refused(409, "not_your_turn")
    assert DECLINE in example.listed(1)
    done = post(example, 1, SMUG)
    assert done["to_move"] == [1]
    assert "happiness_taken" not in happened(done)
    assert cards(example) == [7, 7]
    assert done["state"]["show_pile"] == [*before["show_pile"], "annoyed", "smug"]
    assert "smug" not in hand(example, 1)
    assert [(seat, card != HIDDEN) for seat, card in drawn(example, 1)] == [(0, False), (1, True)]
    assert [(seat, card != HIDDEN) for seat, card in drawn(example, 0)] == [(0, True), (1, False)]


def test_an_annoyed_attack_that_is_not_blocked_takes_two(example: Table) -> None:
    post(example, 0, ANNOYED)
    done = post(example, 1, DECLINE)
    taken = {"type": "happiness_taken", "seat": 0, "source": 1, "count": 2}
    assert taken in done["events"]
    assert cards(example) == [7, 7]


def test_curious_with_yes_moves_the_card_and_who_gave_it_picks_up(example: Table) -> None:
    assert ask_for("overjoyed") in example.listed(0)
    asked = post(example, 0, ask_for("overjoyed"))
    assert asked["to_move"] == [1]
    done = post(example, 1, DECLINE)
    answered = {"type": "question_answered", "seat": 0, "target": 1, "card": "overjoyed", "has": True}
    assert answered in done["events"]
    assert "overjoyed" in hand(example, 0)
    assert "overjoyed" not in hand(example, 1)
    assert [seat for seat, _card in drawn(example, 0)] == [1]
    assert cards(example) == [7, 7]
    assert done["to_move"] == [1]


def test_curious_with_no_moves_nothing_and_who_asked_picks_up(example: Table) -> None:
    theirs = hand(example, 1)
    assert "glum" not in theirs
    assert ask_for("glum") in example.listed(0), "one may ask for what one cannot know not to be there"
    post(example, 0, ask_for("glum"))
    done = post(example, 1, DECLINE)
    answered = {"type": "question_answered", "seat": 0, "target": 1, "card": "glum", "has": False}
    assert answered in done["events"]
    assert hand(example, 1) == theirs
    assert [seat for seat, _card in drawn(example, 0)] == [0]
    assert cards(example) == [7, 7]


def test_curious_can_be_blocked_by_smug_too(example: Table) -> None:
    post(example, 0, ask_for("overjoyed"))
    done = post(example, 1, SMUG)
    assert "question_answered" not in happened(done)
    assert "overjoyed" in hand(example, 1)
    assert cards(example) == [7, 7]


def test_what_the_answers_say_can_be_read_in_the_log(example: Table) -> None:
    post(example, 0, ask_for("overjoyed"))
    post(example, 1, DECLINE)
    rows = example.host.get(f"{example.path}/log?after={example.version - 2}").shown()["commits"]
    assert rows[0]["sentence"] == "“Ann” plays Curious on “Bob” and asks for Overjoyed."
    assert "“Bob” has Overjoyed and gives it to “Ann”." in rows[1]["sentence"]

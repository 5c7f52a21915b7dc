"""Matches that start from a posted position instead of the deal."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.blockers.positions import position
from tests.support.house import House
from tests.support.http import Body, Player, Table, table

FULL_ROWS = {"blue": "A1 A3 A5 A7 A9 B2 B4 B6 B8 C1 C3 C5 C7 C9", "green": "A2 A4 A6 A8 B1 B3 B5 B7 B9 C2 C4 C6 C8"}
"""Rows A to C without an empty space; every tile can be captured."""
MUST_CAPTURE = position(FULL_ROWS, racks={"red": "A B C triangle cross"})


def test_bl_11_in_a_posted_position_with_a_forced_capture_only_captures_are_listed(house: House) -> None:
    table = house.table("blockers", position=MUST_CAPTURE)
    assert table.to_move == [0]
    moves = table.listed(0)
    assert {move["type"] for move in moves} == {"place"}
    assert {move["at"] for move in moves} == {f"{row}{column}" for row in "ABC" for column in "123456789"}
    table.host.post(f"{table.path}/moves", {"move": {"type": "pass"}}).refused(422, "illegal_move", rule="BL-11")
    done = table.took(table.host.post(f"{table.path}/moves", {"move": moves[0]}))
    captured = done["events"][0]["captured"]
    assert captured == MUST_CAPTURE["board"][moves[0]["at"]]
    assert done["state"]["captured"][0] == {captured["colour"]: [captured["tile"]]}
    table.play_to_end()
    assert house.web.get(f"{table.path}/audit").shown()["ok"]


def test_the_position_is_shown_as_the_state_at_the_start_to_each_as_it_may_be(small: House) -> None:
    table = small.table("blockers", position=MUST_CAPTURE)
    for number, reader in enumerate(table.readers(small.web)):
        state = reader.get(table.path).shown()["state"]
        assert state["board"] == MUST_CAPTURE["board"]
        assert (state["turns"], state["first_seat"]) == (MUST_CAPTURE["turns"], MUST_CAPTURE["first_seat"])
        for seat, colour in enumerate(("red", "blue", "green")):
            cards = state["racks"][colour]["cards"]
            rack = MUST_CAPTURE["racks"][colour]["cards"]
            assert cards == {"hidden": True} if seat != number else sorted(cards) == sorted(rack)


def test_the_examples_of_the_catalogue_can_be_posted(small: House) -> None:
    players = small.players(5)
    for row in small.web.get("/games").shown()["games"]:
        for name, example in small.web.get(f"/games/{row['game']}").shown()["positions"].items():
            bodies = [
                {"game": row["game"], "seats": seats, "position": example}
                for seats in range(row["seats"]["least"], row["seats"]["most"] + 1)
            ]
            (body,) = [body for body in bodies if players[0].post("/matches", body).status == 201]
            made = table(players[: body["seats"]], row["game"], position=example)
            assert made.last["status"] == "live", f"{row['game']}: {name}"
            assert made.listed(made.to_move[0])


Spoil = Callable[[Body], Any]


def later(plain: Body) -> Body:
    """A round later, so that there were turns enough for what is spoilt."""
    plain["turns"] += 3
    return plain


SPOILT: dict[str, tuple[Spoil, str]] = {
    "a tile twice": (lambda p: p["racks"]["red"]["cards"].__setitem__(0, "B"), "position.piles.red"),
    "a tile missing": (lambda p: (p["piles"]["blue"]["cards"].pop(), later(p)), "position.piles.blue"),
    "a rack too small": (
        lambda p: p["piles"]["red"]["cards"].append(p["racks"]["red"]["cards"].pop()),
        "position.racks.red",
    ),
    "a tile where it does not fit": (
        lambda p: p["board"].__setitem__("I9", p["board"].pop("A1")),
        "position.board.I9.tile",
    ),
    "a space that there is not": (
        lambda p: p["board"].__setitem__("J1", p["board"].pop("A1")),
        "position.board.J1",
    ),
    "a colour that does not play": (lambda p: p["board"]["A1"].update(colour="purple"), "position.board.A1.colour"),
    "an unknown tile": (lambda p: p["board"]["A1"].update(tile="Z"), "position.board.A1.tile"),
    "too few turns": (lambda p: p.update(turns=3), "position.turns"),
    "too many turns": (lambda p: p.update(turns=1000), "position.turns"),
    "turns that are no number": (lambda p: p.update(turns="40"), "position.turns"),
    "a first seat that there is not": (lambda p: p.update(first_seat=4), "position.first_seat"),
    "captures of too few seats": (lambda p: p["captured"].pop(), "position.captured"),
    "a capture of the own colour": (
        lambda p: (p["captured"][1].update(blue=[p["piles"]["blue"]["cards"].pop()]), later(p)),
        "position.captured[1].blue",
    ),
    "a pile left out": (lambda p: p["piles"].pop("green"), "position.piles.green"),
    "racks left out": (lambda p: p.pop("racks"), "position.racks"),
    "another field": (lambda p: p.update(luck=1), "position.luck"),
    "a count that is not the cards'": (lambda p: p["piles"]["red"].update(count=1), "position.piles.red.count"),
    "a scoring that is not the options'": (lambda p: p.update(scoring="uptown"), "position.scoring"),
}


@pytest.fixture(scope="module")
def host(quiet: House) -> Player:
    return quiet.web.enter("Ann")


@pytest.mark.parametrize("fault", SPOILT)
def test_a_position_that_cannot_be_is_refused_with_the_field_named(quiet: House, host: Player, fault: str) -> None:
    spoil, field = SPOILT[fault]
    spoilt = copy.deepcopy(MUST_CAPTURE)
    spoil(spoilt)
    before = quiet.dump()
    host.post("/matches", {"game": "blockers", "seats": 3, "position": spoilt}).refused(422, "invalid", field=field)
    assert quiet.dump() == before


def test_a_position_of_another_game_or_number_of_seats_is_refused(small: House) -> None:
    host = small.web.enter("Ann")
    before = small.dump()
    for game, seats in (("territories", 3), ("blockers", 2), ("blockers", 4), ("highest_card", 3)):
        answer = host.post("/matches", {"game": game, "seats": seats, "position": MUST_CAPTURE})
        assert answer.body["field"].startswith("position.")
        answer.refused(422, "invalid", field=answer.body["field"])
    assert small.dump() == before


@pytest.mark.parametrize(("game", "seats"), [("blockers", 3), ("territories", 2)])
def test_the_state_at_every_version_of_an_ended_match_can_be_posted_as_it_stands(
    small: House, game: str, seats: int
) -> None:
    options = {"max_rounds": 2} if game == "territories" else {}
    table = small.table(game, seats, options=options)
    table.play_to_end()
    for version in range(seats, table.version + 1):
        shown = table.host.get(f"{table.path}/replay/{version}?as=all").shown()
        again = started(small, table, options, shown["state"])
        live = small.web.get(again.path).shown()
        assert (live["to_move"], live["rated"]) == (shown["to_move"], False)
        mine = again.host.get(again.path).shown()["state"]
        sight = "all" if live["outcome"] else "0"
        assert mine == table.host.get(f"{table.path}/replay/{version}?as={sight}").body["state"]
    final = started(small, table, options, table.last["state"])
    assert (final.last["status"], final.last["outcome"]) == ("finished", table.last["outcome"])


def started(house: House, table: Table, options: Body, state: Body) -> Table:
    """A new match among the same players from this state."""
    host, *others = table.players
    body = {"game": house.web.get(table.path).body["game"], "seats": len(table.players), "options": options}
    made = Table("", table.players, host.post("/matches", body | {"position": state}).done())
    made.match_id = made.last["match_id"]
    for player in others:
        made.took(player.post(f"{made.path}/seats"))
    return made


def test_matches_from_positions_are_not_rated_whatever_their_policy(small: House) -> None:
    for policy in ("off", "free_only", "host"):
        table = small.table("blockers", position=MUST_CAPTURE, undo=policy)
        assert table.host.get(table.path).shown()["rated"] is False


def test_a_position_and_options_that_contradict_it_are_refused(small: House) -> None:
    host = small.web.enter("Ann")
    body = {"game": "blockers", "seats": 3, "position": MUST_CAPTURE, "options": {"first_seat": 1}}
    host.post("/matches", body).refused(422, "invalid", field="position.first_seat")

"""What a seat may not know is in nothing that it is sent: searched for, and compared with a twin world."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.house import House
from tests.support.twin_services import Twin, comparable, everything, twins

GAMES = ("blockers", "highest_card")


def held(game: str, state: dict[str, Any], seat: int) -> list[list[str]]:
    """The lots of cards that this seat alone knows."""
    if game == "highest_card":
        return [state["hands"][seat]["cards"]]
    colours = [colour for number, colour in enumerate(state["racks"]) if number % len(state["captured"]) == seat]
    return [state["racks"][colour]["cards"] for colour in colours]


@pytest.mark.parametrize("seats", [2, 3])
def test_no_rack_is_in_any_body_for_another_while_the_match_runs(small: House, seats: int) -> None:
    table = small.table("blockers", seats)
    racks: list[set[bytes]] = [set() for _ in range(seats)]
    bodies: list[list[bytes]] = [[] for _ in range(seats + 1)]

    def look() -> None:
        versions = range(table.version, table.version + 1)
        for seat, player in enumerate(table.players):
            racks[seat] |= {packed(rack) for rack in held("blockers", player.get(table.path).body["state"], seat)}
        for number, reader in enumerate(table.readers(small.web)):
            bodies[number] += [answer.data for answer in everything(reader, table, versions)]

    look()
    for _ in range(20):
        actor = table.to_move[0]
        move = {"move": table.random.choice(table.listed(actor))}
        answer = table.players[actor].post(f"{table.path}/moves", move)
        bodies[actor].append(answer.data)
        table.took(answer)
        look()
    table.undo(table.version - 10)
    look()
    for number, seen in enumerate(bodies):
        for seat, known in enumerate(racks):
            found = {rack for rack in known for body in seen if rack in body}
            assert found == (known if number == seat else set())


def packed(rack: list[str]) -> bytes:
    return json.dumps(rack, separators=(",", ":")).encode()


def test_what_others_draw_and_the_piles_are_hidden_in_every_event_and_sentence(small: House) -> None:
    table = small.table("blockers")
    table.play_on(12)
    colours = ("red", "blue", "green")
    for number, reader in enumerate(table.readers(small.web)):
        for row in reader.get(f"{table.path}/log?after=3").shown()["commits"]:
            (event,) = row["events"]
            assert isinstance(event["drawn"], str) == (event["seat"] == number)
            assert ("draws the" in row["sentence"]) == (event["seat"] == number)
        state = reader.get(table.path).shown()["state"]
        for seat, colour in enumerate(colours):
            assert isinstance(state["racks"][colour]["cards"], list) == (seat == number)
            assert state["piles"][colour]["cards"] == {"hidden": True}


def test_a_face_down_card_is_its_owners_alone_until_it_is_shown(small: House) -> None:
    table = small.table("highest_card")
    card = table.listed(1)[0]["card"]
    answer = table.players[1].post(f"{table.path}/moves", {"move": {"type": "lay", "card": card}})
    assert answer.done()["events"] == [{"type": "laid", "seat": 1, "card": card}]
    table.took(answer)
    for number, reader in enumerate(table.readers(small.web)):
        live = reader.get(table.path).shown()["state"]
        assert live.get("doing", live)["laid"] == [None, card if number == 1 else {"hidden": True}, None]
        (row,) = reader.get(f"{table.path}/log?after=3").shown()["commits"]
        assert row["events"][0]["card"] == (card if number == 1 else {"hidden": True})
        assert ('"' + card + '"' in json.dumps(row)) == (number == 1)


def test_a_position_posted_is_hidden_like_a_deal(small: House) -> None:
    example = small.web.get("/games/blockers").shown()["positions"]["held_together"]
    table = small.table("blockers", position=example)
    racks = [packed(example["racks"][colour]["cards"]) for colour in ("red", "blue", "green")]
    for number, reader in enumerate(table.readers(small.web)):
        for answer in everything(reader, table, range(1, 4)):
            for seat, rack in enumerate(racks):
                assert rack not in answer.data or seat == number
    assert packed(example["racks"]["red"]["cards"]) not in json.dumps(table.last).encode()


# -- twins ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_two_worlds_that_a_seat_cannot_tell_apart_answer_it_byte_for_byte_alike(
    game: str, seat: int, seed: int
) -> None:
    one, two = twins(game, seat, seed)
    assert one.table.match_id == two.table.match_id
    assert one.shown_to(seat) == two.shown_to(seat)
    for _ in range(5):
        actor = one.table.to_move[0] if seat not in one.table.to_move else seat
        known = two.legal(actor)
        common = [move for move in one.legal(actor) if move in known]
        if actor == seat:
            assert common == known == one.legal(actor)
            for refused in ({"type": "pass"}, {"type": "lay", "card": "1"}, {"type": "place", "tile": "5", "at": "E5"}):
                if refused not in known:
                    refused_alike(one, two, seat, "/moves", {"move": refused})
            refused_alike(one, two, seat, "/undo", {"to": 1})
        if not common:
            break
        move = {"move": one.table.random.choice(common)}
        first, second = one.act(actor, "/moves", move), two.act(actor, "/moves", move)
        assert first.status == second.status == 201
        if one.learned_by(seat) != two.learned_by(seat):
            break
        assert actor != seat or comparable(first) == comparable(second)
        assert one.shown_to(seat) == two.shown_to(seat)
        if one.table.last["status"] != "live":
            break


def refused_alike(one: Twin, two: Twin, seat: int, path: str, body: Any) -> None:
    first, second = one.act(seat, path, body), two.act(seat, path, body)
    assert 400 <= first.status < 500
    assert comparable(first) == comparable(second)

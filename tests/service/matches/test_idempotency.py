"""The same Idempotency-Key is the same command: done once, answered the same for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.adapters.memory.store import MemoryStore
from service.matches.cache import REMEMBERED_COMMANDS, CommandIds
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import MSGPACK, Answer, Player, Table
from tests.support.scene import POSTS, Scene

ACTIONS = [name for name in POSTS if name != "players"]

KEY = {"Idempotency-Key": "the key"}


def answered_again(first: Answer, again: Answer) -> None:
    """Byte for byte, headers too."""
    assert first.status == 201
    assert (again.status, again.headers, again.data) == (first.status, first.headers, first.data)


@pytest.mark.parametrize("name", ACTIONS)
def test_a_repeated_command_is_done_once_and_answered_the_same(house: House, name: str) -> None:
    scene = Scene.of(house)
    target = scene.target(name)
    first = target.post(headers=KEY)
    before = house.dump()
    for other in (house, house.another(), house.another()):
        answered_again(first, target.player.at(other.web).post(target.path, target.body, KEY))
    assert house.dump() == before


def go_on(scene: Scene, path: str) -> None:
    """Fills the match, plays on and ends it."""
    for player in scene.running.players:
        player.post(f"{path}/seats")
    live = scene.house.web.get(path).shown()
    by_id = {player.id: player for player in scene.running.players}
    table = Table(live["match_id"], [by_id[row["player_id"]] for row in live["seats"]], live)
    if live["status"] == "live":
        table.play_on(2)
        table.took(table.host.post(f"{path}/resign"))
    assert table.last["status"] == "finished"


@pytest.mark.parametrize("name", ACTIONS)
def test_it_is_answered_as_of_then_when_the_match_has_gone_on(small: House, name: str) -> None:
    scene = Scene.of(small)
    target = scene.target(name)
    first = target.post(headers=KEY)
    go_on(scene, f"/matches/{first.body['match_id']}")
    before = small.dump()
    for other in (small, small.another()):
        answered_again(first, target.player.at(other.web).post(target.path, target.body, KEY))
    assert small.dump() == before


def test_what_was_hidden_then_is_hidden_in_the_repeated_answer_after_the_end(small: House) -> None:
    table = small.table("blockers")
    seat, path = table.to_move[0], f"{table.path}/moves"
    move = {"move": table.listed(seat)[0]}
    first = table.players[seat].post(path, move, KEY)
    assert b'"hidden":true' in first.data
    table.took(first)
    table.play_to_end()
    answered_again(first, table.players[seat].post(path, move, KEY))


def test_five_hundred_commits_later_it_is_answered_the_same(small: House) -> None:
    table = small.table("territories", 2)
    target, move = table.mover, {"move": table.listed(table.to_move[0])[0]}
    first = target.post(f"{table.path}/moves", move, KEY)
    table.took(first)
    after = table.version
    while table.version < after + 500:
        table.play_on(2)  # both seats, or the host could not go back so often
        table.undo(after)
    for other in (small, small.another()):
        answered_again(first, target.at(other.web).post(f"{table.path}/moves", move, KEY))
    assert table.host.get(table.path).shown()["version"] == table.version


def test_a_second_app_whose_cache_is_stale_answers_the_same(house: House) -> None:
    table = house.table("highest_card")
    other = house.another()
    move = {"move": table.listed(0)[0]}
    assert other.web.get(table.path).shown()["version"] == 3
    first = table.host.post(f"{table.path}/moves", move, KEY)
    table.took(first)
    table.play_on(2)
    answered_again(first, table.host.at(other.web).post(f"{table.path}/moves", move, KEY))


def test_it_is_answered_in_the_type_that_is_asked_for_now(small: House) -> None:
    table = small.table("highest_card", 2)
    move = {"move": table.listed(0)[0]}
    first = table.host.post(f"{table.path}/moves", move, KEY)
    again = table.host.post(f"{table.path}/moves", move, KEY | {"Accept": MSGPACK})
    assert again.headers["Content-Type"] == MSGPACK
    assert again.body == first.body


def test_opening_twice_with_a_key_opens_one_match(house: House) -> None:
    host = house.web.enter("Ann")
    body = {"game": "blockers", "seats": 3, "private": True, "options": {"first_seat": 2}, "entropy": "luck"}
    first = host.post("/matches", body, KEY)
    for other in (house, house.another()):
        answered_again(first, host.at(other.web).post("/matches", body, KEY))
    assert [row["match_id"] for row in host.get("/matches").shown()["matches"]] == [first.body["match_id"]]
    plain = host.post("/matches", body).done()["match_id"]
    assert plain != host.post("/matches", body).done()["match_id"], "without a key each is a new match"


CHANGED: dict[str, list[dict[str, Any]]] = {
    "matches": [
        {"seats": 4},
        {"game": "territories"},
        {"undo": "off"},
        {"private": True},
        {"entropy": "x"},
        {"options": {"first_seat": 1}},
        {"options": {"scoring": "uptown"}},
    ],
    "seats": [{"seat": None}, {"entropy": "x"}],
    "moves": [{"move": {"type": "pass"}}, {"move": {"type": "place", "at": "I9"}}, {"move": {"type": "castle"}}],
    "undo": [{"to": 3}, {"to": 99}, {"to": None}],
    "redo": [{"to": 6}, {"to": 99}, {"reason": "a slip"}],
    "answer": [{"accept": False}, {"request": 4}, {"request": 99}],
    "forks": [{"version": 2}, {"undo": "off"}, {"private": True}, {"entropy": "x"}],
}


@pytest.mark.parametrize(("name", "change"), [(name, change) for name, all_ in CHANGED.items() for change in all_])
def test_another_body_with_the_key_is_refused(small: House, name: str, change: dict[str, Any]) -> None:
    target = Scene.of(small).target(name)
    target.post(headers=KEY).done()
    before = small.dump()
    for other in (small, small.another()):
        answer = target.player.at(other.web).post(target.path, target.body | change, KEY)
        answer.refused(422, "key_reused")
    assert small.dump() == before


@pytest.mark.parametrize("first", ["moves", "resign", "undo", "redo"])
@pytest.mark.parametrize("then", ["moves", "resign", "undo", "redo", "seats"])
def test_the_key_of_one_kind_of_command_is_none_for_another(small: House, first: str, then: str) -> None:
    scene = Scene.of(small)
    bodies = {name: scene.target(name).body for name in (first, then)}
    player = scene.running.mover
    player.post(f"{scene.running.path}/{first}", bodies[first], KEY).done()
    for body in (bodies[then], {}) if then not in ("moves", first) else (bodies[then],):
        answer = player.post(f"{scene.running.path}/{then}", body, KEY)
        if first == then:
            answer.done()
        else:
            answer.refused(422, "key_reused")


def test_the_key_of_a_join_is_none_for_what_only_who_sits_there_can_do(small: House) -> None:
    ann, bob = small.players(2)
    path = f"/matches/{ann.post('/matches', {'game': 'highest_card', 'seats': 2}).done()['match_id']}"
    bob.post(f"{path}/seats", {}, KEY).done()
    for part, body in (("moves", {"move": {"type": "lay", "card": "1"}}), ("undo", {}), ("redo", {}), ("resign", {})):
        bob.post(f"{path}/{part}", body, KEY).refused(422, "key_reused")


def test_another_position_with_the_key_is_refused(small: House) -> None:
    host = small.web.enter("Ann")
    example = small.web.get("/games/blockers").shown()["positions"]["held_together"]
    body = {"game": "blockers", "seats": 3, "position": example}
    first = host.post("/matches", body, KEY)
    answered_again(first, host.post("/matches", body, KEY))
    racks = example["racks"]["red"]["cards"]
    pile = example["piles"]["red"]["cards"]
    swapped = {"cards": [pile[0], *racks[1:]]}, {"cards": [racks[0], *pile[1:]]}
    other = example | {"racks": example["racks"] | {"red": swapped[0]}, "piles": example["piles"] | {"red": swapped[1]}}
    host.post("/matches", body | {"position": other}, KEY).refused(422, "key_reused")
    host.post("/matches", body | {"position": None}, KEY).refused(422, "key_reused")


def test_a_refusal_is_not_remembered(house: House) -> None:
    table = house.table("highest_card", 2)
    path, hand = f"{table.path}/moves", table.listed(0)
    for card in "123456789":
        if {"type": "lay", "card": card} not in hand:
            table.host.post(path, {"move": {"type": "lay", "card": card}}, KEY).refused(
                422, "illegal_move", rule="TOY-1"
            )
    table.host.post(path, {"move": hand[0]}, KEY | {"If-Match": '"1"'}).refused(412, "stale_version")
    table.host.post(path, {"move": hand[0]}, KEY).done()
    table.host.post(path, {"move": hand[0]}, KEY | {"If-Match": '"1"'}).done()


def test_keys_are_the_players_own(house: House) -> None:
    ann, bob = house.players(2)
    body = {"game": "highest_card", "seats": 2}
    first, second = ann.post("/matches", body, KEY).done(), bob.post("/matches", body, KEY).done()
    assert first["match_id"] != second["match_id"]
    table = house.table("highest_card", 2)
    moves = [{"move": table.listed(seat)[0]} for seat in (0, 1)]
    laid = [player.post(f"{table.path}/moves", moves[seat], KEY) for seat, player in enumerate(table.players)]
    assert [answer.body["version"] for answer in laid] == [3, 4]
    for seat, player in enumerate(table.players):
        answered_again(laid[seat], player.post(f"{table.path}/moves", moves[seat], KEY))


def test_keys_are_the_matchs_own(small: House) -> None:
    ann, bob = small.players(2)
    paths = [f"/matches/{ann.post('/matches', {'game': 'highest_card', 'seats': 2}).done()['match_id']}" for _ in "ab"]
    joined: list[Player] = []
    for path in paths:
        assert bob.post(f"{path}/seats", {}, KEY).done()["version"] == 2
        joined.append(bob)
    assert len(joined) == 2


def test_a_command_without_a_key_is_a_new_command_each_time(small: House) -> None:
    table = small.table("territories", 2)
    table.play_on(4)
    first, second = table.undo(4), table.undo(3)
    assert second["version"] == first["version"] + 1
    table.redo(first["version"])
    assert table.host.post(f"{table.path}/redo", {"to": first["version"]}).status == 409


def test_no_opponent_can_make_a_key_be_forgotten() -> None:
    """One seat makes more commits than are remembered of a player; the retry of the other seat still does nothing new."""
    store = MemoryStore()
    store._protocol = 1  # Later protocols bound the free returns of a seat.
    house = House(replace(in_memory(), store=store))
    table = house.table("territories", 2, undo="consent")
    mover = table.mover
    (waiting,) = (player for player in table.players if player is not mover)
    move = mover.get(f"{table.path}/moves").shown()["moves"][0]
    first = mover.post(f"{table.path}/moves", {"move": move}, KEY)
    reply = waiting.get(f"{table.path}/moves").shown()["moves"][0]
    waiting.post(f"{table.path}/moves", {"move": reply}).done()
    version = waiting.get(table.path).shown()["version"]
    for _flip in range(REMEMBERED_COMMANDS // 2 + 5):
        waiting.post(f"{table.path}/undo", {"to": version - 1}).done()
        waiting.post(f"{table.path}/redo", {"to": version}).done()
    before = house.dump()
    for other in (house, house.another()):
        answered_again(first, mover.at(other.web).post(f"{table.path}/moves", {"move": move}, KEY))
    assert house.dump() == before


def test_so_many_commands_of_each_player_are_remembered_and_no_more() -> None:
    known = CommandIds()
    for number in range(REMEMBERED_COMMANDS):
        known.add("ann", f"a{number}", number)
    for number in range(5 * REMEMBERED_COMMANDS):
        known.add("bob", f"b{number}", number)
    assert known.version("ann", "a0") == 0
    assert known.version("bob", f"b{4 * REMEMBERED_COMMANDS}") == 4 * REMEMBERED_COMMANDS
    assert known.version("bob", f"b{4 * REMEMBERED_COMMANDS - 1}") is None
    assert known.version("cid", "a0") is None

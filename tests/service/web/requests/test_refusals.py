"""Requests that can be read and are refused, each with its code: who asks, for what, and when."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.backends import in_memory
from tests.support.house import Entropy, House
from tests.support.http import Player
from tests.support.scene import READS, Scene, requests, sent

pytestmark = pytest.mark.usefixtures("untouched")


@pytest.fixture(scope="module")
def stranger(quiet: House) -> Player:
    return quiet.web.enter("Zoe")


# -- who asks ---------------------------------------------------------------------------------------------------------

TOKENS = ["", "Bearer", "Bearer ", "Bearer x", "Bearer .", "Bearer a.b", "Basic QTpi", "{token}", "Token {token}"]
TOKENS += ["Bearer {token}x", "Bearer {short}", "Bearer {id}", "Bearer {id}.", "Bearer {other}.{secret}", "Bearer é.é"]
TOKENS += ["Bearer {id}.{secret} more", "Bearer {upper}", "Bearer " + "a" * 5000 + ".b", "Bearer {{}}.b", "Bearer *.b"]


@pytest.mark.parametrize("form", TOKENS)
def test_a_wrong_token_is_a_401_wherever_it_is_sent(scene: Scene, form: str) -> None:
    ann, bob = scene.running.players
    secret = ann.token.partition(".")[2]
    given = form.format(
        token=ann.token, short=ann.token[:-1], id=ann.id, other=bob.id, secret=secret, upper=ann.token.upper()
    )
    for method, path, body in requests(scene):
        sent(scene.house.web, method, path, body, {"Authorization": given}).refused(401, "unauthenticated")


def test_the_token_of_another_house_is_a_401(scene: Scene) -> None:
    stranger = House(in_memory(), entropy=Entropy("another")).web.enter("Ann")
    for method, path, body in requests(scene):
        sent(scene.house.web, method, path, body, stranger.authorization).refused(401, "unauthenticated")


def test_whoever_acts_needs_a_token_and_whoever_looks_does_not(scene: Scene) -> None:
    for method, path, body in requests(scene):
        answer = sent(scene.house.web, method, path, body, {})
        if method == "GET" and not path.partition("?")[0].endswith(("/moves", "/undo")):
            answer.shown()
        else:
            answer.refused(401, "unauthenticated")


def test_the_scheme_is_read_in_any_letter_case(scene: Scene) -> None:
    token = scene.running.host.token
    for scheme in ("bearer", "BEARER", "Bearer "):
        path = f"{scene.running.path}/moves"
        assert scene.house.web.get(path, {"Authorization": f"{scheme} {token}"}).status == 200


def test_a_token_that_was_withdrawn_is_good_for_a_minute_at_most(small: House) -> None:
    ann = small.web.enter("Ann")
    ann.post("/matches", {"game": "blockers", "seats": 2}).done()
    small.backend.players.forget(ann.id)
    small.clock.time += 60_000
    ann.post("/matches", {"game": "blockers", "seats": 2}).refused(401, "unauthenticated")


# -- what there is not ------------------------------------------------------------------------------------------------

UNKNOWN = ["00aaaaaaaaaaaaaa", "40aaaaaaaaaaaaaa", "zzaaaaaaaaaaaaaa", "0", "x", "00AAAAAAAAAAAAAA", "a" * 5000, "%00"]
UNKNOWN += [
    "00aaaaaaaaaaaaa",
    "00aaaaaaaaaaaaaaa",
    "%F0%9F%A6%8A",
    "00aaaaaaaaaaaaa%20",
    "00aaaaaaaaaaaaa%0a",
    "*",
    "{x}",
]
UNKNOWN += ["..", "%FF", "+1aaaaaaaaaaaaaa", "1_aaaaaaaaaaaaaa", "00aaaaaaaaaaaaa-", "00%C3%A9aaaaaaaaaaaaa"]


@pytest.mark.parametrize("match_id", [*UNKNOWN, "{upper}"])
def test_an_unknown_match_is_a_404_whatever_its_name(scene: Scene, match_id: str) -> None:
    match_id = match_id.replace("{upper}", scene.running.match_id.upper())
    host, path = scene.running.host, f"/matches/{match_id}"
    bodies: dict[str, Any] = {"seats": {}, "moves": {"move": {"type": "pass"}}, "resign": {}, "undo": {}, "redo": {}}
    for part, body in bodies.items():
        host.post(f"{path}/{part}", body).refused(404, "match_not_found")
    for part in READS:
        host.get(path + part).refused(404, "match_not_found")
    host.delete(f"{path}/seats/0").refused(404, "match_not_found")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/v1", "/api/v2/games", "/api/v1/nothing", "/api/v1/matches/../x", "/api/v1/matches/%2e%2e%2fx/log"]
    + ["/api/v1//games", "//games", "/api/v1/matches//moves", "/api/v1/matches/x/y/z", "/api/v1/" + "a/" * 2000],
)
def test_an_unknown_route_is_a_404(scene: Scene, path: str) -> None:
    for method in ("GET", "POST", "DELETE", "HEAD"):
        answer = scene.running.host.ask(method, path)
        assert answer.status == 404
        if method != "HEAD":
            answer.refused(404, "not_found")


@pytest.mark.parametrize("version", ["0", "99", "-1", "x", "1.0", "01x", "9" * 5000, "²", "%00", "+1", " 1"])
def test_an_unknown_version_is_a_404(scene: Scene, version: str) -> None:
    scene.house.web.get(f"{scene.running.path}/replay/{version}").refused(404, "version_not_found")


@pytest.mark.parametrize("seat", ["x", "-1", "1.5", "9999", "²"])
def test_a_seat_that_is_no_number_is_a_404(scene: Scene, seat: str) -> None:
    scene.running.host.delete(f"{scene.running.path}/seats/{seat}").refused(404, "not_found")


# -- the state of the match -------------------------------------------------------------------------------------------


def test_who_is_not_to_move_cannot_move(scene: Scene) -> None:
    move = scene.running.listed(scene.running.to_move[0])[0]
    scene.running.waiting.post(f"{scene.running.path}/moves", {"move": move}).refused(409, "not_your_turn")
    assert scene.running.waiting.get(f"{scene.running.path}/moves").shown()["moves"] == []


def test_an_illegal_move_is_refused_by_its_rule_with_the_facts(small: House) -> None:
    table = small.table("blockers", options={"first_seat": 0})
    rack = table.host.get(table.path).shown()["state"]["racks"]["red"]["cards"]
    other = next(tile for tile in "123456789" if tile not in rack)
    before = small.dump()
    cases = {
        "BL-4": {"type": "place", "tile": other, "at": f"A{other}"},
        "BL-1": {"type": "place", "tile": rack[0], "at": "A1", "colour": "blue"},
        "BL-12": {"type": "pass"},
    }
    for rule, move in cases.items():
        problem = table.host.post(f"{table.path}/moves", {"move": move}).refused(422, "illegal_move", rule=rule)
        assert len(problem["detail"]) > 15
    assert small.dump() == before


def test_who_has_no_seat_plays_nothing(scene: Scene, stranger: Player) -> None:
    for name in ("moves", "resign", "undo", "redo"):
        target = scene.target(name)
        stranger.post(target.path, target.body).refused(403, "not_seated")
    for part in ("/moves", "/undo", "/undo?to=3"):
        stranger.get(scene.running.path + part).refused(403, "not_seated")
    for seat in (0, 1):
        stranger.delete(f"{scene.running.path}/seats/{seat}").refused(403, "not_your_seat")
    stranger.delete(f"{scene.running.path}/seats/2").refused(409, "seat_empty")


@pytest.fixture
def opened(small: House) -> tuple[House, list[Player], str]:
    """A match of three seats, of which seats 0 and 2 are taken."""
    players = small.players(4)
    made = players[0].post("/matches", {"game": "blockers", "seats": 3}).done()
    path = f"/matches/{made['match_id']}"
    players[1].post(f"{path}/seats", {"seat": 2}).done()
    return small, players, path


def test_before_the_start_nothing_can_be_played(opened: tuple[House, list[Player], str]) -> None:
    house, (host, *_), path = opened
    before = house.dump()
    host.post(f"{path}/moves", {"move": {"type": "pass"}}).refused(409, "not_live")
    host.post(f"{path}/resign").refused(409, "not_live")
    host.post(f"{path}/undo", {"to": 1}).refused(409, "not_live")
    host.post(f"{path}/undo").refused(409, "undo_refused")
    host.post(f"{path}/redo", {"to": 1}).refused(409, "not_live")
    host.post(f"{path}/redo").refused(409, "not_live")
    assert host.get(f"{path}/moves").shown() == {"version": 2, "moves": []}
    assert host.get(path).shown()["state"] is None
    assert house.dump() == before


def test_a_seat_is_taken_once_and_a_player_takes_one(opened: tuple[House, list[Player], str]) -> None:
    house, (host, bob, cid, dot), path = opened
    before = house.dump()
    host.post(f"{path}/seats").refused(409, "already_seated")
    bob.post(f"{path}/seats", {"seat": 1}).refused(409, "already_seated")
    for seat in (0, 2):
        cid.post(f"{path}/seats", {"seat": seat}).refused(409, "seat_taken")
    assert house.dump() == before
    assert cid.post(f"{path}/seats").done()["status"] == "live"
    dot.post(f"{path}/seats").refused(409, "not_open")
    host.post(f"{path}/seats").refused(409, "not_open")


def test_one_leaves_ones_own_seat_before_the_start_only(opened: tuple[House, list[Player], str]) -> None:
    house, (host, bob, cid, dot), path = opened
    before = house.dump()
    for player, seat in ((bob, 0), (cid, 0), (cid, 2)):
        player.delete(f"{path}/seats/{seat}").refused(403, "not_your_seat")
    for player in (host, bob, cid):
        player.delete(f"{path}/seats/1").refused(409, "seat_empty")
    assert house.dump() == before
    left = bob.delete(f"{path}/seats/2").done()
    assert left["events"] == [{"type": "left", "seat": 2}]
    assert [row["player_id"] for row in bob.get(path).shown()["seats"]] == [host.id, None, None]
    cid.post(f"{path}/seats").done()
    dot.post(f"{path}/seats").done()
    for player, seat in ((host, 0), (cid, 1)):
        player.delete(f"{path}/seats/{seat}").refused(409, "not_open")


def test_the_host_leaving_cancels_the_match(opened: tuple[House, list[Player], str]) -> None:
    house, (host, bob, cid, _dot), path = opened
    done = host.delete(f"{path}/seats/0").done()
    assert (done["status"], done["events"], done["to_move"]) == ("void", [{"type": "cancelled"}], [])
    before = house.dump()
    cid.post(f"{path}/seats").refused(409, "not_open")
    bob.delete(f"{path}/seats/2").refused(409, "not_open")
    bob.post(f"{path}/resign").refused(409, "not_live")
    bob.post(f"{path}/undo", {"to": 1}).refused(409, "final")
    assert house.dump() == before
    audit = house.web.get(f"{path}/audit").shown()
    assert audit["ok"]
    assert audit["seed"] is not None, "a cancelled match has ended: its seed is open"
    assert host.get(path).shown()["status"] == "void"
    assert [row["kind"] for row in host.get(f"{path}/replay").shown()["steps"]] == ["join", "join", "leave"]

"""Requests that can be read and are refused: each with its code, its rule or field, and without any effect."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contracts.backends import in_memory
from tests.service.house import House
from tests.service.scene import POSTS, Scene
from tests.support.http import Answer, Headers, Player, Web

each_post = pytest.mark.parametrize("name", POSTS)

READS = ("", "/moves", "/log", "/replay", "/replay/1", "/undo?to=3", "/audit")


@pytest.fixture(scope="module")
def scene(quiet: House) -> Scene:
    return Scene.of(quiet)


@pytest.fixture(scope="module")
def stranger(quiet: House) -> Player:
    return quiet.web.enter("Zoe")


@pytest.fixture(autouse=True)
def nothing_changes(request: pytest.FixtureRequest) -> Any:
    """What a test does to the shared scene is refused, so it leaves no trace."""
    if "scene" not in request.fixturenames:
        yield
        return
    house = request.getfixturevalue("scene").house
    before = house.dump()
    yield
    assert house.dump() == before


# -- fields -----------------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("players", {"name": None}, "name"),
    ("players", {"name": 7}, "name"),
    ("players", {"name": ["Fay"]}, "name"),
    ("players", {"name": ""}, "name"),
    ("players", {"name": "    "}, "name"),
    ("players", {"name": "\u2003\u00a0"}, "name"),
    ("players", {"name": "x" * 41}, "name"),
    ("players", {"name": "x" * 10_000}, "name"),
    ("players", {"name": "Fay\u0000"}, "name"),
    ("players", {"name": "Fa\ny"}, "name"),
    ("players", {"name": "Fa\u007fy"}, "name"),
    ("players", {"name": "\u202eyaF"}, "name"),
    ("players", {"name": "F\u200bay"}, "name"),
    ("players", {"name": "F\u2028ay"}, "name"),
    ("players", {"name": "F\ue000ay"}, "name"),
    ("players", {"more": 1}, "more"),
    ("matches", {"game": 5}, "game"),
    ("matches", {"seats": "3"}, "seats"),
    ("matches", {"seats": True}, "seats"),
    ("matches", {"seats": 3.0}, "seats"),
    ("matches", {"seats": None}, "seats"),
    ("matches", {"seats": 1}, "seats"),
    ("matches", {"seats": 6}, "seats"),
    ("matches", {"seats": 2**53 - 1}, "seats"),
    ("matches", {"seats": -3}, "seats"),
    ("matches", {"options": []}, "options"),
    ("matches", {"options": None}, "options"),
    ("matches", {"options": {"luck": 1}}, "options.luck"),
    ("matches", {"options": {"x" * 1000: 1}}, "options." + "x" * 60),
    ("matches", {"options": {"scoring": "chess"}}, "options.scoring"),
    ("matches", {"options": {"scoring": 1}}, "options.scoring"),
    ("matches", {"options": {"first_seat": "0"}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": True}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": 5}}, "options.first_seat"),
    ("matches", {"options": {"first_seat": 3}}, "options.first_seat"),
    ("matches", {"undo": "always"}, "undo"),
    ("matches", {"undo": None}, "undo"),
    ("matches", {"private": 1}, "private"),
    ("matches", {"private": "true"}, "private"),
    ("matches", {"private": None}, "private"),
    ("matches", {"entropy": "x" * 65}, "entropy"),
    ("matches", {"entropy": "a b"}, "entropy"),
    ("matches", {"entropy": "é"}, "entropy"),
    ("matches", {"entropy": "line\n"}, "entropy"),
    ("matches", {"entropy": 5}, "entropy"),
    ("matches", {"position": []}, "position"),
    ("matches", {"position": "none"}, "position"),
    ("matches", {"position": {"luck": 1}}, "position.luck"),
    ("matches", {"host": 1}, "host"),
    ("seats", {"seat": "1"}, "seat"),
    ("seats", {"seat": True}, "seat"),
    ("seats", {"seat": 1.0}, "seat"),
    ("seats", {"seat": -1}, "seat"),
    ("seats", {"seat": 2}, "seat"),
    ("seats", {"seat": 2**53 - 1}, "seat"),
    ("seats", {"entropy": "x" * 65}, "entropy"),
    ("seats", {"player": 1}, "player"),
    ("moves", {"move": None}, "move"),
    ("moves", {"move": "pass"}, "move"),
    ("moves", {"move": [{"type": "pass"}]}, "move"),
    ("moves", {"move": {}}, "move.type"),
    ("moves", {"move": {"type": None}}, "move.type"),
    ("moves", {"move": {"type": ["place"]}}, "move.type"),
    ("moves", {"move": {"type": "castle"}}, "move.type"),
    ("moves", {"move": {"type": "place"}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": "Z9"}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": 5}}, "move.at"),
    ("moves", {"move": {"type": "place", "at": "A1", "seat": 0}}, "move.seat"),
    ("moves", {"move": {"type": "move", "from_": "A1", "to": "A2"}}, "move.from_"),
    ("moves", {"seat": 0}, "seat"),
    ("resign", {"seat": 0}, "seat"),
    ("undo", {"to": "4"}, "to"),
    ("undo", {"to": True}, "to"),
    ("undo", {"to": 4.0}, "to"),
    ("undo", {"from": 4}, "from"),
    ("redo", {"to": "7"}, "to"),
    ("redo", {"to": [7]}, "to"),
    ("redo", {"why": "so"}, "why"),
]


@pytest.mark.parametrize(("name", "wrong", "field"), WRONG, ids=[f"{n}-{str(w)[:40]}" for n, w, _f in WRONG])
def test_a_field_that_is_not_as_it_should_be_is_named(
    scene: Scene, name: str, wrong: dict[str, Any], field: str
) -> None:
    target = scene.target(name)
    target.player.post(target.path, target.body | wrong).refused(422, "invalid", field=field)


@pytest.mark.parametrize(
    ("name", "field"), [("players", "name"), ("matches", "game"), ("matches", "seats"), ("moves", "move")]
)
def test_a_field_that_is_missing_is_named(scene: Scene, name: str, field: str) -> None:
    target = scene.target(name)
    body = {key: item for key, item in target.body.items() if key != field}
    target.player.post(target.path, body).refused(422, "invalid", field=field)


def test_a_long_name_of_a_stranger_does_not_come_back(scene: Scene) -> None:
    for name in POSTS:
        target = scene.target(name)
        answer = target.player.post(target.path, target.body | {"x" * 20_000: 1})
        answer.refused(422, "invalid", field="x" * 60)
        assert len(answer.data) < 500


@pytest.mark.parametrize("name", ["🦊", "Ann 🦊🎲", "x" * 40, "Łukasz Żółć", "李小龍", "محمد", "O'Brien-Smith", "ê̄"])
def test_names_of_all_scripts_are_good(small: House, name: str) -> None:
    assert small.web.post("/players", {"name": name}).done()["name"] == name


def test_a_name_is_trimmed_and_composed(small: House) -> None:
    assert small.web.post("/players", {"name": "  Rene\u0301e \t"}).done()["name"] == "Ren\u00e9e"


def test_two_players_may_have_the_same_name_and_are_two(small: House) -> None:
    first, second = small.web.enter("Ann"), small.web.enter("Ann")
    assert first.id != second.id
    assert first.token != second.token


def test_a_game_that_there_is_not_is_a_404(scene: Scene) -> None:
    for game in ("chess", "", "Blockers", "x" * 5000):
        scene.running.host.post("/matches", {"game": game, "seats": 2}).refused(404, "game_not_found")


# -- who asks ---------------------------------------------------------------------------------------------------------

TOKENS = ["", "Bearer", "Bearer ", "Bearer x", "Bearer .", "Bearer a.b", "Basic QTpi", "{token}", "Token {token}"]
TOKENS += ["Bearer {token}x", "Bearer {short}", "Bearer {id}", "Bearer {id}.", "Bearer {other}.{secret}", "Bearer é.é"]
TOKENS += ["Bearer {id}.{secret} more", "Bearer {upper}", "Bearer " + "a" * 5000 + ".b", "Bearer {{}}.b", "Bearer *.b"]


def requests(scene: Scene) -> list[tuple[str, str, dict[str, Any] | None]]:
    reads: list[tuple[str, str, dict[str, Any] | None]] = [("GET", scene.running.path + part, None) for part in READS]
    acts = [("POST", target.path, target.body) for target in scene.targets() if target.path != "/players"]
    return [*reads, *acts, ("GET", "/matches", None), ("DELETE", f"{scene.running.path}/seats/0", None)]


def sent(web: Web, method: str, path: str, body: dict[str, Any] | None, headers: Headers) -> Answer:
    return web.post(path, body, headers) if method == "POST" else web.ask(method, path, headers=headers)


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
    stranger = House(in_memory(), entropy=type(scene.house.entropy)("another")).web.enter("Ann")
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


# -- methods and types ------------------------------------------------------------------------------------------------

METHODS = {
    "/games": {"GET"},
    "/games/blockers": {"GET"},
    "/players": {"POST"},
    "/matches": {"GET", "POST"},
    "/matches/{id}": {"GET"},
    "/matches/{id}/seats": {"POST"},
    "/matches/{id}/seats/0": {"DELETE"},
    "/matches/{id}/moves": {"GET", "POST"},
    "/matches/{id}/resign": {"POST"},
    "/matches/{id}/undo": {"GET", "POST"},
    "/matches/{id}/redo": {"POST"},
    "/matches/{id}/log": {"GET"},
    "/matches/{id}/replay": {"GET"},
    "/matches/{id}/replay/3": {"GET"},
    "/matches/{id}/audit": {"GET"},
    "/healthz": {"GET"},
    "/readyz": {"GET"},
}


@pytest.mark.parametrize("route", METHODS)
def test_a_method_that_a_route_does_not_have_is_a_405_that_names_those_it_has(scene: Scene, route: str) -> None:
    path, known = route.replace("{id}", scene.running.match_id), METHODS[route]
    allowed = known | {"OPTIONS"} | ({"HEAD"} if "GET" in known else set())
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"} - allowed:
        answer = scene.running.host.ask(method, path)
        assert answer.status == 405
        assert set(answer.headers["Allow"].split(", ")) == allowed
        if method != "HEAD":
            answer.refused(405, "method_not_allowed")
    options = scene.house.web.ask("OPTIONS", path)
    assert (options.status, options.data) == (200, b"")
    assert set(options.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize("route", [route for route, methods in METHODS.items() if "GET" in methods])
def test_head_says_what_get_says_without_the_body(scene: Scene, route: str) -> None:
    path = route.replace("{id}", scene.running.match_id)
    got, head = scene.running.host.get(path), scene.running.host.ask("HEAD", path)
    assert (head.status, head.data) == (200, b"")
    assert head.headers == got.headers


@pytest.mark.parametrize("accept", ["text/html", "application/xml, text/*;q=0.5", "application/json;q=0", "image/*"])
def test_who_takes_neither_type_gets_a_406_and_nothing_happens(scene: Scene, accept: str) -> None:
    for method, path, body in [*requests(scene), ("POST", "/players", {"name": "Fay"})]:
        headers = scene.running.host.authorization | {"Accept": accept}
        sent(scene.house.web, method, path, body, headers).refused(406, "not_acceptable")
    assert scene.house.web.ask("OPTIONS", "/games", headers={"Accept": accept}).status == 200


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/json;q=0.5, application/msgpack", "application/msgpack"),
        ("application/msgpack", "application/msgpack"),
        ("nonsense", None),
    ],
)
def test_the_type_of_the_answer_is_what_is_asked_for(scene: Scene, accept: str, kind: str | None) -> None:
    answer = scene.house.web.get("/games", {"Accept": accept})
    if kind is None:
        answer.refused(406, "not_acceptable")
    else:
        assert answer.shown()
        assert answer.headers["Content-Type"] == kind


# -- headers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    ["", "42", '"', '""', '"42', '42"', '"x"', '"-1"', '"4 2"', "W/42", 'w/"42"', '"42", x', '"42",', '"٣"', "**"]
    + ['"*"', '"' + "9" * 16 + '"', '"4.0"', "'42'"],
)
def test_an_if_match_that_cannot_be_read_is_a_400(scene: Scene, value: str) -> None:
    for target in scene.targets():
        if target.path != "/players":
            target.post(headers={"If-Match": value}).refused(400, "unreadable")
    scene.running.host.delete(f"{scene.running.path}/seats/0", {"If-Match": value}).refused(400, "unreadable")


@pytest.mark.parametrize("key", ["", "x" * 65, "a\tb", "é", "x" * 5000])
def test_an_idempotency_key_that_cannot_be_kept_is_a_400(scene: Scene, key: str) -> None:
    for target in scene.targets():
        if target.path != "/players":
            target.post(headers={"Idempotency-Key": key}).refused(400, "unreadable")


def test_a_stale_if_match_is_a_412_also_for_versions_still_to_come(scene: Scene) -> None:
    newest = scene.running.version
    for name in ("moves", "resign", "undo", "redo"):
        for version in (1, newest - 1, newest + 1, 10**15 - 1):
            scene.target(name).post(headers={"If-Match": f'"{version}"'}).refused(412, "stale_version")
    scene.target("seats").post(headers={"If-Match": '"2"'}).refused(412, "stale_version")


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
    host.post(f"{path}/redo").refused(409, "undo_refused")
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
    for player, seat in ((bob, 0), (host, 2), (cid, 0), (cid, 2)):
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

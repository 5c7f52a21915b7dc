"""Methods, types and headers: what a route does not do is said, and nothing changes."""

from __future__ import annotations

import pytest

from tests.support.scene import Scene, requests, sent

pytestmark = pytest.mark.usefixtures("untouched")


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
    "/matches/{id}/undo": {"GET", "POST", "DELETE"},
    "/matches/{id}/undo/answer": {"POST"},
    "/matches/{id}/forks": {"POST"},
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
    for name in ("moves", "resign", "undo", "redo", "answer"):
        for version in (1, newest - 1, newest + 1, 10**15 - 1):
            scene.target(name).post(headers={"If-Match": f'"{version}"'}).refused(412, "stale_version")
    scene.target("seats").post(headers={"If-Match": '"2"'}).refused(412, "stale_version")

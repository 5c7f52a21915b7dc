"""Requests that no client means: other methods, slashes, junk in paths, long paths and queries, repeated parameters."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from urllib.parse import quote_from_bytes

import pytest
from werkzeug.test import TestResponse

from tests.support.described import API, PROBLEM, Plain, Running

METHODS = {"GET", "HEAD", "OPTIONS", "POST", "DELETE"}
OTHERS = ("PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "X")


@pytest.fixture(scope="module")
def running() -> Running:
    return Running()


@pytest.fixture(scope="module")
def places(running: Running) -> Plain:
    match_id = running.started({"game": "blockers", "seats": 2})
    others = {"dispute": 1, "record_id": "0" * 32, "player_id": "a" * 16}
    return {"game_id": "blockers", "code": "busy", "match_id": match_id, "seat": 0, "version": 1} | others


@pytest.fixture(autouse=True)
def nothing_changes(running: Running, places: Plain) -> Iterator[None]:
    before = running.kept()
    yield
    assert running.kept() == before


def problem(answer: TestResponse, status: int, code: str) -> None:
    assert (answer.status_code, answer.content_type) == (status, PROBLEM), answer.text[:200]
    assert json.loads(answer.data)["code"] == code


def allowed(answer: TestResponse) -> set[str]:
    return {method.strip() for method in answer.headers["Allow"].split(",")}


def of_path(item: Plain) -> set[str]:
    """The methods that a described path has."""
    own = {method.upper() for method in item if method != "parameters"}
    return own | {"OPTIONS"} | ({"HEAD"} if "GET" in own else set())


def own_paths(running: Running) -> dict[str, Plain]:
    """All paths but those that a path with a variable answers too, for other methods, as ``/players/me``."""
    paths = running.description["paths"]
    shapes = {path: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))) for path in paths}
    return {
        path: item
        for path, item in paths.items()
        if not any(other != path and shape.fullmatch(path) for other, shape in shapes.items())
    }


def test_options_says_what_a_path_allows(running: Running, places: Plain) -> None:
    for path, item in own_paths(running).items():
        answer = running.ask("options", path.format_map(places))
        assert (answer.status_code, answer.data) == (200, b"")
        assert allowed(answer) == of_path(item)


def test_a_method_that_a_path_does_not_have_is_a_405_that_says_which_it_has(running: Running, places: Plain) -> None:
    for path, item in own_paths(running).items():
        for method in sorted((METHODS - of_path(item)) - {"HEAD"}) + list(OTHERS):
            answer = running.web.open(path.format_map(places), method=method)
            if method == "get" and "GET" in of_path(item):
                continue
            problem(answer, 405, "method_not_allowed")
            assert allowed(answer) == of_path(item)


def test_head_says_what_get_says_without_the_body(running: Running, places: Plain) -> None:
    for path, item in running.description["paths"].items():
        if "get" in item and path != "/metrics":  # which counts these requests too
            read, head = (running.ask(method, path.format_map(places), running.tokens[0]) for method in ("get", "head"))
            assert (head.status_code, head.data) == (read.status_code, b"")
            assert dict(head.headers) == dict(read.headers), path


def test_a_slash_at_the_end_makes_no_difference(running: Running, places: Plain) -> None:
    for path, item in running.description["paths"].items():
        if "get" in item:
            here = path.format_map(places)
            plain, slashed = (running.ask("get", here + end, running.tokens[0]) for end in ("", "/"))
            assert (slashed.status_code, slashed.json) == (plain.status_code, plain.json), path


def test_a_doubled_slash_is_an_unknown_path(running: Running, places: Plain) -> None:
    for path in running.description["paths"]:
        here = path.format_map(places)
        for doubled in (here.replace("/", "//") + "//", here + "//"):
            problem(running.web.open(environ_overrides={"PATH_INFO": doubled}), 404, "not_found")


def test_a_second_slash_at_the_beginning_makes_no_difference(running: Running) -> None:
    answer = running.web.open(environ_overrides={"PATH_INFO": "//api/v1/games"})
    assert answer.get_json() == running.ask("get", f"{API}/games").get_json()


JUNK = [
    "%00",
    "%ff%fe",
    "%2e%2e",
    "..",
    "%2F",
    "%25",
    "%0d%0aX:%20y",
    "%F0%9F%A6%8A",
    "%",
    "%zz",
    ";a=b",
    "%7B%7D",
    "\\",
]


@pytest.mark.parametrize("junk", JUNK)
def test_junk_in_a_path_is_a_404(running: Running, places: Plain, junk: str) -> None:
    for path in running.description["paths"]:
        for variable in places:
            if f"{{{variable}}}" in path:
                answer = running.ask("get", path.format_map(places | {variable: junk}), running.tokens[0])
                assert answer.status_code in (404, 405), f"{path} {answer.text[:200]}"
                assert answer.content_type == PROBLEM


def test_random_bytes_as_a_path_are_a_404(running: Running) -> None:
    dice = random.Random(7)
    for _ in range(200):
        junk = quote_from_bytes(dice.randbytes(dice.randint(1, 30)))
        for prefix in ("/", f"{API}/", f"{API}/matches/"):
            answer = running.ask("get", prefix + junk)
            assert (answer.status_code, answer.content_type) == (404, PROBLEM)


@pytest.mark.parametrize("length", [100, 5_000, 200_000])
def test_a_very_long_path_is_a_404_that_does_not_repeat_it(running: Running, length: int) -> None:
    for prefix in ("/", f"{API}/matches/", f"{API}/games/"):
        answer = running.ask("get", prefix + "x" * length)
        assert (answer.status_code, answer.content_type) == (404, PROBLEM)
        assert len(answer.data) < 400


@pytest.mark.parametrize("name", ["status", "limit", "anything"])
def test_a_very_long_query_is_refused_in_short(running: Running, name: str) -> None:
    answer = running.ask("get", f"{API}/matches?{name}=" + "1" * 200_000)
    problem(answer, 400, "unreadable")
    assert len(answer.data) < 400


@pytest.mark.parametrize("query", ["limit=1&limit=2", "limit=1&limit=1", "x=1&x=2"])
def test_a_query_parameter_that_stands_twice_is_refused(running: Running, query: str) -> None:
    problem(running.ask("get", f"{API}/matches?{query}"), 400, "unreadable")


@pytest.mark.parametrize("number", ["1_0", "+1", " 1", "1.0", "1e1", "²", "١", "0x1", "", "true", "-1", "9" * 5000])
def test_a_number_in_a_query_is_digits(running: Running, number: str) -> None:
    problem(running.ask("get", f"{API}/matches", query_string={"limit": number}), 400, "unreadable")


@pytest.mark.parametrize("query", ["nothing=1", "%ff=%fe", "=", "limt=3", "token=A1B2C3", "limit=1&Limit=1"])
@pytest.mark.parametrize("path", ["/matches", "/games"])
def test_a_parameter_that_an_operation_does_not_have_is_refused_and_not_repeated(
    running: Running, path: str, query: str
) -> None:
    answer = running.ask("get", f"{API}{path}?{query}")
    problem(answer, 400, "unreadable")
    assert b"A1B2C3" not in answer.data


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_who_watches_over_the_service_may_send_what_parameters_it_likes(running: Running, path: str) -> None:
    # Metrics are for operators: 401 shows that the query was not what was refused.
    expected = 401 if path == "/metrics" else 200
    assert running.ask("get", f"{path}?nothing=1").status_code == expected

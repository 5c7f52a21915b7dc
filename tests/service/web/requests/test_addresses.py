"""A service that a proxy mounts below a path, and what the client accepts."""

from __future__ import annotations

import json

import pytest

from tests.support.house import House

BELOW = {"SCRIPT_NAME": "/games"}


def test_every_address_in_an_answer_is_below_the_path_of_the_proxy(quiet: House) -> None:
    web = quiet.web
    refused = web.ask("GET", "/matches/none", environment=BELOW)
    assert refused.body["type"] == "/games/api/problems/match_not_found"
    listed = web.ask("GET", "/api/problems", environment=BELOW).body["problems"]
    assert all(row["type"].startswith("/games/api/problems/") for row in listed)
    ann = web.enter("Ann")
    opened = web.ask(
        "POST",
        "/matches",
        raw=json.dumps({"game": "blockers", "seats": 2}).encode(),
        headers={"Content-Type": "application/json"} | ann.authorization,
        environment=BELOW,
    )
    assert opened.headers["Location"].startswith(f"/games/api/v1/matches/{opened.body['match_id']}")


def test_the_description_and_its_page_name_the_path_of_the_proxy(quiet: House) -> None:
    described = quiet.app.test_client().get("/api/openapi.json", environ_overrides=BELOW).get_json()
    assert described["servers"] == [{"url": "/games"}]
    page = quiet.app.test_client().get("/api/docs/", environ_overrides=BELOW).get_data(as_text=True)
    assert 'data-description="/games/api/openapi.json"' in page
    assert page.count('"/games/api/docs/') == 5
    assert "servers" not in quiet.app.test_client().get("/api/openapi.json").get_json()


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json; charset=utf-8", "application/json"),
        ("application/json;charset=UTF-8;q=0.5", "application/json"),
        ("application/msgpack; v=1, application/json;q=0.5", "application/msgpack"),
        ("application/msgpack;q=0.2, application/json; charset=utf-8;q=0.9", "application/json"),
        ("text/html, application/*;q=0.1", "application/json"),
        ("text/html, */*; q=0.01", "application/json"),
        ("application/json;q=0, */*", "application/msgpack"),
        ("APPLICATION/JSON", "application/json"),
        (",", "application/json"),
        (", application/msgpack,", "application/msgpack"),
        ("text/html", None),
        ("application/json;q=0", None),
    ],
)
def test_parameters_of_a_media_type_make_no_difference(quiet: House, accept: str, kind: str | None) -> None:
    answer = quiet.web.get("/games", {"Accept": accept})
    if kind is None:
        answer.refused(406, "not_acceptable")
    else:
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)


@pytest.mark.parametrize("path", ["/games", "/matches/none", "/healthz", "/nothing"])
def test_a_browser_takes_no_answer_for_more_than_it_is(quiet: House, path: str) -> None:
    headers = quiet.web.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]

"""A service that is started below a path of another site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from service.adapters.embedded_server.server import EmbeddedServer
from tests.support.serving import served


@pytest.fixture(scope="module")
def port(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    settings = {"SCRIPT_NAME": "/games", "FOLDTABLE_WEB_WORKERS": "1", "FOLDTABLE_LIMITS": "on"}
    with served(tmp_path_factory.mktemp("web"), server.url, **settings) as (port, _pids):
        yield port


def asked(port: int, path: str, **headers: str) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    status, body = answer.status, json.loads(answer.read())
    connection.close()
    return status, body


def test_the_service_is_found_below_its_path(port: int) -> None:
    assert asked(port, "/games/api/v1/games")[0] == 200


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/games", 404, "not_found"),
        ("/games/api/v1/nothing", 404, "not_found"),
        ("/games/api/v1/matches/none", 404, "match_not_found"),
        ("/games/" + "x" * 9000, 400, "unreadable"),
    ],
    ids=["outside", "no route", "no match", "no request"],
)
def test_every_problem_is_below_the_path(port: int, path: str, status: int, code: str) -> None:
    answered, problem = asked(port, path)
    assert (answered, problem["code"], problem["type"]) == (status, code, f"/games/api/problems/{code}")


def test_a_client_cannot_choose_the_path(port: int) -> None:
    _status, problem = asked(port, "/games/api/v1/matches/none", SCRIPT_NAME="/other")
    assert problem["type"] == "/games/api/problems/match_not_found"
    assert asked(port, "/games/api/v1/games", PATH_INFO="/games/metrics")[0] == 200

"""What only operators may read."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.client import Connection
from service import telemetry
from service.adapters.embedded_server.server import EmbeddedServer
from service.web.app import create_app
from service.web.metrics import SUM_STEP
from tests.support.house import House
from tests.support.http import Web
from tests.support.serving import OPERATOR, served

AS_OPERATOR = {"Authorization": f"Bearer {OPERATOR}"}


@pytest.fixture
def web(small: House) -> Web:
    return Web(small.app)


@pytest.mark.parametrize(
    "given", ["", f"Bearer {OPERATOR}x", f"Bearer {OPERATOR[:-1]}", OPERATOR, "Bearer", "Bearer é"]
)
def test_metrics_are_for_operators_only(web: Web, given: str) -> None:
    web.get("/metrics", {"Authorization": given} if given else None).refused(401, "unauthenticated")
    web.get("/metrics", web.enter("Ann").authorization).refused(401, "unauthenticated")
    assert web.get("/metrics", AS_OPERATOR).status == 200


def test_without_a_token_for_operators_nobody_is_one(small: House) -> None:
    web = Web(create_app(replace(small.parts, operator_token=None)))
    for given in (None, AS_OPERATOR, {"Authorization": "Bearer "}, {"Authorization": "Bearer None"}):
        web.get("/metrics", given).refused(401, "unauthenticated")
        assert web.get("/readyz", given).shown() == {"status": "ready"}


def test_readiness_has_details_for_operators_only(web: Web) -> None:
    assert web.get("/readyz").shown() == {"status": "ready"}
    assert web.get("/readyz", web.enter("Ann").authorization).shown() == {"status": "ready"}
    assert web.get("/readyz", AS_OPERATOR).shown() == {
        "status": "ready",
        "checks": {"log": True, "read_models": False},
    }


def sums(web: Web) -> list[str]:
    lines = web.get("/metrics", AS_OPERATOR).data.decode().splitlines()
    return [line for line in lines if "_seconds_sum" in line]


def test_no_sum_is_exact_enough_to_show_how_long_one_request_took(web: Web) -> None:
    before = sums(web)
    for seconds in (0.000_031, 0.000_062, 0.0011):
        telemetry.REQUESTS.observe(seconds, "moves.move")
    steps = {float(line.split()[-1]) / SUM_STEP for line in [*before, *sums(web)]}
    assert all(step == int(step) for step in steps)


def test_the_operators_token_is_made_at_the_first_start_for_the_owner_only(
    server: EmbeddedServer, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere" / "operator.token"
    with served(tmp_path, server.url, FOLDTABLE_OPERATOR_TOKEN=str(path)) as (port, _pids):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        token = path.read_text().strip()
        assert len(token) >= 32
        assert Connection(port, token).get("/metrics")[0] == 200
        assert Connection(port).get("/metrics")[0] == 401
    with served(tmp_path, server.url, FOLDTABLE_OPERATOR_TOKEN=str(path)) as (port, _pids):
        assert Connection(port, token).get("/metrics")[0] == 200

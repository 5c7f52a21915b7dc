"""What is counted for whoever watches over the service, and what the service writes about itself."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.client import Connection
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import stream_key
from service.cli.serve import ROOT
from service.logs import JsonLines
from service.telemetry import WRITE_SECONDS
from tests.support.backends import Backend
from tests.support.house import House
from tests.support.http import Web
from tests.support.processes import crash, within
from tests.support.serving import OPERATOR, await_port, served

AS_OPERATOR = {"Authorization": f"Bearer {OPERATOR}"}


def samples(text: str) -> dict[str, float]:
    """``name{label=value}`` → value."""
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scraped(port: int) -> dict[str, float]:
    status, body = Connection(port, OPERATOR).get("/metrics")
    assert status == 200
    return samples(body.decode())


def scraped_with(port: int, name: str, value: float) -> dict[str, float]:
    """The samples of a scrape that has this one, for a web process knows of the others' counts a second later."""
    found = dict[str, float]()

    def has_it() -> bool:
        found.clear()
        found.update(scraped(port))
        return found.get(name) == value

    # Of this very scrape: the next one may be answered by the other process, which knows less yet.
    assert within(5 * WRITE_SECONDS, has_it)
    return found


def test_what_is_accepted_and_refused_is_counted_over_all_processes(server: EmbeddedServer, tmp_path: Path) -> None:
    with served(tmp_path, server.url) as (port, _pids):
        for _ in range(20):  # each connection goes to one of two processes
            token = json.loads(Connection(port).post("/api/v1/players", {"name": "Ann"})[1])["token"]
            ann = Connection(port, token)
            status, _body = ann.post("/api/v1/matches", {"game": "blockers", "seats": 2})
            assert status == 201
            ann.post("/api/v1/matches", {"game": "chess", "seats": 2})
            ann.close()
        found = scraped_with(port, "foldtable_refusals_total game_not_found", 20)
        assert found["foldtable_actions_total open_match"] == 20
        assert found["foldtable_append_seconds_count"] == found["foldtable_append_seconds_bucket +Inf"] == 20
        assert found["foldtable_request_seconds_count matches.open_match"] == 40
        assert found["foldtable_streams_open"] == 0


def test_how_far_the_lists_are_behind_is_looked_up(server: EmbeddedServer, tmp_path: Path) -> None:
    with served(tmp_path, server.url) as (port, _pids):
        found = scraped(port)
    assert found["foldtable_audit_failed"] == 0


@pytest.mark.parametrize("how", ["gone", "spoilt"])
def test_what_was_counted_is_told_also_when_the_lists_cannot_be_looked_at(
    server: EmbeddedServer, tmp_path: Path, how: str
) -> None:
    with EmbeddedServer(tmp_path / "own") as own, served(tmp_path, own.url) as (port, _pids):
        Connection(port).post("/api/v1/players", {"name": "Ann"})
        client = connect(own.url)
        found = scraped_with(port, "foldtable_actions_total new_player", 1)
        assert (found["foldtable_projections_up"], found["foldtable_audit_failed"]) == (1, 0)
        client.hset("{views}:audit:failed", "00" + "a" * 14, "spoilt")
        assert scraped(port)["foldtable_audit_failed"] == 1
        if how == "spoilt":
            client.set("{views}:serving", "x")
        else:
            crash(own)
        found = scraped_with(port, "foldtable_actions_total new_player", 1)
        assert found["foldtable_projections_up"] == 0


def test_a_web_process_that_ends_leaves_its_counts_and_no_open_streams(server: EmbeddedServer, tmp_path: Path) -> None:
    with served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (port, [pid]):
        token = json.loads(Connection(port).post("/api/v1/players", {"name": "Ann"})[1])["token"]
        opened = json.loads(Connection(port, token).post("/api/v1/matches", {"game": "blockers", "seats": 2})[1])
        watcher = socket.create_connection(("127.0.0.1", port))
        watcher.sendall(f"GET /api/v1/matches/{opened['match_id']}/stream HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        scraped_with(port, "foldtable_streams_open", 1)
        time.sleep(2 * WRITE_SECONDS)
        os.kill(pid, signal.SIGKILL)
        watcher.close()
        await_port(port)
        found = scraped(port)
    assert found["foldtable_actions_total open_match"] == 1
    assert found["foldtable_streams_open"] == 0


def test_what_is_sent_again_is_counted_once(server: EmbeddedServer, tmp_path: Path) -> None:
    with served(tmp_path, server.url, FOLDTABLE_WEB_WORKERS="1") as (port, _pids):
        token = json.loads(Connection(port).post("/api/v1/players", {"name": "Ann"})[1])["token"]
        ann = Connection(port, token)
        answers = [ann.post("/api/v1/matches", {"game": "blockers", "seats": 2}, "once") for _ in range(3)]
        assert {status for status, _body in answers} == {201}
        found = scraped(port)
        assert found["foldtable_actions_total open_match"] == 1
        assert found["foldtable_request_seconds_count matches.open_match"] == 3


def test_figures_are_text_also_without_gunicorn(small: House) -> None:
    answer = Web(small.app).get("/metrics", {"Accept": "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"} | AS_OPERATOR)
    assert answer.status == 200
    assert "foldtable_refusals_total" in answer.data.decode()


# -- the log ----------------------------------------------------------------------------------------------------------


class Lines:
    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    def read(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._stream.getvalue().splitlines()]

    @property
    def text(self) -> str:
        return self._stream.getvalue()


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What is written while a test runs."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield Lines(stream)
    root.removeHandler(handler)
    root.setLevel(level)


def test_every_request_has_a_line_with_its_id_its_match_and_its_command(small: House, lines: Lines) -> None:
    web = Web(small.app)
    ann = web.enter("Ann")
    answer = ann.post(
        "/matches", {"game": "blockers", "seats": 2}, {"X-Request-ID": "req-7", "Idempotency-Key": "key-7"}
    )
    assert answer.headers["X-Request-ID"] == "req-7"
    ann.get(f"/matches/{answer.done()['match_id']}")
    first, opened, read = [line for line in lines.read() if line["message"] == "request"]
    assert (opened["request_id"], opened["command_id"], opened["status"]) == ("req-7", "key-7", 201)
    assert (read["match_id"], read["endpoint"], read["method"]) == (answer.body["match_id"], "matches.live", "GET")
    assert len(first["request_id"]) == len(read["request_id"]) == 16
    assert first["request_id"] != read["request_id"]


@pytest.mark.parametrize("given", ["", "x" * 65, "two\twords", "é", "two words", '{"a":1}'])
def test_an_id_that_is_none_is_not_given_back(small: House, given: str) -> None:
    answer = Web(small.app).get("/games", {"X-Request-ID": given})
    assert "X-Request-ID" not in answer.headers


def test_what_goes_wrong_here_is_answered_with_the_id_to_ask_about(fake: Backend, lines: Lines) -> None:
    house = House(fake)
    table = house.table("highest_card", 2)
    assert fake.client is not None
    fake.client.xadd(stream_key(table.match_id), {"p": b"\xc1"}, id="99-0")
    answer = house.web.get(table.path)
    answer.refused(500, "log_damaged")
    assert {line.get("request_id") for line in lines.read()[-2:]} == {answer.headers["X-Request-ID"]}


def test_no_line_holds_a_token_a_name_an_invite_or_what_was_sent(small: House, lines: Lines) -> None:
    web = Web(small.app)
    ann, bob = web.enter("Annabella"), web.enter("Bob")
    opened = ann.post("/matches", {"game": "blockers", "seats": 2, "private": True}).done()
    path = f"/matches/{opened['match_id']}"
    bob.post(f"{path}/seats", {"entropy": "my-entropy"}, {"Foldtable-Invite": opened["invite"]}).done()
    ann.get(f"{path}/log?token={ann.token}")
    web.get(path)
    for secret in (ann.token, ann.token.partition(".")[2], "Annabella", opened["invite"], "my-entropy"):
        assert secret not in lines.text


def test_an_error_is_told_by_its_place_and_kind_without_its_text(lines: Lines) -> None:
    try:
        raise ValueError("the hand is 5, 7, star")
    except ValueError as error:
        logging.getLogger("foldtable").error("unexpected", exc_info=error)
    (line,) = lines.read()
    assert line["error"] == "ValueError"
    assert "test_metrics.py" in line["trace"][-1]
    assert "star" not in lines.text


def test_what_gunicorn_reads_first_imports_nothing_that_must_be_imported_later() -> None:
    """Counts would go to no file, and sockets would not be gevent's."""
    code = "import sys, service.web.gunicorn_conf; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert set(run.stdout.split()) & {"flask", "redis", "prometheus_client", "ssl"} == set()

"""Counting in plain Python: the buckets, the files in which processes leave their totals, and what a full disk does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service import telemetry
from service.telemetry import SECONDS, Counter, Gauge, Histogram
from tests.test_architecture import ROOT


def test_a_duration_falls_into_the_bucket_whose_bound_it_does_not_exceed() -> None:
    times = Histogram("times", "about")
    for seconds in (0.0, 0.001, 0.0011, 2.5, 2.6):
        times.observe(seconds)
    *counts, total = times.series()[()]
    assert (counts[0], counts[1], counts[-2], counts[-1]) == (2, 1, 1, 1)
    assert len(counts) == len(SECONDS) + 1
    assert total == pytest.approx(5.1021)


def test_each_combination_of_labels_is_a_series_of_its_own() -> None:
    refused = Counter("refused", "about", ("code",))
    refused.add("a")
    refused.add("b")
    refused.add("a")
    assert refused.series() == {("a",): [2], ("b",): [1]}


def test_a_gauge_goes_down_again_whatever_happens() -> None:
    streams = Gauge("streams", "about")
    with streams.track():
        assert streams.series() == {(): [1]}
    with pytest.raises(ZeroDivisionError), streams.track():
        _never = 1 / 0
    assert streams.series() == {(): [0]}


def left_by_another(folder: Path, name: str, count: int) -> None:
    rows = [["foldtable_conflicts", [], [count]], ["foldtable_streams_open", [], [count]], ["of_later", ["x"], [1]]]
    (folder / name).write_text(json.dumps(rows))


def test_the_files_of_all_processes_are_added_up_and_those_that_ended_have_no_gauges(tmp_path: Path) -> None:
    own = telemetry.totals()["foldtable_conflicts"][()][0]
    left_by_another(tmp_path, "1-a.json", 5)
    left_by_another(tmp_path, "2-b.json", 7)
    telemetry.mark_ended(tmp_path, 2)
    telemetry.mark_ended(tmp_path, 2)
    found = telemetry.combined(tmp_path)
    assert found["foldtable_conflicts"][()] == [own + 12]
    assert found["foldtable_streams_open"][()] == [5]
    assert "of_later" not in found


def test_the_own_file_is_not_counted_twice_and_one_that_cannot_be_read_stops_nothing(tmp_path: Path) -> None:
    telemetry.write(tmp_path / f"{os.getpid()}-own.json")
    (tmp_path / "3-c.json").write_text("[[")
    (tmp_path / "4-d.json").mkdir()
    assert telemetry.combined(tmp_path) == telemetry.combined(None)


def test_what_cannot_be_written_is_lost_until_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "full" / "5-e.json"
    telemetry.write(path)
    assert not path.exists()
    path.parent.mkdir()
    telemetry.write(path)
    assert json.loads(path.read_text())


def test_a_start_begins_with_no_counts(tmp_path: Path) -> None:
    for name in ("1-a.json", "1-a.ended.json", "2-b.new", "counter_77.db"):
        (tmp_path / name).write_text("[]")
    telemetry.clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("module", ["service.worker.__main__", "service.matches.handler"])
def test_the_write_path_and_the_worker_load_no_flask_and_no_prometheus(module: str) -> None:
    # Without the modules that are there before: coverage, where it runs, loads gevent.
    code = f"import sys; before = set(sys.modules); import {module}; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert set(run.stdout.split()) & {"flask", "gevent", "prometheus_client"} == set()


@pytest.mark.parametrize(
    "module", ["service.matches.handler", "service.readmodels.queries", "service.worker.deadlines"]
)
def test_nothing_but_the_fold_of_ratings_loads_openskill(module: str) -> None:
    # Without the modules that are there before: coverage, where it runs, loads gevent.
    code = f"import sys; before = set(sys.modules); import {module}; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "openskill" not in run.stdout.split()

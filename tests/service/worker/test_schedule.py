"""The worker's timetable, by a clock that stands still."""

from __future__ import annotations

import pytest

from service.worker.schedule import Job, Schedule


class World:
    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[str] = []
        self.rest: float | None = None
        self.schedule = Schedule([Job(self._first, 5), Job(self._second, 0)], lambda: self.now)

    def _first(self) -> None:
        self.done.append("first")

    def _second(self) -> float | None:
        self.done.append("second")
        return self.rest

    def at(self, now: float) -> list[str]:
        """The jobs that are run then."""
        self.now = now
        self.done.clear()
        self.schedule.run_due()
        return self.done


def test_a_job_is_due_at_first_and_again_after_its_period() -> None:
    world = World()
    assert world.at(0) == ["first", "second"]
    assert world.at(4.9) == ["second"]
    assert world.at(5) == ["first", "second"]
    assert world.at(9.9) == ["second"]


def test_a_job_may_ask_to_rest_for_longer_once() -> None:
    world = World()
    world.rest = 60
    assert world.at(0) == ["first", "second"]
    world.rest = None
    assert world.at(59) == ["first"]
    assert world.at(60) == ["second"]
    assert world.at(60.1) == ["second"]


def test_a_job_that_fails_waits_for_its_period_and_the_others_for_the_next_call() -> None:
    now, done = [0.0], list[str]()

    def fail() -> None:
        raise ZeroDivisionError

    schedule = Schedule([Job(fail, 5), Job(lambda: done.append("other"), 5)], lambda: now[0])
    with pytest.raises(ZeroDivisionError):
        schedule.run_due()
    assert done == []
    schedule.run_due()
    assert done == ["other"]

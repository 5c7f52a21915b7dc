"""The worker's timetable: jobs that are due again some time after they began last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Monotonic = Callable[[], float]
"""Seconds from some moment on; never goes back."""


@dataclass(frozen=True, slots=True)
class Job:
    """``work`` may answer after how many seconds it is due again; with ``None`` it is after ``period``."""

    work: Callable[[], float | None]
    period: float


class Schedule:
    """Runs the jobs that are due, in their order; all are at first."""

    def __init__(self, jobs: Sequence[Job], monotonic: Monotonic) -> None:
        self._jobs = tuple(jobs)
        self._monotonic = monotonic
        self._due = [float("-inf")] * len(self._jobs)

    def run_due(self) -> None:
        """Raises whatever a job raises; the others then wait for the next call, that one for its period."""
        for number, job in enumerate(self._jobs):
            now = self._monotonic()
            if now < self._due[number]:
                continue
            self._due[number] = now + job.period
            rest = job.work()
            if rest is not None:
                self._due[number] = self._monotonic() + rest

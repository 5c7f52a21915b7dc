"""The worker's schedule: each job is due again some time after it last started."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Monotonic = Callable[[], float]
"""Returns seconds since some moment; never goes back."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job. ``work`` returns the seconds until it is due again, or ``None`` for ``period`` seconds."""

    work: Callable[[], float | None]
    period: float


class Schedule:
    """Runs the jobs that are due, in order. At first all are."""

    def __init__(self, jobs: Sequence[Job], monotonic: Monotonic) -> None:
        self._jobs = tuple(jobs)
        self._monotonic = monotonic
        self._due = [float("-inf")] * len(self._jobs)

    def run_due(self) -> None:
        """Runs the jobs that are due. Raises any error of a job; the later jobs then run in the next call, that one after its
        period.
        """
        for number, job in enumerate(self._jobs):
            now = self._monotonic()
            if now < self._due[number]:
                continue
            # Set before the job runs, so that one that always raises does not keep the later jobs from ever running.
            self._due[number] = now + job.period
            rest = job.work()
            if rest is not None:
                self._due[number] = self._monotonic() + rest

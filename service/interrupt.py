"""SIGTERM as a ``KeyboardInterrupt`` that can be put off while something must not be left half done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Interrupt:
    """Raises ``KeyboardInterrupt`` in the main thread at the first SIGTERM, and ignores further ones.

    A second one, from a supervisor without patience, would otherwise break off what the first one began to clean up.
    """

    def __init__(self) -> None:
        self._received = False
        self._raised = False
        self._put_off = False

    def install(self) -> None:
        """Takes over SIGTERM for this process."""
        signal.signal(signal.SIGTERM, self._handle)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Raises for a SIGTERM that arrives inside only at the end, after the body's results have been assigned."""
        self._put_off = True
        try:
            yield
        finally:
            self._put_off = False
            self._raise_once()

    def _handle(self, _number: int, _frame: object) -> None:
        self._received = True
        if not self._put_off:
            self._raise_once()

    def _raise_once(self) -> None:
        if self._received and not self._raised:
            self._raised = True
            raise KeyboardInterrupt

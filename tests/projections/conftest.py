from __future__ import annotations

from tests.contracts.conftest import server

__all__ = ["server"]

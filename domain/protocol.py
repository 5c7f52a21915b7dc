"""The version of a match's own rules: what it accepts, and how its chance and its result work, whatever the game.

The first commit names it, and the match is played, decided again and rated by it for ever. A change of any of this raises
``PROTOCOL`` by one; code that decides asks ``match.table.protocol``.

    1   Absent from the first commit. An arbiter needs nobody's consent, and looks without effect on the rating.
    2   ``rated`` is fixed at opening. Arbiters' consent and looks, disputes after the end, returns that disclose something, the
        numbers of returns and of commits, early resignations, changes of rules by consent: see ``docs/compatibility.md``.
    3   Clocks and retirement. Known to this code, but not opened yet: see ``NEWEST``.
"""

from __future__ import annotations

from typing import ClassVar

from domain.errors import NewerReleaseError

PROTOCOL = 2
"""The protocol of new matches, once all processes know it."""

NEWEST = 3
"""The newest protocol that this code reads and decides. Matches of a newer one than ``PROTOCOL`` are opened in tests only."""


class NewerProtocolError(NewerReleaseError):
    """The match has a protocol that only newer code knows. Its log may be in perfect order."""

    code: ClassVar[str] = "newer_protocol"

    def __init__(self, protocol: int) -> None:
        super().__init__(f"the match has protocol {protocol}; this release knows protocols up to {NEWEST}")

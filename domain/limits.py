"""Limits of a match: how much one match may grow, so that its log can be folded and audited in bounded time.

They bind matches of protocol 2 and later. Resigning, expiry, disputes and rulings are never refused for length.
"""

from __future__ import annotations

FREE_RETURNS = 10
"""The most free returns of a seat until another seat moves or returns, or a return is agreed on."""

RETURNS = 2_000
"""The most returns, requests for returns and proposals of newer rules of a match, all seats together."""

FORKS = 100
"""The most forks that the log of a finished match notes. Further ones can be made; they are not noted."""

RENEWALS = 100
"""The most times that the invite of a match can be renewed."""

RATED_TURNS = (10, 14 * 24 * 60 * 60)
"""The shortest and the longest turn clock of a rated match, in seconds."""

RATED_BANK = 60
"""The smallest bank of a rated match, in seconds."""

RATED_ANSWER = 10
"""The shortest time to answer of a rated match, in seconds."""

COMMITS = 20_000
"""The number of commits at which a further move makes the match void instead."""

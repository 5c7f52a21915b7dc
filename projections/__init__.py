"""Read models as folds of commits: the data that queries across matches read.

Law: imports ``domain`` only (and openskill, for ratings); a read model is a pure function of a match's commits, stored by an
adapter.

* ``match_facts``: a match so far, with the facts that its newest state does not hold
* ``projection``: the contract of a read model: a row a match, the lists it stands in, the numbers it adds to totals
* ``summary``, ``lobby``, ``history``, ``statistics``, ``ratings``: one read model each
"""

from __future__ import annotations

from projections.history import HISTORY
from projections.lobby import LOBBY
from projections.projection import Projection
from projections.ratings import RATINGS
from projections.statistics import STATISTICS
from projections.summary import SUMMARY

PROJECTIONS: dict[str, Projection] = {
    projection.name: projection for projection in (SUMMARY, LOBBY, HISTORY, STATISTICS, RATINGS)
}

REVISIONS = {name: projection.revision for name, projection in PROJECTIONS.items()}
"""What a stored generation must be of to be read; see ``Projection.revision``."""

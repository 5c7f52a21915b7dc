"""Read models as folds of commits: what is read across matches.

Law: imports ``domain`` only; a read model is a pure function of a match's commits, stored by an adapter.

* ``story``: a match as far as it has gone, with what its last state does not tell
* ``projection``: what a read model is: a row a match, the lists it stands in, what it adds to totals
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

"""The lag of a read model behind the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain.store import SHARDS, Changed, Store
from service.ports.readmodels import ReadModels, Target

LOOKED_AT = 1000
"""The most matches whose commits are counted; beyond that, the number of commits is a lower bound."""


@dataclass(frozen=True, slots=True)
class Lag:
    matches: int
    commits: int
    seconds: float
    """Seconds since the oldest change that is not included; 0 if all are."""


def lag(store: Store, views: ReadModels, target: Target, now_us: int, looked_at: int = LOOKED_AT) -> Lag:
    """Measures the lag: 64 small reads of the change index, and one or two for each match that is behind."""
    matches = commits = 0
    oldest = now_us
    for changed in _waiting(store, views, target):
        matches += 1
        oldest = min(oldest, changed.at)
        if matches <= looked_at:
            commits += len(store.read(changed.match_id, views.seen(target, changed.match_id)))
    return Lag(matches, commits, max(0, now_us - oldest) / 1e6)


def _waiting(store: Store, views: ReadModels, target: Target) -> Iterator[Changed]:
    checkpoints = views.checkpoints(target)
    for shard in range(SHARDS):
        yield from store.changes(shard, checkpoints[shard])

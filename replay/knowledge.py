"""The knowledge ledger: the seats that learned something by each commit, undone or not."""

from __future__ import annotations

from domain.commit import Commit
from domain.hidden import NOBODY, Seats, veils
from domain.undo import revealed
from domain.version_tree import Node


def learners(commit: Commit, step: Node, seats: int) -> Seats:
    """The seats that learned something by this commit. Its secrets may be seen or ``Hidden``: the result is the same.

    A seat learns by a secret that it may know. All seats learn by a draw with a public outcome, which is one that the commit
    does not store as a secret. All but the mover learn when something hidden comes to light. The game names those that
    learn by an event that depends on something hidden without moving it.
    """
    everybody = frozenset(range(seats))
    secrets = [outline for event in commit.events for outline in veils(event)]
    told = step.disclosed.union(*[outline[1] for outline in secrets])
    if commit.draws > len(secrets):
        return everybody
    return told | (everybody - {step.seat} if revealed(step) else NOBODY)

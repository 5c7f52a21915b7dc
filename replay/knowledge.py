"""The knowledge ledger: who has learned something by which commit, whatever is taken back afterwards."""

from __future__ import annotations

from domain.commit import Commit
from domain.hidden import NOBODY, Seats, veils
from domain.undo import revealed
from domain.version_tree import Node


def learners(commit: Commit, step: Node, seats: int) -> Seats:
    """The seats that have learned something by this commit, from what is stored: all secrets must be seen or ``Hidden``.

    A seat learns by a secret that it may know; everybody does by a draw whose outcome is public, which is one that is not
    told as a secret; and all but the mover do when something hidden comes to light.
    """
    everybody = frozenset(range(seats))
    secrets = [outline for event in commit.events for outline in veils(event)]
    told = frozenset(seat for outline in secrets for seat in outline[1])
    if commit.draws > len(secrets):
        return everybody
    return told | (everybody - {step.seat} if revealed(step) else NOBODY)

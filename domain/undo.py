"""May a seat take something back? The policies of undo and redo, over the tree of versions.

A return, backward or forward, leaves some versions (they go out of force) and takes up others. It is free for a seat if
all of these are its own and nobody has learned anything by them; the host is free to return anywhere if the match's policy
says so. Nothing is ever removed: the return itself is a new version.
"""

from __future__ import annotations

from dataclasses import dataclass

from domain.hidden import veils
from domain.history import Node
from domain.match import Match, Refused


@dataclass(frozen=True, slots=True)
class Free:
    """The return may be made at once."""

    reason: str


Verdict = Free | Refused


def undo_verdict(match: Match, seat: int, player: str, to: int) -> Verdict:
    """Whether this seat may return to an earlier version that is in force."""
    node = match.node
    if (refused := _refused(match, seat, player, to)) is not None or node is None:
        return refused or Refused("not_live", "The match has not started.")
    target = node.find(to)
    if target is None:
        return Refused("not_in_force", f"Version {to} was undone; redo returns to it.", field="to")
    if target is node:
        return Refused("invalid", f"The match is at version {to} already.", field="to")
    return _verdict(match, seat, player, node, target)


def redo_verdict(match: Match, seat: int, player: str, to: int) -> Verdict:
    """Whether this seat may return to a version that was undone."""
    node = match.node
    if (refused := _refused(match, seat, player, to)) is not None or node is None:
        return refused or Refused("not_live", "The match has not started.")
    if node.find(to) is not None:
        return Refused("in_force", f"Version {to} is in force; undo returns to it.", field="to")
    target = match.node_at(to)
    if target is None:
        return Refused("version_not_found", f"The match has no state at version {to}.", field="to")
    return _verdict(match, seat, player, node, target)


def last_own(match: Match, seat: int) -> int | None:
    """The version before this seat's newest move in force: what it would usually take back to."""
    if match.node is None:
        return None
    for node in match.node.path():
        if node.parent is not None and node.seat == seat and node.turn > node.parent.turn:
            return node.parent.version
    return None


def last_undone(match: Match) -> int | None:
    """The newest end of an abandoned branch that holds a move: what redo usually returns to."""
    ends = [tip.version for tip in match.tips if tip.parent is not None and tip.turn > tip.parent.turn]
    return max(ends, default=None)


def _refused(match: Match, seat: int, player: str, to: int) -> Refused | None:
    """What refuses any return, wherever to."""
    if match.table.seat_of(player) != seat:
        return Refused("not_seated", "You have no seat at this match.")
    if match.ended:
        return Refused("final", "The match has ended, and what has ended is final.")
    if match.status != "live":
        return Refused("not_live", f"The match is {match.status}.")
    if not match.table.first <= to <= match.version:
        few, many = match.table.first, match.version
        return Refused("version_not_found", f"One can return to versions {few} to {many}.", field="to")
    return None


def _verdict(match: Match, seat: int, player: str, node: Node, target: Node) -> Verdict:
    policy = match.table.undo
    if policy == "off":
        return Refused("undo_refused", "This match is played without undo.")
    if policy == "host" and player == match.table.host:
        return Free("The host of this match may return to any version.")
    fork = node.meets(target)
    for step in (*node.until(fork), *target.until(fork)):
        if step.seat != seat:
            return Refused("undo_refused", f"Version {step.version} is not yours to take back or bring back.")
        if not _taught_nothing(step):
            return Refused("undo_refused", f"Version {step.version} let somebody learn something.")
    return Free("Only your own moves are concerned, and nobody learned anything by them.")


def _taught_nothing(step: Node) -> bool:
    return step.quiet and step.parent is not None and veils(step.state) == veils(step.parent.state)

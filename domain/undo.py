"""Undo and redo: the policies by which a seat may return to another version, and the requests that others must agree to.

A return, backward or forward, takes some versions out of force and others into force. It is free for a seat if all of
these are its own and nobody learned anything by them. Under the policy ``host`` the host returns freely to any version;
under ``consent`` all other seats are asked for any return that is not free. Nothing is ever removed: the return itself is
a new version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain import commands, limits
from domain.dispute_state import Case
from domain.hidden import veils
from domain.match import NOT_SEATED, Match, Refused, retired_refused
from domain.version_tree import Node

REQUESTS_A_TURN = 2
"""The number of requests that a seat may make in one turn."""

REFUSALS_BEFORE_BLOCK = 2
"""The number of refusals in a row, this one counted, with which the other side may block further requests."""


@dataclass(frozen=True, slots=True)
class Free:
    """A return that may be made at once. ``reason`` is a sentence for the player."""

    reason: str


@dataclass(frozen=True, slots=True)
class Consent:
    """A return to which the seats in ``asks`` must agree. ``reason`` is a sentence for the player."""

    reason: str
    asks: tuple[int, ...]


UndoVerdict = Free | Consent | Refused


def undo_verdict(match: Match, seat: int, player: str, to: int) -> UndoVerdict:
    """Judges the return of a seat to an earlier version that is in force. O(k log n) for the k versions it would undo."""
    if (refused := _unreachable(match, seat, player, to)) is not None:
        return refused
    node = _newest(match)
    target = node.find(to)
    if target is None:
        return Refused("not_in_force", f"Version {to} was undone; redo returns to it.", field="to")
    # Identity suffices: a commit without a move, and a return, share the very state object of the version they repeat.
    if target.state is node.state:
        return Refused("nothing_to_undo", f"Nothing has changed since version {to}.", field="to")
    return _verdict(match, seat, player, target)


def request_verdict(match: Match, to: int) -> Consent | None:
    """The verdict on the return to this version that a seat asks for just now; ``None`` if no seat does."""
    request = match.request
    if request is None or request.to != to:
        return None
    way = "go back" if request.direction == "undo" else "return"
    return Consent(f"Seat {request.seat} asks to {way} to version {to}.", tuple(sorted(request.asks)))


def redo_verdict(match: Match, seat: int, player: str, to: int) -> UndoVerdict:
    """Judges the return of a seat to a version that was undone."""
    if (refused := _unreachable(match, seat, player, to)) is not None:
        return refused
    if _newest(match).find(to) is not None:
        return Refused("in_force", f"Version {to} is in force; undo returns to it.", field="to")
    target = match.node_at(to)
    if target is None:
        return Refused("version_not_found", f"The match has no state at version {to}.", field="to")
    if target.state is _newest(match).state:
        return Refused("nothing_to_undo", f"The match is as it was at version {to}.", field="to")
    if (case := _ruled_out(match, target)) is not None:
        message = f"The ruling on dispute {case.number} took version {case.version} back, and what followed from it."
        return Refused("ruled_out", message, field="to")
    return _verdict(match, seat, player, target)


def last_own(match: Match, seat: int) -> int | None:
    """The version before this seat's newest move in force, the usual target of an undo; ``None`` without such a move."""
    if match.node is None:
        return None
    for node in match.node.path():
        if node.parent is not None and node.seat == seat and node.turn > node.parent.turn:
            return node.parent.version
    return None


def last_undone(match: Match) -> int | None:
    """The version of the newest undone move, the usual target of a redo; ``None`` if there is none that a seat may redo."""
    if match.node is None:
        return None
    undone = (match.node_at(version) for version in match.node.missing())
    return next((node.version for node in undone if node and is_move(node) and _ruled_out(match, node) is None), None)


def usual_undo(match: Match, seat: int) -> int | Refused:
    """Returns the version that an undo of this seat goes back to if none is named."""
    to = last_own(match, seat)
    return Refused("undo_refused", "You have made no move that is in force.") if to is None else to


def usual_redo(match: Match, _seat: int) -> int | Refused:
    """Returns the version that a redo returns to if none is named."""
    to = last_undone(match)
    if to is None and match.status == "live":
        return Refused("undo_refused", "Nothing was undone.")
    return match.version if to is None else to


def _ruled_out(match: Match, target: Node) -> Case | None:
    """The dispute whose ruling undid this version, or one that it follows from. No seat may return there."""
    rewound = (case for case in match.cases if case.ruling == "rewind")
    return next((case for case in rewound if target.find(case.version) is not None), None)


def _confirmed(match: Match, target: Node) -> Case | None:
    """A dispute that ruled "stands" on a version which a return to ``target`` would undo."""
    newest, lowest = _newest(match), _newest(match).meets(target).version
    stood = (case for case in match.cases if case.ruling == "stands" and case.version > lowest)
    return next((case for case in stood if newest.find(case.version) is not None), None)


def _looked_after(match: Match, target: Node) -> int | None:
    """The version of a look that came after a move which a return to ``target`` would undo or bring back."""
    if match.table.protocol < 2:
        return None
    moves = (step.version for step in (*left_by(match, target), *taken_up_by(match, target)))
    oldest = min(moves, default=match.version)
    return next(
        (case.looked_by for case in match.cases if case.looked_by is not None and case.looked_by > oldest), None
    )


def left_by(match: Match, target: Node) -> Iterator[Node]:
    """The moves that a return to ``target`` would undo, newest first."""
    node = _newest(match)
    return (step for step in node.until(node.meets(target)) if is_move(step))


def taken_up_by(match: Match, target: Node) -> Iterator[Node]:
    """The moves that a return to ``target`` would bring back into force, newest first."""
    return (step for step in target.until(_newest(match).meets(target)) if is_move(step))


def is_move(step: Node) -> bool:
    """True for the node of a move; false for the start of play, a return, or a commit without a move."""
    return step.parent is not None and step.turn > step.parent.turn


def has_moved(match: Match, seat: int) -> bool:
    """True if the seat has made a move, in force or undone. Linear in the match."""
    nodes = (match.node_at(version) for version in range(match.table.first, match.version + 1))
    return any(node is not None and node.seat == seat and is_move(node) for node in nodes)


def revealed(step: Node) -> bool:
    """True if something hidden came to light or changed hands by this step."""
    return step.parent is not None and veils(step.state) != veils(step.parent.state)


def informed(match: Match, step: Node) -> bool:
    """True if somebody learned something by this move, as the match's protocol has it. Depends on public facts only."""
    told = bool(step.disclosed) and match.table.protocol >= 2
    return told or not step.quiet or revealed(step)


def return_refused(match: Match, seat: int, player: str) -> Refused | None:
    """The reason to refuse this seat anything that concerns returns, whatever the target; ``None`` if there is none."""
    if match.table.seat_of(player) != seat:
        return NOT_SEATED
    if match.ended:
        return Refused("final", "The match has ended, and what has ended is final.")
    if match.status != "live":
        return Refused("not_live", f"The match is {match.status}.")
    return retired_refused(match, seat, player)


def used_up(match: Match) -> Refused | None:
    """The reason to refuse every further return and request because the match has had the most; ``None`` if it has not."""
    if match.table.protocol < 2 or match.branches + match.requests < limits.RETURNS:
        return None
    return Refused("too_many_returns", f"This match has had {limits.RETURNS} returns and requests; there are no more.")


def answer_refused(match: Match, command: commands.AnswerUndo, player: str) -> Refused | None:
    """The reason to refuse this answer to a request; ``None`` if it may be given."""
    if (refused := return_refused(match, command.seat, player)) is not None:
        return refused
    request = match.request
    if command.request is not None and (request is None or request.version != command.request):
        return Refused(
            "request_lapsed", f"The request of version {command.request} is not open any more.", field="request"
        )
    if request is None:
        return Refused("no_request", "Nobody asks for anything.")
    if command.seat in request.accepted:
        return Refused("already_answered", "You have accepted already.")
    if command.seat not in request.asks:
        return Refused("not_asked", "It is not you who is asked.")
    return _block_refused(match, command)


def _block_refused(match: Match, command: commands.AnswerUndo) -> Refused | None:
    assert match.request is not None
    if not command.block:
        return None
    if command.accept:
        return Refused("invalid", "Who accepts does not block.", field="block")
    if match.asking[match.request.seat].refused + 1 < REFUSALS_BEFORE_BLOCK:
        return Refused("not_yet", f"Requests can be blocked with the {REFUSALS_BEFORE_BLOCK}nd refusal in a row.")
    return None


def _newest(match: Match) -> Node:
    assert match.node is not None
    return match.node


def _unreachable(match: Match, seat: int, player: str, to: int) -> Refused | None:
    if (refused := return_refused(match, seat, player)) is not None:
        return refused
    if not match.table.first <= to <= match.version:
        few, many = match.table.first, match.version
        return Refused("version_not_found", f"One can return to versions {few} to {many}.", field="to")
    if to < match.table.changed:
        return Refused(
            "undo_refused", f"With version {match.table.changed} the match went on by newer rules.", field="to"
        )
    return None


def _verdict(match: Match, seat: int, player: str, target: Node) -> UndoVerdict:
    if match.table.undo == "off":
        return Refused("undo_refused", "This match is played without undo.")
    found = _by_policy(match, seat, player, target)
    if match.table.protocol < 2:
        return found
    if (refused := used_up(match)) is not None:
        return refused
    if isinstance(found, Free) and match.asking[seat].free >= limits.FREE_RETURNS:
        reason = f"You have made {limits.FREE_RETURNS} free returns since another seat acted."
        return _else(match, seat, reason, "too_many_returns")
    return found


def _by_policy(match: Match, seat: int, player: str, target: Node) -> UndoVerdict:
    if match.table.undo == "host" and player == match.table.host:
        return Free("The host of this match may return to any version.")
    for step in (*left_by(match, target), *taken_up_by(match, target)):
        if step.seat != seat:
            return _else(match, seat, f"Version {step.version} is not only yours to decide about.")
        if informed(match, step):
            return _else(match, seat, f"By version {step.version} somebody learned something.")
    if (version := _looked_after(match, target)) is not None:
        return _else(match, seat, f"By version {version} the arbiter has looked at what is hidden.")
    if (case := _confirmed(match, target)) is not None:
        return _else(match, seat, f"Version {case.version} stands by the ruling on dispute {case.number}.")
    return Free("Only your own moves are concerned, and nobody learned anything by them.")


def _else(match: Match, seat: int, reason: str, code: str = "undo_refused") -> UndoVerdict:
    """The verdict on a return that is not free, for this reason: refused, or asked for under ``consent``."""
    if match.table.undo != "consent":
        return Refused(code, reason)
    asking = match.asking[seat]
    asks = tuple(other for other in match.people_in_play if other != seat)
    if match.request is not None:
        return Refused("request_open", f"Seat {match.request.seat} asks for something already.")
    if blocker := sorted(asking.blocked_by):
        return Refused("requests_blocked", f"Seat {blocker[0]} takes no more of your requests.")
    if asking.asked >= REQUESTS_A_TURN:
        return Refused("too_many_requests", f"You have asked {REQUESTS_A_TURN} times in this turn.")
    if not asks:
        return Free("Only bots play besides you, and they agree.")
    return Consent(f"{reason} The others are asked.", asks)

"""Disputes: the right to dispute a version, to look at its hidden part, and to rule on it.

A dispute freezes a running match. The arbiter, a player without a seat to whom all agreed, rules alone; without one all
seats must back the same ruling. An arbiter sees the hidden part only after a public look, by which the match loses its
rating and every later ruling the choice to go back. A dispute that nobody rules on expires: after 24 hours every read
finds that the version stands, and the next command records it, if need be one that the server sends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domain import commands, events
from domain.dispute_state import Case
from domain.hidden import ALL, Sees
from domain.match import NOT_SEATED, RETIRED, Act, Match, Refused

DISPUTES_A_SEAT = 2

OPEN_AFTER_END = 72 * 60 * 60 * 1000
"""Milliseconds after the end of a match in which its result may be disputed and ruled on."""

Decision = tuple[Any, ...] | Refused

TOO_LATE = Refused("dispute_too_late", "The match ended more than 72 hours ago, and its result is final.")


def lapse(match: Match, at: int) -> events.DisputeLapsed | None:
    """The event that records the expiry of the open dispute; ``None`` if none has expired at this time (in milliseconds)."""
    case = match.case
    if case is None or at < case.lapses_at:
        return None
    return events.DisputeLapsed(case.number, case.version)


def as_of(match: Match, at: int) -> Match:
    """The match as it is to be read at this time (in milliseconds): a dispute that has expired by then counts as closed."""
    if lapse(match, at) is None:
        return match
    case = match.cases[-1]
    closed = replace(match, cases=(*match.cases[:-1], replace(case, ruling="stands", lapsed=True)))
    if match.status != "frozen":
        return closed
    return replace(closed, status="live", clocks=None if match.clocks is None else match.clocks.resume(case.lapses_at))


def sees_at(match: Match, player: str | None, version: int) -> Sees:
    """The viewpoint of this player on a version now. An arbiter that has looked sees all of the disputed version."""
    case = match.case
    arbitrates = player is not None and player == match.table.arbiter
    if arbitrates and case is not None and case.looked and version == case.version:
        return ALL
    return match.sees(player)


def is_closed(match: Match, at: int) -> bool:
    """True if the match ended so long ago that no dispute and no ruling can change its result any more."""
    return match.table.protocol >= 2 and match.over_since is not None and at >= match.over_since + OPEN_AFTER_END


def raised(match: Match, command: commands.Dispute, act: Act) -> Decision:
    """Decides ``Dispute``."""
    if match.table.seat_of(act.player) != command.seat:
        return NOT_SEATED
    if match.status == "open":
        return Refused("not_live", "The match has not started.")
    if not match.ended and match.has_retired(command.seat):
        return RETIRED
    if match.status == "void":
        return Refused("final", "The match is void.")
    if is_closed(match, act.at):
        return TOO_LATE
    if match.case is not None:
        return Refused("dispute_open", f"Dispute {match.case.number} is open; one at a time.")
    few, many = match.table.first, match.version
    if not few <= command.version <= many:
        return Refused("version_not_found", f"What can be disputed are versions {few} to {many}.", field="version")
    raised = [case for case in match.cases if case.seat == command.seat]
    if len(raised) >= DISPUTES_A_SEAT:
        return Refused("too_many_disputes", f"You have disputed {DISPUTES_A_SEAT} versions already.")
    # With clocks a dispute is a way to gain time.
    if match.clocks is not None and any(case.ruling == "stands" for case in raised):
        return Refused("too_many_disputes", "With clocks, a seat disputes again only if its first dispute was upheld.")
    return (events.Disputed(command.seat, command.version, command.reason),)


def looked(match: Match, command: commands.Look, act: Act) -> Decision:
    """Decides ``Look``."""
    if act.player != match.table.arbiter:
        return Refused("not_arbiter", "Only the arbiter looks at what is hidden.")
    case = _open_case(match, command.dispute)
    if isinstance(case, Refused):
        return case
    if match.status == "finished":
        return Refused("final", "The match has ended, and nothing of it is hidden any more.")
    if case.looked:
        return Refused("already_looked", "You have looked already.")
    looked_at = events.HiddenLookedAt(case.number, case.version)
    # The arbiter may know a seat, so from now on the result compares more than play.
    loses_rating = match.table.protocol >= 2 and match.table.rated
    return (events.Unrated("looked"), looked_at) if loses_rating else (looked_at,)


def ruled(match: Match, command: commands.GiveRuling, act: Act) -> Decision:
    """Decides ``Rule``."""
    seat, arbiter = match.table.seat_of(act.player), match.table.arbiter
    if arbiter is not None and act.player != arbiter:
        return Refused("not_arbiter", "This match has an arbiter, who rules.")
    if arbiter is None and seat is None:
        return NOT_SEATED
    if arbiter is None and match.has_retired(seat):
        return RETIRED
    case = _open_case(match, command.dispute)
    if isinstance(case, Refused):
        return case
    if is_closed(match, act.at):
        return TOO_LATE
    if (refused := _impossible(match, case, command.ruling)) is not None:
        return refused
    if seat is None:
        return _carried_out(match, case, command.ruling, command.reason)
    return _backed(match, case, seat, command)


def lapsed(match: Match, command: commands.Lapse, act: Act) -> Decision:
    """Decides ``Lapse``. Gives no event of its own: ``decide`` puts ``DisputeLapsed`` before the events of any command."""
    if not 1 <= command.dispute <= len(match.cases):
        return Refused("dispute_not_found", f"There is no dispute {command.dispute} in this match.")
    if match.cases[command.dispute - 1].open:
        return Refused("not_yet", f"Dispute {command.dispute} may still be ruled on.")
    return ()


def _backed(match: Match, case: Case, seat: int, command: commands.GiveRuling) -> Decision:
    """Backs a ruling for a seat, and carries it out once all seats back the same one."""
    same = case.proposal == command.ruling
    if same and seat in case.backed_by:
        return Refused("already_backed", "You are for this ruling already; the others have not agreed yet.")
    backed = events.RulingBacked(case.number, seat, command.ruling, command.reason)
    behind = case.backed_by | {seat} if same else {seat}
    if not behind >= set(match.people_in_play):
        return (backed,)
    reason = case.proposed_because if same else command.reason
    return (backed, *_carried_out(match, case, command.ruling, reason))


def _carried_out(match: Match, case: Case, ruling: commands.Ruling, reason: str) -> tuple[Any, ...]:
    ruled = events.Ruled(case.number, case.version, ruling, reason)
    if ruling != "rewind":
        return (ruled,)
    to = case.version - 1
    assert match.node is not None
    back = events.Rewound(to) if match.node.find(to) is not None else events.Restored(to)
    return (back, ruled)


def _open_case(match: Match, number: int) -> Case | Refused:
    if not 1 <= number <= len(match.cases):
        return Refused("dispute_not_found", f"There is no dispute {number} in this match.")
    case = match.cases[number - 1]
    return case if case.open else Refused("dispute_closed", f"Dispute {number} is settled: {case.ruling}.")


def _impossible(match: Match, case: Case, ruling: commands.Ruling) -> Refused | None:
    """The reason why this ruling is impossible for the disputed version; ``None`` if it can be made."""
    if ruling != "rewind":
        return None
    if match.status == "finished":
        return Refused("ruling_impossible", "The match is finished: it stands or is void.")
    # Not in this dispute alone: one could look in the first and go back in the second.
    if match.table.protocol >= 2 and (seen := next((each for each in match.cases if each.looked), None)) is not None:
        shown = f"In dispute {seen.number} the arbiter has looked at what is hidden; it stands or is void."
        return Refused("ruling_impossible", shown)
    if case.version <= match.table.first:
        return Refused("ruling_impossible", "There is nothing before the start of play; it stands or is void.")
    if case.version <= match.table.changed:
        by = f"Version {match.table.changed} changed the rules, and no state of the older ones returns"
        return Refused("ruling_impossible", f"{by}; it stands or is void.")
    if match.node is None or match.node.find(case.version) is None:
        gone = f"Version {case.version} does not lead to the present state any more; it stands or is void."
        return Refused("ruling_impossible", gone)
    return None

"""Time that runs out: of turns, of answers, of requests. The server sends the command that records it.

Whatever is due is recorded oldest first, each as of its own time: the clocks go on from there. Until then nobody else may do
anything about play, so that no seat plays on with time that it does not have.
"""

from __future__ import annotations

from typing import Any

from domain import commands, events
from domain.clocks import MISSED_BEFORE_RETIRED
from domain.hidden import redact
from domain.match import Act, Match, Refused
from domain.undo import has_moved

Decision = tuple[Any, ...] | Refused

NOT_LATE = (
    commands.RunOut,
    commands.ExtendClocks,
    commands.Expire,
    commands.Lapse,
    commands.RecordFork,
    commands.DeclineArbitration,
    commands.RenewInvite,
    commands.Retire,
)
"""The commands that are decided also while something is due: those of the server, and those that do not concern play."""


def too_late(match: Match, kind: type, at: int) -> Refused | None:
    """The reason to refuse a command of this class because a seat's time has run out; ``None`` if there is none."""
    if match.clocks is None or match.status != "live" or kind in NOT_LATE:
        return None
    due = match.clocks.due()
    if not due or due[0].at > at:
        return None
    return Refused("time_up", f"The time of seat {due[0].seat} has run out. The server records it within a second.")


def ran_out(match: Match, command: commands.RunOut, act: Act) -> Decision:
    """Decides ``RunOut``."""
    if match.status != "live" or match.clocks is None:
        return Refused("not_live", f"The match is {match.status}, or has no clocks.")
    asked, due = match.request or match.proposal, match.clocks.due()
    first = due[0].at if due else act.at + 1
    if asked is not None and asked.expires_at is not None and asked.expires_at <= min(first, act.at):
        return (events.RequestExpired(asked.version, asked.expires_at),)
    if first > act.at:
        return Refused("not_yet", "Nothing is due.")
    now = [each for each in due if each.at == first]
    missed = match.clocks.missed
    gone = [each.seat for each in now if each.what == "turn" or missed[each.seat] + 1 >= MISSED_BEFORE_RETIRED]
    if gone:
        return retirement(match, gone, "timeout", first)
    seat = now[0].seat
    answer = match.game.answer_of(redact(match.state, frozenset({seat})), seat)
    return (events.AnswerMissed(seat, first), *match.game.decide(match.state, seat, answer, act.dice))


def extended(match: Match, command: commands.ExtendClocks, act: Act) -> Decision:
    """Decides ``ExtendClocks``."""
    if match.status != "live" or match.clocks is None:
        return Refused("not_live", f"The match is {match.status}, or has no clocks.")
    due = match.clocks.due()
    if not due or due[0].at > act.at or command.ms < 1:
        return Refused("not_yet", "No clock has run out.")
    return (events.ClocksExtended(command.ms),)


def retirement(
    match: Match, seats: list[int], reason: events.RetirementReason, due: int | None = None
) -> tuple[Any, ...]:
    """The events by which these seats retire at the same moment. Linear in the match."""
    early = any(not has_moved(match, seat) for seat in seats)
    retired = tuple(events.Retired(seat, reason, due) for seat in seats)
    if early and len(match.table.seats) == 2 and len(seats) == 1:
        return (*retired, events.Annulled())
    return (*retired, events.Unrated("early")) if early and match.table.rated else retired

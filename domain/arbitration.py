"""Arbitration: who becomes the arbiter of a match. ``dispute`` decides what an arbiter may do.

The host names a player when it opens the match, which only asks that player. It is the arbiter once it has accepted, before
the start of play; it can decline, and resign at any time. Each player who joins a rated match agrees to it by its id.
Otherwise a host could name its second account, which would see all hands and rule in favour of the host. By protocol 1 the
named player is the arbiter without being asked, and nobody has to agree.
"""

from __future__ import annotations

from typing import Any

from domain import commands, events
from domain.dispute import is_closed
from domain.match import Act, Match, Refused
from domain.table import Table

Decision = tuple[Any, ...] | Refused

NOT_ASKED = Refused("not_asked", "You are not asked to be the arbiter of this match.")


def join_refused(table: Table, command: commands.Join, player: str) -> Refused | None:
    """The reason to refuse this player a seat because of the arbiter; ``None`` if there is none."""
    named = table.named_arbiter
    if player == named:
        return Refused("is_arbiter", "You are the arbiter of this match, who sits nowhere.")
    if table.protocol < 2 or command.arbiter == named or (command.arbiter is None and not table.rated):
        return None
    if named is None:
        return Refused("arbiter_not_named", "The match has no arbiter, so name none to join it.", field="arbiter")
    how = f'Players who join agree to its arbiter, {named}, by "arbiter": "{named}".'
    return Refused("arbiter_not_named", how, field="arbiter")


def accepted(match: Match, command: commands.AcceptArbitration, act: Act) -> Decision:
    """Decides ``AcceptArbitration``."""
    if act.player == match.table.arbiter:
        return Refused("already_answered", "You are the arbiter of this match already.")
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; an arbiter accepts before the start of play.")
    if act.player != match.table.asked_arbiter:
        return NOT_ASKED
    return (events.ArbiterAccepted(act.player),)


def declined(match: Match, command: commands.DeclineArbitration, act: Act) -> Decision:
    """Decides ``DeclineArbitration``."""
    table = match.table
    if table.protocol < 2 or act.player != table.named_arbiter:
        return NOT_ASKED
    if match.status == "void" or is_closed(match, act.at):
        return Refused("final", "The match has ended, and nothing is left to rule on.")
    asked = act.player == table.asked_arbiter
    return (events.ArbiterDeclined(act.player) if asked else events.ArbiterResigned(act.player),)

"""Drafts: commands as their sender gives them, before what depends on the match is filled in.

A sender names neither its own seat nor the usual version of a return, and gives a move as plain data. ``complete`` fills
these in from the match that the command is decided on. The log stores the complete command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain import commands
from domain.changeover import newest_rules, rules_missing
from domain.deadlines import due_command
from domain.match import NOT_SEATED, Match, Refused
from domain.undo import usual_redo, usual_undo


@dataclass(frozen=True, slots=True)
class Draft:
    """A command of this class, without its seat; ``fields`` are the others that its sender gives."""

    kind: type
    fields: Mapping[str, Any]


class Due:
    """The kind of a draft that records the next deadline, whichever that is."""


class Vacate:
    """The kind of a draft that frees a seat: its own player leaves, or the host removes another player."""


def draft(kind: type, **fields: Any) -> Draft:
    """Returns a draft of a command class of ``domain.commands``, or of a kind of this module."""
    return Draft(kind, fields)


def complete(match: Match, asked: Draft, player: str) -> Any:
    """Returns the command, or ``Refused`` if this player cannot give it. Raises ``MalformedError`` for a malformed move."""
    if asked.kind is Due:
        return due_command(match)
    if asked.kind is Vacate:
        return _vacate(match, asked.fields["seat"], player)
    seat = own_seat(match, player)
    if isinstance(seat, Refused):
        return seat
    if (refused := rules_missing(match, asked.kind)) is not None:
        return refused
    fields = dict(asked.fields)
    if asked.kind is commands.Move:
        fields["move"] = match.game.read_move(fields["move"])
    usual = _USUAL.get(asked.kind)
    if usual is not None and fields["to"] is None:
        to = fields["to"] = usual(match, seat)
        if isinstance(to, Refused):
            return to
    if asked.kind is commands.ProposeRules and fields["rules"] is None:
        fields["rules"] = newest_rules(match)
        if not fields["rules"]:
            return Refused("change_refused", "There are no newer rules that this match can go on by.")
    return asked.kind(seat=seat, **fields)


def _vacate(match: Match, seat: int, player: str) -> commands.Leave | commands.RemovePlayer:
    removes = player == match.table.host and seat != match.table.seat_of(player)
    return commands.RemovePlayer(seat) if removes else commands.Leave(seat)


def own_seat(match: Match, player: str) -> int | Refused:
    """Returns the player's seat."""
    seat = match.table.seat_of(player)
    return NOT_SEATED if seat is None else seat


_USUAL: Mapping[type, Callable[[Match, int], int | Refused]] = {commands.Undo: usual_undo, commands.Redo: usual_redo}
"""Command class → the version that it returns to if its sender names none."""

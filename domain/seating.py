"""Seats before the start: joining, leaving, bots, and the ready check by which a match may start.

A match whose ``start`` is ``full`` starts with the last seat that is taken. With ``ready`` all seats are asked first; a seat that
lets the time run out is freed, and its player cannot sit at this match again.
"""

from __future__ import annotations

from typing import Any

from domain import arbitration, commands, events
from domain.match import Act, Match, Refused
from domain.players import bot_id
from domain.table import Table

Decision = tuple[Any, ...] | Refused

CHECKING = Refused("ready_check", "The seats are being asked whether they are ready; wait until that is over.")


def joined(match: Match, command: commands.Join, act: Act) -> Decision:
    """Decides ``Join``."""
    table = match.table
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; nobody can join it any more.")
    if table.seat_of(act.player) is not None:
        return Refused("already_seated", f"You sit on seat {table.seat_of(act.player)} of this match.")
    if act.player in table.removed:
        return Refused("removed", "You have lost your seat at this match and cannot sit here again.")
    if (refused := arbitration.join_refused(table, command, act.player)) is not None:
        return refused
    seat = _free_seat(table, command.seat)
    if isinstance(seat, Refused):
        return seat
    return _seated(match, events.Joined(seat, act.player, command.entropy), act)


def bot_seated(match: Match, command: commands.SeatBot, act: Act) -> Decision:
    """Decides ``SeatBot``."""
    table = match.table
    if act.player != table.host:
        return Refused("forbidden", "Only the host seats bots.")
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; bots take seats before the start only.")
    if table.protocol < 3:
        return Refused("invalid", "Matches have no bots here yet.", field="level")
    seat = _free_seat(table, command.seat)
    if isinstance(seat, Refused):
        return seat
    return _seated(match, events.Joined(seat, bot_id(command.level, seat), ""), act)


def _free_seat(table: Table, wanted: int | None) -> int | Refused:
    free = table.free()
    if wanted is None and free:
        return free[0]
    if wanted is None or not 0 <= wanted < len(table.seats):
        return Refused("invalid", f"The match has seats 0 to {len(table.seats) - 1}.", field="seat")
    return wanted if wanted in free else Refused("seat_taken", f"Seat {wanted} is taken.")


def _seated(match: Match, event: events.Joined, act: Act) -> tuple[Any, ...]:
    """The events by which a seat is taken. The last one starts the match, or the ready check."""
    table = match.table
    if len(table.free()) > 1:
        return (event,)
    if table.start == "ready":
        return (event, events.ReadyAsked(act.at + table.ready_ms))
    return (event, _started(table, act))


def _started(table: Table, act: Act) -> events.Started:
    # The dice already hold the entropy of all seats, that of a seat just taken too: see ``entropy_with``.
    state = table.position
    return events.Started(table.game.deal(len(table.seats), table.options, act.dice) if state is None else state)


def left(match: Match, command: commands.Leave, act: Act) -> Decision:
    """Decides ``Leave``."""
    table = match.table
    if not 0 <= command.seat < len(table.seats) or table.seats[command.seat] is None:
        return Refused("seat_empty", f"Nobody sits on seat {command.seat}.")
    if table.seat_of(act.player) != command.seat:
        return Refused("not_your_seat", f"Seat {command.seat} is not yours.")
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; it can only be resigned once it runs.")
    return (events.Cancelled(),) if act.player == table.host else (events.Left(command.seat),)


def removed(match: Match, command: commands.RemovePlayer, act: Act) -> Decision:
    """Decides ``RemovePlayer``."""
    table = match.table
    if act.player != table.host:
        return Refused("not_your_seat", "Only the host removes other players.")
    if not 0 <= command.seat < len(table.seats) or (seated := table.seats[command.seat]) is None:
        return Refused("seat_empty", f"Nobody sits on seat {command.seat}.")
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; players can be removed before the start only.")
    if seated.player == table.host:
        return Refused("invalid", "This is your own seat; leave it instead.", field="seat")
    # A host who sees that it gets ready too late would otherwise remove those who were in time.
    return CHECKING if table.check is not None else (events.Removed(command.seat, seated.player),)


def ready(match: Match, command: commands.Ready, act: Act) -> Decision:
    """Decides ``Ready``."""
    table, check = match.table, match.table.check
    if table.seat_of(act.player) != command.seat:
        return Refused("not_seated", "You have no seat at this match.")
    if check is None:
        return Refused("not_asked", "Nobody is asked whether it is ready now.")
    if command.seat in check.ready:
        return Refused("already_answered", "You are ready already.")
    made = (events.SeatReady(command.seat),)
    return made if check.missing(table) - {command.seat} else (*made, _started(table, act))


def ready_failed(match: Match, due: int) -> tuple[Any, ...]:
    """The events by which the seats are freed that were not ready in time. Without its host the match is cancelled."""
    assert match.table.check is not None
    late = sorted(match.table.check.missing(match.table))
    failed = events.ReadyFailed(tuple(late), due)
    return (failed, events.Cancelled()) if match.table.seat_of(match.table.host) in late else (failed,)

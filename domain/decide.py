"""What a command does to a match: events, or why it is refused.

Nothing here changes anything, and nothing raises for what a player does wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import dispute, shape, undo
from domain import events as kernel
from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Act, Match, Refused

Decision = tuple[Any, ...] | Refused


def decide_open(game: AnyGame, command: kernel.Open, act: Act, seed_commitment: str, position: Any = None) -> Decision:
    """What opening a match does. The options are known to read well; ``position`` has been parsed and checked."""
    if command.seats not in game.seats:
        few, many = game.seats[0], game.seats[-1]
        return Refused("invalid", f"{game.name} is played by {few} to {many} seats", field="seats")
    if command.arbiter == act.player:
        return Refused("invalid", "Who sits at a match is not its arbiter.", field="arbiter")
    opened = kernel.Opened(
        game=game.id,
        rules=game.version,
        seats=command.seats,
        options=shape.read(game.options, command.options),
        host=act.player,
        undo=command.undo,
        private=command.private,
        seed_commitment=seed_commitment,
        position=position,
        origin=command.origin,
        arbiter=command.arbiter,
    )
    return (opened, kernel.Joined(0, act.player, command.entropy))


def decide(match: Match, command: Any, act: Act) -> Decision:
    """What a command does to a match: events, never none, or why it is refused."""
    lapsed = dispute.lapse(match, act.at)
    decision = _DECIDERS[type(command)](dispute.as_of(match, act.at), command, act)
    if isinstance(decision, Refused):
        return decision
    events = decision if lapsed is None else (lapsed, *decision)
    return events or Refused("dispute_closed", "That is recorded already.")


def _join(match: Match, command: kernel.Join, act: Act) -> Decision:
    table = match.table
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; nobody can join it any more.")
    if table.seat_of(act.player) is not None:
        return Refused("already_seated", f"You sit on seat {table.seat_of(act.player)} of this match.")
    if act.player == table.arbiter:
        return Refused("is_arbiter", "You are the arbiter of this match, who sits nowhere.")
    free = table.free()
    seat = free[0] if command.seat is None else command.seat
    if not 0 <= seat < len(table.seats):
        return Refused("invalid", f"The match has seats 0 to {len(table.seats) - 1}.", field="seat")
    if seat not in free:
        return Refused("seat_taken", f"Seat {seat} is taken.")
    joined = kernel.Joined(seat, act.player, command.entropy)
    if len(free) > 1:
        return (joined,)
    # The last seat starts the match. The dice know the entropy of all seats that sat before; see ``entropy_with``.
    state = table.position
    if state is None:
        state = table.game.deal(len(table.seats), table.options, act.dice)
    return (joined, kernel.Started(state))


def _leave(match: Match, command: kernel.Leave, act: Act) -> Decision:
    table = match.table
    if not 0 <= command.seat < len(table.seats) or table.seats[command.seat] is None:
        return Refused("seat_empty", f"Nobody sits on seat {command.seat}.")
    if table.seat_of(act.player) != command.seat:
        return Refused("not_your_seat", f"Seat {command.seat} is not yours.")
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}; it can only be resigned once it runs.")
    return (kernel.Cancelled(),) if act.player == table.host else (kernel.Left(command.seat),)


def _move(match: Match, command: kernel.Move, act: Act) -> Decision:
    if (refused := _not_playing(match, command.seat, act.player)) is not None:
        return refused
    if command.seat not in match.to_move:
        waiting = " and ".join(f"seat {seat}" for seat in sorted(match.to_move))
        return Refused("not_your_turn", f"It is the turn of {waiting}.")
    game = match.game
    rejected = game.refuse(redact(match.state, frozenset({command.seat})), command.seat, command.move)
    if rejected is not None:
        return Refused("illegal_move", rejected.message, rule=rejected.rule)
    return tuple(game.decide(match.state, command.seat, command.move, act.dice))


def _resign(match: Match, command: kernel.Resign, act: Act) -> Decision:
    return _not_playing(match, command.seat, act.player) or (kernel.Resigned(command.seat),)


def _undo(match: Match, command: kernel.Undo, act: Act) -> Decision:
    verdict = undo.undo_verdict(match, command.seat, act.player, command.to)
    return _return(verdict, "undo", command, kernel.Rewound(command.to))


def _redo(match: Match, command: kernel.Redo, act: Act) -> Decision:
    verdict = undo.redo_verdict(match, command.seat, act.player, command.to)
    return _return(verdict, "redo", command, kernel.Restored(command.to))


def _return(
    verdict: undo.Verdict, direction: kernel.Direction, command: kernel.Undo | kernel.Redo, done: Any
) -> Decision:
    match verdict:
        case undo.Free():
            return (done,)
        case undo.Consent(_reason, asks):
            return (kernel.UndoAsked(command.seat, direction, command.to, asks, command.reason),)
        case Refused():
            return verdict


def _answer_undo(match: Match, command: kernel.AnswerUndo, act: Act) -> Decision:
    if (refused := undo.answer_refused(match, command, act.player)) is not None or match.request is None:
        return refused or Refused("no_request", "Nobody asks for anything.")
    request = match.request
    answered = kernel.UndoAnswered(command.seat, command.accept, command.block)
    if not command.accept or request.asks != {command.seat}:
        return (answered,)
    done = kernel.Rewound(request.to) if request.direction == "undo" else kernel.Restored(request.to)
    return (answered, done)


def _withdraw_undo(match: Match, command: kernel.WithdrawUndo, act: Act) -> Decision:
    if (refused := undo.return_refused(match, command.seat, act.player)) is not None:
        return refused
    if match.request is None or match.request.seat != command.seat:
        return Refused("no_request", "You ask for nothing.")
    return (kernel.UndoWithdrawn(command.seat),)


def _record_fork(match: Match, command: kernel.RecordFork, act: Act) -> Decision:
    if match.status != "finished":
        return Refused("not_finished", f"Only a finished match can be forked; this one is {match.status}.")
    if match.node_at(command.version) is None:
        few, many = match.table.first, match.version
        return Refused("version_not_found", f"There are states from version {few} to {many}.", field="version")
    return (kernel.Forked(command.version, command.match),)


def _not_playing(match: Match, seat: int, player: str) -> Refused | None:
    if match.table.seat_of(player) != seat:
        return Refused("not_seated", "You have no seat at this match.")
    if match.status != "live":
        reason = "has not started" if match.status == "open" else f"is {match.status}"
        return Refused("not_live", f"The match {reason}.")
    return None


_DECIDERS: dict[type, Callable[[Match, Any, Act], Decision]] = {
    kernel.Join: _join,
    kernel.Leave: _leave,
    kernel.Move: _move,
    kernel.Resign: _resign,
    kernel.Undo: _undo,
    kernel.Redo: _redo,
    kernel.AnswerUndo: _answer_undo,
    kernel.WithdrawUndo: _withdraw_undo,
    kernel.RecordFork: _record_fork,
    kernel.Dispute: dispute.raised,
    kernel.Look: dispute.looked,
    kernel.Rule: dispute.ruled,
    kernel.Lapse: dispute.lapsed,
}


def entropy_with(match: Match, command: Any) -> tuple[str, ...]:
    """The entropy that goes into the dice of a command: that of all seats, with what the command itself brings."""
    entropy = list(match.table.entropy)
    if isinstance(command, kernel.Join):
        seat = command.seat if command.seat is not None else next(iter(match.table.free()), None)
        if seat is not None and 0 <= seat < len(entropy):
            entropy[seat] = command.entropy
    return tuple(entropy)

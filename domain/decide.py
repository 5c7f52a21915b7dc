"""Deciding: a match and a command give events, or the reason why the command is refused.

Nothing here changes the match. A player's mistake is returned as ``Refused``, never raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import arbitration, changeover, commands, deadlines, dispute, limits, seating, timeouts, undo, validation
from domain.events import (
    Aborted,
    Expired,
    Forked,
    InviteRenewed,
    Joined,
    Opened,
    Resigned,
    Restored,
    Rewound,
    TooLong,
    UndoAnswered,
    UndoAsked,
    UndoWithdrawn,
)
from domain.game import AnyGame
from domain.hidden import redact
from domain.match import NOT_SEATED, Act, Match, Refused, retired_refused
from domain.protocol import PROTOCOL
from domain.undo import has_moved

Decision = tuple[Any, ...] | Refused


def decide_open(
    game: AnyGame,
    command: commands.Open,
    act: Act,
    seed_commitment: str,
    position: Any = None,
    protocol: int = PROTOCOL,
) -> Decision:
    """Decides the opening of a match. The caller has validated the options, and parsed and checked ``position``."""
    if command.seats not in game.seats:
        few, many = game.seats[0], game.seats[-1]
        return Refused("invalid", f"{game.name} is played by {few} to {many} seats", field="seats")
    if command.arbiter == act.player:
        return Refused("invalid", "Who sits at a match is not its arbiter.", field="arbiter")
    options = validation.read(game.options, command.options)
    if command.clock is not None and protocol < 3:
        return Refused("invalid", "Matches have no clocks here yet.", field="clock")
    if command.start != "full" and protocol < 3:
        return Refused("invalid", "Matches start when they are full here.", field="start")
    opened = Opened(
        game=game.id,
        rules=game.version,
        seats=command.seats,
        options=options,
        host=act.player,
        undo=command.undo,
        private=command.private,
        seed_commitment=seed_commitment,
        position=position,
        origin=command.origin,
        arbiter=command.arbiter,
        protocol=protocol,
        rated=None if protocol == 1 else _is_rated(game, command, options, position, protocol),
        clock=command.clock,
        start=command.start,
    )
    return (opened, Joined(0, act.player, command.entropy))


def _is_rated(game: AnyGame, command: commands.Open, options: Any, position: Any, protocol: int) -> bool:
    """Returns whether the result of such a match compares players: all of them chose it, under the usual conditions."""
    usual = position is None and command.undo != "host" and not command.private and options == game.options()
    return usual and (protocol < 3 or _has_fair_clock(command.clock))


def _has_fair_clock(clock: commands.Clock | None) -> bool:
    """Returns whether nobody can win by walking away, or by being faster than people can think."""
    if clock is None or clock.answer_seconds < limits.RATED_ANSWER:
        return False
    if clock.bank is not None:
        return clock.bank >= limits.RATED_BANK
    return clock.turn is not None and limits.RATED_TURNS[0] <= clock.turn <= limits.RATED_TURNS[1]


def decide(match: Match, command: Any, act: Act) -> Decision:
    """Decides a command: at least one event, or the reason for its refusal. Raises ``NewerRulesError``.

    If an open dispute has expired by ``act.at``, the command is decided as if it were closed, and ``DisputeLapsed`` is
    the first event.
    """
    kind = type(command)
    if (refused := changeover.rules_missing(match, kind)) is not None:
        return refused
    lapsed = dispute.lapse(match, act.at)
    # A request that expires is an event of its own only if the server records it; any other commit ends the request anyway.
    present = dispute.as_of(match, act.at) if kind is commands.RunOut else deadlines.as_of(match, act.at)
    if (late := timeouts.too_late(present, kind, act.at)) is not None:
        return late
    decision = _DECIDERS[kind](present, command, act)
    if isinstance(decision, Refused):
        return decision
    events = decision if lapsed is None else (lapsed, *decision)
    return events or Refused("dispute_closed", "That is recorded already.")


def _renew_invite(match: Match, command: commands.RenewInvite, act: Act) -> Decision:
    table = match.table
    if act.player != table.host:
        return Refused("forbidden", "Only the host renews the invite.")
    if not table.private:
        return Refused("not_private", "The match is public, so it has no invite.")
    if table.invite.renewals >= limits.RENEWALS:
        return Refused("too_many_renewals", f"The invite has been renewed {limits.RENEWALS} times.")
    if command.hash == table.invite.hash:
        return Refused("invalid", "This is the present invite.", field="hash")
    return (InviteRenewed(command.hash),)


def _expire(match: Match, command: commands.Expire, act: Act) -> Decision:
    if match.status != "open":
        return Refused("not_open", f"The match is {match.status}.")
    if act.at < match.table.expires_at:
        return Refused("not_yet", "The match may still wait for players.")
    return (Expired(),)


def _move(match: Match, command: commands.Move, act: Act) -> Decision:
    if (refused := _not_playing(match, command.seat, act.player)) is not None:
        return refused
    if command.seat not in match.to_move:
        waiting = " and ".join(f"seat {seat}" for seat in sorted(match.to_move))
        return Refused("not_your_turn", f"It is the turn of {waiting}.")
    game = match.game
    # Redacted here, so that no game can refuse a move by what its seat may not know: the refusal would disclose it.
    rejected = game.refuse(redact(match.state, frozenset({command.seat})), command.seat, command.move)
    if rejected is not None:
        return Refused("illegal_move", rejected.message, rule=rejected.rule)
    if match.version >= limits.COMMITS and match.table.protocol >= 2:
        return (TooLong(),)
    return tuple(game.decide(match.state, command.seat, command.move, act.dice))


def _resign(match: Match, command: commands.Resign, act: Act) -> Decision:
    if (refused := _not_playing(match, command.seat, act.player, frozen=match.table.protocol >= 3)) is not None:
        return refused
    if match.table.protocol >= 3:
        return timeouts.retirement(match, [command.seat], "resigned")
    # Otherwise two accounts make a rated result in no time. A move counts also if it was undone.
    aborts = match.table.protocol >= 2 and len(match.table.seats) == 2 and not has_moved(match, command.seat)
    return (Aborted(command.seat),) if aborts else (Resigned(command.seat),)


def _retire(match: Match, command: commands.Retire, act: Act) -> Decision:
    if match.table.protocol < 3 or match.status not in ("live", "frozen") or match.has_retired(command.seat):
        return Refused("not_live", "This seat does not play.")
    return timeouts.retirement(match, [command.seat], "deleted")


def _undo(match: Match, command: commands.Undo, act: Act) -> Decision:
    verdict = undo.undo_verdict(match, command.seat, act.player, command.to)
    return _return(verdict, "undo", command, Rewound(command.to))


def _redo(match: Match, command: commands.Redo, act: Act) -> Decision:
    verdict = undo.redo_verdict(match, command.seat, act.player, command.to)
    return _return(verdict, "redo", command, Restored(command.to))


def _return(
    verdict: undo.UndoVerdict, direction: commands.Direction, command: commands.Undo | commands.Redo, done: Any
) -> Decision:
    match verdict:
        case undo.Free():
            return (done,)
        case undo.Consent(_reason, asks):
            return (UndoAsked(command.seat, direction, command.to, asks, command.reason),)
        case Refused():
            return verdict


def _answer_undo(match: Match, command: commands.AnswerUndo, act: Act) -> Decision:
    if (refused := undo.answer_refused(match, command, act.player)) is not None or match.request is None:
        return refused or Refused("no_request", "Nobody asks for anything.")
    request = match.request
    answered = UndoAnswered(command.seat, command.accept, command.block)
    if not command.accept or request.asks != {command.seat}:
        return (answered,)
    done = Rewound(request.to) if request.direction == "undo" else Restored(request.to)
    return (answered, done)


def _withdraw_undo(match: Match, command: commands.WithdrawUndo, act: Act) -> Decision:
    if (refused := undo.return_refused(match, command.seat, act.player)) is not None:
        return refused
    if match.request is None or match.request.seat != command.seat:
        return Refused("no_request", "You ask for nothing.")
    return (UndoWithdrawn(command.seat),)


def _record_fork(match: Match, command: commands.RecordFork, act: Act) -> Decision:
    if match.status != "finished":
        return Refused("not_finished", f"Only a finished match can be forked; this one is {match.status}.")
    if match.node_at(command.version) is None:
        few, many = match.table.first, match.version
        return Refused("version_not_found", f"There are states from version {few} to {many}.", field="version")
    if match.forks >= limits.FORKS and match.table.protocol >= 2:
        return Refused("final", f"{limits.FORKS} forks of this match are noted already.")
    return (Forked(command.version, command.match),)


def _not_playing(match: Match, seat: int, player: str, *, frozen: bool = False) -> Refused | None:
    """The reason why this player cannot play for this seat now; ``None`` if it can. ``frozen``: also during a dispute."""
    if match.seat_of(player) != seat:
        return NOT_SEATED
    if match.status != "live" and not (frozen and match.status == "frozen"):
        reason = "has not started" if match.status == "open" else f"is {match.status}"
        return Refused("not_live", f"The match {reason}.")
    return retired_refused(match, seat, player)


_DECIDERS: dict[type, Callable[[Match, Any, Act], Decision]] = {
    commands.Join: seating.joined,
    commands.SeatBot: seating.bot_seated,
    commands.Ready: seating.ready,
    commands.AcceptArbitration: arbitration.accepted,
    commands.DeclineArbitration: arbitration.declined,
    commands.Leave: seating.left,
    commands.RemovePlayer: seating.removed,
    commands.RenewInvite: _renew_invite,
    commands.Expire: _expire,
    commands.RunOut: timeouts.ran_out,
    commands.ExtendClocks: timeouts.extended,
    commands.Retire: _retire,
    commands.Move: _move,
    commands.Resign: _resign,
    commands.Undo: _undo,
    commands.Redo: _redo,
    commands.AnswerUndo: _answer_undo,
    commands.WithdrawUndo: _withdraw_undo,
    commands.ProposeRules: changeover.proposed,
    commands.AnswerRules: changeover.answered,
    commands.RecordFork: _record_fork,
    commands.Dispute: dispute.raised,
    commands.Look: dispute.looked,
    commands.GiveRuling: dispute.ruled,
    commands.Lapse: dispute.lapsed,
}


def entropy_with(match: Match, command: Any) -> tuple[str, ...]:
    """The entropy that goes into the dice of a command, by seat: that of the match, with the entropy of a ``Join`` added."""
    entropy = list(match.table.entropy)
    if isinstance(command, commands.Join):
        seat = command.seat if command.seat is not None else next(iter(match.table.free()), None)
        if seat is not None and 0 <= seat < len(entropy):
            entropy[seat] = command.entropy
    return tuple(entropy)

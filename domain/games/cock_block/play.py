"""Legal, refuse and decide for all moves, put together from the modules of the subjects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.game import Dice, Rejected
from domain.games.cock_block import attacks, defence, fights, movement, moves, turn
from domain.games.cock_block.components import in_order
from domain.games.cock_block.events import AnyEvent
from domain.games.cock_block.moves import AnyMove
from domain.games.cock_block.state import CounterWindow, Duel, PillWindow, Puts, State, to_move
from domain.games.cock_block.story import Story

# -- legal ------------------------------------------------------------------------------------------------------------


def legal(state: State, seat: int) -> list[AnyMove]:
    """(state redacted for the seat, seat) → its moves. At most about 250: with every attack in hand, in the highest barn."""
    if seat not in to_move(state):
        return []
    pending = state.pending
    if isinstance(pending, (CounterWindow, PillWindow)):
        return list(defence.legal_answers(state, seat, pending))
    if isinstance(pending, Puts):
        return list(defence.legal_puts(state))
    hand = in_order(state.hands[seat].cards)
    if isinstance(pending, Duel):
        return list(fights.legal_commits(hand))
    return [
        *movement.legal_moves(state, seat),
        *movement.legal_pick_up(state, seat),
        *attacks.legal_attacks(state, seat),
        *defence.legal_defence(state, seat),
        *defence.legal_legendaries(state, seat),
        *defence.legal_specials(state, seat),
        *turn.legal_discards(state, hand),
        moves.EndTurn(),
    ]


def default_answer(state: State, _seat: int) -> AnyMove:
    """The answer of a seat that gives none: no cards to a fight, otherwise it declines."""
    return moves.Commit(()) if isinstance(state.pending, Duel) else moves.Decline()


# -- refuse -----------------------------------------------------------------------------------------------------------

Refuse = Callable[[State, int, Any], Rejected | None]


def refuse(state: State, seat: int, move: AnyMove) -> Rejected | None:
    """(state redacted for the seat, one of ``to_move``, move) → the rule that the move breaks, or ``None``."""
    pending = type(state.pending)
    if pending is type(None):
        return _IN_TURN[type(move)](state, seat, move)
    answers, otherwise = _PENDING[pending]
    answer = answers.get(type(move))
    return otherwise if answer is None else answer(state, seat, move)


def _never(state: State, seat: int, move: AnyMove) -> None:
    """Refuses nothing: for moves that are always legal."""


def _no_put(state: State, seat: int, move: moves.Put) -> Rejected:
    return Rejected("CB-28", "No token is lifted; a legendary comes first.")


def _no_window(state: State, seat: int, move: moves.Decline) -> Rejected:
    return Rejected("CB-25", "Nothing was asked of you; it is your own turn.")


def _no_duel(state: State, seat: int, move: moves.Commit) -> Rejected:
    return Rejected("CB-34", "You are in no fight with cards.")


_IN_TURN: dict[type, Refuse] = {
    moves.Move: movement.refuse_move,
    moves.PickUp: movement.refuse_pick_up,
    moves.Discard: turn.refuse_discard,
    moves.EndTurn: _never,
    moves.Block: attacks.refuse_block,
    moves.Rumor: attacks.refuse_rumor,
    moves.Slow: attacks.refuse_slow,
    moves.Counter: defence.refuse_counter,
    moves.Legendary: defence.refuse_legendary,
    moves.Put: _no_put,
    moves.AllAccess: defence.refuse_all_access,
    moves.Tomahawk: defence.refuse_tomahawk,
    moves.Glory: defence.refuse_glory,
    moves.CornPills: defence.refuse_corn_pills,
    moves.Decline: _no_window,
    moves.Commit: _no_duel,
}

_PENDING: dict[type, tuple[dict[type, Refuse], Rejected]] = {
    CounterWindow: (
        {moves.Counter: defence.refuse_answer, moves.Decline: _never},
        Rejected("CB-25", "A token was put into your column: counter it or decline."),
    ),
    PillWindow: (
        {moves.CornPills: defence.refuse_corn_pills, moves.Decline: _never},
        Rejected("CB-24", "You were given Drank 2 Much: take Corn Pills or decline."),
    ),
    Puts: (
        {moves.Put: lambda state, seat, move: attacks.refuse_space(state, "CB-28", move.at)},
        Rejected("CB-28", "Lifted tokens are waiting: put them down first."),
    ),
    Duel: (
        {moves.Commit: fights.refuse_commit},
        Rejected("CB-34", "You are in a fight: commit up to three cards first."),
    ),
}

# -- decide -----------------------------------------------------------------------------------------------------------


def decide(state: State, seat: int, move: AnyMove, dice: Dice) -> Sequence[AnyEvent]:
    """(full state, seat, a move that is not refused, dice) → the events."""
    story = Story(state, dice)
    _DECIDERS[type(move)](story, seat, move)
    return story.events


_DECIDERS: dict[type, Callable[[Story, int, Any], None]] = {
    moves.Move: movement.decide_move,
    moves.PickUp: movement.decide_pick_up,
    moves.Discard: turn.decide_discard,
    moves.EndTurn: turn.decide_end_turn,
    moves.Block: attacks.decide_block,
    moves.Rumor: attacks.decide_rumor,
    moves.Slow: attacks.decide_slow,
    moves.Counter: defence.decide_counter,
    moves.Legendary: defence.decide_legendary,
    moves.Put: defence.decide_put,
    moves.AllAccess: defence.decide_all_access,
    moves.Tomahawk: defence.decide_tomahawk,
    moves.Glory: defence.decide_glory,
    moves.CornPills: defence.decide_corn_pills,
    moves.Decline: defence.decide_decline,
    moves.Commit: fights.decide_commit,
}

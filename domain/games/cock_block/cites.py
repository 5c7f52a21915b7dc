"""The numbers of the rules that bind a move, and of those that an event follows."""

from __future__ import annotations

from domain.games.cock_block import events, moves
from domain.games.cock_block.events import AnyEvent
from domain.games.cock_block.moves import AnyMove

BREAD = ("got_bread",)

CITED: dict[type, tuple[str, ...]] = {
    moves.Move: ("CB-4", "CB-10", "CB-14"),
    moves.PickUp: ("CB-15",),
    moves.Discard: ("CB-4", "CB-6"),
    moves.EndTurn: ("CB-5", "CB-7"),
    moves.Block: ("CB-4", "CB-19"),
    moves.Rumor: ("CB-4", "CB-20"),
    moves.Slow: ("CB-4", "CB-24"),
    moves.Counter: ("CB-25", "CB-26", "CB-27"),
    moves.Legendary: ("CB-4", "CB-28"),
    moves.Put: ("CB-28",),
    moves.AllAccess: ("CB-4", "CB-29"),
    moves.Tomahawk: ("CB-4", "CB-29"),
    moves.Glory: ("CB-9",),
    moves.CornPills: ("CB-29",),
    moves.Decline: ("CB-24", "CB-25"),
    moves.Commit: ("CB-34",),
    events.Moved: ("CB-10", "CB-14"),
    events.PickedUp: ("CB-15", "CB-16"),
    events.Discarded: ("CB-6",),
    events.Blocked: ("CB-19", "CB-25"),
    events.Rumored: ("CB-20", "CB-21", "CB-22"),
    events.Slowed: ("CB-24",),
    events.Countered: ("CB-27",),
    events.TokensLifted: ("CB-28",),
    events.TokenPut: ("CB-28",),
    events.TokensCleared: ("CB-29",),
    events.AccessGained: ("CB-29",),
    events.GloryBegan: ("CB-9",),
    events.Recovered: ("CB-29",),
    events.Declined: ("CB-24", "CB-25"),
    events.FightBegan: ("CB-30", "CB-31"),
    events.Rolled: ("CB-32", "CB-33"),
    events.Committed: ("CB-34",),
    events.Revealed: ("CB-34",),
    events.Turned: ("CB-34",),
    events.KnockedOut: ("CB-35",),
    events.Rose: ("CB-35",),
    events.Drew: ("CB-7", "CB-8"),
    events.Reshuffled: ("CB-8",),
    events.TurnEnded: ("CB-5",),
}


def cites(said: AnyMove | AnyEvent) -> tuple[str, ...]:
    cited = CITED[type(said)]
    if isinstance(said, (moves.Move, events.Moved)):
        return cited + (("CB-12", "CB-13") if said.cards == BREAD else ("CB-11",))
    return cited

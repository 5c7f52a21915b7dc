"""The moves of the game. All are public except the commitment of a geeks' fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from domain.games.cock_block.board import Space
from domain.games.cock_block.components import COMMITTED_AT_MOST, COUNTERS, LEGENDARIES, BlockName, Card
from domain.validation import FACE_DOWN, Between, Length, OneOf

CounterName = Annotated[str, OneOf(tuple(COUNTERS))]
LegendaryName = Annotated[str, OneOf(tuple(LEGENDARIES))]
Forward = Literal["forward", "left", "right"]
Backward = Literal["back", "left", "right"]
Seat = Annotated[int, Between(0, 3)]


@dataclass(frozen=True, slots=True)
class Move:
    """Move the seat's hero: one step, or two with bread. ``cards`` in any order."""

    cards: Annotated[tuple[Card, ...], Length(1, 2)]
    path: Annotated[tuple[Forward, ...], Length(1, 2)]


@dataclass(frozen=True, slots=True)
class PickUp:
    """Take along the chick on the space of the seat's hero."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw cards away, in any order."""

    cards: Annotated[tuple[Card, ...], Length(1, 4)]


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn and refill."""


@dataclass(frozen=True, slots=True)
class Block:
    """Play a cock block card: its token goes on a space."""

    card: BlockName
    at: Space


@dataclass(frozen=True, slots=True)
class Rumor:
    """Move an opponent's hero back by two steps."""

    target: Seat
    path: Annotated[tuple[Backward, ...], Length(2, 2)]


@dataclass(frozen=True, slots=True)
class Slow:
    """Give an opponent drank_2_much."""

    target: Seat


@dataclass(frozen=True, slots=True)
class Counter:
    """Move a token by one space, as an action or as an answer to the card that put it there."""

    card: CounterName
    from_: Space
    to: Space


@dataclass(frozen=True, slots=True)
class Legendary:
    """Lift all tokens of a kind; a ``Put`` for each of them follows."""

    card: LegendaryName


@dataclass(frozen=True, slots=True)
class Put:
    """Put down one of the lifted tokens."""

    at: Space


@dataclass(frozen=True, slots=True)
class AllAccess:
    """Lay all_access on the seat's hero."""


@dataclass(frozen=True, slots=True)
class Tomahawk:
    """Return all tokens to the supply."""


@dataclass(frozen=True, slots=True)
class Glory:
    """Have three actions this turn."""


@dataclass(frozen=True, slots=True)
class CornPills:
    """Take drank_2_much off the seat's hero."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Give no answer."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Choose the cards of a geeks' fight. Neither they nor their number show until both fighters have chosen."""

    cards: Annotated[tuple[Card, ...], Length(0, COMMITTED_AT_MOST), FACE_DOWN]


AnyMove = (
    Move
    | PickUp
    | Discard
    | EndTurn
    | Block
    | Rumor
    | Slow
    | Counter
    | Legendary
    | Put
    | AllAccess
    | Tomahawk
    | Glory
    | CornPills
    | Decline
    | Commit
)

MOVES: dict[str, type] = {
    "move": Move,
    "pick_up": PickUp,
    "discard": Discard,
    "end_turn": EndTurn,
    "block": Block,
    "rumor": Rumor,
    "slow": Slow,
    "counter": Counter,
    "legendary": Legendary,
    "put": Put,
    "all_access": AllAccess,
    "tomahawk": Tomahawk,
    "glory": Glory,
    "corn_pills": CornPills,
    "decline": Decline,
    "commit": Commit,
}

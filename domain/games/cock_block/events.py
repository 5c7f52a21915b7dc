"""The events of the game. Only drawn cards are secret, and the cards of a commitment before it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from domain.hidden import Veiled


@dataclass(frozen=True, slots=True)
class Moved:
    """The active seat's hero moved, paying with ``cards``."""

    seat: int
    cards: tuple[str, ...]
    path: tuple[str, ...]
    to: str


@dataclass(frozen=True, slots=True)
class PickedUp:
    """The seat's hero took along the chick on its space."""

    seat: int
    chick: str


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat threw cards away, for this number of actions."""

    seat: int
    cards: tuple[str, ...]
    actions: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """A cock block card put its token ``at`` a space; the seats of ``asked`` may answer, one after the other."""

    seat: int
    card: str
    at: str
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rumored:
    """A rumor moved the target's hero to the space ``to``, possibly the one it stood on. ``lost``: the chick that it lost."""

    seat: int
    target: int
    path: tuple[str, ...]
    to: str
    lost: str | None


@dataclass(frozen=True, slots=True)
class Slowed:
    """drank_2_much was laid on the target's hero; the target may answer."""

    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Countered:
    """A counter block moved a token by one space; as an answer it closes the window."""

    seat: int
    card: str
    at: str
    to: str


@dataclass(frozen=True, slots=True)
class TokensLifted:
    """A legendary lifted all ``count`` tokens of its kind from the board."""

    seat: int
    card: str
    count: int


@dataclass(frozen=True, slots=True)
class TokenPut:
    """One of the lifted tokens was put down."""

    seat: int
    kind: str
    at: str


@dataclass(frozen=True, slots=True)
class TokensCleared:
    """The Tomahawk God returned all tokens to the supply."""

    seat: int


@dataclass(frozen=True, slots=True)
class AccessGained:
    """all_access was laid on the seat's hero, where it stays to the end."""

    seat: int


@dataclass(frozen=True, slots=True)
class GloryBegan:
    """The seat has three actions in this turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """corn_pills took drank_2_much off the seat's hero."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The seat gave no answer to the card that concerned it."""

    seat: int


@dataclass(frozen=True, slots=True)
class FightBegan:
    """A fight began: the hero of ``mover`` came to the space of ``foe``, or moves on to its next foe there."""

    mover: int
    foe: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """Both fighters rolled once. Of each, ``mover`` first: the faces, the hits gained by them, and all hits so far."""

    mover: int
    foe: int
    faces: tuple[tuple[str, ...], tuple[str, ...]]
    gains: tuple[int, int]
    hits: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Committed:
    """A fighter chose cards. One secret covers the whole list, so that their number does not show either."""

    seat: int
    cards: Veiled[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Revealed:
    """Both fighters showed their commitments, the mover's first, with the points of each."""

    mover: int
    foe: int
    cards: tuple[tuple[str, ...], tuple[str, ...]]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Turned:
    """A fighter turned the top card of the deck to break a tie."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class KnockedOut:
    """The fight ended. All cards on the table, and a drank_2_much on the loser, went to the discard pile."""

    seat: int
    winner: int


@dataclass(frozen=True, slots=True)
class Rose:
    """A knocked-out hero stood up again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """Cards went from the deck to a hand; their number is public."""

    seat: int
    cards: tuple[Veiled[str], ...]


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The discard pile, ``count`` cards, became the deck."""

    count: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn of ``seat`` ended; the next seat clockwise is active."""

    seat: int


AnyEvent = (
    Moved
    | PickedUp
    | Discarded
    | Blocked
    | Rumored
    | Slowed
    | Countered
    | TokensLifted
    | TokenPut
    | TokensCleared
    | AccessGained
    | GloryBegan
    | Recovered
    | Declined
    | FightBegan
    | Rolled
    | Committed
    | Revealed
    | Turned
    | KnockedOut
    | Rose
    | Drew
    | Reshuffled
    | TurnEnded
)

EVENTS: dict[str, type] = {
    "moved": Moved,
    "picked_up": PickedUp,
    "discarded": Discarded,
    "blocked": Blocked,
    "rumored": Rumored,
    "slowed": Slowed,
    "countered": Countered,
    "tokens_lifted": TokensLifted,
    "token_put": TokenPut,
    "tokens_cleared": TokensCleared,
    "access_gained": AccessGained,
    "glory_began": GloryBegan,
    "recovered": Recovered,
    "declined": Declined,
    "fight_began": FightBegan,
    "rolled": Rolled,
    "committed": Committed,
    "revealed": Revealed,
    "turned": Turned,
    "knocked_out": KnockedOut,
    "rose": Rose,
    "drew": Drew,
    "reshuffled": Reshuffled,
    "turn_ended": TurnEnded,
}

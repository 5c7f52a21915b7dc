"""The state of a match: options, heroes, hands, piles, tokens, the running turn, and its pending step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from domain.game import Dice, Outcome, Turn
from domain.games.cock_block.board import BOARDS, Board, exits, in_exit
from domain.games.cock_block.components import (
    BARN_ROWS,
    CHICKS,
    DECK,
    HAND,
    HEROES,
    LEGENDARIES,
    TOKENS_OF_A_KIND,
    TURN_LIMIT,
    HeroName,
)
from domain.hidden import Bag, Hidden, Secret
from domain.validation import Between, Length, MalformedError

Action = Literal["move", "discard", "attack", "defend", "legendary"]
"""The kind of an action of the running turn; a legendary counts as attack or as defend, whichever fits."""


@dataclass(frozen=True, slots=True)
class Options:
    first_seat: Annotated[int, Between(0, 3)] | None = None
    """The seat that begins; null draws it."""
    barn_rows: Annotated[int, Between(*BARN_ROWS)] = 5
    fights: Literal["cool_people", "geeks"] = "cool_people"
    free_combinations: bool = False
    """True if the actions of a turn may be of any kinds."""
    heroes: Annotated[tuple[HeroName, ...], Length(2, 4)] | None = None
    """The hero of each seat; null deals them in the order of the table."""


def options_fault(options: Options, seats: int) -> MalformedError | None:
    if options.first_seat is not None and options.first_seat >= seats:
        return MalformedError("first_seat", f"must be from 0 to {seats - 1}")
    if options.heroes is not None and len(options.heroes) != seats:
        return MalformedError("heroes", f"must have {seats} items, one a seat")
    if options.heroes is not None and len(set(options.heroes)) != seats:
        return MalformedError("heroes", "must not repeat a hero")
    return None


_SAME: Final[Any] = object()


@dataclass(frozen=True, slots=True)
class Hero:
    """The hero of a seat. all_access and drank_2_much (``slowed``) may lie on it."""

    name: str
    at: str
    chick: str | None = None
    knocked_out: bool = False
    slowed: bool = False
    all_access: bool = False

    @property
    def fights(self) -> bool:
        """True if the hero is upright and not immune, and so fights."""
        return not self.knocked_out and not self.all_access

    @property
    def skills(self) -> frozenset[str]:
        """The skills of which one card is enough for this hero."""
        own = HEROES[self.name]
        return frozenset({own}) if self.chick is None else frozenset({own, CHICKS[self.chick]})

    def changed(
        self,
        *,
        at: str = _SAME,
        chick: str | None = _SAME,
        knocked_out: bool = _SAME,
        slowed: bool = _SAME,
        all_access: bool = _SAME,
    ) -> Hero:
        """The hero with these fields changed; see ``changed`` below."""
        return Hero(
            self.name,
            self.at if at is _SAME else at,
            self.chick if chick is _SAME else chick,
            self.knocked_out if knocked_out is _SAME else knocked_out,
            self.slowed if slowed is _SAME else slowed,
            self.all_access if all_access is _SAME else all_access,
        )


@dataclass(frozen=True, slots=True)
class CounterWindow:
    """A cock block card put a token ``at`` a space; the first of ``asked`` may counter it or decline."""

    at: str
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PillWindow:
    """drank_2_much was given to ``seat``, which may answer with corn_pills or decline."""

    seat: int


@dataclass(frozen=True, slots=True)
class Puts:
    """A legendary lies aside, and ``left`` tokens of its kind are still to be put down."""

    card: str
    left: int

    @property
    def kind(self) -> str:
        return LEGENDARIES[self.card]


@dataclass(frozen=True, slots=True)
class Duel:
    """A geeks' fight whose fighters choose cards, which stay in their hands until both have chosen."""

    mover: int
    foe: int
    commitments: tuple[Secret[tuple[str, ...]] | Hidden | None, Secret[tuple[str, ...]] | Hidden | None] = (None, None)
    """The cards chosen by the mover and by the foe; ``None``: not yet."""

    @property
    def fighters(self) -> tuple[int, int]:
        return (self.mover, self.foe)


@dataclass(frozen=True, slots=True)
class Showdown:
    """A fight that no seat can influence any more. Occurs only between the events of one move.

    ``table``: the cards that were committed and turned, in no pile until the fight is decided.
    """

    mover: int
    foe: int
    table: tuple[str, ...] = ()


Pending = CounterWindow | PillWindow | Puts | Duel | Showdown

PARTS: dict[str, type] = {
    "counter_window": CounterWindow,
    "pill_window": PillWindow,
    "puts": Puts,
    "duel": Duel,
    "showdown": Showdown,
}


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match. ``heroes`` and ``hands`` have one item a seat."""

    options: Options
    turn: int
    """The number of the running turn, from 1."""
    active: int
    heroes: tuple[Hero, ...]
    hands: tuple[Bag, ...]
    deck: Bag
    discard: tuple[str, ...]
    """The discard pile, sorted: its order never matters, as it is only ever shuffled."""
    tokens: tuple[tuple[str, str], ...] = ()
    """(space, kind) of each token on the board, sorted."""
    actions: tuple[Action, ...] = ()
    """The actions that the running turn has used, in order."""
    thrown: int = 0
    """The number of cards that the turn's discard actions have thrown."""
    glory: bool = False
    """True if the running turn has three actions."""
    pending: CounterWindow | PillWindow | Puts | Duel | Showdown | None = None

    @property
    def board(self) -> Board:
        return BOARDS[self.options.barn_rows]

    @property
    def hero(self) -> Hero:
        """The active seat's hero."""
        return self.heroes[self.active]


def changed(
    state: State,
    *,
    turn: int = _SAME,
    active: int = _SAME,
    heroes: tuple[Hero, ...] = _SAME,
    hands: tuple[Bag, ...] = _SAME,
    deck: Bag = _SAME,
    discard: tuple[str, ...] = _SAME,
    tokens: tuple[tuple[str, str], ...] = _SAME,
    actions: tuple[Action, ...] = _SAME,
    thrown: int = _SAME,
    glory: bool = _SAME,
    pending: CounterWindow | PillWindow | Puts | Duel | Showdown | None = _SAME,
) -> State:
    """The state with these fields changed."""
    # Instead of ``dataclasses.replace``, for this runs for every event of a fold and every node of a search, which spent a
    # quarter of their time in it. The arguments stand in the order of the fields, and are typed by hand.
    return State(
        state.options,
        state.turn if turn is _SAME else turn,
        state.active if active is _SAME else active,
        state.heroes if heroes is _SAME else heroes,
        state.hands if hands is _SAME else hands,
        state.deck if deck is _SAME else deck,
        state.discard if discard is _SAME else discard,
        state.tokens if tokens is _SAME else tokens,
        state.actions if actions is _SAME else actions,
        state.thrown if thrown is _SAME else thrown,
        state.glory if glory is _SAME else glory,
        state.pending if pending is _SAME else pending,
    )


# -- deal -------------------------------------------------------------------------------------------------------------


def deal(seats: int, options: Options, dice: Dice) -> State:
    """CB-2 and CB-3. Draws the starting seat first, then the hands, seat by seat."""
    first = dice.below(seats) if options.first_seat is None else options.first_seat
    names = options.heroes or tuple(HEROES)[:seats]
    deck, hands = Bag.of(DECK), []
    for seat in range(seats):
        cards = []
        for _ in range(HAND):
            cards.append(deck.draw(dice))
            deck = deck.take(cards[-1])
        hands.append(Bag.of(cards, frozenset({seat})))
    heroes = tuple(Hero(name, at) for name, at in zip(names, exits(), strict=False))
    return State(options, 1, first, heroes, tuple(hands), deck, ())


# -- tokens, chicks and seats -----------------------------------------------------------------------------------------


def token_spaces(state: State) -> frozenset[str]:
    return frozenset([space for space, _kind in state.tokens])


def taken_spaces(state: State) -> frozenset[str]:
    """The spaces with a hero or a token, on which no token can be put."""
    return frozenset([space for space, _kind in state.tokens] + [hero.at for hero in state.heroes])


def token_at(state: State, space: str) -> str | None:
    """The kind of the token on a space, ``None`` without one."""
    for at, kind in state.tokens:
        if at == space:
            return kind
    return None


def spaces_of(state: State, kind: str) -> list[str]:
    """The spaces with a token of this kind, in order."""
    return [space for space, of in state.tokens if of == kind]


def supply(state: State, kind: str) -> int:
    """The number of tokens of a kind beside the board, not counting those that a legendary has lifted."""
    lifted = state.pending.left if isinstance(state.pending, Puts) and state.pending.kind == kind else 0
    return TOKENS_OF_A_KIND - len(spaces_of(state, kind)) - lifted


def waiting_chick(state: State, space: str) -> str | None:
    """The chick that stands on a space of the Friend Zone, ``None`` if a hero carries her."""
    chick = state.board.homes.get(space)
    return None if chick in [hero.chick for hero in state.heroes] else chick


def clockwise(state: State, seat: int) -> list[int]:
    """The other seats, from the next one on."""
    seats = len(state.heroes)
    return [(seat + i) % seats for i in range(1, seats)]


# -- to move and outcome ----------------------------------------------------------------------------------------------


def to_move(state: State) -> frozenset[int]:
    pending = state.pending
    if outcome(state) is not None:
        return frozenset()
    if isinstance(pending, CounterWindow):
        return frozenset({pending.asked[0]})
    if isinstance(pending, PillWindow):
        return frozenset({pending.seat})
    if isinstance(pending, Duel):
        waited = zip(pending.fighters, pending.commitments, strict=True)
        return frozenset([seat for seat, commitment in waited if commitment is None])
    return frozenset({state.active})


def turn_of(state: State) -> Turn:
    return Turn(state.active, state.turn)


def is_home(hero: Hero) -> bool:
    """True if the hero is upright in the Exit Area with a chick."""
    return hero.chick is not None and not hero.knocked_out and in_exit(hero.at)


def outcome(state: State) -> Outcome | None:
    """CB-17 and CB-37: home with a chick, or out of turns; never while a fight is pending."""
    if isinstance(state.pending, (Duel, Showdown)):
        return None
    winners = tuple([seat for seat, hero in enumerate(state.heroes) if is_home(hero)])
    if winners:
        return Outcome(winners, (), "carried home", "CB-17")
    if state.turn > TURN_LIMIT:
        return Outcome((), (), "out of turns", "CB-37")
    return None

"""The contract of a game: a frozen record of functions. A game's folder fills in one ``Game``; nothing else is needed.

There is no base class and there are no hooks. States, events, moves and options are frozen dataclasses; what is hidden
stands in them as ``Secret`` or ``Bag`` (see ``domain.hidden``). Undo, seats, clocks, storage and the network are no
concern of a game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from domain import validation
from domain.errors import NewerReleaseError
from domain.hidden import NOBODY, Seats
from domain.validation import MalformedError

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")
Options = TypeVar("Options")
T = TypeVar("T")

Basis = Literal["book", "source", "ours"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule in the product's own wording. ``basis``: the printed book, the published game, or decided here."""

    number: str
    text: str
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """The refusal of a move: the number of the rule that it breaks, and a sentence with the facts of the position."""

    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match. ``scores``: one number a seat, empty if the game keeps none; ``rule``: the rule that ended it."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    rule: str | None = None


class Turn(NamedTuple):
    """A turn of play: the seat whose turn it is, and a number that no other turn of the same line of play has."""

    seat: int
    number: int


class Dice(Protocol):
    """Chance, as an argument. Every call is one or more draws that can be checked once the seed is published."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound`` - 1, all equally likely. ``bound`` ≥ 1."""
        ...

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely. At least one is needed."""
        ...

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        """``count`` different ones of the options, in the order drawn; all orders equally likely."""
        ...


class NewerRulesError(NewerReleaseError):
    """The match is played by a version of its game's rules that only newer code knows. Its log may be in perfect order."""

    code: ClassVar[str] = "newer_rules"

    def __init__(self, game: AnyGame, version: int) -> None:
        self.version = version
        super().__init__(
            f"the match is played by version {version} of the rules of {game.id}; this release knows up to {game.version}"
        )


def no_fault(options: Any, seats: int) -> None:
    """Accepts all options: for games whose options cannot contradict each other or the number of seats."""


def no_citations(said: Any) -> tuple[str, ...]:
    """Cites no rule: for games that cite rules in refusals and outcomes only."""
    return ()


def no_turns(state: Any) -> Turn | None:
    """Declares that no turn is any seat's: for games in which all move at the same time."""
    return None


def chance(strengths: Sequence[int], seat: int, unit: int) -> float:
    """The chance of this seat to win by these strengths, one a seat: a softmax. A lead of ``unit`` makes e times as likely."""
    most = max(strengths)
    weights = [math.exp((strength - most) / unit) for strength in strengths]
    return weights[seat] / sum(weights)


def remembers_nothing(memory: Any, state: Any, event: Any, seat: int) -> Any:
    """Remembers nothing: for games whose redacted states show all that a seat ever learned."""
    return memory


def agrees_already(state: Any, seat: int, memory: Any, dice: Dice) -> Any:
    """Leaves an imagined state as it is: for games that remember nothing."""
    return state


def discloses_nothing(state: Any, event: Any) -> Seats:
    """Declares that nobody learns more by any event than its secrets and what it moves: for games where that is so."""
    return NOBODY


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[State, Move, Event, Options]):
    """One set of rules.

    All functions are pure. ``refuse`` and ``legal`` are given ``redact(state, {seat})`` only, so that neither can give
    away what that seat may not know. ``to_move``, ``outcome`` and ``discloses`` depend on public facts only and give the
    same for every redaction, as does ``turn_of``.
    """

    id: str
    """The wire name, equal to the name of the game's folder."""
    version: int
    """The version of the rules, from 1; stands in the first commit, and the match is decided by it for ever. A change of
    what is legal, or of what ``deal``, ``decide`` or ``outcome`` gives, raises it: see ``docs/adding-a-game.md``."""
    name: str
    seats: range
    """The possible numbers of seats, ``range(2, 6)`` for 2 to 5."""
    rules: tuple[Rule, ...]
    state: type[State]
    options: type[Options]
    moves: Mapping[str, type]
    """Wire name to class, as in ``{"type": "place", …}``. Fields marked ``FACE_DOWN`` are the acting seat's secret."""
    events: Mapping[str, type]
    """Wire name to class. A name is for ever; a changed shape gets an entry in ``upcasts``."""
    deal: Callable[[int, Options, Dice], State]
    """(seats, options, dice) → the state at the start of play."""
    refuse: Callable[[State, int, Move], Rejected | None]
    """(redacted state, seat, move) → the rule broken, or ``None``. The seat is one of ``to_move``."""
    decide: Callable[[State, int, Move, Dice], Sequence[Event]]
    """(full state, seat, move, dice) → the events, at least one. Called after ``refuse`` gave ``None``; never refuses."""
    evolve: Callable[[State, Event], State]
    """Total: never refuses, rolls or checks. Accepts redacted states and events with ``Hidden`` in place of ``Secret``."""
    legal: Callable[[State, int], Iterable[Move]]
    """(redacted state, seat) → complete moves, exactly those not refused, each once, at most about 1,000. Empty for a
    seat that is not to move."""
    to_move: Callable[[State], frozenset[int]]
    """The seats that may act now, never empty before the end, empty after it."""
    outcome: Callable[[State], Outcome | None]
    """The end of the match as the game has it; ``None`` while play goes on."""
    view: Callable[[State], dict[str, Any]]
    """Redacted state → JSON. Of the full state it is the position format, which ``parse`` reads back."""
    parse: Callable[[Any, int, Options], State]
    """(untrusted JSON, seats, options) → the full state. Raises ``MalformedError``. ``parse(view(s)) == s``."""
    check: Callable[[State], Iterable[MalformedError]]
    """The broken invariants of a full state, with the field of the position format; none for every reachable state."""
    sentence: Callable[[Event, Sequence[str]], str]
    """(event as the reader may see it, a name for each seat) → one English sentence."""
    draw: Callable[[dict[str, Any]], str]
    """(the JSON that ``view`` gave) → a few lines of text for a terminal."""
    imagine: Callable[[State, int, Dice], State]
    """(state redacted for seat, seat, dice) → a full state that this seat cannot distinguish from the real one by its view."""
    evaluate: Callable[[State, int], float] | None = None
    """(state before the end, seat) → the chance, from 0 to 1, that the seat wins, as far as this state shows. For bots; on
    redacted and on imagined states. ``None``: only the outcome counts. At most some 50 µs."""
    remember: Callable[[Any, State, Event, int], Any] = remembers_nothing
    """(memory, state before the event, event, seat) → memory: what the seat has learned of hidden things that the redacted
    state does not show any more. State and event are redacted for the seat; ``None`` is the empty memory. For bots."""
    agree: Callable[[State, int, Any, Dice], State] = agrees_already
    """(state that ``imagine`` gave, seat, memory, dice) → an imagined state that agrees with the memory too. For bots."""
    discloses: Callable[[State, Event], Seats] = discloses_nothing
    """(state before the event, event) → the seats that learn something by it although nothing hidden moves: it could not
    have happened, or not so, if other cards were hidden. An answer "no", a win that did not come, a forced pass."""
    turn_of: Callable[[State], Turn | None] = no_turns
    """The turn that is being played, also while another seat answers something in it; depends on public facts only. The
    clock of a turn runs while the seat alone is to move. All others who are to move answer within a time of their own."""
    default_answer: Callable[[State, int], Move] | None = None
    """(redacted state, seat) → the legal move by which the server answers for a seat that let its time to answer run out;
    ``None``: the first of ``legal``. Called only where the seat is to move and it is not its turn, or others are to move too."""
    cites: Callable[[Move | Event], tuple[str, ...]] = no_citations
    """(a move or an event as the reader may see it) → the numbers of the rules that bind it or that it follows."""
    setup: tuple[str, ...] = ()
    """The numbers of the rules of the deal."""
    turns: str = ""
    """The number of the rule about the order of turns."""
    scoring: tuple[str, ...] = ()
    """The numbers of the rules that decide who wins, besides the one that ended the match."""
    examples: Mapping[str, Any] = field(default_factory=dict)
    """Named positions for the documentation, in the format of ``view``."""
    options_fault: Callable[[Options, int], MalformedError | None] = no_fault
    """(options, seats) → the contradiction among them, or ``None``. The annotation of each option gives its own range."""
    parts: Mapping[str, type] = field(default_factory=dict)
    """Wire name to class for the dataclasses that share a field of the state as a union (``Window | Fight | None``)."""
    upcasts: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = field(default_factory=dict)
    """(wire name, schema number) → plain map of that schema to the next one. ``"state"`` is the name of the state."""
    earlier: Mapping[int, Game[Any, Any, Any, Any]] = field(default_factory=dict)
    """Version → the record of that older version of the rules, by which matches are still played. ``at`` finds them."""
    lifts: Mapping[int, Callable[[Any, Any], tuple[State, Options]]] = field(default_factory=dict)
    """Older version → (its full state, its options) → state and options of this version, for matches that change over.
    Discloses nothing: each seat and a spectator know of the new state only what they know of the old one."""
    family: Game[Any, Any, Any, Any] | None = field(default=None, repr=False)
    """The newest version's record. Only ``at`` sets it, on the older records that it gives."""

    def __post_init__(self) -> None:
        if not self.version >= 1 or any(version >= self.version for version in (*self.earlier, *self.lifts)):
            raise ValueError(
                f"{self.id}: versions of rules count from 1, and earlier ones are lower than {self.version}"
            )
        if strange := [version for version, old in self.earlier.items() if (old.id, old.version) != (self.id, version)]:
            raise ValueError(f"{self.id}: under version {strange[0]} of its rules stands the record of something else")

    @cached_property
    def _members(self) -> Mapping[int, AnyGame]:
        # Made once: a record is compared by identity, and what is prepared for it (``wire``) is cached by that.
        older = {version: replace(old, earlier={}, family=self) for version, old in self.earlier.items()}
        return older | {self.version: self}

    @property
    def newest(self) -> AnyGame:
        """The record of the newest version of these rules that this code knows."""
        return self.family or self

    def at(self, version: int) -> AnyGame | None:
        """The record of a version of these rules; ``None`` if its code is not here."""
        return self.newest._members.get(version)

    def reader(self, version: int) -> AnyGame:
        """The record to read a match of this version with: its own, otherwise the next newer one, whose ``upcasts`` read it.

        Raises ``NewerRulesError``.
        """
        members = self.newest._members
        if version > self.newest.version:
            raise NewerRulesError(self.newest, version)
        return members.get(version) or members[min(known for known in members if known > version)]

    def answer_of(self, state: State, seat: int) -> Move:
        """The move by which the server answers for a seat, on the state redacted for that seat."""
        return next(iter(self.legal(state, seat))) if self.default_answer is None else self.default_answer(state, seat)

    def read_move(self, plain: object, field: str = "move") -> Move:
        """Reads a move from untrusted JSON data, ``{"type": …}``. Raises ``MalformedError``."""
        if not isinstance(plain, dict):
            raise MalformedError(field, "must be an object")
        given = dict(plain)
        name = given.pop("type", None)
        if not isinstance(name, str) or name not in self.moves:
            raise MalformedError(f"{field}.type", f"must be one of {', '.join(self.moves)}")
        return validation.read(self.moves[name], given, field)  # type: ignore[no-any-return]

    def plain_move(self, move: Move) -> dict[str, Any]:
        """The move as JSON data that ``read_move`` reads, without the fields that stand at their defaults."""
        return {"type": self.names[type(move)]} | validation.plain_without_defaults(move)

    def plain_event(self, event: Event) -> dict[str, Any]:
        """The event as JSON data, all fields included; an unseen secret stands as ``{"hidden": true}``."""
        return {"type": self.names[type(event)]} | validation.plain(event)  # type: ignore[no-any-return]

    @cached_property
    def names(self) -> dict[type, str]:
        """Class to wire name, of moves, events and parts."""
        return {cls: name for table in (self.moves, self.events, self.parts) for name, cls in table.items()}

    def rule(self, number: str) -> Rule:
        """The rule with this number. Raises ``KeyError`` if the game has none."""
        for rule in self.rules:
            if rule.number == number:
                return rule
        raise KeyError(number)


AnyGame = Game[Any, Any, Any, Any]

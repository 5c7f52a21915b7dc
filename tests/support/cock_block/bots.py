"""A player with a goal: up to a chick, back to the Exit Area, in the way of whoever is nearly there.

Uniform random play almost never carries anyone home; this one does within some dozen turns. It knows only what its seat
may know: the state it is given is redacted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from domain.game import Dice
from domain.games.cock_block import moves as m
from domain.games.cock_block.board import BOARDS, exits, in_exit
from domain.games.cock_block.components import CARDS
from domain.games.cock_block.movement import route
from domain.games.cock_block.state import CounterWindow, Hero, State, token_spaces

_EXITS = frozenset(exits())

FAR = 20
"""More than any way is long: added when the tokens leave none."""


def choose(state: State, seat: int, moves: Sequence[m.AnyMove], dice: Dice) -> m.AnyMove:
    """(state redacted for the seat, seat, its legal moves, dice) → the move that looks best, ties drawn."""
    outlook = look(state, seat)
    scores = [_SCORES[type(move)](outlook, move) for move in moves]
    best = max(scores)
    return dice.choice([move for move, score in zip(moves, scores, strict=True) if score == best])


def guard(state: State, seat: int, moves: Sequence[m.AnyMove], dice: Dice) -> m.AnyMove:
    """Plays like ``choose``, but stays in the Exit Area, below the carrier who is nearest to it."""
    if state.pending is not None:
        return choose(state, seat, moves, dice)
    carriers = [hero for hero in state.heroes if hero.chick is not None]
    nearest = min(carriers, key=lambda hero: hero.at[1], default=None)
    if nearest is None or nearest.at[0] == state.heroes[seat].at[0]:
        return m.EndTurn()
    sideways = [move for move in moves if isinstance(move, m.Move) and _leads_to(state, seat, move, nearest.at[0])]
    return dice.choice(sideways) if sideways else m.EndTurn()


def _leads_to(state: State, seat: int, move: m.Move, column: str) -> bool:
    """Whether a move ends in this column of the Exit Area."""
    spaces = route(state, state.heroes[seat], move.path)
    return spaces is not None and spaces[-1] == f"{column}0"


def distance(state: State, hero: Hero, at: str, tokens: frozenset[str]) -> int:
    """How many single steps it is from a space to what this hero wants, around the tokens; ``FAR`` and more: no way."""
    rows = state.options.barn_rows
    if hero.chick is not None:
        return _steps(rows, "down", at, _EXITS, tokens)
    return _steps(rows, "up", at, _waiting(rows, tuple([hero.chick for hero in state.heroes])), tokens)


@lru_cache(maxsize=10_000)
def _waiting(barn_rows: int, carried: tuple[str | None, ...]) -> frozenset[str]:
    return frozenset(space for space, chick in BOARDS[barn_rows].homes.items() if chick not in carried)


@lru_cache(maxsize=50_000)
def _steps(barn_rows: int, ahead: str, at: str, goals: frozenset[str], tokens: frozenset[str]) -> int:
    board = BOARDS[barn_rows]
    reached, edge, steps = {at}, [at], 0
    while edge:
        if not goals.isdisjoint(edge):
            return steps
        near = [board.step(space, way) for space in edge for way in (ahead, "left", "right")]
        edge = [space for space in dict.fromkeys(near) if space is not None and space not in reached | tokens]
        reached.update(edge)
        steps += 1
    return FAR + _steps(barn_rows, ahead, at, goals, frozenset()) if tokens else FAR


@dataclass(frozen=True, slots=True)
class Outlook:
    """What every score needs to know, looked up once a choice."""

    state: State
    seat: int
    tokens: frozenset[str]
    needs: tuple[int, ...]
    """How far each seat's hero is from what he wants."""
    threats: tuple[int, ...]
    """How near each seat is to winning: 0 far away, up to 10 for a carrier at the door."""

    @property
    def hero(self) -> Hero:
        return self.state.heroes[self.seat]

    def hurt(self, tokens: frozenset[str]) -> int:
        """By how many steps other tokens would set back the opponents, the seat's own loss taken off."""
        heroes, own = self.state.heroes, 0
        for seat, hero in enumerate(heroes):
            further = distance(self.state, hero, hero.at, tokens) - self.needs[seat]
            own += -12 * further if seat == self.seat else (1 + self.threats[seat]) * further
        return own


def look(state: State, seat: int) -> Outlook:
    tokens = token_spaces(state)
    needs = tuple([distance(state, hero, hero.at, tokens) for hero in state.heroes])
    threats = [
        10 - min(need, 9) if hero.chick is not None else max(0, 4 - need)
        for hero, need in zip(state.heroes, needs, strict=True)
    ]
    return Outlook(state, seat, tokens, needs, tuple(threats))


def _beside_an_opponent(outlook: Outlook, space: str) -> bool:
    near = outlook.state.board.neighbours[space]
    return any(hero.at in near for seat, hero in enumerate(outlook.state.heroes) if seat != outlook.seat)


# -- one score a kind of move -----------------------------------------------------------------------------------------


def _move(outlook: Outlook, move: m.Move) -> int:
    hero = outlook.hero
    spaces = route(outlook.state, hero, move.path)
    assert spaces is not None
    fights = hero.fights and any(other.at == spaces[-1] and other.fights for other in outlook.state.heroes)
    if hero.chick is not None and in_exit(spaces[-1]):
        return 900 - 30 * fights
    progress = outlook.needs[outlook.seat] - distance(outlook.state, hero, spaces[-1], outlook.tokens)
    return 100 * progress - 3 * sum(CARDS[card].rarity for card in move.cards) - 30 * fights


def _discard(outlook: Outlook, move: m.Discard) -> int:
    """Throws what does not help to move, and anything when no way is left."""
    if outlook.needs[outlook.seat] >= FAR:
        return 2 + len(move.cards) - 9 * ("got_bread" in move.cards)
    hand = outlook.state.hands[outlook.seat].cards or ()
    kept = outlook.hero.skills | {"wild", "get_2_drinks", "got_bread", "moment_of_glory"}
    return 3 + sum([-20 if card in kept or hand.count(card) == 2 else 6 - CARDS[card].rarity for card in move.cards])


def _rumor(outlook: Outlook, move: m.Rumor) -> int:
    return 12 * outlook.threats[move.target] + 5 * (move.path == ("back", "back"))


def _slow(outlook: Outlook, move: m.Slow) -> int:
    return 5 * outlook.threats[move.target]


def _block(outlook: Outlook, move: m.Block) -> int:
    return 8 * outlook.hurt(outlook.tokens | {move.at}) if _beside_an_opponent(outlook, move.at) else -1


def _counter(outlook: Outlook, move: m.Counter) -> int:
    answers = isinstance(outlook.state.pending, CounterWindow)
    return 8 * outlook.hurt(outlook.tokens - {move.from_} | {move.to}) - (0 if answers else 5)


def _legendary(outlook: Outlook, move: m.Legendary) -> int:
    return 15 if outlook.needs[outlook.seat] < FAR else 90


def _put(outlook: Outlook, move: m.Put) -> int:
    return outlook.hurt(outlook.tokens | {move.at}) if _beside_an_opponent(outlook, move.at) else 0


def _tomahawk(outlook: Outlook, move: m.Tomahawk) -> int:
    return 8 * outlook.hurt(frozenset()) - 5


def _commit(outlook: Outlook, move: m.Commit) -> int:
    dear = 0 if outlook.hero.chick is not None else 2
    return sum(CARDS[card].rarity - dear for card in move.cards)


def _always(score: int) -> Callable[[Outlook, Any], int]:
    return lambda outlook, move: score


_SCORES: dict[type, Callable[[Outlook, Any], int]] = {
    m.Move: _move,
    m.PickUp: _always(1000),
    m.Discard: _discard,
    m.EndTurn: _always(1),
    m.Block: _block,
    m.Rumor: _rumor,
    m.Slow: _slow,
    m.Counter: _counter,
    m.Legendary: _legendary,
    m.Put: _put,
    m.AllAccess: _always(80),
    m.Tomahawk: _tomahawk,
    m.Glory: _always(500),
    m.CornPills: _always(400),
    m.Decline: _always(0),
    m.Commit: _commit,
}

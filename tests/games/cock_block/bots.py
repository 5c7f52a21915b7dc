"""A player with a goal: up to a chick, back to the Exit Area, in the way of whoever is nearly there.

Uniform random play almost never carries anyone home; this one does within some dozen turns. It knows only what its seat
may know: the state it is given is redacted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    scores = [_SCORES[type(move)](state, seat, move) for move in moves]
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


def _need(state: State, seat: int, tokens: frozenset[str] | None = None) -> int:
    hero = state.heroes[seat]
    return distance(state, hero, hero.at, token_spaces(state) if tokens is None else tokens)


def _threat(state: State, seat: int) -> int:
    """How near an opponent is to winning: 0 far away, up to 10 for a carrier at the door."""
    hero = state.heroes[seat]
    need = min(_need(state, seat), 9)
    return 10 - need if hero.chick is not None else max(0, 4 - need)


def _hurt(state: State, seat: int, tokens: frozenset[str]) -> int:
    """By how many steps other tokens would set back the opponents, the seat's own loss taken off."""
    gains = [
        (_need(state, other, tokens) - _need(state, other)) * (1 + _threat(state, other))
        for other in range(len(state.heroes))
        if other != seat
    ]
    return sum(gains) - 12 * (_need(state, seat, tokens) - _need(state, seat))


def _beside_an_opponent(state: State, seat: int, space: str) -> bool:
    near = state.board.neighbours[space]
    return any(hero.at in near for other, hero in enumerate(state.heroes) if other != seat)


# -- one score a kind of move -----------------------------------------------------------------------------------------


def _move(state: State, seat: int, move: m.Move) -> int:
    hero, tokens = state.heroes[seat], token_spaces(state)
    spaces = route(state, hero, move.path)
    assert spaces is not None
    progress = distance(state, hero, hero.at, tokens) - distance(state, hero, spaces[-1], tokens)
    fights = hero.fights and any(other.at == spaces[-1] and other.fights for other in state.heroes)
    if hero.chick is not None and in_exit(spaces[-1]):
        return 900 - 30 * fights
    return 100 * progress - 3 * sum(CARDS[card].rarity for card in move.cards) - 30 * fights


def _discard(state: State, seat: int, move: m.Discard) -> int:
    """Throws what does not help to move, and anything when no way is left."""
    hand = state.hands[seat].cards or ()
    if _need(state, seat) >= FAR:
        return 2 + len(move.cards) - 9 * ("got_bread" in move.cards)
    kept = state.heroes[seat].skills | {"wild", "get_2_drinks", "got_bread", "moment_of_glory"}
    worth = [-20 if card in kept or hand.count(card) == 2 else 6 - CARDS[card].rarity for card in move.cards]
    return 3 + sum(worth)


def _rumor(state: State, seat: int, move: m.Rumor) -> int:
    return 12 * _threat(state, move.target) + 5 * (move.path == ("back", "back"))


def _slow(state: State, seat: int, move: m.Slow) -> int:
    return 5 * _threat(state, move.target)


def _block(state: State, seat: int, move: m.Block) -> int:
    if not _beside_an_opponent(state, seat, move.at):
        return -1
    return 8 * _hurt(state, seat, token_spaces(state) | {move.at})


def _counter(state: State, seat: int, move: m.Counter) -> int:
    after = token_spaces(state) - {move.from_} | {move.to}
    return 8 * _hurt(state, seat, after) - (0 if isinstance(state.pending, CounterWindow) else 5)


def _legendary(state: State, seat: int, move: m.Legendary) -> int:
    return 15 if _need(state, seat) < FAR else 90


def _put(state: State, seat: int, move: m.Put) -> int:
    if not _beside_an_opponent(state, seat, move.at):
        return 0
    return _hurt(state, seat, token_spaces(state) | {move.at})


def _tomahawk(state: State, seat: int, move: m.Tomahawk) -> int:
    return 8 * _hurt(state, seat, frozenset()) - 5


def _commit(state: State, seat: int, move: m.Commit) -> int:
    carries = state.heroes[seat].chick is not None
    return sum(CARDS[card].rarity - (0 if carries else 2) for card in move.cards)


def _always(score: int) -> Callable[[State, int, Any], int]:
    return lambda state, seat, move: score


_SCORES: dict[type, Callable[[State, int, Any], int]] = {
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

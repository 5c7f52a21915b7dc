"""``planner``: looks ahead in worlds that agree with everything its seat has seen.

The method is determinized (perfect information) Monte Carlo planning: Ginsberg, GIB: Imperfect information in a computationally
challenging game (2001); Cowling, Powley, Whitehouse, Information set Monte Carlo tree search (2012), section III. The budget
is shared out by sequential halving: Karnin, Koren, Somekh, Almost optimal exploration in multi-armed bandits (2013).

Each round imagines worlds, plays every move that is left in each of them, goes on from there for a short way (a rollout),
and drops the worse half of the moves. In one world the same things fall in the same turn for all moves (common random
numbers), so that moves are compared and not luck. In a rollout every seat plays greedily. It covers the rest of the own turn
and the whole reply, and ends where a turn of the own seat begins; there the game evaluates the state. So all moves are
compared at the same point of a round, also the one that ends the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bots.budget import Budget
from bots.dice import QuickDice
from bots.seen import Seen
from bots.worth import after, worth
from domain.game import Dice, Turn

GLANCES = 2
"""The worlds in which all moves are compared by one ply, to choose the candidates."""
CANDIDATES, ALIKE = 8, 4
"""The most moves that rollouts compare, and the most of one kind among them while there are others."""
BELIEF = 4
"""So many rollouts are worth as much as the comparison by one ply: with few rollouts, luck would choose."""
TRIED, OF_A_KIND = 12, 5
"""The moves that a step of a rollout tries, and how many of each kind at least. All kinds are tried: the rare ones decide
matches."""
WORLD = 4
"""The nodes that a world costs: to imagine it takes so much longer than to play a move in it."""
FEWEST, MOST = 3, 40
"""The moves of a rollout: after fewer it goes on to the next turn of the own seat; after so many it ends anywhere."""


def best_ahead(seen: Seen, dice: Dice, budget: Budget) -> Any:
    return Search(seen, dice, budget).best()


class Search:
    """The search of one decision."""

    def __init__(self, seen: Seen, dice: Dice, budget: Budget) -> None:
        self.nodes = 0
        """The work so far: moves played in worlds, and worlds imagined. Less than ``WORLD`` above the budget at most."""
        self._seen, self._game, self._seat = seen, seen.game, seen.seat
        self._dice, self._budget = dice, budget
        self._limit = 0

    def best(self) -> Any:
        """The move that is left in the end."""
        moves = self._seen.legal()
        if len(moves) == 1:
            return moves[0]
        totals = self._glanced(moves)
        rounds, before = max(1, (len(totals) - 1).bit_length()), self.nodes
        for number in range(1, rounds + 1):
            self._limit = before + (self._budget.nodes - before) * number // rounds
            while not self._over:
                self._compare(moves, totals)
            ranked = sorted(totals, key=totals.__getitem__, reverse=True)
            totals = {index: totals[index] for index in ranked[: (len(ranked) + 1) // 2]}
        return moves[max(totals, key=totals.__getitem__)]

    @property
    def _over(self) -> bool:
        return self.nodes >= self._limit or self._budget.over()

    def _glanced(self, moves: Sequence[Any]) -> dict[int, float]:
        """The candidates by their index, each with the total that it starts with."""
        totals = dict.fromkeys(range(len(moves)), 0.0)
        self._limit = self._budget.nodes
        for _ in range(GLANCES):
            if self._over:
                break
            world, fall = self._world()
            for index in totals:
                if self._over:
                    break
                state = self._after(world, self._seat, moves[index], QuickDice(fall))
                totals[index] += worth(self._game, state, self._seat)
        first: list[int] = []
        others: list[int] = []
        kinds = Counter[type]()
        for index in sorted(totals, key=totals.__getitem__, reverse=True):
            kinds[type(moves[index])] += 1
            (first if kinds[type(moves[index])] <= ALIKE else others).append(index)
        return {index: totals[index] * BELIEF / GLANCES for index in (first + others)[:CANDIDATES]}

    def _compare(self, moves: Sequence[Any], totals: dict[int, float]) -> None:
        """Adds to each total the worth that a rollout reaches in one more world. A comparison that is cut off adds nothing."""
        world, fall = self._world()
        turn, reached = self._game.turn_of(world), {}
        for index in totals:
            if self._over:
                return
            state = self._after(world, self._seat, moves[index], fallen(fall, turn, self._seat))
            reached[index] = self._rollout(state, fall)
        for index, value in reached.items():
            totals[index] += value

    def _world(self) -> tuple[Any, int]:
        """One more world, and a number from which everything follows that falls in it."""
        self.nodes += WORLD
        return self._seen.imagine(self._dice), self._dice.below(1 << 62)

    def _after(self, state: Any, seat: int, move: Any, dice: Dice) -> Any:
        self.nodes += 1
        return after(self._game, state, seat, move, dice)

    def _rollout(self, state: Any, fall: int) -> float:
        """Plays on in this world, and returns the worth of the state that is reached."""
        game, present = self._game, self._game.turn_of(self._seen.state)
        for count in range(MOST):
            waiting, turn = game.to_move(state), game.turn_of(state)
            if not waiting or self._over:
                break
            if count >= FEWEST and (turn is None or (turn != present and turn.seat == self._seat)):
                break
            state = self._step(state, min(waiting), fall if turn is not None else fall + count, turn)
        return worth(game, state, self._seat)

    def _step(self, state: Any, seat: int, fall: int, turn: Turn | None) -> Any:
        """The state after the move that is best for this seat by one ply, of some that are tried."""
        moves = _some_of_each_kind(list(self._game.legal(state, seat)), fallen(~fall, turn, seat))
        best, found = -1.0, state
        for move in moves:
            reached = self._after(state, seat, move, fallen(fall, turn, seat))
            if len(moves) == 1:
                return reached
            if (value := worth(self._game, reached, seat)) > best:
                best, found = value, reached
            if self._over:
                break
        return found


def fallen(fall: int, turn: Turn | None, seat: int) -> QuickDice:
    """The dice of a seat in a turn of a world: the same whatever happened before, so that the same cards are drawn."""
    return QuickDice(fall + 0xD1342543DE82EF95 * (seat + 1) + 0x9FB21C651E98DF25 * (0 if turn is None else turn.number))


def _some_of_each_kind(moves: Sequence[Any], dice: QuickDice) -> Sequence[Any]:
    """The moves, or of each kind as many as are tried."""
    if len(moves) <= TRIED:
        return moves
    kinds: dict[type, list[Any]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    most = max(OF_A_KIND, TRIED // len(kinds))
    return [move for same in kinds.values() for move in (same if len(same) <= most else dice.sample(same, most))]

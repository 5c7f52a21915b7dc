"""Milliseconds of a bot's decision in each game, at positions that greedy play reaches with two seats."""

from __future__ import annotations

import time
from typing import Any

from bots import LEVELS, Bot, Budget
from bots.dice import QuickDice
from bots.match import Seating, play
from bots.seen import Seen
from domain.game import AnyGame, Dice
from domain.games import all_games

POSITIONS = {"random": 400, "greedy": 400, "planner": 12}
SECOND = 1_000_000_000


def positions(game: AnyGame) -> list[Seen]:
    """What a seat sees at each decision of some matches in which it has a choice."""
    found: list[Seen] = []

    def noting(view: Seen, dice: Dice, budget: Budget) -> Any:
        if len(view.legal()) > 1:
            found.append(view)
        return LEVELS["greedy"](view, dice, budget)

    for seed in range(6):
        play(Seating(game, game.options(), [noting, noting]), seed)
    return found


def decided(bot: Bot, view: Seen, number: int) -> float:
    """Milliseconds that the bot takes, with the limit of a second that a server gives it."""
    start = time.perf_counter_ns()
    bot(view, QuickDice(number), Budget(over=lambda: time.perf_counter_ns() - start > SECOND))
    return (time.perf_counter_ns() - start) / 1e6


def main() -> None:
    for game in all_games().values():
        found = positions(game)
        for name, bot in LEVELS.items():
            chosen = found[:: max(1, len(found) // POSITIONS[name])]
            times = sorted(decided(bot, view, number) for number, view in enumerate(chosen))
            middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
            print(f"{game.id:12} {name:8} decides in {middle:6.1f} ms, p99 {late:6.1f}, at most {times[-1]:6.1f}")


if __name__ == "__main__":
    main()

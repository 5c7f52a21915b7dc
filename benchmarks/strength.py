"""How often one bot beats another in each game, with two seats that take turns; fails below what is promised.

``python -m benchmarks.strength [matches] [--game id] [--planner matches]`` plays so many matches of greedy against random, and
of planner against greedy, on all cores.
"""

from __future__ import annotations

import argparse
import sys
import time

from bots.tally import Tally
from domain.games import all_games
from service.cli.simulation import Simulation, cores, played_matches

MATCHES = 400
PLANNER_MATCHES = 100
"""A match of the planner takes half a minute."""
PROMISED = {("greedy", "random"): 0.80, ("planner", "greedy"): 0.65}
"""(bot, its opponent) → the share of matches that the bot must win at least."""


def measured(game: str, bots: tuple[str, str], matches: int) -> bool:
    """Plays and prints; returns whether the first bot won as often as is promised."""
    start, tally = time.monotonic(), Tally()
    asked = Simulation(game, 2, bots, seed=0, milliseconds=1_000)
    for number, played in played_matches(asked, matches, cores()):
        tally.add(played, asked.names(number))
    share, least = tally.bots[bots[0]], PROMISED[bots]
    low, high = share.interval
    verdict = "" if share.part >= least else f", below {100 * least:.0f} %"
    print(
        f"{game:12} {bots[0]} beats {bots[1]} in {100 * share.part:.1f} % of {matches} matches{verdict}, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f} %, {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return share.part >= least


def hold(games: list[str], matches: int, planner_matches: int) -> bool:
    """Measures all of it; returns whether every promise is kept."""
    kept = [measured(game, ("greedy", "random"), matches) for game in games]
    kept += [measured(game, ("planner", "greedy"), planner_matches) for game in games]
    return all(kept)


def main() -> None:
    games = sorted(all_games())
    reader = argparse.ArgumentParser(prog="python -m benchmarks.strength", description="Measures how strong bots are.")
    reader.add_argument("matches", nargs="?", type=int, default=MATCHES, help="of greedy against random, each game")
    reader.add_argument("--planner", type=int, default=PLANNER_MATCHES, help="matches of planner against greedy")
    reader.add_argument("--game", choices=games, help="this game only")
    asked = reader.parse_args()
    sys.exit(not hold(games if asked.game is None else [asked.game], asked.matches, asked.planner))


if __name__ == "__main__":
    main()

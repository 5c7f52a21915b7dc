"""Two matches that differ only in what a seat may not know are the same to that seat, byte by byte.

They start from a reachable state and from one that the seat imagines in its place, and are driven by the same commands
and, as far as possible, the same dice, until a rule tells the seat a difference.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Match, Refused
from tests.support.dice import RandomDice
from tests.support.played_games import SOAK, each_table, matches, name_of
from tests.support.playing import Playing
from tests.support.twins import Twins, first_difference
from tests.support.wellformed import near, some_move

STARTS = 16 * SOAK
"""From how many states of a table twins set out, for each of its seats."""
STEPS = 40
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")


@cache
def reveals(game: AnyGame) -> frozenset[str] | None:
    """The events that by the rules may tell a seat what was hidden from it; ``None`` if the game's tests do not say."""
    found: frozenset[str] | None = getattr(
        importlib.import_module(f"tests.games.exposure_{name_of(game)}"), "REVEALS", None
    )
    return found


def starts(game: AnyGame, seats: int) -> Iterator[tuple[Playing, Match, int]]:
    """Live versions spread over all matches of a table, with each of its seats."""
    live = [(p, match) for p in matches(game, seats) for match in p.matches if match.status == "live"]
    for playing, match in live[:: max(1, len(live) // STARTS)]:
        with playing.telling(match.version):
            for seat in range(seats):
                yield playing, match, seat


@each_table
def test_an_imagined_world_is_a_possible_one(game: AnyGame, seats: int) -> None:
    for playing, match, seat in starts(game, seats):
        mine = redact(match.state, frozenset({seat}))
        for seed in range(3):
            imagined = game.imagine(mine, seat, RandomDice(seed))
            assert redact(imagined, frozenset({seat})) == mine
            assert list(game.check(imagined)) == []
            assert game.parse(game.view(imagined), seats, playing.setup.options) == imagined


@each_table
def test_twins_cannot_be_told_apart(game: AnyGame, seats: int) -> None:
    for playing, match, seat in starts(game, seats):
        dice = RandomDice(match.version * 8 + seat)
        drive(Twins(playing.setup, match, seat, dice), dice, f"{playing.at(match.version)}, watched by seat {seat}")


def drive(twins: Twins, dice: RandomDice, where: str) -> None:
    """Both matches, move by move, until the seat sees a difference that it may see."""
    for step in range(STEPS):
        same_to_the_seat(twins, dice)
        if not twins.live or (chosen := twins.moves()) is None:
            return
        mover, *moves = chosen
        followed = twins.step(mover, moves)
        first, second = twins.last()
        if first != second:
            names, allowed = set(first_difference(twins.game, first, second)), reveals(twins.game)
            excused = not followed or not names or allowed is None or names & allowed
            assert first.command == second.command
            assert excused, f"{where}, step {step}: {names} differ by what is hidden: {first} and {second}"
            assert first.events != second.events, f"{where}, step {step}: the number of draws tells what is hidden"
            return
        assert twins.bytes_seen()[0] == twins.bytes_seen()[1]
        told = [[twins.game.sentence(event, NAMES) for event in commit.events] for commit in (first, second)]
        assert told[0] == told[1]


def same_to_the_seat(twins: Twins, dice: RandomDice) -> None:
    """All that the seat can ask of either match is answered alike."""
    game, seat = twins.game, twins.seat
    one, other = (playing.match for playing in twins.pair)
    assert (one.status, one.to_move, one.since, one.outcome) == (
        other.status,
        other.to_move,
        other.since,
        other.outcome,
    )
    if one.ended:
        return
    first, second = twins.seen()
    assert first == second
    assert json.dumps(game.view(first)) == json.dumps(game.view(second))
    listed, same = list(game.legal(first, seat)), list(game.legal(second, seat))
    assert listed == same
    tried = [some_move(game, dice), *(near(move, listed, dice) for move in listed[:3])]
    for move in tried:
        assert refusals(twins, move)[0] == refusals(twins, move)[1], move


def refusals(twins: Twins, move: Any) -> list[Any]:
    """What each match answers to a move of the watched seat that it does not carry out."""
    answers: list[Any] = []
    for playing in twins.pair:
        if twins.seat in playing.match.to_move:
            answers.append(twins.game.refuse(redact(playing.match.state, twins.sees), twins.seat, move))
        else:
            answer = playing.move(twins.seat, move)
            assert isinstance(answer, Refused)
            answers.append(answer)
    return answers

"""Two matches that differ only in what a seat may not know are the same to that seat, byte by byte.

They start from a reachable state and from one that the seat imagines in its place, and are driven by the same commands
and, as far as possible, the same dice, until a rule tells the seat a difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Match, Refused
from tests.support.dice import RandomDice
from tests.support.exposure import Revealed, exposure
from tests.support.played_games import SOAK, each_table, matches
from tests.support.playing import Playing
from tests.support.twins import Twins, first_difference
from tests.support.wellformed import near, some_move

STARTS = 16 * SOAK
"""From how many states of a table twins set out, for each of its seats."""
EACH = 2 * SOAK
"""From how many versions that led to the same events they set out, for few steps."""
STEPS, FEW_STEPS = 40, 3
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")


def starts(game: AnyGame, seats: int) -> Iterator[tuple[Playing, Match, int]]:
    """Live versions spread over all matches of a table, with each of its seats."""
    live = [(p, match) for p in matches(game, seats) for match in p.matches if match.status == "live"]
    yield from watched(live[:: max(1, len(live) // STARTS)], seats)


def turning_points(game: AnyGame, seats: int) -> Iterator[tuple[Playing, Match, int]]:
    """For each list of events that a move of a table gave, the first versions that it followed on; with each of its seats."""
    found: dict[tuple[type, ...], list[tuple[Playing, Match]]] = {}
    for playing in matches(game, seats):
        for match, commit in zip(playing.matches, playing.commits[1:], strict=False):
            if match.status == "live":
                found.setdefault(tuple(map(type, commit.events)), []).append((playing, match))
    for same in found.values():
        yield from watched(same[:EACH], seats)


def watched(versions: list[tuple[Playing, Match]], seats: int) -> Iterator[tuple[Playing, Match, int]]:
    for playing, match in versions:
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
    for steps, found in ((STEPS, starts(game, seats)), (FEW_STEPS, turning_points(game, seats))):
        for playing, match, seat in found:
            dice = RandomDice(match.version * 8 + seat)
            twins = Twins(playing.setup, match, seat, dice)
            drive(twins, dice, f"{playing.at(match.version)}, watched by seat {seat}", steps)


def drive(twins: Twins, dice: RandomDice, where: str, steps: int) -> None:
    """Both matches, move by move, until the seat sees a difference that it may see."""
    for step in range(steps):
        same_to_the_seat(twins, dice)
        if not twins.live or (chosen := twins.moves()) is None:
            return
        mover, *moves = chosen
        followed = twins.step(mover, moves)
        first, second = twins.last()
        if first != second:
            told, allowed = list(first_difference(twins.game, first, second)), exposure(twins.game).reveals
            assert first.command == second.command
            excused = not followed or not told or any(needed <= allowed for needed in told)
            assert excused, f"{where}, step {step}: {in_words(told, allowed)}: {first} and {second}"
            assert first.events != second.events, f"{where}, step {step}: the number of draws tells what is hidden"
            return
        assert twins.bytes_seen()[0] == twins.bytes_seen()[1]
        said = [[twins.game.sentence(event, NAMES) for event in commit.events] for commit in (first, second)]
        assert said[0] == said[1]


def in_words(told: list[set[Revealed]], allowed: frozenset[Revealed]) -> str:
    """What depends on what is hidden and is not declared."""
    undeclared = sorted(name if field is None else f"{name}.{field}" for each in told for name, field in each - allowed)
    return f"{' and '.join(undeclared)} depends on what is hidden, and REVEALS does not name it"


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

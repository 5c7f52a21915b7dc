"""A move by which nobody learned anything, as the kernel has it, would have been the same whatever is hidden.

For each seat, worlds are imagined that agree with all that it sees. In each of them the move must not be refused, must draw
nothing, and must give the same public events. The moves are those that were made in whole matches; all that were legal at
some of their versions, for the telling ones are rare; and those at the positions that a game's table of exposure calls
``RARE`` (number of seats → states), and one move further.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from domain.commit import Commit
from domain.game import AnyGame
from domain.hidden import NOBODY, redact
from domain.match import Match
from domain.undo import informed, is_move
from domain.validation import MalformedError
from tests.support.dice import RandomDice
from tests.support.played_games import SOAK, each_table, matches, name_of, viewers
from tests.support.playing import Playing, Setup

COMMITS = 300 * SOAK
"""The most moves of a table that were made and are looked at."""
STATES = 40 * SOAK
"""The number of versions of a table at which all legal moves are looked at."""
MOVES = 25
"""The most moves of one seat at one of these versions that are looked at."""
WORLDS, MORE_WORLDS = 3, 24
"""How many worlds are imagined for each seat, and how many where the states are rare."""


def quiet_commits(game: AnyGame, seats: int) -> list[tuple[Match, Commit]]:
    """Moves of whole matches by which nobody learned anything, each with the match before it."""
    found = [
        (playing.matches[match.version - 2], playing.commits[match.version - 1])
        for playing in matches(game, seats)
        for match in playing.matches
        if match.node is not None and is_move(match.node) and match.node.version == match.version
        if not informed(match, match.node)
    ]
    return found[:: max(1, len(found) // COMMITS)]


def quiet_moves(start: Playing) -> Iterator[Commit]:
    """The legal moves, spread over all kinds, by which nobody would learn anything, as commits."""
    for after in one_further(start):
        if after.match.node is not None and not informed(after.match, after.match.node):
            yield after.commits[-1]


def one_further(start: Playing) -> Iterator[Playing]:
    """The match after each of the legal moves, or of ``MOVES`` of them that are spread over all."""
    for seat in sorted(start.match.to_move):
        moves = start.legal(seat)
        for move in moves[:: max(1, len(moves) // MOVES)]:
            after = Playing(start.setup)
            assert after.move(seat, move) is None
            yield after


def usual(game: AnyGame, seats: int) -> Iterator[Playing]:
    """Matches that start from a version of another."""
    live = [(p.setup, m) for p in matches(game, seats) for m in p.matches if m.status == "live"]
    for setup, match in live[:: max(1, len(live) // STATES)]:
        yield Playing(replace(setup, position=match.state))


def rare(game: AnyGame, seats: int) -> Iterator[Playing]:
    """Matches that start from a rare position, or one move further."""
    for state in rare_states(game, seats):
        first = Playing(Setup(game, seats, game.options(), position=state))
        yield first
        for after in one_further(first):
            if after.match.status == "live":
                yield Playing(replace(first.setup, position=after.match.state))


def rare_states(game: AnyGame, seats: int) -> Iterator[Any]:
    """The states that the game's table calls rare, and the game's examples."""
    found: dict[int, Sequence[Any]] = getattr(
        importlib.import_module(f"tests.games.exposure_{name_of(game)}"), "RARE", {}
    )
    yield from found.get(seats, ())
    for plain in game.examples.values():
        with suppress(MalformedError):
            state = game.parse(plain, seats, game.options())
            if not list(game.check(state)):
                yield state


@each_table
def test_what_is_said_to_disclose_nothing_would_have_happened_whatever_is_hidden(game: AnyGame, seats: int) -> None:
    for before, commit in quiet_commits(game, seats):
        the_same_in_other_worlds(before, commit, WORLDS)
    for worlds, found in ((WORLDS, usual(game, seats)), (MORE_WORLDS, rare(game, seats))):
        for start in found:
            for commit in quiet_moves(start):
                the_same_in_other_worlds(start.match, commit, worlds)


def the_same_in_other_worlds(before: Match, commit: Commit, worlds: int) -> None:
    for seat in range(len(before.table.seats)):
        the_same_to(seat, before, commit, worlds)


def the_same_to(seat: int, before: Match, commit: Commit, worlds: int) -> None:
    game, mine = before.game, redact(before.state, frozenset({seat}))
    mover, move = commit.command.seat, commit.command.move
    public = tuple(redact(event, NOBODY) for event in commit.events)
    for seed in range(worlds):
        world, dice = game.imagine(mine, seat, RandomDice(seed)), RandomDice(seed)
        told = f"{move} of seat {mover} is said to disclose nothing, but seat {seat} learns by it"
        rejected = game.refuse(redact(world, frozenset({mover})), mover, move)
        assert rejected is None, f"{told}: with other hidden cards it is refused, {rejected}"
        elsewhere = tuple(redact(event, NOBODY) for event in game.decide(world, mover, move, dice))
        assert elsewhere == public, f"{told}: {public} here, and {elsewhere} with other hidden cards"
        assert dice.draws == 0, f"{told}: with other hidden cards something is drawn"


@each_table
def test_all_viewers_agree_about_who_learned_something(game: AnyGame, seats: int) -> None:
    """The verdict on an undo rests on it, so it depends on public facts only."""
    for playing in matches(game, seats):
        for match, commit in zip(playing.matches[1:], playing.commits[1:], strict=True):
            if match.node is None or type(commit.events[0]) not in game.names:
                continue
            before = playing.matches[match.version - 2]
            with playing.telling(match.version):
                for sees in viewers(seats):
                    seen, told = redact(before.state, sees), NOBODY
                    for event in commit.events:
                        event = redact(event, sees)
                        told |= game.discloses(seen, event)
                        seen = redact(game.evolve(seen, event), sees)
                    assert told == match.node.disclosed, f"{sees}: {told}, and not {match.node.disclosed}"

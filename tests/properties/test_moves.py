"""Legal moves are exactly those not refused, nobody is ever stuck, and refused moves change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain import validation
from domain.commands import Move
from domain.decide import decide
from domain.game import AnyGame
from domain.hidden import redact
from domain.match import Act, Match, Refused
from tests.support.dice import RandomDice
from tests.support.played_games import each_game, each_table, matches
from tests.support.playing import Playing, player
from tests.support.wellformed import canonical, near, reordered, some_move

MOST_MOVES = 1_000
TRIES = 8
"""Random moves that are tried at each version, by each seat that is to move."""


def live(playing: Playing) -> Iterator[Match]:
    """The versions at which somebody has to move."""
    for match in playing.matches:
        if match.status == "live":
            with playing.telling(match.version):
                yield match


@each_table
def test_every_version_keeps_the_invariants(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match, commit in zip(playing.matches[1:], playing.commits[1:], strict=True):
            if match.node is None:
                continue
            with playing.telling(match.version):
                state = match.state if match.node.parent is None else match.node.parent.state
                assert list(game.check(state)) == []
                for event in commit.events if type(commit.command) is Move else ():
                    state = game.evolve(state, event)
                    assert list(game.check(state)) == [], f"after {event}"
                assert state == match.state
                hash(state), repr(state)  # A state that can be hashed cannot be changed in place.


@each_table
def test_somebody_can_always_move(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in playing.matches:
            if match.node is None:
                continue
            with playing.telling(match.version):
                ended = game.outcome(match.state) is not None
                assert bool(game.to_move(match.state)) != ended, "somebody moves before the end, nobody after it"
                assert game.to_move(match.state) <= frozenset(range(seats))
                for seat in range(seats):
                    moves = list(game.legal(redact(match.state, frozenset({seat})), seat))
                    assert bool(moves) == (seat in game.to_move(match.state)), f"seat {seat} has {moves[:3]}"
                    assert len(moves) <= MOST_MOVES, f"{len(moves)} moves for seat {seat}"


@each_table
def test_every_legal_move_is_listed_once_can_be_posted_and_is_not_refused(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in live(playing):
            for seat in match.to_move:
                mine = redact(match.state, frozenset({seat}))
                moves = list(game.legal(mine, seat))
                assert len({canonical(move) for move in moves}) == len(moves), "a move is listed twice"
                for move in moves:
                    assert game.refuse(mine, seat, move) is None, move
                posted = [game.read_move(validation.plain(game.plain_move(move))) for move in moves[:: TRIES + 1]]
                assert posted == moves[:: TRIES + 1], "a listed move cannot be posted as it stands"


@each_table
def test_a_move_is_refused_exactly_if_no_listed_one_means_it(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        dice = RandomDice(playing.setup.seed)
        for match in live(playing):
            for seat in sorted(match.to_move):
                mine = redact(match.state, frozenset({seat}))
                listed = list(game.legal(mine, seat))
                for move in tried(game, listed, dice):
                    rejected = game.refuse(mine, seat, move)
                    if rejected is None:
                        assert means_a_listed_one(match, seat, move, listed), f"{move} of seat {seat} is not listed"
                    else:
                        assert move not in listed, f"{move} of seat {seat} is listed, but {rejected}"
                        assert game.rule(rejected.rule), rejected
                        assert len(rejected.message) > 10, rejected


def means_a_listed_one(match: Match, seat: int, move: Any, listed: list[Any]) -> bool:
    """Whether a move is listed, or is another way to write a listed one: the same happens."""
    if move in listed:
        return True
    happens = asked(match, seat, move)
    return any(asked(match, seat, other) == happens for other in listed if type(other) is type(move))


def tried(game: AnyGame, listed: list[Any], dice: RandomDice) -> Iterator[Any]:
    for _ in range(TRIES):
        yield some_move(game, dice)
        yield near(dice.choice(listed), listed, dice)
    yield from reordered(dice.choice(listed))


@each_table
def test_the_order_of_a_posted_list_of_cards_changes_nothing(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        for match in live(playing):
            for seat in sorted(match.to_move):
                moves = list(game.legal(redact(match.state, frozenset({seat})), seat))
                for move in moves[:: max(1, len(moves) // 3)]:
                    for other in reordered(move):
                        happened = [asked(match, seat, posting) for posting in (move, other)]
                        assert happened[0] == happened[1], f"{move} and {other} differ"


def asked(match: Match, seat: int, move: Any) -> Any:
    return decide(match, Move(seat, move), Act(player(seat), match.at, RandomDice(match.version)))


@each_table
def test_who_is_not_to_move_is_told_so_and_a_refusal_changes_nothing(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        dice = RandomDice(playing.setup.seed)
        for match in live(playing):
            before = repr(match.state)
            for seat in range(seats):
                decision = asked(match, seat, some_move(game, dice))
                if seat not in match.to_move:
                    assert isinstance(decision, Refused)
                    assert decision.code == "not_your_turn", decision
                elif isinstance(decision, Refused):
                    assert (decision.code, game.rule(decision.rule or "").number) == ("illegal_move", decision.rule)
                else:
                    assert decision, "an accepted move has events"
            assert repr(match.state) == before


@each_game
def test_rules_are_numbered_and_told(game: AnyGame) -> None:
    numbers = [rule.number for rule in game.rules]
    assert len(set(numbers)) == len(numbers)
    assert all(rule.text and rule.basis for rule in game.rules)

"""Two matches that differ only in what one seat may not know, driven alike for as long as that seat sees no difference."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from domain import validation, wire
from domain.commit import Commit
from domain.game import AnyGame
from domain.hidden import Hidden, Secret, redact
from domain.match import Match
from domain.wire import face_down
from tests.support.dice import FollowingDice, RandomDice, RecordingDice
from tests.support.exposure import Revealed
from tests.support.playing import Playing, Setup

SEEDS = 8
"""How many ways to fall are tried at each step. Where what falls in one cannot fall in the other, nothing can be compared."""


class _Given:
    """Dice that are exchanged for others before each move."""

    def __init__(self) -> None:
        self.dice = RecordingDice()
        self._before = 0

    @property
    def draws(self) -> int:
        return self._before + self.dice.draws

    def become(self, dice: RecordingDice) -> None:
        self._before += self.dice.draws
        self.dice = dice

    def below(self, bound: int) -> int:
        return self.dice.below(bound)

    def choice(self, options: Sequence[Any]) -> Any:
        return self.dice.choice(options)

    def sample(self, options: Sequence[Any], count: int) -> tuple[Any, ...]:
        return self.dice.sample(options, count)


class Twins:
    """A match from a position, and one from another position that ``seat`` cannot tell from it."""

    def __init__(self, setup: Setup, match: Match, seat: int, dice: RandomDice) -> None:
        game = setup.game
        self.game, self.seat, self.sees, self._dice = game, seat, frozenset({seat}), dice
        self.mine = redact(match.state, self.sees)
        self.imagined = game.imagine(self.mine, seat, dice)
        self._given = (_Given(), _Given())
        states = (match.state, self.imagined)
        self.pair = tuple(
            Playing(dataclasses.replace(setup, position=state), given)
            for state, given in zip(states, self._given, strict=True)
        )

    @property
    def live(self) -> bool:
        return all(playing.match.status == "live" for playing in self.pair)

    def seen(self) -> tuple[Any, ...]:
        """What the seat sees of each of the two."""
        return tuple(redact(playing.match.state, self.sees) for playing in self.pair)

    def moves(self) -> tuple[int, Any, Any] | None:
        """A seat to move, and a move for it in each match that the watching seat cannot tell apart."""
        mover = self._dice.choice(sorted(self.pair[0].match.to_move))
        real, other = (playing.legal(mover) for playing in self.pair)
        possible = set(other)
        if both := [move for move in real if move in possible]:
            move = self._dice.choice(both)
            return mover, move, move
        move = self._dice.choice(real)
        alike = [found for found in other if mover != self.seat and outside(found) == outside(move)]
        return (mover, move, self._dice.choice(alike)) if alike else None

    def step(self, mover: int, moves: Sequence[Any]) -> bool:
        """Makes the moves; the same things fall in both, as far as possible. Whether that was possible."""
        seed = self._seed_to_follow(mover, moves)
        falling = RecordingDice(seed)
        self._given[0].become(falling)
        assert self.pair[0].move(mover, moves[0]) is None
        following = FollowingDice(falling.fell, seed)
        self._given[1].become(following)
        assert self.pair[1].move(mover, moves[1]) is None
        return not following.strayed

    def _seed_to_follow(self, mover: int, moves: Sequence[Any]) -> int:
        """A seed with which all that falls in one can fall in the other too, if one of a few is such. Otherwise the last."""
        seed, real, other = 0, *(playing.match.state for playing in self.pair)
        for _try in range(SEEDS):
            seed = self._dice.below(1 << 30)
            falling = RecordingDice(seed)
            self.game.decide(real, mover, moves[0], falling)
            following = FollowingDice(falling.fell, seed)
            self.game.decide(other, mover, moves[1], following)
            if not following.strayed:
                break
        return seed

    def last(self) -> tuple[Commit, Commit]:
        """The newest commits as the seat gets them, without their hashes."""
        first, second = (
            dataclasses.replace(wire.decode(self.game, playing.entries[-1], self.sees), hash=b"")
            for playing in self.pair
        )
        return first, second

    def bytes_seen(self) -> tuple[tuple[bytes, bytes], tuple[bytes, bytes]]:
        """The newest entries as the seat may keep them: the public part with its commitments masked, and its secrets."""
        first, second = (self._masked(playing) for playing in self.pair)
        return first, second

    def _masked(self, playing: Playing) -> tuple[bytes, bytes]:
        entry = wire.redacted(playing.entries[-1], self.sees)
        public = entry.public
        for _seats, commitment in wire.commitments(public):
            public = public.replace(commitment, bytes(len(commitment)))
        return public, entry.secrets


def outside(move: Any) -> Any:
    """A move as everybody but who makes it sees it."""
    cls: Any = type(move)
    return dataclasses.replace(move, **dict.fromkeys(face_down(cls)))


def first_difference(game: AnyGame, first: Commit, second: Commit) -> Iterator[set[Revealed]]:
    """What differs first in two commits, besides the value of a secret: alternatives, each a set of what it would need.

    ``(event, field)`` for each field that differs; ``(event, None)`` if the event stands in one of them only. Nothing if only
    secrets differ: one that the seat now sees is new knowledge, and from there on nothing can be compared.
    """
    for one, other in zip(first.events, second.events, strict=False):
        if type(one) is not type(other):
            yield from (happening(game, event) for event in (one, other))
            return
        if bare(one) != bare(other):
            yield set(differing(game, one, other))
            return
        if one != other:
            return
    for rest in (first.events[len(second.events) :], second.events[len(first.events) :]):
        yield from (happening(game, event) for event in rest[:1])


def happening(game: AnyGame, event: Any) -> set[Revealed]:
    return {(game.names[type(event)], None)}


def differing(game: AnyGame, one: Any, other: Any) -> Iterator[Revealed]:
    """The fields in which two events of one class differ, besides the values of secrets."""
    cls: Any = type(one)
    for name in validation.names(cls):
        if bare(getattr(one, name)) != bare(getattr(other, name)):
            yield game.names[type(one)], validation.key(name)


def bare(value: Any) -> Any:
    """A value with all its secrets masked, seats and places kept."""
    if isinstance(value, Secret):
        return Hidden(value.seats)
    if isinstance(value, tuple):
        return tuple(bare(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(bare(getattr(value, name)) for name in validation.names(type(value)))
    return value

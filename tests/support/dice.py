"""Dice for tests: scripted where a test says what falls, seeded where it does not matter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class RandomDice:
    """The standard library's generator behind the dice protocol: fast, repeatable by its seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self.draws = 0

    def below(self, bound: int) -> int:
        self.draws += 1
        return self._random.randrange(bound)

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        self.draws += count
        return tuple(self._random.sample(list(options), count))


class ScriptedDice(RandomDice):
    """Gives the outcomes of the script in order: numbers for ``below``, the things themselves for ``choice`` and
    ``sample`` (one by one). Behind the script's end it rolls on at random. An impossible outcome is the test's mistake.
    """

    def __init__(self, *script: Any) -> None:
        super().__init__()
        self.script = list(script)

    def below(self, bound: int) -> int:
        if not self.script:
            return super().below(bound)
        self.draws += 1
        number = self.script.pop(0)
        assert isinstance(number, int), f"the script has {number!r} where a number below {bound} is drawn"
        assert 0 <= number < bound, f"{number} is not below {bound}"
        return number

    def choice(self, options: Sequence[T]) -> T:
        if not self.script:
            return options[super().below(len(options))]
        self.draws += 1
        wanted: T = self.script.pop(0)
        assert wanted in options, f"{wanted!r} cannot be drawn from {options!r}"
        return wanted

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        left, drawn = list(options), []
        for _ in range(count):
            drawn.append(self.choice(left))
            left.remove(drawn[-1])
        return tuple(drawn)


class RecordingDice(RandomDice):
    """Random dice that remember what fell, for ``FollowingDice``."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.fell: list[Any] = []

    def below(self, bound: int) -> int:
        self.fell.append(super().below(bound))
        return self.fell[-1]  # type: ignore[no-any-return]

    def choice(self, options: Sequence[T]) -> T:
        chosen = options[super().below(len(options))]
        self.fell.append(chosen)
        return chosen

    def sample(self, options: Sequence[T], count: int) -> tuple[T, ...]:
        left, drawn = list(options), []
        for _ in range(count):
            drawn.append(self.choice(left))
            left.remove(drawn[-1])
        return tuple(drawn)


class FollowingDice(RecordingDice):
    """Lets the same things fall as other dice did, as far as that is possible here."""

    def __init__(self, fell: Sequence[Any], seed: int = 0) -> None:
        super().__init__(seed)
        self.left = list(fell)
        self.strayed = False
        """Whether something else had to fall, because what fell there is not possible here."""

    def below(self, bound: int) -> int:
        wanted = self._next()
        if isinstance(wanted, int) and wanted < bound:
            self.draws += 1
            return wanted
        self.strayed = self.strayed or wanted is not None
        return super().below(bound)

    def choice(self, options: Sequence[T]) -> T:
        wanted = self._next()
        if wanted in options:
            self.draws += 1
            return options[options.index(wanted)]
        self.strayed = self.strayed or wanted is not None
        return super().choice(options)

    def _next(self) -> Any:
        return self.left.pop(0) if self.left else None


class ExchangingDice(FollowingDice):
    """Lets the same things fall as other dice did, but at one draw another one, which changes places with what fell there."""

    def __init__(self, fell: Sequence[Any], draw: int, seed: int = 0) -> None:
        super().__init__(fell, seed)
        self._draw = draw
        self._chooser = random.Random(seed)
        self.exchanged: tuple[Any, Any] | None = None
        """What fell there, and what falls now in its place; ``None`` if nothing else could fall."""

    def choice(self, options: Sequence[T]) -> T:
        if self.draws == self._draw and self.left:
            fell = self.left[0]
            others = [option for option in options if option != fell]
            if fell in options and others:
                self.left[0] = self._chooser.choice(others)
                self.exchanged = fell, self.left[0]
        elif self.exchanged is not None and self.left and self.left[0] == self.exchanged[1] not in options:
            self.left[0] = self.exchanged[0]
        return super().choice(options)

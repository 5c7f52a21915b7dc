"""Dice for thoughts: in range, repeatable, and without a preference that a test of some thousand draws could see."""

from __future__ import annotations

from collections import Counter

import pytest

from bots.dice import QuickDice


def test_they_are_splitmix64() -> None:
    """The first words of the reference implementation for the seed 1234567."""
    dice = QuickDice(1234567)
    assert [dice.word() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("bound", [1, 2, 6, 52])
def test_all_numbers_below_the_bound_come_about_equally_often(bound: int) -> None:
    dice, draws = QuickDice(1), 2_000 * bound
    count = Counter(dice.below(bound) for _ in range(draws))
    assert set(count) == set(range(bound))
    # Six standard deviations of a count of about 2,000.
    assert all(abs(times - 2_000) < 6 * 2_000**0.5 for times in count.values())


def test_a_sample_has_each_option_once_in_any_order() -> None:
    orders = Counter(QuickDice(seed).sample("abc", 3) for seed in range(1_200))
    assert len(orders) == 6
    assert min(orders.values()) > 120
    assert sorted(QuickDice(3).sample(range(9), 4)) == sorted(set(QuickDice(3).sample(range(9), 4)))


def test_they_follow_from_their_parts() -> None:
    first, same, other = QuickDice.of(b"a", b"bc"), QuickDice.of(b"a", b"bc"), QuickDice.of(b"ab", b"c")
    words = [dice.word() for dice in (first, same, other)]
    assert words[0] == words[1] != words[2]

"""Dice that can be checked afterwards: fixed vectors, fairness, and what every draw depends on."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from domain.chance import SEED_BYTES, SeededDice, prefixed, seed_commitment

SEED = bytes(range(32))
COMMITMENT = "121e01fd47d8c2ecdb10fa6f0a51a97a48cebd0de5231f274f5076a03e371868"
WORDS = [8886997852233524039, 5801984384482409205, 6599436060651398721]


def dice(
    seed: bytes = SEED,
    match_id: str = "00abc",
    version: int = 3,
    command_id: str = "c3",
    entropy: tuple[str, ...] = ("", "salt"),
) -> SeededDice:
    return SeededDice(seed, match_id, version, command_id, entropy)


def words(rolled: SeededDice, count: int = 3) -> list[int]:
    return [rolled.below(1 << 64) for _ in range(count)]


def test_the_seed_is_committed_to_by_a_hash_of_its_own_kind() -> None:
    assert len(SEED) == SEED_BYTES
    assert seed_commitment(SEED).hex() == COMMITMENT
    assert seed_commitment(SEED) != hashlib.sha256(SEED).digest()


def test_draws_are_what_they_have_always_been() -> None:
    """Written down once: a change here would make every stored draw wrong."""
    assert words(dice()) == WORDS
    assert [dice().below(bound) for bound in (2, 6, 52, 1000)] == [1, 5, 3, 39]
    rolled = dice()
    assert (rolled.below(6), rolled.choice("abcdef"), rolled.sample("abcdefgh", 4)) == (5, "d", ("b", "c", "f", "a"))
    assert rolled.draws == 6


def test_a_stranger_can_recompute_a_draw_from_the_description_alone() -> None:
    key = hmac.new(
        SEED,
        b"draw"
        + b"\0\0\0\x0500abc"
        + b"\0\0\0\x08"
        + (3).to_bytes(8, "big")
        + b"\0\0\0\x02c3"
        + b"\0\0\0\0"
        + b"\0\0\0\x04salt",
        hashlib.sha256,
    ).digest()
    third = hmac.new(key, b"\0\0\0\x02", hashlib.sha256).digest()
    assert words(dice())[2] == int.from_bytes(third[:8], "big")


@pytest.mark.parametrize(
    "other",
    [
        dice(seed=bytes(32)),
        dice(match_id="00abd"),
        dice(version=4),
        dice(command_id="c4"),
        dice(entropy=("salt", "")),
        dice(entropy=("", "salt", "")),
        dice(entropy=("", "sal", "t")),
        dice(match_id="00ab", command_id="cc3"),
    ],
    ids=["seed", "match", "version", "command", "order of seats", "more seats", "split", "moved letter"],
)
def test_every_draw_depends_on_all_that_makes_it_unrepeatable(other: SeededDice) -> None:
    assert words(other) != WORDS


def test_no_two_lists_of_parts_give_the_same_bytes() -> None:
    assert prefixed(b"ab", b"c") == b"\0\0\0\x02ab\0\0\0\x01c"
    assert len({prefixed(b"ab", b"c"), prefixed(b"a", b"bc"), prefixed(b"abc"), prefixed(b"abc", b"")}) == 4


def test_all_numbers_below_a_bound_are_equally_likely() -> None:
    rolled = dice()
    counted = Counter(rolled.below(6) for _ in range(6_000))
    assert set(counted) == set(range(6))
    # Chi-squared with five degrees of freedom is above 20.5 once in a thousand; the seed is fixed, so this never flickers.
    assert sum((seen - 1_000) ** 2 / 1_000 for seen in counted.values()) < 20.5


def test_all_orders_of_a_sample_are_equally_likely() -> None:
    rolled = dice()
    counted = Counter(rolled.sample("abc", 2) for _ in range(6_000))
    assert len(counted) == 6
    assert sum((seen - 1_000) ** 2 / 1_000 for seen in counted.values()) < 20.5


def test_words_above_the_largest_multiple_are_thrown_away() -> None:
    """With a bound of three quarters of a word every fourth word is unfair, and none of the rest is folded over."""
    bound = 3 << 62
    plain, rolled = dice(), dice()
    fair = [word for word in words(plain, 400) if word < bound]
    assert [rolled.below(bound) for _ in fair] == fair
    assert 60 < 400 - len(fair) < 140
    assert rolled.draws > len(fair), "a word that is thrown away is counted too"


def test_the_bounds_of_a_draw() -> None:
    assert dice().below(1) == 0
    assert 0 <= dice().below((1 << 64) - 1) < (1 << 64) - 1
    with pytest.raises(ValueError, match="at least 1"):
        dice().below(0)
    with pytest.raises(ValueError, match="at least 1"):
        dice().choice([])
    with pytest.raises(ValueError, match="at least 1"):
        dice().sample("ab", 3)


def test_a_sample_holds_each_option_once_at_most_and_takes_none_away() -> None:
    options = list("abcdef")
    assert sorted(dice().sample(options, 6)) == options == list("abcdef")
    assert dice().sample(options, 0) == ()


def test_dice_that_are_not_used_draw_nothing() -> None:
    assert dice().draws == 0

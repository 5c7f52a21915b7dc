"""Secrets, bags and redaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.hidden import ALL, NOBODY, Bag, Hidden, Secret, Veiled, redact, visible
from domain.validation import Length
from tests.support.dice import RandomDice, ScriptedDice

MINE, YOURS = frozenset({0}), frozenset({1})
CARDS = st.lists(st.sampled_from("abcdef"), max_size=8)


def test_a_secret_is_visible_to_its_seats_and_to_who_sees_everything() -> None:
    assert visible(MINE, MINE)
    assert visible(MINE, frozenset({0, 3}))
    assert not visible(MINE, YOURS)
    assert not visible(MINE, NOBODY)
    assert not visible(NOBODY, frozenset(range(8)))
    assert visible(NOBODY, ALL)


def test_a_secret_goes_to_other_seats_with_its_value_and_a_hidden_one_without() -> None:
    assert Secret("a", MINE).to(YOURS) == Secret("a", YOURS)
    assert Hidden(MINE).to(YOURS) == Hidden(YOURS)


# -- bags -------------------------------------------------------------------------------------------------------------


def test_a_bag_has_no_order() -> None:
    assert Bag.of("cab") == Bag.of("abc") == Bag(("a", "b", "c"), 3)
    assert "b" in Bag.of("abc")
    assert "d" not in Bag.of("abc")
    assert "a" not in Bag(None, 3), "nobody is seen in a bag that is not seen"


def test_taking_and_adding_keep_a_bag_sorted() -> None:
    bag = Bag.of("bad", MINE)
    assert bag.take("b") == Bag.of("ad", MINE)
    assert bag.add("c", Secret("a", YOURS)) == Bag.of("aabcd", MINE)
    assert bag.take(Secret("d", YOURS)).cards == ("a", "b")


def test_taking_one_of_two_equal_cards_leaves_the_other() -> None:
    assert Bag.of("aab").take("a") == Bag.of("ab")


def test_a_bag_without_the_card_cannot_give_it() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Bag.of("ab").take("c")


def test_an_unseen_bag_gets_smaller_and_larger_by_cards_that_are_not_seen() -> None:
    unseen = Bag(None, 2)
    assert unseen.take(Hidden(NOBODY)) == Bag(None, 1)
    assert unseen.add(Hidden(NOBODY), "a") == Bag(None, 4)
    with pytest.raises(ValueError, match="nothing left"):
        Bag(None, 0).take(Hidden(NOBODY))


def test_a_card_that_is_not_seen_cannot_go_to_a_bag_that_is_seen() -> None:
    with pytest.raises(ValueError, match="unseen card"):
        Bag.of("a").add(Hidden(NOBODY))
    with pytest.raises(ValueError, match="unseen card"):
        Bag.of("a").take(Hidden(NOBODY))


def test_the_top_is_drawn_first_and_in_order() -> None:
    bag = Bag.of("ab").put_on_top(Secret("d", MINE), Secret("c", MINE))
    assert len(bag) == 4
    assert bag.draw(ScriptedDice()) == "d"
    assert bag.take("d").draw(ScriptedDice()) == "c"
    assert bag.take("d").take("c").draw(ScriptedDice("b")) == "b"
    assert bag.lift(2) == Bag.of("ab")
    assert bag.lift(1).top == (Secret("c", MINE),)
    assert bag.put_on_top(Secret("e", YOURS)).top[0] == Secret("e", YOURS)


def test_what_is_added_goes_among_the_rest_and_shuffling_forgets_the_top() -> None:
    bag = Bag.of("ab").put_on_top(Secret("d", MINE))
    assert bag.add("c") == Bag.of("abc").put_on_top(Secret("d", MINE))
    assert bag.shuffle() == Bag.of("abd")
    unseen = redact(Pile(bag), YOURS).pile
    assert unseen.shuffle() == Bag(None, 3)


def test_drawing_needs_a_card_that_is_seen() -> None:
    for bag in (Bag.of(""), Bag(None, 3), Bag(None, 0, NOBODY, (Hidden(MINE),))):
        with pytest.raises(ValueError, match="cannot draw"):
            bag.draw(RandomDice())


def test_drawing_takes_nothing_and_chooses_every_card() -> None:
    bag, dice = Bag.of("abc"), RandomDice(1)
    assert {bag.draw(dice) for _ in range(60)} == set("abc")
    assert bag == Bag.of("abc")


# -- redaction --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pile:
    pile: Bag


@dataclass(frozen=True, slots=True)
class Inner:
    card: Veiled[str] | None
    note: str = "open"


@dataclass(frozen=True, slots=True)
class Other:
    lot: Annotated[tuple[Secret[int] | Hidden, ...], Length(0, 9)]


@dataclass(frozen=True, slots=True)
class World:
    number: int
    card: Veiled[str]
    inner: Inner | Other | None
    hands: tuple[Bag, ...]
    pair: tuple[int, Veiled[str]]
    maybe: Annotated[tuple[Veiled[str], ...], Length(0, 3)] | None = None
    flags: frozenset[str] = frozenset()


WORLD = World(
    number=7,
    card=Secret("a", MINE),
    inner=Other((Secret(1, MINE), Secret(2, YOURS))),
    hands=(Bag.of("ab", MINE), Bag.of("c", YOURS), Bag.of("").put_on_top(Secret("d", MINE))),
    pair=(1, Secret("b", YOURS)),
    maybe=(Secret("c", YOURS), Secret("d", MINE)),
)


def test_redaction_reaches_every_place_where_a_secret_can_stand() -> None:
    assert redact(WORLD, MINE) == World(
        number=7,
        card=Secret("a", MINE),
        inner=Other((Secret(1, MINE), Hidden(YOURS))),
        hands=(Bag.of("ab", MINE), Bag(None, 1, YOURS), Bag(None, 0, NOBODY, (Secret("d", MINE),))),
        pair=(1, Hidden(YOURS)),
        maybe=(Hidden(YOURS), Secret("d", MINE)),
    )
    assert "Secret" not in repr(redact(WORLD, NOBODY))


def test_who_sees_everything_gets_the_very_same_value() -> None:
    assert redact(WORLD, ALL) is WORLD


def test_what_holds_no_secret_is_not_copied() -> None:
    @dataclass(frozen=True)
    class Plain:
        numbers: tuple[int, ...]

    plain = Plain((1, 2))
    assert redact(plain, NOBODY) is plain


def test_a_secret_for_nobody_is_hidden_from_all_seats_together() -> None:
    everybody = frozenset(range(8))
    assert redact(Inner(Secret("a", NOBODY)), everybody) == Inner(Hidden(NOBODY))
    assert redact(Pile(Bag.of("ab")), everybody) == Pile(Bag(None, 2))


def test_redacting_again_changes_nothing_and_for_less_hides_more() -> None:
    both = frozenset({0, 1})
    assert redact(redact(WORLD, MINE), MINE) == redact(WORLD, MINE)
    assert redact(redact(WORLD, both), MINE) == redact(WORLD, MINE)


def test_what_could_not_be_redacted_is_an_error_and_no_leak() -> None:
    @dataclass(frozen=True)
    class InATable:
        cards: dict[str, Secret[str]]

    @dataclass(frozen=True)
    class InASet:
        cards: frozenset[Secret[str]]

    @dataclass(frozen=True)
    class Ambiguous:
        cards: tuple[int, ...] | tuple[Secret[str], ...]

    values: list[Any] = [InATable({}), InASet(frozenset()), Ambiguous(())]
    for value in values:
        with pytest.raises(TypeError, match=r"cannot (redact|tell apart)"):
            redact(value, NOBODY)


# -- laws -------------------------------------------------------------------------------------------------------------

STEPS: dict[str, Callable[[Bag, Secret[str] | Hidden], Bag]] = {
    "add": lambda bag, card: bag.add(card),
    "top": lambda bag, card: bag.put_on_top(card),
    "take": lambda bag, card: bag.take(card),
    "shuffle": lambda bag, card: bag.shuffle(),
    "lift": lambda bag, card: bag.lift(1),
}


@given(CARDS, st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from("abcdef")), max_size=12))
def test_an_unseen_bag_follows_the_seen_one_through_every_step(cards: list[str], steps: list[tuple[str, str]]) -> None:
    """The law on which folding redacted events rests."""
    bag, unseen = Bag.of(cards), Bag(None, len(cards))
    for step, card in steps:
        if step == "take":
            if not len(bag):
                continue
            card = bag.draw(RandomDice(1))
        bag = STEPS[step](bag, Secret(card, MINE))
        unseen = STEPS[step](unseen, Hidden(MINE)).redacted(YOURS)
        assert unseen == bag.redacted(YOURS)
        assert len(unseen) == len(bag)
        assert bag.cards == tuple(sorted(bag.cards or ()))
        assert bag.rest == len(bag.cards or ())

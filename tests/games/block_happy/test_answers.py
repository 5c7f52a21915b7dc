"""Amounts, targets and answers: BH-10 to BH-14."""

from __future__ import annotations

import pytest

from domain.game import Outcome
from domain.games.block_happy.components import BLOCKABLE
from domain.games.block_happy.events import (
    Answered,
    CardDrawn,
    CardPlayed,
    Declined,
    HappinessTaken,
    RainbowPlayed,
    ShowPileShuffled,
    TickledPinkShown,
    TurnPassed,
)
from domain.games.block_happy.state import Window
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, THIRD, answer, known, play, table

RAINBOW = ["funny", "surprised", "scared", "angry", "sad"]


def test_bh_11_the_first_example_of_the_book() -> None:
    start = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 2])
    asked = start.when(play("annoyed", 1)).then(CardPlayed(0, "annoyed", 1))
    assert asked.to_move == {1}
    after = asked.when(answer("smug"), dice=["glum", "bored"])
    after.then(Answered(1, "smug"), CardDrawn(0, known("glum", 0)), CardDrawn(1, known("bored", 1)), TurnPassed(1))
    assert after.state.happiness == (1, 2)
    assert after.state.show_pile == ("annoyed", "smug")
    assert [len(hand) for hand in after.state.hands] == [7, 7]


def test_bh_10_annoyed_against_one_happiness_takes_one() -> None:
    after = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 1]).when(play("annoyed", 1)).when(DECLINE, dice=["glum"])
    after.then(Declined(1), HappinessTaken(0, 1, 1), CardDrawn(0, known("glum", 0)), TurnPassed(1))
    assert after.state.happiness == (2, 0)


@pytest.mark.parametrize("card", ["frustrated", "annoyed", "outraged", "magical", "jealous", "glum", "shocked"])
def test_bh_10_a_seat_without_happiness_is_no_target_while_another_has_some(card: str) -> None:
    start = table([f"{card} {PLAIN}", f"smug {OTHER}", f"smug {THIRD}"], [1, 0, 2])
    start.when(play(card, 1)).refused("BH-10")
    start.when(play(card, 0)).refused("BH-10")
    start.when(play(card, 4)).refused("BH-10")
    start.when(play(card)).refused("BH-4")
    assert [move for move in start.legal() if move.get("card") == card] == [play(card, 2)]


@pytest.mark.parametrize("card", ["frustrated", "annoyed", "outraged", "magical", "jealous", "glum", "shocked"])
def test_bh_10_without_a_happy_opponent_it_is_played_at_nobody_for_nothing(card: str) -> None:
    start = table([f"{card} {PLAIN}", f"smug {OTHER}"], [1, 0])
    start.when(play(card, 1)).refused("BH-10")
    after = start.when(play(card), dice=["sad"])
    after.then(CardPlayed(0, card), CardDrawn(0, known("sad", 0)), TurnPassed(1))
    assert not after.state.shocked


def test_bh_10_the_rainbow_needs_happiness_too() -> None:
    start = table([f"smug sad {' '.join(RAINBOW)}", f"smug {OTHER}", THIRD], [1, 0, 1])
    start.when({"type": "rainbow", "cards": RAINBOW, "target": 1}).refused("BH-10")
    start.when({"type": "rainbow", "cards": RAINBOW}).refused("BH-4")


@pytest.mark.parametrize("card", ["bored", "flirty", "cheeky", "curious"])
def test_bh_10_control_is_aimed_at_any_opponent(card: str) -> None:
    ask = "glum" if card == "curious" else None
    start = table([f"{card} {PLAIN}", f"smug {OTHER}", f"smug {THIRD}"], [1, 0, 2])
    assert start.when(play(card, 1, ask=ask)).to_move == {1}
    start.when(play(card, 0, ask=ask)).refused("BH-10")
    start.when(play(card, 3, ask=ask)).refused("BH-10")
    start.when(play(card, ask=ask)).refused("BH-4")


@pytest.mark.parametrize("card", sorted(BLOCKABLE))
def test_bh_11_smug_blocks_attacks_and_control(card: str) -> None:
    ask = "smug" if card == "curious" else None
    asked = table([f"{card} {PLAIN}", f"smug {OTHER}"], [1, 2]).when(play(card, 1, ask=ask))
    after = asked.when(answer("smug"), dice=["glum", "jealous"])
    after.then(Answered(1, "smug"), CardDrawn(0, known("glum", 0)), CardDrawn(1, known("jealous", 1)), TurnPassed(1))
    assert after.state.happiness == (1, 2)
    assert after.state.skips == (0, 0)


def test_bh_11_only_the_target_answers_and_only_once() -> None:
    asked = table([f"annoyed {PLAIN}", f"smug {OTHER}", f"smug smug {THIRD}"], [1, 2, 0]).when(play("annoyed", 1))
    third = asked.when(answer("smug"), seat=2)
    assert third.refusal is not None
    assert third.refusal.code == "not_your_turn"
    after = asked.when(answer("smug"), dice=["glum", "jealous"])
    assert after.to_move == {1}, "the answer is not answered; the next turn begins"
    after.when(answer("smug")).refused("BH-12")


def test_bh_11_another_card_is_no_answer() -> None:
    asked = table([f"annoyed {PLAIN}", f"smug glum {OTHER}"], [1, 2]).when(play("annoyed", 1))
    asked.when(answer("glum")).refused("BH-11")
    asked.when(answer("overjoyed")).refused("BH-3")
    table([f"annoyed {PLAIN}", OTHER], [1, 2]).when(play("annoyed", 1)).when(answer("smug")).refused("BH-3")


@pytest.mark.parametrize("card", ["magical", "jealous", "glum", "shocked"])
def test_bh_12_smug_does_not_block_a_power(card: str) -> None:
    after = table([f"{card} {PLAIN}", f"smug {OTHER}"], [1, 2]).when(
        play(card, 1), dice=["sad", "sad"][: 1 + (card == "jealous")]
    )
    assert isinstance(after.happened[-1], TurnPassed)
    assert after.state.happiness[1] < 2
    after.when(answer("smug")).refused("BH-12")


def test_bh_12_smug_does_not_block_the_rainbow() -> None:
    start = table([f"glum sad {' '.join(RAINBOW)}", f"smug {OTHER}"], [1, 2])
    after = start.when({"type": "rainbow", "cards": RAINBOW, "target": 1}, dice=["sad"] * 2 + ["bored"] * 2 + ["smug"])
    assert after.happened[:2] == (RainbowPlayed(0, tuple(RAINBOW), 1), HappinessTaken(0, 1, 1))
    after.when(answer("smug")).refused("BH-12")


def test_bh_12_smug_does_not_block_smug() -> None:
    asked = table([f"annoyed smug {PLAIN}", f"smug smug {OTHER}"], [1, 2]).when(play("annoyed", 1))
    blocked = asked.when(answer("smug"))
    assert isinstance(blocked.happened[-1], TurnPassed)
    attacker = blocked.when(answer("smug"), seat=0)
    assert attacker.refusal is not None
    assert attacker.refusal.code == "not_your_turn"


def test_bh_12_smug_does_not_block_what_has_no_target() -> None:
    after = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 0]).when(play("annoyed"), dice=["sad"])
    assert after.state.pending is None
    assert after.to_move == {1}


@pytest.mark.parametrize(
    ("card", "had", "lost"), [("frustrated", 3, 1), ("annoyed", 3, 2), ("outraged", 3, 3), ("annoyed", 0, 0)]
)
def test_bh_13_overjoyed_takes_from_the_attacker_what_was_asked(card: str, had: int, lost: int) -> None:
    start = table([f"{card} {PLAIN}", f"overjoyed {OTHER}"], [had, 2])
    after = start.when(play(card, 1)).when(answer("overjoyed"), dice=["glum", "bored"])
    after.then(
        Answered(1, "overjoyed"),
        HappinessTaken(1, 0, lost),
        CardDrawn(0, known("glum", 0)),
        CardDrawn(1, known("bored", 1)),
        TurnPassed(1),
    )
    assert after.state.happiness == (had - lost, 2 + lost)
    assert after.state.show_pile == (card, "overjoyed")


def test_bh_13_overjoyed_can_win_out_of_turn() -> None:
    start = table([f"annoyed smug {PLAIN}", f"overjoyed {OTHER}"], [2, 5])
    after = start.when(play("annoyed", 1)).when(answer("overjoyed"))
    after.then(Answered(1, "overjoyed"), HappinessTaken(1, 0, 2))
    assert after.outcome == Outcome((1,), (0, 7), "seven happiness", "BH-9")


def test_bh_13_overjoyed_can_win_out_of_turn_with_tickled_pink() -> None:
    start = table([f"annoyed smug {PLAIN}", f"overjoyed tickled_pink {OTHER}"], [2, 4])
    after = start.when(play("annoyed", 1)).when(answer("overjoyed"))
    after.then(Answered(1, "overjoyed"), HappinessTaken(1, 0, 2), TickledPinkShown(1))


@pytest.mark.parametrize("card", ["bored", "flirty", "cheeky", "curious"])
def test_bh_13_overjoyed_answers_nothing_but_attacks(card: str) -> None:
    ask = "overjoyed" if card == "curious" else None
    asked = table([f"{card} {PLAIN}", f"overjoyed {OTHER}"], [1, 1]).when(play(card, 1, ask=ask))
    asked.when(answer("overjoyed")).refused("BH-13")


def test_bh_13_overjoyed_cannot_be_answered() -> None:
    start = table([f"annoyed smug {PLAIN}", f"overjoyed {OTHER}"], [3, 2])
    after = start.when(play("annoyed", 1)).when(answer("overjoyed"), dice=["bored"])
    assert after.to_move == {1}
    assert after.state.pending is None


@pytest.mark.parametrize("hand", [f"smug {OTHER}", f"glum {OTHER}", "sad"])
def test_bh_14_the_target_is_asked_whatever_it_holds(hand: str) -> None:
    asked = table([f"annoyed {PLAIN}", hand], [1, 2]).when(play("annoyed", 1))
    assert asked.to_move == {1}
    assert asked.state.pending == Window(1, "annoyed")
    assert DECLINE in asked.legal()


def test_bh_14_what_the_target_could_answer_only_the_target_sees() -> None:
    holds = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 2]).when(play("annoyed", 1))
    lacks = table([f"annoyed {PLAIN}", f"glum {OTHER}"], [1, 2]).when(play("annoyed", 1))
    assert holds.view(0) == lacks.view(0)
    assert holds.view() == lacks.view()
    assert holds.legal(0) == lacks.legal(0) == []
    assert holds.legal(1) == [DECLINE, answer("smug")]
    assert lacks.legal(1) == [DECLINE]


def test_bh_14_nothing_else_may_happen_before_the_answer() -> None:
    asked = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 2]).when(play("annoyed", 1))
    asked.when(play("smug")).refused("BH-14")
    asked.when({"type": "take", "card": "sad"}).refused("BH-14")
    asked.when({"type": "keep", "card": "sad"}).refused("BH-14")


def test_bh_11_both_refill_from_a_renewed_pile() -> None:
    start = table([f"annoyed {PLAIN}", f"smug {OTHER}"], [3, 4], hidden="glum").when(play("annoyed", 1))
    after = start.when(answer("smug"), dice=["glum", "annoyed"])
    after.then(
        Answered(1, "smug"),
        CardDrawn(0, known("glum", 0)),
        ShowPileShuffled(),
        CardDrawn(1, known("annoyed", 1)),
        TurnPassed(1),
    )

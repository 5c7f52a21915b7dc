"""What the emotions do: BH-15 to BH-18 and BH-20 to BH-22, BH-24."""

from __future__ import annotations

import pytest

from domain.game import Outcome
from domain.games.block_happy.events import (
    CardDrawn,
    CardPlayed,
    CardsSwapped,
    CardTaken,
    Declined,
    HandShown,
    HappinessBuried,
    HappinessTaken,
    HappyDrawn,
    QuestionAnswered,
    ShowPileShuffled,
    TickledPinkShown,
    TurnLost,
    TurnPassed,
)
from domain.games.block_happy.state import HandSeen, Window
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, THIRD, known, play, table


@pytest.mark.parametrize(("card", "lost"), [("frustrated", 1), ("annoyed", 2), ("outraged", 4)])
def test_bh_15_attacks_take_one_two_and_all(card: str, lost: int) -> None:
    after = table([f"{card} {PLAIN}", f"smug {OTHER}"], [1, 4]).when(play(card, 1)).when(DECLINE, dice=["glum"])
    after.then(Declined(1), HappinessTaken(0, 1, lost), CardDrawn(0, known("glum", 0)), TurnPassed(1))
    assert after.state.happiness == (1 + lost, 4 - lost)


def test_bh_16_with_two_seats_i_play_again() -> None:
    after = table([f"bored {PLAIN}", f"smug {OTHER}"], [1, 1]).when(play("bored", 1)).when(DECLINE, dice=["sad"])
    after.then(Declined(1), TurnLost(1), CardDrawn(0, known("sad", 0)), TurnPassed(0, (1,)))
    assert after.to_move == {0}
    assert after.state.skips == (0, 0)


def test_bh_16_bored_twice_skips_two_turns() -> None:
    hands = [f"bored {PLAIN}", f"bored {OTHER}", f"smug {THIRD}"]
    once = table(hands, [1, 1, 1]).when(play("bored", 2)).when(DECLINE, dice=["sad"])
    assert once.to_move == {1}
    twice = once.when(play("bored", 2)).when(DECLINE, dice=["sad"])
    assert twice.happened[-1] == TurnPassed(0, (2,))
    assert twice.state.skips == (0, 0, 1)
    around = twice.when(play("sad"), dice=["angry"]).when(play("angry"), dice=["angry"])
    assert around.happened[-1] == TurnPassed(0, (2,))
    assert around.state.skips == (0, 0, 0)
    assert around.when(play("sad"), dice=["smug"]).when(play("angry"), dice=["funny"]).to_move == {2}


def test_bh_16_who_misses_turns_still_answers_and_refills() -> None:
    start = table([f"frustrated {PLAIN}", f"smug {OTHER}"], [1, 2], skips=[0, 1]).when(play("frustrated", 1))
    assert start.to_move == {1}
    after = start.when({"type": "answer", "card": "smug"}, dice=["glum", "bored"])
    assert after.happened[1:] == (
        CardDrawn(0, known("glum", 0)),
        CardDrawn(1, known("bored", 1)),
        TurnPassed(0, (1,)),
    )


def test_bh_17_flirty_swaps_a_random_card_of_each_hand() -> None:
    asked = table([f"flirty {PLAIN}", f"smug {OTHER}"], [1, 1]).when(play("flirty", 1))
    after = asked.when(DECLINE, dice=["surprised", "smug", "glum"])
    after.then(
        Declined(1),
        CardsSwapped(0, 1, known("surprised", 0, 1), known("smug", 0, 1)),
        CardDrawn(0, known("glum", 0)),
        TurnPassed(1),
    )
    assert "smug" in after.state.hands[0]
    assert after.state.hands[1].cards is not None
    assert after.state.hands[1].cards.count("surprised") == 2


def test_bh_17_flirty_hands_tickled_pink_to_a_seat_with_six() -> None:
    asked = table([f"flirty tickled_pink {PLAIN}", f"smug {OTHER}"], [1, 6]).when(play("flirty", 1))
    after = asked.when(DECLINE, dice=["tickled_pink", "smug"])
    after.then(
        Declined(1),
        CardsSwapped(0, 1, known("tickled_pink", 0, 1), known("smug", 0, 1)),
        TickledPinkShown(1),
    )
    assert after.outcome == Outcome((1,), (1, 6), "six happiness and Tickled Pink", "BH-9")


def test_bh_17_an_empty_hand_gives_nothing() -> None:
    asked = table([f"flirty {PLAIN}", ""], [1, 1]).when(play("flirty", 1))
    theirs = asked.when(DECLINE, dice=["surprised"])
    assert theirs.happened[1] == CardsSwapped(0, 1, known("surprised", 0, 1), None)
    mine = table(["", f"smug {OTHER}"], [1, 1], show="flirty", pending=Window(1, "flirty"))
    assert mine.when(DECLINE, dice=["smug"]).happened[1] == CardsSwapped(0, 1, None, known("smug", 0, 1))


def test_bh_18_cheeky_shows_the_hand_and_takes_any_one_card() -> None:
    asked = table([f"cheeky {PLAIN}", f"smug {OTHER}"], [1, 1]).when(play("cheeky", 1))
    hand = asked.state.hands[1].cards
    seen = asked.when(DECLINE).then(Declined(1), HandShown(0, 1, known(hand, 0)))
    assert seen.to_move == {0}
    assert seen.state.pending == HandSeen(1, known(hand, 0))
    takes = ["angry", "funny", "scared", "smug", "surprised"]
    assert seen.legal() == [{"type": "take", "card": card} for card in takes]
    seen.when({"type": "take", "card": "glum"}).refused("BH-18")
    seen.when(play("sad")).refused("BH-18")
    after = seen.when({"type": "take", "card": "smug"}, dice=["glum"])
    after.then(CardTaken(0, 1, known("smug", 0, 1)), CardDrawn(1, known("glum", 1)), TurnPassed(1))
    assert [len(hand) for hand in after.state.hands] == [7, 7]
    after.when({"type": "take", "card": "sad"}).refused("BH-18")


def test_bh_18_an_empty_hand_gives_nothing() -> None:
    asked = table([f"cheeky {PLAIN}", ""], [1, 1]).when(play("cheeky", 1))
    after = asked.when(DECLINE)
    assert not any(isinstance(event, HandShown) for event in after.happened)
    assert after.to_move == {1}


def test_bh_18_with_six_happiness_cheeky_takes_tickled_pink_and_wins_at_once() -> None:
    start = table([f"cheeky {PLAIN}", f"tickled_pink {OTHER}"], [6, 1]).when(play("cheeky", 1)).when(DECLINE)
    after = start.when({"type": "take", "card": "tickled_pink"})
    after.then(CardTaken(0, 1, known("tickled_pink", 0, 1)), TickledPinkShown(0))
    assert after.outcome == Outcome((0,), (6, 1), "six happiness and Tickled Pink", "BH-9")


def test_bh_20_the_second_example_of_the_book_yes() -> None:
    start = table([f"curious {PLAIN}", f"overjoyed {OTHER}"], [1, 1])
    asked = start.when(play("curious", 1, ask="overjoyed")).then(CardPlayed(0, "curious", 1, ask="overjoyed"))
    after = asked.when(DECLINE, dice=["glum"])
    after.then(Declined(1), QuestionAnswered(0, 1, "overjoyed", True), CardDrawn(1, known("glum", 1)), TurnPassed(1))
    assert "overjoyed" in after.state.hands[0]
    assert [len(hand) for hand in after.state.hands] == [7, 7]


def test_bh_20_the_second_example_of_the_book_no() -> None:
    start = table([f"curious {PLAIN}", f"smug {OTHER}"], [1, 1])
    after = start.when(play("curious", 1, ask="overjoyed")).when(DECLINE, dice=["glum"])
    after.then(Declined(1), QuestionAnswered(0, 1, "overjoyed", False), CardDrawn(0, known("glum", 0)), TurnPassed(1))
    assert [len(hand) for hand in after.state.hands] == [7, 7]


def test_bh_20_one_copy_changes_hands() -> None:
    start = table([f"curious {PLAIN}", f"smug {OTHER}"], [1, 1])
    after = start.when(play("curious", 1, ask="angry")).when(DECLINE, dice=["glum"])
    assert after.state.hands[1].cards == ("angry", "funny", "glum", "scared", "scared", "smug", "surprised")


def test_bh_20_curious_asks_for_anything_but_happy() -> None:
    start = table([f"curious annoyed {PLAIN}", f"smug {OTHER}"], [1, 1])
    start.when(play("curious", 1)).refused("BH-20")
    start.when(play("curious", 1, ask="happy")).refused("BH-20")
    start.when(play("annoyed", 1, ask="sad")).refused("BH-20")
    asks = [move["ask"] for move in start.legal() if move.get("card") == "curious"]
    assert len(asks) == 21
    assert {"sad", "tickled_pink", "curious", "creative"} <= set(asks)


def test_bh_20_curious_can_win_tickled_pink() -> None:
    start = table([f"curious {PLAIN}", f"tickled_pink {OTHER}"], [6, 1])
    after = start.when(play("curious", 1, ask="tickled_pink")).when(DECLINE)
    after.then(Declined(1), QuestionAnswered(0, 1, "tickled_pink", True), TickledPinkShown(0))


def test_bh_21_magical_takes_two_and_nobody_is_asked() -> None:
    after = table([f"magical {PLAIN}", f"smug {OTHER}"], [1, 3]).when(play("magical", 1), dice=["sad"])
    after.then(CardPlayed(0, "magical", 1), HappinessTaken(0, 1, 2), CardDrawn(0, known("sad", 0)), TurnPassed(1))


def test_bh_21_jealous_leaves_the_target_with_eight_whose_next_turn_draws_none() -> None:
    start = table([f"jealous {PLAIN}", f"smug {OTHER}"], [1, 3])
    after = start.when(play("jealous", 1), dice=["happy", "glum", "sad"])
    after.then(
        CardPlayed(0, "jealous", 1),
        HappinessTaken(0, 1, 1),
        HappyDrawn(1),
        CardDrawn(1, known("glum", 1)),
        CardDrawn(0, known("sad", 0)),
        TurnPassed(1),
    )
    assert len(after.state.hands[1]) == 8
    after.when(play("smug")).then(CardPlayed(1, "smug"), TurnPassed(0))


def test_bh_21_a_win_by_jealous_comes_before_the_draw() -> None:
    after = table([f"jealous {PLAIN}", f"smug {OTHER}"], [6, 1]).when(play("jealous", 1))
    after.then(CardPlayed(0, "jealous", 1), HappinessTaken(0, 1, 1))


def test_bh_22_glum_buries_one_happiness_and_shuffles() -> None:
    start = table([f"glum {PLAIN}", f"smug {OTHER}"], [1, 3], top="bored flirty")
    after = start.when(play("glum", 1), dice=["sad"])
    after.then(CardPlayed(0, "glum", 1), HappinessBuried(1, 1, "glum"), CardDrawn(0, known("sad", 0)), TurnPassed(1))
    assert after.state.happiness == (1, 2)
    assert after.state.hidden_pile.top == ()
    assert after.state.hidden_pile.cards is not None
    assert after.state.hidden_pile.cards.count("happy") == 4
    assert not after.state.shocked


def test_bh_22_shocked_buries_all_happiness() -> None:
    after = table([f"shocked {PLAIN}", f"smug {OTHER}"], [1, 3]).when(play("shocked", 1), dice=["happy", "sad"])
    after.then(
        CardPlayed(0, "shocked", 1),
        HappinessBuried(1, 3, "shocked"),
        HappyDrawn(0),
        CardDrawn(0, known("sad", 0)),
        TurnPassed(1),
    )
    assert after.state.happiness == (2, 0)
    assert after.state.shocked


def test_bh_22_a_second_shocked_does_nothing() -> None:
    start = table([f"shocked {PLAIN}", f"smug {OTHER}"], [1, 3], shocked=True)
    start.when(play("shocked", 1)).refused("BH-22")
    after = start.when(play("shocked"), dice=["sad"])
    after.then(CardPlayed(0, "shocked"), CardDrawn(0, known("sad", 0)), TurnPassed(1))


def test_bh_22_an_empty_hidden_pile_is_renewed_first() -> None:
    start = table([f"glum {PLAIN}", f"smug {OTHER}"], [3, 4], hidden="")
    after = start.when(play("glum", 1), dice=["happy", "glum"])
    after.then(
        CardPlayed(0, "glum", 1),
        ShowPileShuffled(),
        HappinessBuried(1, 1, "glum"),
        HappyDrawn(0),
        CardDrawn(0, known("glum", 0)),
        TurnPassed(1),
    )
    assert after.state.happiness == (4, 3)


@pytest.mark.parametrize("card", ["funny", "surprised", "scared", "angry", "sad"])
def test_bh_24_a_simple_emotion_alone_does_nothing(card: str) -> None:
    after = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 3]).when(play(card), dice=["glum"])
    after.then(CardPlayed(0, card), CardDrawn(0, known("glum", 0)), TurnPassed(1))

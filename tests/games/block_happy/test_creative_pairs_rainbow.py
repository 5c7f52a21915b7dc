"""Optimistic, Creative, pairs and the rainbow: BH-19, BH-23, BH-25, BH-26."""

from __future__ import annotations

import pytest

from domain.games.block_happy.events import (
    Answered,
    CardDrawn,
    CardKept,
    CardPlayed,
    CardRetrieved,
    CardsPutBack,
    CardsSeen,
    CardsSwapped,
    Declined,
    HandShown,
    HappinessTaken,
    HappyDrawn,
    HappyLaidOut,
    PairPlayed,
    QuestionAnswered,
    RainbowPlayed,
    ShowPileShuffled,
    TickledPinkShown,
    TurnLost,
    TurnPassed,
)
from domain.games.block_happy.state import TopSeen
from domain.hidden import NOBODY
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, THIRD, all_but, answer, known, play, table

RAINBOW = ["funny", "surprised", "scared", "angry", "sad"]
FULL_RAINBOW = " ".join(RAINBOW)


def seen(*cards: str) -> CardsSeen:
    return CardsSeen(0, tuple(known(card, 0) for card in cards))


def keep(card: str) -> dict[str, str]:
    return {"type": "keep", "card": card}


def pair(*cards: str, take: str | None = None) -> dict[str, object]:
    return {"type": "pair", "cards": list(cards), "take": take}


# -- optimistic -------------------------------------------------------------------------------------------------------


def test_bh_19_optimistic_keeps_one_of_three_and_puts_the_others_back_in_their_order() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [1, 1])
    shown = start.when(play("optimistic"), dice=["glum", "bored", "smug"])
    shown.then(CardPlayed(0, "optimistic"), seen("glum", "bored", "smug"))
    assert shown.state.pending == TopSeen(3)
    assert shown.legal() == [keep("glum"), keep("bored"), keep("smug")]
    shown.when(keep("sad")).refused("BH-19")
    shown.when(play("sad")).refused("BH-19")
    after = shown.when(keep("bored")).then(CardKept(0, known("bored", 0)), TurnPassed(1))
    assert after.state.hidden_pile.top == (known("glum"), known("smug"))
    drawn = after.when(play("smug")).then(CardPlayed(1, "smug"), CardDrawn(1, known("glum", 1)), TurnPassed(0))
    drawn.when(keep("smug")).refused("BH-19")
    assert drawn.state.hidden_pile.top == (known("smug"),)


def test_bh_19_every_happy_among_them_is_laid_out() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [1, 1])
    shown = start.when(play("optimistic"), dice=["happy", "glum", "happy"])
    shown.then(CardPlayed(0, "optimistic"), seen("happy", "glum", "happy"), HappyLaidOut(0), HappyLaidOut(0))
    assert shown.state.happiness == (3, 1)
    assert shown.legal() == [keep("glum")]
    assert shown.when(keep("glum")).happened == (CardKept(0, known("glum", 0)), TurnPassed(1))


def test_bh_19_with_three_happy_there_is_no_keep() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [1, 1])
    after = start.when(play("optimistic"), dice=["happy", "happy", "happy", "glum"])
    after.then(
        CardPlayed(0, "optimistic"),
        seen("happy", "happy", "happy"),
        *[HappyLaidOut(0)] * 3,
        CardDrawn(0, known("glum", 0)),
        TurnPassed(1),
    )
    assert after.state.happiness == (4, 1)
    assert after.to_move == {1}


def test_bh_19_with_one_hidden_card_left_the_show_pile_is_mixed_in() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [3, 4], hidden="glum")
    shown = start.when(play("optimistic"), dice=["optimistic", "glum", "bored"])
    shown.then(CardPlayed(0, "optimistic"), ShowPileShuffled(), seen("optimistic", "glum", "bored"))
    assert shown.state.show_pile == ()


def test_bh_19_the_show_pile_goes_under_the_cards_that_lie_seen_on_top() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [3, 4], hidden="", top="glum bored")
    shown = start.when(play("optimistic"), dice=["smug"])
    shown.then(CardPlayed(0, "optimistic"), ShowPileShuffled(), seen("glum", "bored", "smug"))
    after = shown.when(keep("smug"))
    assert after.state.hidden_pile.top == (known("glum"), known("bored"))


def test_bh_19_a_single_card_is_kept_too() -> None:
    start = table(["optimistic sad", all_but("optimistic sad")], [3, 4])
    shown = start.when(play("optimistic"), dice=["optimistic"])
    shown.then(CardPlayed(0, "optimistic"), ShowPileShuffled(), seen("optimistic"))
    after = shown.when(keep("optimistic")).then(CardKept(0, known("optimistic", 0)), TurnPassed(1))
    assert len(after.state.hidden_pile) == 0


def test_bh_19_if_a_happy_laid_out_wins_the_cards_seen_go_back() -> None:
    start = table([f"optimistic tickled_pink {PLAIN}", f"smug {OTHER}"], [5, 0])
    after = start.when(play("optimistic"), dice=["glum", "happy", "happy"])
    after.then(
        CardPlayed(0, "optimistic"),
        seen("glum", "happy", "happy"),
        HappyLaidOut(0),
        TickledPinkShown(0),
        CardsPutBack(0),
    )
    assert after.state.hidden_pile.top == (known("glum"), known("happy"))
    assert all(card.seats == NOBODY for card in after.state.hidden_pile.top)
    assert after.state.pending is None


def test_bh_19_tickled_pink_kept_with_six_wins_at_once() -> None:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}"], [6, 0])
    shown = start.when(play("optimistic"), dice=["glum", "tickled_pink", "bored"])
    after = shown.when(keep("tickled_pink")).then(CardKept(0, known("tickled_pink", 0)), TickledPinkShown(0))
    assert after.state.hidden_pile.top == (known("glum"), known("bored"))


# -- creative ---------------------------------------------------------------------------------------------------------


def test_bh_23_creative_is_an_attack_that_smug_does_not_block() -> None:
    start = table([f"creative {PLAIN}", f"smug overjoyed {OTHER}"], [1, 3])
    asked = start.when(play("creative", 1, as_="annoyed")).then(CardPlayed(0, "creative", 1, "annoyed"))
    asked.when(answer("smug")).refused("BH-23")
    asked.when(answer("creative")).refused("BH-23")
    assert asked.legal() == [DECLINE, answer("overjoyed")]
    assert asked.when(DECLINE, dice=["glum"]).happened[:2] == (Declined(1), HappinessTaken(0, 1, 2))
    turned = asked.when(answer("overjoyed"), dice=["glum"])
    assert turned.happened[:2] == (Answered(1, "overjoyed"), HappinessTaken(1, 0, 1))


@pytest.mark.parametrize(
    ("as_", "ask", "dice", "felt"),
    [
        ("bored", None, ["glum"], TurnLost(1)),
        ("flirty", None, ["sad", "smug", "glum"], CardsSwapped(0, 1, known("sad", 0, 1), known("smug", 0, 1))),
        ("curious", "bored", ["glum"], QuestionAnswered(0, 1, "bored", False)),
    ],
)
def test_bh_23_creative_as_control_acts_at_once(as_: str, ask: str | None, dice: list[str], felt: object) -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 3])
    move = play("creative", 1, as_=as_, ask=ask)
    after = start.when(move, dice=dice)
    assert after.happened[1] == felt
    assert isinstance(after.happened[-1], TurnPassed)


def test_bh_23_creative_as_cheeky_and_as_optimistic() -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 3])
    assert isinstance(start.when(play("creative", 1, as_="cheeky")).happened[1], HandShown)
    looked = start.when(play("creative", as_="optimistic"), dice=["glum", "bored", "smug"])
    looked.then(CardPlayed(0, "creative", None, "optimistic"), seen("glum", "bored", "smug"))


def test_bh_23_creative_as_a_simple_emotion() -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 3])
    after = start.when(play("creative", as_="sad"), dice=["glum"])
    after.then(CardPlayed(0, "creative", None, "sad"), CardDrawn(0, known("glum", 0)), TurnPassed(1))
    paired = start.when(pair("creative", "sad"), dice=["glum", "bored"])
    assert paired.happened[0] == PairPlayed(0, ("sad", "creative"))


def test_bh_23_creative_answers_as_smug() -> None:
    asked = table([f"annoyed {PLAIN}", f"creative {OTHER}"], [1, 3]).when(play("annoyed", 1))
    assert asked.legal() == [DECLINE, answer("creative")]
    after = asked.when(answer("creative"), dice=["glum", "bored"])
    after.then(Answered(1, "creative"), CardDrawn(0, known("glum", 0)), CardDrawn(1, known("bored", 1)), TurnPassed(1))


@pytest.mark.parametrize(
    "as_", ["smug", "magical", "jealous", "glum", "shocked", "creative", "overjoyed", "tickled_pink", "happy"]
)
def test_bh_23_creative_is_no_power_nor_anything_else(as_: str) -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 3])
    start.when(play("creative", as_=as_)).refused("BH-23")
    start.when(play("creative", 1, as_=as_)).refused("BH-23")


def test_bh_23_creative_must_stand_for_something_and_nothing_else_may() -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 3])
    start.when(play("creative")).refused("BH-23")
    start.when(play("sad", as_="annoyed")).refused("BH-23")


def test_bh_23_creative_keeps_the_rules_of_what_it_stands_for() -> None:
    start = table([f"creative {PLAIN}", f"smug {OTHER}", THIRD], [1, 0, 2])
    start.when(play("creative", 1, as_="annoyed")).refused("BH-10")
    start.when(play("creative", 1, as_="sad")).refused("BH-4")
    start.when(play("creative", 1, as_="curious")).refused("BH-20")
    nobody = table([f"creative {PLAIN}", f"smug {OTHER}"], [1, 0])
    after = nobody.when(play("creative", as_="outraged"), dice=["sad"])
    after.then(CardPlayed(0, "creative", None, "outraged"), CardDrawn(0, known("sad", 0)), TurnPassed(1))


# -- pairs ------------------------------------------------------------------------------------------------------------


def test_bh_25_a_pair_takes_any_card_of_the_show_pile_and_draws_one() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1], show="smug bored smug flirty")
    takes = [move["take"] for move in start.legal() if move["type"] == "pair"]
    assert takes == ["bored", "flirty", "smug"]
    after = start.when(pair("sad", "sad", take="smug"), dice=["angry"])
    after.then(
        PairPlayed(0, ("sad", "sad")), CardRetrieved(0, "smug", 2), CardDrawn(0, known("angry", 0)), TurnPassed(1)
    )
    assert after.state.show_pile == ("smug", "bored", "flirty", "sad", "sad")
    assert len(after.state.hands[0]) == 7


def test_bh_25_on_an_empty_show_pile_a_pair_draws_two() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1])
    assert {"type": "pair", "cards": ["sad", "sad"]} in start.legal()
    after = start.when(pair("sad", "sad"), dice=["angry", "happy", "glum"])
    after.then(
        PairPlayed(0, ("sad", "sad")),
        CardDrawn(0, known("angry", 0)),
        HappyDrawn(0),
        CardDrawn(0, known("glum", 0)),
        TurnPassed(1),
    )


def test_bh_25_a_pair_cannot_take_back_its_own_cards() -> None:
    empty = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1])
    empty.when(pair("sad", "sad", take="sad")).refused("BH-25")
    table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1], show="glum").when(pair("sad", "sad", take="sad")).refused("BH-25")
    table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1], show="glum").when(pair("sad", "sad")).refused("BH-25")


def test_bh_25_a_pair_is_two_of_one_simple_emotion() -> None:
    start = table([f"bored bored creative {PLAIN}", f"smug {OTHER}"], [1, 1])
    start.when(pair("sad", "funny")).refused("BH-25")
    start.when(pair("bored", "bored")).refused("BH-25")
    start.when(pair("bored", "creative")).refused("BH-25")
    start.when(pair("creative", "creative")).refused("BH-25")


def test_bh_25_the_draws_of_a_pair_are_effects_at_seven_or_more_too() -> None:
    start = table([f"smug smug smug {PLAIN}", f"smug {OTHER}"], [1, 1], show="glum")
    after = start.when(pair("sad", "sad", take="glum"), dice=["angry"])
    assert len(after.state.hands[0]) == 9


def test_bh_25_a_card_drawn_for_a_pair_can_win() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [6, 0])
    after = start.when(pair("sad", "sad"), dice=["happy"])
    after.then(PairPlayed(0, ("sad", "sad")), HappyDrawn(0))


# -- the rainbow ------------------------------------------------------------------------------------------------------


def test_bh_26_the_rainbow_takes_one_happiness_and_the_refill_draws_five() -> None:
    start = table([f"glum bored {FULL_RAINBOW}", f"smug {OTHER}"], [1, 3])
    after = start.when({"type": "rainbow", "cards": RAINBOW[::-1], "target": 1}, dice=["sad"] * 4 + ["smug"])
    drawn = [CardDrawn(0, known(card, 0)) for card in ["sad"] * 4 + ["smug"]]
    after.then(RainbowPlayed(0, tuple(RAINBOW), 1), HappinessTaken(0, 1, 1), *drawn, TurnPassed(1))
    assert after.state.show_pile == tuple(RAINBOW)


def test_bh_26_the_rainbow_may_be_played_when_nobody_has_happiness() -> None:
    start = table([f"glum bored {FULL_RAINBOW}", f"smug {OTHER}"], [1, 0])
    rainbows = [move for move in start.legal() if move["type"] == "rainbow"]
    assert rainbows == [{"type": "rainbow", "cards": RAINBOW}]
    start.when({"type": "rainbow", "cards": RAINBOW, "target": 1}).refused("BH-10")
    after = start.when({"type": "rainbow", "cards": RAINBOW}, dice=["sad"] * 4 + ["smug"])
    assert after.happened[0] == RainbowPlayed(0, tuple(RAINBOW), None)
    assert len(after.state.hands[0]) == 7


def test_bh_26_creative_may_be_one_of_the_five() -> None:
    start = table([f"creative glum {FULL_RAINBOW}", f"smug {OTHER}"], [1, 3])
    rainbows = [move["cards"] for move in start.legal() if move["type"] == "rainbow"]
    assert len(rainbows) == 6
    assert ["surprised", "scared", "angry", "sad", "creative"] in rainbows
    move = {"type": "rainbow", "cards": ["creative", "sad", "angry", "scared", "surprised"], "target": 1}
    after = start.when(move, dice=["sad", "sad", "smug", "smug", "smug"])
    assert after.happened[0] == RainbowPlayed(0, ("surprised", "scared", "angry", "sad", "creative"), 1)


def test_bh_26_a_rainbow_has_all_five() -> None:
    start = table([f"creative sad {FULL_RAINBOW}", f"smug {OTHER}"], [1, 3])
    start.when({"type": "rainbow", "cards": ["sad", "sad", "angry", "funny", "scared"], "target": 1}).refused("BH-26")
    with_two = ["creative", "creative", "angry", "funny", "scared"]
    start.when({"type": "rainbow", "cards": with_two, "target": 1}).refused("BH-26")

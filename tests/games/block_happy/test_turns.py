"""Set-up and turns: BH-1 to BH-9, BH-27, BH-28."""

from __future__ import annotations

import pytest

from domain.game import Outcome
from domain.games.block_happy import GAME
from domain.games.block_happy.components import ALL_CARDS
from domain.games.block_happy.events import (
    CardDrawn,
    CardPlayed,
    CardRetrieved,
    Declined,
    HappinessTaken,
    HappyDrawn,
    PairPlayed,
    ShowPileShuffled,
    TickledPinkShown,
    TurnPassed,
)
from domain.games.block_happy.state import Options, won
from domain.hidden import redact
from domain.validation import MalformedError
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, THIRD, all_but, answer, known, play, table
from tests.support.scenario import dealt


def test_bh_1_two_to_five_play() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]


@pytest.mark.parametrize(("seats", "hidden"), [(2, 54), (3, 46), (4, 38), (5, 30)])
def test_bh_2_seven_cards_and_one_happy_for_everybody(seats: int, hidden: int) -> None:
    state = dealt(GAME, seats).state
    assert [len(hand) for hand in state.hands] == [7] * seats
    assert not any("happy" in hand for hand in state.hands)
    assert state.happiness == (1,) * seats
    assert len(state.hidden_pile) == hidden
    assert state.hidden_pile.cards.count("happy") == 7 - seats
    assert state.show_pile == ()
    assert len(ALL_CARDS) == 70


def test_bh_2_the_first_seat_is_drawn_unless_an_option_names_it() -> None:
    cards = [
        "sad",
        "sad",
        "sad",
        "sad",
        "sad",
        "sad",
        "angry",
        "angry",
        "angry",
        "angry",
        "angry",
        "angry",
        "funny",
        "funny",
    ]
    drawn = dealt(GAME, 2, dice=[*cards, 1])
    assert drawn.to_move == {1}
    assert drawn.state.hands[1].cards == ("angry", "angry", "angry", "funny", "sad", "sad", "sad")
    assert dealt(GAME, 2, Options(first_seat=0), dice=cards).to_move == {0}
    fault = GAME.options_fault(Options(first_seat=2), 2)
    assert isinstance(fault, MalformedError)
    assert fault.field == "first_seat"
    assert GAME.options_fault(Options(first_seat=2), 3) is None


def test_bh_3_a_turn_is_one_play_of_a_card_in_the_hand() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1])
    start.when(DECLINE).refused("BH-3")
    start.when(play("glum", 1)).refused("BH-3")
    start.when({"type": "pair", "cards": ["funny", "funny"]}).refused("BH-3")
    start.when({"type": "rainbow", "cards": ["funny", "funny", "sad", "angry", "scared"], "target": 1}).refused("BH-26")
    after = start.when(play("sad"), dice=["scared"])
    after.then(CardPlayed(0, "sad"), CardDrawn(0, known("scared", 0)), TurnPassed(1))
    assert after.to_move == {1}


def test_bh_4_a_card_that_cannot_act_is_played_at_nobody() -> None:
    start = table([f"smug overjoyed tickled_pink {PLAIN}", f"smug {OTHER}"], [1, 1])
    start.when(play("smug")).then(CardPlayed(0, "smug"), TurnPassed(1))
    start.when(play("overjoyed")).then(CardPlayed(0, "overjoyed"), TurnPassed(1))
    start.when(play("smug", 1)).refused("BH-4")
    start.when(play("sad", 1)).refused("BH-4")
    start.when(play("tickled_pink")).refused("BH-4")


def test_bh_4_a_card_that_can_act_must() -> None:
    start = table([f"annoyed bored {PLAIN}", f"smug {OTHER}"], [1, 1])
    start.when(play("annoyed")).refused("BH-4")
    start.when(play("bored")).refused("BH-4")


def test_bh_4_every_hand_has_a_play() -> None:
    start = table(["tickled_pink smug", f"smug {OTHER}"], [1, 1])
    assert start.legal() == [{"type": "play", "card": "smug"}]


def test_bh_5_the_card_lies_on_the_show_pile_before_its_effect() -> None:
    asked = table([f"flirty {PLAIN}", f"smug {OTHER}"], [1, 1], show="glum sad").when(play("flirty", 1))
    assert asked.state.show_pile == ("glum", "sad", "flirty")
    assert "flirty" not in asked.state.hands[0]
    assert asked.view()["show_pile"] == ["glum", "sad", "flirty"]


def test_bh_6_the_active_seat_refills_first_then_clockwise() -> None:
    hands = ["scared", OTHER, f"sad {THIRD}", "angry funny sad sad sad"]
    after = table(hands, [1, 1, 1, 1], turn=2).when(play("sad"), dice=["smug", "smug", "smug"])
    drawers = [event.seat for event in after.happened if isinstance(event, CardDrawn)]
    assert drawers == [2, 3, 3, *[0] * 6, 1]
    assert [len(hand) for hand in after.state.hands] == [7, 7, 7, 7]


def test_bh_6_a_chain_of_happy_happy_sad_gives_two_happiness_and_a_full_hand() -> None:
    after = table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1]).when(play("smug"), dice=["happy", "happy", "sad"])
    after.then(CardPlayed(0, "smug"), HappyDrawn(0), HappyDrawn(0), CardDrawn(0, known("sad", 0)), TurnPassed(1))
    assert after.state.happiness == (3, 1)
    assert len(after.state.hands[0]) == 7


def test_bh_7_the_hidden_pile_runs_out_in_the_middle_of_a_refill() -> None:
    start = table([f"sad {PLAIN}", "scared scared funny angry angry"], [3, 4], hidden="glum")
    after = start.when(play("sad"), dice=["glum", "sad", "smug"])
    after.then(
        CardPlayed(0, "sad"),
        CardDrawn(0, known("glum", 0)),
        ShowPileShuffled(),
        CardDrawn(1, known("sad", 1)),
        CardDrawn(1, known("smug", 1)),
        TurnPassed(1),
    )
    assert after.state.show_pile == ()
    assert len(after.state.hidden_pile) == 70 - 7 - 14


def test_bh_7_with_both_piles_empty_nobody_draws() -> None:
    start = table(["sad sad jealous", all_but("sad sad jealous")], [3, 4])
    after = start.when(play("jealous", 1))
    after.then(
        CardPlayed(0, "jealous", 1),
        HappinessTaken(0, 1, 1),
        ShowPileShuffled(),
        CardDrawn(1, known("jealous", 1)),
        TurnPassed(1),
    )
    assert len(after.state.hands[0]) == 2
    assert [len(after.state.hidden_pile), len(after.state.show_pile)] == [0, 0]


def test_bh_7_who_then_has_fewer_than_two_cards_is_passed_over() -> None:
    after = table([all_but("tickled_pink"), "tickled_pink"], [3, 4]).when(play("smug"), dice=["smug"])
    after.then(CardPlayed(0, "smug"), ShowPileShuffled(), CardDrawn(1, known("smug", 1)), TurnPassed(1))
    pair = {"type": "pair", "cards": ["sad", "sad"]}
    again = table([all_but("tickled_pink"), "tickled_pink"], [3, 4]).when(pair)
    assert again.happened[-1] == TurnPassed(0)
    assert again.to_move == {0}


def test_bh_8_happiness_is_seen_by_everybody() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [2, 3])
    assert start.view()["happiness"] == start.view(0)["happiness"] == [2, 3]


def test_bh_9_seven_happiness_win_at_once() -> None:
    start = table([f"frustrated {PLAIN}", f"smug {OTHER}"], [6, 1]).when(play("frustrated", 1))
    after = start.when(DECLINE)
    after.then(Declined(1), HappinessTaken(0, 1, 1))
    assert after.outcome == Outcome((0,), (7, 0), "seven happiness", "BH-9")
    assert after.to_move == set()
    assert len(after.state.hands[0]) == 6, "nobody refills after the end"


def test_bh_9_the_sixth_happiness_shows_tickled_pink() -> None:
    start = table([f"frustrated tickled_pink {PLAIN}", f"smug {OTHER}"], [5, 1]).when(play("frustrated", 1))
    after = start.when(DECLINE)
    after.then(Declined(1), HappinessTaken(0, 1, 1), TickledPinkShown(0))
    assert after.outcome == Outcome((0,), (6, 0), "six happiness and Tickled Pink", "BH-9")
    assert "tickled_pink" not in after.state.hands[0]


def test_bh_9_a_draw_of_tickled_pink_wins_in_the_middle_of_a_refill() -> None:
    start = table([f"sad {PLAIN}", OTHER, THIRD], [1, 6, 0])
    after = start.when(play("sad"), dice=["smug", "tickled_pink"])
    after.then(
        CardPlayed(0, "sad"),
        CardDrawn(0, known("smug", 0)),
        CardDrawn(1, known("tickled_pink", 1)),
        TickledPinkShown(1),
    )
    assert after.outcome is not None
    assert after.outcome.winners == (1,)


def test_bh_9_a_happy_drawn_by_another_seat_wins_out_of_turn() -> None:
    start = table([f"sad {PLAIN}", OTHER], [0, 6])
    after = start.when(play("sad"), dice=["smug", "happy"])
    assert after.happened[-1] == HappyDrawn(1)
    assert after.outcome == Outcome((1,), (0, 7), "seven happiness", "BH-9")


def test_bh_9_the_end_is_seen_by_everybody() -> None:
    state = (
        table([f"frustrated tickled_pink {PLAIN}", f"smug {OTHER}"], [5, 1])
        .when(play("frustrated", 1))
        .when(DECLINE)
        .state
    )
    for viewer in ([], [0], [1]):
        seen = redact(state, frozenset(viewer))
        assert GAME.outcome(seen) == GAME.outcome(state)
        assert won(seen)


def test_bh_27_a_hand_above_seven_is_not_cut_and_draws_nothing() -> None:
    start = table([f"jealous {PLAIN}", f"smug {OTHER}"], [1, 2])
    eight = start.when(play("jealous", 1), dice=["glum", "sad"])
    eight.then(
        CardPlayed(0, "jealous", 1),
        HappinessTaken(0, 1, 1),
        CardDrawn(1, known("glum", 1)),
        CardDrawn(0, known("sad", 0)),
        TurnPassed(1),
    )
    assert len(eight.state.hands[1]) == 8
    seven = eight.when(play("smug"))
    seven.then(CardPlayed(1, "smug"), TurnPassed(0))
    assert len(seven.state.hands[1]) == 7
    pair = eight.when({"type": "pair", "cards": ["scared", "scared"], "take": "jealous"}, dice=["smug"])
    pair.then(
        PairPlayed(1, ("scared", "scared")),
        CardRetrieved(1, "jealous", 0),
        CardDrawn(1, known("smug", 1)),
        TurnPassed(0),
    )


def test_bh_28_after_two_thousand_turns_the_most_happiness_wins() -> None:
    after = table([f"smug {PLAIN}", f"smug {OTHER}", THIRD], [3, 2, 1], turns=1999).when(
        play("smug"), dice=["sad", "glum"]
    )
    assert after.outcome == Outcome((0,), (3, 2, 1), "most happiness after 2,000 turns", "BH-28")
    assert after.to_move == set()


def test_bh_28_ties_are_shared_and_skipped_turns_do_not_count() -> None:
    start = table([f"smug {PLAIN}", f"smug {OTHER}"], [2, 2], turns=1998, skips=[0, 2])
    again = start.when(play("smug"), dice=["sad"])
    again.then(CardPlayed(0, "smug"), CardDrawn(0, known("sad", 0)), TurnPassed(0, (1,)))
    assert again.state.turns == 1999
    assert again.outcome is None
    after = again.when(play("sad"), dice=["glum"])
    assert after.outcome == Outcome((0, 1), (2, 2), "most happiness after 2,000 turns", "BH-28")


def test_bh_12_an_answer_out_of_place_is_refused() -> None:
    table([f"smug {PLAIN}", f"smug {OTHER}"], [1, 1]).when(answer("smug")).refused("BH-12")

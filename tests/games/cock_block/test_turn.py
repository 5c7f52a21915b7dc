"""Actions, discarding, the end of a turn, glory."""

from __future__ import annotations

from dataclasses import replace

from domain.games.cock_block import GAME
from domain.games.cock_block.events import Discarded, GloryBegan, Reshuffled, Rose, TurnEnded
from domain.games.cock_block.moves import EndTurn
from domain.games.cock_block.state import Options
from domain.hidden import Bag
from tests.support.cock_block.table import (
    ALL_ACCESS,
    CORN_PILLS,
    DECLINE,
    END_TURN,
    GLORY,
    PICK_UP,
    TOMAHAWK,
    at,
    block,
    counter,
    discard,
    drew,
    hand,
    legendary,
    move,
    position,
    put,
    rumor,
    table,
)
from tests.support.dice import ScriptedDice

FREE = Options(free_combinations=True)


def test_cb_4_two_moves() -> None:
    done = (
        table(at("a0", "flex_gunz", "flex_gunz", "flex_gunz"), at("d3")).when(move("flex_gunz")).when(move("flex_gunz"))
    )
    assert done.state.heroes[0].at == "a2"
    done.when(move("flex_gunz")).refused("CB-4")


def test_cb_4_move_and_attack_in_either_order() -> None:
    start = table(at("a0", "flex_gunz", "jealous_bff"), at("d3"))
    start.when(move("flex_gunz")).when(block("jealous_bff", "b3")).when(END_TURN)
    start.when(block("jealous_bff", "b3")).when(move("flex_gunz")).when(END_TURN)


def test_cb_4_attack_and_defence_do_not_go_together() -> None:
    start = table(at("a0", "jealous_bff", "tomahawk_god"), at("d3"))
    attacked = start.when(block("jealous_bff", "b3"))
    attacked.when(TOMAHAWK).refused("CB-4")
    assert {"type": "tomahawk"} not in attacked.legal()
    attacked.when(END_TURN)


def test_cb_4_two_attacks_two_defences_but_no_attack_and_discard() -> None:
    start = table(at("a0", "jealous_bff", "loud_friend", "wild"), at("d3"))
    start.when(block("jealous_bff", "b3")).when(block("loud_friend", "b4"))
    start.when(block("jealous_bff", "b3")).when(discard("wild")).refused("CB-4")
    start.when(discard("wild")).when(block("jealous_bff", "b3")).refused("CB-4")
    defending = table(at("a0", "wingman", "wingman"), at("d3"), tokens={"b3": "jealous_bff"})
    defending.when(counter("wingman", "b3", "b4")).when(counter("wingman", "b4", "b5"))


def test_cb_4_free_combinations_lift_it() -> None:
    start = table(at("a0", "jealous_bff", "tomahawk_god", "wild"), at("d3"), options=FREE)
    start.when(block("jealous_bff", "b3")).when(TOMAHAWK)
    start.when(block("jealous_bff", "b3")).when(discard("wild")).when(TOMAHAWK).refused("CB-4")


def test_cb_5_a_turn_may_end_without_an_action_and_goes_on_after_the_last_one() -> None:
    start = table(at("a5", "flex_gunz", "flex_gunz"), at("d3"))
    assert start.when(END_TURN).to_move == {1}
    arrived = start.when(move("flex_gunz")).when(move("flex_gunz", "left"))
    assert arrived.to_move == {0}
    arrived.when(PICK_UP).when(END_TURN)
    slowed = table(at("a0", "flex_gunz", "flex_gunz", "corn_pills", slowed=True), at("d3"))
    slowed.when(move("flex_gunz")).when(move("flex_gunz")).when(CORN_PILLS).when(END_TURN)


def test_cb_6_one_action_throws_one_card_and_two_throw_three() -> None:
    start = table(at("a0", "wild", "wild", "bouncer", "bartender"), at("d3"))
    start.when(discard("wild")).then(Discarded(0, ("wild",), 1))
    start.when(discard("wild bouncer")).then(Discarded(0, ("bouncer", "wild"), 2))
    start.when(discard("wild wild bouncer")).then(Discarded(0, ("bouncer", "wild", "wild"), 2))
    start.when(discard("wild wild bouncer bartender")).refused("CB-6")


def test_cb_6_three_cards_over_two_discards() -> None:
    start = table(at("a0", "wild", "wild", "bouncer", "bartender"), at("d3"))
    both = start.when(discard("wild")).when(discard("bartender bouncer"))
    both.then(Discarded(0, ("bartender", "bouncer"), 1))
    both.when(discard("wild")).refused("CB-4")
    start.when(discard("wild bartender")).when(discard("wild")).refused("CB-4")


def test_cb_6_after_a_move_one_card_may_go_but_not_two() -> None:
    moved = table(at("a0", "flex_gunz", "wild", "bouncer"), at("d3")).when(move("flex_gunz"))
    moved.when(discard("wild bouncer")).refused("CB-6")
    one = moved.when(discard("wild")).then(Discarded(0, ("wild",), 1))
    one.when(discard("bouncer")).refused("CB-4")


def test_cb_6_three_actions_throw_four() -> None:
    cards = ("moment_of_glory", "wild", "wild", "bouncer", "bartender", "wingman")
    start = table(at("a0", *cards), at("d3")).when(GLORY)
    start.when(discard("wild wild bouncer bartender")).then(
        Discarded(0, ("bartender", "bouncer", "wild", "wild"), 3),
    )
    thrown = start.when(discard("wild wild bouncer"))
    thrown.when(discard("wingman bartender")).refused("CB-6")
    thrown.when(discard("wingman")).then(Discarded(0, ("wingman",), 1))


def test_cb_6_a_discard_costs_what_the_whole_turn_has_thrown_and_one_action_at_least() -> None:
    cards = ("wild", "wild", "bouncer", "bartender", "wingman")
    start = table(at("a0", *cards), at("d3"), glory=True)
    start.when(discard("wild")).when(discard("wild bouncer bartender")).then(
        Discarded(0, ("bartender", "bouncer", "wild"), 2)
    )
    two = start.when(discard("wild bouncer"))
    one_more = two.when(discard("wild")).then(Discarded(0, ("wild",), 1))
    assert one_more.state.actions == ("discard",) * 3
    one_more.when(discard("bartender")).refused("CB-4")


def test_cb_6_only_cards_that_are_held_and_a_pair_only_if_both_are() -> None:
    start = table(at("a0", "wild", "bouncer"), at("d3"))
    start.when(discard("wild wild")).refused("CB-6")
    start.when(discard("wingman")).refused("CB-6")
    assert discard("bouncer wild") in start.legal()
    assert discard("wild bouncer") not in start.legal()


def test_cb_7_the_refill_comes_at_the_end_of_the_turn_and_not_between_actions() -> None:
    kept = ("bouncer",) * 4 + ("bartender",)
    start = table(at("a0", "flex_gunz", "flex_gunz", *kept), at("d3", *("the_rumor",) * 6, "wild"))
    moved = start.when(move("flex_gunz"))
    assert len(moved.state.hands[0]) == 6
    moved.when(END_TURN, dice=["wild"]).then(drew(0, "wild"), TurnEnded(0))


def test_cb_7_a_hand_below_seven_refills_before_its_turn() -> None:
    full = ("bouncer",) * 4 + ("bartender",) * 3
    start = table(at("a0", *full), at("d3", *("the_rumor",) * 5))
    start.when(END_TURN, dice=["wild", "wild"]).then(TurnEnded(0), drew(1, "wild", "wild"))


def test_cb_8_an_empty_deck_is_made_of_the_discard_pile_in_the_middle_of_a_draw() -> None:
    seats = (at("a0", "bouncer", "bouncer", "bouncer", "bouncer"), at("d3", *("the_rumor",) * 6, "bartender"))
    everything = GAME.view(GAME.parse(position(*seats), 2, Options()))["deck"]["cards"]
    left, thrown = everything[:1], everything[1:]
    start = table(*seats, deck={"cards": left}, discard=thrown)
    ended = start.when(END_TURN, dice=[left[0], "wild", "wild"])
    ended.then(drew(0, left[0]), Reshuffled(len(thrown)), drew(0, "wild", "wild"), TurnEnded(0))
    assert ended.state.discard == ()
    assert len(ended.state.deck) == len(thrown) - 2


def test_cb_8_with_both_empty_fewer_are_drawn() -> None:
    """The box has too many cards for that to happen in a match; the rule holds all the same."""
    full = table(at("a0", "bouncer", "bouncer"), at("d3", *("the_rumor",) * 6, "bartender")).state
    bare = replace(full, deck=Bag.of(("wild",)), discard=("bartender",))
    events = GAME.decide(bare, 0, EndTurn(), ScriptedDice("wild", "bartender"))
    assert events == [drew(0, "wild"), Reshuffled(1), drew(0, "bartender"), TurnEnded(0)]


def test_cb_8_a_played_card_is_in_the_discard_pile_before_the_draw_that_it_causes() -> None:
    seats = (at("a0", "jealous_bff"), at("b3", *("the_rumor",) * 6, "wingman"))
    everything = GAME.view(GAME.parse(position(*seats), 2, Options()))["deck"]["cards"]
    start = table(*seats, deck={"cards": []}, discard=everything).when(block("jealous_bff", "b5"))
    answered = start.when(counter("wingman", "b5", "b4"), dice=["wingman"])
    assert answered.happened[1:] == (Reshuffled(len(everything) + 2), drew(1, "wingman"))


def test_cb_9_glory_gives_a_third_action_before_the_first_one_once() -> None:
    cards = ("moment_of_glory", "moment_of_glory", "flex_gunz", "flex_gunz", "flex_gunz", "flex_gunz")
    start = table(at("a0", *cards), at("d3"))
    begun = start.when(GLORY).then(GloryBegan(0))
    begun.when(GLORY).refused("CB-9")
    third = begun.when(move("flex_gunz")).when(move("flex_gunz")).when(move("flex_gunz"))
    assert third.state.heroes[0].at == "a3"
    third.when(move("flex_gunz")).refused("CB-4")


def test_cb_9_glory_after_a_move_is_refused_and_after_pills_or_a_pick_up_is_not() -> None:
    start = table(at("a6", "moment_of_glory", "flex_gunz", "corn_pills", slowed=True), at("d3"))
    start.when(move("flex_gunz", "left")).when(GLORY).refused("CB-9")
    start.when(PICK_UP).when(CORN_PILLS).when(GLORY)


def test_cb_9_not_when_knocked_out_and_not_without_the_card() -> None:
    table(at("a0", "moment_of_glory", knocked_out=True), at("d3")).when(GLORY).refused("CB-9")
    table(at("a0", "wild"), at("d3")).when(GLORY).refused("CB-9")


def test_a_knocked_out_turn_ends_upright() -> None:
    full = ("bouncer",) * 4 + ("bartender",) * 3
    start = table(at("a0", *full, knocked_out=True), at("d3", *("the_rumor",) * 6, "wild"))
    start.when(END_TURN).then(Rose(0), TurnEnded(0))


def test_moves_of_another_moment_are_refused_with_the_rule_of_that_moment() -> None:
    start = table(at("a0", "wild"), at("d3"))
    start.when(DECLINE).refused("CB-25")
    start.when(put("b3")).refused("CB-28")
    start.when({"type": "commit", "cards": []}).refused("CB-34")
    start.when(ALL_ACCESS).refused("CB-29")
    start.when(legendary("bag_of_seeds")).refused("CB-28")
    start.when(rumor(1, "back back")).refused("CB-20")
    assert hand(start, 0) == ["wild"]

"""Counter blocks in and out of turn, legendaries, all_access, the Tomahawk God, corn_pills."""

from __future__ import annotations

from domain.games.cock_block.events import (
    AccessGained,
    Blocked,
    Countered,
    Declined,
    Recovered,
    TokenPut,
    TokensCleared,
    TokensLifted,
)
from tests.support.cock_block.table import (
    ALL_ACCESS,
    CORN_PILLS,
    DECLINE,
    END_TURN,
    TOMAHAWK,
    at,
    block,
    counter,
    discard,
    drew,
    hand,
    legendary,
    move,
    put,
    rumor,
    slow,
    spaces,
    table,
)

SIX = ("bouncer",) * 4 + ("bartender",) * 2


def test_cb_25_a_matching_counter_answers_at_once_and_brings_the_hand_back_to_seven() -> None:
    start = table(at("a0", "jealous_bff"), at("b3", *SIX, "wingman")).when(block("jealous_bff", "b4"))
    start.then(Blocked(0, "jealous_bff", "b4", (1,)))
    assert start.to_move == {1}
    answered = start.when(counter("wingman", "b4", "c4"), dice=["wild"])
    answered.then(Countered(1, "wingman", "b4", "c4"), drew(1, "wild"))
    assert answered.state.tokens == (("c4", "jealous_bff"),)
    assert len(answered.state.hands[1]) == 7
    assert answered.to_move == {0}
    assert answered.state.actions == ("attack",)


def test_cb_25_the_window_goes_by_column_and_not_by_row() -> None:
    start = table(at("b0", "jealous_bff"), at("a4", "wingman"), at("b0"), at("c4"))
    start.when(block("jealous_bff", "b4")).then(Blocked(0, "jealous_bff", "b4", (2,)))
    start.when(block("jealous_bff", "d4")).then(Blocked(0, "jealous_bff", "d4", ()))


def test_cb_25_everybody_there_is_asked_clockwise_whatever_he_holds_even_knocked_out() -> None:
    seats = (at("b1", knocked_out=True), at("b2"), at("b0", "jealous_bff"), at("b5", "wingman"))
    start = table(*seats, active=2).when(block("jealous_bff", "b4"))
    start.then(Blocked(2, "jealous_bff", "b4", (3, 0, 1)))
    assert start.to_move == {3}
    declined = start.when(DECLINE).then(Declined(3))
    assert declined.to_move == {0}
    assert declined.legal() == [DECLINE]
    last = declined.when(DECLINE).when(DECLINE)
    assert last.to_move == {2}


def test_cb_25_the_first_counter_closes_the_window() -> None:
    start = table(at("a0", "jealous_bff"), at("b1", "wingman"), at("b2", "wingman")).when(block("jealous_bff", "b4"))
    answered = start.when(counter("wingman", "b4", "b3"))
    assert answered.to_move == {0}
    assert answered.state.pending is None


def test_cb_25_a_wrong_kind_and_another_token_are_refused() -> None:
    start = table(at("a0", "jealous_bff"), at("b3", "wingman", "bouncer"), tokens={"d4": "jealous_bff"})
    asked = start.when(block("jealous_bff", "b4"))
    asked.when(counter("bouncer", "b4", "b5")).refused("CB-25")
    asked.when(counter("wingman", "d4", "d5")).refused("CB-25")
    asked.when(counter("bartender", "b4", "b5")).refused("CB-25")
    asked.when(counter("wingman", "b4", "b3")).refused("CB-27")
    asked.when(END_TURN).refused("CB-25")


def test_cb_25_no_window_for_a_token_that_cannot_move() -> None:
    around = dict.fromkeys(("b5", "a6", "c6"), "loud_friend")
    start = table(at("a0", "jealous_bff"), at("b3", "wingman"), tokens=around)
    start.when(block("jealous_bff", "b6")).then(Blocked(0, "jealous_bff", "b6", ()))


def test_cb_25_tokens_moved_by_a_counter_or_a_legendary_open_none() -> None:
    start = table(at("a0", "wingman", "bag_of_seeds"), at("b3", "wingman"), tokens={"a4": "jealous_bff"})
    assert start.when(counter("wingman", "a4", "b4")).to_move == {0}
    assert start.when(legendary("bag_of_seeds")).when(put("b4")).to_move == {0}


def test_cb_26_in_turn_a_counter_is_a_defence_on_any_token_of_its_kind_without_a_draw() -> None:
    start = table(at("a0", "wingman", "bouncer"), at("d3"), tokens={"c4": "jealous_bff", "b4": "drink_spiller"})
    moved = start.when(counter("wingman", "c4", "c5")).then(Countered(0, "wingman", "c4", "c5"))
    assert moved.state.actions == ("defend",)
    assert hand(moved, 0) == ["bouncer"]
    start.when(counter("bouncer", "b4", "b5")).refused("CB-26")
    start.when(counter("wingman", "d4", "d5")).refused("CB-26")
    start.when(counter("bartender", "b4", "b5")).refused("CB-26")


def test_cb_27_one_space_around_the_edge_onto_a_free_space() -> None:
    tokens = {"a4": "jealous_bff", "b4": "loud_friend"}
    start = table(at("a3", "wingman"), at("d3"), tokens=tokens)
    assert {m["to"] for m in start.legal() if m["type"] == "counter"} == {"a5", "d4"}
    start.when(counter("wingman", "a4", "b4")).refused("CB-27")
    start.when(counter("wingman", "a4", "a3")).refused("CB-27")
    start.when(counter("wingman", "a4", "b5")).refused("CB-27")
    start.when(counter("wingman", "a4", "a6")).refused("CB-27")


def test_cb_27_a_counter_for_a_token_without_a_free_neighbour_is_refused() -> None:
    tokens = {"a6": "jealous_bff", "b6": "loud_friend", "d6": "loud_friend"}
    start = table(at("a5", "wingman"), at("d3"), tokens=tokens)
    for space in ("b6", "d6", "a5"):
        start.when(counter("wingman", "a6", space)).refused("CB-27")
    assert not [m for m in start.legal() if m["type"] == "counter"]


def test_cb_28_a_legendary_with_four_tokens_lifts_and_puts_each_of_them() -> None:
    four = dict.fromkeys(("a1", "a2", "a3", "a4"), "drink_spiller")
    start = table(at("a0", "mop_of_destiny"), at("d3"), tokens=four | {"b1": "loud_friend"})
    lifted = start.when(legendary("mop_of_destiny")).then(TokensLifted(0, "mop_of_destiny", 4))
    assert lifted.view()["tokens"] == {"b1": "loud_friend"}
    assert lifted.view()["supply"] == {"jealous_bff": 4, "drink_spiller": 0, "loud_friend": 3}
    assert lifted.state.discard == ()
    lifted.when(END_TURN).refused("CB-28")
    lifted.when(put("d3")).refused("CB-28")
    lifted.when(put("b1")).refused("CB-28")
    first = lifted.when(put("d2")).then(TokenPut(0, "drink_spiller", "d2"))
    first.when(put("d2")).refused("CB-28")
    done = first.when(put("d4")).when(put("a3")).when(put("c3"))
    assert done.state.pending is None
    assert done.state.discard == ("mop_of_destiny",)
    assert len(done.state.tokens) == 5


def test_cb_28_it_needs_a_token_of_its_kind_on_the_board() -> None:
    start = table(at("a0", "golden_mute"), at("d3"), tokens={"b1": "jealous_bff"})
    start.when(legendary("golden_mute")).refused("CB-28")
    start.when(legendary("bag_of_seeds")).refused("CB-28")


def test_cb_28_attack_or_defence_may_follow_it_but_no_discard() -> None:
    cards = ("bag_of_seeds", "loud_friend", "tomahawk_god", "wild", "wild")
    start = table(at("a0", *cards), at("d3"), tokens={"a3": "jealous_bff"})
    played = start.when(legendary("bag_of_seeds")).when(put("a3"))
    played.when(block("loud_friend", "b3"))
    played.when(TOMAHAWK)
    played.when(discard("wild")).refused("CB-4")
    start.when(discard("wild")).when(legendary("bag_of_seeds")).refused("CB-4")


def test_cb_28_it_follows_an_attack_or_a_defence_and_decides_nothing_anew() -> None:
    cards = ("bag_of_seeds", "loud_friend", "tomahawk_god", "bouncer")
    start = table(at("a0", *cards), at("d3"), tokens={"a3": "jealous_bff"}, glory=True)
    attacked = start.when(block("loud_friend", "b3")).when(legendary("bag_of_seeds")).when(put("a3"))
    attacked.when(TOMAHAWK).refused("CB-4")
    defended = start.when(TOMAHAWK)
    defended.when(legendary("bag_of_seeds")).refused("CB-28")
    after = table(at("a0", *cards), at("d3"), tokens={"a3": "jealous_bff", "a4": "loud_friend"}, glory=True)
    countered = after.when(counter("bouncer", "a4", "a5")).when(legendary("bag_of_seeds")).when(put("a3"))
    countered.when(block("loud_friend", "b3")).refused("CB-4")
    countered.when(TOMAHAWK)


def test_cb_29_the_tomahawk_god_clears_the_board_and_needs_a_token() -> None:
    start = table(at("a0", "tomahawk_god"), at("d3"), tokens={"a3": "jealous_bff", "c6": "loud_friend"})
    cleared = start.when(TOMAHAWK).then(TokensCleared(0))
    assert cleared.state.tokens == ()
    assert cleared.view()["supply"] == {"jealous_bff": 4, "drink_spiller": 4, "loud_friend": 4}
    table(at("a0", "tomahawk_god"), at("d3")).when(TOMAHAWK).refused("CB-29")


def test_cb_29_all_access_lies_on_the_hero_and_ends_and_prevents_slowness() -> None:
    start = table(at("a0", "all_access", slowed=True), at("d3", "drank_2_much")).when(ALL_ACCESS)
    start.then(AccessGained(0))
    hero = start.state.heroes[0]
    assert (hero.all_access, hero.slowed) == (True, False)
    assert start.state.discard == ("drank_2_much",)
    assert start.state.actions == ("defend",)
    start.when(END_TURN).when(slow(0)).refused("CB-24")


def test_cb_29_with_all_access_no_fight_is_started_or_suffered() -> None:
    starting = table(at("b2", "flex_gunz", all_access=True), at("b3")).when(move("flex_gunz"))
    assert spaces(starting) == ["b3", "b3"]
    assert starting.to_move == {0}
    suffering = table(at("b2", "flex_gunz"), at("b3", all_access=True)).when(move("flex_gunz"))
    assert len(suffering.happened) == 1


def test_cb_29_rumors_and_tokens_still_work_on_all_access() -> None:
    start = table(at("a5", "the_rumor"), at("b3", "flex_gunz", all_access=True), tokens={"b1": "loud_friend"})
    assert spaces(start.when(rumor(1, "back back")))[1] == "b0"


def test_cb_29_pills_are_free_in_turn_knocked_out_or_not_and_draw_at_once() -> None:
    start = table(at("a0", *SIX, "corn_pills", slowed=True), at("d3"))
    taken = start.when(CORN_PILLS, dice=["wild"]).then(Recovered(0), drew(0, "wild"))
    assert taken.state.actions == ()
    assert taken.state.discard == ("corn_pills", "drank_2_much")
    taken.when(CORN_PILLS).refused("CB-29")
    lying = table(at("a0", *SIX, "corn_pills", slowed=True, knocked_out=True), at("d3"))
    lying.when(CORN_PILLS, dice=["wild"]).then(Recovered(0), drew(0, "wild"))
    table(at("a0", "wild", slowed=True), at("d3")).when(CORN_PILLS).refused("CB-29")

"""Cock blocks, rumors, drank_2_much."""

from __future__ import annotations

import pytest

from domain.games.cock_block.events import Blocked, Declined, FightBegan, Rumored, Slowed
from tests.support.cock_block.table import (
    CORN_PILLS,
    DECLINE,
    END_TURN,
    GEEKS,
    at,
    block,
    commit,
    drew,
    move,
    rumor,
    slow,
    spaces,
    table,
)


def test_cb_19_a_token_goes_from_the_supply_on_any_space_without_hero_or_token() -> None:
    start = table(at("a0", "jealous_bff"), at("d3"), tokens={"c4": "loud_friend"})
    blocked = start.when(block("jealous_bff", "b3")).then(Blocked(0, "jealous_bff", "b3", ()))
    assert blocked.view()["supply"] == {"jealous_bff": 3, "drink_spiller": 4, "loud_friend": 3}
    assert blocked.state.discard == ("jealous_bff",)
    open_to = {m["at"] for m in start.legal() if m["type"] == "block"}
    assert len(open_to) == 28 - 3
    assert {"b0", "b6"} <= open_to


def test_cb_19_not_on_a_hero_not_on_a_token_not_off_the_board() -> None:
    start = table(at("a0", "jealous_bff"), at("d3"), tokens={"c4": "loud_friend"})
    start.when(block("jealous_bff", "d3")).refused("CB-19")
    start.when(block("jealous_bff", "a0")).refused("CB-19")
    start.when(block("jealous_bff", "c4")).refused("CB-19")
    start.when(block("jealous_bff", "c8")).refused("CB-19")
    start.when(block("loud_friend", "c3")).refused("CB-19")


def test_cb_19_a_token_on_a_waiting_chick_keeps_heroes_away_from_her() -> None:
    start = table(at("b5", "jealous_bff", "flex_gunz"), at("d3")).when(block("jealous_bff", "b6"))
    assert start.view()["friend_zone"]["b6"] == "tracy"
    start.when(move("flex_gunz")).refused("CB-14")


def test_cb_19_a_fifth_token_of_a_kind_is_refused() -> None:
    four = dict.fromkeys(("a1", "a2", "a3", "a4"), "jealous_bff")
    start = table(at("a0", "jealous_bff", "loud_friend"), at("d3"), tokens=four)
    start.when(block("jealous_bff", "b3")).refused("CB-19")
    assert {m["card"] for m in start.legal() if m["type"] == "block"} == {"loud_friend"}


@pytest.mark.parametrize(
    ("path", "alone", "carrying"),
    [
        ("back back", "b1", "b5"),
        ("back left", "a2", "a4"),
        ("left back", "a2", "a4"),
        ("back right", "c2", "c4"),
        ("right back", "c2", "c4"),
    ],
)
def test_cb_20_a_rumor_moves_two_steps_one_of_them_back(path: str, alone: str, carrying: str) -> None:
    without = table(at("a0", "the_rumor"), at("b3")).when(rumor(1, path))
    without.then(Rumored(0, 1, tuple(path.split()), alone, None))
    with_her = table(at("a0", "the_rumor"), at("b3", chick="sarah")).when(rumor(1, path))
    with_her.then(Rumored(0, 1, tuple(path.split()), carrying, None))


def test_cb_20_sideways_only_is_refused_and_so_are_strangers() -> None:
    start = table(at("a2", "the_rumor"), at("b3"))
    start.when(rumor(1, "left right")).refused("CB-20")
    start.when(rumor(0, "back back")).refused("CB-20")
    start.when(rumor(2, "back back")).refused("CB-20")
    start.when(rumor(3, "back back")).refused("CB-20")
    assert len([m for m in start.legal() if m["type"] == "rumor"]) == 5


def test_cb_20_a_hero_without_a_chick_on_row_0_is_no_target_a_carrier_there_is() -> None:
    table(at("a2", "the_rumor"), at("b0")).when(rumor(1, "back back")).refused("CB-20")
    table(at("a2", "the_rumor"), at("b0", knocked_out=True)).when(rumor(1, "back left")).refused("CB-20")
    lying = table(at("a2", "the_rumor"), at("b0", chick="sarah", knocked_out=True)).when(rumor(1, "back back"))
    assert spaces(lying)[1] == "b2"


def test_cb_20_a_step_off_the_board_leaves_him_in_his_column_and_the_next_goes_on() -> None:
    assert spaces(table(at("a2", "the_rumor"), at("b1")).when(rumor(1, "back back")))[1] == "b0"
    carrier = table(at("a2", "the_rumor"), at("b6", chick="sarah")).when(rumor(1, "back left"))
    carrier.then(Rumored(0, 1, ("back", "left"), "a6", "sarah"))


def test_cb_20_tokens_are_jumped_in_the_exit_area_as_well() -> None:
    start = table(at("a2", "the_rumor"), at("b1"), tokens={"b0": "loud_friend"})
    assert spaces(start.when(rumor(1, "back right")))[1] == "c0"


def test_cb_21_on_a_token_he_goes_back_further() -> None:
    tokens = {"b2": "loud_friend", "b1": "jealous_bff"}
    assert spaces(table(at("a5", "the_rumor"), at("b4"), tokens=tokens).when(rumor(1, "back back")))[1] == "b0"
    up = table(at("a5", "the_rumor"), at("b2", chick="sarah"), tokens={"b4": "loud_friend"})
    assert spaces(up.when(rumor(1, "back back")))[1] == "b5"


def test_cb_21_past_the_end_he_stands_on_the_first_free_space_to_the_right() -> None:
    tokens = {"c0": "loud_friend", "d0": "jealous_bff"}
    start = table(at("a5", "the_rumor"), at("c2"), tokens=tokens).when(rumor(1, "back back"))
    start.then(Rumored(0, 1, ("back", "back"), "a0", None))


def test_cb_21_a_hero_on_that_space_is_fought() -> None:
    start = table(at("d0", "the_rumor"), at("c2"), tokens={"c0": "loud_friend"}, options=GEEKS)
    start.when(rumor(1, "back back")).then(Rumored(0, 1, ("back", "back"), "d0", None), FightBegan(1, 0))


def test_cb_21_with_four_tokens_in_the_row_nothing_happens_at_all() -> None:
    tokens = {"a6": "loud_friend", "b6": "loud_friend", "c6": "jealous_bff", "d6": "jealous_bff"}
    start = table(at("a3", "the_rumor"), at("b5", chick="sarah"), at("b5", knocked_out=True), tokens=tokens)
    start.when(rumor(1, "back back")).then(Rumored(0, 1, ("back", "back"), "b5", None))
    with_company = table(at("a3", "the_rumor"), at("b5", chick="sarah"), at("b5"), tokens=tokens)
    with_company.when(rumor(1, "back back")).then(Rumored(0, 1, ("back", "back"), "b5", None))


def test_cb_22_past_the_friend_zone_he_loses_his_chick() -> None:
    start = table(at("a3", "the_rumor"), at("b5", chick="sarah")).when(rumor(1, "back back"))
    start.then(Rumored(0, 1, ("back", "back"), "b6", "sarah"))
    assert start.view()["friend_zone"]["d6"] == "sarah"
    at_the_edge = table(at("a3", "the_rumor"), at("b4", chick="sarah")).when(rumor(1, "back back"))
    assert at_the_edge.state.heroes[1].chick == "sarah"


def test_cb_22_an_extra_step_counts_as_well_and_back_stays_up_though_she_is_gone() -> None:
    tokens = {"b6": "loud_friend"}
    extra = table(at("a3", "the_rumor"), at("b4", chick="sarah"), tokens=tokens).when(rumor(1, "back back"))
    extra.then(Rumored(0, 1, ("back", "back"), "c6", "sarah"))
    lost_first = table(at("a3", "the_rumor"), at("a6", chick="sarah"), tokens=tokens).when(rumor(1, "back right"))
    lost_first.then(Rumored(0, 1, ("back", "right"), "c6", "sarah"))


def test_cb_23_a_rumored_hero_fights_whom_he_lands_on_as_the_mover() -> None:
    start = table(at("a5", "the_rumor"), at("b4"), at("b2"), options=GEEKS).when(rumor(1, "back back"))
    start.then(Rumored(0, 1, ("back", "back"), "b2", None), FightBegan(1, 2))
    assert start.to_move == {1, 2}
    assert start.when(commit(), seat=1).to_move == {2}


def test_cb_24_drank_2_much_lies_on_an_opponent_who_is_always_asked() -> None:
    start = table(at("a0", "drank_2_much"), at("d3")).when(slow(1)).then(Slowed(0, 1))
    assert start.to_move == {1}
    assert start.legal() == [DECLINE]
    declined = start.when(DECLINE).then(Declined(1))
    assert declined.to_move == {0}
    assert declined.view()["seats"][1]["slowed"] is True
    assert declined.state.discard == ()


def test_cb_24_an_answer_with_pills_takes_it_off_at_once_and_draws() -> None:
    full = ("bouncer",) * 4 + ("wild", "wild", "corn_pills")
    start = table(at("a0", "drank_2_much"), at("d3", *full)).when(slow(1))
    start.when(block("jealous_bff", "b3")).refused("CB-24")
    answered = start.when(CORN_PILLS, dice=["wild"])
    assert answered.happened[1:] == (drew(1, "wild"),)
    assert answered.state.discard == ("corn_pills", "drank_2_much")
    assert len(answered.state.hands[1]) == 7


def test_cb_24_not_twice_not_on_an_immune_hero_not_on_oneself() -> None:
    table(at("a0", "drank_2_much"), at("d3", slowed=True)).when(slow(1)).refused("CB-24")
    table(at("a0", "drank_2_much"), at("d3", all_access=True)).when(slow(1)).refused("CB-24")
    start = table(at("a0", "drank_2_much"), at("d3"))
    start.when(slow(0)).refused("CB-24")
    start.when(slow(2)).refused("CB-24")


def test_cb_24_a_knocked_out_hero_may_be_slowed_and_asked() -> None:
    start = table(at("a0", "drank_2_much"), at("d3", "corn_pills", knocked_out=True)).when(slow(1))
    assert start.when(CORN_PILLS).state.heroes[1].slowed is False
    later = start.when(DECLINE).when(END_TURN)
    assert later.when(CORN_PILLS).state.heroes[1].slowed is False

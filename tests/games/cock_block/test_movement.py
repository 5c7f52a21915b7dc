"""Paying, stepping, jumping, picking up, coming home."""

from __future__ import annotations

import pytest

from domain.games.cock_block.events import FightBegan, KnockedOut, Moved, PickedUp, Rolled, Rose
from tests.support.cock_block.table import END_TURN, GEEKS, PICK_UP, at, block, commit, move, rumor, slow, spaces, table

PATHS = ("forward", "left", "right")
BREAD_PATHS = ("forward forward", "left left", "right right", "left forward", "right forward")


REFILLS = [*["wild"] * 6, "the_rumor", *["got_bread"] * 6, "the_rumor"]
"""Two empty hands, one after the other."""


def moves_of(start: list[dict[str, object]]) -> list[tuple[str, str]]:
    return [(" ".join(m["cards"]), " ".join(m["path"])) for m in start if m["type"] == "move"]  # type: ignore[arg-type]


def test_cb_10_forward_is_up_without_a_chick_and_down_with_one() -> None:
    alone = table(at("b3", "flex_gunz"), at("d3")).when(move("flex_gunz"))
    alone.then(Moved(0, ("flex_gunz",), ("forward",), "b4"))
    carrying = table(at("b3", "flex_gunz", chick="tracy"), at("d3")).when(move("flex_gunz"))
    carrying.then(Moved(0, ("flex_gunz",), ("forward",), "b2"))


def test_cb_10_nobody_moves_himself_backward_or_off_the_board() -> None:
    with pytest.raises(Exception, match="must be one of forward, left, right"):
        table(at("b3", "flex_gunz"), at("d3")).when(move("flex_gunz", "back"))
    table(at("b6", "flex_gunz"), at("d3")).when(move("flex_gunz")).refused("CB-10")


@pytest.mark.parametrize("row", [0, 3, 6])
def test_cb_10_the_edge_wraps_in_every_row(row: int) -> None:
    left = table(at(f"a{row}", "flex_gunz"), at("c2")).when(move("flex_gunz", "left"))
    assert spaces(left)[0] == f"d{row}"
    right = table(at(f"d{row}", "flex_gunz"), at("c2")).when(move("flex_gunz", "right"))
    assert spaces(right)[0] == f"a{row}"


def test_cb_10_left_is_the_same_way_for_a_carrier() -> None:
    carrying = table(at("c3", "flex_gunz", chick="tracy"), at("d3")).when(move("flex_gunz", "left"))
    assert spaces(carrying)[0] == "b3"


def test_cb_11_what_pays_for_a_step() -> None:
    cards = ("flex_gunz", "got_the_moves", "got_the_moves", "best_joke_ever", "get_2_drinks", "wild", "wild")
    legal = moves_of(table(at("b3", *cards), at("d3")).legal())
    paid = ["flex_gunz", "got_the_moves got_the_moves", "got_the_moves wild", "best_joke_ever wild", "get_2_drinks"]
    assert legal == [(cards, path) for cards in paid for path in PATHS]


def test_cb_11_two_different_skills_do_not_pay() -> None:
    start = table(at("b3", "got_the_moves", "best_joke_ever"), at("d3"))
    start.when(move("got_the_moves best_joke_ever")).refused("CB-11")
    start.when(move("got_the_moves")).refused("CB-11")


def test_cb_11_wild_cards_alone_do_not_pay() -> None:
    start = table(at("b3", "wild", "wild"), at("d3"))
    start.when(move("wild")).refused("CB-11")
    start.when(move("wild wild")).refused("CB-11")


def test_cb_11_no_overpaying() -> None:
    start = table(at("b3", "flex_gunz", "flex_gunz", "wild", "get_2_drinks"), at("d3"))
    start.when(move("flex_gunz flex_gunz")).refused("CB-11")
    start.when(move("wild flex_gunz")).refused("CB-11")
    start.when(move("get_2_drinks flex_gunz")).refused("CB-11")
    start.when(move("get_2_drinks")).then(Moved(0, ("get_2_drinks",), ("forward",), "b4"))


def test_cb_11_cards_must_be_held_and_may_be_named_in_any_order() -> None:
    start = table(at("b3", "got_the_moves", "wild"), at("d3"))
    start.when(move("flex_gunz")).refused("CB-11")
    start.when(move("got_the_moves got_the_moves")).refused("CB-11")
    paid = start.when(move("wild got_the_moves")).then(Moved(0, ("got_the_moves", "wild"), ("forward",), "b4"))
    assert paid.state.discard == ("got_the_moves", "wild")


def test_cb_11_no_other_card_pays() -> None:
    start = table(at("b3", "the_rumor", "wild"), at("d3"))
    start.when(move("the_rumor")).refused("CB-11")
    start.when(move("the_rumor wild")).refused("CB-11")


def test_cb_12_bread_goes_exactly_two_spaces_in_five_ways() -> None:
    start = table(at("b2", "got_bread"), at("d0"))
    assert moves_of(start.legal()) == [("got_bread", path) for path in BREAD_PATHS]
    landed = [spaces(start.when(move("got_bread", path)))[0] for path in BREAD_PATHS]
    assert landed == ["b4", "d2", "d2", "a3", "c3"]
    start.when(move("got_bread", "forward")).refused("CB-12")
    start.when(move("got_bread", "forward left")).refused("CB-12")
    start.when(move("got_bread", "left right")).refused("CB-12")


def test_cb_12_two_steps_need_bread_and_bread_needs_nothing_else() -> None:
    start = table(at("b2", "got_bread", "flex_gunz", "wild"), at("d0"))
    start.when(move("flex_gunz", "forward forward")).refused("CB-12")
    start.when(move("got_bread wild", "forward forward")).refused("CB-12")
    table(at("b2", "wild"), at("d0")).when(move("got_bread", "left left")).refused("CB-12")


def test_cb_12_a_step_off_the_board_makes_it_illegal() -> None:
    from_five = table(at("b5", "got_bread"), at("d0"))
    from_five.when(move("got_bread", "forward forward")).refused("CB-12")
    assert spaces(from_five.when(move("got_bread", "left forward")))[0] == "a6"
    table(at("b6", "got_bread"), at("d0")).when(move("got_bread", "left forward")).refused("CB-12")
    table(at("b1", "got_bread", chick="tracy"), at("d0")).when(move("got_bread", "forward forward")).refused("CB-12")


def test_cb_12_a_hook_wraps_too_and_bread_is_one_action() -> None:
    hooked = table(at("a2", "got_bread", "flex_gunz"), at("c0")).when(move("got_bread", "left forward"))
    assert spaces(hooked)[0] == "d3"
    hooked.when(move("flex_gunz"))


def test_cb_13_the_first_step_may_hold_a_hero_or_a_token_but_no_token_of_the_exit_area() -> None:
    start = table(at("a1", "got_bread"), at("a2"), tokens={"b1": "loud_friend"})
    assert start.when(move("got_bread", "forward forward")).happened == (
        Moved(0, ("got_bread",), ("forward", "forward"), "a3"),
    )
    assert spaces(start.when(move("got_bread", "right right")))[0] == "c1"
    in_exit = table(at("a0", "got_bread"), at("b2"), tokens={"b0": "loud_friend"})
    in_exit.when(move("got_bread", "right right")).refused("CB-13")
    in_exit.when(move("got_bread", "right forward")).refused("CB-13")
    assert ("got_bread", "right forward") not in moves_of(in_exit.legal())


def test_cb_13_a_hero_in_the_exit_area_may_be_jumped() -> None:
    start = table(at("a0", "got_bread"), at("b0"))
    assert spaces(start.when(move("got_bread", "right right"))) == ["c0", "b0"]


def test_cb_14_nobody_moves_onto_a_token_not_even_on_one_of_his_own() -> None:
    start = table(at("a1", "got_bread", "flex_gunz", "jealous_bff"), at("d3"), tokens={"a2": "drink_spiller"})
    start.when(move("flex_gunz")).refused("CB-14")
    own = start.when(block("jealous_bff", "b2"))
    own.when(move("got_bread", "right forward")).refused("CB-14")


def test_cb_15_picking_up_is_free_optional_and_possible_later() -> None:
    start = table(at("a5", "flex_gunz", "flex_gunz"), at("d3", *("wild",) * 6, "the_rumor"))
    arrived = start.when(move("flex_gunz"))
    arrived.when(PICK_UP).then(PickedUp(0, "hailey"))
    waited = arrived.when(END_TURN).when(END_TURN)
    picked = waited.when(PICK_UP)
    assert picked.state.heroes[0].chick == "hailey"
    assert picked.view()["friend_zone"] == {"b6": "tracy", "c6": "vivian", "d6": "sarah"}
    assert picked.state.actions == ()
    picked.when(PICK_UP).refused("CB-15")


def test_cb_15_one_chick_upright_and_on_her_space() -> None:
    table(at("b6", chick="hailey"), at("d3")).when(PICK_UP).refused("CB-15")
    table(at("b6", knocked_out=True), at("d3")).when(PICK_UP).refused("CB-15")
    table(at("b5"), at("d3")).when(PICK_UP).refused("CB-15")
    table(at("b6"), at("d3", chick="tracy")).when(PICK_UP).refused("CB-15")


def test_cb_15_who_wins_the_fight_on_a_chicks_space_may_pick_her_up_and_who_loses_may_not() -> None:
    start = table(at("b5", "flex_gunz", *("wild",) * 6), at("b6", *("the_rumor",) * 6, "bouncer"))
    won = start.when(move("flex_gunz"), dice=["cb", "miss"])
    won.when(PICK_UP).then(PickedUp(0, "tracy"))
    lost = start.when(move("flex_gunz"), dice=["miss", "cb", "bouncer"])
    assert lost.to_move == {1}
    lost.when(PICK_UP).then(PickedUp(1, "tracy"))


def test_cb_16_the_chicks_skill_counts_as_ones_own_while_she_is_carried() -> None:
    start = table(at("d6", "fresh_2_death", "fresh_2_death"), at("a0"))
    start.when(move("fresh_2_death", "left")).refused("CB-11")
    picked = start.when(PICK_UP)
    picked.when(move("fresh_2_death fresh_2_death")).refused("CB-11")
    assert spaces(picked.when(move("fresh_2_death")))[0] == "d5"


def test_cb_17_home_with_a_chick_wins_at_once() -> None:
    home = table(at("b1", "flex_gunz", chick="sarah"), at("d3")).when(move("flex_gunz"))
    assert home.outcome is not None
    assert (home.outcome.winners, home.outcome.rule) == ((0,), "CB-17")
    assert home.to_move == frozenset()
    assert home.match.status == "finished"


def test_cb_17_any_space_of_the_exit_area_will_do_and_a_hero_alone_wins_nothing() -> None:
    assert table(at("d1", "got_bread", chick="hailey"), at("b0")).when(move("got_bread", "right forward")).outcome
    assert table(at("d0", "flex_gunz"), at("b0")).when(move("flex_gunz", "left")).outcome is None


def test_cb_18_a_carrier_beats_the_occupant_of_the_exit_and_wins() -> None:
    start = table(at("b1", "flex_gunz", chick="sarah"), at("b0"))
    home = start.when(move("flex_gunz"), dice=["cb", "miss"])
    home.then(
        Moved(0, ("flex_gunz",), ("forward",), "b0"),
        FightBegan(0, 1),
        Rolled(0, 1, (("cb",), ("miss",)), (2, 0), (2, 0)),
        KnockedOut(1, 0),
    )
    assert home.outcome is not None
    assert home.outcome.winners == (0,)


def test_cb_18_a_carrier_who_loses_lies_there_and_wins_on_recovery() -> None:
    start = table(at("b1", "flex_gunz", chick="sarah"), at("b0"))
    lost = start.when(move("flex_gunz"), dice=["miss", "cb", *REFILLS])
    assert lost.outcome is None
    assert lost.to_move == {1}
    assert lost.state.heroes[0].chick == "sarah"
    risen = lost.when(END_TURN).when(END_TURN)
    risen.then(Rose(0))
    assert risen.outcome is not None
    assert risen.outcome.winners == (0,)


def test_cb_18_with_cards_nobody_is_home_before_the_fight_is_decided() -> None:
    start = table(at("b1", "flex_gunz", "wild", chick="sarah"), at("b0", "got_bread"), options=GEEKS)
    arrived = start.when(move("flex_gunz"))
    assert arrived.outcome is None
    assert arrived.to_move == {0, 1}
    chosen = arrived.when(commit("wild"), seat=0)
    assert chosen.outcome is None
    won, lost = chosen.when(commit()), chosen.when(commit("got_bread"))
    assert won.outcome is not None
    assert won.outcome.winners == (0,)
    assert lost.outcome is None
    assert lost.state.heroes[0].knocked_out


def test_cb_18_of_two_who_stand_in_the_exit_a_carrier_has_to_beat_both() -> None:
    seats = (at("b1", "flex_gunz", chick="sarah"), at("b0"), at("b0"))
    beaten = table(*seats).when(move("flex_gunz"), dice=["cb", "miss", "miss", "cb"])
    assert beaten.outcome is None
    assert beaten.state.heroes[0].knocked_out
    home = table(*seats).when(move("flex_gunz"), dice=["cb", "miss", "cb", "miss"])
    assert home.outcome is not None
    with_cards = table(*seats, options=GEEKS).when(move("flex_gunz")).when(commit(), seat=1)
    between = with_cards.when(commit(), seat=0, dice=["wild", "flex_gunz"])
    assert between.happened[-1] == FightBegan(0, 2)
    assert between.outcome is None


def test_cb_18_unless_he_was_rumored_away() -> None:
    start = table(
        at("b0", "bouncer", chick="sarah", knocked_out=True),
        at("b0", "the_rumor"),
        active=1,
    )
    away = start.when(rumor(0, "back left"))
    assert spaces(away)[0] == "a1"
    risen = away.when(END_TURN).when(END_TURN)
    assert risen.outcome is None
    assert not risen.state.heroes[0].knocked_out


def test_a_slowed_seat_may_still_pay_with_skills() -> None:
    cards = ("got_the_moves", "got_the_moves", "get_2_drinks", "got_bread", "flex_gunz")
    start = table(at("b3", *cards, slowed=True), at("d3"))
    assert {cards for cards, _path in moves_of(start.legal())} == {"flex_gunz", "got_the_moves got_the_moves"}
    start.when(move("get_2_drinks")).refused("CB-24")
    start.when(move("got_bread", "left left")).refused("CB-24")
    start.when(move("got_the_moves got_the_moves"))
    start.when(slow(1)).refused("CB-24")

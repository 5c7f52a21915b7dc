"""Every worked example of the printed book, on the board."""

from __future__ import annotations

import pytest

from domain.games.cock_block.events import (
    Blocked,
    Countered,
    FightBegan,
    KnockedOut,
    Moved,
    Recovered,
    Rolled,
    Rumored,
    Slowed,
    TokensLifted,
)
from tests.support.cock_block.table import (
    CORN_PILLS,
    DECLINE,
    END_TURN,
    PICK_UP,
    at,
    block,
    counter,
    drew,
    legendary,
    move,
    put,
    rumor,
    slow,
    spaces,
    table,
)

HERO_AND_SKILL = ["flex_gunz", "got_the_moves", "best_joke_ever", "fresh_2_death"]


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_each_hero_needs_only_one_card_of_his_skill(seat: int) -> None:
    skill, other = HERO_AND_SKILL[seat], HERO_AND_SKILL[seat - 1]
    hands: list[tuple[str, ...]] = [()] * 4
    hands[seat] = (skill, other)
    start = table(
        *(at(space, *cards) for space, cards in zip(("a1", "b1", "c1", "d1"), hands, strict=True)), active=seat
    )
    start.when(move(other)).refused("CB-11")
    start.when(move(skill)).then(Moved(seat, (skill,), ("forward",), f"{'abcd'[seat]}2"))


def test_with_sarah_trent_also_needs_only_one_fresh_2_death() -> None:
    start = table(at("d6", "flex_gunz", "fresh_2_death"), at("a0")).when(PICK_UP)
    start.when(move("flex_gunz")).when(move("fresh_2_death")).then(Moved(0, ("fresh_2_death",), ("forward",), "d4"))


@pytest.mark.parametrize(
    ("chick", "skill"),
    [("hailey", "flex_gunz"), ("tracy", "got_the_moves"), ("vivian", "best_joke_ever"), ("sarah", "fresh_2_death")],
)
def test_each_chick_adds_the_skill_that_she_loves(chick: str, skill: str) -> None:
    table(at("b3", skill, chick=chick), at("d3")).when(move(skill)).then(Moved(0, (skill,), ("forward",), "b2"))


def test_toward_the_exterior_one_warps_to_the_other_side() -> None:
    assert spaces(table(at("a2", "get_2_drinks"), at("d3")).when(move("get_2_drinks", "left")))[0] == "d2"


def test_bread_jumps_over_lil_wing_or_a_token_and_hooks() -> None:
    start = table(at("b1", "got_bread"), at("b2"), tokens={"c1": "loud_friend"})
    start.when(move("got_bread", "forward forward")).then(Moved(0, ("got_bread",), ("forward", "forward"), "b3"))
    start.when(move("got_bread", "right right")).then(Moved(0, ("got_bread",), ("right", "right"), "d1"))
    start.when(move("got_bread", "left forward")).then(Moved(0, ("got_bread",), ("left", "forward"), "a2"))
    start.when(move("got_bread", "right forward")).then(Moved(0, ("got_bread",), ("right", "forward"), "c2"))


def test_kentucky_cannot_jump_a_token_on_the_exit_area() -> None:
    seats = (at("d3"), at("d4"), at("b0", "got_bread"))
    start = table(*seats, active=2, tokens={"c0": "jealous_bff"})
    start.when(move("got_bread", "right right")).refused("CB-13")


def test_rumor_a_onto_another_opponents_space_provokes_a_fight() -> None:
    start = table(at("d5", "the_rumor"), at("b4"), at("b2"))
    start.when(rumor(1, "back back"), dice=["cb", "miss"]).then(
        Rumored(0, 1, ("back", "back"), "b2", None),
        FightBegan(1, 2),
        Rolled(1, 2, (("cb",), ("miss",)), (2, 0), (2, 0)),
        KnockedOut(2, 1),
    )


def test_rumor_b_onto_a_token_moves_him_back_an_additional_space() -> None:
    start = table(at("d5", "the_rumor"), at("b4"), tokens={"b2": "loud_friend"}).when(rumor(1, "back back"))
    start.then(Rumored(0, 1, ("back", "back"), "b1", None))


def test_rumor_c_past_the_friend_zone_loses_the_chick() -> None:
    start = table(at("d5", "the_rumor"), at("b5", chick="vivian")).when(rumor(1, "back back"))
    start.then(Rumored(0, 1, ("back", "back"), "b6", "vivian"))
    assert start.view()["friend_zone"]["c6"] == "vivian"
    assert start.view()["seats"][1]["chick"] is None


def test_lil_wing_gets_blocked() -> None:
    start = table(at("a0", "jealous_bff"), at("b3", "got_the_moves", "wild")).when(block("jealous_bff", "b4"))
    start.then(Blocked(0, "jealous_bff", "b4", (1,)))
    turn = start.when(DECLINE).when(END_TURN)
    turn.when(move("got_the_moves")).refused("CB-14")
    turn.when(move("got_the_moves", "left"))


def test_only_the_wingman_moves_the_jealous_bff_and_lil_wing_puts_it_in_front_of_kentucky() -> None:
    seats = (at("a0", "jealous_bff"), at("b3", "wingman", "bouncer"), at("c3", "best_joke_ever"))
    start = table(*seats).when(block("jealous_bff", "b4"))
    start.when(counter("bouncer", "b4", "c4")).refused("CB-25")
    moved = start.when(counter("wingman", "b4", "c4"), dice=["wild"])
    moved.then(Countered(1, "wingman", "b4", "c4"), drew(1, "wild"))
    kentuckys = moved.when(END_TURN).when(END_TURN)
    kentuckys.when(move("best_joke_ever")).refused("CB-14")


def test_the_bag_of_seeds_moves_all_jealous_bff_tokens_and_kentucky_blocks_several() -> None:
    seats = (at("a2", "flex_gunz"), at("b2", "got_the_moves"), at("d5", "bag_of_seeds"))
    tokens = {"c1": "jealous_bff", "d1": "jealous_bff", "d2": "loud_friend"}
    start = table(*seats, active=2, tokens=tokens).when(legendary("bag_of_seeds"))
    start.then(TokensLifted(2, "bag_of_seeds", 2))
    placed = start.when(put("a3")).when(put("b3"))
    assert placed.view()["tokens"] == {"a3": "jealous_bff", "b3": "jealous_bff", "d2": "loud_friend"}
    trents = placed.when(END_TURN)
    trents.when(move("flex_gunz")).refused("CB-14")
    trents.when(END_TURN).when(move("got_the_moves")).refused("CB-14")


def test_pills_before_drank_2_much_lies_and_after() -> None:
    pills = at("b3", "corn_pills", "get_2_drinks", *("bouncer",) * 4, "wild")
    start = table(at("a0", "drank_2_much"), pills).when(slow(1)).then(Slowed(0, 1))
    start.when(CORN_PILLS, dice=["wild"]).then(Recovered(1), drew(1, "wild"))
    later = start.when(DECLINE).when(END_TURN)
    later.when(move("get_2_drinks")).refused("CB-24")
    later.when(CORN_PILLS).when(move("get_2_drinks"))


def test_drank_2_much_lies_until_a_fight_is_lost() -> None:
    start = table(at("b2", "flex_gunz"), at("b3", slowed=True)).when(move("flex_gunz"), dice=["cb", "miss"])
    assert start.view()["seats"][1]["slowed"] is False
    assert start.view()["discard"] == ["flex_gunz", "drank_2_much"]


def test_the_dice_of_the_book() -> None:
    """One rolls 2x and then a miss, the other a punch; then cb against a shield is one."""
    start = table(at("b2", "flex_gunz"), at("b3"))
    fight = start.when(move("flex_gunz"), dice=["2x", "miss", "punch", "cb", "shield", "cb", "miss"])
    assert fight.happened[2:4] == (
        Rolled(0, 1, (("2x", "miss"), ("punch",)), (0, 1), (0, 1)),
        Rolled(0, 1, (("cb",), ("shield",)), (1, 0), (1, 1)),
    )


def test_two_discard_actions_throw_three_and_draw_three() -> None:
    cards = ("bouncer", "bouncer", "bartender", "bartender", "wild", "wild", "wild")
    start = table(at("a0", *cards), at("d3", *("the_rumor",) * 6, "wingman"))
    thrown = start.when({"type": "discard", "cards": ["bouncer", "bartender", "wild"]})
    ended = thrown.when(END_TURN, dice=["flex_gunz", "flex_gunz", "got_bread"])
    assert ended.happened[0] == drew(0, "flex_gunz", "flex_gunz", "got_bread")
    assert len(ended.state.hands[0]) == 7

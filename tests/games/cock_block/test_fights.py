"""Fights: who fights, with dice, and what losing means."""

from __future__ import annotations

from domain.games.cock_block import GAME
from domain.games.cock_block.events import (
    Discarded,
    FightBegan,
    KnockedOut,
    Moved,
    Rolled,
    Rose,
    Rumored,
    TurnEnded,
)
from domain.games.cock_block.fights import hits_of, shields_of
from tests.support.cock_block.table import (
    END_TURN,
    GEEKS,
    GLORY,
    PICK_UP,
    at,
    block,
    commit,
    counter,
    discard,
    drew,
    move,
    rumor,
    spaces,
    table,
)
from tests.support.scenario import Scenario

SEVEN = ("bouncer",) * 4 + ("bartender",) * 3


def met(*, dice: list[str], foe: str = "b3", **foes: bool) -> Scenario:
    """Seat 0 steps onto the space of seat 1; both hands are full then."""
    start = table(at("b2", "flex_gunz", *SEVEN[:6]), at(foe, *("the_rumor",) * 6, "wild", **foes))
    return start.when(move("flex_gunz"), dice=dice)


def rolled(mover: str, foe: str, gains: tuple[int, int], hits: tuple[int, int]) -> Rolled:
    return Rolled(0, 1, (tuple(mover.split()), tuple(foe.split())), gains, hits)


def test_cb_30_ending_a_move_on_an_upright_hero_is_a_fight() -> None:
    assert met(dice=["cb", "miss"]).happened[1] == FightBegan(0, 1)


def test_cb_30_not_with_a_knocked_out_or_immune_hero() -> None:
    assert len(met(dice=[], knocked_out=True).happened) == 1
    assert len(met(dice=[], all_access=True).happened) == 1


def test_cb_30_several_are_fought_clockwise_from_the_mover_until_he_loses() -> None:
    start = table(at("b3"), at("b2", "got_the_moves"), at("b3"), at("b3"), active=1)
    lost = start.when(move("got_the_moves"), dice=["cb", "miss", "miss", "cb"])
    fights = [event for event in lost.happened if isinstance(event, (FightBegan, KnockedOut))]
    assert fights == [FightBegan(1, 2), KnockedOut(2, 1), FightBegan(1, 3), KnockedOut(1, 3)]
    won = start.when(move("got_the_moves"), dice=["cb", "miss"] * 3)
    assert [hero.knocked_out for hero in won.state.heroes] == [True, False, True, True]
    assert won.to_move == {1}


def test_cb_30_several_fights_with_cards_follow_one_another() -> None:
    start = table(at("b2", "flex_gunz", "wild"), at("b3"), at("b3"), options=GEEKS).when(move("flex_gunz"))
    second = start.when(commit("wild"), seat=0).when(commit(), seat=1)
    assert second.happened[-1] == FightBegan(0, 2)
    assert second.to_move == {0, 2}
    assert second.outcome is None


def test_cb_31_the_option_says_how_fights_go() -> None:
    assert any(isinstance(event, Rolled) for event in met(dice=["cb", "miss"]).happened)
    start = table(at("b2", "flex_gunz"), at("b3"), options=GEEKS).when(move("flex_gunz"))
    start.then(Moved(0, ("flex_gunz",), ("forward",), "b3"), FightBegan(0, 1))
    assert start.to_move == {0, 1}


def test_cb_32_first_to_two_hits_wins() -> None:
    fight = met(dice=["punch", "miss", "miss", "punch", "punch", "miss"])
    assert fight.happened[1:] == (
        FightBegan(0, 1),
        rolled("punch", "miss", (1, 0), (1, 0)),
        rolled("miss", "punch", (0, 1), (1, 1)),
        rolled("punch", "miss", (1, 0), (2, 1)),
        KnockedOut(1, 0),
    )


def test_cb_32_a_shield_takes_off_one_hit_and_cb_against_it_is_one() -> None:
    fight = met(dice=["cb", "shield", "shield", "punch", "punch", "miss"])
    assert fight.happened[2:5] == (
        rolled("cb", "shield", (1, 0), (1, 0)),
        rolled("shield", "punch", (0, 0), (1, 0)),
        rolled("punch", "miss", (1, 0), (2, 0)),
    )


def test_cb_32_a_shield_without_a_hit_to_block_takes_nothing_from_either() -> None:
    fight = met(dice=["miss", "shield", "shield", "miss", "shield", "2x", "shield", "cb", "miss"])
    assert fight.happened[2:5] == (
        rolled("miss", "shield", (0, 0), (0, 0)),
        rolled("shield", "miss", (0, 0), (0, 0)),
        rolled("shield", "2x shield", (0, 0), (0, 0)),
    )


def test_cb_32_2x_rolls_again_and_doubles_hits_and_shields() -> None:
    assert hits_of(("2x", "2x", "cb")) == 8
    assert hits_of(("2x", "punch")) == 2
    assert hits_of(("2x", "miss")) == 0
    assert shields_of(("2x", "shield")) == 2
    fight = met(dice=["2x", "2x", "cb", "2x", "shield"])
    assert fight.happened[2] == rolled("2x 2x cb", "2x shield", (6, 0), (6, 0))


def test_cb_33_both_at_two_in_the_same_roll_go_on_until_one_roll_decides() -> None:
    fight = met(dice=["2x", "cb", "cb", "punch", "punch", "shield", "miss", "miss", "punch"])
    assert fight.happened[2:6] == (
        rolled("2x cb", "cb", (4, 2), (4, 2)),
        rolled("punch", "punch", (1, 1), (5, 3)),
        rolled("shield", "miss", (0, 0), (5, 3)),
        rolled("miss", "punch", (0, 1), (5, 4)),
    )
    assert fight.happened[6] == KnockedOut(0, 1)


def test_cb_35_the_loser_keeps_place_and_chick_drops_drank_2_much_and_his_turn_ends() -> None:
    loser = at("b3", "flex_gunz", *SEVEN[:6], chick="sarah", slowed=True)
    start = table(loser, at("b2", *("the_rumor",) * 6, "wild"))
    lost = start.when(move("flex_gunz"), dice=["miss", "cb", "wild"])
    assert lost.happened[3:] == (KnockedOut(0, 1), drew(0, "wild"), TurnEnded(0))
    hero = lost.state.heroes[0]
    assert (hero.at, hero.chick, hero.knocked_out, hero.slowed) == ("b2", "sarah", True, False)
    assert lost.state.discard == ("drank_2_much", "flex_gunz")
    assert lost.to_move == {1}


def test_cb_35_losing_in_ones_own_first_action_ends_the_turn() -> None:
    lost = met(dice=["miss", "cb", "wild"])
    assert lost.to_move == {1}
    assert lost.state.turn == 2


def test_cb_35_the_winner_goes_on_and_shares_the_space() -> None:
    won = met(dice=["cb", "miss"])
    assert won.to_move == {0}
    assert spaces(won) == ["b3", "b3"]
    assert won.state.heroes[1].knocked_out


def test_cb_35_a_knocked_out_turn_discards_once_up_to_three_and_ends_upright() -> None:
    cards = ("moment_of_glory", "jealous_bff", "wingman", "flex_gunz", "wild", "wild", "bouncer")
    start = table(
        at("b6", *cards, knocked_out=True), at("d3", *("the_rumor",) * 6, "bartender"), tokens={"a3": "jealous_bff"}
    )
    start.when(move("flex_gunz")).refused("CB-35")
    start.when(block("jealous_bff", "a1")).refused("CB-35")
    start.when(counter("wingman", "a3", "a4")).refused("CB-35")
    start.when(GLORY).refused("CB-9")
    start.when(PICK_UP).refused("CB-15")
    start.when(discard("wild wild bouncer flex_gunz")).refused("CB-35")
    thrown = start.when(discard("wild wild bouncer")).then(Discarded(0, ("bouncer", "wild", "wild"), 2))
    thrown.when(discard("wingman")).refused("CB-35")
    assert thrown.legal() == [END_TURN]
    risen = thrown.when(END_TURN, dice=["wild", "wild", "bouncer"])
    risen.then(Rose(0), drew(0, "wild", "wild", "bouncer"), TurnEnded(0))
    start.when(discard("wild")).when(discard("wild")).refused("CB-35")


def test_cb_35_rising_starts_no_fight_and_leaving_and_coming_back_does() -> None:
    start = table(at("b3", *SEVEN, knocked_out=True), at("b3", "got_the_moves", "got_the_moves"))
    risen = start.when(END_TURN)
    assert not risen.state.heroes[0].knocked_out
    assert spaces(risen) == ["b3", "b3"]
    assert risen.to_move == {1}
    back = risen.when(move("got_the_moves", "left")).when(move("got_the_moves", "right"), dice=["cb", "miss"])
    assert back.happened[1] == FightBegan(1, 0)


def test_cb_35_the_turn_of_an_active_loser_ends_after_the_movers_other_fights() -> None:
    start = table(at("b2", "the_rumor", "wild"), at("b4", "got_bread"), at("b2", "wild"), options=GEEKS)
    first = start.when(rumor(1, "back back")).when(commit("got_bread"), seat=1).when(commit(), seat=2)
    assert first.happened[-1] == FightBegan(1, 0)
    lost = table(at("b2", "the_rumor", "wild"), at("b2"), at("b4", "got_bread"), options=GEEKS)
    second = lost.when(rumor(2, "back back")).when(commit("got_bread"), seat=2).when(commit(), seat=0)
    assert second.happened[-1] == FightBegan(2, 1)
    assert second.to_move == {1, 2}
    assert second.state.heroes[0].knocked_out
    ended = second.when(commit(), seat=1).when(commit(), seat=2)
    assert ended.happened[-2:] == (TurnEnded(0), ended.happened[-1])
    assert ended.to_move == {1}


def test_cb_36_a_knocked_out_hero_is_rumored_and_passed_without_a_fight() -> None:
    start = table(at("b2", "the_rumor", "got_bread"), at("b3", knocked_out=True), at("b1"))
    start.when(rumor(1, "back back")).then(Rumored(0, 1, ("back", "back"), "b1", None))
    passed = start.when(move("got_bread", "forward forward"))
    assert len(passed.happened) == 1


def test_cb_36_a_knocked_out_hero_answers() -> None:
    start = table(at("a0", "jealous_bff"), at("b3", "wingman", knocked_out=True)).when(block("jealous_bff", "b4"))
    assert start.to_move == {1}
    start.when(counter("wingman", "b4", "b5"))


def test_cb_35_a_fight_that_a_rumor_brings_upon_the_active_seat_can_end_its_turn() -> None:
    start = table(at("b1", "the_rumor", *SEVEN[:6]), at("b3", *("wild",) * 5, "got_bread", "got_bread"))
    lost = start.when(rumor(1, "back back"), dice=["cb", "miss", "wild"])
    assert lost.happened[1] == FightBegan(1, 0)
    assert lost.happened[3:] == (KnockedOut(0, 1), drew(0, "wild"), TurnEnded(0))
    won = start.when(rumor(1, "back back"), dice=["miss", "cb"])
    assert won.happened[3:] == (KnockedOut(1, 0),)
    assert won.to_move == {0}


def test_cb_35_only_the_loser_is_rid_of_drank_2_much() -> None:
    start = table(at("b2", "flex_gunz", slowed=True), at("b3", slowed=True))
    won = start.when(move("flex_gunz"), dice=["cb", "miss"])
    assert [hero.slowed for hero in won.state.heroes] == [True, False]


def test_cb_33_the_log_says_when_sudden_death_decides() -> None:
    fight = met(dice=["cb", "cb", "miss", "miss", "punch", "miss"])
    told = [GAME.sentence(event, ("Ann", "Bob")) for event in fight.happened if isinstance(event, Rolled)]
    assert told == [
        "Ann rolls cb; Bob rolls cb: 2 against 2, 2 to 2 in all. Both have enough, so sudden death decides.",
        "Ann rolls miss; Bob rolls miss: 0 against 0, 2 to 2 in all. This is sudden death.",
        "Ann rolls punch; Bob rolls miss: 1 against 0, 3 to 2 in all. This is sudden death.",
    ]
    usual = met(dice=["cb", "miss"])
    assert not any("sudden" in GAME.sentence(event, ("Ann", "Bob")) for event in usual.happened)

"""The box, the deal, the options."""

from __future__ import annotations

from collections import Counter

import pytest

from domain import validation
from domain.games.cock_block import GAME
from domain.games.cock_block.board import BOARDS
from domain.games.cock_block.components import BLOCKS, CARDS, CHICKS, DECK, FACES, HEROES, TOKENS_OF_A_KIND
from domain.games.cock_block.rules_text import RULES
from domain.games.cock_block.state import Options
from tests.support.dice import RandomDice
from tests.support.scenario import dealt


def test_the_box_holds_110_cards_12_tokens_and_a_die_of_six_faces() -> None:
    assert len(DECK) == 110
    assert len(BLOCKS) * TOKENS_OF_A_KIND == 12
    assert len(FACES) == 6
    assert {row.rarity for row in CARDS.values()} == {1, 2, 3, 4, 5}


COUNTS_AND_RARITIES = {
    "flex_gunz got_the_moves best_joke_ever fresh_2_death": (11, 1),
    "wild": (6, 2),
    "get_2_drinks": (10, 2),
    "got_bread the_rumor": (6, 4),
    "jealous_bff drink_spiller loud_friend": (4, 3),
    "wingman bartender bouncer": (4, 2),
    "bag_of_seeds mop_of_destiny golden_mute all_access": (1, 5),
    "moment_of_glory tomahawk_god": (2, 4),
    "drank_2_much": (3, 3),
    "corn_pills": (3, 2),
}


def test_every_card_is_there_as_often_and_as_rare_as_the_rules_say() -> None:
    told = {card: said for cards, said in COUNTS_AND_RARITIES.items() for card in cards.split()}
    assert {card: (row.count, row.rarity) for card, row in CARDS.items()} == told


def test_the_rules_are_numbered_without_a_gap_and_each_says_where_it_comes_from() -> None:
    assert [rule.number for rule in RULES] == [f"CB-{n}" for n in range(1, 39)]
    assert all(rule.basis and len(rule.text) > 40 for rule in RULES)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cb_1_all_chicks_and_tokens_are_in_play_with_any_number_of_seats(seats: int) -> None:
    view = dealt(GAME, seats).view()
    assert list(view["friend_zone"].values()) == list(CHICKS)
    assert view["supply"] == dict.fromkeys(BLOCKS, 4)
    assert len(view["seats"]) == seats
    assert GAME.seats == range(2, 5)


def test_cb_2_heroes_start_in_the_exit_area_with_seven_cards_and_chicks_wait_in_the_friend_zone() -> None:
    start = dealt(GAME, 4)
    view = start.view()
    assert [seat["hero"] for seat in view["seats"]] == list(HEROES)
    assert [seat["at"] for seat in view["seats"]] == ["a0", "b0", "c0", "d0"]
    assert [seat["hand"]["count"] for seat in view["seats"]] == [7, 7, 7, 7]
    assert view["friend_zone"] == {"a6": "hailey", "b6": "tracy", "c6": "vivian", "d6": "sarah"}
    assert view["deck"]["count"] == 110 - 28
    held = Counter(card for bag in (*start.state.hands, start.state.deck) for card in bag.cards)
    assert held == Counter(DECK)


def test_cb_2_the_table_chooses_its_heroes() -> None:
    options = Options(heroes=("eggy_silverspoon", "trent_cooper"))
    assert [hero.name for hero in dealt(GAME, 2, options).state.heroes] == ["eggy_silverspoon", "trent_cooper"]


def test_cb_2_the_barn_has_three_to_eight_rows() -> None:
    state = GAME.deal(2, Options(barn_rows=8), RandomDice())
    assert GAME.view(state)["friend_zone"]["d9"] == "sarah"
    assert [len(board.spaces) for board in BOARDS.values()] == [20, 24, 28, 32, 36, 40]


def test_cb_3_the_first_seat_is_drawn_or_chosen_and_play_goes_clockwise() -> None:
    assert dealt(GAME, 3, dice=[2]).to_move == {2}
    chosen = dealt(GAME, 3, Options(first_seat=1))
    assert chosen.to_move == {1}
    assert chosen.when({"type": "end_turn"}).to_move == {2}
    assert chosen.when({"type": "end_turn"}).when({"type": "end_turn"}).to_move == {0}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (Options(first_seat=2), "first_seat"),
        (Options(heroes=("lil_wing", "lil_wing")), "heroes"),
        (Options(heroes=("lil_wing", "trent_cooper", "kentucky_rogers")), "heroes"),
    ],
)
def test_options_that_contradict_the_number_of_seats_or_each_other_are_told(options: Options, field: str) -> None:
    fault = GAME.options_fault(options, 2)
    assert fault is not None
    assert fault.field == field


def test_good_options_have_no_fault_and_read_from_json() -> None:
    plain = {"first_seat": 1, "barn_rows": 3, "fights": "geeks", "heroes": ["lil_wing", "trent_cooper"]}
    options = validation.read(Options, plain)
    assert GAME.options_fault(options, 2) is None
    assert GAME.options_fault(Options(), 4) is None

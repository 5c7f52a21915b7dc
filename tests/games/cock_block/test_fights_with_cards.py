"""Fights with cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.games.cock_block import GAME
from domain.games.cock_block.events import (
    Committed,
    KnockedOut,
    Reshuffled,
    Revealed,
    Turned,
)
from domain.games.cock_block.moves import Commit
from domain.games.cock_block.state import Options
from domain.hidden import Bag
from domain.validation import MalformedError
from tests.support.cock_block.table import END_TURN, GEEKS, at, commit, drew, move, own, position, rumor, table
from tests.support.dice import ScriptedDice
from tests.support.scenario import Scenario


def duel(mover: tuple[str, ...], foe: tuple[str, ...], **fields: object) -> Scenario:
    start = table(at("b2", "flex_gunz", *mover), at("b3", *foe), options=GEEKS, **fields)
    return start.when(move("flex_gunz"))


def test_cb_34_the_higher_sum_of_rarities_wins_and_both_draw_as_many_as_they_chose() -> None:
    start = duel(("got_bread", "wild", "bouncer"), ("the_rumor", "jealous_bff", "loud_friend"))
    first = start.when(commit("wild got_bread"), seat=0).then(Committed(0, own(0, "got_bread", "wild")))
    assert first.to_move == {1}
    second = first.when(commit("the_rumor jealous_bff loud_friend"), dice=["corn_pills"] * 3 + ["wingman"] * 2)
    assert second.happened[:5] == (
        Committed(1, own(1, "the_rumor", "jealous_bff", "loud_friend")),
        Revealed(0, 1, (("got_bread", "wild"), ("the_rumor", "jealous_bff", "loud_friend")), (6, 10)),
        KnockedOut(0, 1),
        drew(0, "corn_pills", "corn_pills"),
        drew(1, "corn_pills", "wingman", "wingman"),
    )
    assert second.to_move == {1}


def test_cb_34_the_fighters_commit_in_any_order_three_cards_at_most_that_they_hold() -> None:
    start = duel(("got_bread", "wild"), ("the_rumor",))
    start.when(commit("the_rumor"), seat=1).when(commit(), seat=0)
    start.when(commit("the_rumor"), seat=0).refused("CB-34")
    start.when(commit("wild wild"), seat=0).refused("CB-34")
    start.when(END_TURN, seat=0).refused("CB-34")
    assert len(start.legal(0)) == 4
    committed = start.when(commit("the_rumor"), seat=1)
    assert committed.legal(1) == []


def test_cb_34_four_cards_are_too_many() -> None:
    start = duel(("got_bread", "wild", "bouncer", "wingman"), ())
    assert max(len(m["cards"]) for m in start.legal(0)) == 3
    with pytest.raises(MalformedError, match="cards"):
        start.when(commit("got_bread wild bouncer wingman"), seat=0)


def test_cb_24_who_drank_too_much_may_still_fight_with_the_cards_that_he_cannot_move_with() -> None:
    seats = (at("b2", "flex_gunz"), at("b3", "got_bread", "get_2_drinks", slowed=True))
    fight = table(*seats, options=GEEKS).when(move("flex_gunz")).when(commit("got_bread get_2_drinks"), seat=1)
    assert fight.when(commit()).state.heroes[0].knocked_out


def test_cb_34_nothing_shows_until_both_are_in() -> None:
    start = duel(("got_bread", "wild"), ("the_rumor", "bouncer"))
    none, two = start.when(commit(), seat=0), start.when(commit("got_bread wild"), seat=0)
    assert none.view(1) == two.view(1)
    assert none.view() == two.view()
    assert [seat["hand"]["count"] for seat in two.view(1)["seats"]] == [2, 2]
    assert two.view(0)["pending"]["commitments"] == [["got_bread", "wild"], None]
    assert two.view(1)["pending"]["commitments"] == [{"hidden": True}, None]
    assert none.legal(1) == two.legal(1)


def test_cb_34_at_nothing_against_nothing_the_deck_decides() -> None:
    start = duel(("wild",), ("bouncer",)).when(commit(), seat=0)
    tie = start.when(commit(), dice=["flex_gunz", "best_joke_ever", "wild", "got_bread"])
    assert tie.happened[1:7] == (
        Revealed(0, 1, ((), ()), (0, 0)),
        Turned(0, "flex_gunz"),
        Turned(1, "best_joke_ever"),
        Turned(0, "wild"),
        Turned(1, "got_bread"),
        KnockedOut(0, 1),
    )


def test_cb_34_what_was_turned_stays_out_of_a_deck_that_is_made_anew_meanwhile() -> None:
    seats = (at("b2", "flex_gunz", "wild"), at("b3", "wingman"))
    everything = GAME.view(GAME.parse(position(*seats), 2, Options()))["deck"]["cards"]
    deck, pile = ["got_bread"], list(everything)
    pile.remove("got_bread")
    start = table(*seats, options=GEEKS, deck={"cards": deck}, discard=pile).when(move("flex_gunz"))
    tie = start.when(commit("wild"), seat=0).when(
        commit("wingman"), seat=1, dice=["got_bread", "the_rumor", "wild", "flex_gunz"]
    )
    assert tie.happened[2:8] == (
        Turned(0, "got_bread"),
        Reshuffled(len(everything)),
        Turned(1, "the_rumor"),
        Turned(0, "wild"),
        Turned(1, "flex_gunz"),
        KnockedOut(1, 0),
    )
    assert tie.state.discard == ("flex_gunz", "got_bread", "the_rumor", "wild", "wild", "wingman")


def test_cb_34_when_the_cards_run_out_inside_a_tie_the_mover_wins() -> None:
    """The box has too many cards for that to happen in a match; the rule holds all the same."""
    tied = duel(("wild",), ("bouncer",)).when(commit("wild"), seat=0).state
    for deck, last in ((("got_bread",), [Turned(0, "got_bread")]), ((), [])):
        bare = replace(tied, deck=Bag.of(deck), discard=())
        events = GAME.decide(bare, 1, Commit(("bouncer",)), ScriptedDice())
        assert list(events[2 : 3 + len(last)]) == [*last, KnockedOut(1, 0)]


def test_cb_34_both_seats_may_be_opponents_of_the_active_one() -> None:
    start = table(at("a5", "the_rumor", "flex_gunz"), at("b4", "wild"), at("b2", "got_bread"), options=GEEKS)
    fight = start.when(rumor(1, "back back")).when(commit("got_bread"), seat=2).when(commit("wild"), seat=1)
    assert fight.to_move == {0}
    assert [hero.knocked_out for hero in fight.state.heroes] == [False, True, False]
    fight.when(move("flex_gunz"))

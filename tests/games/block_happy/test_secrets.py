"""BH-29: who knows which card, in events, in states and afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.block_happy import GAME
from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import State
from domain.hidden import ALL, Secret, redact
from domain.validation import HIDDEN
from tests.games.exposure_block_happy import EXPOSURE
from tests.support.block_happy.matches import played
from tests.support.block_happy.tables import DECLINE, OTHER, PLAIN, THIRD, answer, known, play, table
from tests.support.dice import RandomDice
from tests.support.scenario import Scenario, given

NAMES = ("Red", "Blue", "Green", "White", "Black")


def told(table: Scenario, *seats: int) -> list[str]:
    """The last move as these seats read it."""
    return [GAME.sentence(redact(event, frozenset(seats)), NAMES) for event in table.happened]


def optimistic() -> Scenario:
    start = table([f"optimistic {PLAIN}", f"smug {OTHER}", f"smug {THIRD}"], [1, 1, 1])
    return start.when(play("optimistic"), dice=["glum", "happy", "bored"])


def cheeky() -> Scenario:
    start = table([f"cheeky {PLAIN}", f"smug {OTHER}", f"glum {THIRD}"], [1, 1, 1])
    return start.when(play("cheeky", 1)).when(DECLINE)


def test_bh_29_what_is_public_is_in_every_view() -> None:
    view = optimistic().view()
    assert view["hands"] == [{"count": count, "cards": HIDDEN} for count in (6, 7, 7)]
    assert view["happiness"] == [2, 1, 1]
    assert view["show_pile"] == ["optimistic"]
    assert view["hidden_pile"] == {"count": 70 - 4 - 20 - 1, "cards": HIDDEN, "top": [HIDDEN, HIDDEN]}
    assert view["pending"] == {"type": "top_seen", "count": 2}


def test_bh_29_optimistic_shows_the_top_to_its_player_alone() -> None:
    shown = optimistic()
    assert shown.view(0)["hidden_pile"]["top"] == ["glum", "bored"]
    assert shown.view(1)["hidden_pile"]["top"] == shown.view(2)["hidden_pile"]["top"] == [HIDDEN, HIDDEN]
    assert told(shown, 0)[1] == "Red sees the top 3 cards of the hidden pile: Glum, Happy and Bored."
    assert told(shown, 1)[1] == "Red sees the top 3 cards of the hidden pile."


def test_bh_29_what_lies_on_top_again_is_in_nobodys_view() -> None:
    after = optimistic().when({"type": "keep", "card": "bored"})
    for viewer in ([], [0], [1], [0, 1, 2]):
        assert after.view(*viewer)["hidden_pile"]["top"] == [HIDDEN]
    assert GAME.view(after.state)["hidden_pile"]["top"] == ["glum"]
    assert told(after, 0)[0] == "Red keeps Bored of the cards seen."
    assert told(after, 2)[0] == "Red keeps a card of the cards seen."


def test_bh_29_cheeky_shows_the_hand_to_its_player_alone() -> None:
    seen = cheeky()
    hand = ["funny", "surprised", "scared", "scared", "angry", "angry", "smug"]
    assert seen.view(0)["pending"] == {"type": "hand_seen", "target": 1, "cards": hand}
    assert seen.view(1)["pending"] == seen.view(2)["pending"] == {"type": "hand_seen", "target": 1, "cards": HIDDEN}
    assert seen.view(0)["hands"][1] == {"count": 7, "cards": HIDDEN}
    assert told(seen, 2)[1] == "Red sees the hand of Blue."
    after = seen.when({"type": "take", "card": "smug"}, dice=["sad"])
    assert after.view(0)["pending"] is None
    assert told(after, 0)[0] == told(after, 1)[0] == "Red takes Smug from the hand of Blue."
    assert told(after, 2)[0] == "Red takes a card from the hand of Blue."


def test_bh_29_both_seats_of_a_swap_know_both_cards() -> None:
    start = table([f"flirty {PLAIN}", f"smug {OTHER}", f"smug {THIRD}"], [1, 1, 1])
    after = start.when(play("flirty", 1)).when(DECLINE, dice=["sad", "smug", "glum"])
    assert told(after, 0)[1] == told(after, 1)[1] == "Red gives Sad to Blue and gets Smug."
    assert told(after, 2)[1] == told(after)[1] == "Red gives a card to Blue and gets a card."
    assert told(after, 0)[2] == "Red draws Glum."
    assert told(after, 1)[2] == "Red draws a card."


def test_bh_29_a_choice_among_hidden_cards_is_hidden() -> None:
    """Two worlds that differ in what seat 0 keeps look alike to everybody else, then and later."""
    kept = [optimistic().when({"type": "keep", "card": card}) for card in ("glum", "bored")]
    for viewer in ([], [1], [1, 2]):
        assert kept[0].view(*viewer) == kept[1].view(*viewer)
        sees = frozenset(viewer)
        assert redact(kept[0].happened[0], sees) == redact(kept[1].happened[0], sees)
    assert kept[0].view(0) != kept[1].view(0)


def test_bh_29_the_window_is_the_same_whether_the_target_could_answer_or_not() -> None:
    worlds = [table([f"annoyed {PLAIN}", f"{card} {OTHER}"], [1, 2]) for card in ("smug", "overjoyed", "glum")]
    asked = [world.when(play("annoyed", 1)) for world in worlds]
    assert len({str(world.view(0)) for world in asked}) == 1
    assert len({str(world.happened) for world in asked}) == 1
    assert {world.to_move for world in asked} == {frozenset({1})}
    refused = [world.when(answer("smug"), seat=0).refusal for world in asked]
    assert refused[0] == refused[1] == refused[2]


def test_bh_29_a_redacted_hand_is_a_count_for_all_but_its_owner() -> None:
    state = composed([f"annoyed {PLAIN}", f"smug {OTHER}"], [1, 2])
    assert redact(state, frozenset({1})).hands[0].cards is None
    assert redact(state, frozenset({0})).hands[0].cards == state.hands[0].cards
    assert redact(state, ALL) == state


def test_the_exposure_table_names_every_field() -> None:
    fields = {
        (name, field)
        for table in (GAME.events, GAME.moves)
        for name, cls in table.items()
        for field in getattr(cls, "__dataclass_fields__")  # noqa: B009
    }
    assert fields == EXPOSURE.keys()


def secrets(value: Any) -> list[Secret[Any]]:
    items = value if isinstance(value, tuple) else (value,)
    return [item for item in items if isinstance(item, Secret)]


@pytest.mark.parametrize("seats", GAME.seats)
def test_bh_29_every_secret_is_known_to_whom_the_table_names(seats: int) -> None:
    for seed in range(10):
        for _, _, _, events in played(seats, seed):
            for event in events:
                name = GAME.names[type(event)]
                for field in type(event).__dataclass_fields__:
                    value, who = getattr(event, field), EXPOSURE[name, field]
                    found = secrets(value)
                    if who == "public" or value is None:
                        assert not found
                    else:
                        assert callable(who)
                        assert found
                        assert {secret.seats for secret in found} == {who(event)}


@pytest.mark.parametrize("seats", GAME.seats)
def test_bh_29_what_a_seat_cannot_know_changes_nothing_for_it(seats: int) -> None:
    """Two worlds that a seat cannot tell apart, driven by its own moves, refuse and offer the same."""
    dice = RandomDice(3)
    for seed in range(6):
        for state, seat, move, _ in played(seats, seed):
            seen = redact(state, frozenset({seat}))
            twin: State = GAME.imagine(seen, seat, dice)
            own = redact(twin, frozenset({seat}))
            assert GAME.view(own) == GAME.view(seen)
            assert GAME.legal(own, seat) == GAME.legal(seen, seat)
            assert GAME.to_move(twin) == GAME.to_move(state)
            assert GAME.outcome(twin) == GAME.outcome(state)
            assert GAME.refuse(own, seat, move) is None


def test_bh_29_a_match_started_from_a_position_hides_the_same() -> None:
    shown = optimistic()
    again = given(GAME, GAME.parse(GAME.view(shown.state), 3, GAME.options()), 3)
    assert again.state == shown.state
    assert again.view(1) == shown.view(1)
    assert again.state.hidden_pile.top == (known("glum", 0), known("bored", 0))

"""The properties catch what they are there for: the toy game with one fault planted each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from domain.game import AnyGame, Dice, Rejected, discloses_nothing
from domain.games.block_happy import GAME as BLOCK_HAPPY
from domain.games.block_happy import events as happy
from domain.games.blockers import GAME as BLOCKERS
from domain.hidden import NOBODY, Bag, Seats, Secret
from tests.properties import (
    test_disclosing,
    test_exposure,
    test_moves,
    test_positions,
    test_redaction,
    test_sentences,
    test_twins,
    test_wire,
)
from tests.support import toy

Check = Callable[[AnyGame, int], None]
EVERYBODY = frozenset(range(3))


def rolls_once_more_for_a_nine(state: toy.State, seat: int, move: toy.Move, dice: Dice) -> Sequence[toy.Event]:
    """The number of draws tells who holds the nine."""
    if "9" in state.hands[0]:
        dice.below(6)
    return toy.decide(state, seat, move, dice)


def shows_its_card_to_everybody(state: toy.State, seat: int, move: toy.Move, dice: Dice) -> Sequence[toy.Event]:
    happened = toy.decide(state, seat, move, dice)
    return [
        toy.Laid(event.seat, event.card.to(EVERYBODY)) if isinstance(event, toy.Laid) else event for event in happened
    ]


def looks_only_if_the_pile_has_the_nine(state: toy.State, seat: int, move: toy.Move, dice: Dice) -> Sequence[toy.Event]:
    """A window that opens by what is hidden."""
    happened = toy.decide(state, seat, move, dice)
    if not any(isinstance(event, toy.Peeked) for event in happened) or "9" in state.pile:
        return happened
    laid, shown = happened[:2]
    return [laid, shown, *toy.draws(toy.evolve(toy.evolve(state, laid), shown), dice)]


def counts_a_nine_twice(state: toy.State, event: toy.Event) -> toy.State:
    after = toy.evolve(state, event)
    if isinstance(event, toy.Laid) and isinstance(event.card, Secret) and event.card.value == "9":
        return dataclasses.replace(after, points=tuple(points + 1 for points in after.points))
    return after


def waits_for_nobody_with_a_nine(state: toy.State) -> frozenset[int]:
    return frozenset(seat for seat in toy.to_move(state) if "9" not in state.hands[seat])


def refuses_fives(state: toy.State, seat: int, move: toy.Move) -> Rejected | None:
    return Rejected("TOY-1", "Fives are ugly.") if move == toy.Lay("5") else toy.refuse(state, seat, move)


def forgets_fives(state: toy.State, seat: int) -> Iterator[toy.Move]:
    return (move for move in toy.legal(state, seat) if move != toy.Lay("5") or len(state.hands[seat]) == 1)


def lists_twice(state: toy.State, seat: int) -> Iterator[toy.Move]:
    for move in toy.legal(state, seat):
        yield from (move, move)


def names_the_card(event: toy.Event, names: Sequence[str]) -> str:
    return f"{names[event.seat]} lays {event.card}." if isinstance(event, toy.Laid) else toy.sentence(event, names)


def deals_itself_another_hand(state: toy.State, seat: int, dice: Dice) -> toy.State:
    made = toy.imagine(state, seat, dice)
    return dataclasses.replace(made, hands=made.hands[::-1])


def believes_everything(plain: Any, seats: int, options: toy.Options) -> toy.State:
    """Counts on the cards being there."""
    return toy.State(
        hands=tuple(Bag.of(hand["cards"], frozenset({seat})) for seat, hand in enumerate(plain["hands"])),
        pile=Bag.of(plain["pile"]["cards"], NOBODY),
        doing=toy.Laying((None,) * seats),
        points=tuple(plain["points"]),
        peek=options.peek,
    )


FAULTS: dict[str, tuple[dict[str, Any], Check]] = {
    "dice tell": ({"decide": rolls_once_more_for_a_nine}, test_twins.test_twins_cannot_be_told_apart),
    "window tells": ({"decide": looks_only_if_the_pile_has_the_nine}, test_twins.test_twins_cannot_be_told_apart),
    "shown to all": (
        {"decide": shows_its_card_to_everybody},
        test_exposure.test_every_recorded_secret_belongs_to_whom_the_table_says,
    ),
    "evolve looks": (
        {"evolve": counts_a_nine_twice},
        test_redaction.test_folding_redacted_commits_gives_the_redacted_state,
    ),
    "order of moves tells": (
        {"to_move": waits_for_nobody_with_a_nine},
        test_redaction.test_who_moves_and_who_won_is_public,
    ),
    "stuck": ({"to_move": waits_for_nobody_with_a_nine}, test_moves.test_somebody_can_always_move),
    "refuses a listed move": (
        {"refuse": refuses_fives},
        test_moves.test_every_legal_move_is_listed_once_can_be_posted_and_is_not_refused,
    ),
    "does not list a move": (
        {"legal": forgets_fives},
        test_moves.test_a_move_is_refused_exactly_if_no_listed_one_means_it,
    ),
    "lists a move twice": (
        {"legal": lists_twice},
        test_moves.test_every_legal_move_is_listed_once_can_be_posted_and_is_not_refused,
    ),
    "sentence tells": (
        {"sentence": names_the_card},
        test_sentences.test_every_event_is_one_readable_sentence_for_everybody,
    ),
    "imagines another hand": (
        {"imagine": deals_itself_another_hand},
        test_twins.test_an_imagined_world_is_a_possible_one,
    ),
    "parses anything": (
        {"parse": believes_everything},
        test_positions.test_a_mutated_position_is_refused_with_its_field_or_can_be_played,
    ),
    "parses something else": ({"parse": believes_everything}, test_wire.test_a_position_is_read_back_through_json),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    changes, check = FAULTS[name]
    faulty: AnyGame = dataclasses.replace(toy.GAME, **changes)
    with pytest.raises(Exception) as found:  # noqa: PT011
        check(faulty, 3)
    assert not isinstance(found.value, NameError | ImportError), found.value


def discloses_answers_only(state: Any, event: happy.Event) -> Seats:
    return BLOCK_HAPPY.discloses(state, event) if isinstance(event, happy.QuestionAnswered) else NOBODY


@pytest.mark.parametrize(
    ("game", "seats", "discloses", "event"),
    [
        (BLOCKERS, 4, discloses_nothing, "Pass"),
        (BLOCK_HAPPY, 2, discloses_nothing, "QuestionAnswered"),
        (BLOCK_HAPPY, 2, discloses_answers_only, "TickledPinkShown"),
    ],
)
def test_an_event_that_depends_on_what_is_hidden_and_is_not_declared_is_found(
    game: AnyGame, seats: int, discloses: Callable[[Any, Any], Seats], event: str
) -> None:
    faulty = dataclasses.replace(game, discloses=discloses)
    with pytest.raises(AssertionError, match=r"is said to disclose nothing, but seat . learns by it") as found:
        test_disclosing.test_what_is_said_to_disclose_nothing_would_have_happened_whatever_is_hidden(faulty, seats)
    assert event in str(found.value)


def discloses_by_hand(state: Any, event: happy.Event) -> Seats:
    """A class that only who sees everything can compute."""
    return NOBODY if state.hidden_pile.cards is None else BLOCK_HAPPY.discloses(state, event)


def test_a_class_of_disclosure_that_depends_on_what_is_hidden_is_found() -> None:
    faulty = dataclasses.replace(BLOCK_HAPPY, discloses=discloses_by_hand)
    with pytest.raises(AssertionError):
        test_disclosing.test_all_viewers_agree_about_who_learned_something(faulty, 3)


def test_what_goes_wrong_is_told_with_its_setup_and_version() -> None:
    faulty: AnyGame = dataclasses.replace(toy.GAME, refuse=refuses_fives)
    with pytest.raises(AssertionError) as found:
        test_moves.test_every_legal_move_is_listed_once_can_be_posted_and_is_not_refused(faulty, 3)
    (note,) = found.value.__notes__
    assert note.startswith("highest_card, 3 seats, Options(")
    assert "seed 3" in note
    assert "version" in note

"""Deals that differ only in which hidden cards lie where are the same to everybody who sees none of these places.

``imagine`` takes the public part of a state as given. So what a deal itself tells of a hidden card, in a field that everybody
sees, is found only here: one thing falls otherwise at the deal, and changes places with what fell there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from domain.game import AnyGame
from domain.hidden import NOBODY, redact
from tests.support.dice import ExchangingDice, RecordingDice
from tests.support.exposure import fields, may_hold_secrets, secrets_in
from tests.support.options import option_sets
from tests.support.played_games import SOAK, VERSIONS

DEALS = 3 * SOAK
"""The number of deals with each set of options."""
EXCHANGES = 12
"""The most draws of a deal at which something else falls."""

each_secretive_table = pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(game, seats, id=f"{name}-{seats}")
        for name, game in VERSIONS.items()
        if may_hold_secrets(game.state)
        for seats in game.seats
    ],
)


def exchanged_deals(game: AnyGame, seats: int) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of deals that differ by an exchange of two hidden cards; and where, in words."""
    for options in option_sets(game, seats):
        for seed in range(DEALS):
            dice = RecordingDice(seed)
            state = game.deal(seats, options, dice)
            for draw in range(seed % 2, len(dice.fell), max(1, len(dice.fell) // EXCHANGES)):
                other = ExchangingDice(dice.fell, draw, seed)
                twin = game.deal(seats, options, other)
                if other.exchanged is not None and exchanges_what_is_hidden(state, twin):
                    cards = " and ".join(map(str, other.exchanged))
                    yield f"{game.id}, {seats} seats, {options}, seed {seed}, with {cards} exchanged", state, twin


def exchanges_what_is_hidden(state: Any, twin: Any) -> bool:
    """Whether both have the same hidden things, in other places. Otherwise something that lies open was drawn."""
    one, other = ([held for _seats, held in secrets_in(dealt)] for dealt in (state, twin))
    return one != other and Counter(sum(one, ())) == Counter(sum(other, ()))


@each_secretive_table
def test_hidden_cards_that_are_exchanged_at_the_deal_change_nothing_for_anybody_else(game: AnyGame, seats: int) -> None:
    found = 0
    for where, state, twin in exchanged_deals(game, seats):
        found += 1
        told = list(differing_fields(redact(state, NOBODY), redact(twin, NOBODY)))
        assert not told, f"{where}: {' and '.join(told)} tells everybody what is hidden: {told_by(told, state, twin)}"
        for seat in range(seats):
            if not concerns(seat, state, twin):
                mine, theirs = (redact(dealt, frozenset({seat})) for dealt in (state, twin))
                assert mine == theirs, f"{where}: seat {seat} sees it"
                assert game.view(mine) == game.view(theirs), f"{where}: the view of seat {seat} tells it"
                assert list(game.legal(mine, seat)) == list(game.legal(theirs, seat)), where
    assert found, f"no two hidden cards of {game.id} could be exchanged at its deal"


def differing_fields(one: Any, other: Any) -> Iterator[str]:
    """The fields of the state in which two redacted states differ."""
    yield from (f"state.{key}" for field, key in fields(type(one)) if getattr(one, field) != getattr(other, field))


def told_by(told: list[str], state: Any, twin: Any) -> str:
    return "; ".join(
        f"{getattr(state, field)} and {getattr(twin, field)}"
        for field, key in fields(type(state))
        if f"state.{key}" in told
    )


def concerns(seat: int, state: Any, twin: Any) -> bool:
    """Whether the seat may see one of the places whose cards were exchanged."""
    pairs = zip(secrets_in(state), secrets_in(twin), strict=True)
    return any(seat in one[0] for one, other in pairs if one != other)

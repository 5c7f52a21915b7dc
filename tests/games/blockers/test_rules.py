"""The rules in words, and the table of who may know what, are complete."""

from __future__ import annotations

from dataclasses import fields

from domain.games.blockers import GAME, Options, Passed, TilePlaced
from domain.hidden import Secret
from tests.games.exposure_blockers import EXPOSURE
from tests.support.blockers.versions import versions


def test_every_rule_is_told_with_its_basis() -> None:
    assert [rule.number for rule in GAME.rules] == [f"BL-{n}" for n in (*range(1, 18), 20)]
    for rule in GAME.rules:
        assert len(rule.text) > 40
        assert rule.basis


def test_the_exposure_table_has_every_field_of_every_event_and_move() -> None:
    classes = [*GAME.events.items(), *GAME.moves.items()]
    named = {(name, field.name) for name, cls in classes for field in fields(cls)}
    assert set(EXPOSURE) == named


def test_bl_2_a_drawn_tile_is_marked_for_who_drew_it_and_nothing_else_is_hidden() -> None:
    for _state, event in versions(4, Options(), 1):
        if event is None:
            continue
        assert isinstance(event, (TilePlaced, Passed))
        for field in fields(event):
            value = getattr(event, field.name)
            may_know = EXPOSURE[GAME.names[type(event)], field.name]
            if isinstance(value, Secret):
                assert not isinstance(may_know, str)
                assert value.seats == may_know(event)
            else:
                assert may_know == "public" or value is None

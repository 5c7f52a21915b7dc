"""A game's table of exposure, from ``tests/games/exposure_<id>.py``: who may know what of its state, events and moves.

``EXPOSURE``: (wire name, field) of each event and move → ``"public"``, ``"face_down"`` (a move's field that the acting seat
alone knows), or a function from the whole event to the seats that may know the field; where the field is a list of secrets
for different seats, to a tuple of such sets.

``STATE``: (``"state"`` or the wire name of a part, field) → ``"public"``, ``"parts"`` (a field of the state that holds one of the
game's parts), or a function of the holder of the field and the whole state to the seats, as above. A bag counts as one secret,
followed by those of its top.

``REVEALS``: the (event, field) whose value may by the rules depend on what was hidden from a seat; (event, ``None``) if that the
event happens at all may. A game with secrets must have it, also an empty one.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from domain import validation
from domain.game import AnyGame
from domain.hidden import Bag, Hidden, Seats, Secret
from tests.support.played_games import name_of

Fields = Mapping[tuple[str, str], str | Callable[..., Any]]
Revealed = tuple[str, str | None]


@dataclass(frozen=True)
class Exposure:
    """A game's tables, with the fields by their names on the wire."""

    fields: Fields
    state: Fields
    reveals: frozenset[Revealed]


_FOUND: dict[AnyGame, Exposure] = {}


@contextmanager
def planted(game: AnyGame, tables: Any) -> Iterator[None]:
    """Lets ``exposure`` find these tables for this very game: anything with the names that a module would have."""
    _FOUND[game] = _read(game, tables)
    yield
    del _FOUND[game]


def exposure(game: AnyGame) -> Exposure:
    """The tables of a game. Looked up once, as this is asked for each field of each event."""
    if game not in _FOUND:
        _FOUND[game] = _read(game, importlib.import_module(f"tests.games.exposure_{name_of(game)}"))
    return _FOUND[game]


def _read(game: AnyGame, tables: Any) -> Exposure:
    secret = may_hold_secrets(game.state)
    for name in ("EXPOSURE", "STATE", *(["REVEALS"] if secret else [])):
        assert hasattr(tables, name), (
            f"the table of exposure of {name_of(game)} has no {name}: see tests/support/exposure.py"
        )
    reveals = frozenset((event, field and validation.key(field)) for event, field in getattr(tables, "REVEALS", ()))
    return Exposure(_by_key(tables.EXPOSURE), _by_key(tables.STATE), reveals)


def _by_key(table: Fields) -> Fields:
    return {(name, validation.key(field)): allowed for (name, field), allowed in table.items()}


def fields(cls: Any) -> list[tuple[str, str]]:
    """The fields of a class: their names, and what they are called on the wire and in the tables."""
    return [(field, validation.key(field)) for field in validation.names(cls)]


# -- secrets inside of values -----------------------------------------------------------------------------------------


def may_hold_secrets(hint: Any) -> bool:
    """Whether a secret can stand in a value of this type, by its annotations."""
    if hint in (Secret, Hidden, Bag):
        return True
    if dataclasses.is_dataclass(hint):
        return any(may_hold_secrets(inner) for inner in get_type_hints(hint, include_extras=True).values())
    return any(may_hold_secrets(arg) for arg in get_args(hint))


def secrets_in(value: Any) -> Iterator[tuple[Seats, tuple[Any, ...]]]:
    """Every secret inside a value: its seats, and what it holds as a tuple. A bag's top comes after it, one by one."""
    if isinstance(value, Secret):
        yield value.seats, value.value if isinstance(value.value, tuple) else (value.value,)
    elif isinstance(value, Bag):
        yield value.seats, value.cards or ()
        yield from secrets_in(value.top)
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from secrets_in(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for name in validation.names(type(value)):
            yield from secrets_in(getattr(value, name))


def in_the_open(value: Any) -> bool:
    """Whether something stands outside of all secrets: what a field declared secret may not have, but for nothing."""
    if value is None or isinstance(value, (Secret, Hidden, Bag)):
        return False
    return any(map(in_the_open, value)) if isinstance(value, tuple) else True

"""What every list of players promises."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest

from service.ports import Player
from tests.support.backends import Backend

ANN = Player("p-ann", "Ann", 1_700_000_000_000, "t1", bytes(range(32)))


def add(backend: Backend, player: Player) -> Player:
    return backend.players.create(player.id, player.name, player.token_id, player.token_hash, player.at)


def test_a_player_is_found_as_created(backend: Backend) -> None:
    assert add(backend, ANN) == ANN
    assert backend.players.get("p-ann") == ANN


def test_who_never_came_is_not_found(backend: Backend) -> None:
    assert backend.players.get("p-ann") is None
    assert backend.players.forget("p-ann") is False
    assert backend.players.get("p-ann") is None


def test_an_id_is_given_away_once(backend: Backend) -> None:
    add(backend, ANN)
    with pytest.raises(ValueError, match="taken"):
        backend.players.create("p-ann", "Eve", "t2", bytes(32), 5)
    assert backend.players.get("p-ann") == ANN


def test_names_come_for_all_who_are_there(backend: Backend) -> None:
    add(backend, ANN)
    backend.players.create("p-ben", "Βen 🎲", "t2", bytes(32), 2)
    assert backend.players.names(["p-ann", "p-who", "p-ben", "p-ann"]) == {"p-ann": "Ann", "p-ben": "Βen 🎲"}
    assert backend.players.names([]) == {}


def test_a_forgotten_player_has_no_name_no_token_and_never_returns(backend: Backend) -> None:
    add(backend, ANN)
    assert backend.players.forget("p-ann") is True
    assert backend.players.get("p-ann") is None
    assert backend.players.names(["p-ann"]) == {}
    assert backend.players.forget("p-ann") is False
    with pytest.raises(ValueError, match="taken"):
        add(backend, ANN)


def test_nothing_of_a_forgotten_player_but_the_time_is_kept(speaking: Backend) -> None:
    add(speaking, ANN)
    speaking.players.forget("p-ann")
    kept: dict[Any, Any] = dict(cast(Any, speaking.dump()))
    assert kept.pop(b"player:{p-ann}") == {b"at": b"1700000000000"}
    # Until the server's file has been rewritten, and the seats are given back: the id, and when that was.
    for key in (b"{players}:left", b"{players}:leaving"):
        ((player, when),) = kept.pop(key)
        assert (player, abs(when / 1000 - time.time()) < 60) == (b"p-ann", True)
    assert kept == {}

"""What every list of players promises."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import pytest

from service.adapters.redis.players import NAMES, RedisPlayers
from service.ports.players import Account, Changed, Player, TokenChange
from tests.support.accounts import account, token
from tests.support.backends import Backend
from tests.support.house import Clock

ANN = account("p-ann", "Ann")
BEN = account("p-ben", "Βen 🎲", tokens=2)


def added(backend: Backend, *accounts: Account) -> None:
    for each in accounts:
        assert backend.players.create(each)


def test_a_player_is_found_as_created(backend: Backend) -> None:
    added(backend, ANN, BEN)
    assert backend.players.get("p-ann") == ANN
    assert backend.players.get("p-ben") == BEN
    assert backend.players.token("p-ben", "00000002") == BEN.tokens[1]
    assert backend.players.token("p-ann", "00000002") is None


def test_who_never_came_is_not_found(backend: Backend) -> None:
    assert backend.players.get("p-ann") is None
    assert backend.players.token("p-ann", "00000001") is None
    assert backend.players.forget("p-ann") is False
    assert backend.players.rename("p-ann", "Eve", ["look:Eve"]) == "no_account"
    assert backend.players.change_tokens("p-ann", TokenChange(add=token("00000009"), most=9)) == "no_account"
    assert backend.players.set_recovery("p-ann", token("recovery")) is False
    assert backend.players.get("p-ann") is None
    added(backend, account("p-eve", "Eve"))


def test_an_id_is_given_away_once(backend: Backend) -> None:
    added(backend, ANN)
    with pytest.raises(ValueError, match="taken"):
        backend.players.create(Account(Player("p-ann", "Eve", 5), (), None, ("k",)))
    assert backend.players.get("p-ann") == ANN


def test_names_come_for_all_who_are_there(backend: Backend) -> None:
    added(backend, ANN, BEN)
    assert backend.players.names(["p-ann", "p-who", "p-ben", "p-ann"]) == {"p-ann": "Ann", "p-ben": "Βen 🎲"}
    assert backend.players.names([]) == {}


def test_no_two_accounts_have_a_key_in_common(backend: Backend) -> None:
    added(backend, ANN)
    other = replace(account("p-eve", "ANN"), keys=("look:ANN", "fold:ann"))
    assert backend.players.create(other) is False
    assert backend.players.get("p-eve") is None
    added(backend, replace(other, keys=("look:ANN",)))


def test_a_name_is_free_again_once_its_account_is_renamed_or_deleted(backend: Backend) -> None:
    added(backend, ANN, BEN)
    assert backend.players.rename("p-ben", "Ann", ANN.keys) == "name_taken"
    assert backend.players.get("p-ben") == BEN
    assert backend.players.rename("p-ann", "ann", ["look:ann", "fold:ann"]) == "done"
    assert backend.players.names(["p-ann"]) == {"p-ann": "ann"}
    assert backend.players.rename("p-ben", "Ann", ["look:Ann"]) == "done"
    assert backend.players.forget("p-ann")
    added(backend, account("p-eve", "ann"))


def test_of_many_who_want_one_name_at_once_one_gets_it(speaking: Backend) -> None:
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda n: speaking.players.create(account(f"p-{n}", "Ann")), range(8)))
        assert sorted(got) == [False] * 7 + [True]
        added(speaking, *(account(f"q-{n}", f"Q{n}") for n in range(8)))
        done = list(pool.map(lambda n: speaking.players.rename(f"q-{n}", "Eve", ["look:Eve"]), range(8)))
    assert sorted(done) == ["done"] + ["name_taken"] * 7


NEW = token("00000009", label="phone")
CHANGES: list[tuple[TokenChange, Changed, list[str]]] = [
    (TokenChange(add=NEW, most=3), "done", ["00000001", "00000002", "00000009"]),
    (TokenChange(add=NEW, most=2), "too_many", ["00000001", "00000002"]),
    (TokenChange(add=NEW, remove=["00000001"], most=2), "done", ["00000002", "00000009"]),
    (TokenChange(add=NEW, remove=None, most=2), "done", ["00000009"]),
    (TokenChange(add=NEW, remove=["0000000a"], most=9), "no_token", ["00000001", "00000002"]),
    (TokenChange(remove=["00000001", "00000002"]), "done", []),
    (TokenChange(add=NEW, most=9, recovery=BEN.recovery), "done", ["00000001", "00000002", "00000009"]),
    (TokenChange(add=NEW, most=9, recovery=token("recovery", 7)), "other_code", ["00000001", "00000002"]),
]


@pytest.mark.parametrize(("change", "done", "left"), CHANGES, ids=[str(n) for n in range(len(CHANGES))])
def test_a_change_of_tokens_happens_as_a_whole_or_not_at_all(
    backend: Backend, change: TokenChange, done: Changed, left: list[str]
) -> None:
    added(backend, BEN)
    assert backend.players.change_tokens("p-ben", change) == done
    after = backend.players.get("p-ben")
    assert after is not None
    assert sorted(token.id for token in after.tokens) == left
    assert (after.player, after.recovery, after.keys) == (BEN.player, BEN.recovery, BEN.keys)
    assert (backend.players.token("p-ben", "00000009") == NEW) == ("00000009" in left)


def test_the_last_token_goes_only_if_there_is_a_recovery_code(backend: Backend) -> None:
    added(backend, replace(ANN, recovery=None))
    assert backend.players.change_tokens("p-ann", TokenChange(remove=["00000001"])) == "last_token"
    assert backend.players.set_recovery("p-ann", token("recovery", 9))
    assert backend.players.change_tokens("p-ann", TokenChange(remove=["00000001"])) == "done"


def test_a_forgotten_player_has_no_name_no_token_and_never_returns(backend: Backend) -> None:
    added(backend, ANN)
    assert backend.players.forget("p-ann") is True
    assert backend.players.get("p-ann") is None
    assert backend.players.token("p-ann", "00000001") is None
    assert backend.players.names(["p-ann"]) == {}
    assert backend.players.forget("p-ann") is False
    with pytest.raises(ValueError, match="taken"):
        backend.players.create(ANN)


def test_nothing_of_a_forgotten_player_but_the_time_is_kept(speaking: Backend) -> None:
    added(speaking, ANN)
    speaking.players.forget("p-ann")
    kept: dict[Any, Any] = dict(cast(Any, speaking.dump()))
    assert kept.pop(b"player:{p-ann}") == {b"at": b"1700000000000"}
    # Until the server's file has been rewritten, and the seats are given back: the id, and when that was.
    for key in (b"{players}:left", b"{players}:leaving"):
        ((player, when),) = kept.pop(key)
        assert (player, abs(when / 1000 - time.time()) < 60) == (b"p-ann", True)
    assert kept == {}


def test_the_time_of_a_deletion_is_the_clocks(speaking: Backend) -> None:
    assert speaking.client is not None
    players = RedisPlayers(speaking.client, Clock(123_000))
    assert players.create(ANN)
    players.forget("p-ann")
    assert players.newest_in_aof() == 123_000
    assert players.awaiting_release(123_000) == [("p-ann", 123_000)]


def test_an_old_name_may_stand_in_the_append_only_file_after_a_change(speaking: Backend) -> None:
    assert speaking.client is not None
    players = RedisPlayers(speaking.client, Clock(123_000))
    assert players.create(ANN)
    players.rename("p-ann", "Eve", ["look:Eve"])
    assert players.newest_in_aof() == 123_000
    assert players.awaiting_release(123_000) == []


def test_a_command_that_is_sent_twice_counts_once(speaking: Backend) -> None:
    """As the client does when a connection breaks before the answer."""
    steps: list[Callable[[], object]] = [
        lambda: speaking.players.create(ANN),
        lambda: speaking.players.rename("p-ann", "Eve", ["look:Eve"]),
        lambda: speaking.players.change_tokens("p-ann", TokenChange(add=NEW, remove=["00000001"], most=1)),
    ]
    for step in steps:
        assert step() == step()
    found = speaking.players.get("p-ann")
    assert found is not None
    assert (found.player.name, found.tokens) == ("Eve", (NEW,))


def test_a_record_that_cannot_be_read_is_no_error(speaking: Backend) -> None:
    added(speaking, ANN)
    assert speaking.client is not None
    for altered in (b"", b"[]", b"{}", b'{"hash": "zz", "at": 1, "label": "", "mac": ""}', b"\xff"):
        speaking.client.hset("player:{p-ann}", "t:00000001", altered)
        found = speaking.players.token("p-ann", "00000001")
        assert found is not None
        assert (found.hash, bool(found.mac)) == (b"", True)


def test_names_are_claimed_in_one_place(speaking: Backend) -> None:
    added(speaking, ANN)
    assert speaking.client is not None
    assert speaking.client.hgetall(NAMES) == {b"look:Ann": b"p-ann", b"fold:ann": b"p-ann"}

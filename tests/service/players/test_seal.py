"""Records of tokens carry a keyed MAC: what something else than the service wrote authenticates nobody, and is reported."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import Any, cast

import pytest
import redis

from service import telemetry
from service.adapters.redis.players import RedisPlayers
from service.players import naming
from service.players.adoption import OtherKeyError, seal_again, take_up
from service.players.credentials import Seal
from service.players.tokens import Tokens
from service.problems import ProblemError
from tests.support.backends import Backend
from tests.support.house import Clock, House
from tests.support.http import Player


def client_of(backend: Backend) -> redis.Redis:
    assert backend.client is not None
    return backend.client


def altered(backend: Backend, player: Player, **changes: Any) -> None:
    """Changes the record of the player's token behind the service's back."""
    key = f"player:{{{player.id}}}"
    field = f"t:{hashlib.sha256(player.token.encode()).hexdigest()[:8]}"
    record: Any = client_of(backend).hget(key, field)
    client_of(backend).hset(key, field, json.dumps(json.loads(record) | changes))


@pytest.mark.parametrize("changes", [{"hash": "00" * 32}, {"at": 1}, {"label": "x"}, {"mac": ""}, {"mac": "00" * 32}])
def test_an_altered_record_authenticates_nobody_and_raises_an_alarm(
    speaking: Backend, changes: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    house = House(speaking)
    ann = house.web.enter("Ann")
    before = telemetry.ACCOUNT_FAULTS.series()[()][0]
    altered(speaking, ann, **changes)
    for _ in range(3):
        ann.get("/players/me").refused(401, "unauthenticated")
    assert telemetry.ACCOUNT_FAULTS.series()[()][0] == before + 3
    alarms = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(alarms) == 1
    assert ann.id in alarms[0].getMessage()
    assert ann.token not in caplog.text


def forged(backend: Backend, player: Player, source: Player | None = None) -> Player:
    """Gives the player's account a token that somebody with access to the database made, or copied from another account."""
    token = f"{player.id}.forged"
    digest = hashlib.sha256(token.encode()).digest()
    record: Any = json.dumps({"hash": digest.hex(), "at": 1, "label": "", "mac": "00" * 32})
    if source is not None:
        ((record),) = [
            value
            for field, value in cast(dict[bytes, bytes], client_of(backend).hgetall(f"player:{{{source.id}}}")).items()
            if field.startswith(b"t:")
        ]
    client_of(backend).hset(f"player:{{{player.id}}}", f"t:{digest.hex()[:8]}", record)
    return Player(player.web, player.id, player.name, token)


def test_nobody_with_access_to_the_database_alone_can_make_a_token(speaking: Backend) -> None:
    house = House(speaking)
    ann, eve = house.web.enter("Ann"), house.web.enter("Eve")
    forged(speaking, ann).get("/players/me").refused(401, "unauthenticated")
    forged(speaking, ann, eve).get("/players/me").refused(401, "unauthenticated")


def test_an_altered_recovery_code_recovers_nothing(speaking: Backend) -> None:
    house = House(speaking)
    made, other = (house.web.post("/players", {"name": name}).done() for name in ("Ann", "Eve"))
    stolen: Any = client_of(speaking).hget(f"player:{{{other['player_id']}}}", "recovery")
    client_of(speaking).hset(f"player:{{{made['player_id']}}}", "recovery", stolen)
    house.web.post("/recovery", {"code": made["recovery_code"]}).refused(401, "unauthenticated")


# -- accounts of earlier versions -------------------------------------------------------------------------------------


def old_account(backend: Backend, player_id: str, name: str) -> str:
    """An account as version 0.2 stored it; returns its token."""
    token = f"{player_id}.secret"
    digest = hashlib.sha256(token.encode()).digest()
    row: Any = {"name": name, "at": 5, "token_id": digest.hex()[:8], "token_hash": digest}
    client_of(backend).hset(f"player:{{{player_id}}}", mapping=row)
    return token


def players_of(backend: Backend) -> RedisPlayers:
    return RedisPlayers(client_of(backend), Clock())


def accepts(backend: Backend, seal: Seal, token: str) -> bool:
    try:
        return Tokens(players_of(backend), Clock(), seal).caller(f"Bearer {token}") is not None
    except ProblemError:
        return False


def test_old_tokens_are_sealed_once_and_from_then_on_a_missing_mac_is_a_fault(
    speaking: Backend, tmp_path: Path
) -> None:
    token = old_account(speaking, "a" * 16, "Ann")
    seal = take_up(tmp_path, players_of(speaking), is_final=True)
    assert accepts(speaking, seal, token)
    client_of(speaking).hdel(f"player:{{{'a' * 16}}}", f"t:{hashlib.sha256(token.encode()).hexdigest()[:8]}")
    forged_later = old_account(speaking, "a" * 16, "Ann")
    for again in (seal, take_up(tmp_path, players_of(speaking), is_final=True)):
        assert not accepts(speaking, again, forged_later)


def test_old_tokens_work_until_every_process_has_this_version(speaking: Backend, tmp_path: Path) -> None:
    seal = take_up(tmp_path, players_of(speaking), is_final=False)
    token = old_account(speaking, "a" * 16, "Ann")
    assert accepts(speaking, seal, token)
    take_up(tmp_path, players_of(speaking), is_final=True)
    assert accepts(speaking, seal, token)
    assert not accepts(speaking, seal, old_account(speaking, "b" * 16, "Bob"))


def test_old_names_stay_whatever_they_are_and_nobody_else_can_take_them(speaking: Backend, tmp_path: Path) -> None:
    names = {"a" * 16: "Ann", "b" * 16: "ann", "c" * 16: "resigns. The match is void.", "d" * 16: "“x”\u202e"}
    tokens = [old_account(speaking, player_id, name) for player_id, name in names.items()]
    client_of(speaking).set("player:{odd}", "of another type")
    seal = take_up(tmp_path, players_of(speaking), is_final=True)
    assert players_of(speaking).names(list(names)) == names
    assert all(accepts(speaking, seal, token) for token in tokens)
    house = House(speaking)
    for taken in ("Ann", "ANN"):
        house.web.post("/players", {"name": taken}).refused(409, "name_taken", field="name")
    players_of(speaking).forget("a" * 16)
    house.web.post("/players", {"name": "Ann"}).refused(409, "name_taken", field="name")
    players_of(speaking).forget("b" * 16)
    house.web.post("/players", {"name": "Ann"}).done()


def test_taking_up_twice_changes_nothing_more(speaking: Backend, tmp_path: Path) -> None:
    old_account(speaking, "a" * 16, "Ann")
    for is_final in (False, True):
        take_up(tmp_path, players_of(speaking), is_final=is_final)
    before = speaking.dump()
    take_up(tmp_path, players_of(speaking), is_final=True)
    assert speaking.dump() == before


def test_names_are_given_new_keys_when_their_table_changes(
    speaking: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_account(speaking, "a" * 16, "Ann")
    take_up(tmp_path, players_of(speaking), is_final=True)
    monkeypatch.setattr(naming, "scheme", lambda: "2-changed")
    monkeypatch.setattr(naming, "keys", lambda name: (f"new:{name}",))
    take_up(tmp_path, players_of(speaking), is_final=True)
    assert client_of(speaking).hgetall("{players}:names") == {b"new:Ann": b"a" * 16}


def test_another_key_is_noticed_at_the_start_and_the_operator_can_seal_again(speaking: Backend, tmp_path: Path) -> None:
    (here := tmp_path / "here").mkdir()
    (there := tmp_path / "there").mkdir()
    token = old_account(speaking, "a" * 16, "Ann")
    take_up(here, players_of(speaking), is_final=True)
    with pytest.raises(OtherKeyError, match="seal-accounts"):
        take_up(there, players_of(speaking), is_final=True)
    assert seal_again(there, players_of(speaking)) == 1
    assert accepts(speaking, take_up(there, players_of(speaking), is_final=True), token)
    with pytest.raises(OtherKeyError):
        take_up(here, players_of(speaking), is_final=True)
    assert (there / "players.key").stat().st_mode & 0o077 == 0

"""Accounts in Redis: the adapter of the ports ``Players``, ``OldPlayers`` and ``DeletedAccounts``.

One hash an account, ``player:{<id>}``: name, name_keys, at, recovery, and ``t:<token id>`` for each token. ``{players}:names``
maps each key of a name to its accounts. A deletion keeps ``at``, so that the id is not issued again and old matches show a
seat without a name. It is noted for ``DeletedAccounts``, too. Accounts of version 0.2 and before have one token, in token_id
and token_hash.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import islice
from typing import Any, cast

import redis
from redis.exceptions import ResponseError

from service.adapters.redis.client import translated_errors
from service.adapters.redis.notifications import ACCOUNTS_CHANNEL
from service.ports import Clock
from service.ports.players import Account, Changed, Credential, Named, Player, TokenChange

SCRIPT = files(__package__).joinpath("players.lua").read_text(encoding="utf-8")
NAMES = "{players}:names"
SEALED_BY = "{players}:sealed-by"
IN_AOF, MAY_HOLD_SEATS = "{players}:left", "{players}:leaving"
"""Player → when (ms): those with an old name that may stand in the append-only file, and those who may still hold seats."""
OLD_TOKEN = ("token_id", "token_hash")
AT_ONCE = 500
ALTERED = b"altered"
"""Stands in place of a MAC that is missing from a record which must have one."""


class RedisPlayers:
    def __init__(self, client: redis.Redis, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._script = client.register_script(SCRIPT)

    def create(self, account: Account) -> bool:
        player = account.player
        records = [part for token in account.tokens for part in (f"t:{token.id}", _record(token))]
        if account.recovery is not None:
            records += ["recovery", _record(account.recovery)]
        done = self._change("create", player.id, player.name, "\n".join(account.keys), player.at, *records)
        if done == "issued":
            raise ValueError("this player id is taken")
        return done == "done"

    def get(self, player_id: str) -> Account | None:
        with translated_errors():
            row: Any = self._client.hgetall(_key(player_id))
        return _account(player_id, row)

    def token(self, player_id: str, token_id: str) -> Credential | None:
        with translated_errors():
            found: Any = self._client.hmget(_key(player_id), "name", "at", f"t:{token_id}", *OLD_TOKEN)
        name, at, record, old_id, old_hash = found
        if name is None:
            return None
        if record is not None:
            return _credential(token_id, record)
        if old_id is not None and old_hash is not None and old_id.decode("utf-8", "replace") == token_id:
            return Credential(token_id, old_hash, _number(at))
        return None

    def names(self, ids: Collection[str]) -> dict[str, str]:
        with translated_errors(), self._client.pipeline(transaction=False) as pipe:
            for player_id in ids:
                pipe.hget(_key(player_id), "name")
            found: list[bytes | None] = pipe.execute()
        pairs = zip(ids, found, strict=True)
        return {player_id: name.decode() for player_id, name in pairs if name is not None}

    def was_issued(self, player_id: str) -> bool:
        with translated_errors():
            return bool(self._client.exists(_key(player_id)))

    def rename(self, player_id: str, name: str, keys: Sequence[str]) -> Named:
        done = cast(Named, self._change("rename", player_id, name, "\n".join(keys)))
        if done == "done":
            with translated_errors():
                self._note(IN_AOF, player_id)
                self._announce(player_id)
        return done

    def change_tokens(self, player_id: str, change: TokenChange) -> Changed:
        add, recovery = change.add, change.recovery
        done = self._change(
            "tokens",
            player_id,
            change.most,
            "" if recovery is None else _record(recovery),
            int(change.remove is None),
            "" if add is None else add.id,
            "" if add is None else _record(add),
            *(change.remove or ()),
        )
        if done == "done" and (change.remove is None or change.remove):
            with translated_errors():
                self._announce(player_id)
        return cast(Changed, done)

    def set_recovery(self, player_id: str, code: Credential) -> bool:
        return self._change("recovery", player_id, _record(code)) == "done"

    def forget(self, player_id: str) -> bool:
        with translated_errors():
            # Noted before the deletion, so that a crash at any point leaves a note; and again after it, so that the time noted is
            # not earlier than the deletion, however long that took.
            self._note_deletion(player_id)
            there = self._change("forget", player_id) == "done"
            self._note_deletion(player_id)
            self._announce(player_id)
        return there

    # -- the port OldPlayers

    def accounts(self) -> Iterator[Account]:
        with translated_errors():
            ids = (key.decode("utf-8", "replace")[8:-1] for key in self._client.scan_iter("player:{*}", count=AT_ONCE))
            while some := list(islice(ids, AT_ONCE)):
                with self._client.pipeline(transaction=False) as pipe:
                    for player_id in some:
                        pipe.hgetall(_key(player_id))
                    rows = pipe.execute(raise_on_error=False)
                for player_id, row in zip(some, rows, strict=True):
                    account = None if isinstance(row, ResponseError) else _account(player_id, row)
                    if account is not None:
                        yield account

    def adopt(self, old: Account, keys: Sequence[str], tokens: Sequence[Credential]) -> None:
        hashes = {token.id: token.hash for token in old.tokens}
        records = [part for token in tokens for part in (token.id, hashes.get(token.id, b""), _record(token))]
        self._change("adopt", old.player.id, old.player.name, "\n".join(keys), *records)

    def agree_on_key(self, fingerprint: str, *, replacing: bool = False) -> str:
        with translated_errors():
            self._client.set(SEALED_BY, fingerprint, nx=not replacing)
            noted: Any = self._client.get(SEALED_BY)
        return str(noted.decode("utf-8", "replace"))

    # -- the port DeletedAccounts

    def newest_in_aof(self) -> int | None:
        with translated_errors():
            newest: Any = self._client.zrange(IN_AOF, -1, -1, withscores=True)
        return int(newest[0][1]) if newest else None

    def note_rewritten(self, until: int) -> None:
        with translated_errors():
            self._client.zremrangebyscore(IN_AOF, "-inf", until)

    def awaiting_release(self, until: int) -> list[tuple[str, int]]:
        with translated_errors():
            found: Any = self._client.zrangebyscore(MAY_HOLD_SEATS, "-inf", until, withscores=True)
        return [(player.decode(), int(when)) for player, when in found]

    def note_released(self, player_id: str) -> None:
        with translated_errors():
            self._client.zrem(MAY_HOLD_SEATS, player_id)

    def _change(self, change: str, player_id: str, *given: Any) -> str:
        with translated_errors():
            done: Any = self._script(keys=[_key(player_id), NAMES], args=[change, player_id, *given])
        return str(done.decode())

    def _note_deletion(self, player_id: str) -> None:
        for key in (IN_AOF, MAY_HOLD_SEATS):
            self._note(key, player_id)

    def _note(self, key: str, player_id: str) -> None:
        self._client.zadd(key, {player_id: self._clock.now()})

    def _announce(self, player_id: str) -> None:
        self._client.publish(ACCOUNTS_CHANNEL, player_id)


def _key(player_id: str) -> str:
    return f"player:{{{player_id}}}"


def _account(player_id: str, row: Mapping[bytes, bytes]) -> Account | None:
    name = row.get(b"name")
    if name is None:
        return None
    fields = {key.decode("utf-8", "replace"): value for key, value in row.items()}
    at = _number(fields.get("at"))
    tokens = [_credential(key[2:], value) for key, value in fields.items() if key.startswith("t:")]
    if "token_id" in fields and "token_hash" in fields:
        tokens.append(Credential(fields["token_id"].decode("utf-8", "replace"), fields["token_hash"], at))
    return Account(
        Player(player_id, name.decode("utf-8", "replace"), at),
        tuple(sorted(tokens, key=lambda token: (token.at, token.id))),
        _credential("recovery", fields["recovery"]) if "recovery" in fields else None,
        tuple(filter(None, fields.get("name_keys", b"").decode("utf-8", "replace").split("\n"))),
    )


def _record(credential: Credential) -> str:
    row = {"hash": credential.hash.hex(), "at": credential.at, "label": credential.label, "mac": credential.mac.hex()}
    return json.dumps(row)


def _credential(credential_id: str, record: bytes) -> Credential:
    """Reads a stored record; one that was altered so that it cannot be read becomes one that no token fits."""
    try:
        row = json.loads(record)
        hashed, mac = bytes.fromhex(row["hash"]), bytes.fromhex(row["mac"])
        return Credential(credential_id, hashed, int(row["at"]), str(row["label"]), mac or ALTERED)
    except (ValueError, TypeError, KeyError):
        return Credential(credential_id, b"", 0, "", ALTERED)


def _number(text: bytes | None) -> int:
    return int(text) if text is not None and text.isdigit() else 0

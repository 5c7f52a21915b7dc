"""Players in memory."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import replace

from service.ports.players import Account, Changed, Credential, Named, TokenChange


class MemoryPlayers:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._players: dict[str, Account | None] = {}
        """``None``: deleted."""
        self._claims: dict[str, str] = {}
        """Key of a name → player id."""

    def create(self, account: Account) -> bool:
        player_id = account.player.id
        with self._lock:
            if player_id in self._players:
                raise ValueError("this player id is taken")
            if not self._claims.keys().isdisjoint(account.keys):
                return False
            self._claims |= dict.fromkeys(account.keys, player_id)
            self._players[player_id] = account
        return True

    def get(self, player_id: str) -> Account | None:
        return self._players.get(player_id)

    def token(self, player_id: str, token_id: str) -> Credential | None:
        account = self._players.get(player_id)
        tokens = () if account is None else account.tokens
        return next((token for token in tokens if token.id == token_id), None)

    def names(self, ids: Collection[str]) -> dict[str, str]:
        accounts = ((player_id, self._players.get(player_id)) for player_id in ids)
        return {player_id: account.player.name for player_id, account in accounts if account}

    def was_issued(self, player_id: str) -> bool:
        return player_id in self._players

    def rename(self, player_id: str, name: str, keys: Sequence[str]) -> Named:
        with self._lock:
            account = self._players.get(player_id)
            if account is None:
                return "no_account"
            if any(self._claims.get(key, player_id) != player_id for key in keys):
                return "name_taken"
            self._release(account)
            self._claims |= dict.fromkeys(keys, player_id)
            self._players[player_id] = replace(account, player=replace(account.player, name=name), keys=tuple(keys))
        return "done"

    def change_tokens(self, player_id: str, change: TokenChange) -> Changed:
        with self._lock:
            account = self._players.get(player_id)
            if account is None:
                return "no_account"
            if change.recovery is not None and account.recovery != change.recovery:
                return "other_code"
            known = {token.id for token in account.tokens}
            removed = known if change.remove is None else set(change.remove)
            if not removed <= known:
                return "no_token"
            kept = tuple(token for token in account.tokens if token.id not in removed)
            after = kept if change.add is None else (*kept, change.add)
            if change.add is not None and len(after) > change.most:
                return "too_many"
            if not after and account.recovery is None:
                return "last_token"
            self._players[player_id] = replace(account, tokens=after)
        return "done"

    def set_recovery(self, player_id: str, code: Credential) -> bool:
        with self._lock:
            account = self._players.get(player_id)
            if account is not None:
                self._players[player_id] = replace(account, recovery=code)
        return account is not None

    def forget(self, player_id: str) -> bool:
        with self._lock:
            account = self._players.get(player_id)
            if account is not None:
                self._release(account)
                self._players[player_id] = None
        return account is not None

    def _release(self, account: Account) -> None:
        for key in account.keys:
            self._claims.pop(key, None)

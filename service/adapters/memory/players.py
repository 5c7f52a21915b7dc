"""Players in memory."""

from __future__ import annotations

import threading
from collections.abc import Collection

from service.ports import Player


class MemoryPlayers:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._players: dict[str, Player | None] = {}

    def create(self, player_id: str, name: str, token_id: str, token_hash: bytes, at: int) -> Player:
        player = Player(player_id, name, at, token_id, token_hash)
        with self._lock:
            if player_id in self._players:
                raise ValueError("this player id is taken")
            self._players[player_id] = player
        return player

    def get(self, player_id: str) -> Player | None:
        return self._players.get(player_id)

    def names(self, ids: Collection[str]) -> dict[str, str]:
        players = ((player_id, self.get(player_id)) for player_id in ids)
        return {player_id: player.name for player_id, player in players if player}

    def was_issued(self, player_id: str) -> bool:
        return player_id in self._players

    def forget(self, player_id: str) -> bool:
        with self._lock:
            there = self._players.get(player_id) is not None
            if there:
                self._players[player_id] = None
        return there

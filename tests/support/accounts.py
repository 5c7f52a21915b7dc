"""Accounts for tests that need no token that works."""

from __future__ import annotations

from service.ports.players import Account, Credential, Player


def account(player_id: str, name: str, at: int = 1_700_000_000_000, *, tokens: int = 1) -> Account:
    """An account whose name has keys of its own, with records that no token fits."""
    records = tuple(token(f"{number:08x}", at + number) for number in range(1, tokens + 1))
    return Account(
        Player(player_id, name, at), records, token("recovery", at), (f"look:{name}", f"fold:{name.lower()}")
    )


def token(token_id: str, at: int = 1_700_000_000_000, label: str = "") -> Credential:
    return Credential(token_id, bytes(range(32)), at, label, bytes(32))

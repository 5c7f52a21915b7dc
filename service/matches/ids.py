"""Identifiers: short, lower-case and opaque.

A match id is its shard as two hexadecimal digits and 14 characters of base 32 (70 bits); a player id is 16 such
characters.
"""

from __future__ import annotations

import base64
import hashlib

from domain.chance import prefixed
from domain.store import SHARDS


def _text(raw: bytes, length: int) -> str:
    return base64.b32encode(raw).decode().lower()[:length]


def player_id(entropy: bytes) -> str:
    """Makes a player id of 10 random bytes."""
    return _text(entropy, 16)


def is_player_id(text: str) -> bool:
    """Returns whether the text has the form of a player id."""
    return len(text) == 16 and text.isascii() and text.isalnum()


def command_id(entropy: bytes) -> str:
    """Makes a command id of 8 random bytes, for a command whose sender gave it none."""
    return entropy.hex()


def match_id(player: str, command_id: str) -> str:
    """Returns the id of the match that this command opens: always the same, so that a repeated request opens no second one."""
    digest = hashlib.sha256(b"match" + prefixed(player.encode(), command_id.encode())).digest()
    return f"{digest[0] % SHARDS:02x}{_text(digest[1:], 14)}"


def is_match_id(text: str) -> bool:
    """Returns whether the text has the form of a match id."""
    shard, rest = text[:2], text[2:]
    return (
        len(rest) == 14
        and rest.isascii()
        and rest.isalnum()
        and rest == rest.lower()
        and all(digit in "0123456789abcdef" for digit in shard)
        and int(shard, 16) < SHARDS
    )

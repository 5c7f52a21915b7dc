"""The one form in which an entry is stored: as short as it can be, and of nothing but what ``wire.encode`` writes.

So in every language the same bytes are an entry: no maps with a name twice, no floats, no times, no raw bytes.
"""

from __future__ import annotations

from typing import Any

import msgpack

from domain.hashchain import HASH_BYTES
from domain.store import Entry
from domain.wire import FAULTS, SECRET, pack, secret_values, unpack

MOST_DEPTH = 32
"""The most levels of lists and maps in a public part. Far more than any commit has, so that every reader can follow."""


def is_canonical(entry: Entry) -> bool:
    """True if an entry is in this form."""
    return is_canonical_public(entry.public) and are_canonical_secrets(entry.secrets)


def is_canonical_public(public: bytes) -> bool:
    """The same of the public part alone."""
    try:
        plain = unpack(public)
        # In Python true equals 1, also as the number of a format.
        return plain[0] is not True and _is_plain(plain, 0) and pack(plain) == public
    except FAULTS:
        return False


def are_canonical_secrets(secrets: bytes) -> bool:
    """The same of the secrets alone."""
    try:
        values = [(value, unpack(value)) for value in secret_values(secrets) if value is not None]
        return all(_is_plain(plain, 0) and pack(plain) == value for value, plain in values)
    except ValueError:
        return False


_PLAIN = frozenset({str, int, bool, type(None)})


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in _PLAIN:
        return True
    if depth >= MOST_DEPTH:
        return False
    if kind is tuple:
        return all(_is_plain(item, depth + 1) for item in value)
    if kind is dict:
        return all(type(name) is str and _is_plain(item, depth + 1) for name, item in value.items())
    return kind is msgpack.ExtType and value.code == SECRET and len(value.data) == 1 + HASH_BYTES

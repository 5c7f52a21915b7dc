"""Receipts, and the public keys that verify them."""

from __future__ import annotations

from typing import Annotated

from service.integrity.keys import PublicKey
from service.integrity.receipts import Signer, signed_bytes
from service.web.bodies.body import Body, Time, about, body, maybe_time


@body
class Receipt(Body):
    match: str
    version: int
    head: Annotated[str, about("The hash of this commit, in hexadecimal.")]
    key: str
    signature: Annotated[str, about("Ed25519, in hexadecimal.")]


def receipt(signer: Signer, match_id: str, version: int, head: bytes) -> Receipt:
    """Signs the receipt of a version. About 30 µs."""
    return Receipt(
        match=match_id,
        version=version,
        head=head.hex(),
        key=signer.key_id,
        signature=signer.sign(signed_bytes(match_id, version, head)).hex(),
    )


@body
class PublishedKey(Body):
    id: Annotated[str, about("The key id in receipts and records.")]
    algorithm: Annotated[str, about("Ed25519 (RFC 8032).")]
    public: Annotated[str, about("The public key, in hexadecimal.")]
    since: Time | None
    until: Annotated[Time | None, about("Null while the key is in use.")]


@body
class KeysBody(Body):
    keys: list[PublishedKey]


def published_key(key: PublicKey) -> PublishedKey:
    return PublishedKey(
        id=key.id,
        algorithm="Ed25519",
        public=key.public,
        since=maybe_time(key.since),
        until=maybe_time(key.until),
    )

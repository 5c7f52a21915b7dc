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


def receipt(signer: Signer, match_id: str, version: int, head: bytes, signature: bytes | None = None) -> Receipt:
    """Returns the receipt of a version. Signs it, which takes about 30 µs, unless the signature is there already."""
    made = signer.sign(signed_bytes(match_id, version, head)) if signature is None else signature
    return Receipt(match=match_id, version=version, head=head.hex(), key=signer.key_id, signature=made.hex())


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

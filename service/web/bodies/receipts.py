"""Receipts, and the public keys that verify them."""

from __future__ import annotations

from typing import Annotated, Any

from marshmallow import RAISE, Schema, fields
from marshmallow.validate import Length, Range, Regexp

from service.integrity.keys import PublicKey
from service.integrity.receipt_check import CheckedReceipt, Result
from service.integrity.receipts import Signer, signed_bytes
from service.integrity.records import Receipt as ReceiptToCheck
from service.web.bodies.body import Body, Time, about, body, maybe_time
from service.web.bodies.inputs import Whole


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


# -- receipts that are shown to the server ----------------------------------------------------------------------------

MOST_RECEIPTS = 20
"""The most receipts of one request: each takes a signature's verification and up to two reads of the log."""


def _hexadecimal(characters: int, example: str) -> fields.String:
    pattern = f"^[0-9a-f]{{{characters}}}$"
    valid = Regexp(f"{pattern[:-1]}\\Z", error=f"Must be {characters} lower-case hexadecimal digits.")
    return fields.String(required=True, validate=valid, metadata={"pattern": pattern, "examples": [example]})


class ShownReceipt(Schema):
    match = fields.String(required=True, validate=Length(1, 64), metadata={"examples": ["0abcdefghijklmno"]})
    version = Whole(required=True, validate=Range(1, 10**15 - 1), metadata={"examples": [7]})
    head = _hexadecimal(64, "ab" * 32)
    key = _hexadecimal(16, "cd" * 8)
    signature = _hexadecimal(128, "ef" * 64)


class CheckReceipts(Schema):
    receipts = fields.List(
        fields.Nested(ShownReceipt, unknown=RAISE),
        required=True,
        validate=Length(1, MOST_RECEIPTS),
        metadata={"description": f"Receipts as the server gave them, up to {MOST_RECEIPTS}."},
    )


def shown_receipt(given: dict[str, Any]) -> ReceiptToCheck:
    """Returns a receipt as it was shown, whoever made it."""
    head, signature = bytes.fromhex(given["head"]), bytes.fromhex(given["signature"])
    return ReceiptToCheck(given["match"], given["version"], head, given["key"], signature)


@body
class CheckedReceiptBody(Body):
    match: str
    version: int
    result: Annotated[
        Result,
        about(
            "`confirmed`: the log has this head at this version. `contradicted`, `version_lost`, `match_lost`: this server"
            " signed it, and the log does not bear it out; the operator is alarmed. `not_signed`: not by this server."
        ),
    ]
    message: str


@body
class CheckedReceiptsBody(Body):
    receipts: list[CheckedReceiptBody]


def checked_receipt(found: CheckedReceipt) -> CheckedReceiptBody:
    given = found.receipt
    return CheckedReceiptBody(match=given.match_id, version=given.version, result=found.result, message=found.message)


# -- keys -------------------------------------------------------------------------------------------------------------


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

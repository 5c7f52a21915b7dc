"""Records of played matches, signed with a key of the tests."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from domain import hashchain
from domain.commands import Resign
from domain.game import AnyGame
from domain.hidden import ALL, Sees
from replay.record import Plain, canonical, message, unsigned
from service.integrity.keys import public_key
from service.integrity.receipts import Signer, read_key
from service.integrity.records import Receipt
from service.web.bodies import body, receipts
from tests.support.dice import RandomDice
from tests.support.playing import Playing, Setup, any_move, bot, play_on, played_with_returns, player

HOUSE = Signer(read_key("17" * 32))
FORGER = Signer(read_key("29" * 32))
KEYS = (public_key(HOUSE.public),)


def ended(game: AnyGame, seed: int = 5, most: int = 400) -> Playing:
    """A match from the deal to its end; if it takes too long, somebody resigns."""
    playing = Playing(Setup(game, game.seats[0], game.options(), seed=seed))
    play_on(playing, bot(game.id) or any_move, RandomDice(seed), most)
    return resigned(playing)


def short(game: AnyGame, seed: int = 5, moves: int = 6) -> Playing:
    """A match with an undo that is soon resigned."""
    playing = played_with_returns(Setup(game, game.seats[0], game.options(), seed=seed), limit=moves + 2)
    return resigned(playing)


def resigned(playing: Playing) -> Playing:
    if playing.match.status == "live":
        assert playing.do(Resign(1), player(1)) is None
    return playing


def plain_record(playing: Playing, sees: Sees = ALL, signer: Signer = HOUSE) -> Plain:
    made = unsigned(playing.match, playing.entries, playing.seed, sees, signer.key_id, signer.public)
    return signed(made, signer)


def signed(plain: Plain, signer: Signer) -> Plain:
    """The record with this signer's key and signature."""
    made = plain | {"key": signer.key_id, "public_key": signer.public.hex()}
    return made | {"signature": signer.sign(message(made)).hex()}


def record_bytes(playing: Playing, sees: Sees = ALL) -> bytes:
    return canonical(plain_record(playing, sees))


def receipt(playing: Playing, version: int, signer: Signer = HOUSE) -> Receipt:
    made = plain_receipt(signer, playing.match_id, version, playing.entries[version - 1].hash)
    return Receipt(made["match"], version, bytes.fromhex(made["head"]), made["key"], bytes.fromhex(made["signature"]))


def plain_receipt(signer: Signer, match_id: str, version: int, head: bytes) -> Plain:
    """The receipt as it is answered."""
    return body.plain(receipts.receipt(signer, match_id, version, head))


def changed(plain: Plain, change: Callable[[Plain], Any]) -> Plain:
    """A copy with a change."""
    made = copy.deepcopy(plain)
    change(made)
    return made


def rechained(plain: Plain) -> Plain:
    """The record with the hashes that its entries should have, as who has no key could forge it."""

    def link(made: Plain) -> None:
        previous = hashchain.GENESIS
        for line in made["entries"]:
            previous = hashchain.link(made["match_id"], line["version"], previous, bytes.fromhex(line["public"]))
            line["hash"] = previous.hex()
        made["head"], made["version"] = previous.hex(), len(made["entries"])

    return changed(plain, link)

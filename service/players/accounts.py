"""Accounts: creating and renaming one, its tokens and its recovery code. Nothing here remembers a token or a code."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass, field

from service.matches import ids
from service.players import naming
from service.players.credentials import CODE_BYTES, SECRET_BYTES, Seal, new_code, new_token, read_code
from service.players.tokens import Tokens
from service.ports import Clock, Entropy
from service.ports.players import Account, Credential, Player, Players, TokenChange
from service.problems import ProblemError

MOST_TOKENS = 20
"""The most tokens of one account."""

NO_TOKEN = "You have no token of this id."


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token with its account. The token, and a new recovery code, cannot be shown again."""

    player: Player
    record: Credential
    token: str = field(repr=False)
    code: str | None = field(default=None, repr=False)


class Accounts:
    """Changes accounts. Names come from ``naming.read_name``. Every method raises ``ProblemError``."""

    def __init__(self, players: Players, tokens: Tokens, clock: Clock, entropy: Entropy, seal: Seal) -> None:
        self._players = players
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._seal = seal

    def create(self, name: str) -> Issued:
        """Creates an account with a token and a recovery code. Raises 409 if another account has such a name."""
        player = Player(ids.player_id(self._entropy.bytes(10)), name, self._clock.now())
        secrets = self._entropy.bytes(SECRET_BYTES + CODE_BYTES)
        token, record = new_token(player.id, secrets[:SECRET_BYTES], player.at, "")
        code, recovery = new_code(player.id, secrets[SECRET_BYTES:], player.at)
        record, recovery = (self._seal.sealed(player.id, each) for each in (record, recovery))
        if not self._players.create(Account(player, (record,), recovery, naming.keys(name))):
            raise _name_taken()
        return Issued(player, record, token, code)

    def get(self, player_id: str) -> Account:
        account = self._players.get(player_id)
        if account is None:
            raise _no_account()
        return account

    def rename(self, player_id: str, name: str) -> Player:
        """Changes the name. Raises 409 if another account has such a name; the old one is free for others then."""
        done = self._players.rename(player_id, name, naming.keys(name))
        if done == "name_taken":
            raise _name_taken()
        if done == "no_account":
            raise _no_account()
        return self.get(player_id).player

    def add_token(self, player_id: str, label: str) -> Issued:
        token, record = self._new_token(player_id, label)
        self._change(player_id, TokenChange(add=record, most=MOST_TOKENS))
        return Issued(self.get(player_id).player, record, token)

    def revoke(self, player_id: str, token_id: str) -> None:
        """Revokes one token. Raises 404, and 409 for the last token of an account without a recovery code."""
        self._change(player_id, TokenChange(remove=(token_id,)))

    def renew(self, player_id: str, token_id: str) -> Issued:
        """Replaces one token by a new one with the same label."""
        account = self.get(player_id)
        label = next((token.label for token in account.tokens if token.id == token_id), None)
        if label is None:
            raise ProblemError("token_not_found", NO_TOKEN)
        token, record = self._new_token(player_id, label)
        self._change(player_id, TokenChange(add=record, remove=(token_id,), most=MOST_TOKENS))
        return Issued(account.player, record, token)

    def new_recovery_code(self, player_id: str) -> str:
        """Makes a recovery code, which replaces the one before."""
        code, record = new_code(player_id, self._entropy.bytes(CODE_BYTES), self._clock.now())
        if not self._players.set_recovery(player_id, self._seal.sealed(player_id, record)):
            raise _no_account()
        return code

    def recover(self, code: str, revoke: Collection[str] | None) -> Issued:
        """Makes a token for whoever knows the recovery code, and revokes these tokens; ``None``: all others.

        Raises 401 for a wrong code. The code stays valid, so the request can be repeated if its response was lost.
        """
        player_id, digest = read_code(code)
        account = self._players.get(player_id) if ids.is_player_id(player_id) else None
        recovery = None if account is None else account.recovery
        # In constant time, so that the time of a refusal shows nothing of the stored hash.
        if (
            account is None
            or recovery is None
            or not self._tokens.is_sound(player_id, recovery)
            or not hmac.compare_digest(recovery.hash, digest)
        ):
            raise _wrong_code()
        token, record = self._new_token(player_id, "")
        change = TokenChange(add=record, remove=revoke, most=MOST_TOKENS, recovery=recovery)
        self._change(player_id, change)
        return Issued(account.player, record, token)

    def forget(self, player_id: str) -> bool:
        """Deletes a player's name, tokens and recovery code. Returns whether there was such an account."""
        return self._players.forget(player_id)

    def _change(self, player_id: str, change: TokenChange) -> None:
        match self._players.change_tokens(player_id, change):
            case "no_account":
                raise _no_account()
            case "no_token":
                raise ProblemError("token_not_found", NO_TOKEN)
            case "too_many":
                raise ProblemError("too_many_tokens", f"An account has at most {MOST_TOKENS} tokens. Revoke one first.")
            case "last_token":
                detail = "Without this token and without a recovery code nobody could use the account any more."
                raise ProblemError("last_token", detail)
            case "other_code":
                raise _wrong_code()

    def _new_token(self, player_id: str, label: str) -> tuple[str, Credential]:
        token, record = new_token(player_id, self._entropy.bytes(SECRET_BYTES), self._clock.now(), label)
        return token, self._seal.sealed(player_id, record)


def _name_taken() -> ProblemError:
    # The name of the other account is not said: the two may merely look the same.
    return ProblemError("name_taken", "Another account has this name, or one that looks the same.", field="name")


def _no_account() -> ProblemError:
    return ProblemError("unauthenticated", "The account was deleted.")


def _wrong_code() -> ProblemError:
    return ProblemError("unauthenticated", "The recovery code is not valid.")

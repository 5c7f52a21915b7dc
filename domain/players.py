"""Player ids that are no accounts: bots at their seats. Accounts have ids without a colon."""

from __future__ import annotations

from typing import Literal, get_args

BotLevel = Literal["random", "greedy", "planner"]

BOT_LEVELS: tuple[BotLevel, ...] = get_args(BotLevel)

_BOT = "bot:"


def bot_id(level: str, seat: int) -> str:
    """The player id of a bot of this level on this seat."""
    return f"{_BOT}{level}:{seat}"


def is_bot(player: str) -> bool:
    return player.startswith(_BOT)


def level_of(bot: str) -> str:
    """The level of a bot by its player id."""
    return bot.split(":")[1]


def stand_in(seat: int) -> str:
    """The player id of the bot that plays on for a seat that has retired."""
    return bot_id("greedy", seat)

"""Positions for the documentation, in the format of ``view``."""

from __future__ import annotations

from typing import Any, Final

from domain.games.cock_block.position import parse
from domain.games.cock_block.state import Options
from domain.games.cock_block.view import view


def _hand(*cards: str) -> dict[str, Any]:
    return {"cards": list(cards)}


def _complete(position: dict[str, Any]) -> dict[str, Any]:
    """Completes a position with all that follows from it: the deck is the cards that lie nowhere else."""
    return view(parse(position, len(position["seats"]), Options()))


_SKILLS = ("flex_gunz", "got_the_moves", "best_joke_ever", "fresh_2_death")

_ALMOST_HOME: Final = {
    "turn": 31,
    "active": 0,
    "seats": [
        {
            "hero": "trent_cooper",
            "at": "b2",
            "chick": "sarah",
            "hand": _hand(*_SKILLS, "got_bread", "corn_pills", "wild"),
        },
        {"hero": "lil_wing", "at": "b0", "hand": _hand(*_SKILLS, "the_rumor", "bouncer", "wild")},
    ],
    "tokens": {"a0": "jealous_bff", "c1": "loud_friend"},
}
"""Bread forward-forward ends in a fight with Lil Wing first. One Flex Gunz forward, then bread right and forward, over the
token on c1, brings Sarah home to c0."""

_A_WINDOW: Final = {
    "turn": 12,
    "active": 2,
    "seats": [
        {"hero": "trent_cooper", "at": "c3", "hand": _hand(*_SKILLS, "wingman", "get_2_drinks", "wild")},
        {"hero": "lil_wing", "at": "c5", "hand": _hand(*_SKILLS, "bartender", "get_2_drinks", "wild")},
        {"hero": "kentucky_rogers", "at": "a4", "hand": _hand(*_SKILLS, "the_rumor")},
    ],
    "tokens": {"c4": "jealous_bff"},
    "discard": ["flex_gunz", "jealous_bff"],
    "actions": ["move", "attack"],
    "pending": {"type": "counter_window", "at": "c4", "asked": [0, 1]},
}
"""Kentucky blocked column c: Trent is asked first and holds the Wingman; Lil Wing is asked only if he declines."""

_RECOVERY: Final = {
    "turn": 40,
    "active": 3,
    "seats": [
        {"hero": "trent_cooper", "at": "d0", "hand": _hand(*_SKILLS, "the_rumor", "wild", "wild")},
        {"hero": "lil_wing", "at": "a4", "chick": "tracy", "hand": _hand(*_SKILLS, "got_bread", "bouncer", "wild")},
        {"hero": "kentucky_rogers", "at": "b6", "slowed": True, "hand": _hand(*_SKILLS, "corn_pills", "wingman")},
        {
            "hero": "eggy_silverspoon",
            "at": "d0",
            "chick": "hailey",
            "knocked_out": True,
            "hand": _hand("moment_of_glory", "loud_friend", "golden_mute", "wild"),
        },
    ],
    "tokens": {"b3": "drink_spiller", "c2": "drink_spiller", "d1": "loud_friend"},
}
"""Eggy lost the fight in the Exit Area and lies there with Hailey; nobody sent him away, so he wins by ending this turn."""

EXAMPLES: Final = {
    "almost_home": _complete(_ALMOST_HOME),
    "a_window": _complete(_A_WINDOW),
    "recovery_in_the_exit": _complete(_RECOVERY),
}

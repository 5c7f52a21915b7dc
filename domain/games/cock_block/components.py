"""The components of the game: heroes, chicks, tokens, the die and the deck, each a row of a table.

The book names the skills, heroes, chicks and most cards and gives 110 cards, 12 tokens and two dice. Where it is silent
the number is our choice and the row says so. Order matters: lists of cards are shown in the order of ``CARDS``, wild last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from domain.validation import OneOf

Kind = Literal["move", "attack", "defend", "legendary", "free"]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A kind of card: its title, the kind of action it is played as, the number of copies, and its rarity, 1 to 5."""

    title: str
    kind: Kind
    count: int
    rarity: int


# The counts and the rarities are ours: the book gives only their total (110), "one of each legendary" and a scale of 5.
# The titles marked * are ours too: the book shows these cards without naming them.
CARDS: Final[dict[str, CardRow]] = {
    "flex_gunz": CardRow("Flex Gunz", "move", 11, 1),
    "got_the_moves": CardRow("Got the Moves", "move", 11, 1),
    "best_joke_ever": CardRow("Best Joke Ever", "move", 11, 1),
    "fresh_2_death": CardRow("Fresh 2 Death", "move", 11, 1),
    "get_2_drinks": CardRow("Get 2 Drinks", "move", 10, 2),
    "got_bread": CardRow("Got Bread?", "move", 6, 4),
    "the_rumor": CardRow("The Rumor", "attack", 6, 4),
    "jealous_bff": CardRow("Jealous BFF", "attack", 4, 3),
    "drink_spiller": CardRow("Drink Spiller", "attack", 4, 3),
    "loud_friend": CardRow("Loud Friend", "attack", 4, 3),
    "wingman": CardRow("Wingman", "defend", 4, 2),
    "bartender": CardRow("Bartender", "defend", 4, 2),  # *
    "bouncer": CardRow("Bouncer", "defend", 4, 2),  # *
    "bag_of_seeds": CardRow("Bag of Seeds", "legendary", 1, 5),
    "mop_of_destiny": CardRow("Mop of Destiny", "legendary", 1, 5),  # *
    "golden_mute": CardRow("Golden Mute", "legendary", 1, 5),  # *
    "all_access": CardRow("All Access", "defend", 1, 5),
    "moment_of_glory": CardRow("Moment of Glory", "free", 2, 4),
    "tomahawk_god": CardRow("Tomahawk God", "defend", 2, 4),
    "drank_2_much": CardRow("Drank 2 Much", "attack", 3, 3),
    "corn_pills": CardRow("Corn Pills", "free", 3, 2),
    "wild": CardRow("Wild", "move", 6, 2),
}

DECK: Final = tuple(card for card, row in CARDS.items() for _ in range(row.count))

SKILLS: Final = ("flex_gunz", "got_the_moves", "best_joke_ever", "fresh_2_death")

HEROES: Final = {
    "trent_cooper": "flex_gunz",
    "lil_wing": "got_the_moves",
    "kentucky_rogers": "best_joke_ever",
    "eggy_silverspoon": "fresh_2_death",
}
"""Hero → the skill of which one card is enough."""

CHICKS: Final = {
    "hailey": "flex_gunz",
    "tracy": "got_the_moves",
    "vivian": "best_joke_ever",
    "sarah": "fresh_2_death",
}
"""Chick → the skill that she loves, in the order of the columns that they start in."""

BLOCKS: Final = ("jealous_bff", "drink_spiller", "loud_friend")
"""The kinds of token; the cock block card of a kind has the same name."""

TOKENS_OF_A_KIND: Final = 4

COUNTERS: Final = {"wingman": "jealous_bff", "bartender": "drink_spiller", "bouncer": "loud_friend"}
"""Counter block → the kind of token that it moves."""

LEGENDARIES: Final = {"bag_of_seeds": "jealous_bff", "mop_of_destiny": "drink_spiller", "golden_mute": "loud_friend"}
"""Legendary → the kind of token that it moves."""

FACES: Final = ("cb", "2x", "punch", "punch", "shield", "miss")
"""The faces of the die. The book shows five; the sixth, a second punch, is our choice."""

HAND: Final = 7
COMMITTED_AT_MOST: Final = 3
DISCARDS: Final = (0, 1, 3, 4)
"""The cards that 0, 1, 2, 3 discard actions of one turn may throw. The book gives 1 and 3; the 4 is our choice."""

ACTIONS: Final = 2
TURN_LIMIT: Final = 500
"""The last turn (CB-37). Our choice: without it two seats that never move would play for ever."""

BARN_ROWS: Final = (3, 8)
"""The fewest and the most rows of the barn. The book draws the board without a count; five is our default."""

RANK: Final = {card: rank for rank, card in enumerate(CARDS)}

TITLES: Final = {card: row.title for card, row in CARDS.items()} | {
    name: name.replace("_", " ").title() for name in (*HEROES, *CHICKS)
}

Card = Annotated[str, OneOf(tuple(CARDS))]
HeroName = Annotated[str, OneOf(tuple(HEROES))]
ChickName = Annotated[str, OneOf(tuple(CHICKS))]
BlockName = Annotated[str, OneOf(BLOCKS)]


def in_order(cards: tuple[str, ...] | None) -> tuple[str, ...]:
    """The cards in the order in which they are shown, that of ``CARDS``; empty for cards that are not seen."""
    return tuple(sorted(cards or (), key=RANK.__getitem__))

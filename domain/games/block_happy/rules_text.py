"""The rules in our words. ``basis``: the printed book, the published game, or our decision where neither says it."""

from __future__ import annotations

from domain.game import Basis, Rule

BOOK: tuple[Basis, ...] = ("book",)
SOURCE: tuple[Basis, ...] = ("source",)
OURS: tuple[Basis, ...] = ("ours",)
BOTH: tuple[Basis, ...] = ("book", "ours")

RULES: tuple[Rule, ...] = (
    Rule("BH-1", "Two to five play.", SOURCE),
    Rule(
        "BH-2",
        "Everybody starts with seven cards in the hand and one happy face up. All other cards, the happy left over among"
        " them, are the hidden pile: 54, 46, 38 or 30 cards with two, three, four or five at the table.",
        BOOK,
    ),
    Rule("BH-3", "Your turn is one play: a single card, an emotional pair, or the rainbow. You cannot pass.", BOOK),
    Rule(
        "BH-4",
        "What can act has to act. A card that cannot (Smug or Overjoyed in your own turn, Shocked for a second time,"
        " anything that needs happiness when no opponent has some) is played at nobody and does nothing. Tickled Pink"
        " is the one card that is never played.",
        OURS,
    ),
    Rule("BH-5", "What you play lies face up on the show pile, in the order played, before it takes effect.", BOOK),
    Rule(
        "BH-6",
        "After a play all hands of fewer than seven draw up to seven, yours first, then clockwise. A happy that is drawn"
        " is laid out at once and another card drawn for it.",
        BOOK,
    ),
    Rule(
        "BH-7",
        "When a card is needed and the hidden pile is empty, the whole show pile is shuffled and becomes the hidden pile."
        " With both empty nobody draws and play goes on; whoever then has fewer than two cards is passed over, for one"
        " card might be a Tickled Pink, which is never played.",
        BOTH,
    ),
    Rule(
        "BH-8",
        "Happiness lies open before its owner. The seven are there or in the hidden pile, never in a hand.",
        BOOK,
    ),
    Rule(
        "BH-9",
        "Seven happiness win, and so do six with Tickled Pink in the hand, which then shows itself. That is at once, in"
        " the middle of whatever happens, in anybody's turn.",
        BOOK,
    ),
    Rule(
        "BH-10",
        "Whoever has less than is asked for loses what there is. Only an opponent with happiness can be the target of"
        " Frustrated, Annoyed, Outraged, Magical, Jealous, Glum, Shocked and the rainbow; if there is none they are"
        " played at nobody: nothing is answered, nothing drawn by Jealous, and Shocked is not spent. Bored, Flirty,"
        " Cheeky and Curious are aimed at any opponent.",
        OURS,
    ),
    Rule(
        "BH-11",
        "The target of Frustrated, Annoyed, Outraged, Bored, Flirty, Cheeky or Curious may answer once, with Smug:"
        " nothing happens then. The answer lies on the show pile above the play, and both seats draw.",
        BOOK,
    ),
    Rule("BH-12", "Smug stops no power, no rainbow, no Overjoyed, no Smug, and nothing that has no target.", BOOK),
    Rule(
        "BH-13",
        "The target of Frustrated, Annoyed or Outraged may answer with Overjoyed: the attacker loses to the target as"
        " much as the attack would have taken: one, two, or everything. That is final.",
        BOOK,
    ),
    Rule("BH-14", "Whatever could be answered waits for its target, no matter which cards the target has.", OURS),
    Rule("BH-15", "Frustrated takes one happiness, Annoyed two, Outraged all.", BOOK),
    Rule(
        "BH-16",
        "Bored makes its target miss the next turn, each further Bored one more. Who misses turns still answers and"
        " draws.",
        BOTH,
    ),
    Rule(
        "BH-17",
        "Flirty swaps a random card of your hand for a random one of the target's, both chosen before either moves. An"
        " empty hand gives nothing.",
        BOTH,
    ),
    Rule(
        "BH-18",
        "Cheeky shows you, and only you, the target's hand; you take any one card of it, if there is one, and the target"
        " draws.",
        BOTH,
    ),
    Rule(
        "BH-19",
        "Optimistic shows you, and only you, the top three cards of the hidden pile. Each happy among them is laid out."
        " You keep one of the rest, however few; the others go back on top as they lay. With fewer than three hidden,"
        " the show pile is first mixed in below the cards that already lie seen on top. If a happy laid out wins, what"
        " was seen goes back on top as it lay.",
        BOTH,
    ),
    Rule(
        "BH-20",
        "Curious asks the target for any card but Happy. The table answers truthfully for all to hear. If the target has"
        " it, one copy is yours and the target draws; if not, you draw.",
        BOOK,
    ),
    Rule(
        "BH-21", "Magical takes two happiness. Jealous takes one, and its target draws a card, above seven too.", BOTH
    ),
    Rule(
        "BH-22",
        "Glum puts one happiness of its target into the hidden pile, Shocked all of it; the pile is shuffled at once."
        " An empty hidden pile is renewed from the show pile first. Shocked acts once in a game, whoever plays it.",
        BOTH,
    ),
    Rule(
        "BH-23",
        "Creative stands for any simple, attack or control card in your turn, alone, in a pair or in the rainbow, and"
        " for Smug as an answer. Being a power, what it plays is not stopped by Smug; Overjoyed still answers its"
        " attacks.",
        BOTH,
    ),
    Rule("BH-24", "A simple emotion alone does nothing.", SOURCE),
    Rule(
        "BH-25",
        "An emotional pair is two of one simple emotion. Take any card that lay on the show pile before it, then draw"
        " one; from an empty show pile you take none and draw two. A full hand does not prevent it.",
        ("book", "source"),
    ),
    Rule(
        "BH-26",
        "The rainbow is one each of the five simple emotions. It takes one happiness from an opponent, and your hand is"
        " drawn full again. It may be played when no opponent has happiness.",
        BOOK,
    ),
    Rule("BH-27", "A hand above seven stays as it is and draws nothing until it is below seven.", OURS),
    Rule("BH-28", "After 2,000 turns, missed ones not counted, the most happiness wins; equals share it.", OURS),
    Rule(
        "BH-29",
        "Everybody knows the show pile, the size of every hand and pile, all happiness, and what is asked and answered."
        " Both seats know the cards that Flirty and Curious move and the one that Cheeky takes. One seat alone knows"
        " the hand that Cheeky shows, what Optimistic shows other than Happy, what it keeps, and what it draws.",
        OURS,
    ),
)

"""The rules in words, numbered. Refusals cite the numbers, and tests are named after them."""

from __future__ import annotations

from domain.game import Rule

RULES = (
    Rule("BL-1", "Three to five seats play, each with a colour of its own. Two seats play by BL-20.", ("book",)),
    Rule(
        "BL-2",
        "Every colour's 28 tiles are mixed into a pile of their own, from which five go on that colour's rack. Only the "
        "owner sees a rack and nobody the order of a pile; how many tiles a pile still has is seen by all.",
        ("book",),
    ),
    Rule("BL-3", "A seat drawn at random begins; turns go round clockwise.", ("book",)),
    Rule(
        "BL-4",
        "In a turn you place one tile from your rack, no more and no fewer, and then draw one from your pile as long as "
        "there is one, whether you captured or not.",
        ("source",),
    ),
    Rule(
        "BL-5",
        "The face of a tile says where it may go: a number in its column, a letter in its row, a symbol in its block, "
        "the wild tile everywhere. A capture is bound by this too.",
        ("book",),
    ),
    Rule(
        "BL-6",
        "Place on an empty space, or on an opponent's tile: that tile is captured and yours takes its place. You choose "
        "freely; while a tile of yours fits an empty space you never have to capture.",
        ("source",),
    ),
    Rule(
        "BL-7",
        "Tiles of one colour that touch edge to edge, directly or through others of the colour, are one group; a tile on "
        "its own is one as well. Corners do not connect, nor do opposite edges of the board.",
        ("book",),
    ),
    Rule(
        "BL-8",
        "You may capture a tile only if its group stays in one piece without it. A lone tile can always be captured. What "
        "the capture does to other groups does not matter.",
        ("book",),
    ),
    Rule(
        "BL-9",
        "You never capture your own tiles. A space that an opponent took from you can be taken back.",
        ("source",),
    ),
    Rule("BL-10", "BL-8 and BL-9 bind the wild tile like any other.", ("ours",)),
    Rule("BL-11", "If none of your tiles fits an empty space but one can capture, you must capture.", ("book",)),
    Rule(
        "BL-12",
        "If you can neither place on an empty space nor capture, you pass: you place nothing and draw nothing, and the "
        "turn is counted. Otherwise nobody may pass.",
        ("ours",),
    ),
    Rule("BL-13", "Captured tiles never return. They lie face up before their captor for all to see.", ("book",)),
    Rule(
        "BL-14",
        "The match ends when every seat has had 24 turns (with two seats 48). Four tiles of each colour are left over "
        "then, and one more for every pass. That a rack comes down to four before the others do ends nothing.",
        ("source",),
    ),
    Rule(
        "BL-15",
        "Your score is the number of groups that you have on the board, plus the number of tiles that you captured of the "
        "one colour of which you captured most; of colours equally often captured one counts.",
        ("book",),
    ),
    Rule(
        "BL-16",
        "The lowest score wins. Among equals, who captured the fewest tiles of all colours together wins; those who are "
        "still equal win together.",
        ("book", "ours"),
    ),
    Rule(
        "BL-17",
        "The option scoring chooses between blockers, which is BL-15, and uptown, where groups alone make the score. "
        "Ties are broken the same way.",
        ("source",),
    ),
    Rule(
        "BL-20",
        "The colours are red, blue, green, yellow and purple, given out in the order of the seats. With two seats, seat 0 "
        "plays red and green and seat 1 blue and yellow, each colour with a pile and a rack of five of its own. A turn "
        "places one tile from either rack and draws from that colour's pile. A rack of four gives nothing any more. "
        "Neither of your colours can be captured by you. Your score is the groups of both, plus the tiles of the "
        "opponent's colour of which you captured most.",
        ("source",),
    ),
)

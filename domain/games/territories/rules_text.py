"""The rules in words, as players read them. Refusals and outcomes cite their numbers."""

from __future__ import annotations

from domain.game import Rule

RULES = (
    Rule(
        "TR-1",
        "Two to four seats play, clockwise. Who starts is drawn by lot, unless the option first_seat names a seat.",
        ("ours",),
    ),
    Rule(
        "TR-2",
        "First everybody places. On your turn put one of your 18 blockers on any free space of the board.",
        ("book",),
    ),
    Rule(
        "TR-3",
        "The territories are occupied evenly: while placing, you put two blockers into each of the nine, never a third.",
        ("book", "ours"),
    ),
    Rule(
        "TR-4",
        "When the last blocker is placed, movement begins, with the seat that started. On your turn push one of your "
        "blockers to a free space directly above, below, left or right of it. Borders of territories do not matter.",
        ("book",),
    ),
    Rule("TR-5", "If any of your blockers can move, you move one. If none can, you pass.", ("ours",)),
    Rule(
        "TR-6",
        "You control a territory while more blockers of yours stand in it than of any other seat. Where the highest "
        "number is shared, nobody is in control.",
        ("book",),
    ),
    Rule("TR-7", "The match ends when a turn of movement leaves all nine territories controlled.", ("book",)),
    Rule(
        "TR-8",
        "Whoever controls the most territories wins. If that is level, count the blockers that each seat has inside the "
        "territories it controls; if that is level too, the victory is shared.",
        ("book", "ours"),
    ),
    Rule(
        "TR-9",
        "The match also ends after max_rounds rounds of movement, in which every seat has had one turn each; a pass is a "
        "turn. It is counted in the same way.",
        ("ours",),
    ),
)

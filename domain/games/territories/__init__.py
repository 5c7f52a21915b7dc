"""Blockers! Territories: place evenly, then move to hold the most of every territory.

The opening paragraphs of the Blockers! rulebook describe this game; the quantities are ours. Nothing is hidden, and chance
only draws the first seat.

* ``components``: board, territories, blockers · ``rules_text``: the rules in words
* ``state``: options, state, deal · ``moves`` · ``events``, with the sentence of each
* ``rules``: legal, refuse, decide, evolve, to move · ``control``: outcome · ``cites``
* ``position``: view, parse, check · ``drawing`` · ``examples``
* ``value``: for bots
"""

from __future__ import annotations

from domain.game import Game
from domain.games.territories.cites import cites
from domain.games.territories.control import outcome
from domain.games.territories.drawing import draw
from domain.games.territories.events import Event, Moved, Passed, Placed, sentence
from domain.games.territories.examples import EXAMPLES
from domain.games.territories.moves import AnyMove, Move, Pass, Place
from domain.games.territories.position import check, parse, view
from domain.games.territories.rules import decide, evolve, imagine, legal, refuse, to_move, turn_of
from domain.games.territories.rules_text import RULES
from domain.games.territories.state import SEATS, Options, State, deal, options_fault
from domain.games.territories.value import evaluate

GAME: Game[State, AnyMove, Event, Options] = Game(
    id="territories",
    version=1,
    name="Blockers! Territories",
    seats=SEATS,
    rules=RULES,
    state=State,
    options=Options,
    moves={"place": Place, "move": Move, "pass": Pass},
    events={"placed": Placed, "moved": Moved, "passed": Passed},
    deal=deal,
    refuse=refuse,
    decide=decide,
    evolve=evolve,
    legal=legal,
    to_move=to_move,
    outcome=outcome,
    view=view,
    parse=parse,
    check=check,
    sentence=sentence,
    draw=draw,
    imagine=imagine,
    turn_of=turn_of,
    evaluate=evaluate,
    cites=cites,
    setup=("TR-1",),
    turns="TR-1",
    scoring=("TR-6", "TR-8"),
    examples=EXAMPLES,
    options_fault=options_fault,
)

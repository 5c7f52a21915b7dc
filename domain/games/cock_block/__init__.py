"""Cock Block: fetch a chick from the Friend Zone and be the first to carry her back to the Exit Area.

* ``components``, ``board``: the data of the game · ``rules_text``: the rules in words
* ``state``: options, state, deal, to move, outcome · ``moves`` · ``events``, with their ``sentences``
* ``movement``, ``attacks``, ``defence``, ``fights``, ``turn``: a subject each, with its legal, refuse, decide
* ``play``: all subjects put together · ``story``: a move as it unfolds · ``evolve`` · ``cites``
* ``view``: view, imagine · ``position``: parse · ``check`` · ``drawing`` · ``examples``
* ``value``: for bots
"""

from __future__ import annotations

from domain.game import Game
from domain.games.cock_block.check import check
from domain.games.cock_block.cites import cites
from domain.games.cock_block.drawing import draw
from domain.games.cock_block.events import EVENTS, AnyEvent
from domain.games.cock_block.evolve import evolve
from domain.games.cock_block.examples import EXAMPLES
from domain.games.cock_block.moves import MOVES, AnyMove
from domain.games.cock_block.play import decide, default_answer, legal, refuse
from domain.games.cock_block.position import parse
from domain.games.cock_block.rules_text import RULES
from domain.games.cock_block.sentences import sentence
from domain.games.cock_block.state import PARTS, Options, State, deal, options_fault, outcome, to_move, turn_of
from domain.games.cock_block.value import evaluate
from domain.games.cock_block.view import imagine, view

GAME: Game[State, AnyMove, AnyEvent, Options] = Game(
    id="cock_block",
    version=1,
    name="Cock Block",
    seats=range(2, 5),
    rules=RULES,
    state=State,
    options=Options,
    moves=MOVES,
    events=EVENTS,
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
    default_answer=default_answer,
    evaluate=evaluate,
    cites=cites,
    setup=("CB-1", "CB-2", "CB-3"),
    turns="CB-3",
    examples=EXAMPLES,
    options_fault=options_fault,
    parts=PARTS,
)

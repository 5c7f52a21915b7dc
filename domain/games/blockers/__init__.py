"""Blockers!: keep your colour in few groups, and spread your captures over many colours. Lowest score wins.

* ``components``, ``board``: tiles and spaces; the board as strings and bits, groups, what holds a group together
* ``state``, ``moves``, ``events``: the shapes, and each event as a sentence
* ``placing``: the spaces open to a tile: legal, refuse
* ``turns``: deal, decide, evolve, to move
* ``scoring``: outcome
* ``position``: view, parse, check · ``drawing``
* ``secrecy``: imagine, and what a pass discloses · ``memory``, ``value``: for bots
* ``rules_text``, ``cites``, ``examples``: for the catalogue and the documentation
"""

from domain.game import Game
from domain.games.blockers.cites import cites
from domain.games.blockers.drawing import draw
from domain.games.blockers.events import Captured, Event, Passed, TilePlaced, sentence
from domain.games.blockers.examples import EXAMPLES
from domain.games.blockers.memory import agree, remember
from domain.games.blockers.moves import Move, Pass, Place
from domain.games.blockers.placing import legal, refuse
from domain.games.blockers.position import check, parse, view
from domain.games.blockers.rules_text import RULES
from domain.games.blockers.scoring import outcome
from domain.games.blockers.secrecy import discloses, imagine
from domain.games.blockers.state import Options, State, options_fault
from domain.games.blockers.turns import deal, decide, evolve, to_move, turn_of
from domain.games.blockers.value import evaluate

GAME: Game[State, Move, Event, Options] = Game(
    id="blockers",
    version=1,
    name="Blockers!",
    seats=range(2, 6),
    rules=RULES,
    state=State,
    options=Options,
    moves={"place": Place, "pass": Pass},
    events={"tile_placed": TilePlaced, "passed": Passed},
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
    remember=remember,
    agree=agree,
    discloses=discloses,
    cites=cites,
    setup=("BL-1", "BL-2", "BL-3"),
    turns="BL-3",
    scoring=("BL-15", "BL-16", "BL-17"),
    examples=EXAMPLES,
    options_fault=options_fault,
)

__all__ = ["GAME", "Captured", "Options", "Pass", "Passed", "Place", "State", "TilePlaced"]

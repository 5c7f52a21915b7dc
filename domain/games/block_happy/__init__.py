"""Block Happy: collect seven happiness, or six and Tickled Pink.

* ``components``: the cards · ``rules_text``: the rules in words
* ``state``: options, state, deal, to move, outcome · ``moves`` · ``events``, with their ``sentences``
* ``legal`` · ``refuse`` · ``decide`` · ``evolve`` · ``cites``
* ``position``: view, parse · ``check`` · ``imagine`` · ``disclosing`` · ``drawing`` · ``examples``
* ``value``, ``memory``, ``agree``: for bots
"""

from __future__ import annotations

from domain.game import Game
from domain.games.block_happy.agree import agree
from domain.games.block_happy.check import check
from domain.games.block_happy.cites import cites
from domain.games.block_happy.components import MOST_SEATS
from domain.games.block_happy.decide import decide
from domain.games.block_happy.disclosing import discloses
from domain.games.block_happy.drawing import draw
from domain.games.block_happy.events import EVENTS, Event
from domain.games.block_happy.evolve import evolve
from domain.games.block_happy.examples import EXAMPLES
from domain.games.block_happy.imagine import imagine
from domain.games.block_happy.legal import legal
from domain.games.block_happy.memory import remember
from domain.games.block_happy.moves import MOVES, Decline, Move
from domain.games.block_happy.position import PENDING, parse, view
from domain.games.block_happy.refuse import refuse
from domain.games.block_happy.rules_text import RULES
from domain.games.block_happy.sentences import sentence
from domain.games.block_happy.state import Options, State, deal, options_fault, outcome, to_move, turn_of
from domain.games.block_happy.value import evaluate

GAME: Game[State, Move, Event, Options] = Game(
    id="block_happy",
    version=1,
    name="Block Happy",
    seats=range(2, MOST_SEATS + 1),
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
    default_answer=lambda _state, _seat: Decline(),
    discloses=discloses,
    evaluate=evaluate,
    remember=remember,
    agree=agree,
    cites=cites,
    setup=("BH-1", "BH-2"),
    turns="BH-3",
    scoring=("BH-8",),
    examples=EXAMPLES,
    options_fault=options_fault,
    parts=PENDING,
)

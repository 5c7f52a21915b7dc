"""View, parse, check, and what stands in them."""

from collections.abc import Callable
from typing import Any

import pytest

from domain import validation, wire
from domain.commands import Move as MoveCommand
from domain.commit import Commit
from domain.game import Rule
from domain.games.territories import GAME
from domain.games.territories.events import Moved, Passed, Placed
from domain.games.territories.examples import BLOCKED_IN, THE_NINTH_TERRITORY, THE_THIRD_BLOCKER, drawn
from domain.games.territories.moves import Move, Pass, Place
from domain.games.territories.state import Options, State
from domain.hashchain import GENESIS
from domain.hidden import NOBODY, redact
from domain.validation import MalformedError
from tests.games.exposure_territories import EXPOSURE
from tests.support.dice import RandomDice
from tests.support.territories.pictures import EVEN, MOVEMENT

NAMES = ("Ada", "Ben", "Cleo", "Dan")
STATES = (THE_THIRD_BLOCKER, THE_NINTH_TERRITORY, BLOCKED_IN)


@pytest.mark.parametrize("state", STATES)
def test_a_view_reads_back(state: State) -> None:
    assert GAME.parse(GAME.view(state), state.seats, Options()) == state


@pytest.mark.parametrize("state", STATES)
def test_what_follows_from_the_rest_may_be_left_out(state: State) -> None:
    short = {name: GAME.view(state)[name] for name in ("board", "first_seat", "turns")}
    assert GAME.parse(short, state.seats, Options()) == state


@pytest.mark.parametrize("name", GAME.examples)
def test_the_examples_are_sound_positions(name: str) -> None:
    seats = len(GAME.examples[name]["supply"])
    state = GAME.parse(GAME.examples[name], seats, Options())
    assert list(GAME.check(state)) == []
    assert GAME.to_move(state)


def test_a_view_shows_the_board_as_one_reads_it() -> None:
    view = GAME.view(THE_THIRD_BLOCKER)
    assert view["board"][:3] == ["01.......", ".2.......", "012......"]
    assert (view["turns"], view["phase"], view["supply"]) == (7, "placement", [15, 16, 16])


@pytest.mark.parametrize("seat", range(2))
def test_nothing_is_hidden_and_nothing_has_to_be_imagined(seat: int) -> None:
    state = redact(THE_NINTH_TERRITORY, NOBODY)
    assert state == THE_NINTH_TERRITORY
    assert GAME.imagine(state, seat, RandomDice()) == state


Change = Callable[[dict[str, Any]], object]
UNREADABLE: dict[str, tuple[str, Change]] = {
    "no board": ("board", lambda plain: plain.pop("board")),
    "a board that is no list": ("board", lambda plain: plain.update(board="0" * 81)),
    "eight rows": ("board", lambda plain: plain["board"].pop()),
    "a short row": ("board[3]", lambda plain: plain["board"].__setitem__(3, "0..")),
    "a number as a row": ("board[3]", lambda plain: plain["board"].__setitem__(3, 7)),
    "a letter on the board": ("board[8]", lambda plain: plain["board"].__setitem__(8, "x........")),
    "a blocker of a seat that nobody has": ("board[8]", lambda plain: plain["board"].__setitem__(8, "2........")),
    "a digit that is not ASCII": ("board[8]", lambda plain: plain["board"].__setitem__(8, "٠........")),
    "a first seat that nobody has": ("first_seat", lambda plain: plain.update(first_seat=2)),
    "no first seat": ("first_seat", lambda plain: plain.update(first_seat=None)),
    "turns below zero": ("turns", lambda plain: plain.update(turns=-1)),
    "a yes as a number": ("turns", lambda plain: plain.update(turns=True)),
    "other rounds than the options say": ("max_rounds", lambda plain: plain.update(max_rounds=59)),
    "the wrong phase": ("phase", lambda plain: plain.update(phase="placement")),
    "a supply too many": ("supply", lambda plain: plain.update(supply=[0, 0, 0])),
    "a stranger in control": (
        "territories",
        lambda plain: plain["territories"]["circle"].update(controlled_by=1),
    ),
    "a territory of another game": ("territories", lambda plain: plain["territories"].update(swamp=_nobodys())),
    "an unknown field": ("captured", lambda plain: plain.update(captured=[])),
}


def _nobodys() -> dict[str, Any]:
    return {"blockers": [0, 0], "controlled_by": None}


@pytest.mark.parametrize("case", UNREADABLE)
def test_an_unreadable_position_names_the_field(case: str) -> None:
    field, change = UNREADABLE[case]
    plain = GAME.view(THE_NINTH_TERRITORY)
    change(plain)
    with pytest.raises(MalformedError) as fault:
        GAME.parse(plain, 2, Options())
    assert fault.value.field == field


@pytest.mark.parametrize("garbage", [None, 7, "board", [], [{}], {}])
def test_garbage_is_malformed(garbage: Any) -> None:
    with pytest.raises(MalformedError):
        GAME.parse(garbage, 2, Options())


def test_a_position_keeps_to_the_option_of_the_first_seat() -> None:
    plain = GAME.view(THE_NINTH_TERRITORY)
    assert GAME.parse(plain, 2, Options(first_seat=0)) == THE_NINTH_TERRITORY
    with pytest.raises(MalformedError, match="first_seat"):
        GAME.parse(plain, 2, Options(first_seat=1))


BOARD = THE_NINTH_TERRITORY.board
BROKEN: dict[str, tuple[str, State]] = {
    "too few seats": ("seats", State(BOARD, 1, 0, 56, 60)),
    "too many seats": ("seats", State(BOARD, 5, 0, 56, 60)),
    "a short board": ("board", State(BOARD[1:], 2, 0, 56, 60)),
    "a stranger's blocker": ("board", State(BOARD.replace(".", "3", 1), 2, 0, 56, 60)),
    "a first seat that nobody has": ("first_seat", State(BOARD, 2, 2, 56, 60)),
    "no round at all": ("max_rounds", State(BOARD, 2, 0, 36, 0)),
    "too many rounds": ("max_rounds", State(BOARD, 2, 0, 56, 201)),
    "turns below zero": ("turns", State(BOARD, 2, 0, -1, 60)),
    "turns after the last round": ("turns", State(BOARD, 2, 0, 36 + 121, 60)),
    "a blocker missing": ("board", State(BOARD.replace("0", ".", 1), 2, 0, 56, 60)),
    "a blocker too many": ("board", State(BOARD.replace(".", "1", 1), 2, 0, 56, 60)),
    "a blocker of the wrong seat": ("board", State(BOARD.replace("0", "1", 1), 2, 0, 56, 60)),
    "everything placed too soon": ("board", drawn(EVEN, seats=2, turns=20)),
    "a turn of the other seat": ("board", State(THE_THIRD_BLOCKER.board, 3, 1, 7, 60)),
    "three in a territory before anything has moved": ("board", State(BOARD, 2, 0, MOVEMENT, 60)),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_invariant_is_listed_with_its_field(case: str) -> None:
    field, state = BROKEN[case]
    faults = list(GAME.check(state))
    assert faults
    assert faults[0].field == field


def test_a_move_is_written_with_from_and_to() -> None:
    written = {"type": "move", "from": "C5", "to": "C6"}
    assert GAME.read_move(written) == Move("C5", "C6")
    assert GAME.plain_move(Move("C5", "C6")) == written
    assert GAME.plain_event(Moved(1, "C5", "C6")) == {"type": "moved", "seat": 1, "from": "C5", "to": "C6"}
    assert list(validation.schema(Move)["properties"]) == validation.schema(Move)["required"] == ["from", "to"]


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"type": "place", "at": "J1"}, "move.at"),
        ({"type": "place"}, "move.at"),
        ({"type": "move", "from": "A1"}, "move.to"),
        ({"type": "move", "from_": "A1", "to": "A2"}, "move.from_"),
        ({"type": "pass", "at": "A1"}, "move.at"),
        ({"type": "jump"}, "move.type"),
    ],
)
def test_an_unreadable_move_names_the_field(move: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedError) as fault:
        GAME.read_move(move)
    assert fault.value.field == field


def test_from_stands_in_the_log_as_from() -> None:
    commit = Commit(2, 0, "p0", "t0", "c2", MoveCommand(0, Move("C5", "C6")), (Moved(0, "C5", "C6"),), 0, b"")
    entry = wire.encode(GAME, "00test", commit, bytes(32), GENESIS)
    assert entry.public.count(b"\xa4from\xa2C5") == 2
    read = wire.decode(GAME, entry)
    assert (read.command, read.events) == (commit.command, commit.events)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Placed(0, "C5"), "Ada places a blocker on C5, in the cross."),
        (Moved(1, "C5", "D5"), "Ben moves a blocker from C5 to D5, out of the cross into the circle."),
        (Moved(3, "I9", "I8"), "Dan moves a blocker from I9 to I8, within the square."),
        (Passed(2), "Cleo cannot move any blocker and passes."),
    ],
)
def test_every_event_is_told_in_a_sentence(event: Any, told: str) -> None:
    assert GAME.sentence(event, NAMES) == told


def test_every_field_of_every_event_and_move_is_public() -> None:
    classes = {**GAME.events, **GAME.moves}
    fields = {(name, field) for name, cls in classes.items() for field in validation.names(cls)}
    assert dict.fromkeys(fields, "public") == EXPOSURE
    assert not any(wire.face_down(cls) for cls in (Place, Move, Pass))


def test_every_rule_has_its_number_a_text_and_a_basis() -> None:
    assert [rule.number for rule in GAME.rules] == [f"TR-{number}" for number in range(1, 10)]
    assert all(isinstance(rule, Rule) and rule.text.endswith(".") and rule.basis for rule in GAME.rules)

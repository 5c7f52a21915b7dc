"""The table as text."""

from __future__ import annotations

from domain.games.cock_block import GAME
from domain.games.cock_block.drawing import draw
from domain.games.cock_block.state import Options
from domain.hidden import redact
from tests.support.cock_block.table import at, table

DRAWN = """\
     a               b               c               d
  4  Hailey          Tracy           Vivian          .
  3  .               .               .               .
  2  .               .               #drink_spiller  0 (1)
  1  .               .               .               .
  0  .               .               .               .

> seat 0  Trent Cooper      d2  flex_gunz, wild; with Sarah; slowed
  seat 1  Lil Wing          d2  1 card; knocked out

  deck 105 cards, discard pile 1
  turn 9: move; 1 actions left"""


def test_the_board_the_seats_and_the_turn_as_lines_of_text() -> None:
    seats = (at("d2", "flex_gunz", "wild", chick="sarah", slowed=True), at("d2", "bouncer", knocked_out=True))
    state = table(
        *seats,
        options=Options(barn_rows=3),
        tokens={"c2": "drink_spiller"},
        actions=["move"],
        turn=9,
        discard=["wingman"],
    ).state
    assert draw(GAME.view(redact(state, frozenset({0})))) == DRAWN


def test_what_is_waited_for_is_told() -> None:
    assert draw(GAME.examples["a_window"]).endswith("waiting: counter window")

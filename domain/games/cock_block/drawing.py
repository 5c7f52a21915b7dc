"""The state as text, for a terminal."""

from __future__ import annotations

from typing import Any

from domain.games.cock_block.board import BOARDS, COLUMNS
from domain.games.cock_block.components import TITLES


def draw(view: dict[str, Any]) -> str:
    """Draws a view as text: the board from the Friend Zone down, the seats, the piles and the running turn."""
    seats = [_seat(view, seat) for seat in range(len(view["seats"]))]
    return "\n".join([*_board(view), "", *seats, "", *_turn(view)])


def _board(view: dict[str, Any]) -> list[str]:
    top = BOARDS[view["barn_rows"]].friend_zone
    rows = {row: [_space(view, f"{column}{row}") for column in COLUMNS] for row in range(top, -1, -1)}
    width = max(len(cell) for cells in rows.values() for cell in cells) + 2
    lines = [(" ", list(COLUMNS)), *((str(row), cells) for row, cells in rows.items())]
    return [f"{label:>3}  {''.join(cell.ljust(width) for cell in cells)}".rstrip() for label, cells in lines]


def _space(view: dict[str, Any], space: str) -> str:
    """The heroes on a space by their seats, in brackets if knocked out; the chick that waits there; its token."""
    heroes = [
        f"({seat})" if hero["knocked_out"] else str(seat)
        for seat, hero in enumerate(view["seats"])
        if hero["at"] == space
    ]
    chick, token = view["friend_zone"].get(space), view["tokens"].get(space)
    shown = [*heroes, *([TITLES[chick]] if chick else []), *([f"#{token}"] if token else [])]
    return " ".join(shown) or "."


def _seat(view: dict[str, Any], seat: int) -> str:
    hero = view["seats"][seat]
    mark = ">" if seat == view["active"] else " "
    told = [f"with {TITLES[hero['chick']]}"] if hero["chick"] else []
    told += [state.replace("_", " ") for state in ("knocked_out", "slowed", "all_access") if hero[state]]
    return f"{mark} seat {seat}  {TITLES[hero['hero']]:18}{hero['at']}  {_cards(hero['hand'])}" + "".join(
        f"; {state}" for state in told
    )


def _cards(pile: dict[str, Any]) -> str:
    if isinstance(pile["cards"], list):
        return ", ".join(pile["cards"])
    return "1 card" if pile["count"] == 1 else f"{pile['count']} cards"


def _turn(view: dict[str, Any]) -> list[str]:
    used = ", ".join(view["actions"]) or "nothing yet"
    lines = [
        f"  deck {view['deck']['count']} cards, discard pile {len(view['discard'])}",
        f"  turn {view['turn']}: {used}; {view['actions_left']} actions left",
    ]
    return lines if view["pending"] is None else [*lines, f"  waiting: {view['pending']['type'].replace('_', ' ')}"]

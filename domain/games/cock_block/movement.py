"""Moving a seat's own hero, and picking up a chick."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from domain.game import Rejected
from domain.games.cock_block.board import in_exit
from domain.games.cock_block.components import SKILLS, TITLES, in_order
from domain.games.cock_block.events import Moved, PickedUp
from domain.games.cock_block.fights import settle
from domain.games.cock_block.moves import Forward, Move, PickUp
from domain.games.cock_block.state import Hero, State, token_spaces, waiting_chick
from domain.games.cock_block.story import Story
from domain.games.cock_block.turn import fits, holds, listed, refuse_action, refuse_unheld

Path = tuple[Forward, ...]

BREAD = ("got_bread",)
DRINKS = ("get_2_drinks",)

STEPS: Final[tuple[Path, ...]] = (("forward",), ("left",), ("right",))

BREAD_PATHS: Final[tuple[Path, ...]] = (
    ("forward", "forward"),
    ("left", "left"),
    ("right", "right"),
    ("left", "forward"),
    ("right", "forward"),
)
"""The paths of Got Bread? (CB-12); the last two are the hooks."""


@cache
def payments(skills: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """The sets of cards that pay for one step of a hero with these skills (CB-11), each in the order of the table."""
    own = [(skill,) for skill in SKILLS if skill in skills]
    others = [skill for skill in SKILLS if skill not in skills]
    return (*own, *((skill, skill) for skill in others), *((skill, "wild") for skill in others), DRINKS)


@cache
def _move(cards: tuple[str, ...], path: Path) -> Move:
    return Move(cards, path)


# -- legal ------------------------------------------------------------------------------------------------------------


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    if not fits(state, "move"):
        return
    hero = state.heroes[seat]
    tokens = token_spaces(state)
    steps = [path for path in STEPS if _refuse_path(state, hero, path, tokens) is None]
    for cards in payments(hero.skills):
        if holds(state, seat, *cards) and not (hero.slowed and cards == DRINKS):
            for path in steps:
                yield _move(cards, path)
    if holds(state, seat, *BREAD) and not hero.slowed:
        for path in BREAD_PATHS:
            if _refuse_path(state, hero, path, tokens) is None:
                yield _move(BREAD, path)


def legal_pick_up(state: State, seat: int) -> Iterator[PickUp]:
    if refuse_pick_up(state, seat, PickUp()) is None:
        yield PickUp()


# -- refuse -----------------------------------------------------------------------------------------------------------


def refuse_move(state: State, seat: int, move: Move) -> Rejected | None:
    hero, cards = state.heroes[seat], in_order(move.cards)
    return (
        refuse_action(state, "move")
        or _refuse_payment(hero, cards, move.path)
        or refuse_unheld(state, seat, "CB-12" if cards == BREAD else "CB-11", *cards)
        or _refuse_path(state, hero, move.path, token_spaces(state))
    )


def _refuse_payment(hero: Hero, cards: tuple[str, ...], path: tuple[str, ...]) -> Rejected | None:
    if hero.slowed and cards in (BREAD, DRINKS):
        return Rejected("CB-24", f"{TITLES[hero.name]} drank too much for {listed(cards)}.")
    if cards == BREAD:
        if path in BREAD_PATHS:
            return None
        return Rejected("CB-12", "Got Bread? goes two spaces straight, or one sideways and one forward.")
    if len(path) != 1:
        return Rejected("CB-12", "Only Got Bread? moves two spaces.")
    return None if cards in payments(hero.skills) else _refuse_price(hero, cards)


def _refuse_price(hero: Hero, cards: tuple[str, ...]) -> Rejected:
    enough = [card for card in cards if (card,) in payments(hero.skills)]
    if enough:
        return Rejected("CB-11", f"{TITLES[enough[0]]} alone pays for this step; nothing may be added.")
    return Rejected("CB-11", f"{listed(cards)} does not pay for a step of {TITLES[hero.name]}.")


def _refuse_path(state: State, hero: Hero, path: tuple[str, ...], tokens: frozenset[str]) -> Rejected | None:
    spaces = route(state, hero, path)
    if spaces is None:
        return Rejected("CB-12" if len(path) == 2 else "CB-10", f"{' '.join(path)} from {hero.at} leaves the board.")
    if len(path) == 2 and in_exit(spaces[0]) and spaces[0] in tokens:
        return Rejected("CB-13", f"The token on {spaces[0]} stands in the Exit Area and cannot be jumped.")
    if spaces[-1] in tokens:
        return Rejected("CB-14", f"A token blocks {spaces[-1]}.")
    return None


def route(state: State, hero: Hero, path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The spaces of a hero's path, without the one it stands on; ``None`` if the path leaves the board (CB-10)."""
    board, at, spaces = state.board, hero.at, []
    ahead = "up" if hero.chick is None else "down"
    for step in path:
        following = board.step(at, ahead if step == "forward" else step)
        if following is None:
            return None
        at = following
        spaces.append(at)
    return tuple(spaces)


def refuse_pick_up(state: State, seat: int, move: PickUp) -> Rejected | None:
    hero = state.heroes[seat]
    if hero.knocked_out:
        return Rejected("CB-15", f"{TITLES[hero.name]} is knocked out and picks nobody up.")
    if hero.chick is not None:
        return Rejected("CB-15", f"{TITLES[hero.name]} is with {TITLES[hero.chick]} already.")
    if waiting_chick(state, hero.at) is None:
        return Rejected("CB-15", f"No chick stands on {hero.at}.")
    return None


# -- decide -----------------------------------------------------------------------------------------------------------


def decide_move(story: Story, seat: int, move: Move) -> None:
    spaces = route(story.state, story.state.heroes[seat], move.path)
    assert spaces is not None, "a refused path is never decided"
    story.tell(Moved(seat, in_order(move.cards), move.path, spaces[-1]))
    settle(story, seat)


def decide_pick_up(story: Story, seat: int, move: PickUp) -> None:
    chick = waiting_chick(story.state, story.state.heroes[seat].at)
    assert chick is not None, "a refused pick-up is never decided"
    story.tell(PickedUp(seat, chick))

"""Attacks: cock blocks, the rumor, and drank_2_much."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from domain.game import Rejected
from domain.games.cock_block.board import BOARDS, column, in_exit
from domain.games.cock_block.components import BLOCKS, TITLES
from domain.games.cock_block.defence import free_neighbours
from domain.games.cock_block.events import Blocked, Rumored, Slowed
from domain.games.cock_block.fights import settle
from domain.games.cock_block.moves import Backward, Block, Rumor, Slow
from domain.games.cock_block.state import State, clockwise, supply, taken_spaces, token_spaces
from domain.games.cock_block.story import Story
from domain.games.cock_block.turn import fits, holds, refuse_action, refuse_unheld

_RUMOR_PATHS: Final[tuple[tuple[Backward, ...], ...]] = (
    ("back", "back"),
    ("back", "left"),
    ("back", "right"),
    ("left", "back"),
    ("right", "back"),
)

_RUMORS = {target: tuple(Rumor(target, path) for path in _RUMOR_PATHS) for target in range(4)}

_SLOWS = tuple(Slow(target) for target in range(4))


@cache
def _blocks(card: str, barn_rows: int) -> tuple[Block, ...]:
    return tuple(Block(card, space) for space in BOARDS[barn_rows].spaces)


# -- legal ------------------------------------------------------------------------------------------------------------


def legal_attacks(state: State, seat: int) -> Iterator[Block | Rumor | Slow]:
    if not fits(state, "attack"):
        return
    taken = taken_spaces(state)
    for card in BLOCKS:
        if holds(state, seat, card) and supply(state, card):
            yield from [block for block in _blocks(card, state.options.barn_rows) if block.at not in taken]
    if holds(state, seat, "the_rumor"):
        for target in range(len(state.heroes)):
            if _refuse_rumored(state, seat, target) is None:
                yield from _RUMORS[target]
    if holds(state, seat, "drank_2_much"):
        yield from [slow for slow in _SLOWS if _refuse_slowed(state, seat, slow.target) is None]


# -- refuse -----------------------------------------------------------------------------------------------------------


def refuse_block(state: State, seat: int, move: Block) -> Rejected | None:
    return (
        refuse_action(state, "attack")
        or refuse_unheld(state, seat, "CB-19", move.card)
        or _refuse_token(state, move.card)
        or refuse_space(state, "CB-19", move.at)
    )


def _refuse_token(state: State, kind: str) -> Rejected | None:
    if supply(state, kind):
        return None
    return Rejected("CB-19", f"All tokens of {TITLES[kind]} are on the board.")


def refuse_space(state: State, rule: str, space: str) -> Rejected | None:
    """Refuses a space for a token, by this rule, unless it is a space of this board without hero or token."""
    if space not in state.board.neighbours:
        return Rejected(rule, f"This barn has no space {space}.")
    if space in token_spaces(state):
        return Rejected(rule, f"A token stands on {space} already.")
    if space in taken_spaces(state):
        return Rejected(rule, f"A hero stands on {space}.")
    return None


def refuse_rumor(state: State, seat: int, move: Rumor) -> Rejected | None:
    if "back" not in move.path:
        return Rejected("CB-20", "At least one of the two steps goes back.")
    return (
        refuse_action(state, "attack")
        or refuse_unheld(state, seat, "CB-20", "the_rumor")
        or _refuse_rumored(state, seat, move.target)
    )


def _refuse_rumored(state: State, seat: int, target: int) -> Rejected | None:
    if target == seat or target >= len(state.heroes):
        return Rejected("CB-20", f"Seat {target} is no opponent of yours.")
    hero = state.heroes[target]
    if hero.chick is None and in_exit(hero.at):
        return Rejected("CB-20", f"{TITLES[hero.name]} stands on {hero.at} without a chick and cannot go back.")
    return None


def refuse_slow(state: State, seat: int, move: Slow) -> Rejected | None:
    return (
        refuse_action(state, "attack")
        or refuse_unheld(state, seat, "CB-24", "drank_2_much")
        or _refuse_slowed(state, seat, move.target)
    )


def _refuse_slowed(state: State, seat: int, target: int) -> Rejected | None:
    if target == seat or target >= len(state.heroes):
        return Rejected("CB-24", f"Seat {target} is no opponent of yours.")
    hero = state.heroes[target]
    if hero.slowed:
        return Rejected("CB-24", f"{TITLES[hero.name]} drank too much already.")
    if hero.all_access:
        return Rejected("CB-24", f"{TITLES[hero.name]} has All Access and is immune.")
    return None


# -- decide -----------------------------------------------------------------------------------------------------------


def decide_block(story: Story, seat: int, move: Block) -> None:
    story.tell(Blocked(seat, move.card, move.at, _asked(story.state, seat, move.at)))


def _asked(state: State, seat: int, space: str) -> tuple[int, ...]:
    """CB-25: every opponent in the column of a new token, clockwise, if the token can move at all."""
    if not free_neighbours(state, space):
        return ()
    return tuple([other for other in clockwise(state, seat) if column(state.heroes[other].at) == column(space)])


def decide_rumor(story: Story, seat: int, move: Rumor) -> None:
    landing = _landing(story.state, move.target, move.path)
    if landing is None:
        story.tell(Rumored(seat, move.target, move.path, story.state.heroes[move.target].at, None))
        return
    space, beyond = landing
    lost = story.state.heroes[move.target].chick if beyond else None
    story.tell(Rumored(seat, move.target, move.path, space, lost))
    settle(story, move.target)


def _landing(state: State, target: int, path: tuple[str, ...]) -> tuple[str, bool] | None:
    """CB-20 to CB-22: the space where a rumor leaves a hero, and true if a step went beyond the board.

    ``None``: tokens leave no space to land on.
    """
    board, tokens, hero = state.board, token_spaces(state), state.heroes[target]
    back = "down" if hero.chick is None else "up"
    at, beyond = hero.at, False
    for step in path:
        following = board.step(at, back if step == "back" else step)
        at, beyond = following or at, beyond or following is None
    while at in tokens:
        following = board.step(at, back)
        if following is None:
            free = _first_free(state, at, tokens)
            return None if free is None else (free, True)
        at = following
    return at, beyond


def _first_free(state: State, at: str, tokens: frozenset[str]) -> str | None:
    """The first space without a token in the row of ``at``, scanning right from it."""
    for _ in range(4):
        if at not in tokens:
            return at
        at = state.board.steps["right"][at]
    return None


def decide_slow(story: Story, seat: int, move: Slow) -> None:
    story.tell(Slowed(seat, move.target))

"""Defence and specials: counter blocks, legendaries, all_access, the Tomahawk God, glory, corn_pills, and answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from domain.game import Rejected
from domain.games.cock_block.board import BOARDS
from domain.games.cock_block.components import COUNTERS, LEGENDARIES, TITLES
from domain.games.cock_block.events import (
    AccessGained,
    Countered,
    Declined,
    GloryBegan,
    Recovered,
    TokenPut,
    TokensCleared,
    TokensLifted,
)
from domain.games.cock_block.moves import (
    AllAccess,
    CornPills,
    Counter,
    Decline,
    Glory,
    Legendary,
    Put,
    Tomahawk,
)
from domain.games.cock_block.state import CounterWindow, PillWindow, Puts, State, spaces_of, taken_spaces, token_at
from domain.games.cock_block.story import Story
from domain.games.cock_block.turn import fits, holds, refuse_action, refuse_unheld

_LEGENDARIES = tuple(Legendary(card) for card in LEGENDARIES)


@cache
def _counter(card: str, start: str, to: str) -> Counter:
    return Counter(card, start, to)


@cache
def _puts(barn_rows: int) -> tuple[Put, ...]:
    return tuple(Put(space) for space in BOARDS[barn_rows].spaces)


def free_neighbours(state: State, space: str) -> list[str]:
    """The spaces that a token on this space can be moved to (CB-27)."""
    taken = taken_spaces(state)
    return [near for near in state.board.neighbours[space] if near not in taken]


# -- legal ------------------------------------------------------------------------------------------------------------


def legal_defence(state: State, seat: int) -> Iterator[Counter | AllAccess | Tomahawk]:
    if not fits(state, "defend"):
        return
    for card, kind in COUNTERS.items():
        if holds(state, seat, card):
            for space in spaces_of(state, kind):
                yield from counters_of(state, card, space)
    if holds(state, seat, "all_access"):
        yield AllAccess()
    if state.tokens and holds(state, seat, "tomahawk_god"):
        yield Tomahawk()


def counters_of(state: State, card: str, space: str) -> list[Counter]:
    return [_counter(card, space, near) for near in free_neighbours(state, space)]


def legal_legendaries(state: State, seat: int) -> list[Legendary]:
    if not fits(state, "legendary"):
        return []
    return [move for move in _LEGENDARIES if holds(state, seat, move.card) and spaces_of(state, LEGENDARIES[move.card])]


def legal_specials(state: State, seat: int) -> Iterator[Glory | CornPills]:
    if refuse_glory(state, seat, Glory()) is None:
        yield Glory()
    if refuse_corn_pills(state, seat, CornPills()) is None:
        yield CornPills()


def legal_answers(
    state: State, seat: int, window: CounterWindow | PillWindow
) -> Iterator[Counter | CornPills | Decline]:
    if isinstance(window, PillWindow):
        if holds(state, seat, "corn_pills"):
            yield CornPills()
    else:
        kind = token_at(state, window.at)
        for card, moved in COUNTERS.items():
            if moved == kind and holds(state, seat, card):
                yield from counters_of(state, card, window.at)
    yield Decline()


def legal_puts(state: State) -> list[Put]:
    taken = taken_spaces(state)
    return [put for put in _puts(state.options.barn_rows) if put.at not in taken]


# -- refuse -----------------------------------------------------------------------------------------------------------


def refuse_counter(state: State, seat: int, move: Counter) -> Rejected | None:
    return (
        refuse_action(state, "defend")
        or refuse_unheld(state, seat, "CB-26", move.card)
        or _refuse_countered(state, move, "CB-26")
    )


def refuse_answer(state: State, seat: int, move: Counter) -> Rejected | None:
    window = state.pending
    assert isinstance(window, CounterWindow)
    if move.from_ != window.at:
        return Rejected("CB-25", f"Only the token that was just put on {window.at} can be answered.")
    return refuse_unheld(state, seat, "CB-25", move.card) or _refuse_countered(state, move, "CB-25")


def _refuse_countered(state: State, move: Counter, rule: str) -> Rejected | None:
    kind = token_at(state, move.from_)
    if kind is None:
        return Rejected(rule, f"No token stands on {move.from_}.")
    if kind != COUNTERS[move.card]:
        return Rejected(rule, f"{TITLES[move.card]} does not move {TITLES[kind]}.")
    if move.to not in free_neighbours(state, move.from_):
        return Rejected("CB-27", f"The token on {move.from_} cannot move to {move.to}.")
    return None


def refuse_legendary(state: State, seat: int, move: Legendary) -> Rejected | None:
    kind = LEGENDARIES[move.card]
    if (rejected := refuse_action(state, "legendary") or refuse_unheld(state, seat, "CB-28", move.card)) is not None:
        return rejected
    if not spaces_of(state, kind):
        return Rejected("CB-28", f"No token of {TITLES[kind]} is on the board.")
    return None


def refuse_all_access(state: State, seat: int, move: AllAccess) -> Rejected | None:
    return refuse_action(state, "defend") or refuse_unheld(state, seat, "CB-29", "all_access")


def refuse_tomahawk(state: State, seat: int, move: Tomahawk) -> Rejected | None:
    if (rejected := refuse_action(state, "defend") or refuse_unheld(state, seat, "CB-29", "tomahawk_god")) is not None:
        return rejected
    return None if state.tokens else Rejected("CB-29", "No token is on the board.")


def refuse_glory(state: State, seat: int, move: Glory) -> Rejected | None:
    if state.hero.knocked_out:
        return Rejected("CB-9", "A knocked-out hero has no moment of glory.")
    if state.actions:
        return Rejected("CB-9", f"Moment of Glory comes before the first action; this turn was {state.actions[0]}.")
    if state.glory:
        return Rejected("CB-9", "This turn has its moment of glory already.")
    return refuse_unheld(state, seat, "CB-9", "moment_of_glory")


def refuse_corn_pills(state: State, seat: int, move: CornPills) -> Rejected | None:
    if not state.heroes[seat].slowed:
        return Rejected("CB-29", "There is nothing to recover from: no Drank 2 Much lies on your hero.")
    return refuse_unheld(state, seat, "CB-29", "corn_pills")


# -- decide -----------------------------------------------------------------------------------------------------------


def decide_counter(story: Story, seat: int, move: Counter) -> None:
    """Moves the token. As an answer the seat draws at once (CB-25), as an action it does not (CB-26)."""
    answered = isinstance(story.state.pending, CounterWindow)
    story.tell(Countered(seat, move.card, move.from_, move.to))
    if answered:
        story.draw(seat, 1)


def decide_legendary(story: Story, seat: int, move: Legendary) -> None:
    count = len(spaces_of(story.state, LEGENDARIES[move.card]))
    story.tell(TokensLifted(seat, move.card, count))


def decide_put(story: Story, seat: int, move: Put) -> None:
    puts = story.state.pending
    assert isinstance(puts, Puts)
    story.tell(TokenPut(seat, puts.kind, move.at))


def decide_all_access(story: Story, seat: int, move: AllAccess) -> None:
    story.tell(AccessGained(seat))


def decide_tomahawk(story: Story, seat: int, move: Tomahawk) -> None:
    story.tell(TokensCleared(seat))


def decide_glory(story: Story, seat: int, move: Glory) -> None:
    story.tell(GloryBegan(seat))


def decide_corn_pills(story: Story, seat: int, move: CornPills) -> None:
    story.tell(Recovered(seat))
    story.draw(seat, 1)


def decide_decline(story: Story, seat: int, move: Decline) -> None:
    story.tell(Declined(seat))

"""Decides the events of a move.

Each play is a generator of events. The ``Table`` evolves its state after each event, so that the next step of the
generator sees the state as it is then. It asks for no more as soon as a seat has won: a win stops everything at once,
whichever seat is on turn (BH-9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domain.game import Dice
from domain.games.block_happy import events as e
from domain.games.block_happy.components import (
    ATTACKS,
    HAND,
    HAPPY,
    KIND,
    LOOK,
    NEARLY,
    ORDER,
    OVERJOYED,
    RAINBOW_TAKES,
    SHOCKED,
    TICKLED_PINK,
)
from domain.games.block_happy.evolve import evolve
from domain.games.block_happy.moves import Answer, Decline, Keep, Move, Pair, Play, Rainbow, Take
from domain.games.block_happy.state import OF, HandSeen, State, TopSeen, Window, won
from domain.hidden import Secret

Steps = Iterator[e.Event]


class Table:
    """A move as it unfolds: the state so far, the events so far, and chance."""

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[e.Event] = []

    def happen(self, event: e.Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def unfold(self, steps: Steps) -> None:
        """Lets the steps happen one by one, all of them or up to a win."""
        for event in steps:
            self.happen(event)
            if max(self.state.happiness) >= NEARLY and self._wins():
                break

    def _wins(self) -> bool:
        seat = self.state.happiness.index(max(self.state.happiness))
        if not won(self.state) and TICKLED_PINK in self.state.hands[seat]:
            self.happen(e.TickledPinkShown(seat))
        if not won(self.state):
            return False
        if isinstance(self.state.pending, TopSeen):
            self.happen(e.CardsPutBack(self.state.turn))
        return True


def decide(state: State, seat: int, move: Move, dice: Dice) -> list[e.Event]:
    table = Table(state, dice)
    table.unfold(_MOVES[type(move)](table, seat, move))
    return table.events


# -- the moves --------------------------------------------------------------------------------------------------------


def _play(table: Table, seat: int, move: Play) -> Steps:
    yield e.CardPlayed(seat, move.card, move.target, move.as_, move.ask)
    if table.state.pending is None:
        yield from _felt(table, move.emotion, move.target, move.ask)
        yield from _finished(table)


def _pair(table: Table, seat: int, move: Pair) -> Steps:
    """BH-25. Takes the topmost copy of the wanted card, of those that lay on the show pile before the pair."""
    show = table.state.show_pile
    yield e.PairPlayed(seat, in_order(move.cards))
    if move.take is None:
        yield from _drawn(table, seat)
    else:
        yield e.CardRetrieved(seat, move.take, len(show) - 1 - show[::-1].index(move.take))
    yield from _drawn(table, seat)
    yield from _finished(table)


def _rainbow(table: Table, seat: int, move: Rainbow) -> Steps:
    yield e.RainbowPlayed(seat, in_order(move.cards), move.target)
    if move.target is not None:
        yield _taking(table, seat, move.target, RAINBOW_TAKES)
    yield from _finished(table)


def _answer(table: Table, seat: int, move: Answer) -> Steps:
    window = table.state.pending
    yield e.Answered(seat, move.card)
    if move.card == OVERJOYED and isinstance(window, Window):
        yield _taking(table, seat, table.state.turn, KIND[window.emotion].amount)
    yield from _finished(table)


def _decline(table: Table, seat: int, move: Decline) -> Steps:
    window = table.state.pending
    yield e.Declined(seat)
    if isinstance(window, Window):
        yield from _felt(table, window.emotion, window.target, window.ask)
    yield from _finished(table)


def _take(table: Table, seat: int, move: Take) -> Steps:
    seen = table.state.pending
    if isinstance(seen, HandSeen):
        yield e.CardTaken(seat, seen.target, Secret(move.card, OF[seat] | OF[seen.target]))
    yield from _finished(table)


def _keep(table: Table, seat: int, move: Keep) -> Steps:
    yield e.CardKept(seat, Secret(move.card, OF[seat]))
    yield from _finished(table)


_MOVES: dict[type, Callable[[Table, int, Any], Steps]] = {
    Play: _play,
    Pair: _pair,
    Rainbow: _rainbow,
    Answer: _answer,
    Decline: _decline,
    Take: _take,
    Keep: _keep,
}


# -- the emotions -----------------------------------------------------------------------------------------------------


def _felt(table: Table, emotion: str, target: int | None, ask: str | None) -> Steps:
    """The effect of the active seat's emotion once nobody blocks it. Without a target only Optimistic has one."""
    seat = table.state.turn
    if emotion == "optimistic":
        yield from _optimistic(table, seat)
    if target is None:
        return
    if emotion in ATTACKS or emotion == "magical":
        yield _taking(table, seat, target, KIND[emotion].amount)
    elif emotion == "bored":
        yield e.TurnLost(target)
    elif emotion == "flirty":
        yield _swapping(table, seat, target)
    elif emotion == "cheeky":
        yield from _cheeky(table, seat, target)
    elif emotion == "curious" and ask is not None:
        yield e.QuestionAnswered(seat, target, ask, ask in table.state.hands[target])
    elif emotion == "jealous":
        yield _taking(table, seat, target, KIND[emotion].amount)
        yield from _drawn(table, target)
    elif emotion in ("glum", SHOCKED):
        yield from _buried(table, target, emotion)


def _taking(table: Table, seat: int, source: int, amount: int) -> e.Event:
    return e.HappinessTaken(seat, source, min(amount, table.state.happiness[source]))


def _swapping(table: Table, seat: int, target: int) -> e.Event:
    """BH-17. Draws both cards before either moves."""
    both = OF[seat] | OF[target]
    given, got = [
        Secret(hand.draw(table.dice), both) if len(hand) else None
        for hand in (table.state.hands[seat], table.state.hands[target])
    ]
    return e.CardsSwapped(seat, target, given, got)


def _cheeky(table: Table, seat: int, target: int) -> Steps:
    hand = table.state.hands[target]
    if len(hand):
        yield e.HandShown(seat, target, Secret(hand.cards or (), OF[seat]))


def _buried(table: Table, target: int, emotion: str) -> Steps:
    """BH-22. Renews an empty hidden pile first (BH-7)."""
    if not len(table.state.hidden_pile):
        yield e.ShowPileShuffled()
    yield e.HappinessBuried(target, min(KIND[emotion].amount, table.state.happiness[target]), emotion)


def _optimistic(table: Table, seat: int) -> Steps:
    """BH-19. Shows the cards and lays out happiness; keeping one of the cards is the next move."""
    if len(table.state.hidden_pile) < LOOK and table.state.show_pile:
        yield e.ShowPileShuffled()
    cards = _topmost(table)
    if not cards:
        return
    yield e.CardsSeen(seat, tuple([Secret(card, OF[seat]) for card in cards]))
    for _ in range(cards.count(HAPPY)):
        yield e.HappyLaidOut(seat)


def _topmost(table: Table) -> list[str]:
    """The cards that are seen, in their order: first those on top of the pile, then drawn ones."""
    pile, cards = table.state.hidden_pile, []
    for _ in range(min(LOOK, len(pile))):
        cards.append(pile.draw(table.dice))
        pile = pile.take(cards[-1])
    return cards


# -- drawing, and the end of a turn -----------------------------------------------------------------------------------


def _drawn(table: Table, seat: int) -> Steps:
    """Draws one card to the hand. Lays out and replaces a happy (BH-6); draws nothing if both piles are empty (BH-7)."""
    while True:
        if not len(table.state.hidden_pile):
            if not table.state.show_pile:
                return
            yield e.ShowPileShuffled()
        card = table.state.hidden_pile.draw(table.dice)
        if card != HAPPY:
            yield e.CardDrawn(seat, Secret(card, OF[seat]))
            return
        yield e.HappyDrawn(seat)


def _finished(table: Table) -> Steps:
    """Refills the hands and passes the turn on, unless the play waits for a move."""
    if table.state.pending is not None:
        return
    active, seats = table.state.turn, len(table.state.hands)
    for seat in (*range(active, seats), *range(active)):
        for _ in range(HAND - len(table.state.hands[seat])):
            yield from _drawn(table, seat)
    yield passing(table.state)


def passing(state: State) -> e.TurnPassed:
    """Finds the seat that is next (BH-16).

    Passes over a seat with fewer than two cards, which might hold nothing that it can play (BH-7). Refilled hands are that
    small only when one of them holds most of the deck, so some seat always is next.
    """
    seats, seat, skips, skipped = len(state.hands), state.turn, list(state.skips), []
    while True:
        seat = (seat + 1) % seats
        if skips[seat]:
            skips[seat] -= 1
            skipped.append(seat)
        elif len(state.hands[seat]) > 1:
            return e.TurnPassed(seat, tuple(skipped))


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards in the order in which lists of cards are shown."""
    return tuple(sorted(cards, key=ORDER.__getitem__))

"""A move as it unfolds: its events one by one, each folded at once, so that the next is decided on the state after it."""

from __future__ import annotations

from domain.game import Dice
from domain.games.cock_block.components import HAND
from domain.games.cock_block.events import AnyEvent, Drew, Reshuffled
from domain.games.cock_block.evolve import evolve
from domain.games.cock_block.state import State
from domain.hidden import Secret


class Story:
    """The state and the events of one ``decide`` so far. Only the list of events leaves it."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        """Adds an event and evolves the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def deck_ready(self) -> bool:
        """Shuffles the discard pile into an empty deck (CB-8). True if the deck has a card then."""
        if not len(self.state.deck) and self.state.discard:
            self.tell(Reshuffled(len(self.state.discard)))
        return len(self.state.deck) > 0

    def draw(self, seat: int, count: int) -> None:
        """Draws ``count`` cards for a seat, or as many as there are (CB-8)."""
        while count > 0 and self.deck_ready():
            drawn, deck = [], self.state.deck
            while count > 0 and len(deck):
                drawn.append(deck.draw(self.dice))
                deck, count = deck.take(drawn[-1]), count - 1
            owner = frozenset({seat})
            self.tell(Drew(seat, tuple([Secret(card, owner) for card in drawn])))

    def refill(self, seat: int) -> None:
        """Fills the hand of a seat up (CB-7)."""
        self.draw(seat, HAND - len(self.state.hands[seat]))

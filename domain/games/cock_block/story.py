"""What one move brings about: events, told one by one, each folded at once so that the next is decided on its result."""

from __future__ import annotations

from domain.game import Dice
from domain.games.cock_block.components import HAND
from domain.games.cock_block.events import AnyEvent, Drew, Reshuffled
from domain.games.cock_block.evolve import evolve
from domain.games.cock_block.state import State
from domain.hidden import Secret


class Story:
    """Lives for one ``decide``; only its list of events leaves it."""

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[AnyEvent] = []

    def tell(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def deck_ready(self) -> bool:
        """Whether there is a card to take from the deck, the discard pile shuffled into it if need be (CB-8)."""
        if not len(self.state.deck) and self.state.discard:
            self.tell(Reshuffled(len(self.state.discard)))
        return len(self.state.deck) > 0

    def draw(self, seat: int, count: int) -> None:
        """A seat draws so many cards, or as many as there are (CB-8)."""
        while count > 0 and self.deck_ready():
            drawn, deck = [], self.state.deck
            while count > 0 and len(deck):
                drawn.append(deck.draw(self.dice))
                deck, count = deck.take(drawn[-1]), count - 1
            owner = frozenset({seat})
            self.tell(Drew(seat, tuple([Secret(card, owner) for card in drawn])))

    def refill(self, seat: int) -> None:
        """CB-7."""
        self.draw(seat, HAND - len(self.state.hands[seat]))

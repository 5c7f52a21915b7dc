"""Every event as a sentence, seen and unseen."""

from __future__ import annotations

import pytest

from domain.games.cock_block import GAME
from domain.games.cock_block import events as e
from domain.games.cock_block.components import TITLES
from domain.hidden import NOBODY, redact
from tests.support.cock_block.table import drew, own

NAMES = ("Ann", "Bob", "Cleo", "Dan")

SAID = [
    (e.Moved(0, ("flex_gunz", "wild"), ("forward",), "b3"), "Ann plays Flex Gunz and Wild and moves forward to b3."),
    (
        e.Moved(0, ("got_bread",), ("left", "forward"), "b3"),
        "Ann plays Got Bread? and moves left and forward to b3.",
    ),
    (e.PickedUp(1, "sarah"), "Bob picks up Sarah."),
    (e.Discarded(1, ("wingman", "bouncer", "wild"), 2), "Bob discards Wingman, Bouncer and Wild."),
    (e.Blocked(0, "jealous_bff", "b3", ()), "Ann plays Jealous BFF: Cock Block on b3!"),
    (
        e.Blocked(0, "jealous_bff", "b3", (1, 2)),
        "Ann plays Jealous BFF: Cock Block on b3! Bob, Cleo may answer.",
    ),
    (e.Rumored(0, 1, ("back", "left"), "b3", None), "Ann spreads The Rumor (back, left): Bob is on b3 now."),
    (
        e.Rumored(0, 1, ("back", "back"), "b6", "sarah"),
        "Ann spreads The Rumor (back, back): Bob is on b6 now and loses Sarah.",
    ),
    (e.Slowed(0, 1), "Ann gives Bob Drank 2 Much."),
    (e.Countered(1, "wingman", "b3", "c3"), "Bob plays Wingman and moves Jealous BFF from b3 to c3."),
    (e.TokensLifted(0, "bag_of_seeds", 1), "Ann plays Bag of Seeds and lifts 1 token of Jealous BFF."),
    (e.TokenPut(0, "loud_friend", "a3"), "Ann puts Loud Friend on a3."),
    (e.TokensCleared(0), "Ann summons the Tomahawk God: all tokens leave the board."),
    (e.AccessGained(0), "Ann has All Access from now on."),
    (e.GloryBegan(0), "Ann has a Moment of Glory: three actions this turn."),
    (e.Recovered(0), "Ann takes Corn Pills and recovers from Drank 2 Much."),
    (e.Declined(3), "Dan does not answer."),
    (e.FightBegan(0, 3), "Ann comes upon Dan: Cock Fight!"),
    (
        e.Rolled(0, 1, (("2x", "cb"), ("shield",)), (3, 0), (3, 1)),
        "Ann rolls 2x, cb; Bob rolls shield: 3 against 0, 3 to 1 in all.",
    ),
    (e.Committed(0, own(0, "wild", "got_bread")), "Ann chooses Wild and Got Bread? for the fight."),
    (e.Committed(0, own(0)), "Ann chooses no card for the fight."),
    (e.Revealed(0, 1, (("wild",), ()), (2, 0)), "Ann shows Wild (2); Bob shows no card (0)."),
    (e.Turned(1, "wild"), "Bob turns Wild from the deck."),
    (e.KnockedOut(1, 0), "Ann wins the fight; Bob is knocked out."),
    (e.Rose(1), "Bob is upright again."),
    (drew(0, "wild", "bouncer"), "Ann draws Wild and Bouncer."),
    (e.Reshuffled(82), "The discard pile, 82 cards, is shuffled into a new deck."),
    (e.TurnEnded(0), "Ann's turn is over."),
]


@pytest.mark.parametrize(("event", "said"), SAID)
def test_every_event_is_a_sentence(event: e.AnyEvent, said: str) -> None:
    assert GAME.sentence(event, NAMES) == said


def test_no_event_is_missing_here() -> None:
    assert {type(event) for event, _said in SAID} == set(GAME.events.values())


def test_a_sentence_about_what_is_not_seen_names_no_card_and_of_a_commitment_no_number() -> None:
    drawn = GAME.sentence(redact(drew(0, "wild", "bouncer"), NOBODY), NAMES)
    assert drawn == "Ann draws 2 cards."
    chosen = [e.Committed(0, own(0)), e.Committed(0, own(0, "wild", "wild"))]
    assert {GAME.sentence(redact(event, NOBODY), NAMES) for event in chosen} == {"Ann chooses cards for the fight."}
    assert not [title for title in TITLES.values() if title in drawn]

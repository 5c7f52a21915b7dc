"""Narrates every event as one English sentence, for a viewer that may not see all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.cock_block import events as e
from domain.games.cock_block.components import COUNTERS, LEGENDARIES, TITLES
from domain.games.cock_block.fights import TO_WIN
from domain.games.cock_block.turn import listed
from domain.hidden import Secret

Names = Sequence[str]


def sentence(event: e.AnyEvent, names: Names) -> str:
    """(event as the viewer may see it, a name for each seat) → one sentence."""
    return _SENTENCES[type(event)](event, names)


def _moved(event: e.Moved, names: Names) -> str:
    return f"{names[event.seat]} plays {listed(event.cards)} and moves {' and '.join(event.path)} to {event.to}."


def _blocked(event: e.Blocked, names: Names) -> str:
    asked = [names[seat] for seat in event.asked]
    answer = f" {', '.join(asked)} may answer." if asked else ""
    return f"{names[event.seat]} plays {TITLES[event.card]}: Cock Block on {event.at}!{answer}"


def _rumored(event: e.Rumored, names: Names) -> str:
    told = (
        f"{names[event.seat]} spreads The Rumor ({', '.join(event.path)}): {names[event.target]} is on {event.to} now"
    )
    return f"{told}." if event.lost is None else f"{told} and loses {TITLES[event.lost]}."


def _countered(event: e.Countered, names: Names) -> str:
    token = TITLES[COUNTERS[event.card]]
    return f"{names[event.seat]} plays {TITLES[event.card]} and moves {token} from {event.at} to {event.to}."


def _tokens_lifted(event: e.TokensLifted, names: Names) -> str:
    token = TITLES[LEGENDARIES[event.card]]
    return f"{names[event.seat]} plays {TITLES[event.card]} and lifts {_counted(event.count, 'token')} of {token}."


def _rolled(event: e.Rolled, names: Names) -> str:
    (ours, theirs), (mover, foe) = event.faces, (names[event.mover], names[event.foe])
    hits = f"{event.gains[0]} against {event.gains[1]}, {event.hits[0]} to {event.hits[1]} in all"
    return f"{mover} rolls {', '.join(ours)}; {foe} rolls {', '.join(theirs)}: {hits}.{_sudden_death(event)}"


def _sudden_death(event: e.Rolled) -> str:
    """CB-33: where both had enough hits before or by this roll, a higher gain in one roll decides."""
    before = [total - gain for total, gain in zip(event.hits, event.gains, strict=True)]
    if min(event.hits) < TO_WIN:
        return ""
    return " This is sudden death." if min(before) >= TO_WIN else " Both have enough, so sudden death decides."


def _committed(event: e.Committed, names: Names) -> str:
    if not isinstance(event.cards, Secret):
        return f"{names[event.seat]} chooses cards for the fight."
    return f"{names[event.seat]} chooses {_cards(event.cards.value)} for the fight."


def _revealed(event: e.Revealed, names: Names) -> str:
    shown = [
        f"{names[seat]} shows {_cards(cards)} ({points})"
        for seat, cards, points in zip((event.mover, event.foe), event.cards, event.points, strict=True)
    ]
    return "; ".join(shown) + "."


def _drew(event: e.Drew, names: Names) -> str:
    seen = tuple(card.value for card in event.cards if isinstance(card, Secret))
    drawn = listed(seen) if len(seen) == len(event.cards) else _counted(len(event.cards), "card")
    return f"{names[event.seat]} draws {drawn}."


def _cards(cards: tuple[str, ...]) -> str:
    return listed(cards) if cards else "no card"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


_SENTENCES: dict[type, Callable[[Any, Names], str]] = {
    e.Moved: _moved,
    e.PickedUp: lambda event, names: f"{names[event.seat]} picks up {TITLES[event.chick]}.",
    e.Discarded: lambda event, names: f"{names[event.seat]} discards {listed(event.cards)}.",
    e.Blocked: _blocked,
    e.Rumored: _rumored,
    e.Slowed: lambda event, names: f"{names[event.seat]} gives {names[event.target]} Drank 2 Much.",
    e.Countered: _countered,
    e.TokensLifted: _tokens_lifted,
    e.TokenPut: lambda event, names: f"{names[event.seat]} puts {TITLES[event.kind]} on {event.at}.",
    e.TokensCleared: lambda event, names: f"{names[event.seat]} summons the Tomahawk God: all tokens leave the board.",
    e.AccessGained: lambda event, names: f"{names[event.seat]} has All Access from now on.",
    e.GloryBegan: lambda event, names: f"{names[event.seat]} has a Moment of Glory: three actions this turn.",
    e.Recovered: lambda event, names: f"{names[event.seat]} takes Corn Pills and recovers from Drank 2 Much.",
    e.Declined: lambda event, names: f"{names[event.seat]} does not answer.",
    e.FightBegan: lambda event, names: f"{names[event.mover]} comes upon {names[event.foe]}: Cock Fight!",
    e.Rolled: _rolled,
    e.Committed: _committed,
    e.Revealed: _revealed,
    e.Turned: lambda event, names: f"{names[event.seat]} turns {TITLES[event.card]} from the deck.",
    e.KnockedOut: lambda event, names: f"{names[event.winner]} wins the fight; {names[event.seat]} is knocked out.",
    e.Rose: lambda event, names: f"{names[event.seat]} is upright again.",
    e.Drew: _drew,
    e.Reshuffled: lambda event, names: (
        f"The discard pile, {_counted(event.count, 'card')}, is shuffled into a new deck."
    ),
    e.TurnEnded: lambda event, names: f"{names[event.seat]}'s turn is over.",
}

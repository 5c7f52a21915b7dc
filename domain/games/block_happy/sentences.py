"""Narrates every event as an English sentence. A card that the reader may not know is "a card"."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.block_happy import events as e
from domain.games.block_happy.components import OVERJOYED, title
from domain.hidden import Hidden, Veiled


def sentence(event: e.Event, names: Sequence[str]) -> str:
    match event:
        case (
            e.CardPlayed()
            | e.PairPlayed()
            | e.RainbowPlayed()
            | e.Answered()
            | e.Declined()
            | e.TurnLost()
            | e.TurnPassed()
        ):
            return _of_play(event, names)
        case e.HappinessTaken() | e.HappinessBuried() | e.HappyDrawn() | e.HappyLaidOut() | e.TickledPinkShown():
            return _of_happiness(event, names)
    return _of_cards(event, names)


Played = e.CardPlayed | e.PairPlayed | e.RainbowPlayed | e.Answered | e.Declined | e.TurnLost | e.TurnPassed
Happiness = e.HappinessTaken | e.HappinessBuried | e.HappyDrawn | e.HappyLaidOut | e.TickledPinkShown
Cards = (
    e.CardDrawn
    | e.ShowPileShuffled
    | e.CardRetrieved
    | e.CardsSwapped
    | e.HandShown
    | e.CardTaken
    | e.QuestionAnswered
    | e.CardsSeen
    | e.CardKept
    | e.CardsPutBack
)


def _of_play(event: Played, names: Sequence[str]) -> str:
    who = names[event.seat]
    match event:
        case e.CardPlayed(_, card, target, as_, ask):
            guise = "" if as_ is None else f" as {title(as_)}"
            aim = "" if target is None else f" on {names[target]}"
            question = "" if ask is None else f" and asks for {title(ask)}"
            return f"{who} plays {title(card)}{guise}{aim}{question}."
        case e.PairPlayed(_, cards):
            return f"{who} plays a pair: {_listed(cards)}."
        case e.RainbowPlayed(_, cards, target):
            aim = "" if target is None else f" on {names[target]}"
            return f"{who} plays the rainbow{aim}: {_listed(cards)}."
        case e.Answered(_, card):
            return f"{who} turns the attack round with Overjoyed." if card == OVERJOYED else _blocked(who, card)
        case e.Declined():
            return f"{who} does not answer."
        case e.TurnLost():
            return f"{who} is bored and will miss a turn."
        case e.TurnPassed(_, skipped):
            missed = "".join(f"{names[seat]} misses a turn. " for seat in skipped)
            return f"{missed}It is the turn of {who}."


def _blocked(who: str, card: str) -> str:
    return f"{who} answers with {title(card)}." if card == "smug" else f"{who} answers with {title(card)} as Smug."


def _of_happiness(event: Happiness, names: Sequence[str]) -> str:
    who = names[event.seat]
    match event:
        case e.HappinessTaken(_, source, count):
            return f"{who} takes {count or 'no'} happiness from {names[source]}."
        case e.HappinessBuried(_, count, card):
            return f"{title(card)} puts {count} happiness of {who} into the hidden pile, which is shuffled."
        case e.HappyDrawn():
            return f"{who} draws Happy and lays it out."
        case e.HappyLaidOut():
            return f"{who} sees Happy and lays it out."
        case e.TickledPinkShown():
            return f"{who} has six happiness and shows Tickled Pink."


def _of_cards(event: Cards, names: Sequence[str]) -> str:
    match event:
        case e.CardDrawn(seat, card):
            return f"{names[seat]} draws {_named(card)}."
        case e.ShowPileShuffled():
            return "The show pile is shuffled into the hidden pile."
        case e.CardRetrieved(seat, card):
            return f"{names[seat]} takes {title(card)} from the show pile."
        case e.CardsSwapped(seat, target, given, got):
            return f"{names[seat]} gives {_named(given)} to {names[target]} and gets {_named(got)}."
        case e.HandShown(seat, target, cards):
            seen = "" if isinstance(cards, Hidden) else f": {_listed(cards.value)}"
            return f"{names[seat]} sees the hand of {names[target]}{seen}."
        case e.CardTaken(seat, target, card):
            return f"{names[seat]} takes {_named(card)} from the hand of {names[target]}."
        case e.QuestionAnswered(seat, target, card, has):
            gives = f"{names[target]} has {title(card)} and gives it to {names[seat]}."
            return gives if has else f"{names[target]} does not have {title(card)}."
    return _of_optimistic(event, names)


def _of_optimistic(event: e.CardsSeen | e.CardKept | e.CardsPutBack, names: Sequence[str]) -> str:
    who = names[event.seat]
    match event:
        case e.CardsSeen(_, cards):
            known = [card.value for card in cards if not isinstance(card, Hidden)]
            seen = f": {_listed(known)}" if known else ""
            what = "the top card" if len(cards) == 1 else f"the top {len(cards)} cards"
            return f"{who} sees {what} of the hidden pile{seen}."
        case e.CardKept(_, card):
            return f"{who} keeps {_named(card)} of the cards seen."
        case e.CardsPutBack():
            return f"{who} puts the cards seen back on top."


def _named(card: Veiled[str] | None) -> str:
    if card is None:
        return "nothing"
    return "a card" if isinstance(card, Hidden) else title(card.value)


def _listed(cards: Sequence[str]) -> str:
    titles = [title(card) for card in cards]
    return " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))

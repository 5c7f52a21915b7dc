"""The state after each event. Total: checks, rolls and refuses nothing, and never looks at an unseen value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.games.cock_block import events as e
from domain.games.cock_block.components import COUNTERS, LEGENDARIES
from domain.games.cock_block.state import (
    Action,
    CounterWindow,
    Duel,
    Hero,
    PillWindow,
    Puts,
    Showdown,
    State,
    changed,
)
from domain.hidden import Bag, Hidden, Secret


def evolve(state: State, event: e.AnyEvent) -> State:
    return _EVOLVERS[type(event)](state, event)


# -- pieces of a state ------------------------------------------------------------------------------------------------


def _with_hero(state: State, seat: int, **changes: Any) -> tuple[Hero, ...]:
    heroes = state.heroes
    return heroes[:seat] + (heroes[seat].changed(**changes),) + heroes[seat + 1 :]


def _with_hand(state: State, seat: int, hand: Bag) -> tuple[Bag, ...]:
    return state.hands[:seat] + (hand,) + state.hands[seat + 1 :]


def _without(state: State, seat: int, *cards: str) -> tuple[Bag, ...]:
    """The hands, after these cards were taken from one of them."""
    hand = state.hands[seat]
    for card in cards:
        hand = hand.take(card)
    return _with_hand(state, seat, hand)


def _thrown_on(pile: tuple[str, ...], *cards: str) -> tuple[str, ...]:
    return tuple(sorted(pile + cards))


def _played(state: State, seat: int, *cards: str, action: Action | None = None, **changes: Any) -> State:
    """The state after a seat played these cards from its hand onto the discard pile, as an action or free."""
    return changed(
        state,
        hands=_without(state, seat, *cards),
        discard=_thrown_on(state.discard, *cards),
        actions=state.actions if action is None else state.actions + (action,),
        **changes,
    )


def _put(tokens: tuple[tuple[str, str], ...], at: str, kind: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(tokens + ((at, kind),)))


# -- moving -----------------------------------------------------------------------------------------------------------


def _moved(state: State, event: e.Moved) -> State:
    heroes = _with_hero(state, event.seat, at=event.to)
    return _played(state, event.seat, *event.cards, action="move", heroes=heroes)


def _picked_up(state: State, event: e.PickedUp) -> State:
    return changed(state, heroes=_with_hero(state, event.seat, chick=event.chick))


# -- attacks ----------------------------------------------------------------------------------------------------------


def _blocked(state: State, event: e.Blocked) -> State:
    tokens = _put(state.tokens, event.at, event.card)
    window = CounterWindow(event.at, event.asked) if event.asked else None
    return _played(state, event.seat, event.card, action="attack", tokens=tokens, pending=window)


def _rumored(state: State, event: e.Rumored) -> State:
    chick = None if event.lost is not None else state.heroes[event.target].chick
    heroes = _with_hero(state, event.target, at=event.to, chick=chick)
    return _played(state, event.seat, "the_rumor", action="attack", heroes=heroes)


def _slowed(state: State, event: e.Slowed) -> State:
    return changed(
        state,
        hands=_without(state, event.seat, "drank_2_much"),
        heroes=_with_hero(state, event.target, slowed=True),
        actions=state.actions + ("attack",),
        pending=PillWindow(event.target),
    )


# -- defence and specials ---------------------------------------------------------------------------------------------


def _countered(state: State, event: e.Countered) -> State:
    kind = COUNTERS[event.card]
    left = tuple(token for token in state.tokens if token != (event.at, kind))
    action: Action | None = "defend" if state.pending is None else None
    tokens = _put(left, event.to, kind)
    return _played(state, event.seat, event.card, action=action, tokens=tokens, pending=None)


def _declined(state: State, event: e.Declined) -> State:
    window = state.pending
    if isinstance(window, CounterWindow) and len(window.asked) > 1:
        return changed(state, pending=CounterWindow(window.at, window.asked[1:]))
    return changed(state, pending=None)


def _tokens_lifted(state: State, event: e.TokensLifted) -> State:
    kind = LEGENDARIES[event.card]
    return changed(
        state,
        hands=_without(state, event.seat, event.card),
        tokens=tuple(token for token in state.tokens if token[1] != kind),
        actions=state.actions + ("legendary",),
        pending=Puts(event.card, event.count),
    )


def _token_put(state: State, event: e.TokenPut) -> State:
    tokens, puts = _put(state.tokens, event.at, event.kind), state.pending
    assert isinstance(puts, Puts)
    if puts.left > 1:
        return changed(state, tokens=tokens, pending=Puts(puts.card, puts.left - 1))
    return changed(state, tokens=tokens, pending=None, discard=_thrown_on(state.discard, puts.card))


def _tokens_cleared(state: State, event: e.TokensCleared) -> State:
    return _played(state, event.seat, "tomahawk_god", action="defend", tokens=())


def _access_gained(state: State, event: e.AccessGained) -> State:
    fallen = ("drank_2_much",) if state.heroes[event.seat].slowed else ()
    return changed(
        state,
        hands=_without(state, event.seat, "all_access"),
        heroes=_with_hero(state, event.seat, all_access=True, slowed=False),
        actions=state.actions + ("defend",),
        discard=_thrown_on(state.discard, *fallen),
    )


def _glory_began(state: State, event: e.GloryBegan) -> State:
    return _played(state, event.seat, "moment_of_glory", glory=True)


def _recovered(state: State, event: e.Recovered) -> State:
    state = _played(state, event.seat, "corn_pills", heroes=_with_hero(state, event.seat, slowed=False), pending=None)
    return changed(state, discard=_thrown_on(state.discard, "drank_2_much"))


# -- fights -----------------------------------------------------------------------------------------------------------


def _fight_began(state: State, event: e.FightBegan) -> State:
    fight = Duel if state.options.fights == "geeks" else Showdown
    return changed(state, pending=fight(event.mover, event.foe))


def _rolled(state: State, event: e.Rolled) -> State:
    return state


def _committed(state: State, event: e.Committed) -> State:
    duel = state.pending
    assert isinstance(duel, Duel)
    own: Secret[tuple[str, ...]] | Hidden = event.cards
    first, second = duel.commitments
    commitments = (own, second) if event.seat == duel.mover else (first, own)
    return changed(state, pending=Duel(duel.mover, duel.foe, commitments))


def _revealed(state: State, event: e.Revealed) -> State:
    movers, foes = event.cards
    state = changed(state, hands=_without(state, event.mover, *movers))
    state = changed(state, hands=_without(state, event.foe, *foes))
    return changed(state, pending=Showdown(event.mover, event.foe, movers + foes))


def _turned(state: State, event: e.Turned) -> State:
    fight = state.pending
    assert isinstance(fight, Showdown)
    table = fight.table + (event.card,)
    return changed(state, deck=state.deck.take(event.card), pending=Showdown(fight.mover, fight.foe, table))


def _knocked_out(state: State, event: e.KnockedOut) -> State:
    fight = state.pending
    assert isinstance(fight, Showdown)
    fallen = ("drank_2_much",) if state.heroes[event.seat].slowed else ()
    state = changed(
        state,
        heroes=_with_hero(state, event.seat, knocked_out=True, slowed=False),
        discard=_thrown_on(state.discard, *fight.table, *fallen),
        pending=None,
    )
    if event.seat != state.active:
        return state
    return changed(state, actions=(), thrown=0, glory=False)  # CB-35: the loser's own turn ends, with all that it used.


def _rose(state: State, event: e.Rose) -> State:
    return changed(state, heroes=_with_hero(state, event.seat, knocked_out=False))


# -- turns and cards --------------------------------------------------------------------------------------------------


def _discarded(state: State, event: e.Discarded) -> State:
    discard: Action = "discard"
    actions, thrown = state.actions + (discard,) * event.actions, state.thrown + len(event.cards)
    return changed(_played(state, event.seat, *event.cards), actions=actions, thrown=thrown)


def _drew(state: State, event: e.Drew) -> State:
    deck = state.deck
    for card in event.cards:
        deck = deck.take(card)
    hand = state.hands[event.seat].add(*event.cards)
    return changed(state, deck=deck, hands=_with_hand(state, event.seat, hand))


def _reshuffled(state: State, event: e.Reshuffled) -> State:
    return changed(state, deck=state.deck.add(*state.discard), discard=())


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    following = (event.seat + 1) % len(state.heroes)
    return changed(state, turn=state.turn + 1, active=following, actions=(), thrown=0, glory=False)


_EVOLVERS: dict[type, Callable[[State, Any], State]] = {
    e.Moved: _moved,
    e.PickedUp: _picked_up,
    e.Blocked: _blocked,
    e.Rumored: _rumored,
    e.Slowed: _slowed,
    e.Countered: _countered,
    e.Declined: _declined,
    e.TokensLifted: _tokens_lifted,
    e.TokenPut: _token_put,
    e.TokensCleared: _tokens_cleared,
    e.AccessGained: _access_gained,
    e.GloryBegan: _glory_began,
    e.Recovered: _recovered,
    e.FightBegan: _fight_began,
    e.Rolled: _rolled,
    e.Committed: _committed,
    e.Revealed: _revealed,
    e.Turned: _turned,
    e.KnockedOut: _knocked_out,
    e.Rose: _rose,
    e.Discarded: _discarded,
    e.Drew: _drew,
    e.Reshuffled: _reshuffled,
    e.TurnEnded: _turn_ended,
}

"""Whole matches: players with a goal, players without one, and what holds after every event of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from domain.game import Dice
from domain.games.cock_block import GAME
from domain.games.cock_block import events as e
from domain.games.cock_block.components import BLOCKS, CHICKS, DECK, HEROES
from domain.games.cock_block.moves import AnyMove, EndTurn
from domain.games.cock_block.state import Options, Showdown, State, supply, waiting_chick
from domain.games.cock_block.view import open_cards
from domain.hidden import redact
from tests.support.cock_block.bots import choose, guard
from tests.support.cock_block.table import END_TURN, GEEKS, at, table
from tests.support.dice import RandomDice

Player = Callable[[State, int, Sequence[AnyMove], Dice], AnyMove]

OPTIONS = (
    Options(),
    GEEKS,
    Options(barn_rows=3, free_combinations=True),
    Options(fights="geeks", barn_rows=8, heroes=("eggy_silverspoon", "lil_wing")),
)


def at_random(state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
    """A kind of move first, so that discards and end_turn do not crowd out the rest."""
    kind = dice.choice(sorted({type(move).__name__ for move in moves} - {"EndTurn"}) or ["EndTurn"])
    return dice.choice([move for move in moves if type(move).__name__ == kind])


@dataclass
class Watch:
    """Follows a match and complains about the first event that breaks something."""

    state: State
    excused: set[frozenset[int]] = field(default_factory=set)
    """The pairs of heroes who may share a space upright: one of them was knocked out or immune there (CB-29, CB-35)."""
    last: Sequence[Any] = ()
    moves: int = 0

    def follow(self, events: Sequence[Any]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self._box_is_complete()
            self._pairs()
        self.last, self.moves = events, self.moves + 1
        self._nobody_shares_a_space_unexcused()
        assert list(GAME.check(self.state)) == []

    def _box_is_complete(self) -> None:
        state = self.state
        cards = Counter(open_cards(state))
        for bag in (*state.hands, state.deck):
            cards.update(bag.cards or ())
        assert cards == Counter(DECK)
        lifted = getattr(state.pending, "left", 0)
        assert len(state.tokens) + sum(supply(state, kind) for kind in BLOCKS) + lifted == 12
        assert all(supply(state, kind) >= 0 for kind in BLOCKS)
        carried = [hero.chick for hero in state.heroes if hero.chick]
        waiting = [chick for space in state.board.homes if (chick := waiting_chick(state, space))]
        assert sorted(carried + waiting) == sorted(CHICKS)
        assert len({hero.name for hero in state.heroes}) == len(state.heroes) == len(state.hands)
        tokens = {space for space, _kind in state.tokens}
        assert len(tokens) == len(state.tokens)
        assert tokens.isdisjoint(hero.at for hero in state.heroes)

    def _pairs(self) -> None:
        heroes = self.state.heroes
        for one in range(len(heroes)):
            for other in range(one):
                pair = frozenset({one, other})
                if heroes[one].at != heroes[other].at:
                    self.excused.discard(pair)
                elif not (heroes[one].fights and heroes[other].fights):
                    self.excused.add(pair)

    def _nobody_shares_a_space_unexcused(self) -> None:
        heroes, fight = self.state.heroes, self.state.pending
        assert not isinstance(fight, Showdown)
        mover = getattr(fight, "mover", None)
        for one in range(len(heroes)):
            for other in range(one):
                if heroes[one].at == heroes[other].at and mover not in (one, other):
                    assert frozenset({one, other}) in self.excused


def play(seed: int, seats: int, options: Options, players: Sequence[Player], most: int = 10_000) -> Watch:
    """A match played to its end, or for so many moves."""
    if options.heroes is not None:
        options = replace(options, heroes=tuple(reversed(HEROES))[:seats])
    dice, order = RandomDice(seed), random.Random(seed)
    watch = Watch(GAME.deal(seats, options, dice))
    while (to_move := GAME.to_move(watch.state)) and watch.moves < most:
        seat = order.choice(sorted(to_move))
        seen = redact(watch.state, frozenset({seat}))
        moves = list(GAME.legal(seen, seat))
        assert moves
        move = players[seat](seen, seat, moves, dice)
        assert GAME.refuse(seen, seat, move) is None
        watch.follow(GAME.decide(watch.state, seat, move, dice))
    return watch


def ending(watch: Watch) -> str:
    """How a match ended."""
    result = GAME.outcome(watch.state)
    assert result is not None
    happened = {type(event) for event in watch.last}
    if not result.winners:
        return "out of turns"
    return "recovery" if e.Rose in happened else "fight" if e.KnockedOut in happened else "carried home"


@pytest.mark.parametrize("fights", ["cool_people", "geeks"])
def test_150_matches_of_players_with_a_goal_end_in_every_way(fights: str) -> None:
    ends: Counter[str] = Counter()
    turns = 0
    for seed in range(150):
        options = [options for options in OPTIONS if options.fights == fights][seed // 3 % 2]
        seats = 2 + seed % 3
        players: list[Player] = [choose] * seats
        if seed % 4 == 0:
            players[-1] = guard
        watch = play(seed, seats, options, players)
        ends[ending(watch)] += 1
        turns += watch.state.turn
    assert ends["carried home"] > 60
    assert ends["fight"] > 3
    assert ends["recovery"] > 3
    assert ends["out of turns"] < 8
    assert turns / 150 < 100


@pytest.mark.parametrize("options", OPTIONS)
def test_players_without_a_goal_break_nothing_either(options: Options) -> None:
    for seed in range(6):
        play(seed, 2 + seed % 3, options, [at_random] * 4, most=300)


def test_legal_moves_are_exactly_those_that_are_not_refused() -> None:
    """Every move that any of these matches ever offered, asked about in every thirtieth of their states."""
    everything: dict[AnyMove, None] = {}
    states: list[tuple[State, int]] = []

    def remembering(state: State, seat: int, moves: Sequence[AnyMove], dice: Dice) -> AnyMove:
        everything.update(dict.fromkeys(moves))
        states.append((state, seat))
        return at_random(state, seat, moves, dice)

    for seed, options in enumerate(OPTIONS * 3):
        play(seed, 2 + seed % 3, options, [remembering] * 4, most=150)
    for state, seat in states[::30]:
        legal = list(GAME.legal(state, seat))
        assert len(legal) == len(set(legal)) <= 1000
        assert {move for move in everything if GAME.refuse(state, seat, move) is None} == set(legal)


def test_a_view_reads_back_to_the_same_state_all_along_a_match() -> None:
    for seed, options in enumerate(OPTIONS):
        dice = RandomDice(seed)
        state = GAME.deal(2, options, dice)
        for _ in range(250):
            seat = min(GAME.to_move(state), default=None)
            if seat is None:
                break
            for event in GAME.decide(state, seat, at_random(state, seat, list(GAME.legal(state, seat)), dice), dice):
                state = GAME.evolve(state, event)
            assert GAME.parse(GAME.view(state), 2, options) == state


def test_cb_37_after_500_turns_nobody_has_won() -> None:
    full = ("bouncer",) * 4 + ("bartender",) * 3
    start = table(at("a0", *full), at("d3", *("the_rumor",) * 6), turn=500, active=1)
    ended = start.when(END_TURN, dice=["wild"])
    assert ended.outcome is not None
    assert (ended.outcome.winners, ended.outcome.rule) == ((), "CB-37")
    assert ended.match.status == "finished"
    assert ended.happened[-1] == e.TurnEnded(1)
    going_on = table(at("a0", *full), at("d3"), turn=499).when(END_TURN)
    assert going_on.outcome is None


def test_cb_37_turns_of_knocked_out_heroes_count_and_rising_may_still_win() -> None:
    lying = table(at("a1", knocked_out=True), at("d3"), turn=500).when(END_TURN)
    assert lying.outcome is not None
    assert lying.outcome.rule == "CB-37"
    home = table(at("a0", chick="sarah", knocked_out=True), at("d3"), turn=500).when(END_TURN)
    assert home.outcome is not None
    assert home.outcome.winners == (0,)


def test_cb_37_two_seats_that_do_nothing_come_to_an_end() -> None:
    idle = play(0, 2, Options(), [lambda state, seat, moves, dice: EndTurn()] * 2)
    assert idle.moves == 500
    assert ending(idle) == "out of turns"

"""What strangers may send: any well-formed move at any moment, any position that passes the check."""

from __future__ import annotations

import random
from typing import Any

from domain.games.cock_block import GAME
from domain.games.cock_block.board import ALL_SPACES
from domain.games.cock_block.components import BLOCKS, CARDS, CHICKS, COUNTERS, DECK, HEROES, LEGENDARIES
from domain.games.cock_block.state import Options, State
from domain.hidden import redact
from domain.validation import MalformedError
from tests.support.cock_block.bots import choose
from tests.support.dice import RandomDice

ACTIONS = ("move", "discard", "attack", "defend", "legendary")


def any_move(chance: random.Random) -> dict[str, Any]:
    """A move whose fields are each within their type, and nothing more."""
    cards = [chance.choice(tuple(CARDS)) for _ in range(chance.randint(1, 2))]
    steps = [chance.choice(("forward", "left", "right")) for _ in range(chance.randint(1, 2))]
    back = [chance.choice(("back", "left", "right")) for _ in range(2)]
    spaces = [chance.choice(ALL_SPACES) for _ in range(2)]
    bread = {"type": "move", "cards": ["got_bread"], "path": [chance.choice(("forward", "left", "right")), "forward"]}
    return chance.choice(
        [
            {"type": "move", "cards": cards, "path": steps},
            bread,
            {"type": "discard", "cards": cards * chance.randint(1, 2)},
            {"type": "block", "card": chance.choice(BLOCKS), "at": spaces[0]},
            {"type": "rumor", "target": chance.randint(0, 3), "path": back},
            {"type": "slow", "target": chance.randint(0, 3)},
            {"type": "counter", "card": chance.choice(tuple(COUNTERS)), "from": spaces[0], "to": spaces[1]},
            {"type": "legendary", "card": chance.choice(tuple(LEGENDARIES))},
            {"type": "put", "at": spaces[0]},
            {"type": "commit", "cards": cards[: chance.randint(0, 2)]},
            *(
                {"type": name}
                for name in ("pick_up", "end_turn", "all_access", "tomahawk", "glory", "corn_pills", "decline")
            ),
        ]
    )


def test_any_well_formed_move_is_answered_and_refused_exactly_if_it_is_not_legal() -> None:
    chance = random.Random(5)
    answers = {"legal": 0, "refused": 0}
    for seed, options in enumerate((Options(), Options(fights="geeks", barn_rows=3), Options(barn_rows=8))):
        dice = RandomDice(seed)
        state = GAME.deal(4, options, dice)
        while to_move := GAME.to_move(state):
            seat = min(to_move)
            seen = redact(state, frozenset({seat}))
            legal = list(GAME.legal(seen, seat))
            plain_legal = [GAME.plain_move(move) for move in legal]
            for _ in range(40):
                move = GAME.read_move(any_move(chance))
                refusal = GAME.refuse(seen, seat, move)
                assert refusal is None or (GAME.rule(refusal.rule) and len(refusal.message) > 10)
                assert (refusal is None) == (_canonical(GAME.plain_move(move)) in map(_canonical, plain_legal))
                answers["legal" if refusal is None else "refused"] += 1
            for event in GAME.decide(state, seat, choose(seen, seat, legal, dice), dice):
                state = GAME.evolve(state, event)
    assert min(answers.values()) > 100


def _canonical(move: dict[str, Any]) -> dict[str, Any]:
    return move | {"cards": sorted(move["cards"])} if "cards" in move else move


def any_position(chance: random.Random, seats: int, barn_rows: int) -> dict[str, Any]:
    """A position that keeps the box complete, and otherwise whatever comes."""
    spaces = ALL_SPACES[: 4 * (barn_rows + 2)]
    cards = chance.sample(DECK, len(DECK))
    pending = any_pending(chance, seats, spaces)
    if pending is not None and pending["type"] == "puts":
        cards.remove(pending["card"])
    crowd = chance.sample(spaces, 3)
    free = [space for space in chance.sample(spaces, chance.randint(0, 9)) if space not in crowd]
    if pending is not None and pending["type"] == "counter_window" and pending["at"] not in crowd:
        free.append(pending["at"])
    return {
        "active": chance.randrange(seats),
        "turn": chance.choice((1, 77, 499, 500)),
        "seats": any_seats(chance, seats, crowd, cards),
        "tokens": {space: chance.choice(BLOCKS) for space in free},
        "actions": [chance.choice(ACTIONS) for _ in range(chance.randint(0, 3))],
        "thrown": chance.choice((0, 0, 1, 2, 3)),
        "glory": chance.random() < 0.4,
        "pending": pending,
    }


def any_pending(chance: random.Random, seats: int, spaces: tuple[str, ...]) -> dict[str, Any] | None:
    one, other = chance.sample(range(seats), 2)
    return chance.choice(
        [
            None,
            {"type": "pill_window", "seat": one},
            {"type": "counter_window", "at": chance.choice(spaces), "asked": [one]},
            {"type": "puts", "card": chance.choice(tuple(LEGENDARIES)), "left": chance.randint(1, 4)},
            {"type": "duel", "mover": one, "foe": other},
        ]
    )


def any_seats(chance: random.Random, seats: int, crowd: list[str], cards: list[str]) -> list[dict[str, Any]]:
    heroes = chance.sample(tuple(HEROES), seats)
    chicks = chance.sample([*CHICKS, None, None, None, None], seats)
    made = []
    for hero, chick in zip(heroes, chicks, strict=True):
        slowed = "drank_2_much" in cards and chance.random() < 0.2
        if slowed:
            cards.remove("drank_2_much")
        hand = [cards.pop() for _ in range(chance.randint(0, 7))]
        lying = chance.random() < 0.25
        seat = {"hero": hero, "at": chance.choice(crowd), "chick": chick, "knocked_out": lying, "slowed": slowed}
        made.append(seat | {"hand": {"cards": hand}})
    return made


def test_whatever_passes_the_check_can_be_played_on() -> None:
    chance = random.Random(8)
    pending: dict[str, int] = {}
    for n in range(6000):
        seats, rows = 2 + n % 3, (3, 5, 8)[n // 3 % 3]
        options = Options(
            barn_rows=rows,
            fights=("geeks", "cool_people")[n % 2],
            free_combinations=n % 4 == 0,
        )
        try:
            state = GAME.parse(any_position(chance, seats, rows), seats, options)
        except MalformedError:
            continue
        if list(GAME.check(state)):
            continue
        name = type(state.pending).__name__
        pending[name] = pending.get(name, 0) + 1
        _play_on(state, chance, RandomDice(n))
    assert set(pending) == {"NoneType", "PillWindow", "CounterWindow", "Puts", "Duel"}
    assert sum(pending.values()) > 200


def _play_on(state: State, chance: random.Random, dice: RandomDice) -> None:
    for _ in range(12):
        to_move = GAME.to_move(state)
        assert bool(to_move) == (GAME.outcome(state) is None)
        if not to_move:
            return
        seat = chance.choice(sorted(to_move))
        move = chance.choice(list(GAME.legal(redact(state, frozenset({seat})), seat)))
        for event in GAME.decide(state, seat, move, dice):
            state = GAME.evolve(state, event)
        assert list(GAME.check(state)) == []

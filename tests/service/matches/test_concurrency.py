"""Several instances and many threads at one match over a real server; what a command costs there."""

from __future__ import annotations

import functools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from domain.store import Appended, Conflict, Entry, Sealing, Store, Unsealed
from service.matches.cache import CommandIds, Loaded, MatchCache
from tests.support.backends import Backend
from tests.support.house import Entropy, House
from tests.support.http import Answer, Player, Table, Web

THREADS = 16


@pytest.fixture
def webs(valkey: Backend) -> list[Web]:
    """Two instances with a cache each, over one server."""
    return [Web(House(valkey, entropy=Entropy(name)).app) for name in ("one", "two")]


@pytest.fixture(autouse=True)
def restless_threads() -> Iterator[None]:
    """Threads take turns a hundred times more often than usual, so that they meet in the worst places."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 100)
    yield
    sys.setswitchinterval(usual)


@pytest.fixture
def house(valkey: Backend) -> House:
    return House(valkey)


def together(work: Callable[[int], list[Answer]], count: int = THREADS) -> list[Answer]:
    with ThreadPoolExecutor(count) as pool:
        return [answer for answers in pool.map(work, range(count)) for answer in answers]


def versions_of(house: House, table: Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = house.web.get(f"{table.path}/log?limit=500").shown()["commits"]
    return rows


def test_many_threads_at_one_hot_match_leave_contiguous_versions_each_once(house: House, webs: list[Web]) -> None:
    table = house.table("territories", 4)
    table.play_on(6)
    start = table.version

    def wander(number: int) -> list[Answer]:
        """The host's undo and redo as fast as can be, each sent to both instances with one key."""
        made, chance = [], random.Random(number)
        for turn in range(5):
            key = {"Idempotency-Key": f"{number}-{turn}"}
            body = {"to": chance.randrange(4, start)}
            made += [table.host.at(web).post(f"{table.path}/undo", body, key) for web in webs]
        return made

    answers = together(wander)
    assert {answer.status for answer in answers} <= {201, 409}
    for answer in answers:
        if answer.status == 409:
            assert answer.body["code"] in ("not_in_force", "nothing_to_undo")
    for one, two in zip(answers[::2], answers[1::2], strict=True):
        assert one.status != 201 or (one.status, one.data) == (two.status, two.data), "one key, one effect"
    done = [answer for answer in answers if answer.status == 201]
    assert done
    rows = versions_of(house, table)
    assert [row["version"] for row in rows] == list(range(1, len(rows) + 1))
    assert {answer.body["version"] for answer in done} == set(range(start + 1, len(rows) + 1))
    assert house.web.get(f"{table.path}/audit").shown()["ok"]


def test_one_command_sent_by_many_threads_at_once_happens_once(house: House, webs: list[Web]) -> None:
    table = house.table("blockers")
    for turn in range(6):
        move = {"move": table.listed(table.to_move[0])[turn]}
        key = {"Idempotency-Key": f"turn {turn}"}

        def send(
            number: int, move: Any = move, key: Mapping[str, str] = key, mover: Player = table.mover
        ) -> list[Answer]:
            return [mover.at(webs[number % 2]).post(f"{table.path}/moves", move, key)]

        answers = together(send)
        assert {(answer.status, answer.data) for answer in answers} == {(201, answers[0].data)}
        table.took(answers[0])
    assert table.version == 3 + 6
    assert len(versions_of(house, table)) == table.version


def test_of_many_threads_with_different_moves_one_wins_and_the_others_are_told_it_is_not_their_turn(
    house: House, webs: list[Web]
) -> None:
    table = house.table("blockers")
    mover, listed = table.mover, table.listed(table.to_move[0])
    answers = together(lambda n: [mover.at(webs[n % 2]).post(f"{table.path}/moves", {"move": listed[n]})])
    assert Counter(answer.status for answer in answers) == {201: 1, 409: THREADS - 1}
    assert {answer.body["code"] for answer in answers if answer.status == 409} == {"not_your_turn"}
    assert len(versions_of(house, table)) == 4


def test_the_last_seats_are_given_away_once_each(house: House, webs: list[Web]) -> None:
    host = house.web.enter("Ann")
    path = f"/matches/{host.post('/matches', {'game': 'blockers', 'seats': 5}).done()['match_id']}"
    players = [house.web.enter(f"Player {n}") for n in range(THREADS)]
    answers = together(lambda n: [players[n].at(webs[n % 2]).post(f"{path}/seats")])
    assert Counter(answer.status for answer in answers) == {201: 4, 409: THREADS - 4}
    seats = host.get(path).shown()["seats"]
    assert len({row["player_id"] for row in seats}) == 5


def test_a_whole_match_is_played_by_seats_that_sit_at_different_instances(house: House, webs: list[Web]) -> None:
    """Each instance learns of the other's moves by conflicts only; it never refuses a move that the log allows."""
    table = house.table("highest_card")
    players = [player.at(webs[seat % 2]) for seat, player in enumerate(table.players)]
    table.players = players
    table.play_to_end()
    assert table.last["status"] == "finished"


def test_simultaneous_choices_made_at_once_are_all_taken(house: House, webs: list[Web]) -> None:
    def lay(table: Table, moves: list[Any], seat: int) -> list[Answer]:
        return [table.players[seat].at(webs[seat % 2]).post(f"{table.path}/moves", moves[seat])]

    for _ in range(5):
        table = house.table("highest_card")
        moves = [{"move": table.listed(seat)[0]} for seat in range(3)]
        answers = together(functools.partial(lay, table, moves), 3)
        assert [answer.status for answer in answers] == [201, 201, 201]
        assert {answer.body["version"] for answer in answers} == {4, 5, 6}


def test_the_cache_of_matches_stands_many_threads(house: House) -> None:
    first = house.service.matches.current(house.table("highest_card").match_id, None)
    cache = MatchCache(30)

    def use(number: int) -> list[Answer]:
        chance = random.Random(number)
        for _ in range(2000):
            match = replace(first, id=f"match {chance.randrange(5)}", version=chance.randrange(1, 20))
            cache.put(Loaded(match, b"", CommandIds()))
            cache.get(f"match {chance.randrange(5)}")
        return []

    together(use, 8)
    kept = [found for number in range(5) if (found := cache.get(f"match {number}")) is not None]
    assert 0 < sum(loaded.match.version for loaded in kept) <= 30


# -- what it costs ----------------------------------------------------------------------------------------------------


class Counting:
    """A log that counts how often it is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.asked: Counter[str] = Counter()

    def append(
        self,
        match_id: str,
        entry: Entry,
        previous: bytes,
        seed: bytes | None = None,
        sealing: Sealing | None = None,
    ) -> Appended | Conflict | Unsealed:
        self.asked["append"] += 1
        return self._store.append(match_id, entry, previous, seed, sealing)

    def read(self, match_id: str, after: int = 0, limit: int | None = None) -> Any:
        self.asked["read"] += 1
        return self._store.read(match_id, after, limit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


IN_SCRIPT = Counter(hmget=1, hexists=1, xrevrange=1, zrevrange=1, time=1, xadd=1, hset=1, zadd=1, publish=1)
"""What the append script does inside of the server, which counts it too."""


@pytest.fixture
def sent(valkey: Backend) -> Callable[[], Counter[str]]:
    """The commands that the server was sent since the last time it was asked."""
    assert valkey.client is not None
    client = valkey.client

    def since() -> Counter[str]:
        found: Any = client.info("commandstats")
        client.config_resetstat()
        calls = {name.removeprefix("cmdstat_"): row["calls"] for name, row in found.items()}
        return Counter({name: n for name, n in calls.items() if not name.startswith(("info", "config"))})

    since()
    return since


def test_a_usual_move_is_one_command_to_the_server(house: House, sent: Callable[[], Counter[str]]) -> None:
    table = house.table("blockers")
    table.play_on(1)
    move = {"move": table.listed(table.to_move[0])[0]}
    sent()
    table.took(table.mover.post(f"{table.path}/moves", move))
    assert sent() == Counter(evalsha=1) + IN_SCRIPT


def test_a_live_read_is_one_command_once_the_names_are_known(house: House, sent: Callable[[], Counter[str]]) -> None:
    table = house.table("blockers")
    sent()
    table.host.get(table.path).shown()
    assert sent() == Counter(xrange=1, hget=3)
    table.host.get(table.path).shown()
    assert sent() == Counter(xrange=1)
    table.host.get(f"{table.path}/moves").shown()
    assert sent() == Counter(xrange=1)


def test_a_refused_move_reads_the_tail_once_before_it_is_refused(valkey: Backend) -> None:
    counting = Counting(valkey.store)
    house = House(valkey, store=counting)
    table = house.table("blockers")
    counting.asked.clear()
    table.waiting.post(f"{table.path}/moves", {"move": {"type": "pass"}}).refused(409, "not_your_turn")
    assert counting.asked == {"read": 1}


def test_who_was_overtaken_learns_what_is_missing_from_the_refused_append(valkey: Backend) -> None:
    counting = Counting(valkey.store)
    slow, fast = House(valkey, store=counting), House(valkey)
    table = fast.table("highest_card")
    slow.web.get(table.path).shown()
    moves = [{"move": table.listed(seat)[0]} for seat in range(3)]
    table.took(table.players[0].post(f"{table.path}/moves", moves[0]))
    counting.asked.clear()
    table.took(table.players[1].at(slow.web).post(f"{table.path}/moves", moves[1]))
    assert counting.asked == {"append": 2}
    assert table.version == 5

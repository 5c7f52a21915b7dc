"""Two services that differ only in what a seat may not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain import wire
from domain.hidden import redact
from tests.support.backends import in_memory
from tests.support.dice import RandomDice
from tests.support.house import Entropy, House, catalogue
from tests.support.http import Answer, Player, Table, Web


def everything(who: Player | Web, table: Table, versions: range) -> Iterator[Answer]:
    """All that somebody is shown of a match, each thing as it is answered."""
    for part in ("", "/moves", "/log", "/replay", "/replay?mode=played", "/undo"):
        yield who.get(table.path + part)
    for version in versions:
        yield who.get(f"{table.path}/replay/{version}")
        yield who.get(f"{table.path}/replay/{version}?as=spectator")
        yield who.get(f"{table.path}/replay/{version}?as=all")
        yield who.get(f"{table.path}/undo?to={version}")


class Twin:
    """A match that starts from a position, in a house whose clock, ids and seeds are the same each time."""

    def __init__(self, game: str, position: dict[str, Any], seats: int) -> None:
        self.rules = catalogue()[game]
        self.house = House(in_memory(), entropy=Entropy("twin"))
        self.table = self.house.table(game, seats, position=position)

    def legal(self, seat: int) -> list[dict[str, Any]]:
        return self.table.listed(seat)

    def act(self, seat: int, path: str, body: Any) -> Answer:
        answer = self.table.players[seat].post(self.table.path + path, body)
        if answer.status == 201:
            self.table.took(answer)
        return answer

    def learned_by(self, seat: int) -> list[Any]:
        """The events as this seat may know them: once they differ, the worlds may be told apart."""
        entries = self.house.backend.store.read(self.table.match_id, after=3)
        return [wire.decode(self.rules, entry, frozenset({seat})).events for entry in entries]

    def shown_to(self, seat: int) -> list[tuple[Any, ...]]:
        """All that this seat, and a spectator, are shown."""
        versions = range(1, self.table.version + 1)
        readers: list[Player | Web] = [self.table.players[seat], self.house.web]
        return [comparable(answer) for reader in readers for answer in everything(reader, self.table, versions)]


def comparable(answer: Answer) -> tuple[Any, ...]:
    """All of an answer, but for the receipt's hash and signature, which are of fixed length."""
    if answer.status != 201:
        return answer.status, answer.headers, answer.data
    receipt = answer.body["receipt"]
    assert (len(receipt["head"]), len(receipt["signature"])) == (64, 128)
    return answer.status, answer.headers, answer.body | {"receipt": [receipt["version"], receipt["key"]]}


def twins(game: str, seat: int, seed: int) -> tuple[Twin, Twin]:
    """Two matches in a position that this seat cannot tell apart."""
    origin = House(in_memory(), entropy=Entropy(str(seed))).table(game, seed=seed)
    origin.play_on(1 if game == "highest_card" else 9)
    rules = catalogue()[game]
    origin.give_up()
    before = origin.host.get(f"{origin.path}/replay/{origin.version - 1}?as=all").shown()["state"]
    state = rules.parse(before, 3, rules.options())
    other = rules.imagine(redact(state, frozenset({seat})), seat, RandomDice(seed))
    assert other != state
    return Twin(game, before, 3), Twin(game, rules.view(other), 3)

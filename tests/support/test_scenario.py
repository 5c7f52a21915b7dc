"""The given/when/then harness itself, on the toy game."""

from domain.hidden import Secret
from tests.support.scenario import dealt
from tests.support.toy import GAME, Drawn, Laid, Lay, Order, Ordered, Peeked, Shown


def test_a_round_of_the_toy_game() -> None:
    start = dealt(GAME, 2, dice=["1", "2", "3", "4"])
    first = start.when(Lay("3"), seat=0).then(Laid(0, Secret("3", frozenset({0}))))
    assert first.view(1)["doing"] == {"type": "laying", "laid": [{"hidden": True}, None]}
    assert first.match.since == start.match.since
    first.when(Lay("1"), seat=1).refused("TOY-1")
    second = first.when({"type": "lay", "card": "4"}, dice=["9", "8"])
    looked = Peeked(1, (Secret("9", frozenset({1})), Secret("8", frozenset({1}))))
    second.then(Laid(1, Secret("4", frozenset({1}))), Shown(("3", "4"), took=1), looked)
    assert second.legal(1) == [{"type": "order", "first": "9"}, {"type": "order", "first": "8"}]
    third = second.when(Order("8")).then(
        Ordered(1, looked.cards[::-1]),
        Drawn(0, Secret("8", frozenset({0}))),
        Drawn(1, Secret("9", frozenset({1}))),
    )
    assert third.state.points == (0, 1)
    assert third.legal(0) == [{"type": "lay", "card": "1"}, {"type": "lay", "card": "8"}]

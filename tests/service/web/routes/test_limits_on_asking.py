"""How often a seat may ask for returns, and when others need not listen any more."""

from __future__ import annotations

from tests.support.house import House
from tests.support.http import Table
from tests.support.returns import answer, ask, consenting, last_row, live, open_request, returned


def withdrawn(table: Table, seat: int, to: int = 4) -> None:
    ask(table, seat, to)
    table.took(table.players[seat].delete(f"{table.path}/undo"))


def test_a_seat_asks_twice_in_a_turn_and_no_more(small: House) -> None:
    table = consenting(small)
    withdrawn(table, 0)
    withdrawn(table, 0, 5)
    before = small.dump()
    for to in (4, 5):
        refused = table.host.post(f"{table.path}/undo", {"to": to}).refused(409, "too_many_requests")
        assert table.host.get(f"{table.path}/undo?to={to}").shown()["reason"] == refused["detail"]
    assert small.dump() == before
    assert table.host.get(f"{table.path}/undo?to=4").shown()["verdict"] == "refused"
    withdrawn(table, 1)
    withdrawn(table, 2)
    table.move()
    withdrawn(table, 0)
    withdrawn(table, 0)
    table.host.post(f"{table.path}/undo", {"to": 4}).refused(409, "too_many_requests")


def test_declined_requests_count_too_and_a_second_reason_does_not_help(house: House) -> None:
    table = consenting(house)
    for _ in range(2):
        ask(table)
        answer(table, 1, accept=False)
    other = house.another()
    for house_of in (house, other):
        player = table.host.at(house_of.web)
        player.post(f"{table.path}/undo", {"to": 5, "reason": "please"}).refused(409, "too_many_requests")


def test_requests_are_blocked_with_the_second_refusal_in_a_row_and_not_before(small: House) -> None:
    table = consenting(small)
    path = f"{table.path}/undo/answer"
    ask(table)
    before = small.dump()
    table.players[1].post(path, {"accept": False, "block": True, "request": open_request(table)}).refused(
        409, "not_yet"
    )
    assert small.dump() == before
    answer(table, 1, accept=False)
    ask(table)
    body = answer(table, 2, accept=False, block=True)
    assert body["events"] == [{"type": "undo_answered", "seat": 2, "accepted": False, "blocks": True}]
    assert last_row(table)["sentence"] == "Cid declines and takes no more such requests."
    table.move()
    refused = table.host.post(f"{table.path}/undo", {"to": 4}).refused(409, "requests_blocked")
    preview = table.host.get(f"{table.path}/undo?to=4").shown()
    assert (preview["verdict"], preview["reason"]) == ("refused", refused["detail"])
    assert refused["detail"] == "Seat 2 takes no more of your requests."
    ask(table, 1)
    answer(table, 2, accept=True)
    assert answer(table, 0, accept=True)["events"][-1]["type"] == "rewound"
    table.host.post(f"{table.path}/redo", {"to": 7}).refused(409, "requests_blocked")


def test_an_agreement_in_between_ends_the_row_of_refusals(small: House) -> None:
    table = consenting(small)
    ask(table, to=6)
    answer(table, 1, accept=False)
    returned(table, 5)
    ask(table, to=4)
    path = f"{table.path}/undo/answer"
    table.players[1].post(path, {"accept": False, "block": True, "request": open_request(table)}).refused(
        409, "not_yet"
    )
    answer(table, 1, accept=False)
    ask(table, to=4)
    answer(table, 1, accept=False, block=True)


def test_who_is_blocked_still_takes_back_what_is_free(small: House) -> None:
    table = consenting(small)
    seat = int(last_row(table)["seat"])
    for block in (False, True):
        ask(table, seat)
        answer(table, (seat + 1) % 3, accept=False, block=block)
    assert live(table, seat)["undo"]["verdict"] == "free"
    assert table.undo(6, table.players[seat])["events"] == [{"type": "rewound", "to": 6}]
    assert table.redo(7, table.players[seat])["events"] == [{"type": "restored", "to": 7}]


def test_free_returns_to_the_same_place_do_not_buy_more_requests(small: House) -> None:
    table = consenting(small)
    seat = int(last_row(table)["seat"])
    mine = table.players[seat]
    withdrawn(table, seat)
    withdrawn(table, seat)
    mine.post(f"{table.path}/undo", {"to": 4}).refused(409, "too_many_requests")
    mine.post(f"{table.path}/redo", {"to": 7}).refused(409, "in_force", field="to")
    table.undo(6, mine)
    mine.post(f"{table.path}/undo", {"to": 4}).refused(409, "too_many_requests")
    table.redo(7, mine)
    mine.post(f"{table.path}/undo", {"to": 4}).refused(409, "too_many_requests")
    table.undo(6, mine)
    assert table.to_move == [seat]
    table.move()
    mine.post(f"{table.path}/undo", {"to": 4}).refused(409, "too_many_requests")
    table.move()
    withdrawn(table, seat)


def test_a_return_to_the_very_state_that_there_is_is_none(small: House) -> None:
    table = consenting(small)
    mine = table.players[int(last_row(table)["seat"])]
    table.undo(6, mine)  # 8
    table.redo(7, mine)  # 9
    table.undo(6, mine)  # 10, as 8 was, which is out of force
    before = small.dump()
    for player in table.players:
        player.post(f"{table.path}/redo", {"to": 8}).refused(409, "nothing_to_undo", field="to")
        player.post(f"{table.path}/undo", {"to": 6}).refused(409, "nothing_to_undo", field="to")
    assert small.dump() == before

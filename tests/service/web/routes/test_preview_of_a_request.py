"""The preview of a return that a seat asks for: what those who are asked would lose, and what would stay known."""

from __future__ import annotations

import pytest

from tests.support.house import House
from tests.support.http import Body, Table
from tests.support.returns import answer, ask, consenting, live, returned


def preview(table: Table, seat: int, to: int) -> Body:
    return dict(table.players[seat].get(f"{table.path}/undo?to={to}").shown())


@pytest.mark.parametrize("game", ["territories", "blockers", "highest_card"])
def test_those_asked_see_what_the_asking_seat_saw_before_it_asked(small: House, game: str) -> None:
    table = consenting(small, game, 5)
    before = [preview(table, seat, 4) for seat in range(3)]
    assert before[0]["verdict"] == "consent"
    assert before[0]["undone"]
    ask(table, 0, 4)
    for seat in range(3):
        shown = preview(table, seat, 4)
        assert (shown["verdict"], shown["to"], shown["asks"]) == ("consent", 4, [1, 2])
        assert shown["reason"] == "Seat 0 asks to go back to version 4."
        assert (shown["undone"], shown["learned"], shown["restored"]) == (
            before[seat]["undone"],
            before[seat]["learned"],
            [],
        )


def test_it_says_who_has_still_to_accept_and_is_gone_with_the_request(small: House) -> None:
    table = consenting(small)
    ask(table, 0, 4)
    answer(table, 2, accept=True)
    assert [preview(table, seat, 4)["asks"] for seat in range(3)] == [[1]] * 3
    assert live(table, 1)["request"]["to"] == 4
    answer(table, 1, accept=False)
    assert preview(table, 1, 4)["reason"] != "Seat 0 asks to go back to version 4."


def test_other_versions_are_refused_meanwhile(small: House) -> None:
    table = consenting(small)
    ask(table, 0, 4)
    for seat in range(3):
        shown = preview(table, seat, 5)
        assert (shown["verdict"], shown["undone"], shown["learned"], shown["restored"]) == ("refused", [], [], [])


def test_a_redo_that_is_asked_for_shows_what_comes_back_and_what_goes(small: House) -> None:
    table = consenting(small)
    before = preview(table, 0, 5)["undone"]
    returned(table, 5)
    table.move()
    played_instead = table.version
    assert preview(table, 1, 7)["verdict"] == "refused", "nobody asks for it yet"
    ask(table, 0, 7, "redo")
    for seat in range(3):
        shown = preview(table, seat, 7)
        assert shown["reason"] == "Seat 0 asks to return to version 7."
        assert shown["restored"] == before
        assert [row["version"] for row in shown["undone"]] == [played_instead]


def test_strangers_see_no_preview(small: House) -> None:
    table = consenting(small)
    ask(table, 0, 4)
    small.web.enter("Zoe").get(f"{table.path}/undo?to=4").refused(403, "not_seated")

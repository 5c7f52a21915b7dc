"""What a return would lose and who keeps knowing what, told to each as it may know it; and pending steps come back exactly.

Games with much to hide: Block Happy with its windows and looks, Blockers! with its drawn tiles, the toy with its face-down
cards.
"""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.block_happy import GAME
from domain.games.block_happy.components import title
from domain.games.block_happy.examples import composed
from domain.games.block_happy.state import OF, HandSeen, Pending, TopSeen, Window
from domain.hidden import Secret
from tests.support.block_happy.tables import OTHER, PLAIN, THIRD
from tests.support.house import House
from tests.support.http import Answer, Body, Player, Table, Web
from tests.support.returns import ask, consenting, live, open_request, returned, seen

START = 3
"""The version at which a table of three starts."""


def happy(house: House, first: str = "", second: str = "", third: str = "", **more: Any) -> Table:
    """A table of Block Happy at which these cards are in the hands, next to others that do nothing."""
    hands = [f"{first} {PLAIN}", f"{second} {OTHER}", f"{third} {THIRD}"]
    position = GAME.view(composed(hands, [2, 2, 1], **more))
    return consenting(house, "block_happy", 0, position=position)


def move(table: Table, seat: int, **fields: Any) -> Body:
    return table.took(table.players[seat].post(f"{table.path}/moves", {"move": fields}))


def preview(table: Table, seat: int, to: int = START) -> Body:
    return table.players[seat].get(f"{table.path}/undo?to={to}").shown()


def who_learned(shown: Body) -> list[tuple[int, int]]:
    return [(row["version"], row["seat"]) for row in shown["learned"]]


# -- what each has learned --------------------------------------------------------------------------------------------


def test_a_drawn_card_is_named_to_who_drew_it_only(small: House) -> None:
    table = happy(small, "glum", "smug", "bored")
    done = move(table, 0, type="play", card="sad")
    drawn = next(event["card"] for event in done["events"] if event["type"] == "card_drawn")
    for seat in range(3):
        shown = preview(table, seat)
        (lost,) = shown["undone"]
        assert (lost["version"], lost["seat"]) == (4, 0)
        assert who_learned(shown) == [(4, 0), (4, 1), (4, 2)], "a card was drawn, and all saw one that was in the hand"
        for row in shown["learned"]:
            own = row["seat"] == seat
            assert row["sentence"] == (
                lost["sentence"] if own else "Ann plays Sad. Ann draws a card. It is the turn of Bob."
            )
        told = f"Ann draws {title(drawn)}." if seat == 0 else "Ann draws a card."
        assert told in lost["sentence"]


def test_what_a_look_showed_is_told_to_who_looked_only(small: House) -> None:
    table = happy(small, "optimistic", "glum", "bored", top="outraged jealous smug")
    move(table, 0, type="play", card="optimistic")
    move(table, 0, type="keep", card="jealous")
    for seat in range(3):
        shown = preview(table, seat)
        looked, kept = (row["sentence"] for row in shown["undone"])
        for name in ("Outraged", "Jealous", "Smug"):
            assert (name in looked) == (seat == 0)
        assert ("Jealous" in kept) == (seat == 0)
        assert {row for row in who_learned(shown) if row[1] == 0} == {(4, 0), (5, 0)}


def test_a_hand_that_was_shown_is_told_to_both_it_concerns_only_as_far_as_each_knows_it(small: House) -> None:
    table = happy(small, "cheeky", "glum", "bored")
    move(table, 0, type="play", card="cheeky", target=1)
    move(table, 1, type="decline")
    move(table, 0, type="take", card="glum")
    for seat in range(3):
        shown = preview(table, seat)
        _played, declined, taken = (row["sentence"] for row in shown["undone"])
        assert ("Glum" in declined) == (seat == 0)
        assert ("takes Glum" in taken) == (seat in (0, 1))
        assert (5, 0) in who_learned(shown)
        assert {row for row in who_learned(shown) if row[0] == 6} >= {(6, 0), (6, 1)}


@pytest.mark.parametrize("game", ["blockers", "block_happy", "highest_card"])
def test_who_has_learned_is_the_same_for_all_and_what_is_as_the_log_tells_it_to_each(small: House, game: str) -> None:
    table = consenting(small, game, 5 if game == "highest_card" else 12)
    by_seat = [preview(table, seat) for seat in range(3)]
    public = sentences(small.web, table)
    assert by_seat[0]["verdict"] == "consent"
    for seat, shown in enumerate(by_seat):
        told = sentences(table.players[seat], table)
        assert who_learned(shown) == who_learned(by_seat[0])
        assert {row["version"]: row["sentence"] for row in shown["undone"]} == told
        for row in shown["learned"]:
            # Of others it is told what everybody saw, not what the reader alone knows.
            assert row["sentence"] == (told if row["seat"] == seat else public)[row["version"]]
        assert [row["version"] for row in shown["undone"]] == sorted(told)


def test_where_all_is_open_nobody_has_learned_anything(small: House) -> None:
    table = consenting(small)
    for seat in range(3):
        assert (preview(table, seat)["learned"], len(preview(table, seat)["undone"])) == ([], 4)


def test_what_is_not_in_force_any_more_is_not_lost_again(small: House) -> None:
    table = consenting(small)
    returned(table, 5)
    table.move()
    undone = [row["version"] for row in preview(table, 0)["undone"]]
    assert undone == [4, 5, table.version]


def test_names_of_cards_stand_in_no_answer_to_who_may_not_know_them(small: House) -> None:
    """A request, its answers and the return tell nobody anything new."""
    table = happy(small, "optimistic", "glum", "bored", top="outraged jealous smug")
    move(table, 0, type="play", card="optimistic")
    answers: list[Answer] = [table.players[0].post(f"{table.path}/undo", {"to": START})]
    table.asked(answers[0])
    for seat in (1, 2):
        answers.append(
            table.players[seat].post(f"{table.path}/undo/answer", {"accept": True, "request": open_request(table)})
        )
        table.took(answers[-1])
    for reader in table.readers(small.web)[1:]:
        answers += [reader.get(f"{table.path}{part}") for part in ("", "/log?after=3", "/replay?mode=played&after=3")]
        answers += [reader.get(f"{table.path}/replay/{version}") for version in range(4, table.version + 1)]
    for answered in answers[1:]:
        for word in (b"outraged", b"jealous", b"Outraged", b"Jealous"):
            assert word not in answered.data


# -- pending steps ----------------------------------------------------------------------------------------------------

PENDING: dict[str, tuple[dict[str, Any], Pending, list[tuple[int, Body]]]] = {
    "an attack waits for its answer": (
        {"show": "annoyed", "second": "smug"},
        Window(1, "annoyed"),
        [(1, {"type": "decline"}), (1, {"type": "answer", "card": "smug"})],
    ),
    "an attack by creative waits for its answer": (
        {"show": "creative", "second": "overjoyed"},
        Window(1, "creative", "outraged"),
        [(1, {"type": "decline"}), (1, {"type": "answer", "card": "overjoyed"})],
    ),
    "a question waits for its answer": (
        {"show": "curious", "third": "smug"},
        Window(2, "curious", ask="smug"),
        [(2, {"type": "decline"}), (2, {"type": "answer", "card": "smug"})],
    ),
    "a hand lies open to one": (
        {"show": "cheeky", "third": "glum"},
        HandSeen(2, Secret(tuple(sorted(f"glum {THIRD}".split())), OF[0])),
        [(0, {"type": "take", "card": "glum"}), (0, {"type": "take", "card": "funny"})],
    ),
    "the top of the pile is seen by one": (
        {"show": "optimistic", "top": "outraged jealous smug"},
        TopSeen(3),
        [(0, {"type": "keep", "card": "jealous"}), (0, {"type": "keep", "card": "smug"})],
    ),
}


@pytest.mark.parametrize("name", PENDING)
def test_a_step_that_is_half_done_comes_back_exactly_for_everybody(small: House, name: str) -> None:
    more, pending, answers = PENDING[name]
    table = happy(small, **more, pending=pending)
    before = seen(table)
    for seat, chosen in answers:
        move(table, seat, **chosen)
        after, end = seen(table), table.version
        assert after != before
        returned(table, START)
        assert seen(table) == before
        returned(table, end, 1, "redo")
        assert seen(table) == after
        returned(table, START, 2)
        assert seen(table) == before
    table.play_on(3)


def test_windows_that_open_in_play_come_back_with_all_that_hangs_on_them(small: House) -> None:
    table = happy(small, "cheeky", "smug", "glum")
    waypoints = [seen(table)]
    for seat, chosen in (
        (0, {"type": "play", "card": "cheeky", "target": 1}),
        (1, {"type": "decline"}),
        (0, {"type": "take", "card": "smug"}),
    ):
        move(table, seat, **chosen)
        waypoints.append(seen(table))
    for version in (5, 4, 3):
        returned(table, version)
        assert seen(table) == waypoints[version - START]
    returned(table, 6, 0, "redo")
    assert seen(table) == waypoints[-1]


def test_a_once_per_game_card_and_a_skipped_turn_are_as_they_were(small: House) -> None:
    table = happy(small, "shocked", "bored", "smug")
    move(table, 0, type="play", card="shocked", target=2)
    assert live(table)["state"]["shocked"] is True
    move(table, 1, type="play", card="bored", target=2)
    move(table, 2, type="decline")
    after = live(table)
    assert after["to_move"] == [0], "seat 2 misses its turn"
    returned(table, 5)
    assert (live(table)["state"]["shocked"], live(table)["to_move"]) == (True, [2])
    returned(table, START)
    assert (live(table)["state"]["shocked"], live(table)["state"]["skips"]) == (False, [0, 0, 0])
    returned(table, 6, 1, "redo")
    assert live(table)["state"] == after["state"]


def test_a_simultaneous_choice_that_is_half_made_comes_back_face_down(small: House) -> None:
    table = consenting(small, "highest_card", 0)
    move(table, 1, **table.listed(1)[0])
    half = seen(table)
    move(table, 0, **table.listed(0)[0])
    move(table, 2, **table.listed(2)[0])
    returned(table, 4, 2)
    assert seen(table) == half
    assert [body[1] for body in half] == [[0, 2]] * 3
    ask(table, 1, START)
    assert seen(table) == half


def sentences(reader: Player | Web, table: Table) -> dict[int, str]:
    """What the log tells a reader of each version since the start of play."""
    log = reader.get(f"{table.path}/log?after={START}").shown()["commits"]
    return {row["version"]: row["sentence"] for row in log}

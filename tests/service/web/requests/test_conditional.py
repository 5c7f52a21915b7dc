"""Conditional requests: what has not changed is not sent again, and what has changed is not written over."""

from __future__ import annotations

import re

import pytest

from tests.support.house import House
from tests.support.http import MSGPACK, Player, Table, Web

READS = ("", "/moves", "/log", "/replay", "/replay/3", "/undo?to=3")


@pytest.fixture(scope="module")
def table(quiet: House) -> Table:
    made = quiet.table("blockers")
    made.play_on(3)
    return made


@pytest.mark.parametrize("part", READS)
def test_every_read_of_a_match_has_an_etag_of_version_and_digest(table: Table, part: str) -> None:
    answer = table.host.get(table.path + part)
    shown = 3 if part == "/replay/3" else table.version
    assert re.fullmatch(rf'"{shown}-[0-9a-f]{{16}}"', answer.etag)
    assert answer.headers["Vary"] == "Authorization, Accept"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert table.host.get(table.path + part).etag == answer.etag


@pytest.mark.parametrize("part", READS)
@pytest.mark.parametrize("form", ["{}", "W/{}", '"1-x", {}', '{}, "2-y"', '"1",W/{}', "*"])
def test_what_the_reader_has_already_is_not_sent_again(table: Table, part: str, form: str) -> None:
    etag = table.host.get(table.path + part).etag
    for method in ("GET", "HEAD"):
        answer = table.host.ask(method, table.path + part, headers={"If-None-Match": form.format(etag)})
        assert (answer.status, answer.data) == (304, b"")
        assert answer.etag == etag
        assert answer.headers["Vary"] == "Authorization, Accept"
        assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("form", ['"6"', '"{}-0000000000000000"', '"x"', "nonsense", "", '""', "W/"])
def test_what_the_reader_does_not_have_is_sent(table: Table, form: str) -> None:
    table.host.get(table.path, {"If-None-Match": form.replace("{}", str(table.version))}).shown()


@pytest.mark.parametrize("part", ["", "/log", "/replay/3"])
def test_the_etag_is_another_for_each_viewer_and_type(table: Table, quiet: House, part: str) -> None:
    readers: list[Player | Web] = table.readers(quiet.web)
    etags = {reader.get(table.path + part, accept).etag for reader in readers for accept in ({}, {"Accept": MSGPACK})}
    assert len(etags) == 2 * len(readers)
    for reader in readers:
        answer = reader.get(table.path + part, {"If-None-Match": table.host.get(table.path + part).etag})
        assert answer.status == (304 if reader is table.host else 200)


def test_the_etag_changes_with_the_match_and_that_of_a_moment_only_with_what_became_of_it(small: House) -> None:
    table = small.table("territories")
    seen = set()
    for _ in range(5):
        for part in READS:
            seen.add((part, table.host.get(table.path + part).etag))
        table.move()
    assert len(seen) == 5 * (len(READS) - 1) + 1
    assert [etag[:3] for part, etag in seen if part == "/replay/3"] == ['"3-']
    before = table.host.get(f"{table.path}/replay/5").etag
    table.move()
    assert table.host.get(f"{table.path}/replay/5").etag == before
    table.undo(4)
    assert table.host.get(f"{table.path}/replay/5").etag != before, "it is not in force any more"


def test_answers_to_actions_and_problems_have_no_etag(table: Table) -> None:
    problem = table.waiting.post(f"{table.path}/moves", {"move": {"type": "pass"}})
    assert "ETag" not in problem.headers
    assert problem.headers["Cache-Control"] == "no-store"
    assert table.host.get("/matches").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(
    "form", ['"{v}"', '"{v}-0123456789abcdef"', 'W/"{v}"', 'W/"{v}-x"', '"1", "{v}"', ' "{v}" ,"2-y"']
)
def test_if_match_compares_the_version_alone(small: House, form: str) -> None:
    table = small.table("territories")
    for action in (table.move, lambda: table.undo(3), lambda: table.redo(4)):
        before = small.dump()
        stale = {"If-Match": form.format(v=table.version - 1)}
        for path, body in (("moves", {"move": table.listed(table.to_move[0])[0]}), ("undo", {}), ("resign", {})):
            table.mover.post(f"{table.path}/{path}", body, stale).refused(412, "stale_version")
        assert small.dump() == before
        action()
    fresh = {"If-Match": form.format(v=table.version)}
    move = {"move": table.listed(table.to_move[0])[0]}
    table.took(table.mover.post(f"{table.path}/moves", move, fresh))
    table.took(table.host.post(f"{table.path}/resign", {}, {"If-Match": form.format(v=table.version)}))


def test_the_etag_of_a_read_is_a_good_if_match(small: House) -> None:
    table = small.table("blockers")
    for part in ("", "/moves", "/log"):
        move = {"move": table.listed(table.to_move[0])[0]}
        etag = table.mover.get(table.path + part).etag
        table.took(table.mover.post(f"{table.path}/moves", move, {"If-Match": etag}))
        table.mover.post(f"{table.path}/moves", move, {"If-Match": etag}).refused(412, "stale_version")


def test_a_star_matches_any_version(small: House) -> None:
    table = small.table("blockers")
    move = {"move": table.listed(table.to_move[0])[0]}
    for header in ("*", " * "):
        table.waiting.post(f"{table.path}/moves", move, {"If-Match": header}).refused(409, "not_your_turn")
    table.took(table.mover.post(f"{table.path}/moves", move, {"If-Match": "*"}))


def test_a_stale_cache_does_not_make_a_good_if_match_stale(house: House) -> None:
    table = house.table("blockers")
    other = house.another()
    other.web.get(table.path).shown()
    table.play_on(2)
    move = {"move": table.listed(table.to_move[0])[0]}
    table.took(table.mover.at(other.web).post(f"{table.path}/moves", move, {"If-Match": f'"{table.version}"'}))


def test_seats_and_leaving_heed_if_match(small: House) -> None:
    ann, bob, cid = small.players(3)
    path = f"/matches/{ann.post('/matches', {'game': 'blockers', 'seats': 3}).done()['match_id']}"
    bob.post(f"{path}/seats", {}, {"If-Match": '"1"'}).done()
    cid.post(f"{path}/seats", {}, {"If-Match": '"1"'}).refused(412, "stale_version")
    bob.delete(f"{path}/seats/1", {"If-Match": '"1"'}).refused(412, "stale_version")
    bob.delete(f"{path}/seats/1", {"If-Match": '"2"'}).done()


def lay(table: Table, seat: int, version: int) -> int:
    move = {"move": table.listed(seat)[0]}
    answer = table.players[seat].post(f"{table.path}/moves", move, {"If-Match": f'"{version}"'})
    if answer.status == 201:
        table.took(answer)
    else:
        answer.refused(412, "stale_version")
    return answer.status


def test_in_a_simultaneous_choice_any_version_since_it_opened_matches(small: House) -> None:
    table = small.table("highest_card", options={"peek": False})
    assert table.version == 3
    assert lay(table, 2, 3) == 201
    assert lay(table, 0, 2) == 412, "before the choice opened"
    assert lay(table, 0, 3) == 201
    assert lay(table, 1, 4) == 201, "the last one; another choice opens at version 6"
    seat = table.to_move[0]
    for version in (3, 4, 5):
        assert lay(table, seat, version) == 412
    assert lay(table, seat, 6) == 201


def test_an_undo_opens_the_choice_anew(small: House) -> None:
    table = small.table("highest_card")
    lay(table, 1, 3)
    table.undo(3)
    assert lay(table, 0, 3) == lay(table, 0, 4) == 412
    assert lay(table, 0, 5) == 201
    assert lay(table, 1, 5) == 201

"""Travelling through a match: to any version, as it stood then, as somebody knew it, and what changed on the way."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.support.house import House, catalogue
from tests.support.http import Body, Player, Table, Web
from tests.support.returns import ask, open_request, returned

MOVES: dict[str, tuple[int, int, int]] = {"highest_card": (5, 2, 1)}
"""Moves before the undo, after it, and after the redo, where a match has not 40 of them."""

GAMES = pytest.mark.parametrize("game", catalogue())

Reader = Player | Web


class Filmed:
    """A table whose every version is looked at by everybody right when it is made."""

    def __init__(self, house: House, game: str, seats: int = 3) -> None:
        self.house = house
        self.game = game
        self.table = house.table(game, seats, undo="consent")
        self.live: dict[int, list[Body]] = {}
        self.moments: dict[int, list[bytes]] = {}
        self.until: dict[tuple[int, str], list[tuple[bytes, str]]] = {}
        self.look()

    @property
    def readers(self) -> Sequence[Reader]:
        return self.table.readers(self.house.web)

    def look(self) -> None:
        version, path = self.table.version, self.table.path
        self.live[version] = [dict(reader.get(path).shown()) for reader in self.readers]
        self.moments[version] = [reader.get(f"{path}/replay/{version}").data for reader in self.readers]
        for mode in ("effective", "played"):
            self.until[version, mode] = [self.listed(reader, version, mode) for reader in self.readers]

    def listed(self, reader: Reader, version: int, mode: str) -> tuple[bytes, str]:
        answer = reader.get(f"{self.table.path}/replay?until={version}&mode={mode}&limit=500")
        answer.shown()
        return answer.data, answer.etag

    def play(self, count: int) -> None:
        for _ in range(count):
            self.table.move()
            self.look()

    def agreed(self, to: int, way: str) -> None:
        """Asked for and agreed to, and looked at on the way."""
        ask(self.table, 0, to, way)
        self.look()
        for seat in range(1, len(self.table.players)):
            path = f"{self.table.path}/undo/answer"
            self.table.took(self.table.players[seat].post(path, {"accept": True, "request": open_request(self.table)}))
            self.look()

    def wander(self) -> None:
        """Forty moves, back by consent, on differently, and the old branch again."""
        first, (before, after, again) = self.table.version, MOVES.get(self.game, (40, 4, 2))
        self.play(before)
        tip = self.table.version
        self.agreed(self.table.random.randrange(first, tip - 1), "undo")
        self.play(after)
        self.agreed(tip, "redo")
        self.play(again)
        assert self.table.last["status"] == "live"


@pytest.fixture(scope="module", params=catalogue())
def filmed(request: pytest.FixtureRequest, quiet: House) -> Filmed:
    made = Filmed(quiet, request.param)
    made.wander()
    return made


# -- every version that ever was --------------------------------------------------------------------------------------


def test_every_version_ever_committed_still_shows_exactly_what_was_seen_when_it_was_live(filmed: Filmed) -> None:
    assert {"undo", "redo"} <= {step["kind"] for step in steps_of(filmed.table)}
    for house in (filmed.house, filmed.house.another()):
        for version, seen in filmed.live.items():
            for number, then in enumerate(seen):
                reader = filmed.readers[number]
                at = reader.at(house.web) if isinstance(reader, Player) else house.web
                moment = at.get(f"{filmed.table.path}/replay/{version}").shown()
                assert (moment["state"], moment["to_move"]) == (then["state"], then["to_move"]), (version, number)
                assert moment["outcome"] is None
                assert moment["as"] == ("spectator" if number == len(seen) - 1 else str(number))


def test_only_whether_it_is_in_force_changes_in_a_moment(filmed: Filmed) -> None:
    in_force = {step["version"] for step in steps_of(filmed.table, "effective")}
    for version, seen in filmed.moments.items():
        for reader, then in zip(filmed.readers, seen, strict=True):
            now = reader.get(f"{filmed.table.path}/replay/{version}")
            assert now.etag.startswith(f'"{version}-')
            assert (now.data == then) == (version in in_force)
            assert now.data.replace(b'"in_force":false', b'"in_force":true') == then


def test_a_match_that_was_wandered_in_is_sound(filmed: Filmed) -> None:
    audit = filmed.house.web.get(f"{filmed.table.path}/audit").shown()
    assert (audit["ok"], audit["version"]) == (True, filmed.table.version)


# -- until ------------------------------------------------------------------------------------------------------------


def test_a_replay_until_a_version_is_byte_for_byte_what_it_was_when_that_was_the_newest(filmed: Filmed) -> None:
    for (version, mode), seen in filmed.until.items():
        for reader, then in zip(filmed.readers, seen, strict=True):
            assert filmed.listed(reader, version, mode) == then, (version, mode)


def test_a_replay_until_a_version_tells_no_version_and_no_total(filmed: Filmed) -> None:
    for version in (3, 5, filmed.table.version):
        for mode in ("effective", "played"):
            answer = filmed.table.host.get(f"{filmed.table.path}/replay?until={version}&mode={mode}&limit=500")
            body = answer.shown()
            assert body.keys() == {"steps", "more"}
            assert body["more"] is False
            assert body["steps"][-1]["version"] == version
            assert all(step["in_force"] for step in body["steps"]) or mode == "played"
            assert answer.etag.startswith(f'"{version}-')


def test_until_tells_in_pages_too_as_it_stood_then(filmed: Filmed) -> None:
    path, until = filmed.table.path, filmed.table.version - 3
    for mode in ("effective", "played"):
        whole = filmed.table.host.get(f"{path}/replay?until={until}&mode={mode}&limit=500").shown()["steps"]
        rows: list[Body] = []
        more = True
        while more:
            after = rows[-1]["version"] if rows else 0
            page = filmed.table.host.get(f"{path}/replay?until={until}&mode={mode}&after={after}&limit=7").shown()
            rows += page["steps"]
            more = page["more"]
        assert rows == whole
        page = filmed.table.host.get(f"{path}/replay?until={until}&mode={mode}&after={until}").shown()
        assert (page["steps"], page["more"]) == ([], False)


def test_until_a_version_that_was_undone_lists_the_way_to_it(small: House) -> None:
    table = small.table("territories", undo="consent")
    table.play_on(4)  # 4 5 6 7
    returned(table, 5)  # 8 9 10
    table.move()  # 11
    for until, versions in ((7, [1, 2, 3, 4, 5, 6, 7]), (9, [1, 2, 3, 4, 5, 6, 7, 8, 9]), (10, [1, 2, 3, 4, 5, 10])):
        steps = table.host.get(f"{table.path}/replay?until={until}").shown()["steps"]
        assert [step["version"] for step in steps] == versions
    played = table.host.get(f"{table.path}/replay?until=10&mode=played").shown()["steps"]
    assert [step["version"] for step in played if not step["in_force"]] == [6, 7, 8, 9]
    again = table.host.get(f"{table.path}/replay?until=9&mode=played").shown()["steps"]
    assert all(step["in_force"] for step in again), "nothing was undone yet"


def test_until_more_than_there_is_lists_what_there_is(small: House) -> None:
    table = small.table("highest_card")
    for until in (3, 4, 2**53 - 1):
        steps = table.host.get(f"{table.path}/replay?until={until}").shown()["steps"]
        assert [step["version"] for step in steps] == [1, 2, 3]


@pytest.mark.parametrize("query", ["until=0", "until=-1", "until=x", "until=", "until=9007199254740992"])
def test_until_what_cannot_be_is_a_400(small: House, query: str) -> None:
    table = small.table("highest_card")
    small.web.get(f"{table.path}/replay?{query}").refused(400, "unreadable", field="until")


def test_who_left_before_the_start_is_told_by_seat_and_name_as_before(small: House) -> None:
    ann, bob, cid = small.players(3)
    path = f"/matches/{ann.post('/matches', {'game': 'highest_card', 'seats': 3}).done()['match_id']}"
    bob.post(f"{path}/seats", {"seat": 2}).done()
    then = ann.get(f"{path}/replay?until=2").data
    bob.delete(f"{path}/seats/2").done()
    assert ann.get(f"{path}/replay?until=2").data == then
    cid.post(f"{path}/seats", {"seat": 2}).done()
    bob.post(f"{path}/seats", {"seat": 1}).done()
    assert ann.get(f"{path}/replay?until=2").data == then
    told = [(step["seat"], step["sentence"]) for step in ann.get(f"{path}/replay").shown()["steps"][1:4]]
    assert told == [(2, "“Bob” takes seat 2."), (2, "“Bob” leaves seat 2."), (2, "“Cid” takes seat 2.")]


# -- changes ----------------------------------------------------------------------------------------------------------


def applied(patch: Sequence[Body], document: Any) -> Any:
    """RFC 6902, as far as it is used: add, remove and replace."""
    made = [copy.deepcopy(document)]
    for operation in patch:
        place: Any = made
        *parents, last = [0, *map(unescaped, operation["path"].split("/")[1:])]
        for part in parents:
            place = place[int(part)] if isinstance(place, list) else place[part]
        key = int(last) if isinstance(place, list) else last
        match operation["op"]:
            case "add" if isinstance(place, list):
                assert 0 <= int(key) <= len(place)
                place.insert(int(key), operation["value"])
            case "add":
                place[key] = operation["value"]
            case "remove":
                del place[key]
            case "replace":
                assert place[key] != operation["value"] or type(place[key]) is not type(operation["value"])
                place[key] = operation["value"]
    return made[0]


def unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def test_the_changes_lead_from_each_state_to_the_next_for_everybody(filmed: Filmed) -> None:
    told = 0
    for reader in filmed.readers:
        states = dict(moments(reader, filmed.table))
        for version, body in states.items():
            if version == 3:
                assert body["changes"] == []
            elif version > 3:
                assert applied(body["changes"], states[version - 1]["state"]) == body["state"], version
                told += len(body["changes"])
    assert told > len(filmed.live)


def test_what_is_no_move_changes_nothing(filmed: Filmed) -> None:
    for step in steps_of(filmed.table):
        body = filmed.table.host.get(f"{filmed.table.path}/replay/{step['version']}").shown()
        if step["kind"] in ("undo_asked", "undo_answered", "join"):
            assert body["changes"] == []
        if step["kind"] == "move":
            assert body["changes"] != []


# -- as somebody knew it ----------------------------------------------------------------------------------------------


@GAMES
def test_after_the_end_every_version_is_shown_as_each_seat_knew_it_and_as_all(small: House, game: str) -> None:
    filmed = Filmed(small, game)
    filmed.wander()
    table = filmed.table
    last = table.version
    table.give_up(1)
    zoe = small.web.enter("Zoe")
    for version in range(3, last + 1):
        names = ["0", "1", "2", "spectator"]
        for number, name in enumerate(names):
            for reader in (zoe, table.host):
                moment = reader.get(f"{table.path}/replay/{version}?as={name}").shown()
                then = filmed.live[version][number]
                assert (moment["as"], moment["state"], moment["to_move"]) == (name, then["state"], then["to_move"])
                asked = [row["seat"] for row in moment["moves"]]
                assert asked == [seat for seat in then["to_move"] if str(seat) == name]
        everything = zoe.get(f"{table.path}/replay/{version}?as=all")
        assert everything.data == zoe.get(f"{table.path}/replay/{version}").data
        assert b'{"hidden":true}' not in everything.data
        assert [row["seat"] for row in everything.shown()["moves"]] == everything.body["to_move"]


def test_while_it_runs_each_sees_its_own_side_only(filmed: Filmed) -> None:
    path = f"{filmed.table.path}/replay/5"
    for number, reader in enumerate(filmed.readers):
        reader.get(f"{path}?as=all").refused(403, "forbidden")
        for seat in range(3):
            answer = reader.get(f"{path}?as={seat}")
            if seat == number:
                assert answer.data == reader.get(path).data
            else:
                answer.refused(403, "forbidden")
        assert reader.get(f"{path}?as=spectator").data == filmed.house.web.get(path).data
        for wrong in ("3", "-1", "everybody", "", "00"):
            reader.get(f"{path}?as={wrong}").refused(400, "unreadable", field="as")


def steps_of(table: Table, mode: str = "played") -> list[Body]:
    return list(table.host.get(f"{table.path}/replay?mode={mode}&limit=500").shown()["steps"])


def moments(reader: Reader, table: Table) -> Iterator[tuple[int, Body]]:
    for version in range(1, table.version + 1):
        yield version, dict(reader.get(f"{table.path}/replay/{version}").shown())

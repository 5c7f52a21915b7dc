"""Playing on from any version of a finished match, in a match of its own."""

from __future__ import annotations

from typing import Any

import pytest

from domain import limits
from tests.support.house import House
from tests.support.http import Body, Player, Table

KEY = {"Idempotency-Key": "the key"}


def ended(house: House, game: str = "blockers", moves: int = 8, **more: Any) -> Table:
    """A match with an undone branch that was resigned."""
    table = house.table(game, 3, **more)
    table.play_on(moves)
    table.undo(table.version - 3)
    table.move()
    table.give_up(1)
    return table


def fork(table: Table, version: int, player: Player | None = None, **more: Any) -> Body:
    return (player or table.host).post(f"{table.path}/forks", {"version": version, **more}).done()


def filled(forked: Body, players: list[Player]) -> Table:
    """The fork with these players at it, its opener first."""
    table = Table(forked["match_id"], players, forked)
    for player in players[1:]:
        table.took(player.post(f"{table.path}/seats"))
    return table


def view(player: Player, path: str) -> Body:
    return dict(player.get(path).shown())


def test_a_fork_starts_from_the_state_of_that_version_and_both_know_of_it(house: House) -> None:
    table = ended(house)
    undone = next(v for v, body in table.answers.items() if body["events"][0]["type"] == "rewound") - 1
    for version in (3, 6, undone):
        kept = view(table.host, f"{table.path}/replay/{version}")
        newest = view(table.host, table.path)["version"]
        forked = fork(table, version)
        assert (forked["version"], forked["status"]) == (1, "open")
        origin = {"match": table.match_id, "version": version}
        assert view(table.host, f"/matches/{forked['match_id']}")["origin"] == origin
        (note,) = table.host.get(f"{table.path}/log?after={newest}").shown()["commits"]
        assert note["events"] == [{"type": "forked", "version": version, "match": forked["match_id"]}]
        assert (note["kind"], note["sentence"]) == ("fork", f"“Ann” starts another match from version {version}.")

        played = filled(forked, table.players)
        live = [view(player, played.path) for player in table.players]
        assert (live[0]["options"], live[0]["rated"]) == (view(table.host, table.path)["options"], False)
        for seat, shown in enumerate(live):
            then = view(table.host, f"{table.path}/replay/{version}?as={seat}")
            assert (shown["state"], shown["to_move"], shown["your_seat"]) == (then["state"], kept["to_move"], seat)
        played.play_on(3)
        assert house.web.get(f"{played.path}/audit").shown()["ok"]
        assert house.another().web.get(played.path).data == house.web.get(played.path).data
    assert house.web.get(f"{table.path}/audit").shown()["ok"]


def test_the_match_that_was_forked_stays_as_it_ended(small: House) -> None:
    for table in (ended(small), ended(small, "highest_card", 4)):
        before = view(table.host, table.path)
        moments = [view(table.host, f"{table.path}/replay/{v}") for v in range(1, table.version + 1)]
        fork(table, 4)
        after = view(table.host, table.path)
        for name in ("status", "outcome", "state", "to_move", "undo", "request"):
            assert after[name] == before[name], name
        assert [view(table.host, f"{table.path}/replay/{v}") for v in range(1, table.version + 1)] == moments
        note = view(table.host, f"{table.path}/replay/{table.version + 1}")
        assert (note["state"], note["to_move"], note["outcome"]) == (before["state"], [], before["outcome"])
        assert (note["step"]["kind"], note["moves"], note["changes"]) == ("fork", [], [])


def test_a_match_played_to_its_end_is_over_at_its_end_also_when_it_has_been_forked(small: House) -> None:
    table = small.table("highest_card", 3)
    table.play_to_end()
    moments = [view(table.host, f"{table.path}/replay/{v}") for v in range(1, table.version + 1)]
    assert [moment["outcome"] is None for moment in moments] == [True] * (table.version - 1) + [False]
    for _ in range(2):
        fork(table, 3)
        assert [view(table.host, f"{table.path}/replay/{v}") for v in range(1, table.version + 1)] == moments


def test_the_fork_goes_its_own_way(small: House) -> None:
    table = ended(small, "territories", 5)
    forked = filled(fork(table, 5, undo="free_only"), table.players)
    shown = view(table.host, forked.path)
    assert (shown["undo_policy"], shown["rated"]) == ("free_only", False)
    forked.play_on(2)
    last = forked.players[(forked.to_move[0] + 2) % 3]
    forked.undo(forked.version - 1, last)
    last.post(f"{forked.path}/undo", {"to": 1}).refused(404, "version_not_found", field="to")
    assert view(table.host, table.path)["version"] == table.version + 1


def test_a_fork_can_be_forked(small: House) -> None:
    table = ended(small)
    first = filled(fork(table, 5), table.players)
    first.play_on(2)
    first.give_up()
    second = fork(first, first.version)
    assert view(first.host, f"/matches/{second['match_id']}")["origin"] == {
        "match": first.match_id,
        "version": first.version,
    }
    started = filled(second, first.players)
    assert (started.last["status"], started.to_move) == ("live", first.answers[first.version - 1]["to_move"])


def test_from_the_version_that_decided_a_match_nothing_can_be_played_on(small: House) -> None:
    table = small.table("highest_card", 2)
    table.play_to_end()
    before = small.dump()
    table.host.post(f"{table.path}/forks", {"version": table.version}).refused(409, "decided")
    assert small.dump() == before
    started = filled(fork(table, table.version - 1), table.players)
    assert started.last["status"] == "live"


def test_whoever_may_see_a_match_may_fork_it_and_sits_on_seat_0(small: House) -> None:
    table = ended(small)
    zoe = small.web.enter("Zoe")
    forked = fork(table, 6, zoe)
    shown = view(zoe, f"/matches/{forked['match_id']}")
    assert (shown["host"], shown["your_seat"]) == (zoe.id, 0)
    assert view(table.host, table.path)["version"] == table.version, "a stranger writes nothing into the log"
    small.web.post(f"{table.path}/forks", {"version": 6}).refused(401, "unauthenticated")


def test_a_private_match_is_forked_by_those_who_may_know_of_it(small: House) -> None:
    table = ended(small, private=True)
    zoe = small.web.enter("Zoe")
    before = small.dump()
    zoe.post(f"{table.path}/forks", {"version": 6}).refused(404, "match_not_found")
    assert small.dump() == before
    invite = {"Foldtable-Invite": next(body["invite"] for body in table.answers.values() if "invite" in body)}
    zoe.post(f"{table.path}/forks", {"version": 6}, invite).done()
    hidden = fork(table, 6, private=True)
    assert hidden["invite"]
    assert view(table.host, table.path)["version"] == table.version, "a private match is named nowhere"
    zoe.get(f"/matches/{hidden['match_id']}").refused(404, "match_not_found")


def test_only_a_finished_match_is_forked(small: House) -> None:
    live = small.table("territories")
    opened = live.host.post("/matches", {"game": "territories", "seats": 2}).done()["match_id"]
    void = live.host.post("/matches", {"game": "territories", "seats": 2}).done()["match_id"]
    live.host.delete(f"/matches/{void}/seats/0").done()
    before = small.dump()
    for path in (live.path, f"/matches/{opened}", f"/matches/{void}"):
        live.host.post(f"{path}/forks", {"version": 1}).refused(409, "not_finished")
    live.host.post("/matches/00aaaaaaaaaaaaaa/forks", {"version": 1}).refused(404, "match_not_found")
    assert small.dump() == before


@pytest.mark.parametrize("version", [-1, 0, 1, 2, 99, 2**53 - 1])
def test_a_version_without_a_state_cannot_be_forked(small: House, version: int) -> None:
    table = ended(small, "highest_card", 4)
    before = small.dump()
    table.host.post(f"{table.path}/forks", {"version": version}).refused(404, "version_not_found", field="version")
    assert small.dump() == before


def test_a_repeated_fork_is_one_match_and_one_note(house: House) -> None:
    table = ended(house)
    first = table.host.post(f"{table.path}/forks", {"version": 6}, KEY)
    before = house.dump()
    for other in (house, house.another()):
        again = table.host.at(other.web).post(f"{table.path}/forks", {"version": 6}, KEY)
        assert (again.status, again.headers, again.data) == (first.status, first.headers, first.data)
        table.host.at(other.web).post(f"{table.path}/forks", {"version": 7}, KEY).refused(422, "key_reused")
    assert house.dump() == before


def test_as_many_forks_as_may_be_are_noted_and_more_are_made(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FORKS", 1)
    table = ended(house)
    late = house.another()
    assert late.web.get(table.path).shown()["version"] == table.version
    fork(table, 3)
    noted = view(table.host, table.path)["version"]
    assert noted == table.version + 1
    for player in (table.players[1], table.players[2].at(late.web)):
        made = fork(table, 3, player, undo="off")
        assert view(player, f"/matches/{made['match_id']}")["origin"] == {"match": table.match_id, "version": 3}
        assert view(table.host, table.path)["version"] == noted

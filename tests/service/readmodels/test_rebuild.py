"""Made anew beside what is served: killed, compared, promoted, rolled back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import fakeredis
import pytest

from domain.store import SHARDS
from projections import PROJECTIONS, REVISIONS
from service.adapters.redis.readmodels import RedisReadModels, key
from service.adapters.redis.store import RedisStore, stream_key
from service.ports.readmodels import FencedError, ForeignDataError, Target, packed
from service.readmodels import diff, projector
from service.readmodels import rebuild as rebuilding
from service.readmodels.diff import Unreadable, differences
from service.readmodels.projector import Folded
from service.readmodels.rebuild import RebuildError, promote, rebuild, retry, rollback
from tests.support.projecting import GAMES, Crash, playings, work
from tests.support.views import append, contents, expected, read_models, stored, worker


class World:
    def __init__(self) -> None:
        self.server = fakeredis.FakeServer()
        self.client = fakeredis.FakeRedis(server=self.server)
        self.store = RedisStore(self.client)
        self.views: RedisReadModels = read_models(self.client)
        self.told: list[Folded] = []

    def follow(self) -> None:
        work(self.client)

    def build(self, name: str) -> Target:
        return rebuild(self.store, self.views, GAMES, name, self.told.append)

    def promote(self, name: str) -> Target:
        return promote(self.store, self.views, GAMES, name)

    def serving(self, name: str) -> Target:
        target = self.views.serving(name)
        assert target is not None
        return target

    def is_right(self, target: Target) -> bool:
        return stored(contents(self.client, target)) == expected(self.store, GAMES, target.name)


@pytest.fixture
def world() -> World:
    made = World()
    for playing in playings():
        append(made.store, playing, 0, 30)
    made.follow()
    return made


def test_a_read_model_of_another_revision_is_made_anew_and_the_old_one_deleted(world: World) -> None:
    world.build("lobby")
    world.promote("lobby")
    world.views = read_models(world.client, REVISIONS | {"lobby": REVISIONS["lobby"] + 1})
    old = set(world.client.keys("{views}:lobby:*"))
    assert old
    assert world.views.serving("lobby") is None
    assert world.serving("summary").generation == 1
    lease = world.views.claim("projector", 600_000)
    assert lease is not None
    at_work = worker(world.client, world.store, world.views, GAMES, lease)
    assert world.views.serving("lobby") is None
    at_work.step(set(range(SHARDS)))
    assert world.serving("lobby").generation == 3
    assert world.is_right(world.serving("lobby"))
    assert not old & set(world.client.keys("{views}:lobby:*"))
    assert world.views.outdated("lobby") == {}
    assert world.serving("summary").generation == 1


@pytest.mark.parametrize("name", PROJECTIONS)
def test_what_is_built_is_the_same_as_what_is_served(world: World, name: str) -> None:
    served, built = world.serving(name), world.build(name)
    assert built.generation == served.generation + 1
    assert world.is_right(built)
    assert list(differences(world.store, world.views, served, built)) == []
    assert world.serving(name) == served
    assert world.told[-1].matches == len(playings())


def test_matches_that_are_longer_than_what_is_read_together_are_read_to_their_end(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "AHEAD", 3)
    lease = world.views.claim("projector", 600_000)
    assert lease is not None
    at_work = worker(world.client, world.store, world.views, GAMES, lease)
    for start, end in ((30, 31), (31, 34), (34, 60)):
        for playing in playings():
            append(world.store, playing, start, end)
        at_work.step(set(range(SHARDS)))
        assert world.is_right(world.serving("summary"))
    assert world.is_right(world.build("summary"))


def test_a_build_that_is_killed_leaves_what_is_served_and_the_next_begins_anew(world: World) -> None:
    served = world.serving("lobby")

    def die(_done: Folded) -> None:
        world.server.connected = False  # Who is killed says nothing more.
        raise Crash

    with pytest.raises(Crash):
        rebuild(world.store, world.views, GAMES, "lobby", die)
    world.server.connected = True
    world.client.delete("{views}:lease:build:lobby")  # as its time runs out
    assert world.serving("lobby") == served
    left_over = world.views.generations("building")["lobby"]
    built = world.build("lobby")
    assert world.client.keys(key(left_over, "*")) == []
    assert world.is_right(built)


def test_a_build_that_is_told_to_stop_takes_along_what_it_has_done(world: World) -> None:
    def stop(_done: Folded) -> None:
        raise KeyboardInterrupt

    served = world.serving("lobby")
    with pytest.raises(KeyboardInterrupt):
        rebuild(world.store, world.views, GAMES, "lobby", stop)
    assert world.views.generations("building") == {}
    assert world.client.keys("{views}:lobby:2*") == []
    assert world.serving("lobby") == served
    assert world.build("lobby").generation == 3


@pytest.mark.parametrize("before", range(12))
def test_a_build_that_is_given_up_is_no_build_from_the_first_key_on_that_goes(world: World, before: int) -> None:
    """Killed anywhere while the build before is cleared away, nothing that lacks something can be promoted."""
    first = world.build("history")
    unlinked = [0]

    class Cut(RedisReadModels):
        def empty_trash(self) -> None:
            for _key in world.client.scan_iter(match=key(first, "*")):
                unlinked[0] += 1
                if unlinked[0] > before:
                    raise Crash
                world.client.unlink(_key)
            super().empty_trash()

    try:
        rebuild(world.store, Cut(world.client, REVISIONS), GAMES, "history", world.told.append)
    except Crash:
        with pytest.raises(RebuildError, match="no build of history"):
            world.promote("history")
    second = world.build("history")
    assert world.client.keys(key(first, "*")) == []
    assert world.promote("history") == second
    assert world.is_right(second)


def test_what_is_promoted_is_served_up_to_date_and_followed(world: World) -> None:
    built = world.build("lobby")
    for playing in playings():
        append(world.store, playing, 30, 40)
    assert world.promote("lobby") == built == world.serving("lobby")
    assert world.is_right(built)
    for playing in playings():
        append(world.store, playing, 40, 60)
    world.follow()
    assert world.is_right(built)


def test_rolling_back_serves_the_one_before_which_has_been_followed_too(world: World) -> None:
    first = world.serving("ratings")
    second = world.build("ratings")
    world.promote("ratings")
    for playing in playings():
        append(world.store, playing, 30, 90)
    world.follow()
    assert rollback(world.views, "ratings") == first == world.serving("ratings")
    assert world.is_right(first)
    assert rollback(world.views, "ratings") == second


def test_only_one_earlier_generation_is_kept(world: World) -> None:
    first = world.serving("lobby")
    for _ in range(2):
        world.build("lobby")
        world.promote("lobby")
    assert world.client.keys(key(first, "*")) == []
    assert world.is_right(world.serving("lobby"))


def test_what_was_built_and_never_promoted_goes_with_the_next_build(world: World) -> None:
    unused = world.build("lobby")
    world.build("lobby")
    assert world.client.keys(key(unused, "*")) == []


def test_differences_are_rows_that_are_other_missing_or_too_many_and_other_totals(world: World) -> None:
    served = world.serving("statistics")
    ids = [match_id for match_id, _row in world.views.all_rows(served)]
    world.client.hset(key(served, "rows"), ids[0], packed({"game": "otherwise"}))
    world.client.hdel(key(served, "rows"), ids[1])
    world.client.hset(key(served, "rows"), "00toomany", packed({}))
    world.client.hincrby(key(served, "t", "highest_card"), "turns", 1)
    found = {
        (d.place, d.field): (d.served, d.built)
        for d in differences(world.store, world.views, served, world.build("statistics"))
    }
    assert found.keys() == {("rows", ids[0]), ("rows", ids[1]), ("rows", "00toomany"), ("t:highest_card", "turns")}
    assert found["rows", ids[1]][0] is None
    assert found["rows", "00toomany"] == ({}, None)
    old, new = found["t:highest_card", "turns"]
    assert old == new + 1


def test_a_row_that_cannot_be_read_is_a_difference_and_no_trouble_to_readers(world: World) -> None:
    served = world.serving("summary")
    ids = [match_id for match_id, _row in world.views.all_rows(served)]
    world.client.hset(key(served, "rows"), ids[0], b"\xc1")
    (found,) = differences(world.store, world.views, served, world.build("summary"))
    assert (found.field, found.served, found.built["match_id"]) == (ids[0], Unreadable(b"\xc1"), ids[0])
    assert world.views.rows(served, ids[:2])[0] is None
    assert {match_id for match_id, _row in world.views.all_rows(served)} == set(ids[1:])


def test_a_build_that_lacks_matches_is_promoted_only_if_it_is_to_be(world: World) -> None:
    served, match_id = world.serving("lobby"), playings()[0].match_id
    world.client.xdel(stream_key(match_id), "3-0")
    built = world.build("lobby")
    with pytest.raises(RebuildError, match=f"lacks what lobby 1 has.*{match_id}"):
        world.promote("lobby")
    assert world.serving("lobby") == served
    assert promote(world.store, world.views, GAMES, "lobby", force=True) == built == world.serving("lobby")


def test_no_build_takes_the_place_of_one_that_is_being_compared(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "PATIENCE_SECONDS", 0.1)
    served = world.serving("lobby")
    with rebuilding.rebuild_and_hold(world.store, world.views, GAMES, "lobby", world.told.append) as (built, hold):
        with pytest.raises(RebuildError, match="being built by another"):
            world.build("lobby")
        assert list(differences(world.store, world.views, served, built, hold)) == []
        world.client.delete("{views}:lease:build:lobby")
        with pytest.raises(FencedError):
            list(differences(world.store, world.views, served, built, hold))
    assert world.build("lobby").generation == built.generation + 1


def test_a_build_waits_for_one_that_was_killed_and_not_for_one_that_works(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "PATIENCE_SECONDS", 1.0)
    assert world.views.claim("build:lobby", 300) is not None
    assert world.build("lobby").generation == 2
    assert world.views.claim("build:lobby", 60_000) is not None
    with pytest.raises(RebuildError, match="being built by another"):
        world.build("lobby")


def test_nothing_can_be_promoted_that_is_not_built_nor_rolled_back_to_what_was_not(world: World) -> None:
    with pytest.raises(RebuildError, match="no build of lobby"):
        world.promote("lobby")
    with pytest.raises(RebuildError, match="no earlier generation of lobby"):
        rollback(world.views, "lobby")
    with pytest.raises(RebuildError, match="the read models are"):
        world.build("chess")


def test_parked_matches_are_asked_for_one_by_one_or_all(world: World) -> None:
    one, other = (playing.match_id for playing in playings()[:2])
    for target in world.views.generations("serving").values():
        for match_id in (one, other):
            world.client.hset(key(target, "parked"), match_id, packed({"at": 5, "reason": "KeyError"}))
    (changed,) = (row for row in world.store.changes(int(one[:2], 16)) if row.match_id == one)
    assert retry(world.store, world.views, one) == 1
    assert world.views.retries() == {one: changed.at}
    with pytest.raises(RebuildError, match="there is no match 00nothing"):
        retry(world.store, world.views, "00nothing")
    assert retry(world.store, world.views, None) == 2
    world.follow()
    assert world.views.retries() == {}
    assert all(not world.views.parked(world.serving(name)) for name in PROJECTIONS)


def rewrite(world: World, match_id: str, entries: list[tuple[Any, Any]]) -> None:
    """Behind everybody's back."""
    world.client.delete(stream_key(match_id))
    for name, fields in entries:
        world.client.xadd(stream_key(match_id), fields, id=name)


def test_a_log_that_has_lost_its_end_is_a_difference_and_no_build_without_it_is_promoted_unasked(world: World) -> None:
    served, match_id = world.serving("lobby"), playings()[0].match_id
    entries: Any = world.client.xrange(stream_key(match_id))
    rewrite(world, match_id, entries[:-1])
    version, built = len(entries), world.build("lobby")
    (found,) = differences(world.store, world.views, served, built)
    assert (found.place, found.field, found.served, found.built) == ("seen", match_id, version, version - 1)
    with pytest.raises(RebuildError, match=f"lobby 2 lacks what lobby 1 has: {match_id}"):
        world.promote("lobby")
    rewrite(world, match_id, entries)
    retry(world.store, world.views, match_id)
    world.follow()
    assert list(differences(world.store, world.views, served, world.build("lobby"))) == []


def test_what_is_served_of_an_older_version_and_stays_so_is_a_difference(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diff, "PATIENCE_SECONDS", 0.05)
    served, (one, other) = world.serving("lobby"), sorted(playing.match_id for playing in playings()[:2])
    world.client.hset(key(served, "seen"), mapping={one: "1", other: "abc"})
    found = differences(world.store, world.views, served, world.build("lobby"))
    assert [(each.place, each.field, each.served) for each in found] == [("seen", one, 1), ("seen", other, 0)]


def test_what_others_have_written_into_the_names_of_generations_is_made_anew(world: World) -> None:
    world.client.hset("{views}:serving", f"lobby@{REVISIONS['lobby']}", "abc")
    world.client.hset(key(world.serving("summary"), "at"), "1", "abc")
    world.follow()
    target = world.views.generations("serving")["lobby"]
    assert (target.generation, world.is_right(target)) == (2, True)
    assert world.is_right(world.serving("summary"))


@pytest.mark.parametrize(
    ("key", "spoil"),
    [
        ("{views}:feed", lambda client, key: client.set(key, "x")),
        ("{views}:lobby:1:l:all", lambda client, key: client.set(key, "x")),
        ("{views}:lobby:1:t:all", lambda client, key: [client.delete(key), client.rpush(key, "x")]),
        ("{views}:lobby:1:t:all", lambda client, key: client.hset(key, "highest_card:live:", "x")),
    ],
)
def test_nothing_is_written_while_a_key_holds_what_no_read_model_keeps_there(
    world: World, key: str, spoil: Callable[[Any, str], Any]
) -> None:
    spoil(world.client, key)
    for playing in playings():
        append(world.store, playing, 30, 500)
    lease = world.views.claim("projector", 600_000)
    assert lease is not None
    before = {key: world.client.dump(key) for key in world.client.keys("{views}:lobby:*")}
    with pytest.raises(ForeignDataError, match=re.escape(key)):
        worker(world.client, world.store, world.views, GAMES, lease).step(set(range(SHARDS)))
    assert {key: world.client.dump(key) for key in world.client.keys("{views}:lobby:*")} == before


def test_the_size_of_the_log_is_how_many_matches_it_has(world: World) -> None:
    assert rebuilding.size(world.store) == len(playings())


def test_a_list_that_is_wrong_is_a_difference(world: World) -> None:
    served, match_id = world.serving("lobby"), playings()[0].match_id
    world.client.zrem(key(served, "l", "all"), match_id)
    found = list(differences(world.store, world.views, served, world.build("lobby")))
    assert [(one.place, one.field, one.served) for one in found] == [("l:all", match_id, None)]


def test_a_board_that_is_wrong_is_a_difference(world: World) -> None:
    ratings = world.serving("ratings")
    board = key(ratings, "board", "highest_card")
    row: Any = world.client.zrange(board, 0, 0, withscores=True)
    ((player, score),) = row
    world.client.zincrby(board, 30, player)
    (one,) = differences(world.store, world.views, ratings, world.build("ratings"))
    assert (one.field, one.served, one.built) == (player.decode(), score + 30, score)


def test_a_match_that_only_the_new_build_cannot_fold_is_a_difference(world: World) -> None:
    match_id = playings()[1].match_id
    world.client.xdel(stream_key(match_id), "4-0")
    found = list(differences(world.store, world.views, world.serving("summary"), world.build("summary")))
    assert [(one.place, one.field) for one in found] == [("parked", match_id)]


def test_a_match_with_a_gap_is_parked(world: World) -> None:
    playing = playings()[1]
    world.client.xdel(stream_key(playing.match_id), "4-0")
    target = world.build("lobby")
    assert "version 4 does not follow" in world.views.parked(target)[playing.match_id]["reason"]

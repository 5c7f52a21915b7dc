"""Ratings are what one fold of the results in their order makes, in whatever order results come, change and go."""

from __future__ import annotations

from typing import Any

import fakeredis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from domain.game import Outcome
from domain.store import Changed
from projections.ratings import NEW, ordinal, ranks, rated
from service.adapters.redis.readmodels import key
from service.ports.readmodels import Batch, Lease, Target
from service.readmodels import ratings as rating
from service.readmodels.projector import replace_row
from service.readmodels.ratings import mark_results, settle
from tests.support.views import contents, expected_ratings, read_models, stored

TARGET = Target("ratings", 1)
GAMES = ("chess", "go")

Result = dict[str, Any]

results = st.fixed_dictionaries(
    {
        "game": st.sampled_from(GAMES),
        "at": st.integers(1, 6),
        "players": st.permutations(["a", "b", "c", "d", "e"]).map(lambda players: list(players[:3])),
        "ranks": st.sampled_from([[1, 2, 3], [1, 1, 3], [3, 1, 2], [1, 2, 2]]),
    }
)


class Results:
    def __init__(self) -> None:
        self.client = fakeredis.FakeRedis()
        self.views = read_models(self.client)
        lease = self.views.claim("projector", 60_000)
        assert lease is not None
        self.lease: Lease = lease
        self.now: dict[str, Result] = {}

    def put(self, *changes: tuple[str, Result | None]) -> None:
        """In one write, as the projector does it."""
        batch = Batch()
        before = {match_id: self.now.get(match_id) for match_id, _after in changes}
        for match_id, after in changes:
            replace_row(TARGET, Changed(match_id, 1), 1, before[match_id], after, batch)
            if after is None:
                self.now.pop(match_id, None)
            else:
                self.now[match_id] = after
        mark_results(self.views, TARGET, [(m, before[m], after) for m, after in changes], batch)
        self.views.write(self.lease, batch)

    def settle(self) -> int:
        return settle(self.views, TARGET, self.lease)

    def check(self) -> None:
        kept = stored(contents(self.client, TARGET))
        made = {key: value for key, value in expected_ratings(self.now).items() if value}
        assert {key: value for key, value in kept.items() if key not in ("rows", "seen") and key[:2] != "l:"} == made


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("mnopqrst"), st.none() | results), min_size=1, max_size=14),
    st.integers(1, 4),
)
def test_ratings_are_one_fold_of_the_results_that_there_are(
    changes: list[tuple[str, Result | None]], together: int
) -> None:
    world = Results()
    for start in range(0, len(changes), together):
        world.put(*dict(changes[start : start + together]).items())
        if start % 2 == 0:
            world.settle()
            world.check()
    world.settle()
    world.check()


def result(at: int, *players: str, ranks: tuple[int, ...] = ()) -> Result:
    return {"game": "go", "at": at, "players": list(players), "ranks": list(ranks or range(1, len(players) + 1))}


def test_a_late_result_is_folded_in_where_it_belongs_and_all_behind_it_again() -> None:
    world = Results()
    for at in (1, 2, 4, 5):
        world.put((f"m{at}", result(at, "a", "b")))
    assert world.settle() == 4
    world.put(("m3", result(3, "b", "a")))
    assert world.settle() == 3
    world.check()


def test_however_many_results_are_of_one_moment_each_is_folded_in_by_its_id() -> None:
    world = Results()
    names = [f"m{number:03d}" for number in range(120)]
    for start, step in ((0, 3), (1, 3), (2, 3)):
        world.put(*((name, result(5, "a", "b") if step else None) for name in names[start::step]))
        world.settle()
        world.check()
    world.put(("m200", result(6, "b", "a")), ("m050", None))
    world.settle()
    world.check()


def test_a_voided_result_is_taken_out_again_and_who_has_no_other_leaves_the_board() -> None:
    world = Results()
    world.put(("m1", result(1, "a", "b")), ("m2", result(2, "a", "c")))
    world.settle()
    world.put(("m2", None))
    world.settle()
    world.check()
    assert world.client.zrange(key(TARGET, "board", "go"), 0, -1) == [b"b", b"a"]


def test_a_fold_that_is_killed_goes_on_behind_its_last_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating, "PAGE", 2)
    world = Results()
    world.put(*((f"m{at}", result(at, "a", "b")) for at in range(7)))
    real, left = world.views.write, [2]

    def dying(lease: Lease, batch: Batch) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        real(lease, batch)

    monkeypatch.setattr(world.views, "write", dying)
    with pytest.raises(KeyboardInterrupt):
        world.settle()
    monkeypatch.setattr(world.views, "write", real)
    assert world.settle() == 3
    world.check()


# -- ranks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "places"),
    [
        (Outcome((1,), (3, 9, 5), ""), [3, 1, 2]),
        (Outcome((0,), (3, 9, 5), ""), [1, 3, 2]),
        (Outcome((0, 2), (4, 6, 4), ""), [1, 3, 1]),
        (Outcome((2,), (4, 4, 4), "", ), [2, 2, 1]),
        (Outcome((1, 2), (), "resigned"), [3, 1, 1]),
        (Outcome((1,), (1, 2, 3), "by a rule"), [2, 1, 2]),
        (Outcome((), (), "nobody"), [1, 1, 1]),
    ],
)  # fmt: skip
def test_winners_come_first_and_the_rest_by_score_where_the_outcome_tells_which_is_good(
    outcome: Outcome, places: list[int]
) -> None:
    assert ranks(outcome, 3) == places


def test_who_wins_rises_and_who_loses_falls() -> None:
    after = rated(result(1, "a", "b", "c"), {})
    assert ordinal(after["a"]) > ordinal(NEW) > ordinal(after["c"])


def test_a_new_player_begins_where_the_model_does() -> None:
    model = PlackettLuce()
    assert NEW == (model.mu, model.sigma) == (25.0, 25.0 / 3)

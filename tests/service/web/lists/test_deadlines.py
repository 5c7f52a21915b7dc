"""Time that runs out, as the worker records it: once, in time, and not for what the server was too late with."""

from __future__ import annotations

import pytest

from domain.players import stand_in
from service.worker.deadlines import FAILING_SECONDS, LATE_MS, SETTLING_SECONDS, Deadlines
from tests.support.heart import Heart
from tests.support.house import Clock, House
from tests.support.http import Table
from tests.support.queries import Follow


class Watch:
    """The deadlines of a house, and the time by which they rest."""

    def __init__(self, house: House, heart: Heart | None = None, *, fresh: bool = False) -> None:
        """``fresh``: of another process, which remembers nothing."""
        views = house.parts.views
        assert views is not None
        self.house = house
        self.now = 0.0
        self.heart = heart or Heart()
        self.deadlines = Deadlines(
            (house.another() if fresh else house).service.handler, views, self.heart, lambda: self.now
        )

    def wait(self, milliseconds: int) -> None:
        """Lets time pass while the worker works."""
        clock = self.house.clock
        assert isinstance(clock, Clock)
        until = clock.time + milliseconds
        while clock.time < until:
            assert self.look() == 0
            clock.time = min(until, clock.time + LATE_MS - 1000)

    def look(self) -> int:
        self.now += SETTLING_SECONDS
        return self.deadlines.record_due()


@pytest.fixture
def table(house: House, follow: Follow) -> Table:
    table = house.table("territories", 2, clock={"turn": 60, "answer": 20})
    table.play_on(2)
    follow()
    return table


def seen(house: House, table: Table) -> tuple[str, str | None]:
    shown = house.web.get(table.path).shown()
    return shown["status"], None if shown["outcome"] is None else shown["outcome"]["reason"]


def test_a_clock_that_runs_out_is_recorded_once_by_two_workers(house: House, follow: Follow, table: Table) -> None:
    one = Watch(house)
    other = Watch(house, one.heart, fresh=True)
    one.wait(59_999)
    assert (one.look(), other.look()) == (0, 0)
    house.clock.time += 1
    assert one.look() == 1
    assert other.look() == 0
    assert seen(house, table) == ("finished", "timeout")
    follow()
    other.now += FAILING_SECONDS
    assert (one.look(), other.look()) == (0, 0)
    log = house.web.get(f"{table.path}/log").shown()["commits"]
    assert [row["kind"] for row in log].count("retire") == 1
    assert log[-1]["sentence"].endswith("runs out of time.")
    assert log[-1]["seat"] == table.to_move[0]
    report = house.web.get(f"{table.path}/audit/{log[-1]['version']}").shown()
    assert report["decided_again"]["same"] is True
    assert house.web.get(f"{table.path}/audit").shown()["ok"]
    assert house.web.get(f"/players/{table.waiting.id}/matches").shown()["matches"][0]["reason"] == "timeout"


def test_after_an_absence_the_time_is_given_back_first(house: House, follow: Follow, table: Table) -> None:
    watch = Watch(house)
    assert watch.look() == 0
    watch.wait(30_000)
    assert watch.look() == 0
    # Nothing is looked at for an hour; the clock had 30 seconds left when that began.
    house.clock.time += 3_600_000
    back = Watch(house, watch.heart, fresh=True)
    assert back.look() == 1
    assert seen(house, table) == ("live", None)
    clocks = house.web.get(table.path).shown()["clocks"]
    (running,) = [clock for clock in clocks if clock["runs"]]
    assert running["left_ms"] == 30_000
    follow()
    assert back.look() == 0
    table.move()
    follow()
    assert back.look() == 0


def test_a_clock_that_ran_out_at_the_end_of_an_absence_is_extended_too(
    house: House, follow: Follow, table: Table
) -> None:
    watch = Watch(house)
    watch.wait(50_000)
    watch.look()
    house.clock.time += 11_000
    back = Watch(house, watch.heart, fresh=True)
    assert back.look() == 1
    (running,) = [clock for clock in house.web.get(table.path).shown()["clocks"] if clock["runs"]]
    assert running["left_ms"] == 20_000, "at least the time of an answer"
    follow()
    back.wait(20_000)
    assert back.look() == 1
    assert seen(house, table) == ("finished", "timeout")


def test_a_worker_that_is_killed_before_it_is_through_leaves_the_absence_to_the_next(
    house: House, follow: Follow, table: Table
) -> None:
    other = house.table("territories", 2, clock={"turn": 60, "answer": 20})
    other.play_on(2)
    follow()
    watch = Watch(house)
    watch.look()
    house.clock.time += 600_000
    killed = Watch(house, watch.heart, fresh=True)
    calls = iter((True, False))
    beat = watch.heart.beat
    watch.heart.beat = lambda now: beat(now) if next(calls, True) is None else None  # type: ignore[method-assign]
    assert killed.look() == 2
    watch.heart.beat = beat  # type: ignore[method-assign]
    follow()
    assert Watch(house, watch.heart, fresh=True).look() == 0
    assert seen(house, table) == seen(house, other) == ("live", None)


@pytest.mark.parametrize("late", [0, LATE_MS])
def test_a_short_delay_of_the_worker_is_nobodys_time(house: House, follow: Follow, table: Table, late: int) -> None:
    watch = Watch(house)
    watch.wait(59_999)
    watch.heart.beat(house.clock.time)
    house.clock.time += 1 + late
    watch.heart.beat(house.clock.time - late)
    assert watch.look() == 1
    assert seen(house, table) == ("finished", "timeout")


def test_a_clock_that_jumps_an_hour_ahead_takes_nobodys_time_and_back_neither(
    house: House, follow: Follow, table: Table
) -> None:
    watch = Watch(house)
    watch.look()
    house.clock.time += 3_600_000
    assert watch.look() == 1
    assert seen(house, table) == ("live", None)
    table.move()
    house.clock.time -= 3_600_000
    follow()
    assert watch.look() == 0
    table.move()
    times = [row["at"] for row in house.web.get(f"{table.path}/log").shown()["commits"]]
    assert times == sorted(times)
    assert house.web.get(f"{table.path}/audit").shown()["ok"]


def test_a_match_in_quarantine_holds_up_no_other_and_gets_its_time_back(
    house: House, follow: Follow, table: Table
) -> None:
    other = house.table("territories", 2, clock={"turn": 60})
    other.play_on(2)
    follow()
    watch = Watch(house)
    watch.look()
    house.service.matches.store.quarantine(table.match_id, b"1 altered It was a test.")
    house.service.matches.follow_quarantine(table.match_id)
    watch.wait(59_000)
    watch.heart.beat(house.clock.time)
    house.clock.time += 2_000
    assert watch.look() == 1
    assert seen(house, other) == ("finished", "timeout")
    follow()
    house.clock.time += 100_000
    assert house.service.matches.store.release(table.match_id)
    house.service.matches.follow_quarantine(table.match_id)
    watch.now += FAILING_SECONDS
    assert watch.look() == 1
    assert seen(house, table) == ("live", None)
    (running,) = [clock for clock in house.web.get(table.path).shown()["clocks"] if clock["runs"]]
    assert running["left_ms"] >= 20_000


def test_a_seat_of_three_that_runs_out_is_played_on_for(house: House, follow: Follow) -> None:
    table = house.table("blockers", 3, clock={"turn": 60})
    table.play_on(3)
    follow()
    seat = table.to_move[0]
    watch = Watch(house)
    watch.wait(60_000)
    assert watch.look() == 1
    shown = house.web.get(table.path).shown()
    assert (shown["status"], shown["to_move"]) == ("live", [seat])
    assert shown["seats"][seat]["retired"] == "timeout"
    assert [clock["seat"] for clock in shown["clocks"]] == [other for other in range(3) if other != seat]
    match = house.service.matches.fresh(table.match_id).match
    assert match.bots_to_move == [(seat, stand_in(seat))]
    follow()
    (row,) = house.web.get("/matches").shown()["matches"]
    assert row["seats"][seat]["retired"] == "timeout"
    assert row["clock"] == {"turn": 60, "bank": None, "increment": 0, "answer": 60}
    player = table.players[seat]
    player.get(f"{table.path}/moves").refused(409, "retired")
    player.get(f"{table.path}/undo?to=3").refused(409, "retired")
    player.get(f"{table.path}/replay/3?as={seat}").refused(403, "forbidden")
    explained = {"version": 4, "seat": seat, "move": {"type": "pass"}}
    player.post(f"{table.path}/audit/explain", explained).refused(403, "forbidden")
    for part in ("", "/replay/3", "/log", f"/audit/{table.version}", "/record"):
        mine, theirs = player.get(table.path + part), house.web.get(table.path + part)
        if not part:
            assert (mine.shown()["state"], mine.shown()["undo"]) == (theirs.shown()["state"], None)
        elif part != "/record":
            assert mine.data == theirs.data

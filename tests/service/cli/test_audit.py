"""``foldtable audit``: every match of a log, or some; and the verdicts that are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.games import all_games
from domain.store import SHARDS, Entry, Seal, Stored
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.memory.store import MemoryStore
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore, meta_key, stream_key
from service.cli.audit import AuditedMatch, every_match, lost_matches, report, sweep
from service.cli.main import main
from service.integrity.audit import AuditCache, Audited
from tests.support.backends import Backend, in_memory
from tests.support.dice import RandomDice
from tests.support.house import House
from tests.support.http import Table
from tests.support.playing import Playing, Setup, any_move, play_on
from tests.support.seals import SEALS, SIGNING_KEY, STRICT_SEALS
from tests.support.views import read_models, worker


def played(house: House, count: int) -> list[Table]:
    tables = [house.table(game, 2) for game in list(all_games())[:count]]
    for table in tables:
        table.play_on(3)
    return tables


def test_every_match_is_swept_and_the_bad_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    store = MemoryStore()
    house = House(replace(in_memory(), store=store))
    tables = played(house, 4)
    assert set(every_match(store)) == {table.match_id for table in tables}
    assert report(sweep(store, every_match(store))) == 0
    assert (
        capsys.readouterr().out
        == f"verified 4 matches, {sum(table.version for table in tables)} versions: all are valid\n"
    )
    bad = tables[2].match_id
    log = store._logs[bad]
    log[2] = replace(log[2], hash=bytes(32))
    assert report(sweep(store, every_match(store))) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{bad}: version 3: altered. ")
    assert told[1].endswith(": 1 failed")
    assert [found.fault is None for found in sweep(store, [tables[0].match_id, bad, "none", "00" + "a" * 14])] == [
        True,
        False,
        False,
        False,
    ]


def test_a_log_that_is_shorter_than_it_was_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    store = MemoryStore()
    (table,) = played(House(replace(in_memory(), store=store)), 1)
    assert report(sweep(store, [table.match_id], lambda _match_id: table.version)) == 0
    assert report(sweep(store, [table.match_id], lambda _match_id: table.version + 2)) == 1
    assert f"{table.match_id}: version {table.version + 1}: truncated. " in capsys.readouterr().out


def test_a_log_that_starts_with_nonsense_is_named() -> None:
    store = MemoryStore()
    house = House(replace(in_memory(), store=store))
    (table,) = played(house, 1)
    store._logs[table.match_id][0] = Entry(1, b"\xc1", b"", bytes(32))
    (found,) = sweep(store, [table.match_id])
    assert found.fault is not None
    assert found.fault.version == 1


def test_the_command_works_on_the_data_of_a_house_that_is_not_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
    assert main(["audit", "--all"]) == 3
    assert main(["audit", "nope"]) == 2
    monkeypatch.setenv("FOLDTABLE_PORT", "none")
    assert main(["audit", "--all"]) == 3, "1 would say that a match does not hold"
    monkeypatch.delenv("FOLDTABLE_PORT")
    (tmp_path / "signing.key").write_text(SIGNING_KEY)
    with EmbeddedServer(tmp_path / "store") as server:
        house = House(replace(in_memory(), store=RedisStore(connect(server.url))))
        (table,) = played(house, 1)
        monkeypatch.setenv("FOLDTABLE_REDIS_URL", server.url)
        assert main(["audit", table.match_id]) == 0
        monkeypatch.delenv("FOLDTABLE_REDIS_URL")
    capsys.readouterr()
    assert main(["audit", "--all"]) == 0
    assert capsys.readouterr().out == f"verified 1 match, {table.version} versions: all are valid\n"
    with pytest.raises(SystemExit):
        main(["audit"])


def test_a_verdict_is_kept_for_the_very_log_that_it_was_given_for() -> None:
    game = all_games()["blockers"]
    playing = Playing(Setup(game, 3, game.options(), seed=2))
    play_on(playing, any_move, RandomDice(2), 12)
    verdicts, paused = AuditCache(SEALS), [0]

    def pause() -> None:
        paused[0] += 1

    def asked(entries: list[Entry], seed: bytes = playing.seed) -> Audited:
        return verdicts.audit(playing.match_id, game, Stored(entries, seed, Seal(), None), pause)

    assert asked(playing.entries) == Audited(None, decided_again=True)
    assert paused[0] == 12
    assert asked(list(playing.entries)) == Audited(None, decided_again=True)
    assert paused[0] == 12
    altered = [*playing.entries]
    altered[4] = replace(altered[4], secrets=altered[5].secrets)
    for _ in range(2):
        fault = asked(altered).fault
        assert fault is not None
        assert (fault.version, paused[0]) == (5, 17)
    assert asked(playing.entries, bytes(32)).fault is not None
    assert asked(playing.entries[:-1]).fault is None


def test_a_match_that_only_the_read_models_know_is_named(fake: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    assert fake.client is not None
    house = House(fake)
    tables = played(house, 2)
    views = read_models(fake.client)
    assert lost_matches(fake.store, views) == []
    lease = views.claim("projector", 600_000)
    assert lease is not None
    worker(fake.client, fake.store, views, all_games(), lease).step(set(range(SHARDS)))
    lost = tables[0].match_id
    fake.client.delete(stream_key(lost), meta_key(lost))
    fake.client.zrem(f"{{s{lost[:2]}}}:matches", lost)
    assert lost_matches(fake.store, views) == [lost]
    found = sweep(fake.store, [*every_match(fake.store), lost], views.known_version, STRICT_SEALS)
    assert report(found) == 1
    assert f"{lost}: version 1: gap. " in capsys.readouterr().out


def test_a_match_that_could_not_be_decided_again_is_neither_valid_nor_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    undecided = AuditedMatch("00" + "a" * 14, 7, Audited(None, decided_again=False), is_known=True)
    assert report([undecided]) == 3
    assert capsys.readouterr().out.splitlines() == [
        f"{undecided.match_id}: not decided again: its version of the rules is not known here",
        "verified 1 match, 7 versions: 0 failed, 1 not decided again",
    ]


def test_alarms_and_quarantines_are_named_until_they_are_released(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "signing.key").write_text(SIGNING_KEY)
    with EmbeddedServer(tmp_path / "store") as server:
        monkeypatch.setenv("FOLDTABLE_DATA", str(tmp_path))
        monkeypatch.setenv("FOLDTABLE_REDIS_URL", server.url)
        client = connect(server.url)
        house, views = House(replace(in_memory(), store=RedisStore(client))), read_models(client)
        good, bad = (table.match_id for table in played(house, 2))
        kept: Any = client.xrange(stream_key(bad))
        client.xdel(stream_key(bad), kept[-1][0])
        assert main(["audit", good]) == 0
        assert main(["audit", bad]) == 1
        assert f"{bad}: version {len(kept)}: truncated. " in capsys.readouterr().out
        assert RedisStore(client).quarantined().keys() == {bad}
        client.delete(stream_key(bad))
        for name, fields in kept:
            client.xadd(stream_key(bad), fields, id=name)
        views.raise_alarm(good, "receipt of version 2: contradicted.")
        views.raise_alarm("read model ratings", "1 differences from the log: board:blockers p-1")
        assert main(["audit", good]) == 1
        assert main(["audit", bad]) == 0
        assert main(["audit", "--all"]) == 1
        told = capsys.readouterr().out
        assert f"alarm: {good}: receipt of version 2: contradicted." in told
        assert "alarm: read model ratings: 1 differences" in told
        assert RedisStore(client).quarantined().keys() == {bad}, "only who asks for it releases"
        assert main(["audit", "--all", "--release"]) == 0
        assert main(["audit", "--all"]) == 0
        assert (RedisStore(client).quarantined(), views.alarms()) == ({}, {})
        (tmp_path / "signing.key").unlink()
        assert main(["audit", "--all"]) == 3
        assert "signatures were not verified" in capsys.readouterr().out
        assert main(["audit", "--all", "--seal"]) == 3
        client.close()

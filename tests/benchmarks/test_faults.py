"""What ``make faults`` looks for is found: a check that could not fail would be none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import faults
from benchmarks.faults import held_to
from benchmarks.people import Book, BrokenPromiseError, Watcher
from service.adapters.embedded_server.server import EmbeddedServer
from service.adapters.redis.client import connect
from service.adapters.redis.store import RedisStore
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Table
from tests.support.projecting import work


@pytest.fixture
def played(server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, Book]:
    """A match on a real server, with its lists, and everything that was answered."""
    monkeypatch.setattr(faults, "PATIENCE", 0.5)
    client = connect(server.url)
    client.flushall()
    table = House(replace(in_memory(), store=RedisStore(client))).table("territories", 2)
    table.play_on(4)
    work(client)
    book = Book(watchers=[Watcher(0, table.path, table.version)])
    for answer in table.answers.values():
        book.note(answer)
    return table, book


def test_a_house_that_has_kept_everything_passes(server: EmbeddedServer, played: tuple[Table, Book]) -> None:
    held_to(server.url, played[1])


def test_an_acknowledged_action_that_is_gone_or_another_is_found(
    server: EmbeddedServer, played: tuple[Table, Book]
) -> None:
    table, book = played
    heads = book.heads[table.match_id]
    heads[table.version + 1] = "00" * 32
    with pytest.raises(
        BrokenPromiseError, match=f"version {table.version + 1} in the log is not what was acknowledged"
    ):
        held_to(server.url, book)
    del heads[table.version + 1]
    heads[3] = "00" * 32
    with pytest.raises(BrokenPromiseError, match="version 3 in the log"):
        held_to(server.url, book)


def test_an_action_that_nobody_was_answered_is_found(server: EmbeddedServer, played: tuple[Table, Book]) -> None:
    table, book = played
    del book.heads[table.match_id][4]
    with pytest.raises(BrokenPromiseError, match="version 4 in the log"):
        held_to(server.url, book)


def test_a_viewer_that_was_told_less_is_found(server: EmbeddedServer, played: tuple[Table, Book]) -> None:
    table, book = played
    book.watchers[0].version -= 1
    with pytest.raises(BrokenPromiseError, match=f"a viewer has had {table.version - 1} of {table.version} versions"):
        held_to(server.url, book)


def test_a_list_that_is_wrong_or_missing_is_found(server: EmbeddedServer, played: tuple[Table, Book]) -> None:
    client = connect(server.url)
    client.hset("{views}:summary:1:rows", "00aaaaaaaaaaaaaa", b"\x80")
    with pytest.raises(BrokenPromiseError, match="the read model summary"):
        held_to(server.url, played[1])
    client.delete("{views}:ready")
    with pytest.raises(BrokenPromiseError, match="the read model"):
        held_to(server.url, played[1])

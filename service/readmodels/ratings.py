"""Ratings out of results, in the order of (finished at, match id), whenever a result comes, changes or goes.

Results are rows as any others. Which of them the ratings do not know of yet is one mark a game: everything from there on is
folded anew. That is the newest result as a rule, and more after a late or voided one; a page of it is one write, after
which the mark stands behind it. So this can be killed anywhere, too.

``:after`` match → the ratings of its players after it, ``:r:<game>`` player → rating now, ``:board:<game>`` the leaderboard,
``:mark`` game → the first result that is not in, ``:touched:<game>`` players who have lost a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgpack

from projections.projection import Row
from projections.ratings import Rating, ordinal, rated
from service.adapters.redis.readmodels import Batch, Lease, Position, RedisViews, Target, packed, viewing

PAGE = 200
"""Results of one write."""

Change = tuple[str, Row | None, Row | None]
"""A match with its result before and after."""


def mark_results(views: RedisViews, target: Target, changes: Iterable[Change], batch: Batch) -> None:
    """Notes, in the same write as the results, from where on the ratings are not what follows from them."""
    first: dict[str, Position] = {}
    for match_id, before, after in changes:
        if before == after:
            continue
        for row in (before, after):
            if row is not None:
                first[row["game"]] = min(first.get(row["game"], (row["at"], match_id)), (row["at"], match_id))
        if before is not None:
            batch.drop(target.key("after"), match_id)
            batch.also("SADD", target.key("touched", before["game"]), *before["players"])
    marks = _marks(views, target) if first else {}
    for game, position in first.items():
        batch.put(target.key("mark"), game, packed(min(position, marks.get(game, position))))


def is_settled(views: RedisViews, target: Target, game: str, match_id: str) -> bool:
    """Whether a match's result, as it is seen now, is in the ratings; one that was taken out, once no fold waits."""
    mark = _marks(views, target).get(game)
    (row,) = views.rows(target, [match_id])
    return mark is None or (row is not None and (row["at"], match_id) < mark)


def settle(views: RedisViews, target: Target, lease: Lease) -> int:
    """Folds what is marked. How many results that were."""
    return sum(_settle(views, target, game, mark, lease) for game, mark in _marks(views, target).items())


def _marks(views: RedisViews, target: Target) -> dict[str, Position]:
    with viewing():
        found: Any = views.client.hgetall(target.key("mark"))
    marks = ((game.decode(), msgpack.unpackb(mark)) for game, mark in found.items())
    return {game: (mark[0], mark[1]) for game, mark in marks}


def _settle(views: RedisViews, target: Target, game: str, mark: Position, lease: Lease) -> int:
    known: dict[str, Rating] = {}
    """The ratings as the fold goes on, of the players met so far."""
    count = 0
    for page in _pages(views, target, game, mark):
        batch, results = Batch(), views.rows(target, [match_id for _at, match_id in page])
        present = [(position, row) for position, row in zip(page, results, strict=True) if row is not None]
        _meet(views, target, game, present, known)
        for (_at, match_id), result in present:
            after = rated(result, known)
            known |= after
            batch.put(target.key("after"), match_id, packed(after))
        for player in {player for _position, result in present for player in result["players"]}:
            _stand(target, game, player, known[player], batch)
        batch.put(target.key("mark"), game, packed((page[-1][0], page[-1][1] + "\0")))
        views.write(lease, batch)
        count += len(present)
    _close(views, target, game, lease)
    return count


def _pages(views: RedisViews, target: Target, game: str, mark: Position) -> Iterator[list[Position]]:
    """The results of a game from the mark on, in order."""
    key, at, start = target.key("l", f"g:{game}"), mark[0], 0
    while True:
        with viewing():
            found: Any = views.client.zrangebyscore(key, at, "+inf", start=start, num=PAGE, withscores=True)
        rows = [(int(score), member.decode()) for member, score in found]
        page = [row for row in rows if row >= mark]
        if page:
            yield page
        if len(rows) < PAGE:
            return
        start += PAGE


def _meet(
    views: RedisViews,
    target: Target,
    game: str,
    results: Sequence[tuple[Position, Row]],
    known: dict[str, Rating],
) -> None:
    """Looks up what players who appear for the first time were worth before that."""
    first: dict[str, Position] = {}
    for position, result in results:
        for player in result["players"]:
            if player not in known:
                first.setdefault(player, position)
    known |= _before(views, target, game, first)


def _before(views: RedisViews, target: Target, game: str, when: Mapping[str, Position | None]) -> dict[str, Rating]:
    """The ratings of players right before a position, or now (``None``); those without any left out."""
    last = {player: views.page(target, f"p:{game}:{player}", position, 1) for player, position in when.items()}
    matches = {player: page[0][1] for player, page in last.items() if page}
    rows = views.rows(target, list(matches.values()), "after")
    pairs = zip(matches, rows, strict=True)
    return {player: (row[player][0], row[player][1]) for player, row in pairs if row is not None and player in row}


def _stand(target: Target, game: str, player: str, rating: Rating, batch: Batch) -> None:
    batch.put(target.key("r", game), player, packed(rating))
    batch.rank(target.key("board", game), player, ordinal(rating))


def _close(views: RedisViews, target: Target, game: str, lease: Lease) -> None:
    """Everything is in: those who have lost a result stand where their last one left them, or nowhere."""
    touched_key = target.key("touched", game)
    with viewing():
        members: Any = views.client.smembers(touched_key)
    touched = sorted(player.decode() for player in members)
    now = _before(views, target, game, dict.fromkeys(touched))
    batch = Batch()
    for player in touched:
        if player in now:
            _stand(target, game, player, now[player], batch)
        else:
            batch.drop(target.key("r", game), player)
            batch.unrank(target.key("board", game), player)
    batch.drop(target.key("mark"), game)
    batch.also("DEL", touched_key)
    views.write(lease, batch)

"""The bodies of what is read across matches, made of rows of the read models. Names are looked up, never stored there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain.game import AnyGame
from projections.projection import Row
from projections.ratings import ordinal
from service.readmodels.leaderboards import Standing
from service.web.bodies.matches import Body, moment

Names = Mapping[str, str]


def players_of(rows: Iterable[Row]) -> set[str]:
    """Everybody who sits at these matches."""
    return {player for row in rows for player in row["seats"] if player is not None}


def card(row: Row, names: Names) -> Body:
    """A match as a list shows it."""
    seats = [
        {"seat": seat, "player_id": player, "name": names.get(player or "")} for seat, player in enumerate(row["seats"])
    ]
    times = {name: moment(row[name]) for name in ("opened_at", "changed_at")}
    return row | {"seats": seats} | times


def played(row: Row, names: Names) -> Body:
    """A match as a player's history shows it."""
    shown = {name: value for name, value in row.items() if name != "insiders"}
    seats = [seat | {"name": names.get(seat["player_id"] or "")} for seat in row["seats"]]
    ended = None if row["ended_at"] is None else moment(row["ended_at"])
    return shown | {"seats": seats, "started_at": moment(row["started_at"]), "ended_at": ended}


def standing(of: Standing) -> Body:
    mean, deviation = of.rating
    return {
        "game": of.game,
        "place": of.place,
        "rating": round(ordinal(of.rating), 2),
        "mean": round(mean, 2),
        "deviation": round(deviation, 2),
        "matches": of.matches,
    }


def statistics(game: AnyGame, totals: Mapping[str, int]) -> Body:
    matches = totals.get("matches", 0)
    reasons = {name.partition(":")[2]: count for name, count in totals.items() if name.startswith("reason:") and count}
    return {
        "game": game.id,
        "matches": matches,
        "mean_turns": _mean(totals.get("turns", 0), matches),
        "mean_returns": _mean(totals.get("returns", 0), matches),
        "reasons": dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        "by_seats": [_by_seat(seats, totals) for seats in game.seats if totals.get(f"seats:{seats}")],
    }


def _by_seat(seats: int, totals: Mapping[str, int]) -> dict[str, Any]:
    matches = totals[f"seats:{seats}"]
    wins = [totals.get(f"wins:{seats}:{seat}", 0) for seat in range(seats)]
    rows = [{"seat": seat, "wins": count, "rate": round(count / matches, 4)} for seat, count in enumerate(wins)]
    return {"seats": seats, "matches": matches, "by_seat": rows}


def _mean(total: int, count: int) -> float | None:
    return None if not count else round(total / count, 2)

"""Folds a match for a viewer beside the full fold."""

from __future__ import annotations

from typing import Any

from domain import wire
from domain.commit import Commit
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hidden import ALL, Sees, redact
from domain.match import Match
from tests.support.playing import Playing


def step(game: AnyGame, before: Match | None, commit: Commit, match_id: str, sees: Sees) -> Match:
    return begin(match_id, game, commit) if before is None else advance(before, commit, sees)


def follow(playing: Playing, sees: Sees) -> None:
    """Folds the log as one viewer gets it, and compares with the whole fold, redacted, version by version."""
    game, known = playing.game, None
    for entry, whole in zip(playing.entries, playing.matches, strict=True):
        with playing.telling(entry.version):
            left_out = wire.decode(game, wire.redacted(entry, sees))
            veiled = wire.decode(game, entry, sees)
            assert left_out == veiled, f"leaving out bytes and hiding values differ for {sees}"
            known = step(game, known, veiled, playing.match_id, sees)
            expected = whole if whole.node is None else redact(whole.state, sees)
            agree(game, known, whole, None if whole.node is None else expected, sees)


def agree(game: AnyGame, known: Match, whole: Match, expected: Any, sees: Sees) -> None:
    assert known.state == expected, f"folded as {sees}"
    assert (known.status, known.to_move, known.outcome) == (whole.status, whole.to_move, whole.outcome), sees
    assert (known.since, known.version, known.head) == (whole.since, whole.version, whole.head), sees
    if expected is None:
        return
    assert game.view(known.state) == game.view(expected)
    assert redact(known.state, sees) == known.state, "what is redacted once is redacted"
    for seat in range(len(whole.table.seats)) if sees is ALL else sees:
        alone = frozenset({seat})
        mine = list(game.legal(redact(known.state, alone), seat))
        assert mine == list(game.legal(redact(whole.state, alone), seat)), f"moves of seat {seat}"

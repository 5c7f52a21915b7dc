"""Whose turn it is, and the answers that the server gives for a seat: what clocks need of every game."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import AnyGame, Turn
from domain.hidden import NOBODY, redact
from domain.match import Match
from domain.undo import is_move
from tests.support.played_games import SOAK, each_table, matches

LOOKED_AT = 2_000 * SOAK


def live(game: AnyGame, seats: int) -> Iterator[Match]:
    """The versions of whole matches at which somebody is to move."""
    found = [match for playing in matches(game, seats) for match in playing.matches if match.to_move]
    return iter(found[:: max(1, len(found) // LOOKED_AT)])


@each_table
def test_a_turn_is_known_from_public_facts_alone(game: AnyGame, seats: int) -> None:
    for match in live(game, seats):
        turn = game.turn_of(match.state)
        assert turn is None or turn.seat in range(seats)
        for seat in range(seats):
            assert game.turn_of(redact(match.state, frozenset({seat}))) == turn
        assert game.turn_of(redact(match.state, NOBODY)) == turn


@each_table
def test_no_two_turns_of_a_line_of_play_have_one_number(game: AnyGame, seats: int) -> None:
    for playing in matches(game, seats):
        seen: set[Turn] = set()
        present: Turn | None = None
        for match, before in zip(playing.matches[1:], playing.matches, strict=False):
            if before.node is None or match.node is None or not match.to_move:
                continue
            if match.node.branch != before.node.branch:
                break
            turn = game.turn_of(match.state)
            if turn is not None and turn != present:
                assert turn not in seen
                assert match.node.version == match.table.first or is_move(match.node)
                seen.add(turn)
                present = turn


@each_table
def test_a_seat_that_answers_has_a_legal_default_answer(game: AnyGame, seats: int) -> None:
    for match in live(game, seats):
        turn = game.turn_of(match.state)
        for seat in match.to_move:
            if turn is None or turn.seat != seat or len(match.to_move) > 1:
                known = redact(match.state, frozenset({seat}))
                answer = game.answer_of(known, seat)
                assert game.refuse(known, seat, answer) is None
                assert game.read_move(game.plain_move(answer)) == answer

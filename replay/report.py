"""The report of one version: the actor, its knowledge, the rules, the chance, and the verdict of deciding it again.

All of it is made for one viewpoint. The commit is redacted. The state before is as the acting seat saw it if the viewer may
know that, otherwise as the viewer saw it. Drawn numbers are included once the seed is public.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from domain import commands, events
from domain.commit import Commit
from domain.game import AnyGame, Rule
from domain.hidden import ALL, NOBODY, Seats, Sees, redact
from domain.match import Match, Refused
from replay.verify import Again, Draw


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The game as one seat, or a spectator, saw it before a version."""

    seat: int | None
    """The seat whose view this is; ``None``: a spectator's."""
    state: Any
    """Redacted; ``None`` before the start of play."""
    to_move: Seats
    moves: tuple[Any, ...] | None
    """The moves that the acting seat had; ``None`` if the viewer may not know them, no move was to be made, or the rules are
    not here."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The legality of a move: the rules that allowed it, or the reason why it was refused."""

    legal: bool
    code: str | None
    """The code of the refusal; ``None`` for a legal move."""
    message: str
    rules: tuple[Rule, ...]


def known_before(match: Match, version: int, actor: int | None, sees: Sees) -> Knowledge:
    """The view and the moves of the actor of a version at that moment, as far as ``sees`` may know them."""
    seat = actor if sees is ALL or (actor is not None and actor in sees) else next(iter(sees), None)
    node = match.node_at(version - 1)
    if node is None:
        return Knowledge(seat, None, NOBODY, None)
    eyes = NOBODY if seat is None else frozenset({seat})
    to_move = match.to_move_at(version - 1)
    state = redact(node.state, eyes)
    table = match.table.at(version - 1)
    able = seat is not None and seat == actor and actor in to_move and table.has_rules
    moves = tuple(table.game.legal(state, seat)) if able and seat is not None else None
    return Knowledge(seat, state, to_move, moves)


def rules_involved(game: AnyGame, commit: Commit, outcome_rule: str | None) -> tuple[Rule, ...]:
    """The rules that bind the commit's move and events, and the rule by which the match ended, in the order of the game."""
    said = [commit.command.move] if isinstance(commit.command, commands.Move) else []
    said += [event for event in commit.events if type(event) in game.names]
    numbers = {number for what in said for number in game.cites(what)}
    if any(isinstance(event, events.Started) for event in commit.events):
        numbers |= set(game.setup)
    if outcome_rule is not None:
        numbers |= {outcome_rule, *game.scoring}
    return tuple(rule for rule in game.rules if rule.number in numbers)


def verdict(match: Match, commit: Commit, again: Again | None) -> str:
    """States in one sentence whether a version holds. ``again`` is ``None`` if the rules that decided it are not here."""
    by = match.table.at(commit.version - 1).rules
    what, rules = f"Version {commit.version}", f"version {by} of the rules of {match.game.name}"
    if again is None:
        return f"{what} was decided by {rules}, which is not installed here, so it is not decided again."
    if again.same:
        chance = f", with {_counted(commit.draws, 'draw')} as the seed has it" if commit.draws else ""
        return f"{what} holds: by {rules} its command gives exactly these events{chance}."
    if isinstance(again.decision, Refused):
        return f"{what} does not hold: {rules} refuses its command."
    return f"{what} does not hold: by {rules} and the seed its command gives other events."


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def numbers_shown(match: Match, again: Again | None) -> tuple[Draw, ...] | None:
    """The drawn numbers once the match has ended and the seed is public; before, they would give away hidden cards."""
    return again.numbers if match.ended and again is not None else None


def explain(match: Match, version: int, seat: int, move: Any) -> Explanation:
    """Explains why this move was legal, or not, for a seat at the state after a version. Uses only the seat's knowledge."""
    game, node = match.game_at(version), match.node_at(version)
    if node is None:
        return Explanation(False, "not_live", f"At version {version} play had not started.", ())
    to_move = match.to_move_at(version)
    if not to_move:
        return Explanation(False, "final", f"At version {version} the match was over.", ())
    if seat not in to_move:
        return Explanation(False, "not_your_turn", _turn(version, to_move), tuple(_rules(game, {game.turns})))
    rejected = game.refuse(redact(node.state, frozenset({seat})), seat, move)
    if rejected is not None:
        return Explanation(False, "illegal_move", rejected.message, tuple(_rules(game, {rejected.rule})))
    cited = set(game.cites(move))
    return Explanation(
        True, None, f"The rules allowed seat {seat} this move at version {version}.", tuple(_rules(game, cited))
    )


def _turn(version: int, to_move: Seats) -> str:
    return f"At version {version} it was the turn of {' and '.join(f'seat {seat}' for seat in sorted(to_move))}."


def _rules(game: AnyGame, numbers: set[str]) -> Iterator[Rule]:
    return (rule for rule in game.rules if rule.number in numbers)

"""Changing over: a running match goes on by a newer version of its game's rules, once all seats agree.

A match is decided by the version in its first commit for ever, unless its seats choose otherwise. A seat proposes a version,
each other seat accepts, and the last acceptance stores the version, and state and options lifted to it, so that a fold
needs none of the old code from there on. Any commit in between ends the proposal: consent is to this very position.
"""

from __future__ import annotations

from typing import Any

from domain import commands, events
from domain.commit import Commit
from domain.game import AnyGame
from domain.match import Act, Match, Refused
from domain.undo import REQUESTS_A_TURN, return_refused, used_up

Decision = tuple[Any, ...] | Refused

WITHOUT_RULES = (
    commands.DeclineArbitration,
    commands.Leave,
    commands.RemovePlayer,
    commands.RenewInvite,
    commands.Resign,
    commands.Retire,
    commands.Lapse,
    commands.Expire,
)
"""The commands that ask nothing of the game, so that a match can be left also where its rules are missing."""


def rules_missing(match: Match, kind: type) -> Refused | None:
    """The reason to refuse a command of this class because the code of the match's rules is not here; ``None`` if it is."""
    if match.table.has_rules or kind in WITHOUT_RULES:
        return None
    rules = f"version {match.table.rules} of the rules of {match.game.name}"
    return Refused(
        "rules_missing", f"The match is played by {rules}, which is not installed here. It can only be read."
    )


def decidable(before: Match, commit: Commit) -> bool:
    """True if all rules are here that the commit was decided by. ``before``: the match before it."""
    match commit.command:
        case commands.ProposeRules(_seat, rules):
            return before.table.has_rules and before.game.at(rules) is not None
        case commands.AnswerRules() if before.proposal is not None:
            return before.table.has_rules and before.game.at(before.proposal.rules) is not None
        case _:
            return before.table.has_rules


def proposed(match: Match, command: commands.ProposeRules, act: Act) -> Decision:
    """Decides ``ProposeRules``."""
    if (refused := return_refused(match, command.seat, act.player)) is not None:
        return refused
    if match.request is not None or match.proposal is not None:
        seat = match.proposal.seat if match.proposal is not None else match.request.seat if match.request else 0
        return Refused("request_open", f"Seat {seat} asks for something already.")
    known = match.game.newest.version
    if command.rules > known:
        return Refused(
            "change_refused", f"The newest rules of {match.game.name} here are version {known}.", field="rules"
        )
    target = _target(match, command.rules)
    if isinstance(target, Refused):
        return target
    if (refused := used_up(match)) is not None:
        return refused
    if match.asking[command.seat].asked >= REQUESTS_A_TURN:
        return Refused("too_many_requests", f"You have asked {REQUESTS_A_TURN} times in this turn.")
    asks = tuple(seat for seat in match.people_in_play if seat != command.seat)
    made = (events.RulesProposed(command.seat, command.rules, asks),)
    return made if asks else (*made, _changed(match, target))


def answered(match: Match, command: commands.AnswerRules, act: Act) -> Decision:
    """Decides ``AnswerRules``. Raises ``NewerRulesError``."""
    if (refused := return_refused(match, command.seat, act.player)) is not None:
        return refused
    proposal = match.proposal
    if proposal is None or proposal.version != command.request:
        return Refused("request_lapsed", f"The proposal of version {command.request} is not open.", field="request")
    if command.seat not in proposal.asks and (command.accept or command.seat != proposal.seat):
        return Refused("already_answered", "You have accepted already.")
    answer = events.RulesAnswered(command.seat, command.accept)
    if not command.accept or proposal.asks != {command.seat}:
        return (answer,)
    target = _target(match, proposal.rules)
    return target if isinstance(target, Refused) else (answer, _changed(match, target))


def newest_rules(match: Match) -> int:
    """The version of the rules that a seat would propose: the newest that this match can change over to; 0 if none."""
    if match.table.protocol < 2 or not match.table.has_rules:
        return 0
    known = (match.game.at(version) for version in range(match.game.newest.version, match.table.rules, -1))
    return next((game.version for game in known if game is not None and match.table.rules in game.lifts), 0)


def _target(match: Match, rules: int) -> AnyGame | Refused:
    """The rules of this version, if the match can change over to them. Raises ``NewerRulesError``."""
    present = match.table.rules
    if match.table.protocol < 2:
        return Refused("change_refused", "The match was opened before rules could be changed.")
    if rules <= present:
        return Refused("change_refused", f"The match is played by version {present} of the rules.", field="rules")
    target = match.game.reader(rules)
    if target.version != rules or present not in target.lifts:
        message = f"A match by version {present} of the rules cannot go on by version {rules}."
        return Refused("change_refused", message, field="rules")
    return target


def _changed(match: Match, target: AnyGame) -> events.RulesChanged:
    state, options = target.lifts[match.table.rules](match.state, match.table.options)
    return events.RulesChanged(target.version, options, state)

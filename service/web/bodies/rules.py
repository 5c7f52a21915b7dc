"""The version of the game's rules by which a match is played, and the proposal to go on by a newer one."""

from __future__ import annotations

from typing import Annotated

from marshmallow import Schema

from domain.changeover import newest_rules
from domain.match import Match
from service.web.bodies.body import Body, about, body
from service.web.bodies.inputs import Flag, Whole, described

# -- requests ---------------------------------------------------------------------------------------------------------


class ProposeRules(Schema):
    rules = Whole(
        load_default=None,
        allow_none=True,
        metadata=described(
            "The version of the rules to go on by. If left out, the newest that the match can change to.", minimum=1
        ),
    )


class AnswerProposal(Schema):
    accept = Flag(required=True)
    request = Whole(required=True, metadata=described("The version of the proposal that you answer.", minimum=1))


# -- responses --------------------------------------------------------------------------------------------------------


@body
class RulesProposal(Body):
    version: Annotated[int, about("The version of the commit that proposes; send it with your answer.")]
    seat: int
    rules: Annotated[int, about("The version of the rules to go on by.")]
    asks: Annotated[list[int], about("The seats that have still to accept.")]
    accepted: list[int]


@body
class MatchRules(Body):
    version: Annotated[int, about("The version of the game's rules by which the match is played.")]
    installed: Annotated[bool, about("False if this server lacks that version: the match can be read and not played.")]
    newer: Annotated[int | None, about("A newer version that the seats may agree to go on by.")]
    proposal: Annotated[RulesProposal | None, about("The open proposal to go on by newer rules.")]


def match_rules(match: Match) -> MatchRules:
    """Returns the rules of a match."""
    proposal, newer = match.proposal, 0 if match.ended else newest_rules(match)
    return MatchRules(
        version=match.table.rules,
        installed=match.table.has_rules,
        newer=newer or None,
        proposal=None
        if proposal is None
        else RulesProposal(
            version=proposal.version,
            seat=proposal.seat,
            rules=proposal.rules,
            asks=sorted(proposal.asks),
            accepted=sorted(proposal.accepted),
        ),
    )

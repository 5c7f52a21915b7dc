"""The rules of a running match: going on by a newer version, if all seats agree."""

from __future__ import annotations

from typing import Any

from flask import Response

from domain import commands
from domain.drafts import draft
from service.web.actions import ACTING, PLAYING, READING, act
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted
from service.web.bodies.rules import AnswerProposal, ProposeRules

ASKING = ("request_open", "too_many_requests", "too_many_returns")

blueprint = Blueprint("rules", __name__, description="Going on by newer rules")


@blueprint.route("/matches/<match_id>/rules", methods=["POST"])
@blueprint.arguments(ProposeRules)
@blueprint.response(202, Accepted, description="Accepted: other seats are asked")
@blueprint.problems(*READING, *ACTING, *PLAYING, "final", "change_refused", *ASKING)
def propose(body: dict[str, Any], match_id: str) -> Response:
    """Asks the other seats to go on by a newer version of the game's rules; without `rules`, by the newest.

    Any other action on the match ends the proposal.
    """
    return act(match_id, draft(commands.ProposeRules, rules=body["rules"]))


@blueprint.route("/matches/<match_id>/rules/answer", methods=["POST"])
@blueprint.arguments(AnswerProposal)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, *PLAYING, "final", "change_refused", "request_lapsed", "already_answered")
def answer(body: dict[str, Any], match_id: str) -> Response:
    """Accepts or declines a proposal; the last acceptance changes the rules. Decline your own to withdraw it.

    The match goes on from its present state, as the newer rules have it. Versions of before stay readable, and no undo
    returns to them.
    """
    return act(match_id, draft(commands.AnswerRules, accept=body["accept"], request=body["request"]))

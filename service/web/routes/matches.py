"""Matches: opening, reading, joining and leaving one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response

from domain import commands, validation
from domain.drafts import Vacate, draft
from domain.game import AnyGame
from domain.players import is_bot
from domain.validation import MalformedError
from service.matches import access, ids
from service.matches.handler import CommandRequest, Executed
from service.problems import ProblemError
from service.web.actions import ACTING, READING, SEEING, SITTING, act, action_response, check_invitations, check_seats
from service.web.blueprint import Blueprint
from service.web.bodies.actions import Accepted, Nothing
from service.web.bodies.clocks import USUAL, read_clock
from service.web.bodies.matches import MatchBody, NewBot, NewMatch, TakeSeat, match_body
from service.web.context import caller, command_request, invite, names_at, service, viewer
from service.web.encoding import respond_versioned
from service.web.limits.limits import Kind
from service.web.limits.routes import limited

blueprint = Blueprint("matches", __name__, description="Matches and their seats")


def _arbiter(given: str | None, host: str) -> str | None:
    """Returns the arbiter. Raises ``ProblemError`` (422) unless it is another player's id."""
    if given is not None and (given == host or is_bot(given) or given not in service().names.of([given])):
        raise ProblemError("invalid", "The arbiter must be the id of another player.", field="arbiter")
    return given


@blueprint.route("/matches", methods=["POST"])
@blueprint.arguments(NewMatch)
@blueprint.response(201, Accepted)
@blueprint.problems(
    *(*READING, "unauthenticated", "game_not_found", "key_reused", "archived", "log_damaged", SITTING),
    "too_many_invitations",
)
@limited(Kind.MATCHES)
def open_match(body: dict[str, Any]) -> Response:
    """Opens a match. You are its host and have seat 0. A private match returns the invite that lets others in.

    The `arbiter` is only asked: it accepts with `POST /matches/{match_id}/arbiter` before the start, or there is none.
    """
    parts, asked = service(), command_request()
    check_seats(asked.caller.player, asked.opens())
    if body["arbiter"] is not None:
        check_invitations(asked.caller.player, asked.opens())
    game = parts.game(body["game"])
    options = _options(game, body["options"], body["seats"])
    position = _position(game, body["position"], body["seats"], options)
    command = commands.Open(
        game=game.id,
        seats=body["seats"],
        options=validation.plain(options),
        undo=body["undo"],
        private=body["private"],
        entropy=body["entropy"],
        positioned=position is not None,
        arbiter=_arbiter(body["arbiter"], asked.caller.player),
        clock=_clock(body),
        start=body["start"],
    )
    bots = _bots(body)
    done = parts.handler.open(asked, game, command, position)
    invite = access.invite_of(done.seed) if body["private"] else None
    return action_response(_with_bots(asked, done, bots), invite=invite)


def _clock(body: dict[str, Any]) -> commands.Clock | None:
    """Returns the clock that was asked for, or the usual one. Matches of earlier protocols have none by themselves."""
    if "clock" in body:
        return read_clock(body["clock"])
    return USUAL if not body["private"] and service().store.protocol() >= 3 else None


def _bots(body: dict[str, Any]) -> list[tuple[int, Any]]:
    """Returns the seats for bots, with their levels. Raises ``MalformedError``."""
    given = body["bots"]
    if not given.keys() <= {str(seat) for seat in range(1, body["seats"])}:
        raise MalformedError("bots", f"must name seats from 1 to {body['seats'] - 1}; seat 0 is yours")
    return sorted((int(seat), level) for seat, level in given.items())


def _with_bots(asked: CommandRequest, done: Executed, bots: list[tuple[int, Any]]) -> Executed:
    """Seats the bots of a new match, and returns it with them. A repeated request seats nobody twice.

    A player who was faster keeps the seat.
    """
    for seat, level in bots:
        # The id follows from that of the opening, which a repeated request has too.
        request = asked.named(f"{done.commit.command_id}:{seat}")
        try:
            done = service().handler.execute(done.match.id, request, commands.SeatBot(seat, level))
        except ProblemError as problem:
            if problem.code not in ("seat_taken", "not_open"):
                raise
    return done


@blueprint.route("/matches/<match_id>/bots", methods=["POST"])
@blueprint.arguments(NewBot)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "forbidden", "not_open", "seat_taken")
def seat_bot(body: dict[str, Any], match_id: str) -> Response:
    """Gives a free seat to a bot, as the host. Remove it like a player to make room for one."""
    return act(match_id, commands.SeatBot(body["seat"], body["level"]))


@blueprint.route("/matches/<match_id>/ready", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "not_seated", "not_asked", "already_answered")
def ready(_body: dict[str, Any], match_id: str) -> Response:
    """Says that you are ready, while all seats are asked. The match starts with the last one."""
    return act(match_id, draft(commands.Ready))


def _options(game: AnyGame, given: dict[str, Any], seats: int) -> Any:
    """Returns the options with all defaults. The log stores them so: a later change of a default changes no match."""
    options = validation.read(game.options, given, "options")
    if seats not in game.seats:
        raise MalformedError("seats", f"must be from {game.seats[0]} to {game.seats[-1]}")
    fault = game.options_fault(options, seats)
    if fault is not None:
        raise fault.under("options")
    return options


def _position(game: AnyGame, given: Any, seats: int, options: Any) -> Any:
    """Returns the posted position as a state that keeps every invariant, ``None`` if none was posted."""
    if given is None:
        return None
    try:
        state = game.parse(given, seats, options)
        for fault in game.check(state):
            raise fault
    except MalformedError as fault:
        raise fault.under("position") from fault
    return state


@blueprint.route("/matches/<match_id>")
@blueprint.response(200, MatchBody)
@blueprint.alt_response(304, description="Not modified: your ETag is current")
@blueprint.problems(*SEEING)
def live(match_id: str) -> Response:
    """Returns the match as you may see it now."""
    player = viewer()
    match = service().matches.current(match_id, player, invite())
    return respond_versioned(match_body(match, player, names_at(match)), match.version)


@blueprint.route("/matches/<match_id>/invite", methods=["POST"])
@blueprint.arguments(Nothing, required=False)
@blueprint.response(201, Accepted)
@blueprint.problems(*READING, *ACTING, "forbidden", "not_private", "too_many_renewals")
def renew_invite(_body: dict[str, Any], match_id: str) -> Response:
    """Replaces the invite of a private match, as its host. The one before lets nobody in from now on.

    Whoever has a seat keeps it; the streams of others who were invited end.
    """
    parts, asked = service(), command_request()
    command_id = asked.command_id or ids.command_id(parts.entropy.bytes(8))
    # Follows from the command id, so that a repeated request returns the same invite. The log has its hash only.
    secret = parts.seal.derive(b"invite", match_id.encode(), asked.caller.player.encode(), command_id.encode())
    invite = access.spelled(secret)
    command = commands.RenewInvite(access.hash_of(invite))
    done = parts.handler.execute(match_id, replace(asked, command_id=command_id), command)
    return action_response(done, invite=invite)


@blueprint.route("/matches/<match_id>/seats", methods=["POST"])
@blueprint.arguments(TakeSeat)
@blueprint.response(201, Accepted)
@blueprint.problems(
    *(*READING, *ACTING, "not_open", "already_seated", "seat_taken", "is_arbiter", "arbiter_not_named", "removed"),
    SITTING,
)
@limited(Kind.SEATS)
def join(body: dict[str, Any], match_id: str) -> Response:
    """Takes a seat. The match starts when the last seat is taken.

    Whoever joins a rated match agrees to its arbiter: send the `arbiter` of the match.
    """
    check_seats(caller().player, match_id)
    return act(match_id, commands.Join(body["seat"], body["entropy"], body["arbiter"]))


@blueprint.route("/matches/<match_id>/seats/<seat>", methods=["DELETE"])
@blueprint.response(201, Accepted)
@blueprint.problems(
    *ACTING, "not_your_seat", "seat_empty", "not_open", "unreadable", "not_found", "ready_check", "time_up"
)
def leave(match_id: str, seat: str) -> Response:
    """Leaves a match before its start. If the host leaves, the match is cancelled.

    The host can also remove another player, who then cannot sit at this match again.
    """
    if not (seat.isascii() and seat.isdigit() and len(seat) <= 3):
        raise ProblemError("not_found", "A seat is a number from 0.")
    return act(match_id, draft(Vacate, seat=int(seat)))

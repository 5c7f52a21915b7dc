"""The game's part of a body: state and events, redacted, as JSON data."""

from __future__ import annotations

from typing import Any

from domain import events, validation
from domain.game import AnyGame
from domain.hidden import Sees, redact
from service.web.bodies.body import Plain


def state_seen(game: AnyGame, full: Any, sees: Sees) -> Plain | None:
    """Returns the state as a viewer that knows ``sees`` may see it; ``None`` before the start of play."""
    return None if full is None else game.view(redact(full, sees))


def event_data(game: AnyGame, seen: Any) -> Plain:
    """Returns a redacted event as JSON data. ``game``: the rules of the state after it."""
    made: Plain
    match seen:
        case events.Started(dealt):
            return {"type": "started", "state": game.view(dealt)}
        case events.RulesChanged(rules, options, state):
            made = {"type": "rules_changed", "rules": rules, "options": validation.plain(options)}
            return made | {"state": game.view(state)}
        case events.Opened():
            made = {"type": "opened"} | validation.plain(seen)
            return made | {"position": None if seen.position is None else game.view(seen.position)}
        case _ if type(seen) in events.NAMES:
            return {"type": events.NAMES[type(seen)], **validation.plain(seen)}
        case _:
            return game.plain_event(seen)

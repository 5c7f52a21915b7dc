"""Forks: opening another match from a version of a finished one."""

from __future__ import annotations

from typing import Any

from domain import commands, limits, validation
from domain.commands import UndoPolicy
from domain.match import Match, Refused


def fork(
    origin: Match, version: int, undo: UndoPolicy, private: bool | None, entropy: str
) -> tuple[commands.Open, Any] | Refused:
    """Returns the command that opens the fork, and the state that it starts from.

    The fork has the game, the rules and options as of that version, and the number of seats of its origin, and is private
    as it is unless ``private`` says otherwise. Refused unless the origin is finished, has this version, and was not yet
    decided there.
    """
    if origin.status != "finished":
        return Refused("not_finished", f"Only a finished match can be forked; this one is {origin.status}.")
    node = origin.node_at(version)
    if node is None:
        few, many = origin.table.first, origin.version
        return Refused("version_not_found", f"There are states from version {few} to {many}.", field="version")
    table = origin.table.at(version)
    if not table.has_rules:
        message = (
            f"It was played by version {table.rules} of the rules of {table.game.name}, which is not installed here."
        )
        return Refused("rules_missing", message)
    if table.game.outcome(node.state) is not None:
        return Refused("decided", f"At version {version} the match was decided; start from an earlier one.")
    command = commands.Open(
        game=table.game.id,
        seats=len(origin.table.seats),
        options=validation.plain(table.options),
        undo=undo,
        private=origin.table.private if private is None else private,
        entropy=entropy,
        positioned=True,
        origin=commands.Origin(origin.id, version),
    )
    return command, node.state


def noted(origin: Match, opened: commands.Open, player: str, fork_id: str) -> commands.RecordFork | None:
    """Returns the command that notes a fork in the log of its origin, or ``None`` if it is to be noted nowhere.

    Only a public fork by a player who sat at the origin is noted: strangers write nothing there, and a private match is
    named nowhere. Of the forks of a match up to ``limits.FORKS`` are noted.
    """
    if origin.forks >= limits.FORKS and origin.table.protocol >= 2:
        return None
    if opened.private or opened.origin is None or origin.table.seat_of(player) is None:
        return None
    return commands.RecordFork(opened.origin.version, fork_id)

"""A recorded match as JSON: its stored bytes, and what everybody saw of it when it was recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain import wire
from domain.evolve import advance, begin
from domain.game import AnyGame
from domain.hidden import ALL, NOBODY, Sees
from domain.match import Match
from domain.store import Entry

FOLDER = Path(__file__).parent
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")


@dataclass(frozen=True)
class Record:
    """What stands in a record's file."""

    game: str
    rules: int
    match_id: str
    seed: bytes
    entries: tuple[Entry, ...]
    seen: Any
    """What ``telling`` gave when it was recorded."""


def path_of(game_id: str, way: str) -> Path:
    return FOLDER / game_id / f"{way}.json"


def read(path: Path) -> Record:
    plain = json.loads(path.read_text(encoding="utf-8"))
    entries = tuple(
        Entry(version, *(bytes.fromhex(part) for part in parts)) for version, parts in enumerate(plain["entries"], 1)
    )
    seed = bytes.fromhex(plain["seed"])
    return Record(plain["game"], plain["rules"], plain["match_id"], seed, entries, plain["seen"])


def write(path: Path, record: Record) -> None:
    """Raises ``FileExistsError`` if there is such a record: it is never written again."""
    plain = {
        "game": record.game,
        "rules": record.rules,
        "match_id": record.match_id,
        "seed": record.seed.hex(),
        "seen": record.seen,
        "entries": [[entry.public.hex(), entry.secrets.hex(), entry.hash.hex()] for entry in record.entries],
    }
    text = json.dumps(plain, indent=1, ensure_ascii=False) + "\n"
    path.parent.mkdir(exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


def folded(game: AnyGame, match_id: str, entries: Sequence[Entry], sees: Sees) -> Iterator[tuple[Match, Sequence[Any]]]:
    """The match after each entry, as ``sees`` follows it from its own redacted entries, and the entry's events."""
    match: Match | None = None
    for entry in entries:
        commit = wire.decode(game, wire.redacted(entry, sees))
        match = begin(match_id, game, commit) if match is None else advance(match, commit, sees)
        yield match, commit.events


def telling(game: AnyGame, match_id: str, entries: Sequence[Entry]) -> Any:
    """What everybody sees of a match: a digest of each viewer's view at each version, the end in full, the sentences."""
    *_, (last, _events) = folded(game, match_id, entries, ALL)
    seats = len(last.table.seats)
    viewers: dict[str, Sees] = {"all": ALL, "spectator": NOBODY, **{str(s): frozenset({s}) for s in range(seats)}}
    outcome = last.outcome
    return {
        "status": last.status,
        "outcome": None
        if outcome is None
        else [list(outcome.winners), list(outcome.scores), outcome.reason, outcome.rule],
        "end": as_recorded(game, game.view(last.state)),
        "sentences": [
            [sentence_as_recorded(game.sentence(event, NAMES)) for event in events if type(event) in game.names]
            for _match, events in folded(game, match_id, entries, ALL)
        ],
        "views": {name: list(digests(game, match_id, entries, sees)) for name, sees in viewers.items()},
    }


def as_recorded(game: AnyGame, view: Any) -> Any:
    """A view as it was recorded: Block Happy showed lots of cards by name then, and shows them by component now."""
    return _sorted_cards(view) if game.id == "block_happy" else view


def sentence_as_recorded(sentence: str) -> str:
    """A sentence as it was recorded: that of a roll did not mention sudden death."""
    for addition in (" This is sudden death.", " Both have enough, so sudden death decides."):
        sentence = sentence.removesuffix(addition)
    return sentence


def _sorted_cards(view: Any) -> Any:
    if isinstance(view, dict):
        return {
            name: sorted(item) if name == "cards" and isinstance(item, list) else _sorted_cards(item)
            for name, item in view.items()
        }
    return [_sorted_cards(item) for item in view] if isinstance(view, list) else view


def digests(game: AnyGame, match_id: str, entries: Sequence[Entry], sees: Sees) -> Iterator[str | None]:
    """For each version a digest of the view and of who is to move; ``None`` before the start of play."""
    for match, _events in folded(game, match_id, entries, sees):
        if match.node is None:
            yield None
            continue
        seen = [
            match.version,
            match.status,
            sorted(match.to_move),
            match.since,
            as_recorded(game, game.view(match.state)),
        ]
        yield hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]

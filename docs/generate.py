"""Writes what follows from the code: ``docs/games/<game>.md``, ``docs/api.md`` and ``service/web/examples.json``.

Run it from the project's root. The tests compare the files with what this would write, so a rule, route, problem or event
cannot go missing in them, and no example is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from examples import examples_text

from domain import validation
from domain.events import EVENTS
from domain.game import AnyGame
from domain.games import all_games
from replay.steps import KINDS
from service.adapters.memory.players import MemoryPlayers
from service.adapters.memory.store import MemoryStore
from service.adapters.system import SystemClock, SystemEntropy
from service.integrity.receipts import Signer
from service.problems import CODES
from service.web.app import Parts, create_app
from service.web.examples import FILE as EXAMPLES

FOLDER = Path(__file__).parent
BASIS = {"book": "the printed book", "source": "the published game", "ours": "decided here"}


def files() -> dict[Path, str]:
    """Every generated file: path → text."""
    return {EXAMPLES: examples_text()} | pages()


def pages() -> dict[Path, str]:
    """Every generated page: path → text."""
    games = all_games()
    made = {FOLDER / "games" / f"{game.id}.md": "\n".join(game_page(game)) + "\n" for game in games.values()}
    return made | {FOLDER / "api.md": "\n".join(api_page()) + "\n"}


def game_page(game: AnyGame) -> Iterator[str]:
    few, many = game.seats[0], game.seats[-1]
    yield f"# {game.name}"
    yield from ("", f"`{game.id}`, {few} to {many} seats, version {game.version} of the rules.")
    yield from ("", "## Rules", "")
    for rule in game.rules:
        basis = " and ".join(BASIS[basis] for basis in rule.basis)
        yield f'* <a id="{rule.number.lower()}"></a>**{rule.number}** {rule.text} *({basis})*'
    yield from ("", "## Options", "", *_table(validation.schema(game.options)["properties"]))
    yield from ("", "## Moves", "")
    for name, cls in game.moves.items():
        yield f"* `{name}`{_fields(cls)}"
    yield from ("", "## Events", "")
    for name, cls in game.events.items():
        yield f"* `{name}`{_fields(cls)}"
    yield from ("", "## Positions", "", _about_positions(game))
    for name, example in game.examples.items():
        yield from ("", f"`{name}`:", "", "```json", json.dumps(example, ensure_ascii=False), "```")


def _about_positions(game: AnyGame) -> str:
    return (
        "A new match can start from a position (`position` of `POST /matches`): what the state of a finished match's replay "
        f"looks like, as it stands. {game.name} has {len(game.examples)} to try."
    )


def _fields(cls: type) -> str:
    names = ", ".join(f"`{validation.key(name)}`" for name in validation.names(cls))
    return f": {names}" if names else ""


def _table(properties: Mapping[str, Any]) -> Iterator[str]:
    yield "| option | default | values |"
    yield "| --- | --- | --- |"
    for name, made in properties.items():
        values = json.dumps({k: v for k, v in made.items() if k != "default"}, ensure_ascii=False)
        yield f"| `{name}` | `{json.dumps(made.get('default'))}` | `{values.replace('|', chr(92) + '|')}` |"


def api_page() -> Iterator[str]:
    document = _document()
    yield "# The API"
    yield from ("", "To browse at `/api/docs` of the running service; the description is `/api/openapi.json`.")
    yield from ("", "## Calls", "", "| call | what |", "| --- | --- |")
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post", "delete"):
                yield f"| `{method.upper()} {path}` | {_told(operation)} |"
    yield from ("", "## Problems", "", "Every refusal is `application/problem+json` (RFC 9457) with a `code`:", "")
    yield from ("| code | status | title |", "| --- | --- | --- |")
    for code, (status, title) in CODES.items():
        yield f"| `{code}` | {status} | {title} |"
    yield from ("", "## Steps", "", "The `kind` of a step of the replay, besides `move`:", "")
    yield ", ".join(f"`{kind}`" for kind in dict.fromkeys(KINDS.values())) + "."
    yield from ("", "## Events of every match", "", ", ".join(f"`{name}`" for name in EVENTS) + ".")


def _told(operation: Mapping[str, Any]) -> str:
    return f"{operation['summary']}. {' '.join(operation.get('description', '').split())}".strip()


def _document() -> dict[str, Any]:
    signer = Signer(Ed25519PrivateKey.generate())
    parts = Parts(MemoryStore(), MemoryPlayers(), SystemClock(), SystemEntropy(), signer, lambda: True)
    made: dict[str, Any] = create_app(parts).extensions["foldtable-openapi"]()
    return made


if __name__ == "__main__":
    (FOLDER / "games").mkdir(exist_ok=True)
    EXAMPLES.write_text(
        examples_text(), encoding="utf-8"
    )  # First: the API's description, of which a page tells, reads it.
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")

"""Every game at every number of seats, as a client meets it: from the catalogue to the last move, and every move between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from domain import validation
from domain.game import AnyGame
from domain.hidden import redact
from tests.support.backends import in_memory
from tests.support.dice import RandomDice
from tests.support.house import House, catalogue
from tests.support.http import Body, table
from tests.support.options import option_sets
from tests.support.wellformed import canonical, near, some_move
from tests.support.whole_matches import Fork, Played, play

GAMES = catalogue()
TABLES = [(game, seats) for game in GAMES.values() for seats in game.seats]
POSITIONS = 4
"""Versions of each match that are looked at closely, besides the first that listed each kind of move."""
TRIES = 12
"""Well-formed moves that are tried for each seat at each of these."""

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@pytest.fixture(scope="module")
def service() -> House:
    return House(in_memory())


@pytest.fixture(scope="module", params=TABLES, ids=[f"{game.id}-{seats}" for game, seats in TABLES])
def played(request: pytest.FixtureRequest, service: House) -> Played:
    """A match that went to its end; the numbers of seats take turns with the options."""
    game, seats = request.param
    options = option_sets(game, seats)
    return play(service, game, seats, options[seats % len(options)])


# -- the catalogue ----------------------------------------------------------------------------------------------------


@each_game
def test_the_catalogue_shows_the_rules_moves_options_and_positions_of_a_game(service: House, game: AnyGame) -> None:
    page = service.web.get(f"/games/{game.id}").shown()
    assert (page["game"], page["name"], page["version"]) == (game.id, game.name, game.version)
    assert range(page["seats"]["least"], page["seats"]["most"] + 1) == game.seats
    assert page["rules"] == [validation.plain(rule) for rule in game.rules]
    assert all(rule["number"] and rule["text"] and rule["basis"] for rule in page["rules"])
    assert page["moves"].keys() == game.moves.keys()
    assert page["options"]["properties"].keys() == validation.plain(game.options()).keys()
    assert page["positions"].keys() == game.examples.keys()
    assert game.id in [row["game"] for row in service.web.get("/games").shown()["games"]]


@each_game
def test_each_set_of_options_fits_the_schema_of_the_catalogue_and_starts_a_match(service: House, game: AnyGame) -> None:
    schema = service.web.get(f"/games/{game.id}").shown()["options"]
    for seats in game.seats:
        players = service.players(seats)
        for options in option_sets(game, seats):
            assert list(misfits(schema, validation.plain(options))) == []
            started = table(players, game.id, options=validation.plain(options))
            assert started.last["status"] == "live"
            assert all(started.listed(seat) for seat in started.to_move)


@each_game
def test_each_position_of_the_catalogue_can_be_played(service: House, game: AnyGame) -> None:
    players = service.players(game.seats[-1])
    for name, position in service.web.get(f"/games/{game.id}").shown()["positions"].items():
        fitting = [seats for seats in game.seats if starts(players[0], game, seats, position)]
        assert fitting, f"{name} fits no number of seats"
        for seats in fitting:
            started = table(players[:seats], game.id, position=position)
            assert started.last["status"] == "live"
            started.move()


def starts(host: Any, game: AnyGame, seats: int, position: Any) -> bool:
    """Whether the position is one of so many seats."""
    answer = host.post("/matches", {"game": game.id, "seats": seats, "position": position})
    assert answer.status in (201, 422)
    return bool(answer.status == 201)


# -- whole matches ----------------------------------------------------------------------------------------------------


def test_a_match_goes_to_its_end_by_listed_moves_and_then_everything_is_open(service: House, played: Played) -> None:
    ended = played.table.last
    assert (ended["status"], ended["to_move"]) == ("finished", [])
    assert ended["outcome"]["reason"]
    assert set(ended["outcome"]["winners"]) <= set(range(played.seats))
    assert len(ended["outcome"]["scores"]) in (0, played.seats)
    rule = ended["outcome"]["rule"]
    assert rule is None or played.game.rule(rule)
    for who in played.table.readers(service.web):
        live = who.get(played.table.path).shown()
        assert (live["state"], live["outcome"]) == (ended["state"], ended["outcome"])
    assert service.web.get(f"{played.table.path}/audit").shown()["ok"]


def test_every_listed_move_has_the_form_that_the_catalogue_describes(service: House, played: Played) -> None:
    schemas = service.web.get(f"/games/{played.game.id}").shown()["moves"]
    for listed in played.listed.values():
        for move in listed:
            assert list(misfits(schemas[move["type"]], move)) == [], move


def test_every_listed_move_is_accepted(played: Played) -> None:
    for version in played.sample(POSITIONS):
        fork = Fork(played, version)
        assert played.moment(version)["moves"] == [{"seat": seat, "moves": moves} for seat, moves in fork.choices()]
        for seat, listed in fork.choices():
            for move in listed:
                done = fork.try_move(seat, move)
                assert done["events"], move


def test_a_move_that_is_not_listed_is_refused_by_a_rule_of_the_game_and_changes_nothing(played: Played) -> None:
    dice = RandomDice(played.seats)
    refused = 0
    for version in played.sample(POSITIONS):
        fork = Fork(played, version)
        state = played.game.parse(played.moment(version)["state"], played.seats, played.options)
        for seat, listed in fork.choices():
            mine = redact(state, frozenset({seat}))
            for move in unlisted(played.game, listed, dice):
                refused += is_refused(played.game, fork, mine, seat, move)
        live = fork.table.host.get(fork.table.path).shown()
        assert (live["version"], live["to_move"]) == (fork.table.version, fork.table.to_move)
    assert refused > POSITIONS


def unlisted(game: AnyGame, listed: list[Body], dice: RandomDice) -> Iterator[Any]:
    """Moves of the right form: some that are anything, some that are nearly a listed one."""
    moves = [game.read_move(move) for move in listed]
    known = set(map(canonical, moves))
    for _ in range(TRIES):
        for move in (some_move(game, dice), near(dice.choice(moves), moves, dice)):
            if canonical(move) not in known:
                yield move


def is_refused(game: AnyGame, fork: Fork, mine: Any, seat: int, move: Any) -> bool:
    """Posts the move, which the game refuses in the state that is mine, or which is another way to write a listed one."""
    rejected = game.refuse(mine, seat, move)
    answer = fork.table.players[seat].post(f"{fork.table.path}/moves", {"move": game.plain_move(move)})
    if rejected is None:
        fork.table.took(answer)
        fork.restore()
        return False
    assert answer.refused(422, "illegal_move", rule=rejected.rule)["detail"] == rejected.message
    assert game.rule(rejected.rule)
    return True


def test_who_is_not_to_move_is_told_so(played: Played) -> None:
    for version in played.sample(POSITIONS):
        fork = Fork(played, version)
        for seat in set(range(played.seats)) - set(fork.table.to_move):
            assert fork.table.listed(seat) == []
            answer = fork.table.players[seat].post(f"{fork.table.path}/moves", {"move": played.listed[version][0]})
            answer.refused(409, "not_your_turn")


# -- JSON Schema, as far as the catalogue uses it ---------------------------------------------------------------------

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


def misfits(schema: Body, value: Any, where: str = "it") -> Iterator[str]:
    """Where a value is not as a schema says. Raises ``KeyError`` for a type that it does not know."""
    if "anyOf" in schema:
        yield from min((list(misfits(choice, value, where)) for choice in schema["anyOf"]), key=len)
        return
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        yield f"{where} is {value!r}"
    if "type" in schema and type(value) is not KINDS[schema["type"]]:
        yield f"{where} is no {schema['type']}"
    elif isinstance(value, dict):
        yield from misfit_fields(schema, value, where)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where} has {len(value)} items"
        for item in value:
            yield from misfits(schema["items"], item, f"{where}[]")
    elif type(value) is int and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{where} is out of range"


def misfit_fields(schema: Body, value: Body, where: str) -> Iterator[str]:
    for name in schema.get("required", []):
        if name not in value:
            yield f"{where}.{name} is missing"
    for name, item in value.items():
        if name in schema["properties"]:
            yield from misfits(schema["properties"][name], item, f"{where}.{name}")
        else:
            yield f"{where}.{name} is not described"

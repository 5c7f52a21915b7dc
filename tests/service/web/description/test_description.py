"""The description is valid, says everything, and its examples are what the service takes and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.problems import CODES
from tests.support.described import API, PROBLEM, Plain, Running, needs_more_than_memory

JSON, MSGPACK = "application/json", "application/msgpack"
MATCH = f"{API}/matches/{{match_id}}"


@pytest.fixture(scope="module")
def running() -> Running:
    return Running()


def schemas(node: Any) -> Iterator[Plain]:
    """Every schema that stands in a part of the description."""
    if isinstance(node, dict):
        for name, item in node.items():
            if name == "schema":
                yield item
            elif name == "schemas":
                yield from item.values()
            elif name not in ("examples", "example", "value"):
                yield from schemas(item)
    elif isinstance(node, list):
        for item in node:
            yield from schemas(item)


def examples(holder: Plain, kind: str = JSON) -> Plain:
    """The examples of a request body or an answer, by name."""
    named = holder.get("content", {}).get(kind, {}).get("examples", {})
    return {name: example["value"] for name, example in named.items()}


# -- valid and complete -----------------------------------------------------------------------------------------------


def test_the_description_is_valid_openapi_3_1(running: Running) -> None:
    assert running.description["openapi"] == "3.1.0"
    assert not [str(fault) for fault in OpenAPIV31SpecValidator(running.description).iter_errors()]


def test_every_schema_in_it_is_a_json_schema(running: Running) -> None:
    found = list(schemas(running.description))
    assert len(found) > 100
    for schema in found:
        Draft202012Validator.check_schema(schema)


def test_the_schemas_of_the_catalogue_are_json_schemas_too(running: Running) -> None:
    for row in running.ask("get", f"{API}/games").get_json()["games"]:
        game = running.ask("get", f"{API}/games/{row['game']}").get_json()
        for schema in (row["options"], *game["moves"].values()):
            Draft202012Validator.check_schema(schema)
        assert running.description["components"]["schemas"][f"Options.{row['game']}"] == row["options"]


def test_it_describes_every_route_and_no_other(running: Running) -> None:
    described = {(path, method) for path, method, _operation in running.operations()}
    routes = set()
    for rule in running.app.url_map.iter_rules():
        path = rule.rule.replace("<", "{").replace(">", "}")
        if not path.startswith(("/api/docs", "/api/openapi.json")):
            routes |= {(path, method.lower()) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    assert described == routes


def test_every_operation_has_a_name_a_sentence_examples_and_both_types(running: Running) -> None:
    names = set()
    for path, method, operation in running.operations():
        names.add(operation["operationId"])
        assert 0 < len(operation["summary"]) < 120
        assert "`" not in operation["summary"]
        assert "``" not in operation.get("description", "")
        if needs_more_than_memory(operation):
            continue
        for status, answer in operation["responses"].items():
            if status.startswith("2"):
                assert examples(answer), f"{method} {path} has no example of a {status}"
                assert answer["content"].keys() == {JSON, MSGPACK}
        if "requestBody" in operation:
            assert examples(operation["requestBody"]), f"{method} {path} has no example of a body"
            assert operation["requestBody"]["content"].keys() == {JSON, MSGPACK}
    assert len(names) == len(list(running.operations()))


def test_every_variable_header_and_parameter_is_described(running: Running) -> None:
    for path, item in running.description["paths"].items():
        for parameter in item.get("parameters", []):
            assert parameter["description"]
            assert "example" in parameter, f"{path}: {parameter['name']} has no example"
            assert not [*Draft202012Validator(parameter["schema"]).iter_errors(parameter["example"])]
    for _path, _method, operation in running.operations():
        headers = [header for answer in operation["responses"].values() for header in answer["headers"].values()]
        for described in headers + [part for part in operation["parameters"] if part["in"] == "header"]:
            assert described["description"]


def test_headers_are_documented_where_they_are_answered(running: Running) -> None:
    for _path, _method, operation in running.operations():
        for status, answer in operation["responses"].items():
            assert ("WWW-Authenticate" in answer["headers"]) == (status == "401")
            assert ("Retry-After" in answer["headers"]) == (status in ("429", "503"))
            assert ("Vary" in answer["headers"]) == (status < "400")
            assert ("ETag" in answer["headers"]) == (status in ("200", "304") and "304" in operation["responses"])
            assert (
                status not in ("201", "202")
                or "401" not in operation["responses"]
                or operation["tags"] == ["players"]
                or "Location" in answer["headers"]
            )


OF_NO_OPERATION = {"method_not_allowed", "too_many_connections"}
"""No operation is reached by a wrong method, or by a connection that is refused before anything is read."""


def test_every_other_problem_of_the_table_is_some_operations(running: Running) -> None:
    said = {
        code
        for _path, _method, operation in running.operations()
        for answer in operation["responses"].values()
        for code in answer.get("x-codes", [])
    }
    assert said == CODES.keys() - OF_NO_OPERATION
    for code in OF_NO_OPERATION:
        assert f"`{code}`" in running.description["info"]["description"]


def test_examples_of_problems_are_problems(running: Running) -> None:
    known = running.description["components"]["examples"]
    assert known.keys() == CODES.keys()
    for code, example in known.items():
        assert (example["value"]["code"], example["value"]["status"]) == (code, CODES[code][0])
        assert not running.faults({"$ref": "#/components/schemas/ProblemBody"}, example["value"])
    assert known["illegal_move"]["value"]["rule"]
    assert known["invalid"]["value"]["field"] == "move.type"


def test_examples_of_bodies_and_answers_fit_their_schemas(running: Running) -> None:
    for path, method, operation in running.operations():
        for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
            for name, body in examples(holder).items():
                faults = running.faults(holder["content"][JSON]["schema"], body)
                assert not faults, f"{method} {path}, {name}: {faults}"


# -- what is documented happens ---------------------------------------------------------------------------------------


def bodies(running: Running, method: str, path: str) -> Plain:
    return examples(running.operation(method, path)["requestBody"])


def asked(running: Running, method: str, path: str, token: str | None, body: Any = None, **places: Any) -> Plain:
    """Sends it, holds the answer against the description, and its fields against those of the example."""
    answer = running.ask(method, path.format_map(places), token, body)
    assert answer.status_code < 300, f"{method} {path}: {answer.text}"
    running.check(method, path, answer)
    made: Plain = answer.get_json()
    shown = examples(running.operation(method, path)["responses"][str(answer.status_code)])
    assert any(made.keys() == example.keys() for example in shown.values()), f"{method} {path}: {made.keys()}"
    return made


def settle(running: Running, ask: Any) -> None:
    """A dispute as the description shows it."""
    arbiter = running.ask("post", f"{API}/players", body={"name": "Ida Arbiter"}).get_json()
    opening = {"game": "territories", "seats": 2, "arbiter": arbiter["player_id"]}
    for method, body in (("delete", None), ("post", {})):
        match = running.ask("post", f"{API}/matches", running.tokens[0], opening).get_json()["match_id"]
        ask(method, f"{MATCH}/arbiter", arbiter["token"], body, match_id=match)
    joining = bodies(running, "post", f"{MATCH}/seats")["with an arbiter"] | {"arbiter": arbiter["player_id"]}
    version = ask("post", f"{MATCH}/seats", running.tokens[1], joining, match_id=match)["version"]
    [raised] = bodies(running, "post", f"{MATCH}/disputes").values()
    ask("post", f"{MATCH}/disputes", running.tokens[1], raised | {"version": version}, match_id=match)
    ask("get", f"{MATCH}/disputes", match_id=match)
    one = f"{MATCH}/disputes/{{dispute}}"
    ask("get", one, match_id=match, dispute=1)
    ask("post", f"{one}/look", arbiter["token"], {}, match_id=match, dispute=1)
    [ruling] = bodies(running, "post", f"{one}/ruling").values()
    ask("post", f"{one}/ruling", arbiter["token"], ruling, match_id=match, dispute=1)


def seat_bots(running: Running, ask: Any) -> None:
    """A match against bots that asks whether all are ready, as the description shows it."""
    opening = bodies(running, "post", f"{API}/matches")["with a bot"]
    match = ask("post", f"{API}/matches", running.tokens[0], opening)["match_id"]
    [bot] = bodies(running, "post", f"{MATCH}/bots").values()
    ask("post", f"{MATCH}/bots", running.tokens[0], bot, match_id=match)
    [ready] = bodies(running, "post", f"{MATCH}/ready").values()
    ask("post", f"{MATCH}/ready", running.tokens[0], ready, match_id=match)


def keep_house(running: Running, ask: Any) -> None:
    """An account as the description shows it, and a private match with another invite."""
    token, me = running.enter("Someone Else"), f"{API}/players/me"
    [name] = bodies(running, "patch", me).values()
    ask("patch", me, token, {"name": f"{name['name']} too"})
    ask("get", me, token)
    [label] = bodies(running, "post", f"{me}/tokens").values()
    made = [ask("post", f"{me}/tokens", token, label)["token_id"] for _ in range(2)]
    ask("get", f"{me}/tokens", token)
    ask("post", f"{me}/tokens/{{token_id}}/renew", token, {}, token_id=made[0])
    ask("delete", f"{me}/tokens/{{token_id}}", token, token_id=made[1])
    match = running.ask("post", f"{API}/matches", token, {"game": "blockers", "seats": 2, "private": True}).get_json()
    ask("post", f"{MATCH}/invite", token, {}, match_id=match["match_id"])
    code = ask("post", f"{me}/recovery-code", token, {})["recovery_code"]
    [body] = bodies(running, "post", f"{API}/recovery").values()
    ask("post", f"{API}/recovery", None, body | {"code": code})


def change_rules(running: Running, done: set[tuple[str, str]]) -> None:
    """A match that goes on by newer rules, as the description shows it."""
    match = running.started({"game": "block_happy", "seats": 2})
    updated = running.updated()
    for path, token in ((f"{MATCH}/rules", running.tokens[0]), (f"{MATCH}/rules/answer", running.tokens[1])):
        [body] = bodies(running, "post", path).values()
        asked(updated, "post", path, token, body, match_id=match)
        done.add((path, "post"))


def test_every_documented_example_is_taken_and_answered_as_documented(running: Running) -> None:
    """A walk through all operations with the bodies that the description shows."""
    done: set[tuple[str, str]] = set()

    def ask(method: str, path: str, token: str | None = None, body: Any = None, **places: Any) -> Plain:
        done.add((path, method))
        return asked(running, method, path, token, body, **places)

    for body in bodies(running, "post", f"{API}/players").values():
        ask("post", f"{API}/players", None, body)
    for path in ("/healthz", "/readyz", "/api/problems", f"{API}/games", f"{API}/keys"):
        ask("get", path)
    for code in CODES:
        ask("get", "/api/problems/{code}", code=code)
    host = running.tokens[0]
    joining, moves = bodies(running, "post", f"{MATCH}/seats")["example"], bodies(running, "post", f"{MATCH}/moves")
    for name, opening in bodies(running, "post", f"{API}/matches").items():
        ask("get", f"{API}/games/{{game_id}}", game_id=opening["game"])
        match = ask("post", f"{API}/matches", host, opening)["match_id"]
        if "position" not in opening:
            ask("delete", f"{MATCH}/seats/{{seat}}", host, match_id=match, seat=0)
            continue
        for seat in range(1, opening["seats"]):
            started = ask("post", f"{MATCH}/seats", running.tokens[seat], joining | {"seat": seat}, match_id=match)
        [mover] = [running.tokens[seat] for seat in started["to_move"]]
        move = moves[opening["game"]]
        assert move["move"] in ask("get", f"{MATCH}/moves", mover, match_id=match)["moves"], name
        version = ask("post", f"{MATCH}/moves", mover, move, match_id=match)["version"]
        ask("get", f"{MATCH}/undo", mover, match_id=match)
        for way, to in (("undo", version - 1), ("redo", version)):
            [body] = bodies(running, "post", f"{MATCH}/{way}").values()
            back = ask("post", f"{MATCH}/{way}", host, body | {"to": to}, match_id=match)
            if back["events"][-1]["type"] == "undo_asked":
                ask("delete", f"{MATCH}/undo", host, match_id=match)
                again = ask("post", f"{MATCH}/{way}", host, body | {"to": to}, match_id=match)
                [body] = bodies(running, "post", f"{MATCH}/undo/answer").values()
                for seat in range(1, opening["seats"]):
                    ask(
                        "post",
                        f"{MATCH}/undo/answer",
                        running.tokens[seat],
                        body | {"request": again["version"]},
                        match_id=match,
                    )
        for part in ("", "/log", "/replay"):
            ask("get", MATCH + part, host, match_id=match)
        ask("get", f"{MATCH}/replay/{{version}}", host, match_id=match, version=version)
        for token in running.tokens[: opening["seats"] - 1]:
            ask("post", f"{MATCH}/resign", token, {}, match_id=match)
        ask("get", f"{MATCH}/audit", host, match_id=match)
        [body] = bodies(running, "post", f"{MATCH}/forks").values()
        ask("post", f"{MATCH}/forks", host, body | {"version": version}, match_id=match)
        seat = ask("get", f"{MATCH}/audit/{{version}}", host, match_id=match, version=version)["seat"]
        body = {"version": version - 1, "seat": seat, "move": move["move"]}
        assert ask("post", f"{MATCH}/audit/explain", host, body, match_id=match)["legal"]
        [body] = bodies(running, "post", f"{API}/receipts/check").values()
        ask("post", f"{API}/receipts/check", None, body)
        brought = ask("post", f"{API}/records", host, ask("get", f"{MATCH}/record", host, match_id=match))["record_id"]
        for part in ("", "/record", "/replay"):
            ask("get", f"{API}/records/{{record_id}}{part}", record_id=brought)
        ask("get", f"{API}/records/{{record_id}}/replay/{{version}}", record_id=brought, version=version)
    settle(running, ask)
    seat_bots(running, ask)
    keep_house(running, ask)
    change_rules(running, done)
    ask("get", f"{API}/matches", host)
    ask("delete", f"{API}/players/me", running.tokens[-1])
    assert done >= {(path, method) for path, method, made in running.operations() if not needs_more_than_memory(made)}


def test_a_problem_leads_to_its_page(running: Running) -> None:
    refused = running.ask("get", f"{API}/matches/none")
    assert refused.content_type == PROBLEM
    page = running.ask("get", refused.get_json()["type"])
    assert {name: refused.get_json()[name] for name in ("type", "title", "status", "code")} == page.get_json()

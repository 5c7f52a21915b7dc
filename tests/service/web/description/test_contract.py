"""The running service keeps to its own description, whatever is generated from that."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation

from tests.support.described import API, PROBLEM, Running, needs_more_than_memory

MANY = 20
"""Cases an operation and kind: all together take about half a minute."""
WALKS, STEPS = 12, 12
BOUNDED = settings(
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
GENERATED = settings(BOUNDED, max_examples=MANY)

RUNNING = Running()
"""Made where tests are collected, as what is tested is what it describes."""
CONFIG = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}}})
SCHEMA = schemathesis.openapi.from_dict(RUNNING.description, config=CONFIG)
SCHEMA.app = RUNNING.app
ALWAYS: list[Any] = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    ]
)
OPERATIONS: dict[str, APIOperation[Any, Any, Any, Any]] = {
    found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)
}

# What a house in memory has no lists for, and streams, which do not end, have tests of their own; whoever removes himself
# is nobody in the cases after.
ASKED = [
    f"{method.upper()} {path}"
    for path, method, operation in RUNNING.operations()
    if not needs_more_than_memory(operation) and path != f"{API}/players/me"
]
WITH_INPUT = [label for label in ASKED if OPERATIONS[label].body or list(OPERATIONS[label].iter_parameters())]


@schemathesis.serializer("application/msgpack")
def _packed(_context: Any, value: Any) -> Any:
    try:
        return msgpack.packb(value)
    except OverflowError:
        # An integer that msgpack cannot even write.
        return reject()


@schemathesis.deserializer("application/msgpack")
def _unpacked(_context: Any, response: Any) -> Any:
    return msgpack.unpackb(response.content)


@pytest.fixture(scope="module")
def matches() -> list[str]:
    """An open and a running match of each game, by Player 0."""
    opening = RUNNING.operation("post", f"{API}/matches")["requestBody"]["content"]["application/json"]["examples"]
    bodies = [example["value"] for example in opening.values()]
    return [RUNNING.opened(bodies[0]), *map(RUNNING.started, bodies)]


def cases(
    operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, matches: list[str]
) -> st.SearchStrategy[Case[Any]]:
    """Of matches that there are and of any others, with the host's token and with none."""
    token = {"Authorization": f"Bearer {RUNNING.tokens[0]}"}
    given: list[dict[str, Any]] = [{"headers": token}, {}]
    if "{match_id}" in operation.path and (mode is GenerationMode.POSITIVE or operation.body or operation.query):
        given += [{"headers": token, "path_parameters": {"match_id": match_id}} for match_id in matches]
    strategies: list[st.SearchStrategy[Case[Any]]] = [operation.as_strategy(mode, **parts) for parts in given]
    return st.one_of(strategies)


def keeps_to_it(case: Case[Any]) -> None:
    """The answer is one that is described; if it is a refusal, nothing has changed."""
    before = RUNNING.kept()
    answer = case.call()
    case.validate_response(answer, checks=ALWAYS)
    if answer.status_code >= 400:
        assert RUNNING.kept() == before, "a refusal changed something"
        body = answer.json()
        described = case.operation.definition.raw["responses"][str(answer.status_code)]
        assert answer.headers["content-type"] == [PROBLEM]
        assert body["code"] in described["x-codes"], f"{body['code']} is not described"


def test_cases_can_be_generated_for_every_operation() -> None:
    assert OPERATIONS.keys() == {f"{method.upper()} {path}" for path, method, _operation in RUNNING.operations()}


@pytest.mark.parametrize("label", ASKED)
def test_what_is_sent_as_described_is_answered_as_described(label: str, matches: list[str]) -> None:
    @GENERATED
    @given(cases(OPERATIONS[label], GenerationMode.POSITIVE, matches))
    def run(case: Case[Any]) -> None:
        keeps_to_it(case)

    run()


@pytest.mark.parametrize("label", WITH_INPUT)
def test_what_is_not_sent_as_described_is_refused_as_described(label: str, matches: list[str]) -> None:
    @GENERATED
    @given(cases(OPERATIONS[label], GenerationMode.NEGATIVE, matches))
    def run(case: Case[Any]) -> None:
        keeps_to_it(case)

    run()


def test_what_leads_on_leads_on() -> None:
    """Along the described links: a match is opened, and everything asked of it; a listed move is made."""
    reached = set()

    walked = SCHEMA.exclude(path_regex="/players/|/leaderboards/|/statistics|/stream|/metrics")

    class Walk(walked.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            player = 1 if case.operation.path.endswith("/seats") else 0
            return {"headers": {"Authorization": f"Bearer {RUNNING.tokens[player]}"}}

        def validate_response(self, response: Any, case: Case[Any], **_more: Any) -> None:
            case.validate_response(response, checks=ALWAYS)
            reached.add((case.operation.label, response.status_code))

    run_state_machine_as_test(Walk, settings=settings(BOUNDED, max_examples=WALKS, stateful_step_count=STEPS))
    linked = {label_of(name) for name in RUNNING.operation("post", f"{API}/matches")["responses"]["201"]["links"]}
    found = {label for label, status in reached if status != 404}
    assert len(linked & found) > len(linked) / 4, "the links lead to matches that there are not"


def label_of(name: str) -> str:
    """How an operation of this id is called in what is generated."""
    [found] = [label for label, operation in OPERATIONS.items() if operation.definition.raw["operationId"] == name]
    return found


def test_a_listed_move_can_be_made_along_its_link(matches: list[str]) -> None:
    moves = f"{API}/matches/{{match_id}}/moves"
    [link] = RUNNING.operation("get", moves)["responses"]["200"]["links"].values()
    assert (link["operationId"], link["requestBody"]) == (
        RUNNING.operation("post", moves)["operationId"],
        {"move": "{$response.body#/moves/0}"},
    )
    match_id = RUNNING.started({"game": "blockers", "seats": 2})
    for token in RUNNING.tokens[:2]:
        listed = RUNNING.ask("get", moves.format(match_id=match_id), token).get_json()["moves"]
        if listed:
            made = RUNNING.ask("post", moves.format(match_id=match_id), token, {"move": listed[0]})
            assert made.status_code == 201
            return
    raise AssertionError("nobody is to move")


MSGPACK = "application/msgpack"


def test_msgpack_says_what_json_says(matches: list[str]) -> None:
    """Every GET, and the body of a POST and its answer."""
    token = RUNNING.tokens[0]
    places = {"game_id": "blockers", "code": "not_found", "match_id": matches[1], "version": 1, "record_id": "0" * 32}
    places |= {"dispute": 1}
    for path, method, operation in RUNNING.operations():
        if method == "get" and not needs_more_than_memory(operation):
            here = path.format_map(places)
            plain, packed = (RUNNING.ask("get", here, token, headers={"Accept": kind}) for kind in ("*/*", MSGPACK))
            assert plain.status_code == packed.status_code
            if plain.status_code == 200:
                assert packed.content_type == MSGPACK
                assert msgpack.unpackb(packed.data) == plain.get_json(), path
            else:
                assert packed.content_type == PROBLEM


@pytest.mark.parametrize("path", ["/players", "/matches", "/matches/{match_id}/seats", "/matches/{match_id}/resign"])
def test_a_body_may_be_msgpack(path: str) -> None:
    match_id = RUNNING.opened({"game": "blockers", "seats": 2})
    example = RUNNING.operation("post", API + path)["requestBody"]["content"]["application/json"]["examples"]
    body = next(iter(example.values()))["value"]
    if path == "/players":
        body |= {"name": "Sent as msgpack"}  # The name of the example is taken by now.
    headers = {"Content-Type": MSGPACK, "Accept": MSGPACK, "Authorization": f"Bearer {RUNNING.tokens[1]}"}
    if path.endswith("resign"):
        RUNNING.ask("post", f"{API}/matches/{match_id}/seats", RUNNING.tokens[1], {})
    answer = RUNNING.web.post(API + path.format(match_id=match_id), data=msgpack.packb(body), headers=headers)
    assert (answer.status_code, answer.content_type) == (201, MSGPACK)
    schema = RUNNING.operation("post", API + path)["responses"]["201"]["content"][MSGPACK]["schema"]
    assert not RUNNING.faults(schema, msgpack.unpackb(answer.data))

"""The running service keeps to its own description, whatever is generated from that."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.schemas import APIOperation

from tests.service.running import API, PROBLEM, Running

MANY = 60
"""Cases an operation and kind: all together take about half a minute."""
BOUNDED = settings(
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
GENERATED = settings(BOUNDED, max_examples=MANY)
ALWAYS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
]

RUNNING = Running()
"""Made where tests are collected, as what is tested is what it describes."""
SCHEMA = schemathesis.openapi.from_dict(RUNNING.description)
SCHEMA.app = RUNNING.app
OPERATIONS: dict[str, APIOperation[Any, Any, Any, Any]] = {
    found.ok().label: found.ok() for found in SCHEMA.get_all_operations()
}

WITH_INPUT = [label for label, operation in OPERATIONS.items() if operation.body or list(operation.iter_parameters())]


@schemathesis.serializer("application/msgpack")
def _packed(_context: Any, value: Any) -> Any:
    return msgpack.packb(value)


@schemathesis.deserializer("application/msgpack")
def _unpacked(_context: Any, response: Any) -> Any:
    return msgpack.unpackb(response.content)


@pytest.fixture(scope="module")
def matches() -> list[str]:
    """An open and a running match of each game, by Player 0."""
    opening = RUNNING.operation("post", f"{API}/matches")["requestBody"]["content"]["application/json"]["examples"]
    bodies = [example["value"] for example in opening.values()]
    return [RUNNING.opened(bodies[0]), *map(RUNNING.started, bodies)]


def cases(operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, matches: list[str]) -> st.SearchStrategy[Case]:
    """Of matches that there are and of any others, with the host's token and with none."""
    token = {"Authorization": f"Bearer {RUNNING.tokens[0]}"}
    given: list[dict[str, Any]] = [{"headers": token}, {}]
    if "{match_id}" in operation.path:
        given += [{"headers": token, "path_parameters": {"match_id": match_id}} for match_id in matches]
    return st.one_of(operation.as_strategy(mode, **parts) for parts in given)


def keeps_to_it(case: Case) -> None:
    """The answer is one that is described; if it is a refusal, nothing has changed."""
    before = RUNNING.kept()
    answer = case.call()
    case.validate_response(answer, checks=CHECKS.get_by_names(ALWAYS))
    if answer.status_code >= 400:
        assert RUNNING.kept() == before, "a refusal changed something"
        body = answer.json()
        described = case.operation.definition.raw["responses"][str(answer.status_code)]
        assert answer.headers["content-type"] == [PROBLEM]
        assert body["code"] in described["x-codes"], f"{body['code']} is not described"


@pytest.mark.parametrize("label", OPERATIONS)
def test_what_is_sent_as_described_is_answered_as_described(label: str, matches: list[str]) -> None:
    @GENERATED
    @given(cases(OPERATIONS[label], GenerationMode.POSITIVE, matches))
    def run(case: Case) -> None:
        keeps_to_it(case)

    run()


@pytest.mark.parametrize("label", WITH_INPUT)
def test_what_is_not_sent_as_described_is_refused_as_described(label: str, matches: list[str]) -> None:
    @GENERATED
    @given(cases(OPERATIONS[label], GenerationMode.NEGATIVE, matches))
    def run(case: Case) -> None:
        keeps_to_it(case)

    run()

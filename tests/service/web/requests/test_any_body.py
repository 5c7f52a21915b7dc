"""Whatever bytes or values are posted: the action's own answer or a problem, and no change without an answer that says so."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.blockers.examples import EXAMPLES
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import JSON, MSGPACK, Answer
from tests.support.scene import POSTS, Scene

each_post = pytest.mark.parametrize("name", POSTS)

FIELDS = ("name", "game", "seats", "options", "undo", "private", "position", "entropy", "seat", "move", "to", "type")
WORDS = ("blockers", "territories", "highest_card", "place", "move", "pass", "A1", "5", "host", "off", "wild", "")

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.integers(-1, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=8)
)
names = st.sampled_from(FIELDS) | st.text(max_size=6)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
spoilt_positions = st.builds(
    lambda path, value: _with(EXAMPLES["held_together"], path, value),
    st.lists(st.integers(0, 30), min_size=1, max_size=3),
    values,
)
near = st.fixed_dictionaries(
    {},
    optional={
        "name": values,
        "game": st.sampled_from(WORDS[:3]) | values,
        "seats": st.integers(0, 6) | values,
        "options": st.dictionaries(st.sampled_from(("first_seat", "max_rounds", "scoring", "hand")), values) | values,
        "undo": st.sampled_from(("host", "off", "free_only")) | values,
        "private": values,
        "position": spoilt_positions | values,
        "entropy": values,
        "seat": st.integers(-1, 3) | values,
        "move": st.fixed_dictionaries({"type": st.sampled_from(WORDS)}, optional={"at": values, "tile": values})
        | values,
        "to": st.integers(-1, 12) | values,
    },
)
bodies = near | st.dictionaries(names, values, max_size=5) | values


def _with(plain: Any, path: list[int], value: Any) -> Any:
    """The same data with the value at a place that the path leads to."""
    if not path or not isinstance(plain, (dict, list)) or not plain:
        return value
    if isinstance(plain, list):
        i = path[0] % len(plain)
        return plain[:i] + [_with(plain[i], path[1:], value)] + plain[i + 1 :]
    key = list(plain)[path[0] % len(plain)]
    return plain | {key: _with(plain[key], path[1:], value)}


class Fresh:
    """A scene that is set anew once something in it was accepted."""

    def __init__(self) -> None:
        self.house = House(in_memory())
        self.scene = Scene.of(self.house)

    def ask(self, name: str, raw: bytes, kind: str) -> Answer:
        """The answer is the action's, or it is refused with a problem and nothing has changed."""
        target = self.scene.target(name)
        before = self.house.dump()
        answer = target.raw(raw, kind)
        if answer.status == 201:
            self.scene = Scene.of(self.house)
        else:
            assert 400 <= answer.status < 500, answer
            answer.refused(
                answer.status, answer.body["code"], rule=answer.body.get("rule"), field=answer.body.get("field")
            )
            assert self.house.dump() == before
        return answer


@pytest.fixture(scope="module")
def fresh() -> Fresh:
    return Fresh()


@each_post
def test_no_bytes_break_the_service_or_change_something_unsaid(fresh: Fresh, name: str) -> None:
    @settings(max_examples=40, deadline=None, database=None)
    @given(st.binary(max_size=60), st.sampled_from((JSON, MSGPACK, "text/plain")))
    def check(raw: bytes, kind: str) -> None:
        fresh.ask(name, raw, kind)

    check()


@each_post
def test_no_value_breaks_the_service_or_changes_something_unsaid(fresh: Fresh, name: str) -> None:
    @settings(max_examples=60, deadline=None, database=None)
    @given(bodies, st.booleans())
    def check(body: Any, packed: bool) -> None:
        if packed:
            fresh.ask(name, msgpack.packb(body), MSGPACK)
        else:
            fresh.ask(name, json.dumps(body).encode(), JSON)

    check()

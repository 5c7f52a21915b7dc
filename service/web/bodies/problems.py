"""Problems: the body of every refusal (RFC 9457), and the pages that their ``type`` links to."""

from __future__ import annotations

from typing import Annotated

from service.problems import CODES, ProblemError
from service.web.bodies.body import Body, about, body


@body
class ProblemBody(Body):
    type: str
    title: str
    status: int
    code: Annotated[str, about(one_of=tuple(sorted(CODES)))]
    detail: str
    rule: Annotated[str | None, about("The number of the rule that refuses the move.")] = None
    field: Annotated[str | None, about("The field that is not valid.")] = None
    version: Annotated[int | None, about("The first bad version of a record.")] = None
    fault: Annotated[str | None, about("The kind of a record's fault, as `GET …/audit` names it.")] = None


@body
class ProblemPage(Body):
    type: str
    code: str
    status: int
    title: str


@body
class ProblemsBody(Body):
    problems: list[ProblemPage]


def problem_body(problem: ProblemError, prefix: str = "") -> ProblemBody:
    """Returns the body of a refusal. ``prefix`` is the path at which a proxy mounts the service."""
    status, title = CODES[problem.code]
    return ProblemBody(
        type=prefix + _page(problem.code),
        title=title,
        status=status,
        code=problem.code,
        detail=problem.detail or f"{title}.",
        rule=problem.rule,
        field=problem.field,
        version=problem.version,
        fault=problem.fault,
    )


def problem_page(code: str, prefix: str = "") -> ProblemPage:
    """Returns the page that the ``type`` of a problem links to."""
    status, title = CODES[code]
    return ProblemPage(type=prefix + _page(code), code=code, status=status, title=title)


def _page(code: str) -> str:
    return f"/api/problems/{code}"

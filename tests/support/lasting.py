"""Values of a module that could remember something from one call of a function to the next, and the code that changes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

MUTABLE = (ast.List, ast.Set, ast.ListComp, ast.SetComp)
MAKERS = {"list", "set", "bytearray", "deque", "defaultdict", "Counter", "OrderedDict", "array", "count", "iter"}
"""Functions whose result changes, whatever they are given."""
CHANGING = {
    *("add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert"),
    *("intersection_update", "pop", "popitem", "popleft", "remove", "reverse", "setdefault", "sort"),
    *("symmetric_difference_update", "update", "__setitem__", "__delitem__", "__next__"),
}
"""Methods that change their object."""

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def lasting(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines of a module where something could be remembered outside of all arguments, and why.

    A filled dictionary at module level is a table and may stay, as long as no function changes it.
    """
    yield from _made(tree.body)
    own = _bound(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield from _defaults(node)
            yield from _changes(node, own - _local(node))


def _made(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _made(statement.body)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            named = " and ".join(ast.unparse(target) for target in targets)
            if named != "__all__" and _changeable(statement.value):
                yield statement.lineno, f"{named} can be changed; make it a tuple, a frozenset or a filled dictionary"


def _changeable(value: ast.expr) -> bool:
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in MAKERS or (value.func.id == "dict" and not (value.args or value.keywords))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in MAKERS
    return isinstance(value, MUTABLE)


def _defaults(function: Function) -> Iterator[tuple[int, str]]:
    for default in (*function.args.defaults, *function.args.kw_defaults):
        if default is not None and (_changeable(default) or isinstance(default, ast.Dict)):
            yield default.lineno, f"the default {ast.unparse(default)} lasts from call to call"


def _bound(body: list[ast.stmt]) -> set[str]:
    """The names of a module: what it assigns, defines and imports."""
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and _stored(name)}
    return found


def _local(function: Function) -> set[str]:
    """The names that mean something else inside of a function: its arguments, and what it assigns."""
    args = function.args
    given = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg) if arg}
    return given | {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _stored(node)}


def _stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _changes(function: Function, names: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(function):
        changed: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            changed = node.func.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("next", "setattr"):
            changed = node.args[0] if node.args else None
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        while isinstance(changed, ast.Subscript | ast.Attribute):
            changed = changed.value
        if isinstance(changed, ast.Name) and changed.id in names:
            yield changed.lineno, f"{ast.unparse(node)} changes {changed.id}, which lasts from call to call"

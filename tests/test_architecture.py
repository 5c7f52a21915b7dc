"""The house as the design draws it: what imports what, what is pure, how long functions and files are."""

from __future__ import annotations

import ast
import fnmatch
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.lasting import lasting

ROOT = Path(__file__).parents[1]
PRODUCT = ("bots", "domain", "projections", "replay", "service")
PURE = ("bots", "domain", "projections", "replay")
KERNEL_OF_A_GAME = {"domain.game", "domain.hidden", "domain.validation"}
PURE_LIBRARIES = {
    # The data model, text and numbers: nothing that looks at the world outside of its arguments.
    *("__future__", "abc", "ast", "bisect", "collections", "copy", "dataclasses", "enum", "fractions", "functools"),
    *("graphlib", "hashlib", "heapq", "hmac", "itertools", "json", "math", "operator", "re", "string", "textwrap"),
    *("types", "typing", "unicodedata", "base64", "binascii", "struct", "statistics", "contextlib", "array"),
    # Finding the games by their folders.
    *("importlib", "pkgutil"),
    # A pure codec.
    "msgpack",
}
READERS_LIBRARIES = {"projections": {"openskill"}}
"""What one package may use besides: a model of ratings, which computes from its arguments."""
IMPURE_NAMES = {"open", "print", "input", "exec", "eval", "id", "breakpoint", "globals"}
"""Built-in names that read, write, or differ from run to run. ``hash`` of a string does too; see below."""
MEDIAN_LINES, MOST_LINES, FILE_LINES = 8, 40, 450


def sources(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def named(path: Path) -> str:
    """The module that a file is."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the full name of everything that a file imports, ``from a import b`` as ``a.b`` if that is a module."""
    package = named(path) if path.name == "__init__.py" else named(path).rpartition(".")[0]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from ((node.lineno, as_module(module, alias.name)) for alias in node.names)


def as_module(module: str, name: str) -> str:
    inner = ROOT.joinpath(*module.split("."), name)
    return f"{module}.{name}" if inner.is_dir() or inner.with_suffix(".py").exists() else module


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


# -- who knows whom ---------------------------------------------------------------------------------------------------


def test_the_import_contracts_hold() -> None:
    # In a process of its own, for the linter configures logging anew and would silence the loggers of the other tests.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_game_imports_its_own_folder_and_three_modules_of_the_kernel() -> None:
    for path in sources("domain/games"):
        if path.parent.name == "games":
            continue
        own = ".".join(named(path).split(".")[:3])
        for line, module in imports(path):
            if module.split(".")[0] in (*PRODUCT, "tests"):
                allowed = module in KERNEL_OF_A_GAME or (module + ".").startswith(own + ".")
                assert allowed, f"{path}:{line} imports {module}"


def test_no_module_outside_of_a_game_imports_that_game() -> None:
    for path in sources(*PRODUCT):
        if path.parent.name != "games" and "games" in path.relative_to(ROOT).parts:
            continue
        for line, module in imports(path):
            assert not module.startswith("domain.games."), f"{path}:{line} imports {module}"


@pytest.mark.parametrize("package", PURE)
def test_nothing_in_here_can_reach_the_world_outside(package: str) -> None:
    """No clock, chance, network, file, environment or log: only libraries that compute from their arguments."""
    own = {"domain", package} | READERS_LIBRARIES.get(package, set())
    for path in sources(package):
        for line, module in imports(path):
            top = module.split(".")[0]
            assert top in PURE_LIBRARIES | own, f"{path}:{line} imports {module}"


@pytest.mark.parametrize("package", PURE)
def test_nothing_in_here_reads_writes_or_differs_from_run_to_run(package: str) -> None:
    for path in sources(package):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in IMPURE_NAMES, f"{path}:{node.lineno} calls {node.func.id}"
                assert node.func.id != "hash", f"{path}:{node.lineno}: the hash of a string differs from run to run"
            assert not isinstance(node, (ast.Global, ast.Nonlocal)), f"{path}:{node.lineno} changes what is outside"


@pytest.mark.parametrize("package", PURE)
def test_nothing_in_here_remembers_anything_between_two_calls(package: str) -> None:
    faults = [f"{path}:{line}: {why}" for path in sources(package) for line, why in lasting(parsed(path))]
    assert not faults, "\n".join(faults)


def test_no_floats_in_the_rules() -> None:
    for path in sources("domain"):
        for node in ast.walk(parsed(path)):
            is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
            assert not is_float, f"{path}:{getattr(node, 'lineno', 0)} has a float"


# -- what is easy to read ---------------------------------------------------------------------------------------------


def test_functions_are_short() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}": lines_of(function)
        for path in sources(*PRODUCT)
        for function in functions(path)
    }
    assert statistics.median(lengths.values()) <= MEDIAN_LINES
    long = {name: lines for name, lines in lengths.items() if lines >= MOST_LINES}
    assert len(long) <= len(lengths) * 0.05, f"{len(long)} of {len(lengths)} functions are long: {long}"


def test_files_have_one_subject() -> None:
    for path in sources(*PRODUCT):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= FILE_LINES, f"{path.relative_to(ROOT)} has {lines} lines"


def test_every_package_and_module_says_what_lives_in_it() -> None:
    """And every module what it is about."""
    for path in sources(*PRODUCT):
        assert ast.get_docstring(parsed(path)), f"{path.relative_to(ROOT)} has no docstring"


def test_every_package_is_shipped() -> None:
    """The folders of the games are found at run time, so nobody would notice at build time that one is missing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    for path in sources(*PRODUCT):
        package = path.parent.relative_to(ROOT).as_posix().replace("/", ".")
        assert any(fnmatch.fnmatch(package, pattern) for pattern in patterns), f"{package} is not shipped"
        assert (path.parent / "__init__.py").exists(), f"{package} is no package"


def test_every_module_is_a_subject_of_the_import_contracts() -> None:
    contracts = (ROOT / ".importlinter").read_text(encoding="utf-8")
    for path in (ROOT / "domain").glob("*.py"):
        if path.name != "__init__.py":
            assert contracts.count(f"{path.stem}\n") + contracts.count(f" {path.stem} ") >= 2, f"{path.stem} is in none"


LONGEST_CHAIN = 9
"""The most modules of ``service/`` that import one another in a row: so far a reader has to go to understand one of them."""


def _imports(tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of ``known`` that are loaded with this one: imports at its top level, not those for types only."""
    found: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            whole = {f"{statement.module}.{each.name}" for each in statement.names}
            found |= {name if name in known else statement.module for name in whole}
        elif isinstance(statement, ast.Import):
            found |= {each.name for each in statement.names}
    return found & known


def test_no_chain_of_imports_within_the_service_is_long() -> None:
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "service").rglob("*.py")}
    modules = {name.removesuffix(".__init__"): ast.parse(path.read_text()) for name, path in paths.items()}
    imports = {name: _imports(tree, set(modules)) - {name} for name, tree in modules.items()}

    @cache
    def chain(name: str) -> tuple[str, ...]:
        return (name, *max((chain(other) for other in imports[name]), key=len, default=()))

    longest = max(map(chain, imports), key=len)
    assert len(longest) <= LONGEST_CHAIN, " > ".join(longest)

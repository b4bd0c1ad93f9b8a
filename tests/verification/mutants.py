"""The numbers of the integrators, each changed in turn, and the package with one of them changed.

What is changed: every numeric literal of a module that some method imports, but those that are no part of a step, by rule

- class attributes other than ``tableau``: names, declared orders, defaults of arguments;
- what :class:`Integrator` declares beside ``step``, ``retraction`` and ``nodes``, in any class, and ``__post_init__``: labels,
  rows, refusals, the validation of arguments;
- mappings (``MappingProxyType``): declared orders by class of noise;
- error texts (``raise``), and names at the top of a module that only serve what is left out above.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from semidirect.integrators import Integrator, integrator

PACKAGE = "semidirect.integrators"
FOLDER = Path(inspect.getfile(Integrator)).parent
STEPPING = {"step", "retraction", "nodes"}
DECLARED = ({*vars(Integrator), *inspect.get_annotations(Integrator)} | {"__post_init__"}) - STEPPING


@dataclass(frozen=True)
class Mutant:
    """One changed literal of a module."""

    file: str
    function: str
    line: int
    text: str
    before: Any
    after: Any
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.before!r} -> {self.after!r} in `{self.text}`"


def mutants(file: Path) -> list[Mutant]:
    """All of a module, in the order of its lines."""
    source = file.read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    found = []
    for where, node in sorted(literals(tree), key=lambda f: (f[1].lineno, f[1].col_offset)):
        after = other(node.value)
        changed = copy.deepcopy(tree)
        place = (node.lineno, node.col_offset)
        target = next(n for n in ast.walk(changed) if isinstance(n, ast.Constant) and (n.lineno, n.col_offset) == place)
        target.value = after
        found.append(Mutant(file.name, where, node.lineno, lines[node.lineno - 1].strip(), node.value, after, changed))
    return found


def other(value: float) -> float:
    """What a literal is replaced by, of its type: by a fifth more, at least 1 if it is an integer; 0.0 by ¼."""
    if isinstance(value, int):
        return value + max(1, round(0.2 * value))
    return 0.25 if value == 0 else 1.2 * value


def literals(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """Numbers that take part in a step, with the name of the function or coefficient they stand in."""
    parts = [(where, node) for top in tree.body for where, node in _parts(top)]
    used = {n.id for _, node in parts for n in _walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    everywhere = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for where, node in parts:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and where in everywhere - used:
            continue
        yield from ((where, n) for n in _walk(node) if isinstance(n, ast.Constant) and _number(n.value))


def _parts(top: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """Functions and assignments that may take part in a step."""
    match top:
        case ast.FunctionDef():
            yield top.name, top
        case ast.ClassDef():
            for node in top.body:
                if isinstance(node, ast.FunctionDef) and node.name not in DECLARED:
                    yield f"{top.name}.{node.name}", node
                elif isinstance(node, (ast.Assign, ast.AnnAssign)) and _target(node) == "tableau":
                    yield f"{top.name}.tableau", node
        case ast.Assign() | ast.AnnAssign() if top.value is not None:
            if not ast.unparse(top.value).startswith("MappingProxyType"):
                yield _target(top), top


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """As :func:`ast.walk`, without error texts."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Raise):
            yield from _walk(child)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# -- which methods a file concerns -------------------------------------------------------------------------------------


@cache
def imported(module: str) -> frozenset[str]:
    """The modules of the package that a module imports at its top when it runs, and those that these import."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    found = {n.module.removeprefix(f"{PACKAGE}.") for n in tree.body
             if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith(f"{PACKAGE}.")}  # fmt: skip
    return frozenset({module}).union(*map(imported, found))


def concerned(file: str, labels: Sequence[str]) -> list[str]:
    """The methods among ``labels`` that use a file, through others too; the registry finds methods and takes part in no step."""

    def modules(method: Integrator) -> frozenset[str]:
        own = imported(type(method).__module__.removeprefix(f"{PACKAGE}."))
        base = getattr(method, "base", None)
        return own if base is None else own | modules(base)

    if file == "registry.py":
        return []
    return [n for n in labels if file.removesuffix(".py") in modules(integrator(n))]


# -- the package with another tree -------------------------------------------------------------------------------------


class _Substitute(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, and runs another tree in its place."""

    def __init__(self, name: str, tree: ast.Module):
        self.name, self.tree = name, tree

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(compile(ast.fix_missing_locations(self.tree), self.name, "exec"), vars(module))


@contextlib.contextmanager
def mutated(mutant: Mutant) -> Iterator[Callable[[str], Integrator]]:
    """The function ``integrator`` of a package imported afresh, with the changed module; the package itself comes back after.

    The rest of semidirect, models among it, stays: it knows nothing of the package's modules when a method steps.
    """
    import semidirect

    def ours() -> list[str]:
        return [n for n in sys.modules if n == PACKAGE or n.startswith(f"{PACKAGE}.")]

    kept = {n: sys.modules.pop(n) for n in ours()}
    finder = _Substitute(f"{PACKAGE}.{mutant.file.removesuffix('.py')}", mutant.tree)
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module(PACKAGE).integrator
    finally:
        sys.meta_path.remove(finder)
        for n in ours():
            del sys.modules[n]
        sys.modules.update(kept)
        semidirect.integrators = kept[PACKAGE]  # type: ignore[attr-defined]

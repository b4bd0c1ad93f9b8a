"""Change every number in every ``step``, and ask whether the orders or the structure notice.

Usage: python tests/verification/mutations.py [FILE …]

For each module of ``semidirect.integrators`` whose classes step, every numeric literal of ``step``, of the private functions and
methods beside it and of the coefficients at the top of the module is replaced, one at a time, by another; the module is compiled
from its syntax tree, and each of its methods has to pass: its order without noise, its strong (or, by enumeration, weak) orders,
the limit, and what it keeps. A mutant that passes everything survives, and is listed.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import importlib
import inspect
import sys
import types
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import grid
import numpy as np
from enumeration import expectations
from problems import FIELDS, NUMBERS
from semidirect_heavy_top import HeavyTop

import semidirect as sd
from semidirect import ops
from semidirect.analysis.geodesic import rotation_angle
from semidirect.ensemble.state import initial_state
from semidirect.integrators import Integrator, integrator
from semidirect.noise.wiener import WienerNoise

FOLDER = Path(inspect.getfile(Integrator)).parent
EXPLAINED: dict[tuple[str, str, str], str] = {}
"""Survivors that are understood: (file, function, text of the line) → why no check can notice."""

FINE, PATHS = 512, 24
STEPS = (8, 16, 32)


class ForcedTop(HeavyTop):
    """A heavy top under a torque that depends on time, so that the times of stages matter."""

    def force(self, t: Any) -> Any:
        return ops.array([ops.cos(3 * t), ops.sin(2 * t), 0.5 * ops.cos(t)])


def top(noise: str) -> sd.System:
    return ForcedTop(**NUMBERS["heavy top"], noise=np.array(FIELDS[noise]) if noise != "none" else ())


@dataclasses.dataclass(frozen=True)
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

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.function, self.text


def mutants(file: Path) -> Iterator[Mutant]:
    """All of a module, or none if nothing in it steps."""
    source = file.read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    if not any(isinstance(n, ast.FunctionDef) and n.name == "step" for n in ast.walk(tree)):
        return
    for path, node in _literals(tree):
        for after in _others(node.value):
            changed = copy.deepcopy(tree)
            target = next(
                n
                for p, n in _literals(changed)
                if (n.lineno, n.col_offset) == (node.lineno, node.col_offset) and p == path
            )
            target.value = after
            yield Mutant(file.name, path, node.lineno, lines[node.lineno - 1].strip(), node.value, after, changed)


def _literals(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """Numbers in ``step``, in private functions and methods, and in coefficients at the top."""

    def numbers(node: ast.AST) -> Iterator[ast.Constant]:
        for n in ast.walk(node):
            if isinstance(n, ast.Constant) and isinstance(n.value, (int, float)) and not isinstance(n.value, bool):
                yield n

    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if "ORDER" not in name and "Mapping" not in ast.unparse(node.value) and "_COMMUTING" not in name:
                yield from ((name, n) for n in numbers(node.value))
        for owner, function in _functions(node):
            if function.name == "step" or (function.name.startswith("_") and function.name != "__post_init__"):
                body = ast.Module([s for s in function.body if not _docstring(s)], [])
                yield from ((f"{owner}{function.name}", n) for n in numbers(body))


def _functions(node: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    if isinstance(node, ast.FunctionDef):
        yield "", node
    if isinstance(node, ast.ClassDef):
        yield from ((f"{node.name}.", f) for f in node.body if isinstance(f, ast.FunctionDef))


def _docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _others(value: float) -> tuple[float, ...]:
    """What a literal is replaced by, of its type."""
    if isinstance(value, int):
        return (value + 1,)
    return (value + 0.25,) if value == 0 else (1.2 * value,)


def compiled(mutant: Mutant) -> dict[str, type[Integrator]]:
    """The integrators of the changed module, by class name."""
    original = f"semidirect.integrators.{mutant.file.removesuffix('.py')}"
    module = types.ModuleType(f"{original}_mutant")
    module.__package__ = "semidirect.integrators"
    sys.modules[module.__name__] = module
    try:
        exec(compile(ast.fix_missing_locations(mutant.tree), mutant.file, "exec"), vars(module))
    finally:
        del sys.modules[module.__name__]
    return {
        n: c
        for n, c in vars(module).items()
        if isinstance(c, type) and issubclass(c, Integrator) and c.__module__ == module.__name__
    }


def variants(file: str) -> list[Integrator]:
    """The methods of a module, with the arguments of the grid."""
    name = f"semidirect.integrators.{file.removesuffix('.py')}"
    return [m for m in map(integrator, grid.methods()) if type(m).__module__ == name]


def twin(method: Integrator, kinds: dict[str, type[Integrator]]) -> Integrator:
    """The same method of the changed module."""
    fields = (
        {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}
        if dataclasses.is_dataclass(method)
        else {}
    )
    return kinds[type(method).__name__](**fields)


def ends(method: Integrator, noise: str, steps: int, resolution: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(M, Γ) and g at t = 1 of some paths, (6, paths) and (paths, 3, 3)."""
    system = top(noise)
    model, start = system.model(), initial_state(system, None)
    paths = 1 if noise == "none" else PATHS
    h = 1 / steps
    rows = np.zeros((steps, 0, paths))
    if noise != "none":
        driver = WienerNoise(5, model.wieners, 1 / (resolution or FINE), None, "normal", method.extra)
        rows = driver.block(range(paths), 0, steps, h)
    y, stored = (np.repeat(x, paths, axis=1) for x in (start.vector(model, 0.0), start.stored))
    for n in range(steps):
        step = method.step(model, y, n * h, h, rows[n])
        if step.converged is not None and not step.converged.all():
            raise FloatingPointError("sweeps did not converge")
        y, stored = step.y, model.reconstruct(stored, step.v, method.retraction(model))
    return y, np.moveaxis(model.group.element(stored), -1, 0)


@cache
def exact(noise: str) -> tuple[np.ndarray, np.ndarray]:
    """The solution: without noise by dop853, with noise by fine steps of another method than the one looked at, both agreeing."""
    if noise == "none":
        run = top(noise).simulate(t_end=1, dt=1, method="dop853", save="final")
        return np.concatenate([run["M"][0, 0], run["Gamma"][0, 0]])[:, None], run["g"].reshape(1, 3, 3)
    return ends(integrator("milstein(areas)" if noise == "general" else "implicit-midpoint"), noise, FINE)


def errors(method: Integrator, noise: str) -> np.ndarray:
    """Root mean square errors of the state and of the angle, (steps, 2)."""
    out = []
    for n in STEPS:
        (y, g), (x, r) = ends(method, noise, n), exact(noise)
        out.append([np.sqrt(np.mean(np.sum((y - x) ** 2, axis=0))), np.sqrt(np.mean(rotation_angle(g, r) ** 2))])
    return np.array(out)


def weak_steps(method: Integrator) -> np.ndarray:
    """Errors of a step by enumeration for two steps, own and against Heun's, (2, 2)."""
    system, heun = top("general"), integrator("heun")
    out = []
    for h in (1 / 16, 1 / 32):
        once, twice, other = (
            expectations(system, method, h, 1),
            expectations(system, method, h / 2, 2),
            expectations(system, heun, h, 1),
        )
        out.append([sum(np.linalg.norm(once[k] - b[k]) for k in once) for b in (twice, other)])
    return np.array(out)


@cache
def healthy_errors(label: str, noise: str) -> np.ndarray:
    """Those of the method as it is."""
    return weak_steps(integrator(label)) if noise == "weak" else errors(integrator(label), noise)


def complaint(method: Integrator, label: str) -> str:
    """What the checks say against a method, nothing where all pass."""
    original = integrator(label)
    kinds = [
        "none",
        *(n for n in ("single", "general") if n in original.strong_order),
        *(["weak"] if original.weak else []),
    ]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for noise in kinds:
            try:
                found = weak_steps(method) if noise == "weak" else errors(method, noise)
            except Exception as error:
                return f"{noise}: {type(error).__name__}"
            said = _against(found, healthy_errors(label, noise), noise)
            if said:
                return said
        if original.preserves:
            y, _ = ends(method, "single" if "single" in original.strong_order else "none", 32)
            if not np.max(np.abs(np.sum(y[3:] ** 2, axis=0) - 1)) < 1e-12:
                return "|Γ| is not kept"
    return ""


def _against(found: np.ndarray, healthy: np.ndarray, noise: str) -> str:
    if not np.all(np.isfinite(found)):
        return f"{noise}: not finite"
    slopes, expected = (np.log2(e[-2] / np.maximum(e[-1], 1e-300)) for e in (found, healthy))
    if np.any(np.abs(slopes - expected) > 0.25):
        return f"{noise}: order {slopes.round(2).tolist()} for {expected.round(2).tolist()}"
    if np.any(found[-1] > 1.5 * healthy[-1] + 1e-13):
        return f"{noise}: error {(found[-1] / healthy[-1]).round(1).tolist()} times as large"
    return ""


def run(files: list[Path]) -> tuple[int, list[tuple[Mutant, str]]]:
    """How many mutants were killed, and the survivors with what they change."""
    killed, survivors = 0, []
    for file in files:
        methods = variants(file.name)
        for mutant in mutants(file):
            try:
                kinds = compiled(mutant)
                said = next(filter(None, (complaint(twin(m, kinds), m.label) for m in methods)), "")
            except Exception as error:
                said = type(error).__name__
            if said:
                killed += 1
                continue
            same = all(_same(twin(m, kinds), m) for m in methods)
            survivors.append((mutant, "the same bits" if same else "other bits, the same order and size of error"))
    return killed, survivors


def _same(changed: Integrator, method: Integrator) -> bool:
    noise = "single" if "single" in method.strong_order else "none"
    return all(np.array_equal(a, b) for a, b in zip(ends(changed, noise, 8), ends(method, noise, 8), strict=True))


def main(arguments: list[str] | None = None) -> int:
    names = sys.argv[1:] if arguments is None else arguments
    files = [FOLDER / n for n in names] if names else sorted(FOLDER.glob("*.py"))
    importlib.import_module("semidirect.integrators")
    total = 0
    unknown = 0
    for file in files:
        killed, survivors = run([file])
        total += killed
        if killed or survivors:
            print(f"{file.name}: {killed} killed, {len(survivors)} survive", flush=True)
        for mutant, what in survivors:
            reason = EXPLAINED.get(mutant.key, "")
            unknown += not reason
            print(f"  {mutant}: {what}{'; ' + reason if reason else ''}", flush=True)
    print(f"{total} mutants killed; {unknown} survivors without an explanation")
    return int(unknown > 0)


if __name__ == "__main__":
    sys.exit(main())

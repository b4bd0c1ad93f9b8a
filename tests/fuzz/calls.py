# ruff: noqa: E501
"""Random calls of everything public, with arguments that do not fit.

``python tests/fuzz/calls.py 3000 --seed 1`` makes many of them; the tests make a fixed slice. A call passes where it gives a
value or raises what is ours: an error of :mod:`semidirect.core.errors`. Beside that it may raise

* a ``TypeError`` of Python itself, for a call of a method or class of the library that does not have the signature;
* what a function that was given raises itself, so none of those that are given here raises;
* an ``AttributeError`` where something is asked of an object that says it is frozen.

Functions of arithmetic on whatever scalar comes (``sd.ops``, ``*_entries``, ``bracket`` and others that are documented to make no
checks) are not among them.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import random
import sys
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
from limits import TooLong, large_run, time_limit

import semidirect as sd
from semidirect.core.errors import SemidirectError

SECONDS = 60


class Surprise:
    """An object of no kind that anything expects."""

    def __repr__(self) -> str:
        return "surprise"


def hostile(draw: random.Random, folder: Path):
    """A value that fits almost nowhere."""
    values = [
        None, True, False, 0, 1, -1, 2, 0.5, 1.5, -0.0, 10**400, -(10**400), 2**63, 2**64, float("nan"), float("inf"), -float("inf"), 1e-320,
        1e308, 1j, Fraction(1, 3), "", " ", "\0", "a\0b", "energy", "Omega", "M[0]", "(M[0]+M[1]+M[2])**64", "nope", "é", "a" * 10_000, b"bytes",
        [], [[]], [1, [2, 3]], [1, "a"], ["energy"], ["energy", "energy"], [None], {}, {"Omega": [1, 0, 0]}, {"Omega": "x"}, {1: 2}, {"energy": 10**400},
        (), (1, 2), ("energy",), {1, 2}, range(3), range(0), np.zeros(0), np.zeros((0, 3)), np.ones(3), np.ones((3, 3)), np.eye(4), np.full(3, np.nan),
        np.array("energy"), np.array(["energy", "M"]), np.array([1, None], dtype=object), np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]),
        np.array([1 + 1j]), np.array(["2020-01-01"], dtype="datetime64"), np.float32(1), np.int8(-1), np.bool_(True), Surprise(), Surprise, len, print,
        lambda: 1, lambda *a, **k: None, lambda state: state, iter([1, 2]), sd, type, ..., NotImplemented, slice(1, 2), ValueError("x"),
        folder, folder / "nothing", str(folder), Path("a\0b"), sd.PerPath([1.0, 2.0]), sd.PerPath([]), sd.PerPath("x"), sd.SO3(), sd.SO3,
        sd.Moments(), sd.Moments, sd.Stop("energy", above=1), sd.Crossing("energy", 1), sd.load("rigid-body"), sd.noise.WienerNoise(0, 1, 0.1), np.random.default_rng(0),
    ]  # fmt: skip
    return draw.choice(values)


def subjects(folder: Path) -> dict[str, object]:
    """What is called: public functions and classes, and the public methods of one object of each kind."""
    found: dict[str, object] = {}
    for name in sd.__all__:
        value = getattr(sd, name)
        if (
            name not in MADE_BY_THE_LIBRARY
            and callable(value)
            and not (inspect.isclass(value) and issubclass(value, BaseException))
        ):
            found[f"sd.{name}"] = value
    top = sd.load("rigid-body")
    run = top.simulate(
        t_end=0.02,
        dt=0.01,
        paths=2,
        execution=sd.Execution(engine="numpy"),
        reduce="moments",
        save=sd.Save(crossings=sd.Crossing("energy", 0.4)),
    )
    place = folder / "run"
    run.save(place)
    group = sd.SE3()
    objects = {
        "system": top, "run": run, "stored": sd.Run.load(place), "final": run.final, "group": group,
        "representation": sd.VectorRepresentation(sd.SO3()), "noise": sd.noise.WienerNoise(0, 1, 0.1), "reduced": run.reductions["moments"],
        "equations": top.equations(), "path": sd.noise.DrivingPath.from_expression("sin(t)"), "stop": sd.Stop("energy", above=1.0),
        "crossings": run.crossings[0], "stopped": run.stopped, "plots": run.plot, "stored data": run.data, "workings": top.workings,
    }  # fmt: skip
    stated = set(vars(type(top)))  # observables are functions of a state, which the library asks
    for name, one in objects.items():
        for method in dir(one):
            unchecked = {method, f"{name}.{method}"} & UNCHECKED
            if method.startswith("_") or method in stated or unchecked or method.endswith("_entries"):
                continue
            value = getattr(one, method)
            if callable(value) and not isinstance(value, type):
                found[f"{name}.{method}"] = value
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and value.__module__.startswith("semidirect."):
                found[f"{module.__name__}.{name}"] = value
    return {name: value for name, value in found.items() if getattr(value, "__module__", "") not in UNCHECKED_MODULES}


MODULES = (
    "semidirect.analysis", "semidirect.analysis.convergence_study", "semidirect.analysis.comparison", "semidirect.analysis.pictures.comparison",
    "semidirect.analysis.pictures", "semidirect.invariants", "semidirect.definition.plugins", "semidirect.testing",
)  # fmt: skip
UNCHECKED_MODULES = ("semidirect.testing.laws.exact_points.states", "semidirect.testing.laws.float_states", "semidirect.testing.laws.exact_points.numbers",
                     "semidirect.testing.laws.locked_inertia", "semidirect.testing.laws.contact_rates", "semidirect.testing.laws.system_variants")  # fmt: skip
UNCHECKED = {
    # arithmetic on whatever comes, component first; documented to make no checks
    "bracket", "cobracket", "store", "element", "move", "logarithms", "residuals", "draw", "act_entries", "action", "diamond",
    # what a subclass states or the library asks, not a user
    "lagrangian", "constraint", "internal", "configuration", "check", "decide_by_path", "with_values", "with_arrays", "define_with", "expression", "reached",
    "component_expressions", "declared", "value_shape", "met_again", "resolution_for", "same_values", "coaction", "drift", "block", "block_from", "of_step", "symbol_stem", "crossings.of", "check_steps", "check_half_step", "kernel_draw", "process", "as_json", "from_json", "shared", "increments", "substituted", "refuse_absent", "with_paths", "merged", "accumulator", "resolved", "vector", "by_path", "of_paths",
}  # fmt: skip
MADE_BY_THE_LIBRARY = (
    "Run",
    "Final",
    "Failure",
    "Monitor",
    "Blocks",
    "StratonovichSDE",
    "Definition",
    "NoiseClass",
    "Forces",
    "System",
)
"""Results, which the library fills, and bases, which a user fills by subclasses."""
TYPICAL = {
    "t_end": 0.02, "dt": 0.01, "paths": 2, "execution": sd.Execution(engine="numpy", threads=1), "seed": 1, "name": "energy", "level": 1.0, "low": 0.0, "high": 1.0, "bins": 4,
    "quantity": "energy", "degree": 1, "method": "lie-heun", "methods": ["heun"], "levels": 5, "value": 1.0, "above": 1.0, }  # fmt: skip
SHORT = {"t_end": 0.02, "dt": 0.01, "levels": 5, "paths": 2, "execution": sd.Execution(engine="numpy")}
ALWAYS = {
    "system.simulate": {"t_end": 0.02, "dt": 0.01, "paths": 2, "execution": sd.Execution(engine="numpy")},
    "semidirect.analysis.convergence_study.convergence": SHORT,
    "semidirect.analysis.comparison.compare": SHORT | {"timed": False},
}
"""Arguments that make a call short, given wherever it is not they that are spoiled."""


class Calls:
    """An endless sequence of calls: a name, the function, and its arguments."""

    def __init__(self, seed: int, folder: Path):
        self._random, self._folder = random.Random(seed), folder
        self._subjects, self._made = subjects(folder), {}

    def __iter__(self):
        return self

    def __next__(self):
        draw = self._random
        name = draw.choice(sorted(self._subjects))
        function = self._subjects[name]
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        args, keywords = [], {}
        spoiled = draw.sample(parameters, min(len(parameters), draw.choice((1, 1, 1, 2, 3))))
        for p in parameters:
            bad = p in spoiled
            if not bad and p.default is not p.empty and p.name not in ("paths", "engine"):
                continue
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and not bad:
                continue
            value = hostile(draw, self._folder) if bad else self._typical(p.name)
            if p.kind is p.VAR_POSITIONAL:
                args.append(value)
            elif p.kind is p.VAR_KEYWORD:
                keywords[draw.choice(OPTIONS)] = value
            elif p.kind is p.KEYWORD_ONLY or (keywords and p.kind is not p.POSITIONAL_ONLY):
                keywords[p.name] = value
            else:
                args.append(value)
        return name, function, args, {**ALWAYS.get(name, {}), **keywords}

    def _typical(self, name: str):
        if name == "system":
            return self._subjects["system.simulate"].__self__
        if name == "run":
            return self._subjects["run.to_xarray"].__self__
        if name in ("group", "representation"):
            return sd.SO3() if name == "group" else sd.VectorRepresentation(sd.SO3())
        if name in ("study", "comparison"):
            made, methods = ("convergence", []) if name == "study" else ("compare", [["heun"]])
            place = f"semidirect.analysis.{'convergence' if name == 'study' else 'comparison'}.{made}"
            if name not in self._made:
                self._made[name] = self._subjects[place](
                    self._subjects["system.simulate"].__self__, *methods, **ALWAYS[place]
                )
            return self._made[name]
        return TYPICAL.get(name, np.ones(3))


OPTIONS = ("state", "method", "save", "driver", "keep", "threads", "executor", "reduce", "reduce_at",
           "stop", "bounds", "on_failure", "progress", "engine", "form", "variables", "reconstruct", "validate", "error_check", "seed", "paths",
           "t_start", "t_end", "dt", "along", "parameters", "inertia", "noise", "advect_gamma", "store", "resume")  # fmt: skip


def outcome(name, function, args, keywords) -> str:
    """What is wrong with what a call does: empty, or the reason."""
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            with np.errstate(all="ignore"), time_limit(SECONDS):
                result = function(*args, **keywords)
                if inspect.isgenerator(result):
                    list(result)
    except SemidirectError:
        return ""
    except TooLong as late:
        return f"does not end within {SECONDS} s: {late}"
    except AssertionError as error:
        return "" if ".assert_" in name else f"AssertionError: {error}"
    except TypeError as error:
        return "" if _wrong_signature(error) else f"TypeError: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _wrong_signature(error: TypeError) -> bool:
    """Whether it was raised by the call itself, before anything of the function ran."""
    inner = error.__traceback__.tb_next if error.__traceback__ else None
    words = ("argument", "positional", "keyword", "unexpected", "missing", "abstract")
    return any(word in str(error) for word in words) and (inner is None or inner.tb_next is None)


def failures(count: int, seed: int, say=lambda text: None) -> list[tuple[str, str]]:
    """The calls, of ``count``, that do not pass, each with the reason."""
    found = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number, call in zip(range(count), Calls(seed, Path(folder)), strict=False):
            reason = outcome(*call)
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
            if reason:
                name, _, args, keywords = call
                shown = f"{name}(*{str(args)[:150]}, **{str(keywords)[:200]})"
                found.append((shown, reason))
                say(f"{number}: {shown}\n    {reason[:300]}")
    return found


if __name__ == "__main__":
    large_run("calls", failures, __doc__)

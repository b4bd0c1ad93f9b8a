"""Derivatives of steps against central differences on one noise, for all pairs of methods and systems of the library.

Usage: python tests/verification/central_differences.py [SYSTEM … | --pages]

Each system is stepped by each method that applies to it, with increments that are the same for all paths; some paths differ
from the first in one parameter or in one direction of the start, by multiples of a small number, and differences of order 8
between them are compared with the derivatives that the first path carries along. Kernels, which are made for each system and
its default method, have to give the bits of array code. It takes some minutes. What is measured goes into
``central_differences.json`` beside this file; ``--pages`` writes the table of ``docs/sensitivities_measured.md`` from it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pages

import semidirect as sd
from semidirect.core import PerPath
from semidirect.core.errors import MethodError
from semidirect.definition import plugins
from semidirect.integrators.advance import Advance
from semidirect.integrators.registry import METHODS, integrator
from semidirect.model.sensitivities.directions import tangents_of
from semidirect.state.start_slopes import with_slopes
from semidirect.state.state import InitialState

MEASURED = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parents[2] / "docs" / "sensitivities_measured.md"
STEPS, LONGEST_STEP, HALVINGS, H = 4, 0.01, 8, 2.0**-9
DIFFERENCES = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
MULTIPLES = [0, *(sign * m for m, _ in DIFFERENCES for sign in (1, -1))]
ALLOWED = 1e-8
METHOD_NAMES = [
    *(n for n in METHODS.built_in if n not in ("dop853", "isospectral-midpoint", "gauss", "lift", "sdelab")),
    "gauss(2)", "sdelab(1)", "sdelab(0.5)", "lift(heun)", "lift(gauss(2), exp)", "lie-heun(exp)", "milstein(areas)",
]  # fmt: skip


class NotConverged(Exception):
    """An implicit step of this length has no solution that the iteration finds."""


def increments(method, model, dt, seed=1):
    """Rows ``(steps, rows, 1)`` as a driver would draw them."""
    rng, m = np.random.default_rng(seed), model.wieners
    out = np.sqrt(dt) * rng.normal(size=(STEPS, method.rows(m), 1))
    if method.weak:
        out = np.sqrt(dt) * np.sign(out)
    elif method.rows(m) > m:
        out[:, m:] *= np.sqrt(dt) / 4
    return out


def end(method, model, y, stored, dt, dW):
    """State and coordinates of s after all steps, ``(d + r, paths)``."""
    advance = Advance(method, model)
    y, stored = (np.array(x) for x in (y, stored))
    for n in range(STEPS):
        with np.errstate(all="ignore"):
            step, stored = advance(y, stored, n * dt, dt, np.broadcast_to(dW[n], (dW.shape[1], y.shape[1])))
        if step.converged is not None and not np.all(step.converged & 1):
            raise NotConverged
        y = step.y
    return y, stored


def start_of(system, model, state=None):
    start = InitialState.of(
        system, state, model=model, validate=state is None
    )  # moved velocities may leave a constraint
    y = start.vector(model, 0.0)
    paths = max(y.shape[1], start.stored.shape[1], system.workings.paths or 1)
    return tuple(np.repeat(x, paths, axis=1) if x.shape[1] < paths else x for x in (y, start.stored))


def moved_parameter(system, number):
    """A system with a path for each multiple of the small number that is added to one parameter, and that number."""
    name, index = system.workings.symbol_places[number]
    h = H * max(abs(float(system.values[name][index])), 1.0 if system.values[name][index] == 0 else 0.0)
    values = np.repeat(np.array(system.values[name], dtype=float)[None], len(MULTIPLES), axis=0)
    for i in np.ndindex(values.shape[1:]):
        if system.workings.symbol_names[name][i] == system.workings.symbol_names[name][index]:
            values[(slice(None), *i)] += h * np.array(MULTIPLES)
    return system.workings.with_values({**system.values, name: PerPath(values)}), h  # some values are at their bounds


def moved_state(system, model, direction):
    """The state with a path for each multiple of the small number by which it is moved."""
    start = InitialState.of(system, None, model=model)
    shape = system.workings.model(variables="velocity").structure.shape
    steps = H * np.array(MULTIPLES)
    u, stored = (np.repeat(x, len(MULTIPLES), axis=1) for x in (start.u, start.stored))
    if direction.kind == "velocity":
        u[direction.number] += steps
    else:
        v = np.zeros((model.group.dimension, len(MULTIPLES)))
        v[direction.number] = steps
        stored = model.group.move(stored, v, "exp")
    state, at = {}, 0
    for variable in shape.variables:
        if variable.name in shape.first:  # momenta where equations come from h
            state[variable.name] = u[at : at + variable.dimension].T
            at += variable.dimension
    names = model.group.stored_names
    state |= dict(zip(names, stored, strict=True))
    return {k: v[:, 0] if v.ndim == 2 and v.shape[1] == 1 else v for k, v in state.items()}


def chosen(system, model, parameters):
    """Parameters that differ in kind, and directions of the start: the first of each variable, and one of the configuration."""
    every = tangents_of(model, ["state"]).directions
    first = {d.group: d for d in every if d.kind in ("velocity", "configuration")}
    names = dict.fromkeys(name for name, _ in system.workings.symbol_places)
    places = [next(i for i, (n, _) in enumerate(system.workings.symbol_places) if n == name) for name in names]
    return places[:parameters] if parameters else places, list(first.values())


def worst(system, label, parameters=0):
    """The largest difference from central differences, relative to the size of the derivative, over some directions.

    Steps are as long as :data:`LONGEST_STEP`, or half of it and so on where the method has no solution.
    """
    method, model = integrator(label), system.workings.model()
    method.retraction(model)  # raises an error for equations to which the method does not apply
    for halvings in range(HALVINGS):
        try:
            return differences(system, method, model, parameters, LONGEST_STEP / 2**halvings)
        except NotConverged:
            continue
    raise AssertionError(f"{label} does not converge, however small its step is")


def differences(system, method, model, parameters, dt):
    """The difference from central differences of each direction, relative to the size of the derivative."""
    places, directions = chosen(system, model, parameters)
    labels = [
        system.workings.symbol_places[p][0] + "_".join(str(i + 1) for i in system.workings.symbol_places[p][1])
        for p in places
    ]
    labels += [d.label for d in directions]
    with_tangents = model.differentiated(tangents_of(model, labels))
    start = with_slopes(
        InitialState.of(system, None, model=model), with_tangents, None, 0.0, validate=True, located=True
    )
    dW = increments(method, model, dt)
    y, stored = end(method, with_tangents, start.vector(with_tangents, 0.0), start.stored, dt, dW)
    d, r = model.dimension, len(stored)
    plain = end(method, model, *start_of(system, model), dt, dW)
    assert np.array_equal(y[:d], plain[0])
    assert np.array_equal(stored, plain[1])
    ours = y[d:].reshape(len(labels), d + r)
    found = {}
    for k, label_of in enumerate(labels):
        if k < len(places):
            other, h = moved_parameter(system, places[k])
            begin = start_of(other, other.workings.model())
            both = np.concatenate(end(method, other.workings.model(), *begin, dt, dW))
        else:
            h, begin = H, start_of(system, model, moved_state(system, model, directions[k - len(places)]))
            both = np.concatenate(end(method, model, *begin, dt, dW))
        theirs = sum(w * (both[:, 2 * m - 1] - both[:, 2 * m]) for m, w in DIFFERENCES) / h
        natural = (
            np.max(np.abs(both[:, 0])) * H / h
        )  # of a derivative by the logarithm of the parameter; this one may be 0
        found[label_of] = float(np.max(np.abs(ours[k] - theirs)) / max(np.max(np.abs(theirs)), 1e-3 * natural))
    return found


def kernels_differ(system):
    """How many numbers of a run with derivatives differ between kernels and array code, and how many there are."""
    model = system.workings.model()
    places, directions = chosen(system, model, 1)
    name = system.workings.symbol_places[places[0]][0]
    runs = [system.simulate(t_end=0.01, dt=0.001, paths=9, seed=1, execution=sd.Execution(engine=engine, threads=1),
                            formulation=sd.Formulation(sensitivity=[name, directions[0].label]))
            for engine in ("numpy", "compiled")]  # fmt: skip
    array, kernel = ({k: v for k, v in run.items() if k.startswith("sensitivity.")} for run in runs)
    return sum(int(np.sum(array[k] != kernel[k])) for k in array), sum(v.size for v in array.values())


def measure(name: str) -> dict[str, Any]:
    """The largest difference by method, with its direction, ``None`` for methods that are for other equations; and kernels."""
    system, found = sd.load(name), dict[str, Any]()
    for label in METHOD_NAMES:
        try:
            by = worst(system, label)
        except MethodError:
            found[label] = None
            continue
        largest = max(by, key=by.get)
        found[label] = {"difference": by[largest], "direction": largest, "directions": len(by)}
    differ, numbers = kernels_differ(system)
    return {"methods": found, "kernels": {"differ": differ, "numbers": numbers}}


def load() -> dict[str, dict[str, Any]]:
    """What was measured."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def table(measured: dict[str, dict[str, Any]]) -> str:
    """The table of the page: the largest difference of each method."""
    rows = [
        "| method | systems | derivatives | largest difference | of the derivative of |",
        "|---|---:|---:|---:|---|",
    ]
    for label in METHOD_NAMES:
        of = {name: known["methods"][label] for name, known in measured.items() if known["methods"][label]}
        name = max(of, key=lambda name: of[name]["difference"])
        rows.append(f"| `{label}` | {len(of)} | {sum(x['directions'] for x in of.values())} | "
                    f"{of[name]['difference']:.1e} | {name} by {of[name]['direction']} |")  # fmt: skip
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Measure, and write the page."""
    known = load() if MEASURED.exists() else {}
    if arguments != ["--pages"]:
        for name in arguments or plugins.available():
            known[name] = measure(name)
            by = {k: x["difference"] for k, x in known[name]["methods"].items() if x}
            print(f"{name:24s} {len(by)} methods, at most {max(by.values()):.1e}", known[name]["kernels"], flush=True)
            MEASURED.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(pages.between(text, "central differences", table(known)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

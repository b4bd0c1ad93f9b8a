# ruff: noqa: E501
"""Random compositions: a kind of system, options of its run, and what is done with the run, with arguments that mostly fit.

``python tests/fuzz/compositions.py 3000 --seed 1`` makes many of them; a test makes a fixed slice. Each is made twice, of two
statements of one system on the same noise: other units (masses or times multiplied by a power of four), another origin or
level, axes, factors or noises in another order, parameters and starts as equal values per path. It passes where both give the
same values, or both raise an error of :mod:`semidirect.core.errors` of the same class. Anything else is a fault: an exception of
another kind, a value that the statement changes, a call that does not end.
"""

from __future__ import annotations

import os
import pickle
import random
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "verification"))
sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from limits import TooLong, large_run, time_limit
from what_works_with_what.kind import Kind, Statement, has_values_per_path, is_hybrid
from what_works_with_what.kinds import KINDS
from what_works_with_what.restatements import PATHS, restatements
from what_works_with_what.runs import value

import semidirect as sd
from semidirect.core.errors import SemidirectError
from semidirect.integrators import integrator
from semidirect.specification import default_method

SECONDS = 60
WITHIN = 1e-6
METHODS = ("euler-maruyama", "heun", "euler-heun", "milstein", "lie-heun", "lie-midpoint", "lie-milstein", "rk4", "rkmk4", "implicit-midpoint",
           "gauss(1)", "gauss(2)", "sdelab(1)", "sdelab(0.5)", "sra1", "rs1", "rs2", "nonholonomic", "coadjoint-midpoint", "variational",
           "lift(heun)", "dop853", "lie-heun(exp)", "milstein(areas)")  # fmt: skip

Values = dict[str, Any]


class Composition:
    """One composition, drawn from a seed; :meth:`of` makes it in a statement of its system."""

    def __init__(self, seed: int, number: int):
        self.draw = random.Random(f"{seed} {number}")
        self.kind: Kind = self.draw.choice(KINDS)
        self.hybrid = is_hybrid(self.kind.made.system)
        draw = self.draw
        self.restatement = draw.choice(restatements(self.kind))
        self.steps = draw.choice((1, 2, 3, 4, 8))
        self.dt = draw.choice((1 / 128, 1 / 64, 1 / 32, 0.01, 0.03))
        self.paths = draw.choice((1, 2, 4)) if not self._fixed() else PATHS
        self.number = draw.randrange(10**6)
        self.options = {name: option(self) for name, option in OPTIONS.items() if draw.random() < 0.22}
        self.after = draw.choice(list(AFTER))
        if self.restatement.noises:  # which needs increments that are given
            self.options["driver"] = _driver(self, 5)

    def _fixed(self) -> bool:
        start = self.kind.state or {}
        if self.restatement.varied:
            return True
        return has_values_per_path(self.kind.made.system) or any(np.ndim(v) > 1 for v in start.values())

    def quantity(self) -> tuple[str, float]:
        """A scalar of the kind and a number near its values."""
        name = self.draw.choice(self.kind.names)
        return name, self.draw.choice((0.0, 0.25, 0.5, 0.9, 1.0, -0.25, 1.25, self.draw.uniform(-1, 2)))

    def call(self, st: Statement) -> Values:
        """The arguments of its run in a statement."""
        given: Values = {"dt": self.dt * st.clock, "t_end": self.steps * self.dt * st.clock, "paths": self.paths, "seed": self.number,
                         "state": st.state, "execution": sd.Execution(engine="numpy", threads=1)}  # fmt: skip
        if self.hybrid:
            given["mode"] = "flight"
        save: Values = {}
        for name, asked in self.options.items():
            found = asked(st)
            if name in ("crossings", "saved", "names"):
                save |= found
            else:
                given |= found
        return given | ({"save": sd.Save(**save)} if save else {})

    def of(self, st: Statement) -> Values:
        """What it gives in a statement: numbers in the units of the kind."""
        with tempfile.TemporaryDirectory() as folder:
            return AFTER[self.after](self, st, Path(folder))

    def fits(self) -> bool:
        """Whether what is done follows for the restatement.

        Filters and means draw numbers for each path; in some restatements paths are the same if the group moves what is advected.
        """
        if self.restatement.varied and self.after in ("filter", "multilevel", "prove", "evaluate", "evolution"):
            return False  # of one system in one state
        if self.restatement.geometric:
            system = self.kind.made.system
            method = self.options["method"](self.kind.made)["method"] if "method" in self.options else system.method
            if not integrator(method or default_method(system).method).geometric:
                return False
        return not (
            self.restatement.noises and self.after in ("filter", "multilevel", "stepper", "continue", "lyapunov")
        )

    def __repr__(self) -> str:
        shown = {name: str(asked(self.kind.made))[:120] for name, asked in self.options.items()}
        return f"{self.kind.name}, {self.restatement.name}, {self.steps} steps of {self.dt:g}, {self.paths} paths, {shown}, {self.after}"


def scaled(st: Statement, name: str, number: float) -> float:
    """A number of a quantity in a statement."""
    return number * st.factor.get(name, 1.0) + st.offset.get(name, 0.0)


Asked = Callable[[Statement], Values]


def _method(c: Composition) -> Asked:
    name = c.draw.choice(METHODS)
    return lambda st: {"method": name}


def _driver(c: Composition, which: int | None = None) -> Asked:
    m = 1 if c.hybrid else max(int(c.kind.made.system.workings.model().wieners), 0)
    which = c.draw.randrange(7) if which is None else which
    dW = np.random.default_rng(c.draw.randrange(10**6)).standard_normal((c.steps, m, c.paths)) * np.sqrt(c.dt)

    def asked(st: Statement) -> Values:
        root = np.sqrt(st.clock)
        order = list(c.restatement.noises) if st is c.restatement.statement and c.restatement.noises else list(range(m))
        makers = (lambda: sd.Wiener(covariance=np.eye(m) * 0.5 + 0.25) if m else sd.Wiener(), lambda: sd.Wiener(path=3),
                  lambda: sd.Wiener(increment_law="three-point"), lambda: sd.Wiener(resolution=c.dt * st.clock / 2), lambda: 0,
                  lambda: dW[:, order] * root, lambda: sd.Wiener())  # fmt: skip
        return {"driver": makers[which]()}

    return asked


def _stop(c: Composition) -> Asked:
    (name, level), which = c.quantity(), c.draw.randrange(4)

    def asked(st: Statement) -> Values:
        there, at = st.same.get(name, name), scaled(st, name, level)
        return {"stop": (sd.Stop(there, above=at), sd.Stop(there, below=at, locate=True), sd.Crossing(there, at),
                         [sd.Crossing(there, at, "rising"), sd.Stop(there, below=at)])[which]}  # fmt: skip

    return asked


def _crossings(c: Composition) -> Asked:
    name, level = c.quantity()
    direction = c.draw.choice(("both", "rising", "falling"))
    most = c.draw.choice((1, 3, 100))
    return lambda st: {"crossings": sd.Crossing(st.same.get(name, name), scaled(st, name, level), direction, most=most)}


def _saved(c: Composition) -> Asked:
    which = c.draw.choice(("final", "every:2", "every:3", "all"))
    return lambda st: {"times": which}


def _reduce(c: Composition) -> Asked:
    (name, level), which = c.quantity(), c.draw.sample(range(6), c.draw.choice((1, 2, 6)))

    def asked(st: Statement) -> Values:
        there, a, b = st.same.get(name, name), scaled(st, name, level), scaled(st, name, level + 1)
        every = [sd.Moments([there]), sd.Covariance([there]), sd.Extremes([there]), sd.Histogram(there, a, b, bins=3),
                 sd.FirstPassage(there, a), sd.TimeAverage([there], batches=2)]  # fmt: skip
        return {"reduce": [every[i] for i in which]}

    return asked


def _checks(c: Composition) -> Asked:
    (name, level), failure = c.quantity(), c.draw.choice(("report", "mask", "raise"))
    check = c.draw.random() < 0.3
    bound = abs(level) + 0.01

    def asked(st: Statement) -> Values:
        if name in c.restatement.statement.offset:  # a bound is one of the absolute value
            return {}
        there = st.same.get(name, name)
        return {"checks": sd.Checks({there: bound * st.factor.get(name, 1.0)}, on_failure=failure, error_check=check)}

    return asked


def _formulation(c: Composition) -> Asked:
    parts: Values = {}
    if c.draw.random() < 0.5:
        parts["sensitivity"] = c.draw.choice((c.kind.parameter or "configuration", "configuration", "state"))
    if c.draw.random() < 0.3:
        parts["reconstruct"] = False
    if c.draw.random() < 0.3:
        parts["variables"] = "velocity"
    if c.draw.random() < 0.1:
        parts["form"] = c.draw.choice(("A", "B"))
    return lambda st: {"formulation": sd.Formulation(**parts)}


def _execution(c: Composition) -> Asked:
    threads, engine = c.draw.choice((1, 2)), "compiled" if c.draw.random() < 0.04 else "numpy"
    return lambda st: {"execution": sd.Execution(engine=engine, threads=threads)}


def _start(c: Composition) -> Asked:
    at = c.draw.choice((1, 5, -2))
    return lambda st: {"t_start": at * c.dt * st.clock, "t_end": (at + c.steps) * c.dt * st.clock}


OPTIONS: dict[str, Callable[[Composition], Asked]] = {
    "method": _method, "driver": _driver, "stop": _stop, "crossings": _crossings, "saved": _saved, "reduce": _reduce,
    "checks": _checks, "formulation": _formulation, "execution": _execution, "t_start": _start,
}  # fmt: skip


def simulated(c: Composition, st: Statement, **more: Any) -> Any:
    """Its run."""
    return st.system.simulate(**{**c.call(st), **more})


def numbers(c: Composition, st: Statement, run: Any) -> Values:
    """The values of a run in the units of the kind."""
    out: Values = {}
    for name in c.kind.names:
        try:
            out[name] = value(st, run, name)
        except SemidirectError:
            continue
    out["status"] = np.asarray(run.status if is_hybrid(st.system) else run.data.status)
    if hasattr(run, "stopped"):
        out["stopped at"] = run.stopped.time / st.clock
        out |= {f"crossings {i}": np.asarray(x.times) / st.clock for i, x in enumerate(run.crossings)}
    return out


def _just_run(c: Composition, st: Statement, folder: Path) -> Values:
    return numbers(c, st, simulated(c, st))


def _split(c: Composition, st: Statement, folder: Path) -> Values:
    """With one thread and with two, the same bits."""
    a, b = (simulated(c, st, execution=sd.Execution(engine="numpy", threads=n)) for n in (1, 2))
    for name, x in numbers(c, st, a).items():
        assert np.array_equal(x, numbers(c, st, b)[name], equal_nan=True), f"threads change {name}"
    return {}


def _pickled(c: Composition, st: Statement, folder: Path) -> Values:
    return numbers(c, st, pickle.loads(pickle.dumps(simulated(c, st))))


def _stored(c: Composition, st: Statement, folder: Path) -> Values:
    run = simulated(c, st)
    run.save(folder / "run")
    found = sd.Run.load(folder / "run")
    for name, x in numbers(c, st, run).items():
        assert np.array_equal(x, numbers(c, st, found)[name], equal_nan=True), f"a store changes {name}"
    return {}


def _extended(c: Composition, st: Statement, folder: Path) -> Values:
    given = c.call(st)
    whole = st.system.simulate(**given)
    save = given.get("save", sd.Save())
    asked = sd.Save(save.times, names=save.names, crossings=save.crossings, store=folder / "run")
    half = given["t_end"] - (c.steps // 2) * given["dt"]
    if c.steps < 2 or not isinstance(save.times, str):
        return {}
    st.system.simulate(**{**given, "save": asked, "t_end": half})
    how = {"driver": given["driver"]} if isinstance(given.get("driver"), np.ndarray) else {}
    found = sd.extend(folder / "run", t_end=given["t_end"], system=st.system, **how)
    for name, x in numbers(c, st, whole).items():
        y = numbers(c, st, found)[name]
        assert np.array_equal(x, y, equal_nan=True), f"extending changes {name} by {np.abs(x - y).max():.2g}"
    return {}


def _continued(c: Composition, st: Statement, folder: Path) -> Values:
    given = c.call(st)
    first = st.system.simulate(**{**given, "save": "final", "reduce": None})
    rest = {k: v for k, v in given.items() if k not in ("state", "paths", "seed", "t_start", "mode")}
    return numbers(
        c, st, st.system.simulate(**{**rest, "state": first.final, "t_end": given["t_end"] + 2 * given["dt"]})
    )


def _data_set(c: Composition, st: Statement, folder: Path) -> Values:
    run = simulated(c, st)
    found = run.to_xarray()
    found.to_netcdf(folder / "run.nc")
    if not c.hybrid:
        assert len(run.to_pandas()) == run.paths * len(run.times)
    return {}


def _plotted(c: Composition, st: Statement, folder: Path) -> Values:
    run, name = simulated(c, st), st.same.get(c.kind.scalar, c.kind.scalar)
    which = c.number % 4
    (run.plot, run.plot.histogram, run.plot.quantiles, lambda x: run.plot.phase(x, x))[which](name)
    return {}


def _viewed(c: Composition, st: Statement, folder: Path) -> Values:
    html = simulated(c, st).view().html
    assert len(html) > 1000
    return {}


def _monitored(c: Composition, st: Statement, folder: Path) -> Values:
    return {"lines": np.asarray(str(simulated(c, st).monitor(st.system)).count("\n"))}


def _observed(c: Composition, st: Statement, folder: Path) -> Values:
    name = c.kind.scalar
    data = sd.Observation(st.same.get(name, name), noise=st.factor.get(name, 1.0)).of(simulated(c, st), seed=3)
    return {"data": (np.asarray(data) - st.offset.get(name, 0.0)) / st.factor.get(name, 1.0)}


def _shown(c: Composition, st: Statement, folder: Path) -> Values:
    run = simulated(c, st)
    assert repr(run)
    assert c.hybrid or (run._repr_html_() and run.failures() is not None)
    return {}


def _arguments(c: Composition, st: Statement, *names: str) -> Values:
    return {k: v for k, v in c.call(st).items() if k in names}


def _stepped(c: Composition, st: Statement, folder: Path) -> Values:
    given = _arguments(
        c, st, "dt", "t_start", "paths", "seed", "method", "state", "driver", "checks", "execution", "formulation"
    )
    ensemble = st.system.ensemble(**given).advance(steps=c.steps)
    found = ensemble.read(*[st.same.get(n, n) for n in c.kind.names])
    return {n: (found[st.same.get(n, n)] - st.offset.get(n, 0.0)) / st.factor.get(n, 1.0) for n in c.kind.names}


def _lyapunov(c: Composition, st: Statement, folder: Path) -> Values:
    given = _arguments(c, st, "dt", "t_start", "t_end", "paths", "seed", "method", "state", "driver", "execution")
    given["t_end"] += 8 * given["dt"]
    sd.lyapunov(st.system, every=2, batches=2, burn_in=0.0, **given)
    return {}


def _filtered(c: Composition, st: Statement, folder: Path) -> Values:
    import xarray

    given = _arguments(c, st, "dt", "t_start", "method", "driver", "state", "execution")
    name = c.kind.scalar
    factor = st.factor.get(name, 1.0)
    t = given.get("t_start", 0.0) + np.arange(1, 3) * given["dt"] * 2
    rows = np.array([[0.9], [0.8]]) * factor + st.offset.get(name, 0.0)
    label = st.same.get(name, name)
    data = xarray.DataArray(rows, {"time": t, "component": [label]}, ["time", "component"])
    update = ("particles", "ensemble-kalman", "extended-kalman")[c.number % 3]
    found = sd.filter(
        st.system, sd.Observation(label, noise=0.3 * factor), data, particles=8, seed=c.number, update=update, **given
    )
    return {"log-likelihood": np.asarray(found.log_likelihood + 2 * np.log(factor))}


def _multilevel(c: Composition, st: Statement, folder: Path) -> Values:
    given = _arguments(c, st, "dt", "t_start", "t_end", "method", "state", "driver", "execution")
    name = c.kind.scalar
    factor = st.factor.get(name, 1.0)
    found = sd.multilevel(st.system, st.same.get(name, name), rmse=0.1 * factor, seed=c.number, levels=3, **given)
    return {"mean": np.asarray((found.estimate - st.offset.get(name, 0.0)) / factor)}


def _proved(c: Composition, st: Statement, folder: Path) -> Values:
    name = st.same.get(c.kind.scalar, c.kind.scalar)
    text = (name, f"{name}**2", f"({name} + 1)/2", "dot(Gamma, Gamma)", f"sqrt(1 + {name}**2)")[c.number % 5]
    return {"holds": np.asarray(float(st.system.prove(text).holds))}


def _evolved(c: Composition, st: Statement, folder: Path) -> Values:
    assert str(st.system.evolution(st.same.get(c.kind.scalar, c.kind.scalar)))
    return {}


def _evaluated(c: Composition, st: Statement, folder: Path) -> Values:
    found = st.system.evaluate(dict(st.state or {}))
    values = {n: found["observables"][n]["value"] for n in c.kind.names if n in found["observables"]}
    return {n: np.asarray(v - st.offset.get(n, 0.0)) / st.factor.get(n, 1.0) for n, v in values.items()}


AFTER: dict[str, Callable[[Composition, Statement, Path], Values]] = {
    "run": _just_run, "split": _split, "pickle": _pickled, "store": _stored, "extend": _extended, "continue": _continued,
    "data set": _data_set, "plot": _plotted, "view": _viewed, "monitor": _monitored, "observe": _observed, "show": _shown,
    "stepper": _stepped, "lyapunov": _lyapunov, "filter": _filtered, "multilevel": _multilevel, "prove": _proved,
    "evolution": _evolved, "evaluate": _evaluated,
}  # fmt: skip


def attempt(c: Composition, st: Statement) -> tuple[str, Values]:
    """The class of an error of ours, or "", and the values."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return "", c.of(st)
    except SemidirectError as error:
        return type(error).__name__, {"error": str(error)}


def outcome(c: Composition) -> str:
    """What is wrong with a composition: empty, or the reason."""
    if not c.fits():
        return ""
    try:
        with time_limit(SECONDS):
            (first, ours), (second, theirs) = attempt(c, c.kind.made), attempt(c, c.restatement.statement)
    except TooLong as late:
        return f"does not end within {SECONDS} s: {late}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {error}"
    if first != second:
        return f"restated: {first or 'a value'} and {second or 'a value'}: {ours.get('error', '')} {theirs.get('error', '')}"
    if first:
        return ""
    for name, x in ours.items():
        x, y = np.asarray(x, dtype=float), np.asarray(theirs.get(name), dtype=float)
        if x.shape != y.shape or not np.array_equal(np.isnan(x), np.isnan(y)):
            return f"restated: {name} has another form or nan elsewhere"
        within = c.restatement.within and WITHIN
        if x.size and not np.isnan(x).all() and np.nanmax(np.abs(x - y)) > within * (1 + np.nanmax(np.abs(x))):
            return f"restated: {name} differs by {np.nanmax(np.abs(x - y)):.3g}"
    return ""


def failures(count: int, seed: int, say: Callable[[str], None] = lambda text: None) -> list[tuple[str, str]]:
    """The compositions, of ``count``, that do not pass, each with the reason."""
    found = []
    for number in range(count):
        c = Composition(seed, number)
        reason = outcome(c)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
        if reason:
            found.append((repr(c), reason))
            say(f"{number}: {c}\n    {reason[:400]}")
    return found


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    large_run("compositions", failures, __doc__)

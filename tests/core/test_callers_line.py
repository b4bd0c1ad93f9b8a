"""Every warning of the package names the line of a user's file, however many functions and decorators lie between."""

import ast
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, cached_property, partial
from importlib.metadata import EntryPoint
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import semidirect as sd
from semidirect.core import callers_line, registry
from semidirect.definition import plugins
from semidirect.integrators import METHODS

SOURCE = Path(sd.__file__).parent
OURS = {kind for kind in map(partial(getattr, sd.errors), dir(sd.errors)) if isinstance(kind, type)}
OURS = {kind for kind in OURS if issubclass(kind, Warning)}


class Growing(sd.System):
    """z' = z² beside a body, whose energy is another one for numbers if ``steered``."""

    group = sd.SO3()
    steered: sd.Option = sd.option(False)
    mass: sd.Parameter = sd.parameter(1.0, positive=True)

    def lagrangian(self, xi):
        kinetic = sd.ops.dot(xi.Omega, xi.Omega) / 2
        return 2 * kinetic if self.steered and self.mass == 1 else kinetic

    def internal(self):
        return [sd.InternalState("z", 0.0, drift=lambda z: [z.z**2])]


class Slow(sd.System):
    """dv = −v dt + dW, with a parameter that nothing depends on."""

    group = sd.RealSpace(1)
    initial = {"v": 1.0}
    mass: sd.Parameter = sd.parameter(1.0, positive=True)

    def lagrangian(self, xi):
        return self.mass * xi.v * xi.v / 2

    def force(self, xi):
        return (-self.mass * xi.v,)

    def noise_force(self, xi):
        return [(self.mass,)]


@cache
def failed():
    """A run of which a path fails; its warnings are not the ones in question."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Growing().simulate(t_end=0.5, dt=0.1, state={"z": [1e3, 0.0]}, reduce=sd.TimeAverage("M3"))


CALL = {"t_end": 0.5, "dt": 0.1}
SEEN = sd.Observation("v", noise=0.1)
TIMES = np.array([0.25, 0.5, 0.75])
FILTER = {"dt": 0.25, "method": "heun", "update": "extended-kalman"}
HYBRID = sd.Hybrid({"a": Growing(), "b": Growing()}, [sd.Switch("a", "b", sd.Crossing("z", -1, "falling"))])
WAYS = {
    "simulate": ("DefinitionWarning", lambda: Growing(steered=True).simulate(**CALL)),
    "evaluate": ("DefinitionWarning", lambda: Growing(steered=True).evaluate()),
    "exponents": ("DefinitionWarning", lambda: sd.lyapunov(Growing(steered=True), t_end=10, dt=0.25, paths=2)),
    "a run": ("FailedPathsWarning", lambda: Growing().simulate(**CALL, state={"z": 1e3})),
    "a longer run": ("FailedPathsWarning", lambda: sd.extend(failed(), t_end=0.6)),
    "a hybrid run": ("FailedPathsWarning", lambda: HYBRID.simulate(mode="a", **CALL, state={"z": 1e3})),
    "a filter": ("FilterWarning", lambda: sd.filter(Slow(), SEEN, (TIMES, np.full((3, 1), 50.0)), **FILTER)),
    "particles": ("FilterWarning", lambda: sd.filter(Slow(), SEEN, (TIMES, np.full((3, 1), 50.0)), dt=0.25, particles=20)),
    "a fit": ("FilterWarning", lambda: sd.fit(Slow(), SEEN, (TIMES, np.full((3, 1), 50.0)), "mass", **FILTER)),
    "an average": ("ShortAverageWarning", lambda: failed().reductions["time-average"].standard_error),
    "plugins": ("PluginWarning", lambda: plugins.available()),
    "a table": ("PluginWarning", lambda: list(METHODS)),
    "a name": ("MovedNameWarning", lambda: attrgetter("InputError")(sd)),
    "of a class": ("MovedNameWarning", lambda: Growing.parameters),
    "of an object": ("MovedNameWarning", lambda: failed().units),
    "imported": ("MovedNameWarning", lambda: exec("from semidirect import InputError")),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _two_plugins_of_one_name(monkeypatch):
    def points(group):
        found = [EntryPoint("heun", "no.such.module:Heun", group) for _ in range(2)]
        for point, name in zip(found, ("one", "two"), strict=True):
            vars(point)["dist"] = SimpleNamespace(name=name)
        return found

    monkeypatch.setattr(registry.extension, "entry_points", points)


def said(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [w for w in caught if w.category in OURS]


@pytest.mark.parametrize(("kind", "call"), WAYS.values(), ids=WAYS)
def test_a_warning_names_the_line_of_the_user(kind, call):
    found = said(call)
    assert {w.category.__name__ for w in found} >= {kind}
    file = "<string>" if "exec" in call.__code__.co_names else __file__
    line = 1 if file == "<string>" else call.__code__.co_firstlineno
    assert {(w.filename, w.lineno) for w in found} == {(file, line)}


def test_all_kinds_of_warnings_are_tried():
    assert {kind for kind, _ in WAYS.values()} == {kind.__name__ for kind in OURS}


def test_functions_of_pythons_library_between_are_passed_over():
    class Holder:
        @cached_property
        def value(self):
            return callers_line.warn_caller("once", sd.errors.FilterWarning)

    @contextmanager
    def around():
        yield

    place = around()(lambda: Holder().value)
    (warning,) = said(place)
    assert warning.filename == __file__
    with ThreadPoolExecutor(1) as pool:  # no line of a user in that thread
        (warning,) = said(lambda: pool.submit(callers_line.warn_caller, "once", sd.errors.FilterWarning).result())
    assert not warning.filename.startswith(callers_line.PACKAGE)


def test_a_line_that_repeats_itself_is_shown_once_by_default():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            callers_line.warn_caller("repeated", sd.errors.FilterWarning)
        callers_line.warn_caller("repeated", sd.errors.FilterWarning)
    assert len(caught) == 2


def test_nothing_else_warns():
    """No other file of the package calls ``warnings.warn``, whose line is a number of calls."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            assert name not in ("warn", "warn_explicit") or path.name == "callers_line.py", path

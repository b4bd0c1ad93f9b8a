"""Quantities that a compiled function reads have the bits of array code, and so do functions of them."""

from itertools import islice

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.compile.of_equations import OfEquations
from semidirect.compile.row_functions import readers as module
from semidirect.compile.row_functions.readers import OfRows, reader
from semidirect.definition import plugins
from semidirect.model.numerical_model import NumericalSDE
from semidirect.quantities.quantities import Quantities
from semidirect.results.values_at_end import ValuesAtEnd
from semidirect.stepper.ensemble_stepper import stepper

PATHS = 150  # two blocks of 64 lanes and a part of one


def uses():
    """What was read so far, compiled or not."""
    return module.USES.all()


def moved(system, **options):
    """Paths of a system that have moved by some steps, and all quantities that they can read."""
    ensemble = stepper(system, dt=0.01, paths=PATHS, seed=5, execution=sd.Execution(engine="numpy"), **options)
    ensemble.advance(steps=5)
    reduced = options.get("formulation", sd.Formulation()).reconstruct
    model = NumericalSDE.of(system) if reduced else NumericalSDE.of(system).reduced()
    return ensemble, model, Quantities.of(system, model, None).everything


def compiled_values(monkeypatch, ensemble, quantities, functions=()):
    """The values that a compiled function gives, which is used from the first call on."""
    monkeypatch.setattr(module, "USES", OfEquations())
    monkeypatch.setattr(module, "WORTH_COMPILING", 0.0)
    monkeypatch.setattr(module, "WORTH_LOADING", 0.0)
    found = ensemble.values(quantities, functions)
    assert all(use.reader is not None for use in uses())
    return found


def array_values(monkeypatch, ensemble, quantities, functions=()):
    """The values that array code gives."""
    monkeypatch.setattr(module, "USES", OfEquations())
    monkeypatch.setattr(module, "WORTH_COMPILING", np.inf)
    monkeypatch.setattr(module, "WORTH_LOADING", np.inf)
    return ensemble.values(quantities, functions)


@pytest.mark.parametrize("name", list(plugins.available()))
def test_all_quantities_of_all_systems(monkeypatch, name):
    ensemble, _, quantities = moved(sd.load(name))
    expected = array_values(monkeypatch, ensemble, quantities)
    found = compiled_values(monkeypatch, ensemble, quantities)
    assert uses()
    assert list(found) == list(quantities)
    for key, values in expected.items():
        assert found[key].tobytes() == values.tobytes(), key


def test_reduced_equations_and_parameters_of_each_path(monkeypatch):
    parameters = {"inertia": sd.PerPath(1 + np.random.default_rng(0).random((PATHS, 3)))}
    for system, options in [
        (sd.load("heavy-top"), {"formulation": sd.Formulation(reconstruct=False)}),
        (sd.load("rigid-body").replace(**parameters), {}),
    ]:
        ensemble, _, quantities = moved(system, **options)
        rows = {k: v for k, v in quantities.items() if k in ("Omega", "energy", "M")}
        expected = array_values(monkeypatch, ensemble, rows)
        found = compiled_values(monkeypatch, ensemble, rows)
        assert {k: v.tobytes() for k, v in found.items()} == {k: v.tobytes() for k, v in expected.items()}
    assert np.unique(found["energy"]).size == PATHS


def test_functions_of_rows(monkeypatch):
    """Every operation that a likelihood has, and numbers that are not finite, which every path or some have."""
    ensemble, _, quantities = moved(sd.load("rigid-body"))
    rows = {k: quantities[k] for k in ("Omega", "energy")}

    def function(given, numbers):
        a, b, c, energy = given
        logarithm = ops.log(1 + ops.where(a > numbers[0], b * b, ops.exp(c)) / energy)
        return ops.where(b > numbers[1], -numbers[2], logarithm * numbers[3])

    for numbers in [(0.1, 1.0, np.inf, 2.5), (0.3, 0.9, np.nan, -1.0), (-1e9, 1e9, 0.0, 1.0)]:
        one = OfRows("u", "a function", function, ("Omega", "energy"), numbers)
        expected = array_values(monkeypatch, ensemble, rows, [one])["u"]
        found = compiled_values(monkeypatch, ensemble, rows, [one])["u"]
        assert found.shape == (PATHS, 1)
        np.testing.assert_array_equal(found, expected)


def test_what_is_not_compiled_is_read_by_array_code(monkeypatch):
    """Derivatives, tables, and a function that kernels do not have."""
    monkeypatch.setattr(module, "USES", OfEquations())
    monkeypatch.setattr(module, "WORTH_COMPILING", 0.0)
    monkeypatch.setattr(module, "WORTH_LOADING", 0.0)
    ensemble, model, quantities = moved(sd.load("rigid-body"))
    rows = {"energy": quantities["energy"]}

    def sine(given, numbers):
        return np.sin(np.asarray(given[0], dtype=float))

    one = OfRows("u", "sine of NumPy", sine, ("energy",), ())
    for _ in range(2):
        assert np.array_equal(ensemble.values(rows, [one])["u"], np.sin(ensemble.values(rows)["energy"]))
    assert [use.possible for use in uses()] == [False, True]
    assert reader(model, rows, ("energy",), (), PATHS) is not None
    differentiated = stepper(
        sd.load("rigid-body"), dt=0.01, paths=3, seed=1, formulation=sd.Formulation(sensitivity="state")
    )
    assert reader(differentiated._spec.model, rows, ("energy",), (), 10**9) is None


def test_few_readings_are_not_compiled(monkeypatch):
    monkeypatch.setattr(module, "USES", OfEquations())
    ensemble, model, quantities = moved(sd.load("rigid-body"))
    rows = {"energy": quantities["energy"]}
    used = [reader(model, rows, ("energy",), (), PATHS) is not None for _ in range(3000)]
    first = used.index(True)
    assert used == [False] * first + [True] * (len(used) - first)
    assert first > 50
    assert len(uses()) == 1
    assert list(islice(ensemble.values(rows), 1)) == ["energy"]


def test_components_of_the_state_are_not_copied():
    ensemble, model, quantities = moved(sd.load("routh-sphere"))
    end = {"y": np.arange(PATHS * model.dimension, dtype=float).reshape(-1, PATHS).T,
           "stored": np.arange(PATHS * 12, dtype=float).reshape(-1, PATHS).T}  # fmt: skip
    values = ValuesAtEnd.of_states(model, end, 0.0, {"x": quantities["x"], "Gamma": quantities["Gamma"]})
    assert np.shares_memory(values["x"], end["stored"])
    assert np.shares_memory(values["Gamma"], end["y"])
    assert ensemble.paths == PATHS

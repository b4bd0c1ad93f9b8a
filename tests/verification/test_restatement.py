# ruff: noqa: E501
"""Results do not depend on how a problem is stated: units, origins, levels, the order of axes, noises and factors, values per path,
division in time and paths. ``tests/fuzz/compositions.py`` does the same at random, with every option of a run.
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect.integrators import integrator

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))
sys.path.insert(0, str(Path(__file__).parent))

from compositions import Composition, attempt, numbers, outcome
from what_works_with_what.kind import is_hybrid
from what_works_with_what.kinds import KINDS, kind_of
from what_works_with_what.of_runs import level_of
from what_works_with_what.restatements import restatements
from what_works_with_what.runs import apart, run

NUMPY = sd.Execution(engine="numpy", threads=1)


def method_of(kind):
    """A method that no origin changes."""
    return "isospectral-midpoint" if isinstance(kind.made.system, sd.MatrixLiePoisson) else "lie-heun"


@cache
def energies(kind):
    """The scalar of a kind over a short run, of which levels are chosen."""
    return np.asarray(run(kind.made, method=method_of(kind))[kind.scalar])


def eventful(kind, stated, noises=()):
    """A run with a located stop and a crossing that is recorded, by a method that no origin changes, in the units of the kind.

    Where noises stand in another order, ``noises``, increments are given and nothing is located.
    """
    if is_hybrid(kind.made.system):
        return run(stated, method="rkmk4")
    name, level, how = stated.same.get(kind.scalar, kind.scalar), level_of(kind, stated, energies(kind)), {}
    stop = sd.Stop(name, above=level + 0.05 * stated.factor.get(kind.scalar, 1.0), locate=not noises)
    if noises:
        dW = np.random.default_rng(1).standard_normal((16, 3, 4)) / 8
        how["driver"] = dW if stated is kind.made else dW[:, list(noises)]
    else:
        how["save"] = sd.Save(crossings=sd.Crossing(name, level))
    return run(stated, method=method_of(kind), stop=stop, **how)


def read(kind, stated, noises=()):
    """The numbers of such a run."""
    composition = Composition.__new__(Composition)
    composition.kind = kind
    return numbers(composition, stated, eventful(kind, stated, noises))


@pytest.mark.parametrize("name", [k.name for k in KINDS])
def test_paths_and_events_do_not_depend_on_the_statement(name):
    """Identical for values per path, to 1e-8 for others."""
    kind = kind_of(name)
    ours = {noises: read(kind, kind.made, noises) for noises in {r.noises for r in restatements(kind)}}
    for restatement in restatements(kind):
        theirs = read(kind, restatement.statement, restatement.noises)
        for quantity, x in ours[restatement.noises].items():
            found = apart(theirs[quantity], x)
            assert found <= restatement.within, f"{restatement.name}: {quantity} is {found:.2g} apart"


@pytest.mark.parametrize("update", ["particles", "ensemble-kalman", "extended-kalman"])
@pytest.mark.parametrize(
    "name", ["no constraint, transport noise", "several noises", "line", "`Kinematics`", "group of one dimension"]
)
def test_filters_do_not_depend_on_the_statement(name, update):
    """To rounding."""
    from what_works_with_what.analyses import told

    kind, found = kind_of(name), []
    for stated in (kind.made, kind.units):
        sight, data = told(kind, stated)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sd.errors.FilterWarning)
            result = sd.filter(stated.system, sight, data, particles=16, seed=2, state=stated.state, update=update, dt=stated.clock / 64,
                               execution=NUMPY)  # fmt: skip
        found.append(result.log_likelihood + data.sizes["time"] * np.log(stated.factor.get(kind.scalar, 1.0)))
    assert abs(found[0] - found[1]) < 1e-9 * (1 + abs(found[0]))


class Tumbling(sd.System):
    """A body with random numbers, for restatements of random systems."""

    inertia: sd.Parameter = sd.inertia((1.0, 1.5, 2.0))
    weight: sd.Parameter = sd.parameter(0.5)
    axis: sd.Parameter = sd.parameter((0.6, 0.0, 0.8), shape=(3,))
    noise: sd.Parameter = sd.parameter(((0.2, 0.1, -0.1),), shape=(None, 3))
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}

    def lagrangian(self, xi, a):
        from semidirect import ops

        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - self.weight * ops.dot(self.axis, a.Gamma)

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


numbers_near_one = st.floats(0.25, 4).map(lambda x: round(x, 3))
vectors = st.tuples(*[st.floats(-2, 2).map(lambda x: round(x, 3))] * 3)


@settings(max_examples=25)
@given(
    st.tuples(numbers_near_one, numbers_near_one, numbers_near_one), numbers_near_one, vectors, st.lists(vectors, min_size=1, max_size=3), vectors,
    st.integers(-3, 3), st.integers(-3, 3), st.sampled_from(["heun", "lie-heun", "lie-midpoint", "implicit-midpoint", "rk4", "milstein"]),
)  # fmt: skip
def test_random_systems_scale(inertia, weight, axis, noise, omega, masses, times, method):
    """Masses and times by powers of four: every quantity and the time of a stop scale, to the last bit of an explicit method."""
    moments = (inertia[0], inertia[1], max(inertia[2], abs(inertia[0] - inertia[1])))
    moments = tuple(sorted((*moments[:2], min(moments[2], moments[0] + moments[1]))))
    m, t = 4.0**masses, 4.0**times
    noise = noise[:1] if method == "milstein" else noise  # several may not commute
    runs = []
    for mass, time in ((1.0, 1.0), (m, t)):
        body = Tumbling(
            inertia=np.array(moments) * mass,
            weight=weight * mass / time**2,
            axis=axis,
            noise=np.array(noise) / np.sqrt(time),
        )
        runs.append(body.simulate(t_end=time / 4, dt=time / 32, paths=2, seed=1, method=method, execution=NUMPY,
                                  state={"Omega": np.array(omega) / time, "Gamma": (0, 0.6, 0.8)},
                                  stop=sd.Stop("Gamma3", below=0.7)))  # fmt: skip
    ours, theirs = runs
    within = 1e-9 if integrator(method).implicit else 0  # the sizes of states in some units end an iteration
    for mine, restated in (
        (ours["Gamma"], theirs["Gamma"]),
        (ours["Omega"], theirs["Omega"] * t),
        (ours["energy"], theirs["energy"] * t**2 / m),
        (ours.stopped.time, theirs.stopped.time / t),
    ):
        np.testing.assert_allclose(restated, mine, rtol=within, atol=within)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_random_compositions(number):
    """A random kind, restatement, options of the run, and what is done with it."""
    composition = Composition(12, number)
    assert outcome(composition) == "", repr(composition)


def test_a_composition_that_changes_with_its_units_is_found():
    """The comparison can fail: a bound that is not restated."""
    kind = kind_of("line")
    composition = Composition(3, 0)
    composition.kind, composition.restatement = kind, restatements(kind)[0]
    composition.hybrid, composition.after, composition.paths = False, "run", 1
    composition.options = {
        "checks": lambda stated: {"checks": sd.Checks({"energy": 0.4}, on_failure="mask")}
    }  # 0.16 at the start
    assert outcome(composition).startswith("restated")
    assert attempt(composition, kind.made)[0] == ""

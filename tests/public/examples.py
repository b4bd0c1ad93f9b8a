"""All public classes and an example of each: results of public calls are searched for them; what no result holds is made here."""

import inspect
import re
import warnings
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from unittest import mock

import numpy as np

import semidirect as sd
from semidirect import (
    analysis,
    equations,
    groups,
    integrators,
    invariants,
    laws,
    representations,
    shapes,
    testing,
    view,
)
from semidirect.analysis.advice import ranking
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.analysis.monitor import EXPECTATIONS, Expectation
from semidirect.core.errors import NotSavedError, PerPathError, UnknownAttributeError, UnknownNameError
from semidirect.core.failure import Failure
from semidirect.core.ops import Scalar
from semidirect.definition import plugins
from semidirect.definition.constraints.stochastic_constraint import Annihilator, StochasticConstraint
from semidirect.definition.parametrised import Parametrised
from semidirect.integrators import integrator
from semidirect.lattices import Lattice, LatticeState
from semidirect.pages.derivation import Derivation
from semidirect.random.driver import DrivenRun
from semidirect.random.drivers.expression import Expression
from semidirect.random.drivers.increments import GivenIncrements
from semidirect.random.drivers.path import GivenPath
from semidirect.random.drivers.wiener import Wiener
from semidirect.random.driving_path import ExpressionPath, SampledPath
from semidirect.random.driving_process import KernelDraw
from semidirect.random.path_expression import read_expressions
from semidirect.scaffold.choices import Choices
from semidirect.state.geodesic import factors
from semidirect.statistics.reduction import StatisticResult
from semidirect.testing.definition_strategies import GraphConstraint, PolynomialLagrangian
from semidirect.testing.laws.derivations import Difference
from semidirect.testing.laws.exact_points.numbers import Number
from semidirect.testing.laws.exact_points.states import generic_state
from semidirect.testing.laws.theorem import Column, Point
from semidirect.testing.noise_problems import problems
from semidirect.testing.polynomial_strategies import Polynomial, PolynomialArray
from semidirect.testing.verification import drift_slope

PAGES = (Path(__file__).parents[2] / "docs" / "api").glob("*.md")
PAGE = "".join(page.read_text(encoding="utf-8") for page in PAGES)
EXPORTED = (sd, groups, representations, integrators, invariants, equations, analysis, laws, view, testing)
BASES = (StatisticResult, Expectation)
"""Abstract classes that users meet through the classes that derive from them."""


@cache
def public_classes() -> tuple[type, ...]:
    """Classes that a package exports or that the page of the API shows, all that are not abstract."""
    named = [getattr(package, name) for package in EXPORTED for name in package.__all__]
    for name, listed in re.findall(r"^\.\. automodule:: (semidirect\.\S+)\n   :members:(.*)", PAGE, re.M):
        module = import_module(name)
        own = [k for k, v in vars(module).items() if getattr(v, "__module__", "") == name]
        named += [getattr(module, member.strip()) for member in (listed.split(",") if listed else own)]
    named += [kind for base in BASES for kind in base.__subclasses__()]
    classes = {v for v in named if inspect.isclass(v) and not getattr(v, "_is_protocol", False)}
    kinds = {v for v in classes if not inspect.isabstract(v) and not v.__name__.startswith("_")}
    return tuple(sorted(kinds, key=lambda kind: (kind.__module__, kind.__qualname__)))


def upright(a):
    """A function of what is advected."""
    return [a["Gamma"]]


class Watched(sd.System):
    """A class of a module, as users write them."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    inertia = sd.inertia((1, 2, 3))
    kind = sd.option("plain", choices=("plain", "other"))
    initial = {"Omega": (1, 0.1, 0.2), "Gamma": (0, 0, 1)}

    def lagrangian(self, xi, a):
        """½ Ω·IΩ."""
        return sd.ops.dot(xi["Omega"], sd.ops.inertia(self.inertia, xi["Omega"])) / 2

    def constraint(self):
        """Noise that a lambda gives."""
        return sd.Unconstrained(sd.StateNoise(lambda a: [a["Gamma"] / 10]))

    @sd.observable(unit="kg m²/s", status="exact")
    def vertical_momentum(self, state):
        """M·Γ."""
        return sd.ops.dot(state["M"], state["Gamma"])


def results() -> Iterator[object]:
    """What public functions return."""
    top, ball, suslov = map(sd.load, ("heavy-top", "rolling-ball", "suslov"))
    mine = Watched(inertia=(1, 2, 2.5))
    statistics = ["moments", "covariance", "extremes", sd.Histogram("vertical-momentum", -1, 4, 3), "time-average"]
    run = mine.simulate(
        t_end=0.1,
        dt=0.05,
        paths=3,
        reduce=[*statistics, sd.FirstPassage("vertical-momentum", 0.5)],
        checks=sd.Checks(error_check=True),
    )
    turns = sd.Switch("one", "two", sd.Stop("vertical-momentum", above=0.1))
    several = sd.Hybrid({"one": mine, "two": mine}, [turns])
    yield from (several, turns, several.simulate(mode="one", t_end=0.1, dt=0.05))
    yield sd.geometry.statistics(run)
    body = sd.load("rigid-body", inertia=sd.PerPath([[1, 2, 2.5], [1, 2, 2.7]]))
    ends = body.simulate(t_end=0.1, dt=0.05, state={"Omega": [[1, 0, 0.2], [0, 1, 0.2]]}, save="final")
    rolled = ball.simulate(t_end=0.2, dt=0.1, paths=2)
    crossed = ball.simulate(
        t_end=0.2, dt=0.1, stop=sd.Stop("energy", above=0), save=sd.Save(crossings=sd.Crossing("energy"))
    )
    yield from (*crossed.crossings, crossed.stopped)
    yield from (
        top,
        sd.table([0.0, 1.0]),
        ball,
        mine,
        run,
        ends,
        ends.final,
        rolled,
        rolled.monitor(),
        rolled.view(),
        rolled.plot,
        type(body).workings,
        body.workings.model(),
        top.sde().ito(),
    )
    for system in (mine, ball):
        yield from (
            system.equations(),
            system.sde(),
            system.workings.definition(),
            Derivation(system),
            sd.noise.noise_class(system),
        )
    yield from (mine.evolution("vertical-momentum"), ball.evolution("energy"), Watched.vertical_momentum)
    yield from (drift_slope(rolled, "energy"), analysis.Quantity("energy", "E"))
    yield analysis.ConservationTable.of("table", {"a run": rolled}, [analysis.Quantity("energy", "E")])
    yield convergence(sd.load("rigid-body", noise=[]), "heun", dt=0.1, t_end=0.1, levels=5, finer=1)
    yield compare(top, ["heun", "rk4"], t_end=0.1, dt=0.05, levels=2, paths=2)
    yield sd.multilevel(
        sd.load("suslov"), "energy", t_end=0.2, dt=0.1, rmse=1.0, execution=sd.Execution(engine="numpy")
    )
    rates = sd.lyapunov(sd.load("rigid-body"), t_end=0.4, dt=0.1, every=1, method="lie-heun")
    yield from (rates, rates.averages, rates.averages.batches)
    few = [integrator(name) for name in ("lie-heun", "implicit-midpoint", "heun")]
    with mock.patch.object(ranking, "_methods", return_value=few):
        yield sd.load("kovalevskaya-top").recommend()
    yield sd.load("rigid-body").ensemble(paths=2, seed=1, dt=0.1)
    yield from (top.prove("energy"), top.invariants(2), sd.invariants.gibbs_density(top, beta=1))
    for ask, system in (
        (invariants.integrability, suslov), (invariants.find_measure, suslov), (invariants.find_casimirs, top),
        (invariants.find_symmetries, ball), (invariants.nonholonomic_momenta, ball), (invariants.lie_rank, top),
        (invariants.compare_principles, ball), (testing.Derivations.of, mine), (testing.SymbolicNumericConsistency, mine),
    ):  # fmt: skip
        yield ask(system)
    yield from (invariants.nonholonomic_momenta(sd.load("routh-sphere")).linear_system, *Derivation(ball).steps())
    planes = sd.invariants.find_relations(sd.load("rigid-body", inertia=(3.0, 2.0, 1.0), noise=[]), 1)
    yield from (planes, planes[0])
    yield laws.check("rigid-body", quick=True)


def inferred() -> Iterator[object]:
    """Observations, and what a filter and a fit return."""
    yield from (
        sd.Observation("x", noise=sd.inference.StudentNoise(0.1)),
        sd.inference.GaussianNoise([0.1, 0.2]),
        sd.inference.GivenDensity(upright),
    )
    yield from (sd.inference.ParticleUpdate(), sd.inference.EnsembleKalmanUpdate(), sd.ExtendedKalman({"omega": 0.1}))
    yield sd.inference.quadratic_variation(sd.load("rolling-disk").simulate(t_end=0.4, dt=0.1))
    filtered = sd.filter(
        sd.load("rolling-disk"), sd.inference.position(["x"], noise=1), ([0.1], [0.0]), dt=0.1, particles=50
    )
    yield sd.inference.UpdateReport(-1.5, 40.0)
    yield sd.inference.Invariance((0.1, 0.2), (0.0, 1.0))
    yield filtered
    yield filtered.innovations
    yield sd.inference.evidence({"disk": filtered})
    yield sd.inference.Online(sd.load("rolling-disk"), sd.inference.position(["x"], noise=0.01), dt=0.1, particles=10)
    yield sd.fit(sd.load("rolling-disk"), sd.inference.position(["x"], noise=0.01), ([0.1], [0.1]), "radius", dt=0.1,
        particles=50,
                 update="ensemble-kalman", replicates=1)  # fmt: skip


def made() -> Iterator[object]:
    """What no result above holds, made by its constructor."""
    so3, se2, plane = sd.SO3(), sd.SE2(), sd.RealSpace(2)
    vector = sd.VectorRepresentation(so3)
    sum_of_two, product = sd.representations.DirectSum(vector, vector), sd.DirectProduct(so3, plane)
    yield from (
        so3,
        se2,
        plane,
        sd.SO2(),
        sd.groups.Torus(2),
        sd.groups.Heisenberg(),
        sd.groups.SO(4),
        sd.groups.MatrixGroup([[[0, 1], [0, 0]]]),
    )
    yield from (
        product,
        sd.representations.SemidirectProduct(so3, vector),
        sd.Pullback(vector, product, "Omega"),
        sum_of_two,
        vector,
    )
    yield from (
        sd.representations.AdjointRepresentation(so3),
        sd.representations.CoadjointRepresentation(so3),
        sd.representations.DualRepresentation(vector),
    )
    yield from (
        sd.HomogeneousRepresentation(se2),
        sd.representations.SymmetricSquare(vector),
        sd.representations.TrivialRepresentation(so3, 2),
    )
    yield from (sd.representations.Subrepresentation(sum_of_two, (0, 1, 2)), *factors(so3))
    yield from (Parametrised(), sd.System(), sd.PerPath(np.array([1.0, 2.0])), Watched.inertia, Watched.kind)
    yield from (
        sd.Execution(threads=2),
        sd.Formulation(reconstruct=False),
        sd.Checks({"energy": 10}),
        sd.Reduce("moments"),
    )
    yield from (
        sd.Save("final", names=["energy"]),
        sd.definition.Preset(Watched, {"kind": "other"}),
        plugins.available()["heavy-top"],
        Choices("my-top"),
    )

    noise = sd.noise.PrescribedNoise(upright)
    volatile = sd.noise.VolatilityNoise([0.0, 0.0, 1.0], diffusion=upright)
    yield from (
        noise,
        volatile,
        sd.noise.FormalNoise(upright),
        sd.StateNoise(upright),
        sd.noise.CombinedNoise((noise, volatile)),
    )
    yield from (
        sd.InternalState("z", [0.0]),
        sd.QuadraticLagrangian(np.eye(3)),
        sd.definition.Forces(upright),
        sd.DoubleBracket(0.1),
        sd.noise.EnergyPreservingNoise([[0.1, 0.0, 0.2]]),
        sd.Unconstrained(noise),
        sd.PrescribedVelocity((0, 0, 1), noise),
        sd.Kinematics(sd.SO3(), velocity=(0, 0, 1)),
    )
    yield from (
        sd.Contact("Y", upright),
        sd.CovectorConstraint(np.eye(3)),
        sd.DistributionConstraint(np.eye(3), ("u",)),
    )
    yield from (sd.Rolling(upright, noise), StochasticConstraint(), Annihilator(np.eye(3)), sd.Distribution(np.eye(3)))
    yield from (sd.noise.WienerNoise(1, 2, 0.1, [[1, 0.5], [0.5, 1]]), ExpressionPath(read_expressions("sin(t)")))
    yield SampledPath(np.zeros((2, 1, 1)), 0.1)
    yield from (sd.noise.Sobol(4), Wiener(covariance=[[1.0]]), Expression("sin(t)"), GivenIncrements(np.zeros((2, 1))))
    yield from (GivenPath(SampledPath(np.zeros((2, 1, 1)), 0.1)), DrivenRun(*(1,) * len(fields(DrivenRun))))
    yield KernelDraw(1, 0.1, None, False)

    yield sd.shapes.Shape(shapes.Ellipsoid((1, 1, 2)), shapes.Cylinder((0, 0, 0), (0, 0, 1), 1),
        shapes.Cone((0, 0, 0), (0, 0, 1), 1),
                   shapes.Box((1, 1, 1)), shapes.Dot())  # fmt: skip
    yield from (
        sd.MatrixLiePoisson(),
        sd.matrices.MatrixState(np.zeros((1, 2, 2)), 0.0, None),
        Lattice(),
        LatticeState(0.0, None, np.zeros((1, 1))),
        sd.matrices.DiagonalSolve([np.ones(2), np.ones(1)], [np.ones(1) / 2, np.ones(0)]),
    )
    yield from (*(kind() for kind in integrators.METHODS.built_in.values()), integrators.Heun().tableau)
    yield from (sd.Stop("energy", above=1), sd.Crossing("energy", 1, "rising", keep=["energy"]))
    yield from (Failure(0, 0.1, "energy", 1), integrators.Step(np.zeros(1), np.zeros(1)))
    yield from (sd.equations.HamiltonPontryagin(), sd.equations.LagrangeDAlembert(), invariants.ParameterSet(Watched()))
    yield from problems().values()
    model = sd.load("heavy-top").workings.model()
    yield from (chart(model, np.zeros((6, 1)), "exp", 2) for chart in (integrators.Flat, integrators.Frame))

    exact = Watched().workings.definition()
    at = generic_state(exact)
    yield from (at, testing.Theorem(exact), laws.LAWS[0], Difference("here", 1, 2), Number(Fraction(1, 2)))
    yield from (Point((1,), (1,), (), 0), Column(*(np.zeros(1),) * 8), EMPTY, Polynomial(((1, (("a", 0),)),)))
    yield from (PolynomialLagrangian((1,), *(EMPTY,) * 4, ()), GraphConstraint(EMPTY, EMPTY, (0,), noise))
    yield from (Scalar(), *EXPECTATIONS.values())
    special = {UnknownNameError: ("system", "a", ["b"]), UnknownAttributeError: ("block", "a", ["b"]), PerPathError: (),
               NotSavedError: ("energy", ["M"], "Save it."),
               sd.errors.SimulationError: ([Failure(0, 0.1, "energy", 1)],)}  # fmt: skip
    yield from (kind(*special.get(kind, ("what",))) for kind in public_classes() if issubclass(kind, Exception))


@cache
def examples() -> Mapping[type, object]:
    """One object of each class that is found, the first one."""
    found: dict[type, object] = {}
    seen: set[int] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sd.errors.FailedPathsWarning)
        waiting = deque([*made(), *results(), *inferred()])
    while waiting:
        one = waiting.popleft()
        if id(one) in seen or isinstance(one, (FunctionType, MethodType, ModuleType)):
            continue
        seen.add(id(one))
        alive.append(one)
        if type(one).__module__.startswith("semidirect") or type(one).__module__ == __name__:
            found.setdefault(type(one), one)
            waiting += getattr(one, "__dict__", {}).values()
        if isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, (list, tuple)):
            waiting += one
    return found


alive: list[object] = []
"""What was looked at, so that no two have one id."""
EMPTY = PolynomialArray((0,), ())

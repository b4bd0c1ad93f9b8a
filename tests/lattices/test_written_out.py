"""A lattice of few sites written out as one system, and what it is used for."""

import contextlib
import io
import pickle
from functools import cache

import numpy as np
import pytest
from test_lattices import Chain, Top

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError, MethodError
from semidirect.lattices import Lattice

NOISES = [(0.3, 0.0, 0.1), (0.0, 0.2, 0.0)]
START = {"S": [(0.6, 0.0, 0.8), (0.0, 0.6, 0.8), (0.8, 0.6, 0.0)]}
HOW = {"t_end": 0.5, "dt": 1 / 16, "paths": 2, "seed": 3}


class Coupled(Lattice):
    """Tops with forces of the air, of which one is heavier."""

    sites, edges, per_edge = 3, [(0, 1), (1, 2)], ("strength",)
    strength: sd.Parameter = sd.parameter((0.5, 0.25), symbol="k", shape=(None,))
    drag: sd.Parameter = sd.parameter(0.1, symbol="c")
    double: sd.Parameter = sd.parameter(0.5, symbol="h")
    initial = {"Omega": ((0.3, 0.2, 1.0), (0.1, -0.2, 1.0), (0.5, 0.2, -1.0))}

    def site(self):
        return Dragged(
            drag=self.drag,
            weight=sd.PerPath([(0, 0, 2 * self.double), (0, 0, 2.0), (0.5, 0, 1.0)]),
            noise=((0.1, 0.2, 0), (0, 0, 0.3)),
        )

    def coupling(self, left, right):
        return -self.strength * ops.dot(left.E3, right.E3) * (1 + self.double)


class Dragged(Top):
    """A top in the air, which is pushed at random."""

    drag: sd.Parameter = sd.parameter(0.1, symbol="c")

    def force(self, xi):
        return -self.drag * xi.Omega

    def noise_force(self):
        return [(0.0, 0.1, 0.0)]

    def independent_force(self, a):
        return [0.1 * a.E3]


@cache
def coupled(*, common=False):
    """A lattice and what it is written out as, derived once."""
    lattice = type("Coupled", (Coupled,), {"common_noise": common})()
    return lattice, lattice.written_out()


@pytest.mark.parametrize("common", [False, True])
def test_a_lattice_that_is_written_out_has_the_same_paths(common):
    """Forces, noise of several kinds, parameters that differ from site to site and from edge to edge."""
    lattice, one = coupled(common=common)
    ours, theirs = lattice.simulate(**HOW, method="heun"), one.simulate(**HOW, method="heun")
    for name in ("M2_3", "Omega3_1", "E13_2", "E31_3", "energy"):
        assert np.abs(ours[name] - theirs[name]).max() < 1e-14  # 2e-15
    assert set(one.values) == {"strength", "drag", "double_of_edges", "weight", "noise", "inertia"}
    assert "M₂ = 𝕀Ω₂" in str(one.equations())


def test_a_system_that_is_written_out_is_pickled():
    one = Chain(sites=2).written_out().replace(exchange=0.2)
    again = pickle.loads(pickle.dumps(one))
    runs = [x.simulate(t_end=0.5, dt=1 / 16, seed=3, method="heun") for x in (one, again)]
    assert np.array_equal(runs[0]["energy"], runs[1]["energy"])


def test_a_parameter_of_the_sites_is_that_of_the_lattice_where_they_take_it_as_it_is():
    one = coupled()[1]
    assert np.array_equal(one.replace(drag=0.7).values["drag"], 0.7)
    lattice = Coupled(drag=0.7)
    run = one.replace(drag=0.7).simulate(**HOW, method="heun")
    assert np.abs(run["energy"] - lattice.simulate(**HOW, method="heun")["energy"]).max() < 1e-14
    with pytest.raises(InputError, match="double"):  # of which sites and edges make different things
        one.replace(double=0.1)


@pytest.mark.parametrize(
    ("method", "common"),
    [("euler-maruyama", False), ("milstein(areas)", False), ("rs1", False), ("sra1", False), ("lie-milstein", False),
     ("lie-milstein", True)],
)  # fmt: skip
def test_methods_with_derivatives_and_areas_are_those_of_the_system_that_is_written_out(method, common):
    """Noises of a site do not commute, so areas, signs and time integrals of the right pairs matter."""
    if method == "sra1":
        kind, start = type("Pushed", (Points,), {"common_noise": common}), {}
    else:
        kind, start = type("Chain", (Chain,), {"common_noise": common}), {"state": START}
    lattice = kind(sites=3) if method == "sra1" else kind(sites=3, noise=NOISES, field=(0, 0, 0.2))
    how = {**HOW, "method": method}
    if method == "rs1":
        how["driver"] = sd.Wiener(increment_law="three-point")
    ours = lattice.simulate(**how, **start)
    theirs = lattice.written_out().simulate(
        **how,
        formulation=sd.Formulation(reconstruct=False),
        **({"state": {f"S{i + 1}_": s for i, s in enumerate(START["S"])}} if start else {}),
    )
    for name in ("S1_1", "S2_3", "S3_2") if start else ("p_v1", "p_v2", "q3_1"):
        assert np.abs(ours[name] - theirs[name]).max() < 2e-15, name
        assert np.ptp(ours[name][:, -1]) > 1e-4


class Point(sd.System):
    """A point on a line, pushed at random."""

    group = sd.RealSpace(1)
    advected = {"q": sd.Advected(sd.groups.HomogeneousRepresentation(sd.RealSpace(1)), (0, 1))}
    initial = {"v": 1.0}

    def lagrangian(self, xi, a):
        return xi.v**2 / 2

    def independent_force(self):
        return [[0.3], [0.1]]


class Points(Lattice):
    """Points with springs."""

    sites: sd.Option[int] = sd.option(3)

    def site(self):
        return Point()

    def coupling(self, left, right):
        return (left.q[0] - right.q[0]) ** 2 / 2


def test_what_reads_expressions_reads_those_of_the_system_that_is_written_out():
    chain = Chain(sites=3, field=(0, 0, 0.2))
    found = chain.invariants(1)
    assert [str(q) for q in found.basis] == ["S1_3 + S2_3 + S3_3"]
    run = chain.simulate(t_end=1, dt=1 / 64, state=START, method="rk4")
    assert np.ptp(run[str(found.basis[0])]) < 1e-13
    assert "S₁₃" in str(chain.evolution("S1_3"))
    assert chain.prove("S1_3 + S2_3 + S3_3", parameters="generic", along="drift").holds
    here = chain.evaluate(START)
    drift = chain.drift(np.array(START["S"]).T.ravel()).reshape(3, 3).T
    assert np.allclose([here["drift"][f"S{i}_"] for i in (1, 2, 3)], drift, atol=1e-15)
    exponents = sd.lyapunov(chain, t_end=2, dt=0.1, every=4, batches=4, state=START, method="rk4")
    assert abs(exponents.exponents.sum()) < 1e-3  # divergence 0, up to the error of rk4


def test_filters_of_a_lattice_with_coordinates_take_its_starts():
    from semidirect.inference import Observation

    chain = Chain(sites=3, noise=NOISES, exchange=0.7)
    sight = Observation("S2_1", noise=0.1)
    times, values = np.array([0.25, 0.5]), np.array([0.1, 0.2])
    how = {"dt": 1 / 16, "update": "extended-kalman", "particles": 4}
    ours = sd.filter(chain, sight, (times, values), state=START, **how)
    state = {f"S{i + 1}_": s for i, s in enumerate(START["S"])}
    theirs = sd.filter(chain.written_out(), sight, (times, values), state=state, **how)
    assert ours.log_likelihood == theirs.log_likelihood


@pytest.mark.parametrize(
    ("lattice", "words"),
    [
        (lambda: Chain(sites=100), "at most 256 .*got 300"),
        (lambda: Chain(exchange=sd.PerPath([1.0, 2.0])), "parameters per path"),
        (lambda: Wheels(), "without constraints"),
    ],
)  # fmt: skip
def test_what_is_not_written_out_is_told(lattice, words):
    with pytest.raises(DefinitionError, match=words):
        lattice().written_out()


class Wheel(Top):
    """A top that does not spin."""

    def constraint(self):
        return sd.DistributionConstraint(lambda: np.eye(3)[:, :2], {"u": 2})


class Wheels(Lattice):
    """Two of them."""

    sites = 2

    def site(self):
        return Wheel()

    def coupling(self, left, right):
        return 0


def test_a_formulation_that_is_not_solved_is_refused():
    with pytest.raises(MethodError, match=r"its own, in M, E1, E2, E3.*variables='velocity'.*written_out"):
        Coupled().simulate(**HOW, formulation=sd.Formulation(variables="velocity"))
    run = Chain().simulate(t_end=0.1, dt=0.1, formulation=sd.Formulation(variables="velocity"))  # there is no choice
    assert np.array_equal(run["S"], Chain().simulate(t_end=0.1, dt=0.1)["S"])


def test_the_command_line_prints_the_first_and_last_sites():
    from semidirect.cli import run as command

    made = Chain(sites=7).simulate(t_end=0.1, dt=0.1)
    with contextlib.redirect_stdout(io.StringIO()):
        text = command.text(made, command.summary(made))
    assert [x for x in text.split() if x.startswith("S")] == [f"S{i}_{k}" for i in (1, 2, 6, 7) for k in (1, 2, 3)]


class Car(sd.System):
    """A body in the plane, a force of time on it, with noise of several kinds."""

    group = sd.SE2()
    advected = {"q": sd.Advected(sd.groups.HomogeneousRepresentation(sd.SE2()), (0, 0, 1))}
    initial = {"nu": 0.3, "v": (1.0, 0.2), "q": (0.1, 0.2, 1)}
    mass: sd.Parameter = sd.parameter(2.0, symbol="m")
    kind: sd.Option[str] = sd.option("state")

    def lagrangian(self, xi, a, t):
        return self.mass * ops.dot(xi.v, xi.v) / 2 + xi.nu**2 - ops.sin(t) * a.q[0]

    def constraint(self):
        noise = {
            "state": sd.StateNoise(lambda a, t: [ops.array([0.1 * a.q[1], 0.2 * t, 0.1])]),
            "time": sd.noise.PrescribedNoise(lambda t: [ops.array([0.1 * t, 0.2, 0])]),
            "formal": sd.noise.FormalNoise(lambda xi, a: [ops.array([0.1 * xi.nu, 0.2 * a.q[0], 0.1])]),
        }
        return sd.Unconstrained(noise=noise[self.kind])


class Cars(Lattice):
    """Three of them, with springs whose stiffness depends on time by a table."""

    sites = 3
    kind: sd.Option[str] = sd.option("state")
    stiffness: sd.Parameter = sd.parameter(0.7, symbol="k")
    nodes = sd.definition.table((0.0, 0.4, 1.0))
    factors = sd.definition.table((1.0, 2.0, 0.5))

    def site(self):
        return Car(kind=self.kind, mass=2 * self.stiffness)

    def coupling(self, left, right, t):
        away = left.q - right.q
        return self.stiffness * ops.interpolate(t, self.nodes, self.factors) * ops.dot(away, away) / 2


@pytest.mark.parametrize("kind", ["state", "time", "formal"])
def test_noise_of_every_kind_and_a_table_of_edges_are_written_out(kind):
    cars = Cars(kind=kind)
    one = cars.written_out()
    assert sorted(one.values) == [
        "factors",
        "mass",
        "nodes",
        "stiffness_of_edges",
    ]  # the sites take twice the stiffness
    ours, theirs = (system.simulate(**HOW, method="heun") for system in (cars, one))
    for name in ("nu1", "v3_2", "q2_1", "energy"):
        assert np.abs(ours[name] - theirs[name]).max() < 1e-14  # 9e-16


def test_a_table_of_a_coupling_is_one_for_all_paths():
    """The energy of an edge reads it at values of both ends."""

    class Tabled(Chain):
        nodes = sd.definition.table((-1.0, 0.0, 1.0))
        bonds = sd.definition.table((0.5, 0.0, 0.7))

        def coupling(self, left, right):
            return self.exchange * ops.interpolate(ops.dot(left.S, right.S), self.nodes, self.bonds)

    S = np.array(START["S"])
    rate = Tabled(sites=3).drift(S.T.ravel()).reshape(3, 3).T
    h, cosines = 1e-6, [S[0] @ S[1], S[1] @ S[2]]
    energy = lambda x: float(sd.core.ops.interpolate(x, (-1.0, 0.0, 1.0), (0.5, 0.0, 0.7)))  # noqa: E731
    slopes = [(energy(x + h) - energy(x - h)) / (2 * h) for x in cosines]
    assert np.allclose(rate[0], slopes[0] * np.cross(S[0], S[1]), atol=1e-9)
    assert np.allclose(rate[2], slopes[1] * np.cross(S[2], S[1]), atol=1e-9)
    with pytest.raises(InputError, match="one table for all paths"):
        Tabled(sites=3, bonds=sd.PerPath([(0.5, 0.0, 0.7), (0.5, 0.1, 0.7)])).simulate(t_end=0.1, dt=0.1)

"""Energies of edges that read momenta of sites with a Lagrangian, or velocities."""

import numpy as np
import pytest
from test_kinds import INERTIA, Top

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError
from semidirect.lattices import Lattice

M0 = np.random.default_rng(1).standard_normal((3, 3))
HOW = {"t_end": 0.5, "dt": 1 / 16, "paths": 2, "seed": 3}


class Momenta(Lattice):
    """A ring whose edges read momenta and verticals."""

    sites, edges = 3, "ring"
    strength: sd.Parameter = sd.parameter(0.2, symbol="k")

    def site(self):
        return Top()

    def coupling(self, left, right):
        return self.strength * (ops.dot(left.M, right.M) * (2 + left.Gamma[2]) + left.M[0] * right.Gamma[1])


class Steep(Momenta):
    """A ring whose sites always turn at more than 3 about their first axis."""

    def coupling(self, left, right):
        return 3 * (left.M[0] + right.M[0]) + (left.M[0] ** 3 + right.M[0] ** 3) / 3


class HamiltonianTop(Top):
    """The same top by its Hamiltonian."""

    initial = {"M": (0, 0, 0), "Gamma": (0.6, 0.0, 0.8)}
    lagrangian = None

    def hamiltonian(self, p, a):
        return sum(m**2 / (2 * I) for m, I in zip(p.Omega, INERTIA, strict=True)) + a.Gamma[2]


class ByHamiltonian(Momenta):
    """The same ring."""

    def site(self):
        return HamiltonianTop()


class Velocities(Momenta):
    """A ring whose edges read velocities."""

    def coupling(self, left, right):
        return self.strength * (ops.dot(left.Omega, right.Omega) + left.Omega[0] * right.Gamma[1])


@pytest.mark.parametrize("method", ["coadjoint-midpoint"])
def test_momenta_of_sites_with_a_lagrangian(method):
    """The same paths as with sites by a Hamiltonian, and as the system that is written out by its Legendre transform."""
    how = {**HOW, "state": {"M": M0}, "method": method}
    run = Momenta().simulate(**how, execution=sd.Execution(engine="numpy"))
    other = ByHamiltonian().simulate(**how)
    compiled = Momenta().simulate(**how, execution=sd.Execution(engine="compiled"))
    for name in ("M", "Gamma", "Omega", "energy"):
        assert np.abs(run[name] - other[name]).max() < 1e-14  # 3e-15
        assert np.array_equal(run[name], compiled[name])


def test_momenta_of_edges_are_written_out():
    start, how = {f"M{i + 1}_": m for i, m in enumerate(M0)}, {**HOW, "method": "heun"}
    run = Momenta().simulate(**how, state={"M": M0})
    one = Momenta().written_out().simulate(**how, state=start)
    for name in ("M2_3", "Omega1_2", "Gamma3_1", "energy"):
        assert np.abs(run[name] - one[name]).max() < 1e-14  # 2e-15


def test_a_start_by_velocities_solves_for_the_momenta_of_all_sites():
    Omega = np.random.default_rng(2).standard_normal((3, 3))
    lattice = Momenta()
    run = lattice.simulate(t_end=0.1, dt=0.1, seed=1, state={"Omega": Omega})
    assert np.abs(run["Omega"][0, 0] - Omega).max() < 1e-14  # 4e-15
    assert np.abs(run["M"][0, 0] - INERTIA * Omega).max() > 0.1
    with pytest.raises(InputError, match="momenta: M"):
        Steep().simulate(t_end=0.1, dt=0.1, state={"Omega": (0.0, 0.0, 1.0)})


def test_the_energy_and_sums_of_momenta():
    lattice = Momenta()
    assert lattice.prove("energy", along="drift").holds
    free = type("Free", (Momenta,), {"coupling": lambda self, left, right: ops.dot(left.M, right.M),
                                     "site": lambda self: Round()})()  # fmt: skip
    assert free.prove("sum(M)", along="drift").holds
    assert lattice.prove("sum(M)", along="drift").holds is False
    page = lattice.equations()
    assert "added to h" in str(page)
    assert "l(ξ + F_p, a)" in " ".join(lattice._stated_by_arrays().derivation())


def test_velocities_are_written_out():
    """p_i = ∂l/∂ξ_i − Σ ∂V/∂ξ_i, from L = Σ l − Σ V."""
    lattice = Velocities()
    Omega = np.random.default_rng(2).standard_normal((3, 3))
    one = lattice.written_out()
    run = one.simulate(t_end=0.1, dt=0.1, seed=1, state={f"Omega{i + 1}_": w for i, w in enumerate(Omega)})
    for i in range(3):
        edge = 0.2 * (Omega[i - 1] + Omega[(i + 1) % 3] + np.array([run[f"Gamma{(i + 1) % 3 + 1}_2"][0, 0], 0, 0]))
        assert np.abs(run[f"M{i + 1}_"][0, 0] - (INERTIA * Omega[i] - edge)).max() < 1e-15  # 4e-16
    still = one.simulate(t_end=1, dt=1 / 16, driver=0, method="dop853")
    assert np.ptp(still["energy"]) < 1e-9  # 6e-12
    assert lattice.evaluate({"Omega": (1, 0, 0)})["drift"]["Gamma1_"] == [0.0, 0.8, 0.0]


class Round(Top):
    """A ball without weight."""

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) / 2


class Quartic(Top):
    """A top whose Lagrangian is not quadratic."""

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, xi.Omega) ** 2


@pytest.mark.parametrize(
    ("stated", "act", "error", "words"),
    [
        ({}, lambda x: x.simulate(t_end=0.1, dt=0.1), DefinitionError, r"got Omega.*written_out\(\)"),
        ({}, lambda x: str(x.equations()), DefinitionError, "all of them are solved for at once"),
        ({}, lambda x: x.evaluate({"M": M0}), InputError, "velocities, Omega, got momenta, M.*M1_"),
        ({"coupling": lambda self, left, right: left.M[0] * right.Omega[1]}, str, DefinitionError, "or their momenta"),
        ({"site": lambda self: Quartic(), "coupling": Momenta.coupling}, lambda x: x.written_out(), DefinitionError,
         "quadratic in the velocity.*hamiltonian"),
        ({"site": lambda self: Quartic(), "coupling": Momenta.coupling}, lambda x: x.simulate(t_end=0.1, dt=0.1),
         DefinitionError, "state are velocities.*hamiltonian"),
    ],
)  # fmt: skip
def test_what_is_refused(stated, act, error, words):
    with pytest.raises(error, match=words):
        act(type("Wrong", (Velocities,), stated)())

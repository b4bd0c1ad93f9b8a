"""The theorem (docs/theory.md) agrees exactly with Lagrange's equations with multipliers in coordinates."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from lagrange import Lagrange, Motions, Turns, spatial

import semidirect as sd
from semidirect import ops
from semidirect.testing import Derivations, ExactState
from semidirect.testing.laws.exact_points.numbers import derivatives, plain_array, solve
from semidirect.testing.laws.sizes import budget


class Everything:
    """l with an inertia of a, t, z, a term of degree four and one linear in ξ, one or two affine covectors, reaction
    directions, noise of a, t, z in and out of D, an internal state, and forces of all three kinds."""

    def __init__(self, space, covectors):
        self.space, self.count = space, covectors

    def whole(self, xi):
        return ops.array([*xi.Omega, *xi.Y]) if "Y" in self.space.group.blocks else ops.array(xi.Omega)

    def other(self, a):
        """A second advected vector."""
        return a.E1 if "E1" in self.space.advected() else a.b[:3]

    def lagrangian(self, xi, a, t, z):
        v, w = self.whole(xi), self.other(a)
        heavy = sum((3 + i + a.Gamma[i % 3] * w[(i + 1) % 3]) * x * x for i, x in enumerate(v)) / 2
        mixed = (1 + t * z.z) * v[0] * v[-1] / 3 + v[1] ** 2 * v[2] ** 2 / 7
        return heavy + mixed + z.z * ops.dot(a.Gamma, xi.Omega) - 5 * a.Gamma[0] * w[1] + t * w[2] ** 2

    def row(self, i, a, t, z):
        w = self.other(a)
        first = [a.Gamma[0], a.Gamma[1] + 2, z.z - w[2], 1, w[0] * t, 1]
        second = [t, w[1], a.Gamma[2] - 1, a.Gamma[1], 2, z.z]
        return (first, second)[i][: self.space.dimension]

    def covectors(self, a, t, z):
        return [self.row(i, a, t, z) for i in range(self.count)]

    def values(self, a, t, z):
        return [a.Gamma[2] * t + z.z, 1 - self.other(a)[0]][: self.count]

    def directions(self, xi, a, t, z):
        """C, not Aᵀ."""
        v = self.whole(xi)
        rows = self.covectors(a, t, z)
        return [[x + (i + 1) * v[j] * a.Gamma[1] / 5 for i, x in enumerate(row)]
                for j, row in enumerate(zip(*rows, strict=True))]  # fmt: skip

    def noise(self, a, t, z):
        w = self.other(a)
        one = [a.Gamma[1], w[2] * z.z, 1 + t, a.Gamma[0] * a.Gamma[2], w[0], -1]
        two = [Fraction(1, 3), z.z, a.Gamma[2], t * w[1], 0, w[0] * w[1]]
        return [x[: self.space.dimension] for x in (one, two)]

    def forces(self):
        def drift(xi, a, t, z):
            return [-x * (i + z.z) + a.Gamma[i % 3] for i, x in enumerate(self.whole(xi))]

        def noise(xi, a, t):
            v = self.whole(xi)
            return [[v[i - 1] * a.Gamma[i % 3] for i in range(len(v))], [t + v[0] * x for x in v]]

        def independent(xi, a):
            return [[a.Gamma[0] - x for x in self.whole(xi)]]

        return sd.definition.Forces(drift, noise, independent)

    def internal(self):
        return [sd.InternalState("z", 0, lambda t, z: [1 - t * z.z], lambda t, z: [[z.z / 2], [t + 1]])]

    def definition(self):
        constraint = sd.CovectorConstraint(
            self.covectors, self.values, self.directions, noise=sd.StateNoise(self.noise)
        )
        return sd.definition.Definition(
            self.space.group, self.lagrangian, constraint, self.space.advected(), self.internal(), self.forces()
        )


SYSTEMS = {
    "SO(3), one covector": Everything(Turns(), 1),
    "SE(3), one covector": Everything(Motions(), 1),
    "SE(3), two covectors": Everything(Motions(), 2),
}
HP = sd.equations.HamiltonPontryagin()
numbers = st.fractions(-2, 2, max_denominator=5)


@cache
def derivations(name):
    return Derivations(SYSTEMS[name].definition(), principles=[HP])


def unequal(system, equations, q, xi, z, t):
    """Columns that are not those of Lagrange's equations; ξ is moved into D."""
    a = tuple(plain_array(np.array(system.space.a(q), dtype=object)))
    state = equations.admissible(ExactState(tuple(xi), a, (z,), t))
    expected = Lagrange(system, q, z, t).columns(list(state.u))
    columns = equations.derived[HP.name, "A"]
    found = columns(equations.inputs(columns.sde, state))
    n = system.space.dimension
    pairs = [((list(c["state"][:n]), list(c["multiplier"])), e) for c, e in zip(found, expected, strict=True)]
    assert len(pairs) == 4  # dt, dW¹, dW², dB
    return [k for k, (ours, theirs) in enumerate(pairs) if ours != theirs]


@pytest.mark.parametrize("name", SYSTEMS)
@budget(0.05, shrink=False)
@given(data=st.data())
def test_lagranges_equations_in_coordinates(name, data):
    """Rates of ξ and multipliers along every column, in fractions: no difference."""
    system = SYSTEMS[name]
    n = system.space.dimension
    q, xi = (data.draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(2))
    try:
        apart = unequal(system, derivations(name), q, xi, data.draw(numbers), data.draw(numbers))
    except ZeroDivisionError:  # A H⁻¹C is singular at this state
        reject()
    assert apart == []


@pytest.mark.parametrize("name", SYSTEMS)
@budget(0.05, shrink=False)
@given(data=st.data())
def test_noethers_equation(name, data):
    """d⟨p, Ad_{s⁻¹}ζ⟩_k = ⟨κ_k ◇ a + F_k + R_k, Ad_{s⁻¹}ζ⟩, with ⟨κ ◇ a, η⟩ the power of κ on a as s moves along η."""
    system, space = SYSTEMS[name], SYSTEMS[name].space
    equations, n = derivations(name), space.dimension
    q, xi, zeta = (data.draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(3))
    a = tuple(plain_array(np.array(space.a(q), dtype=object)))
    state = equations.admissible(ExactState(tuple(xi), a, (data.draw(numbers),), data.draw(numbers)))
    columns = equations.derived[HP.name, "A"]
    inputs = equations.inputs(columns.sde, state)
    p, X = columns.values(inputs)["p"], Lagrange(system, q, state.z, state.t).X(q)
    Z, Z_q = derivatives(lambda q: spatial(space, q, zeta), q)
    _, a_q = derivatives(lambda q: np.array(space.a(q), dtype=object), q)
    try:
        found = columns(inputs)
    except ZeroDivisionError:
        reject()
    for column in found:
        dq = solve(X, column["v"])
        left = column["d_p"] @ Z + p @ (Z_q @ dq)
        assert left == column["kappa"] @ (a_q @ solve(X, Z)) + (column["force"] + column["reaction"]) @ Z


def without_variation_of_noise(self, motion):
    return motion.lagrangian_a * motion.setting.dt


def opposite(self, motion):
    return -KAPPA(self, motion)


KAPPA = sd.equations.HamiltonPontryagin.kappa


@pytest.mark.parametrize(("kappa", "columns"), [(without_variation_of_noise, [1, 2]), (opposite, [0, 1, 2])])
def test_what_is_varied_is_noticed(kappa, columns, monkeypatch):
    """κ without its noise term, or with the other sign, is another motion."""
    monkeypatch.setattr(sd.equations.HamiltonPontryagin, "kappa", kappa)
    system = SYSTEMS["SO(3), one covector"]
    equations = Derivations(system.definition(), principles=[HP])
    q, xi = ([Fraction(i, k) for i in (1, -2, 3)] for k in (5, 2))
    assert unequal(system, equations, q, xi, Fraction(1, 3), Fraction(1, 2)) == columns

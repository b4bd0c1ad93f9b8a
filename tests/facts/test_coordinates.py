"""The theorem against Lagrange's equations with multipliers in coordinates (MATHEMATICS, section 1), exactly.

Nothing here knows ad*, ◇, κ or a generator. s(q) is a matrix, a = s(q)⁻¹a₀, and X(q)v the velocity s⁻¹ṡ, so that the Lagrangian
is L(q, v, t, z) = l(X(q)v, a, t, z). With n_i = X⁻¹N_i and Q_k = XᵀF_k the principle

    δ∫ L dt + ⟨π, dq − v dt − Σ n_i∘dW^i⟩ + ∫⟨Q, δq⟩ = 0 on A X δq = 0

says dq = v dt + Σ n_i∘dW^i, π = ∂L/∂v, dπ = ∂L/∂q dt − Σ (∂n_i/∂q)ᵀπ∘dW^i + Q + (CᵀX)ᵀdλ, and A X v = b is kept.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops
from semidirect.testing import Derivations, ExactState
from semidirect.testing.budget import budget
from semidirect.testing.exact_numbers import derivatives, plain_array, solve


def rotation(q):
    """Of a vector of Rodrigues: rational, and 1 at 0."""
    n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2]
    x, y, z = q
    rows = [
        [1 + x * x - y * y - z * z, 2 * (x * y - z), 2 * (x * z + y)],
        [2 * (x * y + z), 1 - x * x + y * y - z * z, 2 * (y * z - x)],
        [2 * (x * z - y), 2 * (y * z + x), 1 - x * x - y * y + z * z],
    ]
    return np.array([[entry / (1 + n) for entry in row] for row in rows], dtype=object)


def axial(m):
    return [m[2, 1], m[0, 2], m[1, 0]]


class Turns:
    """SO(3), with Γ = gᵀe₃ and E₁ = gᵀe₁."""

    group, dimension = sd.SO3(), 3

    def advected(self):
        vector = sd.VectorRepresentation(self.group)
        return {"Gamma": sd.Advected(vector, (0, 0, 1)), "E1": sd.Advected(vector, (1, 0, 0))}

    def a(self, q):
        g = rotation(q)
        return [*g[2], *g[0]]

    def velocity(self, q, v):
        """s⁻¹ṡ along q̇ = v."""
        g, slope = derivatives(rotation, q)
        return axial(g.T @ (slope @ np.array(v, dtype=object)))


class Motions:
    """SE(3), with Γ and b = −gᵀx."""

    group, dimension = sd.SE3(), 6

    def advected(self):
        frame = sd.AdvectedFrame(self.group)
        return {"Gamma": frame["Gamma"], "b": frame["b"]}

    def a(self, q):
        g, x = rotation(q[:3]), np.array(q[3:], dtype=object)
        return [*g[2], *(-(g.T @ x)), Fraction(1)]

    def velocity(self, q, v):
        return [*Turns().velocity(q[:3], v[:3]), *(rotation(q[:3]).T @ np.array(v[3:], dtype=object))]


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

        return sd.Forces(drift, noise, independent)

    def internal(self):
        return [sd.InternalState("z", 0, lambda t, z: [1 - t * z.z], lambda t, z: [[z.z / 2], [t + 1]])]

    def definition(self):
        constraint = sd.CovectorConstraint(
            self.covectors, self.values, self.directions, noise=sd.StateNoise(self.noise)
        )
        return sd.Definition(
            self.space.group, self.lagrangian, constraint, self.space.advected(), self.internal(), self.forces()
        )


class Lagrange:
    """Lagrange's equations of the same data at one point."""

    def __init__(self, system, q, z, t):
        self.system, self.space, self.q, self.z, self.t = system, system.space, list(q), z, t

    def blocks(self, q, z, xi=None):
        a, found, start = self.space.a(q), {}, 0
        for name, quantity in self.space.advected().items():
            n = quantity.representation.dimension
            found[name], start = np.array(a[start : start + n], dtype=object), start + n
        turn = {"a": sd.Blocks(found), "z": sd.Blocks({"z": z})}
        if xi is None:
            return turn
        parts = {"Omega": np.array(xi[:3], dtype=object), "Y": np.array(xi[3:], dtype=object)}
        return turn | {"xi": sd.Blocks({k: v for k, v in parts.items() if len(v)})}

    def L(self, q, v, t, z):
        return self.system.lagrangian(**self.blocks(q, z, self.space.velocity(q, v)), t=t)

    def X(self, q):
        return np.array([self.space.velocity(q, e) for e in np.eye(len(q), dtype=int)], dtype=object).T

    def columns(self, xi):
        """(dξ, dλ) along dt, each dW^i, and dB."""
        n, q, z, t, system = self.space.dimension, self.q, self.z, self.t, self.system
        X = self.X(q)
        v = solve(X, xi)
        at = [*q, *v, t, z]

        def parts(w):
            return w[:n], w[n : 2 * n], w[2 * n], w[2 * n + 1]

        def momentum(w):
            q, v, t, z = parts(w)
            return derivatives(lambda v: self.L(q, v, t, z), v)[1]

        def defect(w):
            q, v, t, z = parts(w)
            where = self.blocks(q, z)
            A = np.array(system.covectors(**where, t=t), dtype=object)
            return A @ np.array(self.space.velocity(q, v), dtype=object) - np.array(
                system.values(**where, t=t), dtype=object
            )

        pi, slope = derivatives(momentum, at)
        off, slope_of_defect = derivatives(defect, at)
        assert not np.any(plain_array(off))
        here = self.blocks(q, z, xi)
        C = np.array(system.directions(**here, t=t), dtype=object)
        zero = [Fraction(0)] * n
        moved = [(v, derivatives(lambda q: self.L(q, v, t, z), q)[1], 1)]
        for i in range(2):
            field, field_q = derivatives(lambda q, i=i: solve(self.X(q), system.noise(**self.blocks(q, z), t=t)[i]), q)
            moved.append((field, -(field_q.T @ pi), 0))
        moved.append((zero, zero, 0))
        alpha = [
            system.internal()[0].drift(t, here["z"])[0],
            *(b[0] for b in system.internal()[0].noise(t, here["z"])),
            0,
        ]
        forces = system.forces()
        pushed = [forces.drift(**here, t=t), *forces.noise(here["xi"], here["a"], t),
                  *forces.independent(here["xi"], here["a"])]  # fmt: skip
        out = []
        for (dq, force, dt), dz, F in zip(moved, alpha, pushed, strict=True):
            known = np.array([*dq, *zero, dt, dz], dtype=object)
            right = [*(np.array(force, dtype=object) + X.T @ np.array(F, dtype=object) - slope @ known),
                     *(-(slope_of_defect @ known))]  # fmt: skip
            matrix = np.block([[slope[:, n : 2 * n], -(X.T @ C)],
                               [slope_of_defect[:, n : 2 * n], np.zeros((len(off), len(off)), dtype=int)]])  # fmt: skip
            found = solve(matrix, right)
            turning = derivatives(lambda w: self.space.velocity(w[:n], w[n:]), [*q, *v])[1]
            dxi = turning @ np.array([*dq, *found[:n]], dtype=object)
            out.append((list(plain_array(dxi)), list(plain_array(found[n:]))))
        return out


SYSTEMS = {
    "SO(3), one covector": Everything(Turns(), 1),
    "SE(3), one covector": Everything(Motions(), 1),
    "SE(3), two covectors": Everything(Motions(), 2),
}
HP = sd.HamiltonPontryagin()
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
@budget(0.05)
@given(data=st.data())
def test_lagranges_equations_in_coordinates(name, data):
    """Rates of ξ and multipliers along every column, in fractions: no difference."""
    system = SYSTEMS[name]
    n = system.space.dimension
    q, xi = (data.draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(2))
    assert unequal(system, derivations(name), q, xi, data.draw(numbers), data.draw(numbers)) == []


def spatial(space, q, zeta):
    """Z = Ad_{s⁻¹}ζ."""
    g, w = rotation(q[:3]), np.array(zeta, dtype=object)
    if space.dimension == 3:
        return g.T @ w
    return np.concatenate([g.T @ w[:3], g.T @ (w[3:] + np.cross(w[:3], np.array(q[3:], dtype=object)))])


@pytest.mark.parametrize("name", SYSTEMS)
@budget(0.02)
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
    for column in columns(inputs):
        dq = solve(X, column["v"])
        left = column["d_p"] @ Z + p @ (Z_q @ dq)
        assert left == column["kappa"] @ (a_q @ solve(X, Z)) + (column["force"] + column["reaction"]) @ Z


def without_variation_of_noise(self, motion):
    return motion.lagrangian_a * motion.setting.dt


def opposite(self, motion):
    return -KAPPA(self, motion)


KAPPA = sd.HamiltonPontryagin.kappa


@pytest.mark.parametrize(("kappa", "columns"), [(without_variation_of_noise, [1, 2]), (opposite, [0, 1, 2])])
def test_what_is_varied_is_noticed(kappa, columns, monkeypatch):
    """κ without its noise term, or with the other sign, is another motion."""
    monkeypatch.setattr(sd.HamiltonPontryagin, "kappa", kappa)
    system = SYSTEMS["SO(3), one covector"]
    equations = Derivations(system.definition(), principles=[HP])
    q, xi = ([Fraction(i, k) for i in (1, -2, 3)] for k in (5, 2))
    assert unequal(system, equations, q, xi, Fraction(1, 3), Fraction(1, 2)) == columns

"""Coordinates of SO(3) and SE(3), and Lagrange's equations with multipliers in them.

Nothing here knows ad*, ◇, κ or a generator. s(q) is a matrix, a = s(q)⁻¹a₀, and X(q)v the velocity s⁻¹ṡ, so that the Lagrangian
is L(q, v, t, z) = l(X(q)v, a, t, z). With n_i = X⁻¹N_i and Q_k = XᵀF_k the principle

    δ∫ L dt + ⟨π, dq − v dt − Σ n_i∘dW^i⟩ + ∫⟨Q, δq⟩ = 0 on A X δq = 0

says dq = v dt + Σ n_i∘dW^i, π = ∂L/∂v, dπ = ∂L/∂q dt − Σ (∂n_i/∂q)ᵀπ∘dW^i + Q + (CᵀX)ᵀdλ, and A X v = b is kept.
"""

from fractions import Fraction

import numpy as np

import semidirect as sd
from semidirect.testing.laws.exact_points.numbers import derivatives, plain_array, solve


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


def spatial(space, q, zeta):
    """Z = Ad_{s⁻¹}ζ."""
    g, w = rotation(q[:3]), np.array(zeta, dtype=object)
    if space.dimension == 3:
        return g.T @ w
    return np.concatenate([g.T @ w[:3], g.T @ (w[3:] + np.cross(w[:3], np.array(q[3:], dtype=object)))])


class Lagrange:
    """Lagrange's equations at q, of a system that gives l, A, b, C, N_i, forces and internal states as functions."""

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

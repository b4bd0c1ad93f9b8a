"""The theorem (EP) in numbers: a definition's fields at one state from the user's functions alone, without SymPy.

An independent reference for derived equations. It knows structure constants and generators, takes derivatives by
:class:`~semidirect.testing.laws.exact_points.numbers.Number`, and follows docs/theory.md, "Equations to run", line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from semidirect.core import display, exact
from semidirect.definition import Definition, ValuesAt
from semidirect.testing.laws.exact_points.numbers import Entries, Number, constants, derivatives, plain_array, solve

Vector = np.ndarray


@dataclass(frozen=True, repr=False)
class Point(display.Brief):
    """One state: ξ ``(n,)``, a ``(k,)``, z, and t, exact numbers; p ``(n,)`` where equations come from h."""

    xi: Entries
    a: Entries
    z: Entries
    t: Any
    p: Entries = ()


@dataclass(frozen=True, repr=False)
class Column(display.Brief):
    """One column of the equations, of dt or a dW^k, at a state.

    Attributes
    ----------
    v, da, dz : arrays
        Transport ξ or N_i; −ρ(v) a; α or β_i.
    f : array (n,)
        ad*_v p + κ ◇ a + F.
    force : array (n,)
        F or F_i.
    rates : array
        du (B form), dξ (A form), or dp where equations come from h.
    reaction : array (n,)
        C dλ, or dp − f if the form has no multipliers.
    multiplier : array
        dλ; empty in B form.
    """

    v: Vector
    da: Vector
    dz: Vector
    f: Vector
    force: Vector
    rates: Vector
    reaction: Vector
    multiplier: Vector


class Theorem:
    """Fields of a definition, at exact numbers or at numbers that carry derivatives."""

    def __init__(self, definition: Definition):
        self.definition = definition
        self.group = definition.group
        self.n = definition.group.dimension

    # -- the user's functions --------------------------------------------------------------------------------------

    def _at(self, point: Point) -> ValuesAt:
        xi, a, z, p = map(_vector, (point.xi, point.a, point.z, point.p))
        return ValuesAt(self.definition, xi, a, z, constants(point.t), p)

    def lagrangian(self, point: Point) -> Any:
        """l."""
        return self._at(point).lagrangian

    def hamiltonian(self, point: Point) -> Any:
        """h at p."""
        return self._at(point).hamiltonian

    def varied(self, point: Point) -> Any:
        """l, or −h where equations come from h: its slopes in a, z and t are those that the theorem needs."""
        return -self.hamiltonian(point) if self.definition.by_hamiltonian else self.lagrangian(point)

    def noise_hamiltonians(self, point: Point) -> Vector:
        """The h_i at p."""
        return _vector(self._at(point).noise_hamiltonians)

    def distribution(self, point: Point) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """B, c and B_V."""
        return self._at(point).directions

    def annihilator(self, point: Point) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """A, b and C."""
        return self._at(point).covectors

    def fields(self, point: Point, amplitudes: Sequence[Any] | None = None) -> list[Vector]:
        """The N_i that the constraint states; a formal noise has the given amplitudes."""
        return [
            _vector(x) for x in self._at(point).fields(self.amplitudes(point) if amplitudes is None else amplitudes)
        ]

    def transports(self, point: Point, p: Vector) -> list[tuple[Vector, Vector]]:
        """N_i, and κ_i = −∂/∂a of ⟨p, N_i⟩ at p, for each noise of the constraint; N_i = ∂h_i/∂p and −∂h_i/∂a for each h_i."""
        amplitudes = self.amplitudes(point) if self.definition.constraint.noise.formal else None
        a, nothing = _vector(point.a), np.zeros(len(point.a), dtype=object)

        def fields_of(a_: Entries) -> Any:
            at = replace(point, a=a_)
            return self.fields(at, amplitudes) or np.zeros((0, self.n), dtype=object)

        fields, slopes = derivatives(fields_of, a) if len(a) else (np.asarray(fields_of(a)), None)
        transports = [(N, nothing if slopes is None else -(slopes[k].T @ p)) for k, N in enumerate(fields)]
        if self.definition.noise_hamiltonian is None:
            return transports
        along = derivatives(lambda p_: self.noise_hamiltonians(replace(point, p=p_)), p)[1]
        count = len(along)
        kappa = np.zeros((count, len(a)), dtype=object)
        if len(a):
            kappa = -derivatives(lambda a_: self.noise_hamiltonians(replace(point, p=p, a=a_)), a)[1]
        return [*transports, *zip(along, kappa, strict=True)]

    def amplitudes(self, point: Point) -> list[Vector]:
        """The amplitudes of the noise."""
        return [_vector(x) for x in self._at(point).amplitudes]

    def _forces(self, point: Point) -> tuple[list[Vector], list[Vector]]:
        (drift, *noise), independent = self._at(point).forces
        first = np.zeros(self.n, dtype=object) if drift is None else _covector(drift)
        return [first, *map(_covector, noise)], list(map(_covector, independent))

    def _internal(self, point: Point) -> list[list[Vector]]:
        sizes = (state.dimension for state in self.definition.internal_states)
        return [[_vector(np.zeros(n) if x is None else x) for x in columns]
                for n, columns in zip(sizes, self._at(point).internal, strict=True)]  # fmt: skip

    # -- the theorem -----------------------------------------------------------------------------------------------

    def momentum(self, point: Point) -> Vector:
        """p = ∂l/∂ξ, or the momentum of the state."""
        if self.definition.by_hamiltonian:
            return _vector(point.p)
        return derivatives(lambda xi: self.lagrangian(Point(xi, point.a, point.z, point.t)), point.xi)[1]

    def energy(self, point: Point) -> Any:
        """h, or E = ⟨p, ξ⟩ − l."""
        if self.definition.by_hamiltonian:
            return self.hamiltonian(point)
        return self.momentum(point) @ _vector(point.xi) - self.lagrangian(point)

    def point(self, first: Entries, a: Entries, z: Entries, t: Any) -> Point:
        """The state with u, with ξ where D is given by covectors alone, or with p where equations come from h."""
        if self.definition.by_hamiltonian:
            return Point(list(plain_array(self.velocity(first, a, z, t))), a, z, t, first)
        has_basis = self.distribution(Point([0] * self.n, a, z, t)) is not None
        return Point(list(plain_array(self.velocity(first, a, z, t))) if has_basis else first, a, z, t)

    def velocity(self, u: Entries, a: Entries, z: Entries, t: Any) -> Vector:
        """ξ = B u + c, or ∂h/∂p at p = u."""
        if self.definition.by_hamiltonian:
            at_rest = [0] * self.n
            return derivatives(lambda p: self.hamiltonian(Point(at_rest, a, z, t, p)), u)[1]
        distribution = self.distribution(Point([0] * self.n, a, z, t))
        assert distribution is not None
        return distribution[0] @ _vector(u) + distribution[1]

    @cached_property
    def _generators(self) -> Vector:
        parts = self.definition.advected_layout
        size = sum(part.stop - part.start for part in parts.values())
        rho = np.full((self.n, size, size), Fraction(0), dtype=object)
        for name, part in parts.items():
            rho[:, part, part] = self.definition.advected[name].representation.generators
        return rho

    def action(self, xi: Vector, a: Vector) -> Vector:
        """ρ(ξ) a."""
        return (
            np.sum([xi[j] * (self._generators[j] @ a) for j in range(self.n)], axis=0)
            if len(a)
            else np.zeros(0, dtype=object)
        )

    def bracket(self, xi: Vector, eta: Vector) -> Vector:
        """[ξ, η]."""
        out = np.full(self.n, Number(0), dtype=object)
        for i, j, k, c in self.group.brackets:
            out[k] = out[k] + c * xi[i] * eta[j]
        return out

    def turned(self, v: Vector, p: Vector) -> Vector:
        """The covector η ↦ ⟨p, [v, η]⟩."""
        out = np.full(self.n, Number(0), dtype=object)
        for i, j, k, c in self.group.brackets:
            out[j] = out[j] + c * v[i] * p[k]
        return out

    def columns(self, point: Point, *, form: str = "B", u: Entries = ()) -> list[Column]:
        """All columns at a state; in B form ξ = B u + c must hold."""
        xi, a, z = _vector(point.xi), _vector(point.a), _vector(point.z)
        p = self.momentum(point)
        noises = self.transports(point, p)
        _, l_a = derivatives(lambda a_: self.varied(replace(point, a=a_)), a)
        decay, damping = self.dissipation(point, p, xi, l_a)
        shared, independent = self._forces(point)
        internal = self._internal(point)
        count = max(len(noises), len(shared) - 1, *(len(c) - 1 for c in internal), 0)
        total = count + len(independent)
        nothing = np.zeros(self.n, dtype=object)
        out = []
        for k in range(total + 1):
            v, kappa = nothing, np.zeros(len(a), dtype=object)
            if k == 0:
                v, kappa = xi + decay, l_a + damping
            elif k <= len(noises):
                v, kappa = noises[k - 1]
            force = shared[k] if k < len(shared) else independent[k - count - 1] if k > count else nothing
            dz = [c[k] if k < len(c) and k <= count else np.zeros(len(c[0]), dtype=object) for c in internal]
            diamond = np.array([-(kappa @ (rho @ a)) if len(a) else 0 for rho in self._generators], dtype=object)
            f = self.turned(v, p) + diamond + force
            out.append((v, -self.action(v, a), np.concatenate(dz) if dz else np.zeros(0, dtype=object), f, force))
        build = self._covector_column if form == "A" else self._distribution_column
        return [build(point, z, u, k, *column) for k, column in enumerate(out)]

    def dissipation(self, point: Point, p: Vector, xi: Vector, l_a: Vector) -> tuple[Vector, Vector]:
        """w and k of a double bracket; 0 if there is none."""
        bracket, a = self._at(point).dissipation, _vector(point.a)
        if bracket is None:
            return np.zeros(self.n, dtype=object), np.zeros(len(a), dtype=object)
        B, f = self._basis(point), self.rest_rate(p, xi, l_a, a)
        return B @ (bracket[0] @ (B.T @ f)), bracket[1] * self.action(xi, a)

    def rest_rate(self, p: Vector, xi: Vector, l_a: Vector, a: Vector) -> Vector:
        """ad*_ξ p + ∂l/∂a ◇ a, without noise, forces and dissipation."""
        diamond = np.array([-(l_a @ (rho @ a)) if len(a) else 0 for rho in self._generators], dtype=object)
        return self.turned(xi, p) + diamond

    def _basis(self, point: Point) -> Vector:
        distribution = self.distribution(point)
        assert distribution is not None
        return distribution[0]

    def _along(self, function: Any, point: Point, da: Vector, dz: Vector, dt: int) -> tuple[Vector, Vector]:
        """Value and D_k of a function of (a, z, t)."""
        a, z = len(point.a), len(point.z)
        value, jacobian = derivatives(
            lambda q: function(q[:a], q[a : a + z], q[a + z]), [*_vector(point.a), *_vector(point.z), point.t]
        )
        return value, jacobian @ np.array([*da, *dz, dt], dtype=object)

    def hessian(self, point: Point) -> Vector:
        """H = ∂²l/∂ξ²."""
        return derivatives(lambda xi: self.momentum(Point(xi, point.a, point.z, point.t)), point.xi)[1]

    def _distribution_column(self, point: Point, z: Vector, u: Entries, k: int, v: Vector, da: Vector, dz: Vector,
                             f: Vector, force: Vector) -> Column:  # fmt: skip
        def momentum(a: Any, z: Any, t: Any) -> Vector:
            return self.momentum(Point(self.velocity(u, a, z, t), a, z, t))

        if self.definition.by_hamiltonian:
            return Column(v, da, dz, f, force, f, np.zeros(self.n, dtype=object), np.zeros(0, dtype=object))
        distribution, H = self.distribution(point), self.hessian(point)
        assert distribution is not None
        B, _, test = distribution
        _, change = self._along(momentum, point, da, dz, int(k == 0))
        rates = np.array(solve(test.T @ H @ B, test.T @ (f - change)), dtype=object)
        return Column(v, da, dz, f, force, rates, H @ (B @ rates) + change - f, np.zeros(0, dtype=object))

    def _covector_column(self, point: Point, z: Vector, u: Entries, k: int, v: Vector, da: Vector, dz: Vector,
                         f: Vector, force: Vector) -> Column:  # fmt: skip
        def residual(a: Any, z: Any, t: Any) -> Vector:
            annihilator = self.annihilator(Point(point.xi, a, z, t))
            assert annihilator is not None
            return annihilator[0] @ _vector(point.xi) - annihilator[1]

        def momentum(a: Any, z: Any, t: Any) -> Vector:
            return self.momentum(Point(point.xi, a, z, t))

        annihilator = self.annihilator(point)
        assert annihilator is not None
        A, _, C = annihilator
        _, change = self._along(momentum, point, da, dz, int(k == 0))
        _, drag = self._along(residual, point, da, dz, int(k == 0))
        matrix = np.block([[self.hessian(point), -C], [A, np.zeros((len(A), len(A)), dtype=object)]])
        solution = np.array(solve(matrix, [*(f - change), *(-drag)]), dtype=object)
        rates, multiplier = solution[: self.n], solution[self.n :]
        return Column(v, da, dz, f, force, rates, C @ multiplier, multiplier)

    def _dissipated(self, point: Point, p: Vector, xi: Vector, l_a: Vector) -> Any:
        """⟨f, θf⟩ + ⟨ρ(ξ)a, θ_a ρ(ξ)a⟩, f = Bᵀ(ad*_ξ p + ∂l/∂a ◇ a)."""
        bracket, a = self._at(point).dissipation, _vector(point.a)
        if bracket is None:
            return 0
        f, action = self._basis(point).T @ self.rest_rate(p, xi, l_a, a), self.action(xi, a)
        return f @ (bracket[0] @ f) + (action @ (bracket[1] * action) if len(a) else 0)

    def energy_rates(self, point: Point, columns: Sequence[Column]) -> list[Any]:
        """The right-hand side of the energy law for each column, but for the power ⟨R_k,ξ⟩ of the reaction.

        ⟨F_k,ξ⟩ − ⟨l_z,z_k⟩ − δ_{k0} (l_t + ⟨f,θf⟩ + ⟨ρ(ξ)a,θ_aρ(ξ)a⟩)
        + [k ≥ 1]{⟨p, [N_k,ξ]⟩ + ⟨−κ_k, ρ(ξ)a⟩ + ⟨∂l/∂a, ρ(N_k)a⟩}, where −κ_k is (∂N_k/∂a)ᵀp, or ∂h_k/∂a; l_a, l_z and l_t are
        −h_a, −h_z and −h_t where equations come from h.
        """
        xi, a = _vector(point.xi), _vector(point.a)
        p = self.momentum(point)
        action, noises = self.action(xi, a), self.transports(point, p)
        _, l_a = derivatives(lambda a_: self.varied(replace(point, a=a_)), a)
        _, l_z = derivatives(lambda z_: self.varied(replace(point, z=z_)), _vector(point.z))
        _, l_t = derivatives(lambda t_: self.varied(replace(point, t=t_[0])), [point.t])
        out = []
        for k, column in enumerate(columns):
            rate = column.force @ xi - (l_z @ column.dz if len(l_z) else 0)
            if k == 0:
                rate = rate - l_t[0] - self._dissipated(point, p, xi, l_a)
            else:
                rate = rate + p @ self.bracket(column.v, xi)
                if len(a):
                    rate = rate + l_a @ self.action(column.v, a)
                if k <= len(noises) and len(a):
                    rate = rate - noises[k - 1][1] @ action
            out.append(rate)
        return out


def _vector(x: Any) -> Vector:
    """A one-dimensional object array of numbers; a scalar is one row."""
    return exact.objects([r if isinstance(r, Number) else Number(r) for r in np.atleast_1d(np.asarray(x))])


def _covector(force: Any) -> Vector:
    return _vector(ValuesAt.covector(force))

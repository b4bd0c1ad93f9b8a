"""Momenta that obey a linear system: its matrices over the functions of a."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
import sympy as sp

from semidirect.core import display, errors, ops
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.function_field import kernel
from semidirect.invariants.certificate import orbit_relations
from semidirect.invariants.momenta.momentum_equation import along_motion
from semidirect.invariants.momenta.momentum_kinds import MIXED
from semidirect.invariants.momenta.momentum_sections import Orbit
from semidirect.invariants.momenta.short_forms import structural_pattern
from semidirect.invariants.parameters import ParameterSet

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import SymbolicDefinition
    from semidirect.invariants.momenta.nonholonomic_momentum import NonholonomicMomentum


@final
@dataclass(frozen=True, eq=False, repr=False)
class LinearMomenta(display.Read):
    """dJ/dt = Σ_α ν_α A_α J, where u = Σ_i (G⁻¹J)_i w_i + Σ_α ν_α h_α splits a velocity of D.

    Attributes
    ----------
    shape : tuple of arrays (m,)
        h_α in the coordinates u of D: velocities at which all J vanish, orthogonal to the sections in the kinetic energy.
    matrices : tuple of arrays (k, k)
        A_α. If there is a single h, dJ/dr = A J/r' for any function r of the shape: a linear system of ordinary equations, whose
        k solutions are k first integrals linear in J.
    inertia : array (k, k)
        G_ij = ⟨H η_i, η_j⟩, the locked inertia of the sections [kg m²].
    """

    shape: tuple[np.ndarray, ...]
    matrices: tuple[np.ndarray, ...]
    inertia: np.ndarray

    def __str__(self) -> str:
        lines = []
        for h, A in zip(self.shape, self.matrices, strict=True):
            lines.append(f"along h = ({', '.join(map(str, h))}), A =")
            lines += [f"  [{', '.join(map(str, row))}]" for row in A]
        return "\n".join(lines)


def linear_momenta(
    system: SystemDefinition, momenta: Sequence[NonholonomicMomentum], seed: int | None = None
) -> LinearMomenta:
    """The matrices of the linear system, by polarising dJ/dt along sections and shape velocities.

    Raises
    ------
    InputError
        If the momenta do not obey a linear system: there are other terms, dJ/dt is not quadratic, or D has no basis.
    """
    sde = derived_sde(system, variables="velocity")
    s = sde.setting
    kinds = [j.kinds for j in momenta]
    if s.distribution is None or not kinds or any(k is None or set(k) - {MIXED} for k in kinds):
        raise errors.InputError(
            f"a linear system for the momenta of {type(system).__name__}", expected=f"terms {MIXED} alone, D by a basis",
            got="; ".join("not quadratic" if k is None else ", ".join(k) or "none" for k in kinds) or "no momenta",
        )  # fmt: skip
    reduced = _Reduction(s, structural_pattern(system, s))
    w = [reduced.pattern(j.section.coordinates) for j in momenta]
    eta = [reduced.pattern(j.section.direction) for j in momenta]
    sigma = [reduced.pattern(j.section.spatial) for j in momenta]
    basis, H = reduced.pattern(s.distribution.basis), reduced.pattern(s.hessian)
    lowered = [ops.matvec(basis.T, ops.matvec(H, x)) for x in eta]  # BᵀHη: J = lowered · u
    inertia = reduced.matrix([[ops.dot(p, v) for v in w] for p in lowered])
    rows = [[reduced(e) for e in p] for p in lowered]
    orbit = Orbit(s, ParameterSet(system), seed)
    values = np.array([*orbit.values([e for row in rows for e in row]), None], dtype=object)[:-1].reshape(len(rows), -1)
    shape = [np.array(h, dtype=object) for h in kernel(rows, values, orbit.zero)]
    inverse = sp.Matrix(inertia).adjugate() / sp.Matrix(inertia).det(method="berkowitz")

    def rate(i: int, one: np.ndarray, other: np.ndarray) -> sp.Expr:
        """⟨Hξ, Dη·ξ' + [ξ', σ]⟩, whose diagonal is dJ/dt."""
        change = _along(s, other, eta[i]) + s.definition.group.bracket(other, sigma[i])
        return ops.dot(ops.matvec(H, one), change)

    matrices = []
    for h in shape:
        xi = ops.matvec(basis, h)
        mixed = [[rate(i, x, xi) + rate(i, xi, x) for x in eta] for i in range(len(eta))]
        matrices.append(reduced.matrix((sp.Matrix(reduced.matrix(mixed)) * inverse).tolist()))
    return LinearMomenta(tuple(shape), tuple(matrices), inertia)


def _along(s: SymbolicDefinition, xi: np.ndarray, functions: np.ndarray) -> np.ndarray:
    """The change of functions of a at the velocity ξ."""
    still = {s.dt: sp.Integer(0), **dict.fromkeys(s.dW, sp.Integer(0))}
    return np.array([sp.sympify(e).xreplace(still) for e in along_motion(s, xi, functions)], dtype=object)


class _Reduction:
    """Quotients of functions of a, in lowest terms modulo the relations of the orbit, |Γ|² = 1 and the like."""

    def __init__(self, s: SymbolicDefinition, pattern: dict[sp.Symbol, sp.Expr]):
        self._pattern, self._a = pattern, list(s.a)
        self._relations = [
            sp.Add(
                *(
                    sp.Rational(c.numerator, c.denominator) * sp.Mul(*(s.a[i] for i in term))
                    for term, c in relation.items()
                )
            )
            for relation in orbit_relations(s.definition)
        ]

    def pattern(self, array: np.ndarray) -> np.ndarray:
        """The entries with the pattern of the parameters inserted."""
        out = np.empty(array.shape, dtype=object)
        for index, e in np.ndenumerate(array):
            out[index] = sp.sympify(e).xreplace(self._pattern)
        return out

    def __call__(self, e: sp.Expr) -> sp.Expr:
        """The shorter of an expression in lowest terms before and after the reduction."""
        plain = sp.cancel(sp.together(e))
        above, below = (self._remainder(x) for x in sp.fraction(plain))
        return min((sp.factor(plain), sp.factor(sp.cancel(above / below))), key=sp.count_ops)

    def _remainder(self, e: sp.Expr) -> sp.Expr:
        rational = e.is_polynomial(*self._a)
        return sp.reduced(e, self._relations, *self._a, order="lex")[1] if self._relations and rational else e

    def matrix(self, rows: Sequence[Sequence[sp.Expr]]) -> np.ndarray:
        """The entries reduced."""
        out = np.empty((len(rows), len(rows[0])), dtype=object)
        for i, row in enumerate(rows):
            out[i] = [self(sp.sympify(e)) for e in row]
        return out

"""Casimirs of the Lie–Poisson bracket on 𝔰* ⋉ V*: their number, and the polynomial ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.definition import Unconstrained, in_scalars
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.linear_algebra import null_space, primes, rank, rational_basis
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.monomials import Monomials
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.points import at_random, regular_primes
from semidirect.invariants.polynomial import Polynomial

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import StratonovichSDE

MARGIN = 16


@final
@dataclass(frozen=True, repr=False)
class Casimirs(display.Read):
    """The result of :func:`find_casimirs`.

    Attributes
    ----------
    dimension : int
        Of 𝔰* × V.
    rank : int
        Of the bracket at a generic point: the dimension of generic coadjoint orbits.
    basis : tuple of Polynomial
        A basis of the polynomial Casimirs up to ``degree``, without constants; it includes products of others.
    independent : tuple of Polynomial
        Functionally independent elements of the basis.
    degree : int
        The largest degree.
    constrained : bool
        Whether the velocities are constrained.
    across : tuple of str
        The columns, ``drift``, ``noise1``, …, along which the motion leaves the coadjoint orbits, by a reaction or a force.
    kept : tuple of Polynomial
        The elements of ``independent`` that the motion conserves: all of them if the bracket is that of the motion.
    """

    dimension: int
    rank: int
    basis: tuple[Polynomial, ...]
    independent: tuple[Polynomial, ...]
    degree: int
    constrained: bool
    across: tuple[str, ...]
    kept: tuple[Polynomial, ...]

    @property
    def own(self) -> bool:
        """Whether the bracket is that of the motion: no constraint, and drift and noise along the coadjoint orbits."""
        return not (self.constrained or self.across)

    @property
    def count(self) -> int:
        """The number of functionally independent Casimirs near a generic point."""
        return self.dimension - self.rank

    def __str__(self) -> str:
        size, count = (
            f"rank {self.rank} in dimension {self.dimension}",
            f"{self.count} Casimir{'s' * (self.count != 1)}",
        )
        if self.own:
            line = f"Lie–Poisson bracket of {size}: {count}"
            if len(self.independent) < self.count:
                line += f", {len(self.independent) or 'none'} of them a polynomial of degree up to {self.degree}"
        else:
            why = f"along {', '.join(self.across)} it leaves the" if self.across else "it is constrained, though along"
            line = f"no Lie–Poisson bracket of its own: {why} coadjoint orbits; of the {len(self.independent)} independent "
            line += f"polynomial Casimirs of degree up to {self.degree} of that on 𝔰* ⋉ V* ({size}, {count}) it keeps "
            line += str(len(self.kept) or "none")
        return "\n".join([line, *(f"  {q.primitive()}" for q in self.kept)])


@explains_calls
def find_casimirs(system: SystemDefinition, degree: int = 2, *, seed: int | None = None) -> Casimirs:
    """Casimirs of {p_i, p_j} = −c_ij^k p_k, {p_j, a} = ρ_j a, {a, a} = 0 (Holm, Marsden and Ratiu 1998), and their conservation.

    They commute with everything, so a system without constraint and forces conserves them with any Lagrangian and transport
    noise. A reaction or a force moves p across the coadjoint orbits in general: then the bracket is not that of the motion, and
    its Casimirs are functions like others. Whether drift and noise are along the orbits is decided by ranks at random points of
    the invariant set, p = ∂l/∂ξ at admissible ξ, and which of the Casimirs stay by their derivatives there. The advected
    quantities are not restricted to an orbit. The momenta are named as in the velocity's blocks, ``M`` for Ω and ``p_…`` else,
    and always ``p_…`` where there is a constraint, for M is then BᵀP.

    Raises
    ------
    InputError
        If there are constraints or forces, advected quantities, and a group without rational points.
    """
    arguments.validated_whole("degree", degree, least=1)
    system = in_scalars(system)
    if not system._has_configuration:
        raise errors.InputError(
            "Casimirs of momenta", expected="a system on a group", got=f"{type(system).__name__}, of matrices",
            hint='Those of matrices are traces of powers, prove("tr(W**2)"); find_invariants(system, degree, along="both") '
            "finds them as polynomials.",
        )  # fmt: skip
    sde = derived_sde(system, variables="velocity")
    definition = sde.definition
    constrained = not isinstance(definition.constraint, Unconstrained)
    names = _names(definition, constrained=constrained)
    monomials = Monomials.up_to(degree, len(names))
    # ranks are those at random points modulo a prime: exact, and wrong with a negligible probability only
    p = next(primes(seed))
    field = PrimeField(p, 4, random_numbers(seed))
    bracket = _bracket(definition, [field.draw() for _ in names], field)
    matrix = field.at_spot(bracket)

    def basis(p: int, i: int) -> np.ndarray:
        field = PrimeField(p, len(monomials) + MARGIN, random_numbers(seed, i))
        y = [field.draw() for _ in names]
        x = np.stack([v.spread() for v in y])
        values = monomials.values(x, p)
        rows = []
        for flow in _bracket(definition, y, field):
            rates = np.stack([r.spread() for r in flow])
            rows.append(monomials.slopes(x, rates, values, p)[1:].T)
        return null_space(np.concatenate(rows), p)

    polynomials = []
    # fractions from residues modulo several primes
    for vector in rational_basis(basis, seed):
        terms: dict[tuple[str, tuple[int, ...]], Fraction] = {
            ("", e): c for e, c in zip(monomials.exponents[1:], vector, strict=True) if c
        }
        polynomials.append(Polynomial(tuple(names), terms, {}))
    independent = _independent(polynomials, monomials, p, seed)
    across: tuple[str, ...] = ()
    conserved = independent
    # a Casimir of the bracket need not be conserved where a constraint or a force acts
    if constrained or any(e != 0 for force in sde.setting.forces for e in force):
        motion = _Motion(system, sde, seed)
        across = motion.across()
        conserved = tuple(q for q in independent if motion.keeps(q, monomials))
    return Casimirs(
        len(names), rank(matrix, p), tuple(polynomials), independent, degree, constrained, across, conserved
    )


class _Motion:
    """The rates of (p, a) at random points of the invariant set of a system, modulo a prime."""

    def __init__(self, system: SystemDefinition, sde: StratonovichSDE, seed: int | None):
        fields, values = Fields(sde, {"y": [*sde.program.outputs["p"], *sde.setting.a]}), ParameterSet(system, "given")
        self.p = next(regular_primes(fields, values, seed))
        self.field = PrimeField(self.p, MARGIN, random_numbers(seed, self.p))
        at = at_random(fields, self.field, values)
        self.definition, self.columns = sde.definition, fields.columns
        self.y = at.values("y")
        self.rates = [at.derivative("y", k) for k in range(len(fields.columns))]

    def across(self) -> tuple[str, ...]:
        """The columns whose rates are not in the image of the bracket."""
        image, p = _bracket(self.definition, self.y, self.field), self.p
        size = rank(self.field.at_spot(image), p)
        columns = zip(self.columns, self.rates, strict=True)
        return tuple(n for n, rates in columns if rank(self.field.at_spot([*image, rates]), p) > size)

    def keeps(self, casimir: Polynomial, monomials: Monomials) -> bool:
        """Whether a polynomial of (p, a) is constant along every column."""
        coefficients = _residues(casimir, monomials, self.p)
        x = np.stack([e.spread() for e in self.y])
        values = monomials.values(x, self.p)
        for rates in self.rates:
            slopes = monomials.slopes(x, np.stack([e.spread() for e in rates]), values, self.p)
            change = sum(c * slope.astype(object) for c, slope in zip(coefficients, slopes, strict=True)) % self.p
            if np.any(change[self.field.valid]):
                return False
        return True


def _independent(basis: Sequence[Polynomial], monomials: Monomials, p: int, seed: int | None) -> tuple[Polynomial, ...]:
    """A largest set with independent differentials, at a random point of GF(p)ⁿ; low degrees go first."""
    n = len(monomials.exponents[0])
    x = random_numbers(seed).integers(1, p, (n, 1))
    values = monomials.values(x, p)
    slopes = [monomials.slopes(x, np.eye(n, dtype=np.int64)[:, [j]], values, p)[:, 0] for j in range(n)]
    independent: list[Polynomial] = []
    rows: list[list[int]] = []
    for q in sorted(basis, key=lambda q: q.degree):
        residues = _residues(q, monomials, p)
        row = [sum(a * int(b) for a, b in zip(residues, s, strict=True)) % p for s in slopes]
        if rank(np.array([*rows, row]), p) > len(rows):
            independent, rows = [*independent, q], [*rows, row]
    return tuple(independent)


def _residues(q: Polynomial, monomials: Monomials, p: int) -> list[int]:
    """The coefficients of all monomials modulo p."""
    coefficients = [q.terms.get(("", e), Fraction(0)) for e in monomials.exponents]
    return [c.numerator * pow(c.denominator, -1, p) % p for c in coefficients]


def _names(definition: Definition, *, constrained: bool) -> list[str]:
    out: list[str] = []
    for name, part in definition.group.blocks.items():
        size = part.stop - part.start
        momentum = f"p_{name}" if constrained else definition.momentum_name(name)
        out += [momentum] if size == 1 else [f"{momentum}{i + 1}" for i in range(size)]
    for name, quantity in definition.advected.items():
        out += [name] if quantity.dimension == 1 else [f"{name}{i + 1}" for i in range(quantity.dimension)]
    return out


def _bracket(definition: Definition, y: Sequence[Any], field: PrimeField) -> list[list[Any]]:
    """The matrix of the bracket: rows are the Hamiltonian fields of the coordinates."""
    group, n = definition.group, definition.group.dimension
    zero = field.number(0)
    rows = [[zero for _ in y] for _ in y]
    for i, j, k, c in group.brackets:
        rows[i][j] = rows[i][j] - y[k] * c
    start = n
    for quantity in definition.advected.values():
        for j, row, column in np.ndindex(quantity.representation.generators.shape):
            value = quantity.representation.generators[j, row, column]
            if value:
                term = y[start + column] * value
                rows[j][start + row] = rows[j][start + row] + term
                rows[start + row][j] = rows[start + row][j] - term
        start += quantity.dimension
    return rows

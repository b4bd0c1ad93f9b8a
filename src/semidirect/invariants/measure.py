"""Preserved measures: the divergence of the fields, and densities that cancel it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.definition import in_scalars
from semidirect.equations import Solve, derived_sde
from semidirect.invariants.algebra.linear_algebra import null_space, rational_basis
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.algebra.sloped import along as along_field
from semidirect.invariants.fields import Evaluator, Fields
from semidirect.invariants.monomials import Monomials, written
from semidirect.invariants.parameters import ParameterSet, hidden_by_rounding
from semidirect.invariants.points import at_random, regular_primes
from semidirect.invariants.proofs import Along, chosen_columns
from semidirect.invariants.quantity import QuantityLike, quantity_name, scalar

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE

MARGIN, LARGEST = 16, 6
LOCKED = {"P": "det(BᵀHB)", "B": "det(BᵀHB)", "A": "det[H −C; A 0]"}


@final
@dataclass(frozen=True, repr=False)
class Measure(display.Read):
    """A preserved density Π f_i^α_i · exp(Σ c_j h_j), or the result that there is none of this form.

    Attributes
    ----------
    variables : tuple of str
        The coordinates of the density, in which Lebesgue's measure has density 1; on the orbit of the advected quantities.
    columns : tuple of str
        The columns whose flows preserve it.
    divergence_free : tuple of bool
        For each column whether it preserves Lebesgue's measure itself.
    exponents : dict name → Fraction, or None
        The nonzero α_i; ``None`` if no density of this form exists.
    exponential : dict name → Fraction
        c_j of the functions in the exponent.
    rounded : tuple of str
        Parameters that stand for numbers near them: at those there may be one if there is none here.
    """

    variables: tuple[str, ...]
    columns: tuple[str, ...]
    divergence_free: tuple[bool, ...]
    exponents: Mapping[str, Fraction] | None
    exponential: Mapping[str, Fraction]
    rounded: tuple[str, ...] = ()

    @property
    def exists(self) -> bool:
        """Whether a density was found."""
        return self.exponents is not None

    def __str__(self) -> str:
        where = f"d{' d'.join(self.variables)}, along {', '.join(self.columns)}"
        if self.exponents is None:
            hidden = hidden_by_rounding(self.rounded, "measures")
            return "\n".join([f"no preserved measure of this form on {where}", *hidden])
        factors = [f"({name})**({power})" for name, power in self.exponents.items()]
        if self.exponential:
            factors.append(f"exp({' + '.join(f'({c})*{n}' for n, c in self.exponential.items())})")
        return f"preserved measure: {' '.join(factors) or '1'} {where}"


@explains_calls
def find_measure(system: SystemDefinition, *, along: Along = "drift", factors: Sequence[QuantityLike] = (), degree: int = 0,
                 functions: Sequence[QuantityLike] = (), variables: str = "momentum", locked: bool = True,
                 seed: int | None = None) -> Measure:  # fmt: skip
    """Search a density μ with div(μ g) = 0 for fields g, of the form Π f_i^α_i · exp(Σ c_j h_j).

    μ is preserved by dy = g where g·∇ln μ = −div g. That is linear in α and c: it is solved at random points of the invariant
    set over prime fields and lifted to rationals, which one more prime confirms. Under Stratonovich noise a measure is
    preserved by all paths if it is by the drift and by each noise. The divergence is that in the coordinates of the state
    (P, a, z); da = −ρ(ξ̃)a keeps every orbit, so for a unimodular action it is the divergence on the orbit too.

    Parameters
    ----------
    system : System
    along : str or sequence of str
        Columns, as in :func:`.prove`.
    factors : sequence of quantities
        f_i, observables or expressions. The determinant of the locked inertia BᵀHB is one of them if
        ``locked``; in A form that of the matrix of (dξ, dλ), which is det H · det AH⁻¹Aᵀ for ideal reactions.
    degree : int
        h_j are all monomials of the state up to this degree, and ``functions``.
    variables : {"momentum", "velocity"}
        The state in whose coordinates the density is.
    seed : int
        Of the random points.

    Raises
    ------
    InputError
        For a factor that is not a scalar, a system whose state is its configuration alone, or where points or divergences are
        not rational.
    """
    system = in_scalars(system)
    search = _Measures(system, along, factors, degree, functions, variables, locked, seed)
    moduli = regular_primes(search.fields, search.parameters, seed)
    # the last unknown is the divergence: a measure exists if it can be balanced
    solution = next((v for v in rational_basis(search.basis, seed, moduli) if v[-1]), None)
    coefficients = None if solution is None else dict(zip(search.terms, solution, strict=False))
    return Measure(
        tuple(v.name for v in search.sde.variables),
        tuple(search.fields.columns[k] for k in search.columns),
        tuple(search.divergence_free),
        None if coefficients is None else {n: coefficients[n] for n in search.factors if coefficients[n]},
        {} if coefficients is None else {n: c for n, c in coefficients.items() if c and n not in search.factors},
        search.parameters.rounded(),
    )


class _Measures:
    """The linear system for exponents and coefficients; its last column is the divergence."""

    def __init__(self, system: SystemDefinition, along: Along, factors: Sequence[QuantityLike], degree: int,
                 functions: Sequence[QuantityLike], variables: str, locked: bool, seed: int | None):  # fmt: skip
        factors = arguments.validated_sequence("factors", factors, of="quantities")
        functions = arguments.validated_sequence("functions", functions, of="quantities")
        arguments.validated_flag("locked", locked)
        arguments.validated_whole("degree", degree, least=0)
        self.sde = derived_sde(system, variables=variables)
        if not self.sde.state:
            raise errors.InputError(
                "a preserved measure", expected="momenta, velocities, advected quantities or internal states",
                got="a motion of the configuration alone",
                hint="The flow of s⁻¹ds preserves Haar's measure of a unimodular group, whatever moves s.",
            )  # fmt: skip
        self.seed, self.parameters = seed, ParameterSet(system)
        quantities = {LOCKED[self.sde.form]: _locked_determinant(self.sde)} if locked else {}
        self.factors = [*quantities, *map(quantity_name, factors)]
        quantities = {n: q for n, q in quantities.items() if q}
        for quantity in (*factors, *functions):
            name = quantity_name(quantity)
            quantities[name] = scalar(system, quantity, self.sde, f"the factor {name!r}")
        self.factors = [n for n in self.factors if n in quantities]
        self.functions = [n for n in quantities if n not in self.factors]
        self.fields = Fields(self.sde, quantities)
        self.columns = chosen_columns(self.fields.columns, along)
        self.monomials = Monomials.up_to(degree, len(self.sde.state))
        names = [str(x) for x in self.sde.state]
        self.terms = [*self.factors, *self.functions, *(written(e, names) for e in self.monomials.exponents[1:])]
        self.divergence_free = [True] * len(self.columns)

    def basis(self, p: int, i: int) -> np.ndarray:
        """The null space modulo p."""
        least = len(self.terms) + MARGIN
        for attempt in range(6):
            field = PrimeField(p, least * 4**attempt, random_numbers(self.seed, i))
            rows = self._rows(field)
            if np.count_nonzero(field.valid) >= least:
                return null_space(rows, p)
        raise errors.InputError("a preserved measure", expected="regular points", got=f"too few of {field.count}")

    def _rows(self, field: PrimeField) -> np.ndarray:
        at = at_random(self.fields, field, self.parameters)
        logarithmic: list[list[Any]] = []
        for k in self.columns:
            row = [at.derivative(n, k)[0] / at.values(n)[0] for n in self.factors]
            row += [at.derivative(n, k)[0] for n in self.functions]
            logarithmic.append([*row, _divergence(at, k, len(self.sde.state))])
        good = field.valid
        x = np.stack([v.spread()[good] for v in at.y[: len(self.sde.state)]])
        powers = self.monomials.values(x, field.p)
        out = []
        for n, (k, row) in enumerate(zip(self.columns, logarithmic, strict=True)):
            rates = np.stack([r.spread()[good] for r in at.rates(k)[: len(x)]])
            slopes = self.monomials.slopes(x, rates, powers, field.p)[1:]
            *columns, divergence = [v.spread()[good] for v in row]
            self.divergence_free[n] &= not divergence.any()
            out.append(np.stack([*columns, *slopes, divergence], axis=1))
        return np.concatenate(out)


def _divergence(at: Evaluator, k: int, size: int) -> Any:
    """Σ ∂g_i/∂y_i over the state."""
    total = at.numbers.number(0)
    for i in range(size):
        unit = [at.numbers.number(int(i == j)) for j in range(len(at.y))]
        total = total + along_field(partial(at.rates, k), at.y, unit)[i]
    return total


def _locked_determinant(sde: StratonovichSDE) -> list[sp.Expr]:
    """det BᵀHB, or det [H −C; A 0], in the names of the program; nothing where it is a number or large."""
    solve = next((s for s in sde.program.statements if isinstance(s, Solve)), None)
    if solve is None or len(solve.names) > LARGEST:
        return []
    determinant = sp.Matrix(solve.matrix).det(method="berkowitz")
    return [determinant] if determinant.free_symbols - set(sde.definition.parameters) else []

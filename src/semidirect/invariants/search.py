"""All polynomial first integrals up to a degree, by linear algebra over prime fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.definition import in_scalars
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.linear_algebra import echelon, null_space, rational_basis
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.generators import Generator, generators
from semidirect.invariants.levels import Values, level_of
from semidirect.invariants.monomials import MOST, Monomials
from semidirect.invariants.parameters import ParameterSet, hidden_by_rounding
from semidirect.invariants.points import at_random, regular_primes
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.proofs import Along, Proof, chosen_columns, invariant_level, proved_on
from semidirect.invariants.quantity import QuantityLike, expressions, scalar

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants.level import Level

MARGIN = 20


@final
@dataclass(frozen=True, repr=False)
class Invariants(display.Read):
    """The result of :func:`find_invariants`.

    Attributes
    ----------
    variables : tuple of str
        The variables of the polynomials.
    degree : int
        The largest degree.
    columns : tuple of str
        The columns along which they are conserved.
    candidates : int
        The number of combined functions: monomials, independent on the invariant set, times given functions, without 1.
    basis : tuple of Polynomial
        A basis of the space of invariants modulo constants, exact, by rising degree.
    generators : tuple of Generator
        Functionally independent invariants; every other one is a function of them.
    products : tuple of str
        Products of the generators that lie in the space; ``G1`` is the first generator if it has no name.
    spanned : int
        Dimension of the subspace of polynomials in the generators.
    proofs : tuple of Proof
        One for each of ``basis``.
    level : Level or None
        The level on which they are conserved; ``None`` for the whole invariant set.
    rounded : tuple of str
        Parameters that stand for numbers near them: at those there may be more invariants.
    """

    variables: tuple[str, ...]
    degree: int
    columns: tuple[str, ...]
    candidates: int
    basis: tuple[Polynomial, ...]
    generators: tuple[Generator, ...]
    products: tuple[str, ...]
    spanned: int
    proofs: tuple[Proof, ...]
    level: Level | None = None
    rounded: tuple[str, ...] = ()

    @property
    def dimension(self) -> int:
        """The dimension of the space, without constants."""
        return len(self.basis)

    @property
    def rank(self) -> int:
        """The number of functionally independent invariants."""
        return len(self.generators)

    def __str__(self) -> str:
        along = ", ".join(self.columns) + ("" if self.level is None else f" on {self.level}")
        lines = [
            f"invariants of degree up to {self.degree} in {', '.join(self.variables)} along {along}: dimension "
            f"{self.dimension}, {self.rank} functionally independent ({self.candidates} candidates)"
        ]
        for generator in self.generators:
            lines.append(f"  generator: {generator}")
        if self.products:
            lines.append(f"  products among them: {', '.join(self.products)}")
        if self.spanned < self.dimension:
            lines.append(f"  polynomials in the generators: dimension {self.spanned}")
        for i, (polynomial, proof) in enumerate(zip(self.basis, self.proofs, strict=True), 1):
            how = "proved symbolically" if proof.certified else f"proved, error < {proof.error:.0e}"
            how = how if proof.holds else "undecided"
            lines.append(f"  Q{i} (degree {polynomial.degree}, {how}) = {polynomial.primitive()}")
        return "\n".join([*lines, *hidden_by_rounding(self.rounded, "invariants")])


@explains_calls
def find_invariants(system: SystemDefinition, degree: int, *, on: Values | None = None, along: Along = "drift",
                    restrict: Sequence[str] | None = None, variables: str = "velocity",
                    functions: Mapping[str, QuantityLike] | None = None, seed: int | None = None) -> Invariants:  # fmt: skip
    """All first integrals that are polynomials of a degree in the state, exactly.

    Q = Σ c_m m over monomials m is conserved along a field g if Σ c_m Dm·g vanishes on the invariant set. That is linear in c
    and is solved at random points of the set over GF(p); monomials that are dependent there, Γ₃² = 1 − Γ₁² − Γ₂², are left
    out, found by the same linear algebra. The null spaces of several primes give rational coefficients (Wang 1981), and each
    invariant is proved afterwards by :func:`prove`. So every listed invariant is proved; the completeness of the list is
    certain up to the independence of the monomials.

    Parameters
    ----------
    system : System
        At its parameters.
    degree : int
        The largest degree.
    on : mapping quantity → value, optional
        The level on which they are searched and proved, as for :func:`prove`.
    along : str or sequence of str
        ``"drift"``, ``"noise"``, ``"both"`` or columns by name.
    restrict : sequence of str, optional
        Variables or components to use: ``("Omega3", "Gamma")``; by default the whole state.
    variables : {"velocity", "momentum"}
        The state: (Ω, Γ) or (M, Γ).
    functions : mapping name → quantity, optional
        Functions that may also multiply the monomials, roots or quotients: ``{"sqrt(Q)": "sqrt(Q)"}``.
    seed : int
        Of the random points.

    Raises
    ------
    InputError
        For a degree that is not positive, too many candidates, no such noise, piecewise functions, or a level that is not
        invariant.
    UnknownNameError
        For an unknown variable.
    """
    system = in_scalars(system)
    degree = arguments.validated_whole("degree", degree, least=1, most=MOST)
    if not isinstance(functions, Mapping | None):
        raise errors.InputError("functions", expected="a mapping of names to quantities", got=repr(functions))
    parameters = ParameterSet(system)
    level = None if on is None else invariant_level(system, on, parameters, along, seed=seed)
    search = _Search(system, degree, along, restrict, variables, functions or {}, seed, on, level)
    # the search works modulo primes; what it finds is then proved like any other quantity
    vectors = rational_basis(search.basis, seed, regular_primes(search.fields, search.parameters, seed))
    results = [search.polynomial(vector) for vector in vectors]
    columns = tuple(search.fields.columns[k] for k in search.columns)
    proofs = tuple(proved_on(level, system, q, parameters, columns, seed=seed) for q in results)
    for polynomial, proof in zip(results, proofs, strict=True):
        if any(v.holds is False for v in proof.verdicts):
            raise errors.SemidirectError(
                f"the search found a quantity that is not an invariant: {polynomial}",
                got=str(proof),
                hint="Please report this.",
            )
    # the space of invariants is large; its generators are what a reader wants
    basis = generators(system, search.sde, results, degree, seed, search.fields.level)
    return Invariants(
        search.names, degree, columns, len(search.kept), tuple(results), basis.independent, basis.products, basis.spanned, proofs,
        level, parameters.rounded(),
    )  # fmt: skip


class _Search:
    """The linear system for the coefficients at one prime after the other."""

    def __init__(self, system: SystemDefinition, degree: int, along: Along, restrict: Sequence[str] | None, variables: str,
                 functions: Mapping[str, QuantityLike], seed: int | None, on: Values | None, proved: Level | None):  # fmt: skip
        self.sde = derived_sde(system, variables=variables)
        self.seed = seed
        self.functions = {name: scalar(system, q, self.sde, f"the function {name!r}") for name, q in functions.items()}
        self.callables = {name: _callable(system, q, self.sde) for name, q in functions.items()}
        self.parameters = ParameterSet(system)
        level = proved
        if on is not None and (proved is None or proved.sde is not self.sde):  # of other variables
            level = level_of(system, on, self.sde, self.parameters, seed)
        self.fields = Fields(self.sde, self.functions, level=level)
        self.columns = chosen_columns(self.fields.columns, along)
        self.root = self.parameters.root()
        self.indices = chosen_variables(self.sde, restrict)
        self.names = tuple(str(self.sde.state[i]) for i in self.indices)
        count = comb(degree + len(self.indices), len(self.indices)) * (1 + len(self.functions))
        if count > MOST:
            raise errors.InputError(
                "too many candidates for invariants", expected=f"up to {MOST}", got=str(count),
                hint="Lower the degree, or restrict the variables.",
            )  # fmt: skip
        self.monomials = Monomials.up_to(degree, len(self.indices))
        self.candidates = [(f, e) for f in ("", *self.functions) for e in self.monomials.exponents]
        self.candidates.sort(key=lambda c: (sum(c[1]), c[0] != ""))
        where = {
            (f, e): (i, j) for i, f in enumerate(("", *self.functions)) for j, e in enumerate(self.monomials.exponents)
        }
        self._order = [where[c] for c in self.candidates]
        self.kept: list[int] = []
        self._share = 1.0

    def basis(self, p: int, i: int) -> np.ndarray:
        """The null space modulo p, over the independent candidates.

        If the parameters are in ℚ(√q), so are the coefficients a + b√q: all b, then all a, from the null space and its
        conjugate.
        """
        space = self._null_space(p, i, self.parameters)
        if self.root is None:
            return space
        other = self._null_space(p, i, replace(self.parameters, conjugate=True))
        if space.shape != other.shape:  # the prime divides something and gives too many vectors, so it is left out
            return np.ones((1 + max(len(space), len(other)), 2 * space.shape[1]), dtype=np.int64)
        root = pow(self.root.numerator * pow(self.root.denominator, -1, p), (p + 1) // 4, p)
        half = pow(2, -1, p)
        slopes = (space - other) % p * (half * pow(root, -1, p) % p) % p
        return np.concatenate([slopes, (space + other) % p * half % p], axis=1)

    def polynomial(self, vector: Sequence[Fraction]) -> Polynomial:
        """The combination of the candidates with these coefficients."""
        n = len(self.kept)
        terms = {self.candidates[j]: c for j, c in zip(self.kept, vector[len(vector) - n :], strict=True) if c}
        if self.root is None:
            return Polynomial(self.names, terms, self.callables)
        constant = f"sqrt({self.root})"
        root = sp.sqrt(sp.Rational(self.root.numerator, self.root.denominator))
        callables = {**self.callables, constant: lambda state: root}
        for j, c in zip(self.kept, vector[:n], strict=True):
            if c:
                function, exponents = self.candidates[j]
                name = f"{constant}*{function}" if function else constant
                terms[name, exponents] = c
                if function:
                    callables[name] = lambda state, f=function: root * self.callables[f](state)
        return Polynomial(self.names, terms, callables)

    def _null_space(self, p: int, i: int, parameters: ParameterSet) -> np.ndarray:
        least = len(self.candidates) + MARGIN
        while True:
            field = PrimeField(p, int(least / self._share) + 1, random_numbers(self.seed, i))
            values, slopes = self._sampled(field, parameters)
            good = int(np.count_nonzero(field.valid))
            if good >= least:
                break
            self._share = 0.9 * max(good, 1) / field.count
            if field.count > 1000 * least:
                raise errors.InputError(
                    "no points to search at", got=f"{good} regular points of {field.count}",
                    hint="Search at other parameters, or on another level.",
                )  # fmt: skip
        if not self.kept:
            _, independent = echelon(values.T, p)
            self.kept = [j for j in independent if self.candidates[j] != ("", self.monomials.exponents[0])]
        return null_space(np.concatenate([s[self.kept].T for s in slopes]), p)

    def _sampled(self, field: PrimeField, parameters: ParameterSet) -> tuple[np.ndarray, list[np.ndarray]]:
        """Values of the candidates ``(candidates, points)`` at valid points, and derivatives along each column."""
        at = at_random(self.fields, field, parameters)
        rates = [at.rates(k) for k in self.columns]
        factors = [(at.values(f)[0], [at.derivative(f, k)[0] for k in self.columns]) for f in self.functions]
        p, good = field.p, field.valid

        def rows(numbers: Sequence[Any]) -> np.ndarray:
            return np.stack([numbers[i].spread()[good] for i in self.indices])

        x = rows(at.y)
        values = self.monomials.values(x, p)
        every, changes = [values], [[self.monomials.slopes(x, rows(r), values, p)] for r in rates]
        for factor, slopes in factors:
            f = factor.spread()[good]
            every.append(values * f % p)
            for change, slope in zip(changes, slopes, strict=True):
                change.append((change[0] * f % p + values * slope.spread()[good]) % p)
        return self._arranged(every), [self._arranged(c) for c in changes]

    def _arranged(self, blocks: Sequence[np.ndarray]) -> np.ndarray:
        return np.stack([blocks[i][j] for i, j in self._order])


def _callable(system: SystemDefinition, quantity: QuantityLike, sde: StratonovichSDE) -> Any:
    return lambda state: expressions(system, quantity, sde)[0]


def chosen_variables(sde: StratonovichSDE, restrict: Sequence[str] | None) -> list[int]:
    """The places in the state of variables or components by name; all of them by default.

    Raises
    ------
    UnknownNameError
        For an unknown name.
    InputError
        If there are none.
    """
    symbols = [str(x) for x in sde.state]
    if not symbols:
        raise errors.InputError(
            "variables to use", expected="momenta, velocities, advected quantities or internal states",
            got="a motion of the configuration alone",
            hint="Advect a vector, advected={…}, or prove an expression in the coordinates of the configuration.",
        )  # fmt: skip
    if restrict is None:
        return list(range(len(symbols)))
    blocks = {v.name: [str(x) for x in v.symbols] for v in sde.variables}
    names: list[str] = []
    for name in (restrict,) if isinstance(restrict, str) else arguments.validated_names("variables to use", restrict):
        if name not in blocks and name not in symbols:
            raise errors.UnknownNameError("state variable", name, (*blocks, *symbols))
        names += blocks.get(name, [name])
    if not names:
        raise errors.InputError("variables to use", expected=f"some of {', '.join((*blocks, *symbols))}", got="none")
    return [i for i, name in enumerate(symbols) if name in names]

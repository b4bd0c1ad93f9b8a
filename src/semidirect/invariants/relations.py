"""Invariant relations: polynomials Q with dQ = ΛQ along the drift, whose level Q = 0 paths do not leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from random import Random
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import arguments, display, errors, exact, explains_calls, ops
from semidirect.definition import in_scalars
from semidirect.equations import derived_sde, quantity_expressions
from semidirect.invariants.algebra.linear_algebra import echelon, reconstructed
from semidirect.invariants.algebra.power_series import PowerSeriesRing
from semidirect.invariants.algebra.quadratic_numbers import QuadraticNumbers, recognised
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.levels import Values, level_of
from semidirect.invariants.monomials import Monomials
from semidirect.invariants.parameters import ParameterSet, hidden_by_rounding
from semidirect.invariants.points import at_random, regular_primes
from semidirect.invariants.polynomial import Polynomial
from semidirect.invariants.proofs import Proof, Verdict, invariant_level, prove, proved
from semidirect.invariants.relation_candidates import BITS, SPARE, Candidate, Jets, Lifted
from semidirect.invariants.search import chosen_variables

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.invariants.level import Level

MOST, ROUNDS, LEAST_PRIME, COFACTOR, WIDE = 100, 3, 150, 2, 64
"""Monomials, small primes, the least of them, the degree of cofactors, and spare points for the choice of monomials."""

CLASS, RESIDUES, CHOICE, MORE = 120, (71, 119), 8, 24
"""Small primes are 71 or 119 modulo 120, so that √2, √3 and √5 exist, but no √−1; one of the first eight is drawn, and the next
ones are tried where these have no roots that the parameters need."""


@final
@dataclass(frozen=True, repr=False)
class Relation(display.Read):
    """One invariant relation.

    Attributes
    ----------
    polynomial : Polynomial
        Q; paths that start where Q = 0 stay there.
    cofactor : Polynomial or None
        Λ in dQ = ΛQ dt, if it is a polynomial of degree up to 2.
    proof : Proof
        That dQ = ΛQ, or without Λ that dQ = 0 where Q = 0.
    """

    polynomial: Polynomial
    cofactor: Polynomial | None
    proof: Proof

    def __str__(self) -> str:
        how = "proved symbolically" if self.proof.certified else f"proved, error < {self.proof.error:.0e}"
        how = how if self.proof.holds else "undecided"
        rate = "" if self.cofactor is None else f", dQ/dt = Q*({self.cofactor})"
        return f"{self.polynomial.primitive()} = 0 (degree {self.polynomial.degree}, {how}{rate})"


@final
@dataclass(frozen=True, repr=False)
class Relations(display.Read):
    """The result of :func:`find_relations`.

    Attributes
    ----------
    variables : tuple of str
        The variables of the polynomials.
    degree : int
        The largest degree.
    candidates : int
        The number of monomials that are independent on the invariant set.
    found : tuple of Relation
        By rising degree; products of them are not listed.
    level : Level or None
        The level on which they are meant; ``None`` for the whole invariant set.
    rounded : tuple of str
        Parameters that stand for numbers near them: at those there may be more relations.
    """

    variables: tuple[str, ...]
    degree: int
    candidates: int
    found: tuple[Relation, ...]
    level: Level | None = None
    rounded: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Relation]:
        return iter(self.found)

    def __getitem__(self, i: int) -> Relation:
        return self.found[i]

    def __str__(self) -> str:
        on = "" if self.level is None else f" on {self.level}"
        head = f"invariant relations of degree up to {self.degree} in {', '.join(self.variables)} along drift{on}"
        none = "undecided" if self.rounded else "none"
        lines = [f"{head}: {len(self.found) or none} ({self.candidates} candidates)", *(f"  {r}" for r in self.found)]
        return "\n".join([*lines, *hidden_by_rounding(self.rounded, "relations")])


@explains_calls
def find_relations(system: SystemDefinition, degree: int, *, on: Values | None = None, restrict: Sequence[str] | None = None,
                   variables: str = "velocity", seed: int | None = None) -> Relations:  # fmt: skip
    """The invariant relations that are polynomials up to a degree: Q with dQ = ΛQ along the drift (Darboux polynomials).

    A path that starts on Q = 0 stays there, though Q is no first integral. All derivatives of Q in time vanish where Q does, and
    points at which some polynomial of the degree has this property are found by ranks over small prime fields. Coefficients are
    lifted from there to numbers a + b√d, with one d for each Q, and every relation is proved, by its
    cofactor Λ if that is a polynomial of degree up to 2, else as by ``prove(Q, on={Q: 0})``.

    Where parameters are rounded, a relation that they would have without rounding is not one at them; then it says so.

    Not listed are products of relations, and the levels of first integrals, F − c = 0, or F − cG = 0 for a quotient F/G. A
    relation is missed if its coefficients are in no quadratic field; if they are not fractions of small numbers and a
    polynomial near Q is a relation to first order, as for dx = x² dt; if d has other prime factors than 2, 3 and 5, with
    a probability of 1/8, since √d then exists modulo half of the primes only; and with a small one if all of the three
    small primes that are drawn are exceptional.

    Parameters
    ----------
    system : System
        At its parameters.
    degree : int
        The largest degree.
    on : mapping quantity → value, optional
        An invariant level on which they are searched, as for :func:`.prove`.
    restrict : sequence of str, optional
        Variables or components to use; by default the whole state.
    variables : {"velocity", "momentum"}
        The state: (Ω, Γ) or (M, Γ).
    seed : int
        Of the primes and random points.

    Raises
    ------
    InputError
        For a degree that is not positive, too many candidates, equations that are not algebraic, or a level that is not
        invariant.
    UnknownNameError
        For an unknown variable.
    """
    degree = arguments.validated_whole("degree", degree, least=1)
    return _Search(in_scalars(system), degree, on, restrict, variables, seed).result()


class _Search:
    """The relations that are known so far, with all that finds others."""

    def __init__(self, system: SystemDefinition, degree: int, on: Values | None, restrict: Sequence[str] | None, variables: str,
                 seed: int | None):  # fmt: skip
        self.system, self.degree, self.on, self.seed = system, degree, on, seed
        self.parameters = ParameterSet(system)
        self.several = self.parameters.has_several_roots
        self.sde = derived_sde(system, variables=variables)
        self.level = None if on is None else invariant_level(system, on, self.parameters, "drift", seed=seed)
        if on is not None and self.level is not None and self.level.sde is not self.sde:  # of other variables
            error = self.level.error
            self.level = replace(level_of(system, on, self.sde, self.parameters, seed), error=error)
        self.fields = Fields(self.sde, level=self.level)
        indices = chosen_variables(self.sde, restrict)
        self.names = tuple(str(self.sde.state[i]) for i in indices)
        self.monomials = Monomials.up_to(max(degree, COFACTOR), len(indices))
        independent = self._independent(indices)
        self.exponents = [self.monomials.exponents[j] for j in independent]
        if (size := self._width(degree)) > MOST:
            raise errors.InputError(
                "too many candidates for relations", expected=f"up to {MOST}", got=str(size),
                hint="Lower the degree, or restrict the variables.",
            )  # fmt: skip
        self.jets = Jets(self.fields, self.parameters, self.monomials, indices, independent)
        self.found: list[Relation] = []
        self.numbers: list[QuadraticNumbers] = []

    def result(self) -> Relations:
        """All relations."""
        for d in range(1, self.degree + 1):
            for number in range(ROUNDS):
                self._search(d, number)
        relations = sorted(self.found, key=lambda r: (r.polynomial.degree, str(r)))
        return Relations(self.names, self.degree, self._width(self.degree) - 1, tuple(relations), self.level,
                         self.parameters.rounded())  # fmt: skip

    def _independent(self, indices: Sequence[int]) -> list[int]:
        """The monomials that are independent on the invariant set, 1 among them."""
        p = next(regular_primes(self.fields, self.parameters, self.seed))
        field = PrimeField(p, 4 * (len(self.monomials) + WIDE), random_numbers(self.seed, 0))
        y = at_random(self.fields, field, self.parameters).y
        x = np.stack([field.spread(y[i])[field.valid] for i in indices])
        return echelon(self.monomials.values(x, p).T, p)[1]

    def _width(self, degree: int) -> int:
        """The number of monomials up to a degree."""
        return sum(sum(e) <= degree for e in self.exponents)

    def _search(self, degree: int, number: int) -> None:
        """Add what is found with one small prime."""
        width, rng = self._width(degree), random_numbers(self.seed, degree, number)
        least = max(LEAST_PRIME, width + SPARE)
        suitable = (p for p in count(least) if p % CLASS in RESIDUES and sp.isprime(p))
        primes = [*rng.permutation(list(islice(suitable, CHOICE))), *islice(suitable, MORE)]
        p = next((int(p) for p in primes if self.jets.regular(int(p), rng)), None)
        if p is None:
            raise errors.InputError(
                "points for a search of relations", expected="some over a small prime field", got=f"none over {len(primes)}",
                hint="Has the system parameters or a level with many digits or roots?",
            )  # fmt: skip
        earlier = [vector for numbers in self.numbers for vector in numbers.residues(p)]
        for candidate in self.jets.candidates(width, p, earlier, rng):
            lifted = self.jets.lifted(candidate, rng)
            if lifted is not None:
                self._add(lifted)
            elif (guess := _simple(candidate)) is not None:
                self._add(guess, guessed=True)

    def _add(self, lifted: Lifted, *, guessed: bool = False) -> None:
        """Add the relation with these coefficients, if they are recognised; a guess may be none."""
        width, draw = self._width(COFACTOR), Random(self.seed)
        rate = self.jets.cofactor(lifted, width, lambda modulus, count: [draw.randrange(modulus) for _ in range(count)])
        n = len(lifted.coefficients)
        numbers = None if rate is None else recognised([*lifted.coefficients, *rate], lifted.modulus)
        if numbers is None:
            rate, numbers = None, recognised(lifted.coefficients, lifted.modulus)
        if numbers is None:
            return
        for signed in self._signed(numbers, lifted):
            cofactor = None if rate is None else self._polynomial(signed[n:])
            self._add_proved(signed[:n], cofactor, guessed=guessed or self.several)

    def _add_proved(self, numbers: QuadraticNumbers, cofactor: Polynomial | None, *, guessed: bool) -> None:
        polynomial = self._polynomial(numbers)
        if any(polynomial.terms == relation.polynomial.terms for relation in self.found):
            return
        proof = self._proof(polynomial, cofactor)
        if guessed and not proof.holds:
            return
        if cofactor is not None and not cofactor.terms:  # the level 0 of a first integral
            self.numbers.append(numbers)
            return
        if any(v.holds is False for v in proof.verdicts):
            raise errors.SemidirectError(
                f"the search found a relation that is not invariant: {polynomial}", got=str(proof),
                hint="Please report this.",
            )  # fmt: skip
        self.found.append(Relation(polynomial, cofactor, proof))
        self.numbers.append(numbers)

    def _signed(self, numbers: QuadraticNumbers, lifted: Lifted) -> list[QuadraticNumbers]:
        """With the residue of √d that stands for the positive root.

        If given parameters contain √d, that is the residue of their root; else both are relations, for they are conjugate.
        Beside several roots of parameters both are tried.
        """
        if self.several:
            return [numbers, -numbers]
        root = self.parameters.root()
        if root is None or (ratio := exact.whole_root(numbers.square / root)) is None:
            return [numbers, -numbers]
        ring = PowerSeriesRing(lifted.modulus, lifted.p, 1, 1, lambda: np.zeros(1))
        positive = ring.number(ratio.numerator, ratio.denominator) * ops.sqrt(
            ring.number(root.numerator, root.denominator)
        )
        return [numbers if positive.terms[0, 0] == numbers.root else -numbers]

    def _polynomial(self, numbers: QuadraticNumbers) -> Polynomial:
        """The combination of the first monomials with these coefficients."""
        name = f"sqrt({numbers.square})"
        terms = {("", e): a for e, a in zip(self.exponents, numbers.rational, strict=False) if a}
        terms |= {(name, e): b for e, b in zip(self.exponents, numbers.irrational, strict=False) if b}
        return Polynomial(self.names, terms, {name: partial(_root, numbers.square)})

    def _proof(self, polynomial: Polynomial, cofactor: Polynomial | None) -> Proof:
        """dQ = ΛQ everywhere, or dQ = 0 where Q = 0."""
        name, drift = str(polynomial.primitive()), "drift"
        if cofactor is not None:
            q, rate = (
                quantity_expressions.component_expressions(self.system, f, self.sde)[0] for f in (polynomial, cofactor)
            )
            fields = Fields(self.sde, {"Q": [q]}, {"Q": [rate * q * self.sde.setting.dt]}, level=self.level)
            return proved(fields, name, self.parameters, drift, seed=self.seed)
        try:
            return prove(self.system, name, on={**(self.on or {}), name: 0}, along=drift, seed=self.seed)
        except errors.InputError as error:
            verdict = Verdict(drift, None, reason=f"its level is not supported: {error}")
            return Proof(name, self.parameters.kind, (verdict,), level=self.level)


def _root(square: int, state: Any) -> sp.Expr:
    """√d at every state."""
    return sp.sqrt(square)


def _simple(candidate: Candidate) -> Lifted | None:
    """The candidate with the simplest fractions that have its residues.

    Newton's method does not apply where a polynomial near Q is a relation to first order: dx = x² dt moves x = ε by ε² dt.
    """
    rationals = [reconstructed(int(x), candidate.p) for x in candidate.coefficients]
    fractions = [x for x in rationals if x is not None]
    if len(fractions) < len(rationals):
        return None
    modulus = candidate.p
    while modulus < 2**BITS:
        modulus *= modulus
    residues = tuple(x.numerator * pow(x.denominator, -1, modulus) % modulus for x in fractions)
    return Lifted(residues, modulus, candidate.p)

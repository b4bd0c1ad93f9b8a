"""Exact proofs that a quantity is conserved, by the drift and by each noise, or a state where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import float_info
from typing import TYPE_CHECKING, Any, TypeAlias, final

import numpy as np

from semidirect.core.errors import InputError, SemidirectError, UnknownNameError
from semidirect.equations.derive import derived_sde
from semidirect.invariants.algebra.degrees import Degrees
from semidirect.invariants.algebra.linear_algebra import primes
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.algebra.scalars import cramer, eliminate
from semidirect.invariants.certificate import certify
from semidirect.invariants.counterexample import Counterexample, find_counterexample
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import random_point
from semidirect.invariants.quantity import QuantityLike, expressions, quantity_name

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

Along: TypeAlias = "str | Sequence[str]"
"""``drift``, ``noise`` (each of them), ``both``, or names of columns such as ``noise2``."""

POINTS, PRIMES, LEAST = 24, 2, 8


@final
@dataclass(frozen=True)
class Verdict:
    """What one column does to a quantity.

    Attributes
    ----------
    column : str
        ``drift``, ``noise1``, …
    holds : bool or None
        Whether DQ·g_k = 0 on the whole invariant set; ``None`` where neither a proof nor a state against it was found.
    points : int
        At how many random points it vanished.
    primes : tuple of int
        In which fields.
    degree : int
        A bound of the degree of the numerator of DQ·g_k, as a function of what is drawn at random.
    error : float
        A bound of the probability that something that is not 0 vanishes at all these points; 0 with a certificate.
    certificate : bool
        Whether it was also reduced to 0 symbolically, which leaves no probability.
    counterexample : Counterexample or None
        Where it does not hold.
    """

    column: str
    holds: bool | None
    points: int
    primes: tuple[int, ...]
    degree: int
    error: float
    certificate: bool
    counterexample: Counterexample | None

    def __str__(self) -> str:
        if self.holds:
            by = "symbolically" if self.certificate else f"at {self.points} random points, error < {_power(self.error)}"
            return f"{self.column}: conserved, {by}"
        if self.holds is None:
            return f"{self.column}: undecided"
        if self.counterexample is None:
            return f"{self.column}: not conserved, DQ·g is not 0 modulo {self.primes[-1]}"
        return f"{self.column}: not conserved, DQ·g = {self.counterexample}"


@final
@dataclass(frozen=True)
class Proof:
    """Whether a quantity is conserved, column by column.

    Attributes
    ----------
    quantity : str
        Its name.
    parameters : {"given", "generic"}
        At which parameters.
    verdicts : tuple of Verdict
        One for each column asked for.
    """

    quantity: str
    parameters: Parameters
    verdicts: tuple[Verdict, ...]

    @property
    def holds(self) -> bool:
        """Whether the quantity is conserved along all columns asked for."""
        return all(v.holds is True for v in self.verdicts)

    @property
    def certified(self) -> bool:
        """Whether that was shown symbolically for all of them."""
        return all(v.certificate for v in self.verdicts)

    @property
    def error(self) -> float:
        """A bound of the probability that :attr:`holds` is wrong."""
        return sum(v.error for v in self.verdicts)

    @property
    def counterexample(self) -> Counterexample | None:
        """The first state where it changes."""
        return next((v.counterexample for v in self.verdicts if v.counterexample is not None), None)

    def along(self, column: str) -> Verdict:
        """The verdict of one column."""
        for verdict in self.verdicts:
            if verdict.column == column:
                return verdict
        raise UnknownNameError("column", column, [v.column for v in self.verdicts])

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return "\n".join([f"{self.quantity} ({self.parameters} parameters)", *(f"  {v}" for v in self.verdicts)])


def prove(system: SystemDefinition, quantity: QuantityLike, *, along: Along = "both", parameters: Parameters = "given",
          symbolic: bool = True, seed: int = 0) -> Proof:  # fmt: skip
    """Decide whether dQ vanishes, exactly.

    Q is conserved along a column g_k of dy = f dt + Σ g_i∘dW^i if DQ·g_k = 0 on the invariant set: a = s⁻¹a₀ for some s in
    the group, ξ in D. That is an identity between algebraic functions of what parametrises the set rationally: the velocities,
    the Cayley parameters of s, z and t. It is tested at random points of it in fields GF(p) of two random primes. If it were
    false, its numerator, of degree d, would vanish at a random point with probability at most d/p (Schwartz 1980, Zippel
    1979); d is bounded by running the program on degrees. With r square roots the norm, of degree 2^r d, takes its place, at
    points where the roots exist. The bound assumes that neither prime divides all coefficients of the numerator.

    Where it holds, a symbolic proof is tried too; where it does not, an exact rational state shows it.

    Parameters
    ----------
    system : System
        Whose equations.
    quantity : str, Observable or callable(state)
        The name of an observable or state variable, an expression such as ``"dot(M, Gamma)"``, or a function written with
        ``semidirect.core.ops``. A vector is conserved if each component is.
    along : str or sequence of str
        ``"drift"``, ``"noise"`` (all of them), ``"both"``, or columns by name, ``"noise2"``.
    parameters : {"given", "generic"}
        At the parameters of the system, or at all of the same pattern, see :class:`.ParameterSet`.
    symbolic : bool
        Whether to try a symbolic proof.
    seed : int
        Of the random points.

    Raises
    ------
    UnknownNameError
        For an unknown quantity or column.
    InputError
        For functions with cases, or points that are not rational.
    """
    sde = derived_sde(system, variables="velocity")
    fields = Fields(sde, {"Q": expressions(system, quantity, sde)})
    return proved(
        fields, quantity_name(quantity), ParameterSet(system, parameters), along, symbolic=symbolic, seed=seed
    )


def proved(
    fields: Fields, name: str, values: ParameterSet, along: Along = "both", *, symbolic: bool = True, seed: int = 0
) -> Proof:
    """Decide whether DQ·g_k is what ``fields`` claims of its quantity ``Q``, 0 where it claims nothing; as :func:`prove`."""
    verdicts = [
        _verdict(fields, k, values, symbolic=symbolic, seed=seed) for k in chosen_columns(fields.columns, along)
    ]
    return Proof(name, values.kind, tuple(verdicts))


def is_conserved(
    system: SystemDefinition, quantity: QuantityLike, *, along: Along = "both", parameters: Parameters = "given"
) -> bool:
    """Whether a quantity is conserved exactly: :func:`prove` without the proof.

    Raises
    ------
    SemidirectError
        If it cannot be decided.
    """
    proof = prove(system, quantity, along=along, parameters=parameters, symbolic=False)
    if not proof.holds and all(v.holds is not False for v in proof.verdicts):
        raise SemidirectError(f"cannot decide whether {proof.quantity} is conserved", got=str(proof))
    return proof.holds


def chosen_columns(columns: Sequence[str], along: Along) -> list[int]:
    """The numbers of columns by name.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    InputError
        If none are left, since the system has no noise.
    """
    groups = {"drift": [0], "noise": list(range(1, len(columns))), "both": list(range(len(columns)))}
    groups |= {name: [k] for k, name in enumerate(columns) if k}
    out: list[int] = []
    for name in (along,) if isinstance(along, str) else along:
        if name not in groups:
            raise UnknownNameError("column", name, groups)
        out += [k for k in groups[name] if k not in out]
    if not out:
        raise InputError("columns to look along", expected="at least one", got=f"{along!r} of a system without noise")
    return out


def _verdict(fields: Fields, k: int, values: ParameterSet, *, symbolic: bool, seed: int) -> Verdict:
    column = fields.columns[k]
    used, points, shares, vanishes, drawn = [], 0, [], True, False
    for i, p in zip(range(8 * PRIMES), primes(seed), strict=False):
        field = PrimeField(p, POINTS, np.random.default_rng([seed, k, i]))
        derivative = _derivative(fields, k, field, values, eliminate)
        good = int(np.count_nonzero(field.valid))
        if good < LEAST:
            continue
        used.append(p)
        points += good
        shares.append(good / POINTS)
        drawn |= field.transcendental
        vanishes &= not any(np.any(x.spread()[field.valid]) for x in derivative)
        if not vanishes or len(used) == PRIMES:
            break
    else:
        raise SemidirectError("no points to prove at", got=f"{len(used)} fields with regular points",
                              hint="Is something divided by zero everywhere, or is a root never rational?")  # fmt: skip
    degrees = Degrees()
    found = _derivative(fields, k, degrees, values, cramer)
    degree = max((degrees.of(x) for x in found), default=0)
    if not vanishes:
        example = find_counterexample(fields, "Q", k, values, seed)
        return Verdict(
            column, False if example or not drawn else None, points, tuple(used), degree, 0.0, False, example
        )
    certificate = symbolic and certify(fields, "Q", k, values)
    bound = max(min(1.0, degree / min(used) / min(shares)) ** points, float_info.min)
    error = 0.0 if certificate else bound
    return Verdict(column, True, points, tuple(used), degree, error, certificate, None)


def _derivative(fields: Fields, k: int, numbers: Any, values: ParameterSet, solve: Any) -> list[Any]:
    point = random_point(fields, numbers, values, solve)
    at = fields.at(numbers, solve)
    return at.defect("Q", k, at.state(point), at.parameters(point))


def _power(x: float) -> str:
    return f"1e{int(np.ceil(np.log10(x)))}" if x > 0 else "1e-300"

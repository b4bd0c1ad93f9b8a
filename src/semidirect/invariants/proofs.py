"""Exact proofs that drift and noise conserve a quantity, or a state where they do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from sys import float_info
from typing import TYPE_CHECKING, Any, Self, TypeAlias, final

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.definition import a_system, in_scalars
from semidirect.equations import derived_sde
from semidirect.invariants.algebra.degrees import Degrees
from semidirect.invariants.algebra.linear_algebra import PRIMES
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.certificate import certify
from semidirect.invariants.counterexample import TRIES, Counterexample, try_states
from semidirect.invariants.fields import Fields
from semidirect.invariants.levels import Values, level_of
from semidirect.invariants.parameters import TRIES as TRIES_OF_PARAMETERS
from semidirect.invariants.parameters import Parameters, ParameterSet
from semidirect.invariants.points import at_random
from semidirect.invariants.quantity import QuantityLike, expressions, quantity_name
from semidirect.invariants.real_points import DRAWN_FROM, NOT_ALGEBRAIC, RealVerdict, decide_at_real_states

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.invariants.level import Level

Along: TypeAlias = "str | Sequence[str]"
"""``drift``, ``noise`` (each of them), ``both``, or names of columns such as ``noise2``."""

POINTS, FIELDS, LEAST, LEAST_BITS = 12, 4, 6, 30
"""Points of each prime field, number of fields, required regular points, and least bits of a prime."""

STATES = 2
"""Real states that are tried if everything vanishes modulo the primes."""


@final
@dataclass(frozen=True, repr=False)
class Verdict(display.Read):
    """The effect of one column on a quantity.

    Attributes
    ----------
    column : str
        ``drift``, ``noise1``, …
    holds : bool or None
        Whether DQ·g_k = 0 on the whole invariant set; ``None`` if neither a proof nor a counterexample was found.
    points : int
        The number of random points at which it vanished; at real states, for each possible sign of roots of squares.
    primes : tuple of int
        The prime fields; none if the points are real states.
    degree : int
        A bound of the degree of the numerator of DQ·g_k, as a function of the random numbers.
    error : float
        A bound of the probability that a nonzero function vanishes at all these points; 0 with a certificate.
    certificate : bool
        Whether it was reduced to 0 symbolically instead, which leaves no probability.
    counterexample : Counterexample or None
        A real state where it does not hold; every negative verdict has one.
    reason : str
        Why it is undecided; of a certificate for matrices, by what it holds.
    """

    column: str
    holds: bool | None
    points: int = 0
    primes: tuple[int, ...] = ()
    degree: int = 0
    error: float = 0.0
    certificate: bool = False
    counterexample: Counterexample | None = None
    reason: str = ""

    @classmethod
    def refuted(cls, column: str, state: Mapping[str, Any], rate: Any) -> Self:
        """That a quantity changes at this rate in a state."""
        return cls(column, False, counterexample=Counterexample(state, rate, {}))

    def __str__(self) -> str:
        if self.holds:
            where = "random points" if self.primes else "random states"
            certain = self.reason or "symbolically"
            by = certain if self.certificate else f"at {self.points} {where}, error < {_power(self.error)}"
            return f"{self.column}: conserved, {by}"
        if self.holds is None:
            return f"{self.column}: undecided" + (f", {self.reason}" if self.reason else "")
        return f"{self.column}: not conserved, DQ·g = {self.counterexample}"


@final
@dataclass(frozen=True, repr=False)
class Proof(display.Read):
    """Whether a quantity is conserved, column by column.

    Attributes
    ----------
    quantity : str
        Its name.
    parameters : {"given", "generic"}
        The parameters for which it was proved.
    verdicts : tuple of Verdict
        One for each requested column.
    readings : tuple of str
        How parameters were read that are not short numbers: a unit vector that is a root times a simple one, or rounded ones.
    level : Level or None
        The level on which it was proved; ``None`` for the whole invariant set.
    """

    quantity: str
    parameters: Parameters
    verdicts: tuple[Verdict, ...]
    readings: tuple[str, ...] = ()
    level: Level | None = None

    @classmethod
    def by_columns(
        cls, quantity: str, columns: Sequence[str], along: Along, decide: Callable[[int], Verdict],
        readings: tuple[str, ...] = (),
    ) -> Self:  # fmt: skip
        """The proof whose verdict on a column with a number is what a function decides."""
        return cls(quantity, "given", tuple(map(decide, chosen_columns(columns, along))), readings)

    @property
    def holds(self) -> bool:
        """Whether the quantity is conserved along all requested columns."""
        return all(v.holds is True for v in self.verdicts)

    @property
    def certified(self) -> bool:
        """Whether this was proved symbolically for all of them."""
        return all(v.certificate for v in self.verdicts)

    @property
    def kept_by(self) -> str:
        """The columns along which it is conserved, as text."""
        return ", ".join(v.column for v in self.verdicts if v.holds) or "no column"

    @property
    def error(self) -> float:
        """A bound of the probability that :attr:`holds` is wrong."""
        return sum(v.error for v in self.verdicts) + (0.0 if self.level is None else self.level.error)

    @property
    def counterexample(self) -> Counterexample | None:
        """The first state where it changes."""
        return next((v.counterexample for v in self.verdicts if v.counterexample is not None), None)

    def along(self, column: str) -> Verdict:
        """The verdict of one column."""
        for verdict in self.verdicts:
            if verdict.column == column:
                return verdict
        raise errors.UnknownNameError("column", column, [v.column for v in self.verdicts])

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        on = "" if self.level is None else f", on {self.level}"
        lines = [f"{self.quantity} ({self.parameters} parameters{on})", *(f"  {v}" for v in self.verdicts)]
        return "\n".join([*lines, *(f"  with {r}" for r in self.readings)])


@explains_calls
def prove(system: SystemDefinition, quantity: QuantityLike, *, on: Values | None = None, along: Along = "both",
          parameters: Parameters = "given", symbolic: bool = True, seed: int | None = None) -> Proof:  # fmt: skip
    """Decide whether dQ vanishes, exactly.

    Q is conserved along a column g_k of dy = f dt + Σ g_i∘dW^i if DQ·g_k = 0 on the invariant set: a = s⁻¹a₀ for some s in
    the group, ξ in D. This is an identity between functions of the rational parameters of the set: the velocities, the
    Cayley parameters of s, z and t.

    Without roots it is tested at random points of the set in fields GF(p) of four random primes between 2³⁰ and 2³¹. If it
    were false, either p divides all coefficients of its numerator, which few primes can do, for the coefficients are bounded
    by running the program on heights; or the numerator, of degree d, vanishes at a random point with a probability of at most
    d/p (Schwartz 1980, Zippel 1979), with d bounded in the same way. With roots it is tested at random real states, where it
    is a number made of fractions and roots, see :func:`.decide_at_real_states`. The bound is that of all of this together.

    If it holds, a symbolic proof is tried first. If it does not, a real state shows it, at which the value is certainly
    not 0. A statement with neither a proof nor such a state is undecided. Primes and points are drawn anew at each call.

    Parameters
    ----------
    system : System
        The system whose equations are used.
    quantity : str, Observable or callable(state)
        The name of an observable or state variable, an expression such as ``"dot(M, Gamma)"``, or a function written with
        ``semidirect.core.ops``. A vector is conserved if each component is.
    on : mapping quantity → value, optional
        The level on which it is decided, ``{"dot(M, Gamma)": 0}``: values of quantities, exact or read like parameters. They
        have to be invariant along the same columns, at least on their level. A quantity that is decided on a level of its own,
        ``prove("Q", on={"Q": 0})``, is an invariant relation.
    along : str or sequence of str
        ``"drift"``, ``"noise"`` (all of them), ``"both"``, or columns by name, ``"noise2"``.
    parameters : {"given", "generic"}
        At the parameters of the system, or at all of the same pattern, see :class:`.ParameterSet`.
    symbolic : bool
        Whether to try a symbolic proof.
    seed : int, optional
        The seed of the primes and of the random points, so that a call can be repeated. Anyone who can predict the primes
        can construct a quantity that vanishes modulo all of them; without a seed they come from the system's entropy.

    Raises
    ------
    UnknownNameError
        For an unknown quantity or column.
    InputError
        For piecewise functions, points that are not rational, or a level that is not invariant.
    """
    if a_system(system)._states_arrays and on is None and parameters == "given":
        proof: Proof = system._stated_by_arrays().prove(quantity, along)
        return proof
    system = in_scalars(system)
    values, name = ParameterSet(system, parameters), quantity_name(quantity)
    # the level must not rest on the quantity that is to be proved
    level = None if on is None else invariant_level(system, on, values, along, seed=seed, unless=name)
    return proved_on(level, system, quantity, values, along, symbolic=symbolic, seed=seed)


def proved_on(level: Level | None, system: SystemDefinition, quantity: QuantityLike, values: ParameterSet, along: Along,
              *, symbolic: bool = True, seed: int | None = None) -> Proof:  # fmt: skip
    """As :func:`prove`, on a level that is known to be invariant."""
    sde = derived_sde(system, variables="velocity")
    fields = Fields(sde, {"Q": expressions(system, quantity, sde)}, level=level)
    return proved(fields, quantity_name(quantity), values, along, symbolic=symbolic, seed=seed)


def invariant_level(system: SystemDefinition, on: Values, values: ParameterSet, along: Along, *,
                    seed: int | None = None, unless: str = "") -> Level:  # fmt: skip
    """The level of quantities, each of which is proved to be invariant on it; one of them, ``unless``, need not be.

    Raises
    ------
    InputError
        If it is not invariant, or this cannot be decided, or if it has no points that can be found.
    """
    level = level_of(system, on, derived_sde(system, variables="velocity"), values, seed)
    error = 0.0
    for quantity in on:
        if (name := quantity_name(quantity)) == unless:
            continue
        proof = proved_on(level, system, quantity, values, along, seed=seed)
        if not proof.holds:
            raise errors.InputError(
                f"the level {level}", expected=f"one on which {name} is conserved", got=str(proof),
                hint="Paths leave a level that is not invariant: choose conserved quantities, or their columns by 'along'.",
            )  # fmt: skip
        error += sum(v.error for v in proof.verdicts)
    return replace(level, error=error)


def proved(
    fields: Fields,
    name: str,
    values: ParameterSet,
    along: Along = "both",
    *,
    symbolic: bool = True,
    seed: int | None = None,
) -> Proof:
    """Decide whether DQ·g_k has the value that ``fields`` claims for its quantity ``Q``, by default 0; as :func:`prove`."""
    arguments.validated_flag("symbolic", symbolic)
    verdicts = [
        _verdict(fields, k, values, symbolic=symbolic, seed=seed) for k in chosen_columns(fields.columns, along)
    ]
    readings = [f"{name} read as {text}" for name, text in values.read_as().items()]
    rounded = [f"{', '.join(values.rounded())}, rounded, taken as written"] if values.rounded() else []
    return Proof(name, values.kind, tuple(verdicts), (*readings, *rounded), fields.level)


@explains_calls
def is_conserved(
    system: SystemDefinition,
    quantity: QuantityLike,
    *,
    on: Values | None = None,
    along: Along = "both",
    parameters: Parameters = "given",
) -> bool:
    """Whether a quantity is conserved exactly: :func:`prove` without the proof.

    Raises
    ------
    SemidirectError
        If it cannot be decided.
    """
    proof = prove(system, quantity, on=on, along=along, parameters=parameters, symbolic=False)
    if not proof.holds and all(v.holds is not False for v in proof.verdicts):
        raise errors.SemidirectError(
            f"cannot decide whether {proof.quantity} is conserved", got=str(proof),
            hint="prove(…) returns what is known, with the reason.",
        )  # fmt: skip
    return proof.holds


def chosen_columns(columns: Sequence[str], along: Along) -> list[int]:
    """The numbers of columns by name.

    Raises
    ------
    UnknownNameError
        If no column has this name.
    InputError
        If no columns are left, since the system has no noise.
    """
    groups = {"drift": [0], "noise": list(range(1, len(columns))), "both": list(range(len(columns)))}
    groups |= {name: [k] for k, name in enumerate(columns) if k}
    out: list[int] = []
    for name in (along,) if isinstance(along, str) else arguments.validated_names("columns to look along", along):
        arguments.validated_name("column", name, groups)
        out += [k for k in groups[name] if k not in out]
    if not out:
        raise errors.InputError(
            "columns to look along", expected="at least one", got=f"{along!r} of a system without noise"
        )
    return out


def _verdict(fields: Fields, k: int, values: ParameterSet, *, symbolic: bool, seed: int | None) -> Verdict:
    column = fields.columns[k]
    residues = _vanishes(fields, k, values, seed)
    trial = try_states(fields, "Q", k, values, seed or 0, STATES if residues.vanishes else TRIES)
    if trial.counterexample is not None:
        return Verdict(column, False, counterexample=trial.counterexample)
    if trial.rounded:
        return Verdict(column, None, reason=f"its values are within the rounding of {', '.join(values.rounded())}")
    if residues.vanishes or residues.roots:
        if symbolic and trial.states and certify(fields, "Q", k, values):
            return Verdict(column, True, certificate=True)
        degree, bits = _bounds(fields, k, values)
        if residues.vanishes:
            return Verdict(column, True, residues.points, residues.primes, degree, residues.error(degree, bits))
        real = decide_at_real_states(fields, "Q", k, values, seed)
        error = _error_at_real_states(real, degree, 1 if values.kind == "given" else TRIES_OF_PARAMETERS)
        return Verdict(column, real.holds, real.points, (), degree, error, False, real.counterexample, real.reason)
    if residues.transcendental:
        return Verdict(column, None, reason=NOT_ALGEBRAIC)
    return Verdict(column, None, reason=f"it is not 0 modulo {residues.primes[-1]}, and no real state was found")


@final
@dataclass(frozen=True)
class _Residues:
    """The values of DQ·g_k modulo a few primes."""

    vanishes: bool
    good: tuple[int, ...]
    primes: tuple[int, ...]
    roots: bool
    transcendental: bool

    @property
    def points(self) -> int:
        return sum(self.good)

    def error(self, degree: int, bits: float) -> float:
        """A bound of the probability that a numerator that is not 0 vanishes at all points.

        A prime that divides all of its coefficients is one of at most ``bits``/30 of all from which each is drawn. Another
        leaves a polynomial, which is 0 at one point with a probability of at most degree/p, so at ``good`` of the ``POINTS``
        that were drawn with one of at most 2^POINTS (degree/p)^good.
        """
        bound = 1.0
        for good, p in zip(self.good, self.primes, strict=True):
            bound *= min(1.0, bits / LEAST_BITS / PRIMES + 2.0**POINTS * min(1.0, degree / p) ** good)
        return max(bound, float_info.min)


def _vanishes(fields: Fields, k: int, values: ParameterSet, seed: int | None) -> _Residues:
    primes: list[int] = []
    good: list[int] = []
    transcendental = False
    for i, p in zip(range(8 * FIELDS), values.primes(seed), strict=False):
        field = PrimeField(p, POINTS, random_numbers(seed, k, i))
        try:
            derivative = at_random(fields, field, values).defect("Q", k)
        except ZeroDivisionError:
            if not field.roots:
                raise
            return _Residues(False, (), (), True, field.transcendental)
        if field.roots:
            return _Residues(False, (), (), True, field.transcendental)
        valid = int(np.count_nonzero(field.valid))
        if valid < LEAST:
            continue
        primes.append(p)
        good.append(valid)
        transcendental |= field.transcendental
        if any(np.any(x.spread()[field.valid]) for x in derivative):
            return _Residues(False, tuple(good), tuple(primes), False, transcendental)
        if len(primes) == FIELDS:
            return _Residues(True, tuple(good), tuple(primes), False, transcendental)
    raise errors.SemidirectError("no points to prove at", got=f"{len(primes)} fields with regular points",
                                 hint="Is something divided by zero everywhere?")  # fmt: skip


def _bounds(fields: Fields, k: int, values: ParameterSet) -> tuple[int, float]:
    """Of the degree of the numerator of DQ·g_k, and of the bits of its coefficients."""
    numbers = Degrees()
    defect = at_random(fields, numbers, values).defect("Q", k)
    return max(map(numbers.degree, defect), default=0), max(map(numbers.bits, defect), default=0.0)


def _error_at_real_states(real: RealVerdict, degree: int, draws: int) -> float:
    """With r roots, the norm has degree 2^r d; each number that is drawn has 2^DRAWN_FROM values; ``draws`` for each point."""
    if not real.holds:
        return 0.0
    once = min(1.0, draws * 2.0**real.roots * degree / 2.0**DRAWN_FROM)
    return float(min(1.0, max(real.patterns * 2.0**real.tried * once**real.points, float_info.min)))


def _power(x: float) -> str:
    return f"1e{int(np.ceil(np.log10(x)))}" if x > 0 else "1e-300"

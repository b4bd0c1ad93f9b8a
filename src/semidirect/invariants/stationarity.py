"""Whether a density e^{−βE} is stationary: proofs on the pieces of its generator, and real states at which it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, final

import mpmath
import numpy as np
import sympy as sp

from semidirect.core import EXACT, build
from semidirect.equations import column_divergence, emission
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.fields import Fields
from semidirect.invariants.pieces import MOST, Pieces
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.equations import Program, StratonovichSDE
    from semidirect.invariants.parameters import ParameterSet
    from semidirect.invariants.pieces import Pattern, Spots

STATES, LATER, POINTS, PRIMES, LEAST = 3, 6, 12, 4, 6
"""Small real states, further ones, points of each prime field, number of fields, and least number of regular points."""
DIGITS = (60, 90)
"""Precisions at which a value that is not rational has to be the same."""
ROUNDED = 1e-9
"""A defect that rounded parameters may leave."""
JUMP = 1e-6
"""Relative size of a jump between states that are next to each other."""

Decision = tuple["bool | None", Fraction, int, int, str]


@final
class Adjoint:
    """L*P/P for P = e^{−βE}: −div f + βf·E + ½ Σ (c_k² + g_k·c_k) with c_k = div g_k − βg_k·E; and −β∂E/∂t.

    Attributes
    ----------
    sde : StratonovichSDE
    beta : Fraction
    program : Program
        With the outputs ``defect`` and ``clock`` = −β∂E/∂t.
    moved : list of lists of Expr
        The rates of the state by f − ½ Σ c_k g_k, which moves P, and by each g_k.
    pieces : Pieces
        Of ``defect`` and ``clock``, and of what they are made of.
    """

    def __init__(self, sde: StratonovichSDE, beta: Fraction):
        self.sde, self.beta = sde, beta
        b = sp.Rational(beta.numerator, beta.denominator)
        joined, total = sde.program, sp.Integer(0)
        flow: list[sp.Expr] = []
        for k in range(sde.wieners + 1):
            column = list(sde.column(k).outputs["state"])
            rates = dict(zip(sde.state, column, strict=True))
            joined, divergence = column_divergence(sde, k, joined)
            slope = joined.with_outputs(c=[sde.energy]).jvp(rates, f"!{k}")
            joined, c = joined.joined(slope), divergence - b * slope.outputs["c"][0]
            if k == 0:
                total, flow = total - c, column
                continue
            flow = [x - c * y / 2 for x, y in zip(flow, column, strict=True)]
            second = joined.with_outputs(c=[c]).jvp(rates, f"?{k}")
            joined, total = joined.joined(second), total + (c**2 + second.outputs["c"][0]) / 2
        clock = joined.with_outputs(c=[sde.energy]).jvp({sde.setting.t: sp.Integer(1)}, "~t")
        joined = joined.joined(clock)
        noise = [list(sde.column(k + 1).outputs["state"]) for k in range(sde.wieners)]
        self.moved = [flow, *noise]
        self.program = joined.with_outputs(defect=[total], clock=[-b * clock.outputs["c"][0]])
        read = [
            sde.energy,
            *(x for rates in self.moved for x in rates),
        ]  # a step of E leaves no trace in its derivatives
        self.pieces = Pieces.of(joined.with_outputs(**self.program.outputs, read=read))

    def across(self) -> Program:
        """The energy, and the rates of each condition of the pieces by what moves P and by each noise, one after the other."""
        joined, found = self.program, list[sp.Expr]()
        for i, condition in enumerate(self.pieces.conditions):
            for k, rates in enumerate(self.moved):
                along = dict(zip(self.sde.state, rates, strict=True))
                slope = joined.with_outputs(c=[condition]).jvp(along, f"#{i}_{k}")
                joined, found = joined.joined(slope), [*found, slope.outputs["c"][0]]
        return joined.with_outputs(across=[self.sde.energy, *found])


@final
class Stationarity:
    """Decides whether ``defect`` is 0, and ``clock`` the same at all states of one time."""

    def __init__(self, adjoint: Adjoint, parameters: ParameterSet, seed: int):
        self.adjoint, self.parameters, self.seed = adjoint, parameters, seed
        self.sde = adjoint.sde
        self.fields = Fields(self.sde)
        self.given = parameters.expressions()
        self.floats = {x: float(v) for x, v in self.given.items()} | parameters.tables
        self.inputs = [x for x in adjoint.program.inputs if x not in (self.sde.setting.dt, *self.sde.setting.dW)]

    def decided(self) -> Decision:
        """Whether it is stationary, the defect, the number of points and of pieces, and why."""
        pieces = self.adjoint.pieces
        random = Random(self.seed)
        shown = self._refuted(self._small(random) for _ in range(STATES))
        if shown is not None:
            return False, shown[0], 0, 1, shown[1]
        if len(pieces.conditions) > MOST:
            return None, Fraction(0), 0, 1, f"it has {len(pieces.conditions)} conditions, more than {MOST}"
        shown = self._refuted(self._small(random) for _ in range(LATER)) if not pieces.conditions else None
        spots = self._spots(random) if pieces.conditions else None
        if spots is not None:
            states = [numbers for several in spots.inside.values() for numbers in several[:STATES]]
            shown = self._refuted(self._exact(numbers) for numbers in states)
        if shown is not None:
            return False, shown[0], 0, 1, shown[1]
        points, several = 0, bool(pieces.conditions)
        for pattern in pieces.patterns():
            reason, points = self._fails(pieces.at(pattern), still=several)
            if reason:
                reached = spots is None or pattern in spots.inside
                where = "" if reached else " on a piece of which no state was found"
                rounded = ", ".join(self.parameters.rounded())
                reason = (
                    f"its values are within the rounding of {rounded}" if rounded and reached else f"{reason}{where}"
                )
                return None, Fraction(0), 0, 1, reason
        if spots is not None and (reason := self._jumps(spots)):
            return None, Fraction(0), 0, 1, reason
        return True, Fraction(0), points, 2 ** len(pieces.conditions), ""

    # -- real states -----------------------------------------------------------------------------------------------

    def _refuted(self, states: Iterator[Mapping[sp.Symbol, Any]]) -> tuple[Fraction, str] | None:
        """The defect at the first state where it is not 0, and why it is not stationary."""
        clocks: dict[Any, Fraction] = {}
        rounded = self.parameters.rounded()
        for state in states:
            values = self._values(state)
            if values is None:
                continue
            defect, clock = values
            if rounded and max(abs(defect), abs(clock)) < ROUNDED:
                continue
            if defect:
                return defect - clock, "" if not clock else "E depends on the time"
            at = state[self.sde.setting.t]
            for other in [None] if at not in clocks else [clocks[at]]:
                if other is not None and clock != other:
                    return -clock or -other, "E depends on the time"
            clocks[at] = clock
            if clock:  # another state at the same time
                for _ in range(STATES):
                    again = self._values({**self._small(Random(f"{self.seed} {at}")), self.sde.setting.t: at})
                    if again is not None and again[1] != clock:
                        return -clock, "E depends on the time"
        return None

    def _values(self, state: Mapping[sp.Symbol, Any]) -> tuple[Fraction, Fraction] | None:
        """Defect and clock at a state, ``None`` where they have none."""
        try:
            point = {
                **state,
                **{x: Fraction(int(v.p), int(v.q)) for x, v in self.given.items()},
                **self.parameters.tables,
            }
            found = build(self._text, EXACT)(*(point[x] for x in self.inputs))
            return Fraction(found[0]), Fraction(found[1])
        except ZeroDivisionError:
            return None
        except (ArithmeticError, AttributeError):  # a root, in the fields or of a parameter
            point = {**state, **self.given, **self.parameters.tables}
        with_digits = []
        for digits in DIGITS:
            context = mpmath.MPContext()
            context.dps = digits
            try:
                values = build(self._text, _decimals(context))(*(_number(context, point[x]) for x in self.inputs))
            except (ArithmeticError, TypeError, ValueError):
                return None
            if any(isinstance(x, context.mpc) for x in values):
                return None
            with_digits.append([context.mpf(x) for x in values])
        return tuple(_shared(a, b) for a, b in zip(*with_digits, strict=True))  # type: ignore[return-value]

    @cached_property
    def _text(self) -> str:
        rows = [e for rows in self.adjoint.program.outputs.values() for e in rows]
        return emission.source(self.adjoint.program, rows, self.inputs, exact=True)

    def _small(self, random: Random) -> dict[sp.Symbol, Any]:
        """A random rational state on the orbit of the advected quantities."""
        return self._state(lambda: Fraction(random.randint(-12, 12), random.choice((3, 5, 7))))

    def _exact(self, numbers: Sequence[float]) -> dict[sp.Symbol, Any]:
        """The state that some numbers make, as fractions."""
        return self._state(map(Fraction, numbers).__next__)

    def _state(self, draw: Callable[[], Any]) -> dict[sp.Symbol, Any]:
        sde, d = self.sde, self.sde.definition
        a = d.random_orbit_point(draw)
        values = {x: draw() for v in sde.variables for x in v.symbols}
        values |= dict(zip((x for v in sde.variables if v.kind == "advected" for x in v.symbols), a, strict=True))
        return {**values, sde.setting.t: draw(), **{x: draw() for x in sde.coordinates.values()}}

    def _spots(self, random: Random) -> Spots:
        def point(numbers: Sequence[float]) -> dict[sp.Symbol, Any]:
            return {**{x: float(v) for x, v in self._state(iter(numbers).__next__).items()}, **self.floats}

        count = 0

        def counted() -> float:
            nonlocal count
            count += 1
            return 0.5

        self._state(counted)
        return self.adjoint.pieces.spots(point, count, random)

    # -- proofs ----------------------------------------------------------------------------------------------------

    def _fails(self, piece: Program, *, still: bool) -> tuple[str, int]:
        """Why it is not proved that a piece is stationary, and the number of points at which it is."""
        text = emission.source(piece, [piece.outputs[name][0] for name in ("defect", "clock")], self.inputs, exact=True)
        total, used = 0, 0
        for i, p in zip(range(8 * PRIMES), self.parameters.primes(self.seed), strict=False):
            field = PrimeField(p, POINTS, random_numbers(self.seed, i))
            at = field.number(int(random_numbers(self.seed, i, 1).integers(2, p)))
            point = {**random_point(self.fields, field, self.parameters), self.sde.setting.t: at}
            try:
                defect, clock = build(text, field.functions)(*(point.get(x, 0) for x in self.inputs))
            except ZeroDivisionError:
                continue
            good = int(np.count_nonzero(field.valid))
            if good < LEAST:
                continue
            values = [field.spread(x)[field.valid] for x in (defect, clock)]
            if np.any(values[0]):
                return "it is not 0 as a formula, and no real state was found where it is not 0", 0
            if np.any(values[1] if still else values[1] - values[1][0]):
                return "E depends on the time as a formula, and no real state was found where it does", 0
            total, used = total + good, used + 1
            if used == PRIMES:
                return "", total
        return "it has too few regular points", 0

    def _jumps(self, spots: Spots) -> str:
        """Why what flows across a boundary may differ between its sides; empty if it does not.

        Of two states next to each other at a boundary, energy and rates are compared by the formulas of both sides.
        """
        pieces = self.adjoint.pieces
        across = Pieces.of(self.adjoint.across())
        if set(across.conditions) != set(pieces.conditions):
            return "it has other cases at the boundaries of its pieces"
        order = [pieces.conditions.index(c) for c in across.conditions]
        functions: dict[Pattern, Callable[..., tuple[Any, ...]]] = {}
        inside = {tuple(x): pattern for pattern, several in spots.inside.items() for x in several}
        rows = len(self.adjoint.moved)
        for i, pairs in spots.boundary.items():
            if not pairs:
                return "no state was found at the boundary of a piece"
            for pair in pairs:
                values = []
                for x in pair:
                    pattern = inside[tuple(x)]
                    if pattern not in functions:
                        program = across.at(tuple(pattern[j] for j in order))
                        functions[pattern] = emission.numerical_function(
                            program, program.outputs["across"], self.inputs
                        )
                    state = {k: float(v) for k, v in self._state(iter(pair[0]).__next__).items()} | self.floats
                    with np.errstate(all="ignore"):
                        values.append([float(v) for v in functions[pattern](*(state[k] for k in self.inputs))])
                j = across.conditions.index(pieces.conditions[i])
                compared = [0, *range(1 + j * rows, 1 + (j + 1) * rows)]
                one, other = (np.array(v)[compared] for v in values)
                size = np.maximum(np.abs(one), np.abs(other))
                if not np.all(np.abs(one - other) <= JUMP * size + JUMP**2):
                    return "energy or fields jump at the boundary of a piece, and what they do there depends on how it is read"
        return ""


def _decimals(context: Any) -> dict[str, Any]:
    functions = {name: getattr(context, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log")}
    constants = {"pi": "pi", "E": "e", "GoldenRatio": "phi", "EulerGamma": "euler", "Catalan": "catalan"}
    return {
        **EXACT, **functions, "number": lambda p, q: context.mpf(p) / q,
        "constant": lambda name: +getattr(context, constants[name]),
    }  # fmt: skip


def _number(context: Any, x: Any) -> Any:
    if isinstance(x, sp.Basic):
        return context.mpf(str(sp.N(x, context.dps + 5)))
    return context.mpf(x.numerator) / x.denominator if isinstance(x, (int, Fraction)) else x


def _shared(one: Any, other: Any) -> Fraction:
    """A number that has the same digits at two precisions; 0 where it is rounding."""
    if abs(one - other) > abs(other) / 10**10:
        return Fraction(0)
    sign, mantissa, exponent, _ = other._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)

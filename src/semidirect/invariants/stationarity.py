"""Whether a density e^{−βE} is stationary: proofs on the pieces of its generator, and real states at which it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, final

import numpy as np
import sympy as sp

from semidirect.core import functions
from semidirect.equations import emission
from semidirect.invariants.adjoint import Adjoint
from semidirect.invariants.algebra.residues import PrimeField, random_numbers
from semidirect.invariants.exact_values import ExactValues
from semidirect.invariants.fields import Fields
from semidirect.invariants.pieces import MOST, Pieces
from semidirect.invariants.points import random_point

if TYPE_CHECKING:
    from semidirect.equations import Program
    from semidirect.invariants.parameters import ParameterSet
    from semidirect.invariants.pieces import Pattern, Spots

STATES, LATER, POINTS, PRIMES, LEAST = 3, 6, 12, 4, 6
"""Small real states, further ones, points of each prime field, number of fields, and least number of regular points."""
ROUNDED = 1e-9
"""A defect that rounded parameters may leave."""
EXACT_STEP, ROUNDED_STEP = Fraction(1, 10**30), Fraction(1, 10**9)
"""Relative size above which a difference of energies is none of digits, and of states or parameters that are rounded."""
STEPS = "E steps in time, and not by the same at all states"
JUMP = 1e-6
"""Relative size of a jump between states that are next to each other."""

Decision = tuple["bool | None", Fraction, int, int, str]


@final
class Stationarity:
    """Decides whether ``defect`` is 0, and ``clock`` the same at all states of one time."""

    def __init__(self, adjoint: Adjoint, parameters: ParameterSet, seed: int):
        self.adjoint, self.parameters, self.seed = adjoint, parameters, seed
        self.sde = adjoint.sde
        self.fields = Fields(self.sde)
        self.parameter_values = parameters.expressions()
        self.floats = {x: float(v) for x, v in self.parameter_values.items()} | parameters.tables
        self.inputs = [x for x in adjoint.program.inputs if x not in (self.sde.setting.dt, *self.sde.setting.dW)]

    def decided(self) -> Decision:
        """Whether it is stationary, the defect, the number of points and of pieces, and why."""
        pieces = self.adjoint.pieces
        random = Random(self.seed)
        refutation = self._refuted(self._small(random) for _ in range(STATES))
        if refutation is not None:
            return False, refutation[0], 0, 1, refutation[1]
        if self._steps(self._timed(Random(f"steps {self.seed}"))):
            return False, Fraction(0), 0, 1, STEPS
        if len(pieces.conditions) > MOST:
            return None, Fraction(0), 0, 1, f"it has {len(pieces.conditions)} conditions, more than {MOST}"
        refutation = self._refuted(self._small(random) for _ in range(LATER)) if not pieces.conditions else None
        spots = self._spots(random) if pieces.conditions else None
        if spots is not None:
            states = [numbers for several in spots.inside.values() for numbers in several[:STATES]]
            refutation = self._refuted(self._exact(numbers) for numbers in states)
            some = [
                x for several in spots.inside.values() for x in (several[0], several[-1])
            ]  # the last are at boundaries
            if refutation is None and self._steps(map(self._exact, some)):
                return False, Fraction(0), 0, 1, STEPS
        if refutation is not None:
            return False, refutation[0], 0, 1, refutation[1]
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

    def _steps(self, states: Iterator[Mapping[sp.Symbol, Any]]) -> bool:
        """Whether from the time of one state to that of another E changes by more at some state than at others.

        Where its conditions depend on the time E may step, of which its derivatives know nothing.
        """
        pieces, t = self.adjoint.pieces, self.sde.setting.t
        if not pieces.program.depends(pieces.conditions, [t]):
            return False
        all_states = list(states)
        rows = [[self._inside({**state, t: at[t]}) for at in all_states] for state in all_states]
        rounded = self.parameters.rounded() or not all(isinstance(v, Fraction) for s in all_states for v in s.values())
        least = ROUNDED_STEP if rounded else EXACT_STEP
        for one, other in combinations(rows, 2):
            both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
            for (a, b), (c, d) in combinations(both, 2):
                if abs(a - b - c + d) > least * max(abs(a), abs(b), abs(c), abs(d)):
                    return True
        return False

    def _timed(self, random: Random) -> Iterator[dict[sp.Symbol, Any]]:
        """Small states at times of all sizes."""
        for size in (1, 1, 10, 100, 1000) * STATES:
            yield {**self._small(random), self.sde.setting.t: Fraction(random.randint(-12 * size, 12 * size), 11)}

    def _inside(self, state: Mapping[sp.Symbol, Any]) -> Fraction | None:
        """The energy at a state that is on a piece, not at its boundary."""
        values = self._energies.at(state)
        return None if values is None or not all(values[1:]) else values[0]

    def _values(self, state: Mapping[sp.Symbol, Any]) -> tuple[Fraction, Fraction] | None:
        """Defect and clock at a state, ``None`` where they have none."""
        values = self._defects.at(state)
        return None if values is None else (values[0], values[1])

    @cached_property
    def _defects(self) -> ExactValues:
        program = self.adjoint.program
        rows = [e for rows in program.outputs.values() for e in rows]
        return ExactValues(program, rows, self.inputs, self.parameters)

    @cached_property
    def _energies(self) -> ExactValues:
        """The energy, and the conditions of the pieces."""
        pieces = self.adjoint.pieces
        rows = (pieces.program.outputs["read"][0], *pieces.conditions)
        return ExactValues(pieces.program, rows, self.inputs, self.parameters)

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
        total, primes = 0, 0
        for i, p in zip(range(8 * PRIMES), self.parameters.primes(self.seed), strict=False):
            field = PrimeField(p, POINTS, random_numbers(self.seed, i))
            at = field.number(int(random_numbers(self.seed, i, 1).integers(2, p)))
            point = {**random_point(self.fields, field, self.parameters), self.sde.setting.t: at}
            try:
                defect, clock = functions.build(text, field.functions)(*(point.get(x, 0) for x in self.inputs))
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
            total, primes = total + good, primes + 1
            if primes == PRIMES:
                return "", total
        return "it has too few regular points", 0

    def _of_time_alone(self, condition: sp.Expr) -> bool:
        program = self.adjoint.pieces.program
        others = [x for x in program.inputs if x not in (self.sde.setting.t, *self.floats)]
        return not program.depends([condition], others)

    def _time(self, numbers: Sequence[float]) -> float:
        """The time of a state, to as many digits as it is located at a boundary."""
        return float(f"{float(self._exact(numbers)[self.sde.setting.t]):.6g}")

    def _jumps(self, spots: Spots) -> str:
        """Why what flows across a boundary may differ between its sides; empty if it does not.

        Of two states next to each other at a boundary, energy and rates are compared by the formulas of both sides.
        """
        pieces = self.adjoint.pieces
        across = Pieces.of(self.adjoint.across())
        if set(across.conditions) != set(pieces.conditions):
            return "it has other cases at the boundaries of its pieces"
        order = [pieces.conditions.index(c) for c in across.conditions]
        timed = [self._of_time_alone(condition) for condition in pieces.conditions]
        compiled: dict[Pattern, Callable[..., tuple[Any, ...]]] = {}
        inside = {tuple(x): pattern for pattern, several in spots.inside.items() for x in several}
        rows = len(self.adjoint.moved)
        for i, pairs in spots.boundary.items():
            if not pairs:
                return "no state was found at the boundary of a piece"
            steps: dict[float, float] = {}  # at one time E may step by the same at all states: its zero does not matter
            for pair in pairs:
                values = []
                for x in pair:
                    pattern = inside[tuple(x)]
                    if pattern not in compiled:
                        program = across.at(tuple(pattern[j] for j in order))
                        compiled[pattern] = emission.numerical_function(program, program.outputs["across"], self.inputs)
                    state = {k: float(v) for k, v in self._state(iter(pair[0]).__next__).items()} | self.floats
                    with np.errstate(all="ignore"):
                        values.append([float(v) for v in compiled[pattern](*(state[k] for k in self.inputs))])
                j = across.conditions.index(pieces.conditions[i])
                compared = [0, *range(1 + j * rows, 1 + (j + 1) * rows)]
                one, other = (np.array(v)[compared] for v in values)
                size = np.maximum(np.abs(one), np.abs(other))
                if timed[i]:  # one is above the condition, at each time on the same side of it
                    other[0] += steps.setdefault(self._time(pair[0]), one[0] - other[0])
                if not np.all(np.abs(one - other) <= JUMP * size + JUMP**2):
                    return "energy or fields jump at the boundary of a piece, and what they do there depends on how it is read"
        return ""

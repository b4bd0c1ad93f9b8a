"""The noise fields of a model and their derivatives at random states of the orbit, exact or in sixty digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, exact, functions, interpolation

if TYPE_CHECKING:
    from semidirect.model.numerical_model import NumericalSDE

DIGITS = 60
TRIES = 60
SEARCHED = 160
"""States in search of other cases of fields that are given by cases."""
SMALL = 1e-12
"""Relative size of 0 among numbers that are not exact, or made of such that are rounded."""

Row = list[Any]


@dataclass(frozen=True)
class Sample:
    """The fields at one state; v is the transport of s, and (.)' the derivative along the second index.

    Attributes
    ----------
    g, v : lists (m, d), (m, n)
        The noise fields g_i and their transports v_i.
    dg, dv : lists (m, m, d), (m, m, n)
        Dg_i[g_j] and Dv_i[g_j].
    constant, constant_with_s : bool
        Whether the g_i have no derivative in a random direction of the orbit; whether they and the rates of the stored
        coordinates of s have none.
    """

    g: list[Row]
    v: list[Row]
    dg: list[list[Row]]
    dv: list[list[Row]]
    constant: bool
    constant_with_s: bool


class RandomFields:
    """Samples of the noise fields of a model with given parameters.

    States have rational components, their advected quantities are s⁻¹a₀ with the Cayley map s of a rational vector, and in A
    form the velocity fulfils Aξ = b. Values are fractions; as soon as one is not rational, all are floats of sixty digits.

    Parameters
    ----------
    model : NumericalSDE
    parameters : sequence of (Fraction, Fraction)
        Values of the symbols of its parameters, each divided by the root of the second number.
    rounded : bool
        Whether some of them are rounded, so that what vanishes up to rounding is taken to vanish.
    tables : sequence of Table
        Functions given by tables count as unknown: they have random values.
    """

    def __init__(self, model: NumericalSDE, parameters: Sequence[tuple[Fraction, Fraction]], rounded: bool = False,
                 tables: Sequence[interpolation.Table] = ()):  # fmt: skip
        self.model, self.group, self.rounded = model, model.group, rounded
        self._given, self._tables = list(parameters), list(tables)
        self.exact = all(square == 1 for _, square in parameters)
        self.m, self.d, self.n = model.wieners, model.dimension, model.group.dimension
        self.r = len(self.group.stored_names)
        self._random = Random(20)
        self._size = Fraction(1)
        self._cases: list[bool] = []
        self._built: dict[tuple[int, bool], Callable[..., tuple[Any, ...]]] = {}

    def samples(self, count: int) -> list[Sample]:
        """The fields at random states.

        Raises
        ------
        DefinitionError
            If they have no value at too many of them.
        """
        samples: list[Sample] = []
        for _ in range(TRIES):
            try:
                samples.append(self._sample())
            except (ArithmeticError, TypeError, ValueError):  # not rational, not real, or singular
                self.exact, samples = False, [] if self.exact else samples
            if len(samples) == count:
                return [*samples, *self._other_cases()] if self._cases else samples
        raise errors.DefinitionError(
            "the noise fields cannot be evaluated at random states",
            got=f"{TRIES} states where they have no value",
            hint="Look for roots of negative numbers and divisions by 0 in the noise.",
        )

    def _other_cases(self) -> list[Sample]:
        """Samples at states of all sizes in which other cases of the fields hold than in those before."""
        samples: list[Sample] = []
        patterns: set[tuple[bool, ...]] = set()
        for k in range(SEARCHED):
            self._size, self._cases = Fraction(10) ** (k % 8 - 3), []
            try:
                sample = self._sample()
            except (ArithmeticError, TypeError, ValueError):
                continue
            if (cases := tuple(self._cases)) not in patterns:
                patterns.add(cases)
                samples.append(sample)
        self._size = Fraction(1)
        return samples

    def _where(self, condition: Any, first: Any, second: Any) -> Any:
        """Choose a value, and remember which case it was."""
        self._cases.append(bool(condition))
        return first if condition else second

    def vanish(self, values: Sequence[Any], like: Sequence[Any]) -> bool:
        """Whether all values are 0, up to the rounding of computations with numbers of the size of ``like``."""
        size = 0 if self.exact and not self.rounded else SMALL * max((abs(x) for x in like), default=0)
        return all(abs(x) <= size for x in values)

    def coefficient(self, value: Any) -> Any:
        """A structure constant as a number of the kind used."""
        return self._number(Fraction(exact.exact_number(value)))

    # -- one state -------------------------------------------------------------------------------------------------

    def _sample(self) -> Sample:
        y, t = self._state(), self._draw()
        coordinates = [self._draw() for _ in range(self.r)]
        base = [*y, *coordinates, t, *self._parameters()]
        values = [self._call(i, base, [0] * (self.d + self.r)) for i in range(self.m)]
        along = [[self._call(i, base, [*w["g"], *w["coordinates"]]) for w in values] for i in range(self.m)]
        tangent = [*self._tangent(y), *(self._draw() for _ in range(self.r))]
        anywhere = [self._call(i, base, tangent) for i in range(self.m)]
        size = [x for w in values for name in ("g", "v", "coordinates") for x in w[name]]
        still = {k: self.vanish([x for a in anywhere for x in a[k]], size) for k in ("dg", "dv", "dcoordinates")}
        return Sample(
            [w["g"] for w in values], [w["v"] for w in values], [[w["dg"] for w in row] for row in along],
            [[w["dv"] for w in row] for row in along], still["dg"], still["dg"] and still["dv"] and still["dcoordinates"],
        )  # fmt: skip

    def _state(self) -> Row:
        parts, d = self.model.layout, self.model.definition
        a: Row = []
        if d.advected:
            a = [self._number(x) for x in d.orbit_point(self._element())]
        first = [self._draw() for _ in range(parts["P"].stop)]
        y = [*first, *a, *(self._draw() for _ in range(self.d - parts["z"].start))]
        return self._admissible(y) if self.model.structure.shape.residual else y

    def _element(self) -> np.ndarray:
        xi = exact.objects([self._fraction() for _ in range(self.n)])
        if self.group.quadratic:
            return self.group.cayley_entries(xi)
        self.exact = False
        size, number = self.group.size, self._number
        matrix = self._digits.zeros(size)
        for j, row, column, value in self.group.structure.terms:
            matrix[row, column] += number(Fraction(exact.exact_number(value)) * xi[j])
        return np.array(self._digits.expm(matrix).tolist(), dtype=object).reshape(size, size)

    def _admissible(self, y: Row) -> Row:
        """The velocity moved to Aξ = b, A and b from the residual Aξ − b, which is affine in ξ."""
        n, t = self.n, self._number(Fraction(0))
        text = self.model.structure.text("exact residual", lambda: residual_text(self.model))
        function = functions.build(text, self._namespace)

        def residual(xi: Row) -> Row:
            return list(function(*xi, *y[n:], t, *self._parameters()))

        origin = residual([0] * n)
        columns = [
            [x - o for x, o in zip(residual([int(i == j) for i in range(n)]), origin, strict=True)] for j in range(n)
        ]
        covectors = list(zip(*columns, strict=True))
        return exact.nearest_solution(covectors, [-b for b in origin], y[:n]) + y[n:]

    def _tangent(self, y: Row) -> Row:
        """A random direction of the orbit: −ρ(η)a for the advected quantities."""
        d, part = self.model.definition, self.model.layout["a"]
        direction, a = [self._draw() for _ in range(self.d)], np.array(y, dtype=object)[part]
        eta = np.array([self._draw() for _ in range(self.n)], dtype=object)
        direction[part] = [
            self._number(-x)
            for name, at in d.advected_layout.items()
            for x in d.advected[name].representation.action(eta, a[at])
        ]
        return direction

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def _fraction(self) -> Fraction:
        return self._size * Fraction(self._random.choice((-1, 1)) * self._random.randint(1, 60), 61)

    def _draw(self) -> Any:
        return self._number(self._fraction())

    def _parameters(self) -> Row:
        numbers = [
            self._number(x) if square == 1 else self._number(x) / self._digits.sqrt(self._number(square))
            for x, square in self._given
        ]
        return [*numbers, *self._tables]

    def _number(self, x: Any) -> Any:
        if self.exact or not isinstance(x, (int, Fraction)):
            return x
        return self._digits.mpf(x.numerator) / x.denominator

    @cached_property
    def _digits(self) -> Any:
        import mpmath

        context = mpmath.MPContext()
        context.dps = DIGITS
        return context

    @property
    def _namespace(self) -> Mapping[str, Any]:
        """The functions for an exact text, in fractions or with sixty digits."""
        if self.exact:
            return {**functions.EXACT, "interpolate": self._unknown, "where": self._where}
        c = self._digits
        names = {"pi": "pi", "E": "e", "GoldenRatio": "phi", "EulerGamma": "euler", "Catalan": "catalan"}
        of_context = {name: getattr(c, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log")}
        return {
            **functions.EXACT, **of_context, "interpolate": self._unknown, "where": self._where,
            "number": lambda p, q: c.mpf(p) / q, "constant": lambda name: +getattr(c, names[name]),
        }  # fmt: skip

    def _unknown(self, *arguments: Any) -> Any:
        """A function given by tables, of which the class of the noise knows nothing: states may lie outside of its nodes."""
        return self._number(interpolation.unknown(*arguments))

    def _call(self, i: int, base: Row, direction: Row) -> dict[str, Row]:
        results = iter(self._function(i)(*base, *direction))
        sizes = {"g": self.d, "v": self.n, "coordinates": self.r, "dg": self.d, "dv": self.n, "dcoordinates": self.r}
        rows = {name: [next(results) for _ in range(size)] for name, size in sizes.items()}
        if any(isinstance(x, self._digits.mpc) for row in rows.values() for x in row):
            raise ArithmeticError("a value is not real")
        return rows

    def _function(self, i: int) -> Callable[..., tuple[Any, ...]]:
        key = (i, self.exact)
        if key not in self._built:
            text = self.model.structure.text(
                f"exact noise and derivative {i + 1}", lambda: noise_text(self.model, i + 1)
            )
            self._built[key] = functions.build(text, self._namespace)
        return self._built[key]


def noise_text(model: NumericalSDE, i: int) -> str:
    """The function (y, coordinates of s, t, parameters, direction) → g_i, v_i, rates of the coordinates, their derivatives."""
    import sympy as sp

    from semidirect.equations import emission

    sde = model.sde
    column = sde.column(i)
    fields = (*column.outputs["state"], *column.outputs["v"], *column.outputs["coordinates"])
    moving = (*sde.state, *sde.coordinates.values())
    along = tuple(sp.Symbol(f"~{x.name}", real=True) for x in moving)
    derivative = column.with_outputs(c=fields).jvp(dict(zip(moving, along, strict=True)), "'")
    inputs = (*moving, sde.setting.t, *sde.definition.parameters, *along)
    return emission.source(column.joined(derivative), [*fields, *derivative.outputs["c"]], inputs, exact=True)


def residual_text(model: NumericalSDE) -> str:
    """The function (y, t, parameters) → Aξ − b."""
    from semidirect.equations import emission

    sde = model.sde
    inputs = (*sde.state, sde.setting.t, *sde.definition.parameters)
    return emission.source(sde.program, sde.program.outputs["residual"], inputs, exact=True)

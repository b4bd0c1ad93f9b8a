"""Dual numbers: values with their derivatives in some directions, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, final

import numpy as np

from semidirect.core import ops
from semidirect.core.dual.functions import largest, rows
from semidirect.core.exact import is_exact, objects
from semidirect.core.interpolation import Interpolant
from semidirect.core.solvers.iteration import fixed_point

TOLERANCE = 1e-13
"""Of the iteration for the slopes of an implicit solution, relative to the largest of them."""

Slopes = dict[int, Any]
"""Direction → derivative; a missing one is 0. Slopes of arrays may have directions as their first axis."""


@final
class Directions:
    """The directions of one computation, and which of them are followed at the moment.

    Parameters
    ----------
    keys : collection of int
        Names of the directions in :data:`Slopes`.
    """

    def __init__(self, keys: Collection[int]):
        self.keys = tuple(keys)
        self.followed: frozenset[int] | None = None

    @contextmanager
    def only(self, *keys: int) -> Iterator[None]:
        """The context in which other directions are left out, all of them where none is given."""
        before, self.followed = self.followed, frozenset(keys)
        try:
            yield
        finally:
            self.followed = before


@final
class Dual(ops.Scalar):
    """``value + Σ slopes[k] ε_k`` with ε_j ε_k = 0."""

    __slots__ = ("directions", "slopes", "value")
    __array_ufunc__ = None

    def __init__(self, directions: Directions, value: Any, slopes: Slopes | None = None):
        self.directions, self.value, self.slopes = directions, value, slopes or {}

    @property
    def exact(self) -> bool:  # type: ignore[override]  # it depends on the numbers
        """Whether products with fractions are exact."""
        return is_exact(self.value)

    def _made(self, value: Any, slopes: Slopes) -> Dual:
        return Dual(self.directions, value, slopes)

    def _pair(self, other: Any) -> tuple[Any, Slopes]:
        return (other.value, other._now()) if isinstance(other, Dual) else (other, {})

    def _now(self) -> Slopes:
        followed = self.directions.followed
        return self.slopes if followed is None else {k: s for k, s in self.slopes.items() if k in followed}

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: self + x, other)
        b, db = self._pair(other)
        return self._made(self.value + b, _sum(self._now(), db))

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: x + self, other)
        return self._made(other + self.value, self._now())

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: self - x, other)
        b, db = self._pair(other)
        return self._made(self.value - b, _difference(self._now(), db))

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: x - self, other)
        return self._made(other - self.value, _difference({}, self._now()))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: self * x, other)
        b, db = self._pair(other)
        return self._made(self.value * b, _sum(_scaled(b, self._now()), _scaled(self.value, db)))

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: x * self, other)
        return self._made(other * self.value, _scaled(other, self._now()))

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: self / x, other)
        b, db = self._pair(other)
        quotient, da = self.value / b, self._now()
        if not da and not db:
            return self._made(quotient, {})
        return self._made(quotient, _scaled(1 / b, _difference(da, _scaled(quotient, db))))

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _by_entry(lambda x: x / self, other)
        quotient, da = other / self.value, self._now()
        if not da:
            return self._made(quotient, {})
        return self._made(quotient, _difference({}, _scaled(quotient * (1 / self.value), da)))

    def __neg__(self) -> Dual:
        return self._made(-self.value, _difference({}, self._now()))

    def __pos__(self) -> Dual:
        return self

    def __lt__(self, other: Any) -> Condition:
        return Condition(self.directions, self.value < self._pair(other)[0])

    def __le__(self, other: Any) -> Condition:
        return Condition(self.directions, self.value <= self._pair(other)[0])

    def __gt__(self, other: Any) -> Condition:
        return Condition(self.directions, self.value > self._pair(other)[0])

    def __ge__(self, other: Any) -> Condition:
        return Condition(self.directions, self.value >= self._pair(other)[0])

    def elementary(self, name: str | Interpolant) -> Dual:
        """The elementary function ``name``, with its derivative."""
        x, slopes = self.value, self._now()
        y = ops.elementwise(name, x)
        return self._made(y, _scaled(derivative(name, x, y), slopes) if slopes else {})

    def fixed_point(self, function: Callable[[np.ndarray], np.ndarray], start: np.ndarray, scale: Any, tolerance: float,
                    iterations: int, after: int) -> tuple[np.ndarray, Any]:  # fmt: skip
        """The solution of x = f(x), found as without derivatives, and its slopes by the implicit function theorem.

        At the solution, dx = Df(x)[dx] + ∂f: a linear equation of the same form and contraction, which is solved likewise,
        direction by direction.
        """
        directions, n = self.directions, len(start)

        def lifted(x: Any, slopes: Sequence[Slopes]) -> np.ndarray:
            return objects([Dual(directions, v, d) for v, d in zip(x, slopes, strict=True)])

        def values(x: np.ndarray) -> np.ndarray:
            return rows([value(y) for y in function(lifted(x, [{}] * n))])

        size = scale if callable(scale) else value(scale)
        # the value first, without derivatives: the bits are those of a run without them
        with directions.only():
            solution, outcome = fixed_point(values, rows([value(x) for x in start]), size, tolerance=tolerance,
                                         iterations=iterations, after=after)  # fmt: skip
        slopes: list[Slopes] = [{} for _ in range(n)]
        followed = directions.keys if directions.followed is None else sorted(directions.followed)
        for key in followed:

            def image(dx: np.ndarray, key: int = key) -> np.ndarray:
                images = function(lifted(solution, [{key: d} for d in dx]))
                return rows([_slopes(y).get(key, 0.0) for y in images])

            with directions.only(key):
                source = start if any(key in _slopes(x) for x in start) else function(lifted(solution, [{}] * n))
                # a direction that does not reach the equation has derivative 0, without an iteration
                if not any(key in _slopes(x) for x in source):
                    continue
                first = rows([_slopes(x).get(key, 0.0) for x in source])
                if first.dtype != object:
                    first = np.broadcast_to(first, (n, *np.broadcast_shapes(first.shape[1:], solution.shape[1:])))
                # the linear iteration is measured against its right side, since slopes have a scale of their own
                begin = largest(first)
                dx, also = fixed_point(image, first, lambda new, begin=begin: ops.maximum(largest(new), begin),
                                       tolerance=TOLERANCE, iterations=iterations, after=0)  # fmt: skip
            for i in range(n):
                slopes[i][key] = dx[i]
            if isinstance(also, np.ndarray):
                outcome = outcome & np.bitwise_and.reduce(also.reshape(-1, also.shape[-1]), axis=0)
        return lifted(solution, slopes), outcome


@final
class Condition(ops.Scalar):
    """A condition on values, which selects slopes with them."""

    __slots__ = ("directions", "holds")
    __array_ufunc__ = None

    def __init__(self, directions: Directions, holds: Any):
        self.directions, self.holds = directions, holds

    def select(self, if_true: Any, if_false: Any) -> Any:
        """Entry by entry; a slope that one of the two lacks is 0 there."""
        if isinstance(if_true, np.ndarray) or isinstance(if_false, np.ndarray):
            pairs = np.broadcast(if_true, if_false)
            return objects([self.select(a, b) for a, b in pairs]).reshape(pairs.shape)
        da, db = _slopes(if_true), _slopes(if_false)
        slopes = {k: ops.where(self.holds, da.get(k, 0.0), db.get(k, 0.0)) for k in sorted(da.keys() | db.keys())}
        return Dual(self.directions, ops.where(self.holds, value(if_true), value(if_false)), slopes)

    def __and__(self, other: Any) -> Condition:
        return Condition(self.directions, self.holds & (other.holds if isinstance(other, Condition) else other))

    def __or__(self, other: Any) -> Condition:
        return Condition(self.directions, self.holds | (other.holds if isinstance(other, Condition) else other))

    def __xor__(self, other: Any) -> Condition:
        return Condition(self.directions, self.holds ^ (other.holds if isinstance(other, Condition) else other))

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__


def derivative(name: str | Interpolant, x: Any, y: Any) -> Any:
    """The derivative at x of an elementary function that has the value y there."""
    if isinstance(name, Interpolant):
        return ops.elementwise(name.slope, x)
    slopes: dict[str, Callable[[], Any]] = {
        "sqrt": lambda: 1 / (2 * y), "sin": lambda: ops.cos(x), "cos": lambda: -ops.sin(x), "exp": lambda: y,
        "log": lambda: 1 / x, "absolute": lambda: ops.where(x > 0, 1.0, -1.0), "tan": lambda: 1 + y * y,
    }  # fmt: skip
    return slopes[name]()


def _slopes(x: Any) -> Slopes:
    return x._now() if isinstance(x, Dual) else {}


def _by_entry(function: Callable[[Any], Any], array: np.ndarray) -> np.ndarray:
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = function(array[index])
    return out


def _scaled(factor: Any, slopes: Slopes) -> Slopes:
    return {k: factor if type(s) is float and s == 1.0 else factor * s for k, s in slopes.items()}


def _sum(a: Slopes, b: Slopes) -> Slopes:
    if not a or not b:
        return a or b
    return {**a, **b, **{k: a[k] + b[k] for k in a if k in b}}


def _difference(a: Slopes, b: Slopes) -> Slopes:
    if not b:
        return a
    return {**a, **{k: a[k] - s if k in a else -s for k, s in b.items()}}


def value(x: Any) -> Any:
    """A number without its derivatives."""
    return x.value if isinstance(x, Dual) else x


def slope(x: Any, key: int) -> Any:
    """A derivative of a number."""
    return x.slopes.get(key, 0.0) if isinstance(x, Dual) else 0.0

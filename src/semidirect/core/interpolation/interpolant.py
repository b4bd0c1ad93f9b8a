"""Interpolants of tables: functions of one variable, with derivatives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any, final

import numpy as np

from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.interpolation.outside import extended, note_outside
from semidirect.core.locks import ForkSafeLock

KINDS = ("linear", "cubic")
ENDS = ("not-a-knot", "natural", "clamped")
"""What a cubic spline fulfils at its ends: one cubic on the first two and the last two intervals; second derivatives 0; first
derivatives 0.
"""
LAST_ORDER = {"linear": 1, "cubic": 3}
"""The derivative that is constant between nodes: it jumps there, and has no derivative."""

_one_at_a_time = ForkSafeLock()


class AnyTable:
    """Base of what a table of a model may be: its numbers, or a scalar that stands for them while a step is recorded."""


@final
@dataclass(frozen=True, eq=False)
class Table(AnyTable):
    """The numbers of a table.

    Attributes
    ----------
    name : str
        The name of the parameter; empty for an array without one.
    values : array (n,), or (paths, n) if they differ from path to path
    """

    name: str
    values: np.ndarray
    _splines: dict[Any, Spline] = field(default_factory=dict, repr=False)

    @property
    def by_path(self) -> bool:
        """Whether there is one row per path."""
        return self.values.ndim == 2

    def part(self, which: Any) -> Table:
        """The table of some paths, or of one; the table itself if it is the same for all."""
        return Table(self.name, self.values[which]) if self.by_path else self

    def spline(self, nodes: Table, kind: str, ends: str) -> Spline:
        """The coefficients of the function with these values at the nodes; computed once."""
        key = (nodes, kind, ends)
        with _one_at_a_time:
            if key not in self._splines:
                self._splines[key] = spline(nodes, self, kind, ends)
            return self._splines[key]

    def __str__(self) -> str:
        return self.name or "an array"

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "values": self.values}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _splines={})


def of_paths(parameter: Any, which: Any) -> Any:
    """A parameter of a model, a number, an array ``(paths,)`` or a table, for some of the paths or for one."""
    if isinstance(parameter, Table):
        return parameter.part(which)
    return parameter[which] if np.ndim(parameter) else parameter


@final
@dataclass(frozen=True)
class Interpolant:
    """A function of one variable that is given by tables, or a derivative of it.

    Attributes
    ----------
    nodes, values : Table, or what stands for one
        Symbols of a derivation, scalars of a recorder.
    kind : {"linear", "cubic"}
    ends : {"not-a-knot", "natural", "clamped"}
        Of a cubic spline.
    order : int
        Which derivative.
    """

    nodes: Any
    values: Any
    kind: str
    ends: str
    order: int = 0

    def __str__(self) -> str:
        return f"a function given by the tables {self.nodes} and {self.values}"

    @property
    def slope(self) -> Interpolant:
        """The derivative; an error if that would be a derivative of a function with jumps."""
        if self.order == LAST_ORDER[self.kind]:
            hint = "Use kind='cubic'." if self.kind == "linear" else "Use a method that needs fewer derivatives."
            raise DefinitionError(
                f"the derivative of order {self.order} of the interpolant of {self.values} jumps at its nodes, and its own "
                "derivative is needed", hint=hint,
            )  # fmt: skip
        return replace(self, order=self.order + 1)

    @property
    def spline(self) -> Spline:
        """Its coefficients."""
        coefficients: Spline = self.values.spline(self.nodes, self.kind, self.ends)
        return coefficients

    def at(self, x: Any) -> Any:
        """Values at floats or arrays of paths; nan outside of the nodes, and at nan."""
        x = np.asarray(x, dtype=float)
        value, inside = self.spline.at(x, self.order)
        note_outside(~inside & (x == x))
        return np.where((x == x) if extended.get() else inside, value, np.nan)[()]

    def exactly(self, x: Any, *, extended: bool = False) -> Any:
        """The value at a fraction, or at another number that is compared with floats and multiplied by them.

        ``extended``: outside of the nodes, that of the last polynomial on this side, for identities that hold for any function.

        Raises
        ------
        ArithmeticError
            Outside of the nodes.
        """
        coefficients, start, _ = self.piece(x, extended=extended)
        number = Fraction if isinstance(x, Fraction) else float
        return polynomial([number(c) for c in coefficients], x - number(start), self.order, self.kind)

    def piece(self, x: Any, *, extended: bool = False) -> tuple[list[float], float, float]:
        """The coefficients on the interval of a number, and the nodes between which it lies.

        Raises
        ------
        ArithmeticError
            Outside of the nodes, and for tables that differ from path to path.
        """
        one = self.spline
        if one.nodes.ndim > 1 or one.coefficients.ndim > 2:
            raise ArithmeticError("tables that differ from path to path")
        nodes = one.nodes
        if not (extended or nodes[0] <= x <= nodes[-1]):
            raise ArithmeticError(f"{float(x):g} lies outside of the nodes")
        i = max(min(int(np.searchsorted(nodes, float(x), side="right")), len(nodes) - 1) - 1, 0)
        i += int(i + 2 < len(nodes) and x >= nodes[i + 1]) - int(i > 0 and x < nodes[i])  # as a float it was rounded
        return one.coefficients[i].tolist(), float(nodes[i]), float(nodes[i + 1])


@final
@dataclass(frozen=True, eq=False)
class Spline:
    """Polynomials Σ c_k (x − x_i)^k between the nodes.

    Attributes
    ----------
    nodes : array (n,) or (paths, n)
    coefficients : array (n − 1, 4) or (paths, n − 1, 4)
    kind : {"linear", "cubic"}
    """

    nodes: np.ndarray
    coefficients: np.ndarray
    kind: str

    def at(self, x: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
        """The polynomials next to x, or derivatives of them, and whether x lies between the nodes.

        The paths are the last axis of x, where nodes or values differ from path to path.
        """
        i = self._interval(x)
        if self.nodes.ndim == 1:
            first, last, start = self.nodes[0], self.nodes[-1], self.nodes[i]
        else:
            paths = np.arange(len(self.nodes))
            first, last, start = self.nodes[:, 0], self.nodes[:, -1], self.nodes[paths, i]
        if self.coefficients.ndim == 2:
            c = self.coefficients[i]
        else:
            c = self.coefficients[np.arange(len(self.coefficients)), i]
        inside = (x >= first) & (x <= last)
        with np.errstate(all="ignore"):  # far outside of the nodes
            value = polynomial([c[..., k] for k in range(4)], x - start, order, self.kind)
        return value, inside

    def _interval(self, x: np.ndarray) -> np.ndarray:
        n = self.nodes.shape[-1]
        if self.nodes.ndim == 1:
            return np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, n - 2)
        paths = np.arange(len(self.nodes))
        low = np.zeros(np.broadcast_shapes(x.shape, paths.shape), dtype=np.int64)
        high = np.full(low.shape, n - 1)
        for _ in range((n - 1).bit_length()):
            middle = (low + high) // 2
            right = self.nodes[paths, middle] <= x
            low, high = np.where(right, middle, low), np.where(right, high, middle)
        return np.minimum(low, n - 2)


def polynomial(c: Any, d: Any, order: int, kind: str) -> Any:
    """The derivative of some order of c_0 + c_1 d + c_2 d² + c_3 d³; kernels repeat these operations."""
    if kind == "linear":
        return c[0] + d * c[1] if order == 0 else c[1]
    if order == 0:
        return c[0] + d * (c[1] + d * (c[2] + d * c[3]))
    if order == 1:
        return c[1] + d * (2 * c[2] + d * (3 * c[3]))
    return 2 * c[2] + d * (6 * c[3]) if order == 2 else 6 * c[3]


def unknown(x: Any, nodes: Table, values: Table, kind: str, ends: str, order: int) -> Fraction:
    """A value of a function of which nothing is known: some fraction, the same for the same function and argument.

    For statements that hold for any function: they hold for these values, except by chance.
    """
    random = Random(f"{nodes.name} {values.name} {kind} {ends} {order} {x}")
    return Fraction(random.choice((-1, 1)) * random.randint(1, 2**20), 2**10 + 1)


def spline(nodes: Table, values: Table, kind: str, ends: str) -> Spline:
    """The coefficients of an interpolant.

    The slopes of a cubic spline at its nodes solve a tridiagonal system (de Boor, A Practical Guide to Splines, 1978, chapter
    IV), here by elimination in one order of operations, so that the bits do not depend on a library.

    Raises
    ------
    InputError
        For nodes that do not increase, fewer than two nodes, and tables of different lengths or numbers of paths.
    """
    names = [t.name or what for t, what in ((nodes, "nodes"), (values, "values"))]
    x, y = nodes.values, values.values
    if x.shape[-1] != y.shape[-1]:
        raise InputError(
            f"the interpolant of {names[1]}", expected=f"one value for each of the {x.shape[-1]} nodes of {names[0]}",
            got=f"{y.shape[-1]} values",
        )  # fmt: skip
    if x.shape[-1] < 2:
        raise InputError(f"the nodes {names[0]}", expected="at least two", got=str(x.shape[-1]))
    if nodes.by_path and values.by_path and len(x) != len(y):
        raise InputError(
            f"{names[0]} and {names[1]} per path", expected="one number of paths", got=f"{len(x)} and {len(y)}"
        )
    for table, what in ((x, names[0]), (y, names[1])):
        _require(np.isfinite(table), what, "finite numbers", table)
    _require(x[..., 1:] > x[..., :-1], f"the nodes {names[0]}", "numbers that increase", x, after=True)
    paths = nodes.by_path or values.by_path
    count = len(x) if nodes.by_path else len(y)
    columns = [np.broadcast_to(np.atleast_2d(a).T, (a.shape[-1], count)) if paths else a for a in (x, y)]
    with np.errstate(all="ignore"):
        coefficients = _coefficients(*columns, kind=kind, ends=ends)
        rate = x.shape[-1] / (x[..., -1] - x[..., 0])
    within = "values and distances of nodes within the range of floats"
    _require(np.isfinite(coefficients).all(axis=(0, 1)), f"the interpolant of {names[1]}", within, y)
    _require(np.isfinite(rate) & (rate > 0), f"the nodes {names[0]}", "nodes whose range is within that of floats", x)
    whole = np.moveaxis(coefficients, 0, -1)  # (n - 1, 4) or (n - 1, paths, 4)
    return Spline(x, np.ascontiguousarray(np.swapaxes(whole, 0, 1) if paths else whole), kind)


def _require(holds: np.ndarray, what: str, expected: str, table: np.ndarray, after: bool = False) -> None:
    """Raise an error that names the first entry where a condition does not hold."""
    if np.all(holds):
        return
    place = tuple(int(i) for i in np.argwhere(~holds)[0])
    of_path = f"path {place[0]}" if table.ndim == 2 and place else ""
    where = f"entry {place[-1]}" + (f" of {of_path}" if of_path else "") if len(place) == table.ndim else of_path
    got = ""
    if holds.shape == table.shape or after:
        pair = table[place[:-1]][place[-1] : place[-1] + 1 + after]
        got = " and then ".join(f"{v:.17g}" for v in pair)
    raise InputError(what, expected=expected, got=got, where=where)


def _coefficients(x: np.ndarray, y: np.ndarray, *, kind: str, ends: str) -> np.ndarray:
    """The coefficients of all intervals, ``(4, n − 1, …)``; the nodes are the first axis."""
    dx, dy = np.diff(x, axis=0), np.diff(y, axis=0)
    slope = dy / dx
    if kind == "linear":
        return np.stack([y[:-1], slope, np.zeros_like(slope), np.zeros_like(slope)])
    s = _slopes(dx, slope, ends)
    t = (s[:-1] + s[1:] - 2 * slope) / dx
    return np.stack([y[:-1], s[:-1], (slope - s[:-1]) / dx - t, t / dx])


def _slopes(dx: np.ndarray, slope: np.ndarray, ends: str) -> np.ndarray:
    """The slopes of a cubic spline at its nodes, from the lengths of the intervals and the slopes of chords."""
    n = len(dx) + 1
    if n == 2 and ends != "clamped":
        return np.stack([slope[0], slope[0]])
    if n == 3 and ends == "not-a-knot":  # a parabola
        middle = (dx[1] * slope[0] + dx[0] * slope[1]) / (dx[0] + dx[1])
        return np.stack([2 * slope[0] - middle, middle, 2 * slope[1] - middle])
    below, diagonal = [*dx[1:], _end(dx, slope, ends, -1)[1]], [*(2 * (dx[:-1] + dx[1:]))]
    right = [*(3 * (dx[1:] * slope[:-1] + dx[:-1] * slope[1:]))]
    first, last = _end(dx, slope, ends, 0), _end(dx, slope, ends, -1)
    diagonal, right = [first[0], *diagonal, last[0]], [first[2], *right, last[2]]
    above = [first[1], *dx[:-1]]
    if dx.ndim == 1:  # numbers of Python are three times as fast as those of NumPy
        below, diagonal, above, right = ([float(v) for v in row] for row in (below, diagonal, above, right))
    for i in range(1, n):
        factor = below[i - 1] / diagonal[i - 1]
        diagonal[i] = diagonal[i] - factor * above[i - 1]
        right[i] = right[i] - factor * right[i - 1]
    right[-1] = right[-1] / diagonal[-1]
    for i in range(n - 2, -1, -1):
        right[i] = (right[i] - above[i] * right[i + 1]) / diagonal[i]
    return np.array(right)


def _end(dx: np.ndarray, slope: np.ndarray, ends: str, at: int) -> tuple[Any, Any, Any]:
    """The condition at the first (0) or last (−1) node: diagonal entry, its neighbour, right-hand side."""
    h, c = dx[at], slope[at]
    if ends == "clamped":
        return 1.0 + 0 * h, 0 * h, 0 * h
    if ends == "natural":
        return 2.0 + 0 * h, 1.0 + 0 * h, 3 * c
    other, chord = (dx[1], slope[1]) if at == 0 else (dx[-2], slope[-2])
    both = h + other
    return other, both, ((h + 2 * both) * other * c + h * h * chord) / both

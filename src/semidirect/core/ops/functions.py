"""Functions of scalars, entry by entry, on symbols, numbers and batches."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import numpy as np

from semidirect.core import elementary
from semidirect.core.errors import InputError
from semidirect.core.interpolation import Interpolant
from semidirect.core.ops.arrays import array, dot


def elementwise(name: str | Interpolant, x: Any) -> Any:
    """An elementary function, given by its name or by tables, of a number of any kind or of each entry of an array."""
    if isinstance(x, (list, tuple)):
        x = array(x)
    if isinstance(x, np.ndarray) and x.dtype == object:
        out = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            out[index] = elementwise(name, x[index])
        return out
    if isinstance(x, Scalar):
        return x.elementary(name)
    if isinstance(name, Interpolant):
        return _interpolated(name, x)
    if isinstance(x, np.ndarray):
        return getattr(elementary, name)(x)
    sympy = sys.modules.get("sympy")
    if sympy is not None and isinstance(x, sympy.Basic):
        return getattr(sympy, "Abs" if name == "absolute" else name)(x)
    if isinstance(x, str) or not hasattr(x, "__float__"):
        raise InputError(f"ops.{name}", expected="a number, an expression or an array of them", got=repr(x))
    value = getattr(elementary, name)(np.asarray(x, dtype=float))
    return value[()] if isinstance(value, np.ndarray) else value


def _interpolated(function: Interpolant, x: Any) -> Any:
    """The value of an interpolant at a number, an array of numbers, or an expression."""
    if isinstance(function.nodes, Scalar):
        if not isinstance(x, np.ndarray):
            return function.nodes.interpolated(function, x)
        out = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            out[index] = function.nodes.interpolated(function, x[index])
        return out
    sympy = sys.modules.get("sympy")
    if sympy is not None and any(isinstance(part, sympy.Basic) for part in (x, function.nodes)):
        from semidirect.core.symbols.interpolated import interpolated

        return interpolated(function, x)
    if isinstance(x, str) or not (hasattr(x, "__float__") or isinstance(x, np.ndarray)):
        raise InputError("ops.interpolate", expected="a number, an expression or an array of them", got=repr(x))
    return function.at(x)


class Scalar:
    """Base of scalars that record the operations on them (tracers); they implement :meth:`elementary`, :meth:`select`,
    :meth:`fixed_point` and, where they stand for a table, :meth:`interpolated`.

    ``exact`` says whether products with fractions are exact; otherwise they are rounded like products of floats.
    """

    exact: ClassVar[bool] = False

    def elementary(self, name: str | Interpolant) -> Any:
        """The elementary function ``name`` of this scalar, or one that is given by tables."""
        raise TypeError(f"{type(self).__name__} does not know {name}")

    def interpolated(self, function: Interpolant, x: Any) -> Any:
        """The function whose nodes this scalar stands for, at a number or another scalar."""
        raise TypeError(f"{type(self).__name__} is not a table")

    def select(self, if_true: Any, if_false: Any) -> Any:
        """``if_true`` where this condition holds, else ``if_false``."""
        raise TypeError(f"{type(self).__name__} cannot select")

    def fixed_point(self, function: Any, start: Any, scale: Any, tolerance: float, iterations: int, after: int) -> Any:
        """As :func:`semidirect.core.solvers.fixed_point`, of which these are the arguments, for scalars of this kind."""
        raise TypeError(f"{type(self).__name__} cannot iterate")

    def of_edges(self, values: Any, count: int) -> Any:
        """So many sums over the edges of a site of a lattice, which read these values of scalars of this kind at both ends."""
        raise TypeError(f"{type(self).__name__} has no edges")


def sqrt(x: Any) -> Any:
    """Square root."""
    return elementwise("sqrt", x)


def sin(x: Any) -> Any:
    """Sine; numbers go through straight-line code, so the bits are those of any IEEE machine."""
    return elementwise("sin", x)


def cos(x: Any) -> Any:
    """Cosine; as :func:`sin`."""
    return elementwise("cos", x)


def tan(x: Any) -> Any:
    """Tangent."""
    return sin(x) / cos(x)


def exp(x: Any) -> Any:
    """Exponential; as :func:`sin`."""
    return elementwise("exp", x)


def log(x: Any) -> Any:
    """Natural logarithm; as :func:`sin`."""
    return elementwise("log", x)


def absolute(x: Any) -> Any:
    """Absolute value."""
    return elementwise("absolute", x)


def where(condition: Any, if_true: Any, if_false: Any) -> Any:
    """``if_true`` where the condition holds, else ``if_false``: the only branch that definitions may use."""
    sympy = sys.modules.get("sympy")
    if sympy is not None and isinstance(condition, sympy.Basic):
        return sympy.Piecewise((if_true, condition), (if_false, True))
    if isinstance(condition, Scalar):
        return condition.select(if_true, if_false)
    return np.where(condition, if_true, if_false)[()]


def maximum(a: Any, b: Any) -> Any:
    """The larger of two, entry by entry."""
    sympy = sys.modules.get("sympy")
    if sympy is not None and (isinstance(a, sympy.Basic) or isinstance(b, sympy.Basic)):
        return sympy.Max(a, b)
    return where(a > b, a, b)


def norm(v: Any) -> Any:
    """The Euclidean norm over the first axis."""
    return sqrt(dot(v, v))

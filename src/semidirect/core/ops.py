"""Array code that runs on symbols, on numbers and on batches of paths.

Arrays have their components first. A vector of one point has shape ``(n,)``, a matrix ``(n, m)``; a batch of paths adds
trailing axes, ``(n, paths)``. The entries may be floats, SymPy expressions, exact fractions or tracer scalars (dtype
``object``). Sums run in a fixed order and nothing calls BLAS, so a result never depends on the batch that it was computed in.

Users write Lagrangians, contact vectors and noise with these functions on one point, never on a batch.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from semidirect.core import elementary
from semidirect.core.arguments import validated_name
from semidirect.core.errors import DefinitionError, InputError, PerPathError
from semidirect.core.interpolation import ENDS, KINDS, LAST_ORDER, Interpolant, Table
from semidirect.core.locks import ForkSafeLock
from semidirect.core.parameters import numeric

__all__ = [
    "array", "stack", "matrix", "zeros", "identity", "dot", "cross", "outer", "transpose", "matvec", "matmul", "norm", "hat",
    "sqrt", "sin", "cos", "tan", "exp", "log", "absolute", "where", "maximum", "inertia", "interpolate",
]  # fmt: skip


MOST_TABLES = 16
"""Arrays that are known as tables at most."""
_tables: dict[int, tuple[np.ndarray, Table]] = {}
_of_arrays = ForkSafeLock()


def array(entries: Any) -> np.ndarray:
    """Stack entries, scalars or rows of paths, on a new first axis; nested sequences give matrices."""
    if isinstance(entries, np.ndarray):
        return entries
    if isinstance(entries, (list, tuple)):
        if entries and all(isinstance(row, (list, tuple)) for row in entries):
            return matrix(entries)
        return stack([array(e) if isinstance(e, (list, tuple)) else e for e in entries])
    return np.asarray(entries)


def stack(rows: Sequence[Any]) -> np.ndarray:
    """Stack scalars, rows or matrices of one shape on a new first axis, broadcasting constants over the batch."""
    arrays = [np.asarray(r) for r in rows]
    if not arrays:
        return np.zeros(0)
    types, shapes = {a.dtype for a in arrays}, {a.shape for a in arrays}
    if len(types) > 1 and any(kind.hasobject for kind in types):
        arrays = [a.astype(object) for a in arrays]
        types = {np.dtype(object)}
    # Nearly always there is one type and one shape, beside constants: NumPy's general functions would take most of the time.
    kind = types.pop() if len(types) == 1 else np.result_type(*types)
    shapes.discard(())
    shape = next(iter(shapes), ()) if len(shapes) <= 1 else np.broadcast_shapes(*shapes)
    out = np.empty((len(arrays), *shape), dtype=kind)
    objects = kind.hasobject
    for i, a in enumerate(arrays):
        out[i] = a.item() if objects and not a.ndim else a
    return out


def matrix(rows: Sequence[Sequence[Any]]) -> np.ndarray:
    """Rows of entries as a matrix ``(n, m, ...)``; each entry is broadcast over the batch, so a row may be all constants."""
    if any(isinstance(e, (list, tuple)) for row in rows for e in row):
        return stack([array(row) for row in rows])
    if len({len(row) for row in rows}) != 1:
        raise InputError("a matrix", expected="rows of one length", got=f"lengths {[len(row) for row in rows]}")
    flat = stack([entry for row in rows for entry in row])
    return flat.reshape(len(rows), len(rows[0]), *flat.shape[1:])


def zeros(*shape: int) -> np.ndarray:
    """Exact integer zeros, which vanish in symbolic work and broadcast in numerical work."""
    return np.zeros(shape, dtype=int)


def identity(n: int) -> np.ndarray:
    """The n × n identity, in exact integers."""
    return np.eye(n, dtype=int)


def dot(a: Any, b: Any) -> Any:
    """The sum a_1 b_1 + a_2 b_2 + … over the first axis, in that order.

    Raises
    ------
    InputError
        If one of them is not a vector, or their lengths differ.
    """
    a, b = array(a), array(b)
    if a.shape[:1] != b.shape[:1] or not a.shape[:1] or not len(a):
        raise InputError("a dot product", expected="two vectors of one length", got=_lengths(a, b))
    total = a[0] * b[0]
    for i in range(1, a.shape[0]):
        total = total + a[i] * b[i]
    return total


def cross(a: Any, b: Any) -> np.ndarray:
    """The vector product of R³ over the first axis; other vectors raise an InputError."""
    a, b = array(a), array(b)
    if a.shape[:1] != (3,) or b.shape[:1] != (3,):
        raise InputError("a cross product", expected="two vectors of three components", got=_lengths(a, b))
    return stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def hat(v: Any) -> np.ndarray:
    """The antisymmetric matrix of a vector of R³: ``hat(v) w = v × w``."""
    v = array(v)
    if v.shape[:1] != (3,):
        raise InputError("the hat of a vector", expected="three components", got=_lengths(v))
    o = 0 * v[0]
    return stack([stack([o, -v[2], v[1]]), stack([v[2], o, -v[0]]), stack([-v[1], v[0], o])])


def outer(a: Any, b: Any) -> np.ndarray:
    """The matrix a_i b_j."""
    a, b = array(a), array(b)
    if not a.shape[:1] or not b.shape[:1]:
        raise InputError("an outer product", expected="two vectors", got=_lengths(a, b))
    return stack([stack([a[i] * b[j] for j in range(b.shape[0])]) for i in range(a.shape[0])])


def transpose(matrix: Any) -> np.ndarray:
    """Exchange the first two axes."""
    return np.swapaxes(array(matrix), 0, 1)


def matvec(matrix: Any, vector: Any) -> np.ndarray:
    """The product Σ_j A_ij v_j over leading axes, batch axes broadcast."""
    matrix, vector = array(matrix), array(vector)
    if matrix.ndim < 2 or matrix.shape[1:2] != vector.shape[:1]:
        raise InputError(
            "a matrix times a vector", expected="as many columns as components", got=_lengths(matrix, vector)
        )
    if not len(vector):
        return zeros(len(matrix))
    return stack([dot(matrix[i], vector) for i in range(matrix.shape[0])])


def matmul(a: Any, b: Any) -> np.ndarray:
    """The product Σ_k A_ik B_kj over leading axes, batch axes broadcast."""
    a, b = array(a), array(b)
    if a.ndim < 2 or b.ndim < 2 or a.shape[1] != b.shape[0]:
        raise InputError("a product of matrices", expected="as many columns as rows", got=_lengths(a, b))
    if 0 in (*a.shape[:2], b.shape[1]):
        return zeros(len(a), b.shape[1])
    return stack([stack([dot(a[i], b[:, j]) for j in range(b.shape[1])]) for i in range(a.shape[0])])


def norm(v: Any) -> Any:
    """The Euclidean norm over the first axis."""
    return sqrt(dot(v, v))


def inertia(tensor: Any, v: Any) -> np.ndarray:
    """Apply an inertia given as principal moments ``(n,)`` or as a matrix ``(n, n)``, a choice of shape and not of value."""
    tensor, v = array(tensor), array(v)
    if tensor.shape[:1] != v.shape[:1] or not v.shape[:1]:
        raise InputError("an inertia times a vector", expected="as many moments as components", got=_lengths(tensor, v))
    return tensor * v if tensor.ndim == 1 else matvec(tensor, v)


def _lengths(*arrays: np.ndarray) -> str:
    """The shapes of the arguments; a text is shown itself, since unpacked blocks yield their names."""
    return " and ".join(
        f"shape {a.shape}" if a.ndim else repr(str(a)) if a.dtype.kind == "U" else "a number" for a in arrays
    )


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
        from semidirect.core.interpolated import interpolated

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
        """As :func:`semidirect.core.fixed_point.fixed_point`, of which these are the arguments, for scalars of this kind."""
        raise TypeError(f"{type(self).__name__} cannot iterate")


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


def interpolate(x: Any, nodes: Any, values: Any, kind: str = "cubic", ends: str = "not-a-knot", order: int = 0) -> Any:
    """The function of x that has given values at the nodes: ``ops.interpolate(x, self.stations, self.heights)``.

    Nodes and values are tables of the system, parameters declared by ``sd.table``; numbers also go with arrays. Equations treat
    it as one function, with its derivatives. Outside of the nodes it has no value: a path that gets there fails.

    Parameters
    ----------
    x : number, expression or array
        In the unit of the nodes.
    nodes, values : tables
        Of one length, at least 2; nodes increase.
    kind : {"cubic", "linear"}
        A cubic spline has two continuous derivatives, the third is constant between nodes. The derivative of a piecewise linear
        function is constant between nodes. Where the derivative of one that jumps is needed, a DefinitionError is raised.
    ends : {"not-a-knot", "natural", "clamped"}
        Of a cubic spline: one cubic on the first two and the last two intervals, second derivatives 0, or first derivatives 0.
    order : int
        The derivative of this order.

    Raises
    ------
    InputError
        For nodes that do not increase, fewer than two, other lengths, and an unknown kind.
    DefinitionError
        For an expression x and arrays that are not tables.
    """
    validated_name("kind of an interpolant", kind, KINDS)
    validated_name("ends of a cubic spline", ends, ENDS)
    if kind == "linear" and ends != ENDS[0]:
        raise InputError("ends of an interpolant", expected="kind='cubic'", got="kind='linear'")
    if order not in range(LAST_ORDER[kind] + 1):
        raise InputError(
            f"the derivative of a {kind} interpolant", expected=f"of an order up to {LAST_ORDER[kind]}", got=repr(order)
        )
    function = Interpolant(_table(nodes), _table(values), kind, ends, order)
    if isinstance(function.nodes, Table) != isinstance(function.values, Table):
        raise DefinitionError(
            "nodes and values of ops.interpolate", expected="two tables of the system, self.name, or two arrays",
            hint="Declare them in the class: name = sd.table([…]).",
        )  # fmt: skip
    return elementwise(function, x)


def _table(given: Any) -> Any:
    """The table that is given, or what stands for it."""
    sympy = sys.modules.get("sympy")
    if isinstance(given, (Table, Scalar)) or (sympy is not None and isinstance(given, sympy.Basic)):
        return given
    try:
        array = numeric(given)
    except PerPathError:  # the decision is made path by path
        raise
    except (TypeError, ValueError):
        array = np.zeros(())
    if array.ndim not in (1, 2) or not array.size:
        raise DefinitionError(
            "nodes or values of ops.interpolate", expected="a table of the system, self.name, or an array (n,)",
            got=f"an array of expressions {given.shape}" if isinstance(given, np.ndarray) else repr(given)[:200],
            hint="Declare it in the class: name = sd.table([…]).",
        )  # fmt: skip
    if not isinstance(given, np.ndarray) or given.flags.writeable or given.dtype != float:
        return Table("", array)
    with _of_arrays:  # values of a system, whose spline is computed once
        known = _tables.pop(id(given), None) or (given, Table("", given))
        _tables[id(given)] = known  # the last one used
        if len(_tables) > MOST_TABLES:
            del _tables[next(iter(_tables))]
    return known[1]

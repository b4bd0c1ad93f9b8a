"""Arrays of any entries, and their products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from semidirect.core.errors import InputError

_FLOAT, _SMALL = np.dtype(np.float64), 2**53


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
    if not len(rows):
        return np.zeros(0)
    like = rows[0] if type(rows[0]) is np.ndarray else next((r for r in rows if type(r) is not int), None)
    if type(like) is np.ndarray and like.dtype is _FLOAT and (alike := _alike(rows, like.shape)) is not None:
        return alike
    arrays = [np.asarray(r) for r in rows]
    types, shapes = {a.dtype for a in arrays}, {a.shape for a in arrays}
    if len(types) > 1 and any(kind.hasobject for kind in types):
        arrays = [a.astype(object) for a in arrays]
        types = {np.dtype(object)}
    kind = types.pop() if len(types) == 1 else np.result_type(*types)
    shapes.discard(())
    shape = next(iter(shapes), ()) if len(shapes) <= 1 else np.broadcast_shapes(*shapes)
    out = np.empty((len(arrays), *shape), dtype=kind)
    objects = kind.hasobject
    for i, a in enumerate(arrays):
        out[i] = a.item() if objects and not a.ndim else a
    return out


def _alike(rows: Sequence[Any], shape: tuple[int, ...]) -> np.ndarray | None:
    """Floats of one shape beside small integers, which is what numerical work stacks, in a third of the time; else ``None``."""
    out = np.empty((len(rows), *shape))
    for i, r in enumerate(rows):
        if type(r) is np.ndarray:
            if r.dtype is not _FLOAT or r.shape != shape:
                return None
        elif type(r) is not int or not -_SMALL < r < _SMALL:
            return None
        out[i] = r
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

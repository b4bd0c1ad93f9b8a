"""Tables in the memory of a kernel: one array for all interpolants, in which every lane knows where those of its path begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import interpolation

HEAD = 6
"""First and last node, buckets per unit, number of buckets, and where from here nodes and coefficients begin."""

Pair = tuple[int, int, str, str]
"""An interpolant of a kernel: which parameters of the model are its nodes and its values, its kind, and its ends."""


@final
@dataclass(frozen=True, eq=False)
class PackedTables:
    """The interpolants of a kernel for some paths.

    Attributes
    ----------
    numbers : array
        Those of all interpolants, path after path where they differ.
    places : array (interpolants, paths or 1)
        Where in ``numbers`` an interpolant begins.
    """

    numbers: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, parameters: Sequence[Any], pairs: Iterable[Pair]) -> PackedTables:
        """The interpolants of a kernel with the tables of a model."""
        parts: list[np.ndarray] = [np.zeros(0)]
        places, start = [], 0
        for nodes, values, kind, ends in pairs:
            spline = parameters[values].spline(parameters[nodes], kind, ends)
            flat_tables = [packed(one) for one in _by_path(spline)]
            sizes = np.array([len(one) for one in flat_tables])
            places.append(start + np.cumsum(sizes) - sizes)
            parts, start = [*parts, *flat_tables], start + int(sizes.sum())
        width = max((len(p) for p in places), default=1)
        where = np.array([np.broadcast_to(p, (width,)) for p in places], dtype=float).reshape(len(places), width)
        return cls(np.concatenate(parts), where)

    @staticmethod
    def halvings(parameters: Iterable[Any]) -> int:
        """How often the longest range of a bucket has to be halved, for each table that may be the nodes of an interpolant.

        It is rounded up to a power of two, so that few kernels are compiled.
        """
        longest = 1
        for table in parameters:
            if isinstance(table, interpolation.Table):
                rows = np.atleast_2d(table.values)
                if np.all(rows[:, 1:] > rows[:, :-1]):
                    with np.errstate(all="ignore"):  # a range beyond floats raises an error where the table is used
                        longest = max(longest, *(int(np.max(high - low)) for _, low, high in map(_buckets, rows)))
        count = (longest - 1).bit_length()
        return 1 << (count - 1).bit_length() if count > 1 else count


def _by_path(spline: interpolation.Spline) -> Iterable[interpolation.Spline]:
    paths = [len(a) for a, n in ((spline.nodes, 1), (spline.coefficients, 2)) if a.ndim > n]
    if not paths:
        return [spline]
    return [
        interpolation.Spline(
            spline.nodes[i] if spline.nodes.ndim > 1 else spline.nodes,
            spline.coefficients[i] if spline.coefficients.ndim > 2 else spline.coefficients,
            spline.kind,
        )
        for i in range(paths[0])
    ]


def packed(spline: interpolation.Spline) -> np.ndarray:
    """The numbers of one interpolant: a head, the nodes around each of equal buckets, all nodes, coefficients.

    The bucket of a number is a function that does not decrease, whatever its rounding; so the nodes of lower buckets lie below
    a number, and those of higher buckets above it.
    """
    x, count = spline.nodes, len(spline.nodes) - 1
    scale, low, high = _buckets(x)
    between = np.stack([low, high], axis=1).ravel()
    head = [x[0], x[-1], scale, count, HEAD + len(between), HEAD + len(between) + len(x)]
    return np.concatenate([head, between, x, spline.coefficients.ravel()])


def _buckets(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Buckets per unit, and for each bucket the first and the last node between which its points lie."""
    count = len(x) - 1
    scale = count / (x[-1] - x[0])
    of_nodes = np.minimum(np.floor((x - x[0]) * scale), count - 1)
    first = np.searchsorted(of_nodes, np.arange(count + 1), side="left")
    return scale, np.maximum(first[:-1] - 1, 0), np.minimum(first[1:], count)

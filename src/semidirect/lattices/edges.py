"""The edges of a lattice: a line, a ring, all pairs, or pairs that are given."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np

from semidirect.core import errors


def _line(count: int) -> np.ndarray:
    return np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)


def _ring(count: int) -> np.ndarray:
    """Each site and the next; two sites have one edge."""
    return _line(count) if count < 3 else np.concatenate([_line(count), [[count - 1, 0]]])


def _all(count: int) -> np.ndarray:
    return np.stack(np.triu_indices(count, 1), axis=1)


SHAPES: dict[str, Callable[[int], np.ndarray]] = {"line": _line, "ring": _ring, "all": _all}


def pairs(edges: Any, count: int, name: str) -> np.ndarray:
    """The edges of ``count`` sites as pairs ``(edges, 2)`` of numbers of sites, counted from 0.

    Raises
    ------
    DefinitionError
        For a name that there is not, a site that there is not, or an edge from a site to itself.
    """
    expected = f"{', '.join(map(repr, SHAPES))}, or pairs of sites, counted from 0, as an array (edges, 2)"
    if isinstance(edges, str):
        if edges not in SHAPES:
            raise errors.DefinitionError(f"{name}.edges", expected=expected, got=repr(edges))
        return SHAPES[edges](count)
    try:
        array = np.asarray(edges)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 2 or array.shape[1:] != (2,) or array.dtype.kind not in "iu":
        raise errors.DefinitionError(f"{name}.edges", expected=expected, got=reprlib.repr(edges))
    outside = np.flatnonzero(((array < 0) | (array >= count)).any(axis=1))
    if len(outside):
        raise errors.DefinitionError(
            f"{name}.edges", expected=f"sites 0 to {count - 1}", got=str(array[outside[0]].tolist()), where=f"edge {outside[0]}",
        )  # fmt: skip
    loops = np.flatnonzero(array[:, 0] == array[:, 1])
    if len(loops):
        raise errors.DefinitionError(
            f"{name}.edges", expected="edges between two sites", got=str(array[loops[0]].tolist()), where=f"edge {loops[0]}",
            hint="What a site does alone belongs to its own Lagrangian or Hamiltonian.",
        )  # fmt: skip
    return array.astype(np.intp)

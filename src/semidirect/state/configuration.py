"""A group element that gives the advected quantities of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors

if TYPE_CHECKING:
    from semidirect.groups import Advected, LieGroup
    from semidirect.state.orbit import Piece

TOLERANCE = 1e-9
"""Tolerance between advected quantities and those of a configuration, for values of size 1."""


def stacked(advected: Mapping[str, Advected], a: Mapping[str, Any]) -> np.ndarray:
    """The values of all that is advected below each other, ``(k, 1)``."""
    rows = [np.atleast_1d(np.asarray(a[name], dtype=float)) for name in advected]
    return np.concatenate(rows)[:, None] if rows else np.zeros((0, 1))


def refuse_off_orbit(group: LieGroup, advected: Mapping[str, Advected], a: np.ndarray, error: np.ndarray) -> None:
    """Raise an error for values ``(k, paths)`` that differ by these errors ``(paths,)`` from those of any configuration.

    Raises
    ------
    InputError
        For the first path whose error is not within the tolerance.
    """
    off = np.flatnonzero(~(error <= TOLERANCE * (1 + np.max(np.abs(a), axis=0, initial=0.0))))
    if not len(off):
        return
    path, rows, got = int(off[0]), iter(a[:, off[0]].tolist()), []
    for name, quantity in advected.items():
        got.append(f"{name} = {[next(rows) for _ in range(quantity.dimension)]}")
    raise errors.InputError(
        "the advected quantities of the state do not belong to any configuration",
        expected=f"values s⁻¹a₀ of one element s of {group!r}", got=", ".join(got),
        where=f"path {path}" if a.shape[1] > 1 else "",
        hint="A quantity with a unit reference, such as Γ, must have length 1.",
    )  # fmt: skip


def nearest_configurations(group: LieGroup, orbit: Sequence[Piece], a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The elements s ``(paths, N, N)`` whose s⁻¹a₀ are nearest to a ``(k, paths)``, and how far they are ``(paths,)``.

    Each independent piece of the group is found by itself: the identity if that will do; in closed form where vectors are
    turned by a rotation; else by a nonlinear least-squares search from several starts, of which the first that is exact is
    taken. All of it is deterministic.
    """
    paths = a.shape[1]
    s, squares = np.repeat(group.identity[None], paths, axis=0), np.zeros(paths)
    for piece in orbit:
        element, error = piece.nearest(a)
        squares = squares + error * error
        if element is not None:
            s = s @ element
    return s, np.sqrt(squares)


def distances_from_orbit(orbit: Sequence[Piece], a: np.ndarray) -> np.ndarray:
    """The distances ``(paths,)`` of values ``(k, paths)`` from those of any configuration, without a search for one.

    Pieces of the group for which the configuration has no closed form are judged by the linear and quadratic invariants of
    their representations, which the values must share with their references: enough for vectors, tensors under rotations up to
    their determinant, points and planes, and for nothing more exotic.
    """
    squares = np.zeros(a.shape[1])
    for piece in orbit:
        error = piece.distance(a)
        squares = squares + error * error
    return np.sqrt(squares)

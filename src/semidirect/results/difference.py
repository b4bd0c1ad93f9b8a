"""The differences between the outputs of two runs on the same paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from semidirect.core import errors
from semidirect.results.geodesic import geodesic_errors

if TYPE_CHECKING:
    from semidirect.groups import LieGroup

__all__ = ["Difference"]


@final
@dataclass(frozen=True)
class Difference:
    """One output of two runs.

    Attributes
    ----------
    unit : str
        Unit of the distances.
    size : float
        Root mean square of the output itself, or the largest geodesic distance (π for an angle); errors are compared with it.
    distances : array (paths, ...)
        Euclidean norms of the differences, or geodesic distances.
    change : array (paths, ..., d), or None
        The first minus the second; ``None`` for points of a group.
    """

    STATE: ClassVar[str] = "state"
    """The name of all state variables together, each in units of its size."""

    unit: str
    size: float
    distances: np.ndarray
    change: np.ndarray | None = None

    @classmethod
    def between(cls, first: np.ndarray, second: np.ndarray, vector: bool, unit: str = "") -> Difference:
        """The difference of one quantity, ``(paths, ...)``, with the components last if it is a vector."""
        change = np.asarray(first - second, dtype=float)
        change = change if vector else change[..., None]
        value = second if vector else second[..., None]
        size = float(np.sqrt(np.mean(np.sum(value * value, axis=-1)))) if value.size else 0.0
        return cls(unit, size, np.linalg.norm(change, axis=-1), change)

    @classmethod
    def by_name(cls, group: LieGroup, first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray], names: Sequence[str],
                units: Mapping[str, str], axes: int = 1) -> dict[str, Difference]:  # fmt: skip
        """The differences of quantities by name; ``configuration`` stands for the distances of s, factor by factor.

        Parameters
        ----------
        axes : int
            The number of axes before the components: 1 (paths), or 2 (paths, times).
        """
        differences: dict[str, Difference] = {}
        for name in names:
            if name == "configuration":
                for factor, distance in geodesic_errors(group, first, second).items():
                    size = np.pi if factor.unit == "rad" else _extent(second, factor.name, axes)
                    differences[factor.name] = cls(factor.unit, size, distance)
            elif name in first and name in second:
                differences[name] = cls.between(
                    first[name], second[name], np.ndim(first[name]) > axes, units.get(name, "")
                )
            else:
                raise errors.UnknownNameError("quantity of the run", name, first)
        return differences

    @classmethod
    def of_state(cls, parts: Mapping[str, Difference]) -> Difference:
        """All state variables together: √ of the mean over the variables of (|Δ|/size)², without a unit.

        A variable that is always 0 counts with size 1. There is no change if none of them lies in a vector space.
        """
        squares = [(d.distances / (d.size or 1.0)) ** 2 for d in parts.values()]
        changes = [d.change / (d.size or 1.0) for d in parts.values() if d.change is not None]
        scale = len(squares) ** -0.5
        change = scale * np.concatenate(changes, axis=-1) if changes else None
        return cls("", 1.0, scale * np.sqrt(np.sum(squares, axis=0)), change)


def _extent(values: Mapping[str, np.ndarray], factor: str, axes: int) -> float:
    """The root mean square of the stored coordinates that belong to a distance."""
    names = factor.partition("(")[2].rstrip(")").split(",")
    parts = [np.asarray(values[n], dtype=float) for n in names]
    rows = np.concatenate([p if p.ndim > axes else p[..., None] for p in parts], axis=-1)
    return float(np.sqrt(np.mean(np.sum(rows**2, axis=-1)))) if rows.size else 0.0

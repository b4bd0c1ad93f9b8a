"""Crossings that a run recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from semidirect.core import arguments, frozen
from semidirect.expressions import ReadByName
from semidirect.specification import conditions


@final
@dataclass(frozen=True, eq=False, repr=False)
class RecordedCrossings(ReadByName, frozen.Rebuilt, Mapping[str, np.ndarray]):
    """The crossings of one condition, path by path in order of time: name → array ``(paths, most)`` or ``(paths, most, d)``.

    Entries after the last crossing of a path are nan.

    Attributes
    ----------
    crossing : Crossing
        The condition.
    count : int array (paths,)
        How many crossings each path had; of more than ``crossing.most``, the first ones are recorded.
    times : array (paths, most)
        When they were [s].
    quantities : dict name → array (paths, most, …)
        Quantities at the crossings; in a run with derivatives also those of the times, ``"sensitivity.time"``, by K directions.
    """

    crossing: conditions.Crossing
    count: np.ndarray
    times: np.ndarray
    quantities: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, described: Any, arrays: Mapping[str, np.ndarray]) -> tuple[Self, ...]:
        """The recorded crossings of a run, from the descriptions of its crossings and the arrays of its paths."""
        recorded = []
        for i, crossing in enumerate(conditions.from_description(described)):
            assert isinstance(crossing, conditions.Crossing)
            own = f"{i}.value."
            values = {k.removeprefix(own): v for k, v in arrays.items() if k.startswith(own)}
            recorded.append(cls(crossing, arrays[f"{i}.count"], arrays[f"{i}.time"], values))
        return tuple(recorded)

    def __post_init__(self) -> None:
        for array in (self.count, self.times, *self.quantities.values()):
            array.setflags(write=False)
        object.__setattr__(self, "quantities", frozen.FrozenMapping(self.quantities))

    def __getitem__(self, name: str) -> np.ndarray:
        return self.quantities[arguments.validated_name("quantity recorded at the crossing", name, self.quantities)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.quantities

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def __len__(self) -> int:
        return len(self.quantities)

    def __repr__(self) -> str:
        return f"RecordedCrossings({self.crossing.label}; {self.count.sum()} on {len(self.count)} paths)"

    def points(self, name: str) -> np.ndarray:
        """The values of a quantity at all recorded crossings, path after path: ``(k,)`` or ``(k, d)``."""
        points: np.ndarray = self[name][~np.isnan(self.times)]
        return points

"""Several recordings of one system: data that a fit explains by the same parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, final

from semidirect.core import errors
from semidirect.inference.filter import filter
from semidirect.inference.filtered import Filtered
from semidirect.inference.observation import observations_of
from semidirect.inference.tables import read_table
from semidirect.specification import seeds

__all__ = ["Recordings"]


@final
@dataclass(frozen=True, eq=False)
class Recordings:
    """Data of one recording or several, each with its start and its inputs.

    Attributes
    ----------
    observation : Observation, or a list of them
    parts : list of (data, state, inputs)
    """

    observation: Any
    parts: Sequence[tuple[Any, Any, Any]]

    @classmethod
    def of(cls, observation: Any, data: Any, state: Any, inputs: Any) -> Self:
        """One recording, or a list of them, with one start for all or a list, and inputs alike.

        Raises
        ------
        InputError
            For lists of other lengths.
        """
        several = isinstance(observation, (list, tuple)) and len(observations_of(observation)) > 1
        many = isinstance(data, list) and len(data) > 1 and (not several or all(isinstance(one, list) for one in data))
        records = [_once(one) for one in data] if many else [_once(data)]
        states = list(state) if isinstance(state, (list, tuple)) else [state] * len(records)
        given = list(inputs) if isinstance(inputs, list) else [inputs] * len(records)
        for name, values in (("state", states), ("inputs", given)):
            if len(values) != len(records):
                raise errors.InputError(name, expected=f"one, or a list of {len(records)}, one for each recording",
                                        got=f"{len(values)}")  # fmt: skip
        return cls(observation, list(zip(records, states, given, strict=True)))

    @property
    def drawn(self) -> bool:
        """Whether a start is drawn."""
        return any(callable(state) for _, state, _ in self.parts)

    def filtered(self, system: Any, seed: int, **options: Any) -> tuple[Filtered, ...]:
        """The filter of each recording; those after the first have seeds of their own."""
        return tuple(
            filter(system, self.observation, data, state=state, inputs=inputs,
                   seed=seed if i == 0 else seeds.derived_seed(seed, i, 5), **options)
            for i, (data, state, inputs) in enumerate(self.parts)
        )  # fmt: skip

    def log_likelihood(self, system: Any, seed: int, **options: Any) -> float:
        """The sum of those of all recordings."""
        first, *others = [one.log_likelihood for one in self.filtered(system, seed, **options)]
        return first + sum(others) if others else first


def _once(data: Any) -> Any:
    """Data of a file are read once, not for each value of the parameters."""
    if isinstance(data, list):
        return [_once(one) for one in data]
    return read_table(Path(data)) if isinstance(data, (str, Path)) else data

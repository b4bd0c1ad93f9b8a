"""Several recordings of one system: data that a fit explains by the same parameters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.inference.filter import filter
from semidirect.inference.filtered import Filtered
from semidirect.inference.likelihoods import log_likelihoods
from semidirect.inference.observation import observations_of
from semidirect.inference.tables import read_table
from semidirect.specification import seeds

__all__ = ["Recordings"]

MOST_PASSES = 30
"""Filters that look for outliers: steps to the times that are left may be others."""


@final
@dataclass(frozen=True, eq=False)
class Recordings:
    """Data of one recording or several, each with its start and its inputs.

    Attributes
    ----------
    observation : Observation, or a list of them
    parts : list of (data, state, inputs)
    without : list of sequences of float
        Times [s] of each recording whose data are left out.
    """

    observation: Any
    parts: Sequence[tuple[Any, Any, Any]]
    without: Sequence[Sequence[float]] = ()

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
        several_inputs = list(inputs) if isinstance(inputs, list) else [inputs] * len(records)
        for name, values in (("state", states), ("inputs", several_inputs)):
            if len(values) != len(records):
                raise errors.InputError(name, expected=f"one, or a list of {len(records)}, one for each recording",
                                        got=f"{len(values)}")  # fmt: skip
        return cls(observation, list(zip(records, states, several_inputs, strict=True)))

    @property
    def drawn(self) -> bool:
        """Whether a start is drawn."""
        return any(callable(state) for _, state, _ in self.parts)

    def filtered(self, system: Any, seed: int, **options: Any) -> tuple[Filtered, ...]:
        """The filter of each recording; those after the first have seeds of their own."""
        return tuple(
            filter(system, self.observation, data, state=state, inputs=inputs,
                   seed=self._seed(seed, i), without=self.without[i] if self.without else (),
                   **options)
            for i, (data, state, inputs) in enumerate(self.parts)
        )  # fmt: skip

    def log_likelihoods(self, systems: Sequence[Any], seed: int, **options: Any) -> list[float] | None:
        """:meth:`log_likelihood` of several systems at once, −∞ where it raises an :class:`InputError`; ``None`` if one after the
        other takes no longer.
        """
        total: np.ndarray | None = None
        try:
            for i, (data, state, inputs) in enumerate(self.parts):
                values = log_likelihoods(systems, self.observation, data, state=state, inputs=inputs, seed=self._seed(seed, i),
                                        without=self.without[i] if self.without else (), **options)  # fmt: skip
                if values is None:
                    return None
                total = values if total is None else total + values
        except errors.InputError:  # of one of them
            if len(systems) == 1:
                return [-np.inf]
            half = len(systems) // 2
            parts = [self.log_likelihoods(part, seed, **options) for part in (systems[:half], systems[half:])]
            return None if None in parts else [x for part in parts for x in part or ()]
        return None if total is None else total.tolist()

    @staticmethod
    def _seed(seed: int, recording: int) -> int:
        return seeds.derived_seed(seed, recording, 5) if recording else seed

    def rejecting(self, system: Any, deviations: float | None, seed: int, **options: Any) -> Self:
        """The recordings without the times at which a filter of this system, which does not use them, finds a value further than
        so many standard deviations from its prediction.
        """
        if deviations is None:
            return self
        most, recordings = arguments.validated_positive("reject", deviations), self
        for _ in range(MOST_PASSES):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", errors.FilterWarning)
                filters = recordings.filtered(system, seed, reject=most, **options)
            far = [one.times[np.any(one.innovations.beyond(most), axis=1)].tolist() for one in filters]
            if not any(far):
                return recordings
            before = recordings.without or [[]] * len(far)
            recordings = replace(
                recordings, without=[sorted([*old, *new]) for old, new in zip(before, far, strict=True)]
            )
        raise errors.InputError("reject", expected=f"outliers that are found in {MOST_PASSES} filters", got="more of them",
                                hint="Begin with larger noise of the system, or check the model.")  # fmt: skip

    @property
    def rejected(self) -> int:
        """The number of times that are left out."""
        return sum(map(len, self.without))

    def log_likelihood(self, system: Any, seed: int, **options: Any) -> float:
        """The sum of those of all recordings."""
        first, *others = [one.log_likelihood for one in self.filtered(system, seed, **options)]
        return first + sum(others) if others else first


def _once(data: Any) -> Any:
    """Data of a file are read once, not for each value of the parameters."""
    if isinstance(data, list):
        return [_once(one) for one in data]
    return read_table(Path(data)) if isinstance(data, (str, Path)) else data

"""An observation of one system: expressions of its equations, their values for many states, and the likelihood of data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.compile.reader import OfRows
from semidirect.core import ops
from semidirect.core.component_names import component_names
from semidirect.core.errors import InputError, MethodError
from semidirect.ensemble.quantities import Quantities
from semidirect.inference.noise import MarkwiseNoise
from semidirect.inference.observed_values import ObservedValues
from semidirect.model.numerical_sde import numerical_sde

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition

__all__ = ["Sight"]


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """An observation of a system.

    Attributes
    ----------
    observation : ObservedValues
    key : str
        What the values are called among the expressions that are evaluated together.
    shape : (int, int)
        Numbers of marks and components.
    values, heights : tuple of rows or expressions
        The observed values, marks first, and the numbers that are positive if a mark can be seen; none if it always can.
    names : dict text → names of its components, or None
        Of an observation of names and expressions.
    """

    observation: ObservedValues
    key: str
    shape: tuple[int, int]
    values: tuple[Any, ...]
    heights: tuple[Any, ...]
    names: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def of(cls, observation: ObservedValues, system: SystemDefinition, key: str) -> Self:
        """The observation of a system.

        Raises
        ------
        InputError, UnknownNameError, DefinitionError
            For values that the system does not have, or noise of another shape.
        """
        what, names = observation.values, None
        if callable(what):
            shape, rows = _rows(what, system, f"the observation {observation.name!r}")
        else:
            texts = [what] if isinstance(what, str) else what
            model = numerical_sde(system)
            everything = Quantities.of(system, model, texts).everything
            if len(set(texts)) == len(texts):  # two instruments for one quantity have no names of their own
                names = {text: component_names(text, len(everything[text]), model.coordinates) for text in texts}
            rows = [row for text in texts for row in everything[text]]
            shape = (1, len(rows))
        heights: Sequence[Any] = ()
        if observation.seen is not None:
            _, heights = _rows(observation.seen, system, f"seen of {observation.name!r}")
            if len(heights) != shape[0]:
                raise InputError(f"seen of {observation.name!r}", expected=f"one number for each of {shape[0]} marks",
                                 got=f"{len(heights)}")  # fmt: skip
        observation.check_noise(*shape)
        return cls(observation, key, shape, tuple(rows), tuple(heights), names)

    @property
    def labels(self) -> list[Any]:
        """The labels of the components: their names, or numbers from 1."""
        if self.names is None:
            return list(range(1, self.shape[1] + 1))
        return [name for parts in self.names.values() for name in parts]

    def expressions(self) -> dict[str, Sequence[Any]]:
        """What to evaluate."""
        return {self.key: self.values, **({f"{self.key} seen": self.heights} if self.heights else {})}

    def seen_rows(self, data: np.ndarray) -> np.ndarray:
        """Which of the rows of :attr:`values` data ``(marks, components)`` are of."""
        return np.repeat(np.isfinite(data[:, 0]), self.shape[1])

    def predicted(self, found: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
        """Predicted values ``(paths, marks, components)``, and which marks can be seen ``(paths, marks)``, of evaluated
        expressions.
        """
        values = np.moveaxis(found[self.key].T.reshape(*self.shape, -1), -1, 0)
        return values, (found[f"{self.key} seen"] > 0 if self.heights else None)

    def seen_values(self, data: np.ndarray, found: Mapping[str, np.ndarray]) -> np.ndarray:
        """The predicted values ``(rows, paths)`` of the marks that were seen in data ``(marks, components)``, marks first."""
        rows = self.seen_rows(data)
        return found[self.key].T if rows.all() else found[self.key].T[rows]

    @cached_property
    def variances(self) -> np.ndarray:
        """The variances of the noise ``(marks, components)``; nan if they are not known."""
        try:
            return np.diagonal(self.observation.noise.covariance(*self.shape), axis1=1, axis2=2)
        except MethodError:
            return np.full(self.shape, np.nan)

    def likelihood(self, data: np.ndarray) -> OfRows | None:
        """The log-likelihood of data ``(marks, components)`` as a function of the rows of :meth:`expressions`; ``None`` if the
        noise is not evaluated mark by mark, or all marks are missing.
        """
        noise, here = self.observation.noise, np.isfinite(data[:, :1])
        if not isinstance(noise, MarkwiseNoise) or not here.any():
            return None
        of_marks = noise.numbers(*self.shape)
        numbers = np.hstack([np.where(here, data, 0.0), of_marks, here]).ravel().tolist()
        label = f"log-likelihood of {self.shape}, {type(noise).__name__}, {len(self.heights)}"
        function = partial(self._log_likelihood, noise)
        return OfRows(self._likelihood_key, label, function, tuple(self.expressions()), (*numbers, *self._of_loss))

    def log_presence(self, data: np.ndarray, found: Mapping[str, np.ndarray]) -> float:
        """The logarithm of the probability that these marks of data ``(marks, components)`` were seen and the others were not,
        for updates that do not use visibility: marks that were seen could be seen, and one that is missing is lost with the
        mean probability over states ``(paths, …)``. Without ``lost``, marks are missing only where they cannot be seen.
        """
        here, lost = np.isfinite(data[:, 0]), self.observation.lost
        if not (lost and here.any()):
            return 0.0
        visible = found[f"{self.key} seen"] > 0 if self.heights else np.ones((1, len(here)), dtype=bool)
        missing = np.mean(np.where(visible, lost, 1.0), axis=0)[~here]
        kept, _ = self._of_loss
        return float(kept * np.count_nonzero(here) + np.sum(np.log(missing)))

    @property
    def _likelihood_key(self) -> str:
        return f"{self.key} log-likelihood"

    @property
    def _of_loss(self) -> tuple[float, float]:
        """The logarithms of the probabilities that a mark which can be seen is kept and is lost."""
        lost = self.observation.lost
        return math.log1p(-lost), math.log(lost) if lost else -math.inf

    def _log_likelihood(self, noise: MarkwiseNoise, rows: Sequence[Any], numbers: Sequence[Any]) -> Any:
        marks, d = self.shape
        *of_marks, kept, lost = numbers
        k = len(of_marks) // marks
        densities, here = [], []
        for mark in range(marks):
            *law, seen = of_marks[mark * k : (mark + 1) * k]
            away = [row - at for row, at in zip(rows[mark * d : (mark + 1) * d], law, strict=False)]
            densities.append(noise.mark_log_density(away, law[d:]))
            here.append(seen)
        return self._of_all_marks(densities, rows[marks * d :], here, kept, lost)

    def _of_all_marks(
        self, densities: Sequence[Any], heights: Sequence[Any], here: Sequence[Any], kept: Any, lost: Any
    ) -> Any:
        """Each mark that was seen has its density, and excludes states in which it cannot be seen; each that was not is lost or
        cannot be seen.
        """
        total: Any = 0.0
        for mark, density in enumerate(densities):
            present, missing = density + kept, lost
            if self.heights:
                visible = heights[mark] > 0
                present, missing = ops.where(visible, present, -math.inf), ops.where(visible, lost, 0.0)
            total = total + ops.where(here[mark] > 0, present, missing)
        return ops.where(total < math.inf, total, -math.inf)  # nan is impossible, too

    def log_likelihood(self, data: np.ndarray, found: Mapping[str, np.ndarray]) -> np.ndarray:
        """The log-likelihood ``(paths,)`` of data ``(marks, components)``: −∞ where they are impossible."""
        if self._likelihood_key in found:
            return found[self._likelihood_key][:, 0]
        here, marks = np.isfinite(data[:, 0]), self.shape[0]
        if not here.any():
            return np.zeros(len(found[self.key]))
        seen = np.flatnonzero(here)
        those = self.seen_values(data, found).reshape(len(seen), self.shape[1], -1)
        densities = np.zeros((marks, those.shape[-1]))
        densities[seen] = self.observation.noise.log_density(data[here], np.moveaxis(those, -1, 0), seen).T
        heights = list(found[f"{self.key} seen"].T) if self.heights else []
        return np.asarray(self._of_all_marks(list(densities), heights, here, *self._of_loss))


def _rows(function: Any, system: SystemDefinition, what: str) -> tuple[tuple[int, int], list[Any]]:
    """The shape and the expressions of the values of a function of the state."""
    shapes: list[tuple[int, ...]] = []

    def flat(state: Any) -> Any:
        try:
            values = np.asarray(function(state), dtype=object)
        except ValueError:  # rows of different lengths
            values = np.zeros((0, 0, 0), dtype=object)
        shapes.append(values.shape)
        return values.ravel()

    if not _takes_state(function):
        raise InputError(what, expected="a function of one argument, the state", got=repr(function))
    rows = numerical_sde(system).structure.components(system, flat)
    shape = shapes[-1]
    if len(shape) > 2:
        raise InputError(what, expected="a number, a vector, or rows of one length", got=f"shape {shape}")
    return (1, len(rows)) if len(shape) < 2 else (shape[0], shape[1]), rows


def _takes_state(function: Any) -> bool:
    import inspect

    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # a builtin
        return True
    return True

"""An observation: values that depend on the state, seen with noise; in one system, the likelihood of data and synthetic data."""

from __future__ import annotations

import inspect
import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from semidirect.compile import row_functions
from semidirect.core import arguments, display, errors, explains_calls, ops
from semidirect.expressions import UnitLabel, component_names
from semidirect.inference.covariance_noise import CovarianceNoise, is_covariance
from semidirect.inference.difference import PLAIN, Difference, Periods, Subtracted
from semidirect.inference.noise import GaussianNoise, MarkwiseNoise, ObservationNoise, noise_of
from semidirect.inference.unit_of_data import (
    UnitOfData,
    periods_of,
    units_of_data,
    validated_unit,
    validated_wraps,
)
from semidirect.model import NumericalSDE
from semidirect.quantities import Quantities
from semidirect.results import ValuesAtEnd, a_run

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition
    from semidirect.results import RunData, RunLike

__all__ = ["Observation", "Sight", "observations_of"]


@explains_calls
@final
@dataclass(frozen=True, eq=False, repr=False)
class Observation(display.Brief):
    """Values that depend on the state, observed with noise: ``sd.Observation(["x", "y"], noise=0.01)``.

    The values have the shape ``(marks, components)``. A mark is seen or lost as a whole, such as a dot on a ball; a number or a
    vector is one mark. In data, nan in all components of a mark says that it was not seen.

    Attributes
    ----------
    values : str, sequence of str, or callable(state)
        The observed quantities: names or expressions, or a function of the state written with ``sd.ops``, as for
        :func:`~semidirect.observable`, that returns a number, a vector or rows of a matrix, one for each mark. It may depend on
        the configuration ``state.s``.
    noise : number, array, ObservationNoise or callable(data, predicted)
        Standard deviations of normal errors: one, ``(components,)`` or ``(marks, components)``; or another law; a function is a
        log-density, :class:`~semidirect.inference.GivenDensity`.
    covariance : array (components, components) or (marks, components, components)
        Instead of ``noise``: the covariance of normal errors of the components of a mark.
    seen : callable(state), optional
        For each mark a number that is positive if the mark can be seen, such as the height of a dot towards the camera. Data of a
        mark that cannot be seen are impossible, and nan of one that can be seen has the probability ``lost``.
    lost : float
        Probability that a mark is missing although it can be seen. If it is 0 and ``seen`` is not given, nan in data is an error.
        A time at which all marks are missing carries no information.
    name : str
        The name in messages and data.
    unit : str, dict or sequence of str; optional
        The unit of the data and of the noise, such as ``"mm"`` or ``"deg"``: one, one for each name, or by name. Default: those
        of the system. Data that say that they have another one raise an error.
    wraps : bool, name, sequence of names, or dict name → period; optional
        Which values are known up to multiples of a turn, such as the angle of a compass in (−π, π]; ``True``: all. A dict says
        the periods, in the unit of the data.
    compare : Difference
        How data differ from predicted values; :func:`~semidirect.inference.orientation` sets it.
    """

    values: str | Sequence[str] | Callable[[Any], Any]
    noise: ObservationNoise
    seen: Callable[[Any], Any] | None = None
    lost: float = 0.0
    name: str = "observation"
    plain: bool = field(default=False, repr=False)  # whether the noise was given by numbers
    unit: Any = None
    wraps: Any = False
    compare: Difference = PLAIN

    def __init__(self, values: str | Sequence[str] | Callable[[Any], Any], *, noise: Any = None,
                 seen: Callable[[Any], Any] | None = None, lost: float = 0.0, name: str = "observation", covariance: Any = None,
                 unit: str | Sequence[str] | Mapping[str, str] | None = None,
                 wraps: bool | str | Sequence[str] | Mapping[str, float] = False, compare: Difference = PLAIN
                 ):  # fmt: skip
        contents: Any = tuple(values) if isinstance(values, (list, tuple)) else values
        texts = [contents] if isinstance(contents, str) else contents
        if not (
            callable(contents)
            or (isinstance(texts, (list, tuple)) and texts and all(isinstance(x, str) for x in texts))
        ):
            raise errors.InputError("observed values", expected="names, expressions or a function of the state",
                                    got=reprlib.repr(values))  # fmt: skip
        if not (seen is None or callable(seen)):
            raise errors.InputError("seen", expected="a function of the state", got=reprlib.repr(seen))
        chance = arguments.validated_number("lost", lost, expected="a probability below 1")
        if not 0 <= chance < 1:
            raise errors.InputError("lost", expected="a probability below 1", got=f"{chance:g}")
        if not isinstance(name, str):
            raise errors.InputError("name of an observation", expected="text", got=reprlib.repr(name))
        if (noise is None) == (covariance is None):
            raise errors.InputError(
                "the noise of an observation",
                expected="noise=, standard deviations or a law, or covariance=",
                got="none" if noise is None else "both",
            )
        law = noise_of(noise) if covariance is None else CovarianceNoise(covariance)
        plain = not (noise is None or isinstance(noise, ObservationNoise) or callable(noise))
        if not isinstance(compare, Difference):
            raise errors.InputError("compare", expected="a Difference", got=reprlib.repr(compare))
        settings = {"values": contents, "noise": law, "seen": seen, "lost": chance, "name": name, "plain": plain,
                 "unit": validated_unit(unit), "wraps": validated_wraps(wraps), "compare": compare}  # fmt: skip
        for key, value in settings.items():
            object.__setattr__(self, key, value)

    def of(self, run: RunLike, *, seed: int = 0) -> xarray.DataArray:
        """Synthetic data: this observation of the paths of a run at its saved times, with noise.

        Parameters
        ----------
        run : Run
            A run that saved its state and the configuration.
        seed : int
            Seed of the noise; path p has noise of its own, whichever other paths there are.

        Returns
        -------
        xarray.DataArray
            Dims ``time``, ``mark``, ``component``, and before them ``path`` if the run has several paths; nan for marks that
            are not seen. Components of names have these as labels, by which a filter finds them. Values have the unit of the
            observation.
        """
        return _synthetic_data(self, run, arguments.validated_seed(seed))

    def check_noise(self, marks: int, components: int) -> None:
        """Raise an :class:`InputError` if the noise does not fit, or its numbers may be standard deviations or a covariance."""
        law = self.noise
        square = self.plain and isinstance(law, GaussianNoise) and law.scale.shape == (components,) * 2
        if not square or components == 1:
            law.check(marks, components)
            return
        both = marks == components
        if both and not is_covariance(law.scale):  # type: ignore[attr-defined]
            return
        hint = "Write covariance=… for the covariance of the components of a mark"
        hint += (
            ", or noise=sd.inference.GaussianNoise(…) for standard deviations of marks × components." if both else "."
        )
        got = f"shape {(components,) * 2}" + ", which may be standard deviations and a covariance" * both
        expected = f"standard deviations: one, ({components},) or ({marks}, {components})"
        raise errors.InputError(f"noise of the {self.name}", expected=expected, got=got, hint=hint)

    @property
    def may_miss(self) -> bool:
        """Whether marks may be missing in data."""
        return self.seen is not None or self.lost > 0


def observations_of(value: Any) -> tuple[Observation, ...]:
    """One observation or several."""
    several = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not several or not all(isinstance(one, Observation) for one in several):
        raise errors.InputError("observation", expected="an sd.Observation or a list of them", got=reprlib.repr(value))
    return several


@final
@dataclass(frozen=True, eq=False)
class Sight:
    """An observation of a system.

    Attributes
    ----------
    observation : Observation
    key : str
        The names of the values among the expressions that are evaluated together.
    shape : (int, int)
        Numbers of marks and components.
    values, heights : tuple of rows or expressions
        The observed values, marks first, and the numbers that are positive if a mark can be seen; none if it always can.
    names : dict text → names of its components, or None
        Of an observation of names and expressions.
    units : tuple of UnitOfData
        Those of the components of data.
    noise : ObservationNoise
        The law in the units of the system.
    difference : Difference
        How data differ from predicted values.
    circles : tuple of int
        Which components are angles of the configuration.
    """

    observation: Observation
    key: str
    shape: tuple[int, int]
    values: tuple[Any, ...]
    heights: tuple[Any, ...]
    names: Mapping[str, tuple[str, ...]] | None
    units: tuple[UnitOfData, ...]
    noise: ObservationNoise
    difference: Difference
    circles: tuple[int, ...] = ()

    @classmethod
    def of(cls, observation: Observation, system: SystemDefinition, key: str) -> Self:
        """The observation of a system.

        Raises
        ------
        InputError, UnknownNameError, DefinitionError
            For values that the system does not have, or noise of another shape.
        """
        what, names, unit_texts, compare = observation.values, None, [""], observation.compare
        compare.check(system, observation.name)
        if callable(what):
            shape, rows = _rows(what, system, f"the observation {observation.name!r}")
        else:
            texts = [what] if isinstance(what, str) else what
            model = NumericalSDE.of(system)
            contents = Quantities.of(system, model, texts)
            everything, labels = contents.everything, contents.units_with(texts)
            unit_texts = [UnitLabel(labels.get(text, "")).of_component(i, len(everything[text]))
                     for text in texts for i in range(len(everything[text]))]  # fmt: skip
            if len(set(texts)) == len(texts):  # two instruments for one quantity have no names of their own
                names = {
                    text: component_names.component_names(text, len(everything[text]), model.coordinates)
                    for text in texts
                }
            rows = [row for text in texts for row in everything[text]]
            shape = (1, len(rows))
        heights: Sequence[Any] = ()
        if observation.seen is not None:
            _, heights = _rows(observation.seen, system, f"seen of {observation.name!r}")
            if len(heights) != shape[0]:
                raise errors.InputError(f"seen of {observation.name!r}", expected=f"one number for each of {shape[0]} marks",
                                        got=f"{len(heights)}")  # fmt: skip
        if compare.names is not None:
            names = {"orientation": compare.names}
        size = compare.residual_count(shape[1])
        observation.check_noise(shape[0], size)
        unit_texts = unit_texts * size if len(unit_texts) == 1 else unit_texts
        units = units_of_data(
            observation.unit, names if isinstance(compare, Subtracted) else None, unit_texts, size, observation.name
        )
        noise, factors = observation.noise, np.array([one.factor for one in units])
        noise = noise if (factors == 1).all() else noise.scaled(factors)
        if observation.wraps:
            compare = Periods(periods_of(observation.wraps, names, units, observation.name))
        if not isinstance(compare, Subtracted) and not isinstance(noise, MarkwiseNoise):
            raise errors.MethodError(
                f"the {observation.name}: {type(noise).__name__} with wraps= or an orientation",
                expected="a law of the difference, such as normal errors",
                hint="Take the difference within the log-density, and leave wraps= out.",
            )
        return cls(observation, key, shape, tuple(rows), tuple(heights), names, units, noise, compare,
                   _circles(names, system))  # fmt: skip

    @property
    def subtracts(self) -> bool:
        """Whether data are subtracted from predicted values."""
        return isinstance(self.difference, Subtracted)

    @property
    def columns(self) -> int:
        """The number of values of a mark in data of a user."""
        return len(self.difference.names) if self.difference.names is not None else self.shape[1]

    @property
    def residuals(self) -> int:
        """The number of components of the difference of a mark."""
        return self.difference.residual_count(self.shape[1])

    @property
    def factors(self) -> np.ndarray:
        """The factors that convert data of a user ``(…, columns)`` to the units of the system."""
        return np.ones(self.columns) if self.difference.names is not None else np.array([u.factor for u in self.units])

    @property
    def labels(self) -> list[Any]:
        """The labels of the components: their names, or numbers from 1."""
        if self.names is None:
            return list(range(1, self.columns + 1))
        return [name for parts in self.names.values() for name in parts]

    def expressions(self) -> dict[str, Sequence[Any]]:
        """The expressions to evaluate."""
        return {self.key: self.values, **({f"{self.key} seen": self.heights} if self.heights else {})}

    def seen_rows(self, data: np.ndarray) -> np.ndarray:
        """Of which of the components of :attr:`residuals`, marks first, data ``(marks, components)`` are."""
        here = np.isfinite(data)
        return here.ravel() if self.residuals == self.shape[1] else np.repeat(here[:, 0], self.residuals)

    def seen_data(self, data: np.ndarray) -> np.ndarray:
        """The values with which :meth:`seen_values` are compared ``(rows,)``: data, or 0 where they are differences already."""
        rows = self.seen_rows(data)
        return data.ravel()[rows] if self.subtracts else np.zeros(np.count_nonzero(rows))

    def predicted(self, results: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray | None]:
        """Predicted values ``(paths, marks, components)``, and which marks can be seen ``(paths, marks)``, of evaluated
        expressions.
        """
        values = np.moveaxis(results[self.key].T.reshape(*self.shape, -1), -1, 0)
        return values, (results[f"{self.key} seen"] > 0 if self.heights else None)

    def seen_values(self, data: np.ndarray, results: Mapping[str, np.ndarray]) -> np.ndarray:
        """The predicted values ``(rows, paths)`` of what was seen in data ``(marks, components)``, marks first; or their
        differences from data, where they are not subtracted.
        """
        rows, values = self.seen_rows(data), results[self.key].T
        if not self.subtracts:
            values = self._differences(values, data)
        return values if rows.all() else values[rows]

    def _differences(self, values: np.ndarray, data: np.ndarray) -> np.ndarray:
        """The differences ``(marks·residuals, …)`` of predicted values ``(marks·components, …)``."""
        rows: list[Any] = []
        with np.errstate(all="ignore"):
            for mark, own in zip(data, values.reshape(*self.shape, *values.shape[1:]), strict=True):
                rows += self.difference.residuals(list(own), list(mark))
        return np.array([np.broadcast_to(row, values.shape[1:]) for row in rows], dtype=float)

    def linear(self, data: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The values ``(B, rows)`` of :meth:`seen_values` of B states and their derivatives ``(B, rows, d)``, from values of
        :attr:`values` and their derivatives.
        """
        rows = self.seen_rows(data)
        if self.subtracts:
            return values[:, rows], slopes[:, rows]
        each = [self._compared(data, *state) for state in zip(values, slopes, strict=True)]
        return np.array([one[0][rows] for one in each]), np.array([one[1][rows] for one in each])

    def _compared(self, data: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The differences of one state, and their derivatives."""
        whole = slopes.reshape(*self.shape, -1)
        parts = [self.difference.slopes(own, mark) @ slope if np.isfinite(mark).all() else self._unseen(slope, mark)
                 for own, mark, slope in zip(values.reshape(self.shape), data, whole, strict=True)]  # fmt: skip
        return self._differences(values, data), np.concatenate(parts)

    def _unseen(self, slope: np.ndarray, mark: np.ndarray) -> np.ndarray:
        """Derivatives of a mark of which components are missing: they do not depend on the data where those are subtracted."""
        return slope if self.residuals == self.shape[1] else np.zeros((self.residuals, slope.shape[1]))

    def covariances(self, data: np.ndarray) -> list[np.ndarray]:
        """The covariance of the errors of each observed mark, of its observed components."""
        here = self.seen_rows(data).reshape(self.shape[0], -1)
        matrices = self.noise.covariance(self.shape[0], self.residuals)
        return [
            c if there.all() else c[np.ix_(there, there)]
            for c, there in zip(matrices, here, strict=True)
            if there.any()
        ]

    @cached_property
    def variances(self) -> np.ndarray:
        """The variances of the noise ``(marks, components)``; nan if they are not known."""
        try:
            return np.diagonal(self.noise.covariance(self.shape[0], self.residuals), axis1=1, axis2=2)
        except errors.MethodError:
            return np.full((self.shape[0], self.residuals), np.nan)

    def likelihood(self, data: np.ndarray) -> row_functions.OfRows | None:
        """The log-likelihood of data ``(marks, components)`` as a function of the rows of :meth:`expressions`; ``None`` if the
        noise is not evaluated mark by mark, or all marks are missing.
        """
        noise, there = self.noise, np.isfinite(data)
        here = there.any(axis=1, keepdims=True)
        if not isinstance(noise, MarkwiseNoise) or not here.any():
            return None
        partly = (here & ~there).any()
        of_marks = noise.marginal_numbers(there | ~here) if partly else noise.numbers(self.shape[0], self.residuals)
        numbers = np.hstack([np.where(there, data, 0.0), of_marks, here]).ravel().tolist()
        label = f"log-likelihood of {self.shape}, {type(noise).__name__}, {len(self.heights)}"
        label += f", {self.difference.label}" if self.difference.label else ""
        function = partial(self._log_likelihood, noise)
        return row_functions.OfRows(
            self._likelihood_key, label, function, tuple(self.expressions()), (*numbers, *self._of_loss)
        )

    def log_presence(self, data: np.ndarray, results: Mapping[str, np.ndarray]) -> float:
        """The logarithm of the probability that these marks of data ``(marks, components)`` were seen and the others were not,
        for updates that do not use visibility: marks that were seen could be seen, and one that is missing is lost with the
        mean probability over states ``(paths, …)``. Without ``lost``, marks are missing only where they cannot be seen.
        """
        here, lost = np.isfinite(data).any(axis=1), self.observation.lost
        if not (lost and here.any()):
            return 0.0
        visible = results[f"{self.key} seen"] > 0 if self.heights else np.ones((1, len(here)), dtype=bool)
        missing = np.mean(np.where(visible, lost, 1.0), axis=0)[~here]
        log_not_lost, _ = self._of_loss
        return float(log_not_lost * np.count_nonzero(here) + np.sum(np.log(missing)))

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
        *of_marks, log_not_lost, lost = numbers
        k = len(of_marks) // marks
        densities, here = [], []
        for mark in range(marks):
            *law, present = of_marks[mark * k : (mark + 1) * k]
            away = self.difference.residuals(rows[mark * d : (mark + 1) * d], law[:d])
            densities.append(noise.mark_log_density(away, law[d:]))
            here.append(present)
        return self._of_all_marks(densities, rows[marks * d :], here, log_not_lost, lost)

    def _of_all_marks(
        self, densities: Sequence[Any], heights: Sequence[Any], here: Sequence[Any], log_not_lost: Any, lost: Any
    ) -> Any:
        """Each mark that was seen has its density, and excludes states in which it cannot be seen; each that was not is lost or
        cannot be seen.
        """
        total: Any = 0.0
        for mark, density in enumerate(densities):
            present, missing = density + log_not_lost, lost
            if self.heights:
                visible = heights[mark] > 0
                present, missing = ops.where(visible, present, -math.inf), ops.where(visible, lost, 0.0)
            total = total + ops.where(here[mark] > 0, present, missing)
        return ops.where(total < math.inf, total, -math.inf)  # nan is impossible, too

    def log_likelihood(self, data: np.ndarray, results: Mapping[str, np.ndarray]) -> np.ndarray:
        """The log-likelihood ``(paths,)`` of data ``(marks, components)``: −∞ where they are impossible."""
        if self._likelihood_key in results:
            return results[self._likelihood_key][:, 0]
        here, marks = np.isfinite(data).any(axis=1), self.shape[0]
        if not here.any():
            return np.zeros(len(results[self.key]))
        indices = np.flatnonzero(here)
        those = self.seen_values(data, results).reshape(len(indices), self.shape[1], -1)
        densities = np.zeros((marks, those.shape[-1]))
        densities[indices] = self.noise.log_density(data[here], np.moveaxis(those, -1, 0), indices).T
        heights = list(results[f"{self.key} seen"].T) if self.heights else []
        return np.asarray(self._of_all_marks(list(densities), heights, here, *self._of_loss))


def _circles(names: Mapping[str, Sequence[str]] | None, system: SystemDefinition) -> tuple[int, ...]:
    parts = [part for several in (names or {}).values() for part in several]
    return tuple(i for i, part in enumerate(parts) if part in system.group.circles)


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
        raise errors.InputError(what, expected="a function of one argument, the state", got=repr(function))
    rows = NumericalSDE.of(system).structure.components(system, flat)
    shape = shapes[-1]
    if len(shape) > 2:
        raise errors.InputError(what, expected="a number, a vector, or rows of one length", got=f"shape {shape}")
    return (1, len(rows)) if len(shape) < 2 else (shape[0], shape[1]), rows


def _takes_state(function: Any) -> bool:
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # a builtin
        return True
    return True


def _synthetic_data(observation: Observation, run: RunLike, seed: int) -> xarray.DataArray:
    """The data of :meth:`.Observation.of`."""
    import xarray

    run = a_run(run)
    system = run.one_system()
    model, sight = NumericalSDE.of(system), Sight.of(observation, system, "observed")
    y, stored = _states(run, model)
    data = np.empty((run.paths, len(run.times), *sight.shape))
    present = np.ones(data.shape[:3], dtype=bool)
    for i, t in enumerate(run.step_times.tolist()):
        results = ValuesAtEnd.of_states(model, {"y": y[:, i], "stored": stored[:, i]}, t, sight.expressions())
        data[:, i], visible = sight.predicted(results)
        present[:, i] = True if visible is None else visible
    numbers = range(run.paths) if run.numbers is None else run.numbers.tolist()
    for p, number in enumerate(numbers):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        data[p] = sight.difference.draw(sight.noise, rng, data[p])
        present[p] &= rng.random(present[p].shape) >= observation.lost
    data[~present] = np.nan
    data = sight.difference.written(data)
    data = data if (sight.factors == 1).all() else data / sight.factors
    marks, components = np.arange(1, sight.shape[0] + 1), np.array(sight.labels, dtype=object if sight.names else int)
    array = xarray.DataArray(
        data, dims=("path", "time", "mark", "component"), name=observation.name,
        coords={"path": numbers, "time": ("time", run.times, {"units": "s"}), "mark": marks, "component": components},
    )  # fmt: skip
    if observation.unit is not None and len({one.text for one in sight.units}) == 1:
        array.attrs["units"] = sight.units[0].text
    return array.isel(path=0, drop=True) if run.paths == 1 else array


def _states(run: RunData, model: NumericalSDE) -> tuple[np.ndarray, np.ndarray]:
    """State vectors ``(paths, T, d)`` and coordinates of s ``(paths, T, r)`` of a run."""
    layout = run.layout()
    coordinates: Mapping[str, np.ndarray] | None = None
    variables = [v.name for v in model.structure.shape.variables]
    if not model.coordinates:
        coordinates = {}
    if layout is not None:
        coordinates = layout.by_name(run.data)
    missing = [name for name in variables if name not in run]
    if missing or coordinates is None:
        raise errors.InputError("the run did not save what is observed", expected="its state and its configuration",
                                got=f"no {', '.join(missing) or 'configuration'}",
                                hint="Run it without names= in Save, and with the configuration reconstructed.")  # fmt: skip
    y = [run.data[name].reshape(run.paths, len(run.times), -1) for name in variables]
    y.append(np.empty((run.paths, len(run.times), 0)))  # a motion may have the configuration alone
    stored = [coordinates[name][..., None] for name in model.coordinates]
    return np.concatenate(y, axis=2), np.concatenate([y[-1], *stored], axis=2)

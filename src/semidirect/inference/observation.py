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
from semidirect.expressions import component_names
from semidirect.inference.covariance_noise import CovarianceNoise, is_covariance
from semidirect.inference.noise import GaussianNoise, MarkwiseNoise, ObservationNoise, noise_of
from semidirect.model import NumericalSDE, numerical_sde
from semidirect.quantities import Quantities
from semidirect.results import a_run, values_at_end

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
        What is observed: names or expressions, or a function of the state written with ``sd.ops``, as for
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
    """

    values: str | Sequence[str] | Callable[[Any], Any]
    noise: ObservationNoise
    seen: Callable[[Any], Any] | None = None
    lost: float = 0.0
    name: str = "observation"
    plain: bool = field(default=False, repr=False)  # whether the noise was given by numbers

    def __init__(self, values: str | Sequence[str] | Callable[[Any], Any], *, noise: Any = None,
                 seen: Callable[[Any], Any] | None = None, lost: float = 0.0, name: str = "observation", covariance: Any = None
                 ):  # fmt: skip
        listed: Any = tuple(values) if isinstance(values, (list, tuple)) else values
        texts = [listed] if isinstance(listed, str) else listed
        if not (
            callable(listed) or (isinstance(texts, (list, tuple)) and texts and all(isinstance(x, str) for x in texts))
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
        given = {"values": listed, "noise": law, "seen": seen, "lost": chance, "name": name, "plain": plain}
        for key, value in given.items():
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
            are not seen. Components of names have these as labels, by which a filter finds them.
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
        What the values are called among the expressions that are evaluated together.
    shape : (int, int)
        Numbers of marks and components.
    values, heights : tuple of rows or expressions
        The observed values, marks first, and the numbers that are positive if a mark can be seen; none if it always can.
    names : dict text → names of its components, or None
        Of an observation of names and expressions.
    """

    observation: Observation
    key: str
    shape: tuple[int, int]
    values: tuple[Any, ...]
    heights: tuple[Any, ...]
    names: Mapping[str, tuple[str, ...]] | None = None

    @classmethod
    def of(cls, observation: Observation, system: SystemDefinition, key: str) -> Self:
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
        except errors.MethodError:
            return np.full(self.shape, np.nan)

    def likelihood(self, data: np.ndarray) -> row_functions.OfRows | None:
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
        return row_functions.OfRows(
            self._likelihood_key, label, function, tuple(self.expressions()), (*numbers, *self._of_loss)
        )

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
        raise errors.InputError(what, expected="a function of one argument, the state", got=repr(function))
    rows = numerical_sde(system).structure.components(system, flat)
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
    system = run.known_system
    if system is None:
        raise errors.InputError(
            "a run without its system",
            hint="Import the class of a run that was loaded, or install its plugin, or simulate it again.",
        )
    model, sight = numerical_sde(system), Sight.of(observation, system, "observed")
    y, stored = _states(run, model)
    data = np.empty((run.paths, len(run.times), *sight.shape))
    seen = np.ones(data.shape[:3], dtype=bool)
    for i, t in enumerate(run.step_times.tolist()):
        found = values_at_end.values_of_states(model, {"y": y[:, i], "stored": stored[:, i]}, t, sight.expressions())
        data[:, i], visible = sight.predicted(found)
        seen[:, i] = True if visible is None else visible
    numbers = range(run.paths) if run.numbers is None else run.numbers.tolist()
    for p, number in enumerate(numbers):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        data[p] = observation.noise.draw(rng, data[p])
        seen[p] &= rng.random(seen[p].shape) >= observation.lost
    data[~seen] = np.nan
    marks, components = np.arange(1, sight.shape[0] + 1), np.array(sight.labels, dtype=object if sight.names else int)
    array = xarray.DataArray(
        data, dims=("path", "time", "mark", "component"), name=observation.name,
        coords={"path": numbers, "time": ("time", run.times, {"units": "s"}), "mark": marks, "component": components},
    )  # fmt: skip
    return array.isel(path=0, drop=True) if run.paths == 1 else array


def _states(run: RunData, model: NumericalSDE) -> tuple[np.ndarray, np.ndarray]:
    """State vectors ``(paths, T, d)`` and coordinates of s ``(paths, T, r)`` of a run."""
    layout, coordinates = run.layout(), None
    variables = [v.name for v in model.structure.shape.variables]
    if layout is not None:
        coordinates = layout.by_name(run.data)
    missing = [name for name in variables if name not in run]
    if missing or coordinates is None:
        raise errors.InputError("the run did not save what is observed", expected="its state and its configuration",
                                got=f"no {', '.join(missing) or 'configuration'}",
                                hint="Run it without names= in Save, and with the configuration reconstructed.")  # fmt: skip
    y = [run.data[name].reshape(run.paths, len(run.times), -1) for name in variables]
    y.append(np.empty((run.paths, len(run.times), 0)))  # a motion may have the configuration alone
    return np.concatenate(y, axis=2), np.stack([coordinates[name] for name in model.coordinates], axis=2)

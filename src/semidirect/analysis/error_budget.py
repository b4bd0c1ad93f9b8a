"""The contributions to the change of an observable: of the model along the noise, and of the method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import arguments, display, errors, interpolation
from semidirect.equations import derived_sde, quantity_expressions
from semidirect.model import NumericalSDE
from semidirect.random import drivers

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.results import RunData

__all__ = ["Entry", "ModelContribution", "drift_slope", "entry", "motions", "needed_quantities", "watched"]

STILL = 1e-10
"""The model conserves a quantity whose rates along the solution change it by less than this, relative to its size."""


@final
@dataclass(frozen=True, repr=False)
class ModelContribution(display.Brief):
    """How the model moves an observable along the fine solution, by the exact evolution dQ = Itô drift dt + Σ β_i dW^i.

    Attributes
    ----------
    unit : str
        Its unit.
    start : float
        Mean value at the start.
    size : float
        Root mean square along the solution.
    conserved : bool
        Whether drift and noise coefficients vanish along the solution.
    change : float
        Root mean square over the paths of Q(T) − Q(0).
    slope, slope_error : float
        Mean Itô drift over time and paths [unit/s], and its standard error: the change of the mean, without the martingale part.
    largest_noise : float
        Largest |DQ·g_i| along the solution [unit/√s].
    """

    unit: str
    start: float
    size: float
    conserved: bool
    change: float
    slope: float
    slope_error: float
    largest_noise: float


@final
@dataclass(frozen=True, repr=False)
class Entry(display.Brief):
    """The contribution of a method to an observable at a step: the difference from the fine solution; for a quantity that
    the model conserves, the whole change.

    Attributes
    ----------
    change : float
        Root mean square over the paths at the end.
    largest : float
        Over all paths and times.
    mean, mean_error : float
        Mean at the end, and its standard error.
    slope, slope_error : float
        Of the mean in time, by least squares path by path [unit/s], and its standard error.
    series : array (T,)
        Root mean square over the paths at each time.
    """

    change: float
    largest: float
    mean: float
    mean_error: float
    slope: float
    slope_error: float
    series: np.ndarray

    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in vars(self).items()}


def watched(system: SystemDefinition, requested: Sequence[str] | None) -> list[str]:
    """The scalar observables of a system, or the requested ones.

    Raises
    ------
    UnknownNameError, InputError
        For a name that is none, or is a vector.
    """
    sde, observables = derived_sde(system, variables="velocity"), system.observables()
    sizes = {name: len(quantity_expressions.component_expressions(system, o, sde)) for name, o in observables.items()}
    for name in () if requested is None else arguments.validated_names("observables", requested):
        arguments.validated_name("observable", name, sizes)
        if sizes[name] != 1:
            raise errors.InputError(f"the observable {name!r}", expected="a number", got=f"{sizes[name]} components")
    return [name for name, n in sizes.items() if n == 1 and (not requested or name in requested)]


def needed_quantities(system: SystemDefinition) -> list[str]:
    """The quantities that a run must save for :func:`motions`."""
    from semidirect.expressions import component_names

    sde = derived_sde(system, variables="velocity")
    coordinates = tuple(sde.coordinates) if system._has_configuration else ()
    return [*(v.name for v in sde.variables), *component_names.grouped(coordinates)]


def motions(
    system: SystemDefinition, run: RunData, good: np.ndarray, names: Sequence[str], driver: Any = None
) -> dict[str, ModelContribution]:
    """The contributions of the model along the paths of a run, which saves :func:`needed_quantities` and the observables.

    Parameters
    ----------
    driver : optional
        The driver of the run, as in :meth:`~semidirect.System.simulate`; if it is not random, the slope is that of the path, and
        without noise (0) nothing else moves it.
    """
    sde = derived_sde(system, variables="velocity")
    expressions = {n: quantity_expressions.component_expressions(system, system.observables()[n], sde) for n in names}
    s = sde.setting
    inputs = (*sde.state, *sde.coordinates.values(), s.t, *sde.definition.parameters, s.dt, *s.dW)
    function = sde.evolution(expressions).function(inputs)
    parameters = [interpolation.of_paths(p, good) for p in NumericalSDE.of(system, variables="velocity").parameters]
    zero, rows = [0.0] * sde.wieners, [x.T for x in _rows(system, run, good)]
    with np.errstate(all="ignore"):
        coefficients = function(*rows, run.step_times[:, None], *parameters, 0.0, *zero)
    rates = {
        n: {c: [np.broadcast_to(x, rows[0].shape).T for x in part] for c, part in columns.items()}
        for n, columns in coefficients.items()
    }
    drive = drivers.driver_of(driver)
    wieners = sde.wieners if drive.moves else 0
    return {n: _motion(run, good, n, rates[n], wieners, noisy=drive.random) for n in names}


def _rows(system: SystemDefinition, run: RunData, good: np.ndarray) -> list[np.ndarray]:
    """The components of the state and of s, each (paths, T), in the order of the equations."""
    from semidirect.expressions import component_names

    sde = derived_sde(system, variables="velocity")
    rows: list[np.ndarray] = []
    for v in sde.variables:
        values = run[v.name][good]
        rows += [values] if values.ndim == 2 else list(np.moveaxis(values, -1, 0))
    names = tuple(sde.coordinates)
    if not system._has_configuration:  # nothing reads them
        return [*rows, *(np.zeros_like(rows[0]) for _ in names)]
    placed: dict[int, np.ndarray] = {}
    for name, where in component_names.grouped(names).items():
        values = run[name][good]
        for k, i in enumerate(where):
            placed[i] = values if len(where) == 1 else values[..., k]
    return [*rows, *(placed[i] for i in range(len(names)))]


def _motion(
    run: RunData, good: np.ndarray, name: str, rates: Mapping[str, Sequence[Any]], wieners: int, *, noisy: bool
) -> ModelContribution:
    values = run[name][good]
    shape, span = values.shape, float(run.times[-1] - run.times[0])
    ito, drift = (np.broadcast_to(rates[column][0], shape) for column in ("ito", "drift"))
    noises = [np.broadcast_to(rates[f"noise{i + 1}"][0], shape) for i in range(wieners)]
    size = float(np.sqrt(np.mean(values**2)))
    largest = max((float(np.max(np.abs(b))) for b in noises), default=0.0)
    extent = max(float(np.max(np.abs(drift))) * span, largest * np.sqrt(span))
    change = values[:, -1] - values[:, 0]
    means = np.trapezoid(ito, run.times, axis=1) / span if noisy else change / span
    return ModelContribution(run.units.get(name, ""), float(np.mean(values[:, 0])), size, bool(extent <= STILL * (size or 1.0)),
                  float(np.sqrt(np.mean(change**2))), float(np.mean(means)), _error(means), largest)  # fmt: skip


def entry(run: RunData, fine: RunData, good: np.ndarray, name: str, motion: ModelContribution) -> Entry:
    """The contribution of the method of a run to an observable, compared with the fine solution at the same times."""
    values = run[name][good]
    added = values - (values[:, :1] if motion.conserved else fine[name][good])
    slope, slope_error = drift_slope(run.times, added)
    ends = added[:, -1]
    return Entry(
        float(np.sqrt(np.mean(ends**2))), float(np.max(np.abs(added))), float(np.mean(ends)), _error(ends), slope,
        slope_error, np.sqrt(np.mean(added**2, axis=0)),
    )  # fmt: skip


def drift_slope(times: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """The slope in time of (paths, T) by least squares, path by path: its mean, and the standard error of that."""
    x = times - np.mean(times)
    slopes = (values - np.mean(values, axis=1, keepdims=True)) @ x / np.sum(x * x)
    return float(np.mean(slopes)), _error(slopes)


def _error(values: np.ndarray) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

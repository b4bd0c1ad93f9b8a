"""Synthetic data: an observation of the paths of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.core.errors import InputError
from semidirect.ensemble.run import RunData, RunLike, a_run
from semidirect.ensemble.values_at_end import values_of_states
from semidirect.inference.observed_values import ObservedValues
from semidirect.inference.sight import Sight
from semidirect.model.numerical_sde import NumericalSDE, numerical_sde

if TYPE_CHECKING:
    import xarray

__all__ = ["synthetic_data"]


def synthetic_data(observation: ObservedValues, run: RunLike, seed: int) -> xarray.DataArray:
    """The data of :meth:`.Observation.of`."""
    import xarray

    run = a_run(run)
    system = run.known_system
    if system is None:
        raise InputError(
            "a run without its system",
            hint="Import the class of a run that was loaded, or install its plugin, or simulate it again.",
        )
    model, sight = numerical_sde(system), Sight.of(observation, system, "observed")
    y, stored = _states(run, model)
    data = np.empty((run.paths, len(run.times), *sight.shape))
    seen = np.ones(data.shape[:3], dtype=bool)
    for i, t in enumerate(run.step_times.tolist()):
        found = values_of_states(model, {"y": y[:, i], "stored": stored[:, i]}, t, sight.expressions())
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
        raise InputError("the run did not save what is observed", expected="its state and its configuration",
                         got=f"no {', '.join(missing) or 'configuration'}",
                         hint="Run it without names= in Save, and with the configuration reconstructed.")  # fmt: skip
    y = [run.data[name].reshape(run.paths, len(run.times), -1) for name in variables]
    y.append(np.empty((run.paths, len(run.times), 0)))  # a motion may have the configuration alone
    return np.concatenate(y, axis=2), np.stack([coordinates[name] for name in model.coordinates], axis=2)

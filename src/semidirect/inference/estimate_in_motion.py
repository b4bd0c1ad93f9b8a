"""The page of the result of a filter: the body at its mean, the band of configurations about it, and the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.core import arguments, errors
from semidirect.definition import SystemDefinition, a_system
from semidirect.results import RunLike, a_run
from semidirect.view import View

if TYPE_CHECKING:
    import xarray


def estimate_in_motion(
    data: xarray.Dataset, truth: RunLike | None, system: SystemDefinition | None, frames: int
) -> View:
    """See :meth:`.Filtered.view`."""
    run = None if truth is None else a_run(truth)
    definition = a_system(system) if system is not None else None if run is None else run.known_system
    if definition is None:
        raise errors.InputError(
            "the view of a filter", expected="truth=, a run, or system=, the system that was filtered", got="neither"
        )
    if "element_mean" not in data or "element_covariance" not in data:
        raise errors.InputError(
            "the view of a filter", expected="configurations in its data", got=f"only {', '.join(map(str, data))}",
            hint="Filter with a formulation that reconstructs the configuration.",
        )  # fmt: skip
    mean, covariance = data["element_mean"].values, data["element_covariance"].values
    if mean.shape[1:] != (definition.group.size,) * 2:
        raise errors.InputError(
            "system of the view", expected=f"a group of matrices of size {mean.shape[1]}", got=definition.group.name
        )
    quantities = {}
    for key in map(str, data):
        name = key.removesuffix("_mean")
        if name != key and not key.startswith("smoothed_") and f"{name}_sd" in data and data[key].ndim == 1:
            quantities[name] = np.asarray(data[key].values), np.asarray(data[f"{name}_sd"].values)
    most = arguments.validated_whole("frames", frames, least=2)
    return View.of_estimate(definition, data["time"].values, mean, covariance, quantities, run, most)

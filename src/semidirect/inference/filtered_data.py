"""The data set of the result of a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from semidirect.inference.cloud import GENERATIONS
from semidirect.inference.innovation import Innovation, innovation_labels
from semidirect.inference.named_arrays import named_arrays
from semidirect.inference.observation import Sight
from semidirect.inference.update_report import UpdateReport

if TYPE_CHECKING:
    import xarray

__all__ = ["filtered_data"]


def filtered_data(times: np.ndarray, arrays: Mapping[str, np.ndarray], reports: Sequence[UpdateReport],
                  surprises: Sequence[float], roots: Sequence[int], levels: np.ndarray, collapsed: Sequence[float],
                  sights: Sequence[Sight], innovations: Sequence[Innovation]) -> xarray.Dataset:  # fmt: skip
    """Arrays by name, and what updates report, at each time of data; ``roots`` counts the ancestors of all particles."""
    import xarray

    variables = named_arrays(arrays)
    entries = {
        "log_likelihood": "logarithm of the density of the data given those before",
        "effective_size": "effective number of particles that the data left",
        "nonlinearity": "share of what the update leaves of a state that a quadratic function of the data explains",
        "stages": "stages of tempering", "acceptance": "share of the moves that were accepted",
    }  # fmt: skip
    for name, words in entries.items():
        variables[name] = (("time",), np.array([getattr(r, name) for r in reports]), {"long_name": words})
    words = "largest distance of data from their prediction, in standard deviations"
    variables["surprise"] = (("time",), np.array(surprises), {"long_name": words})
    words = f"particles of {GENERATIONS} times before from which all descend"
    variables["ancestors"] = (("time",), np.array(roots), {"long_name": words})
    variables["collapsed"] = (("time",), np.isin(times, collapsed))
    words = "data, in the units of the system"
    variables["observed_data"] = (
        ("time", "observed"),
        np.array([one.data for one in innovations]),
        {"long_name": words},
    )
    words = "data less their prediction by the data before"
    variables["innovation"] = (
        ("time", "observed"),
        np.array([one.values for one in innovations]),
        {"long_name": words},
    )
    matrices = np.array([one.covariance for one in innovations])
    variables["innovation_covariance"] = (("time", "observed", "other_observed"), matrices)
    coords = {"time": (("time",), times, {"units": "s"}), "quantile": (("quantile",), levels),
              "observed": innovation_labels(sights)}  # fmt: skip
    return xarray.Dataset(variables, coords=coords)

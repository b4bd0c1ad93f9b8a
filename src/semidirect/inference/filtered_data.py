"""The data set of the result of a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.inference.cloud import GENERATIONS
from semidirect.inference.update_report import UpdateReport
from semidirect.results import data_set

if TYPE_CHECKING:
    import xarray

__all__ = ["filtered_data"]


def filtered_data(times: np.ndarray, arrays: Mapping[str, np.ndarray], reports: Sequence[UpdateReport],
                  surprises: Sequence[float], roots: Sequence[int], levels: np.ndarray, collapsed: Sequence[float]
                  ) -> xarray.Dataset:  # fmt: skip
    """Arrays by name, and what updates report, at each time of data; ``roots`` counts the ancestors of all particles."""
    import xarray

    variables: dict[str, Any] = {}
    for name, values in arrays.items():
        if name.endswith("element_mean"):
            axes: tuple[str, ...] = ("time", "row", "column")
        elif name.endswith("element_covariance"):
            axes = ("time", "direction", "other_direction")
        else:
            values = values[..., 0] if values.shape[-1] == 1 else values
            level = ("quantile",) if name.endswith("_quantile") else ()
            axes = ("time", *level, *data_set.dims(values.shape[1 + len(level) :]))
        variables[name] = (axes, values)
    known = {
        "log_likelihood": "logarithm of the density of the data given those before",
        "effective_size": "effective number of particles that the data left",
        "nonlinearity": "share of what the update leaves of a state that a quadratic function of the data explains",
        "stages": "stages of tempering", "acceptance": "share of the moves that were accepted",
    }  # fmt: skip
    for name, words in known.items():
        variables[name] = (("time",), np.array([getattr(r, name) for r in reports]), {"long_name": words})
    words = "largest distance of data from their prediction, in standard deviations"
    variables["surprise"] = (("time",), np.array(surprises), {"long_name": words})
    words = f"particles of {GENERATIONS} times before from which all descend"
    variables["ancestors"] = (("time",), np.array(roots), {"long_name": words})
    variables["collapsed"] = (("time",), np.isin(times, collapsed))
    coords = {"time": (("time",), times, {"units": "s"}), "quantile": (("quantile",), levels)}
    return xarray.Dataset(variables, coords=coords)

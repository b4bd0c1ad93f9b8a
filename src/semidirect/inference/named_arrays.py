"""Arrays of a filter with the names of their dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from semidirect.results import data_set

__all__ = ["named_arrays"]


def named_arrays(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Arrays ``(time, …)`` of means, quantiles and configurations with the names of their dimensions."""
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
    return variables

"""The data set of predictions."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors
from semidirect.inference.named_arrays import named_arrays
from semidirect.inference.stamps import Origin

if TYPE_CHECKING:
    import xarray

__all__ = ["predicted_data"]


def predicted_data(times: Any, quantities: Sequence[str] | None, last: float, origin: Origin, ahead: Callable[..., Any],
                   levels: np.ndarray) -> xarray.Dataset:  # fmt: skip
    """Predictions of ``ahead`` at times from the last data on.

    Raises
    ------
    InputError, UnknownNameError
        For other times, and for quantities that do not exist.
    """
    import xarray

    alone = isinstance(times, (str, int, float, np.number, np.datetime64, datetime.date))
    seconds = [origin.since(t) for t in ([times] if alone else list(times))]
    gaps = np.diff([last, *seconds])
    if not seconds or not np.isfinite(seconds).all() or gaps[0] < 0 or (gaps[1:] <= 0).any():
        raise errors.InputError("times of predictions", expected=f"ascending times from the last data on, t = {last:g} s",
                                got=", ".join(f"{t:g}" for t in seconds[:5]))  # fmt: skip
    arrays = ahead(seconds, quantities)
    coords = {
        "time": (("time",), np.array(seconds), {"units": "s", **origin.attributes()}),
        "quantile": (("quantile",), levels),
    }
    return xarray.Dataset(named_arrays(arrays), coords=coords)

"""Results of filters and fits in files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.core import errors

if TYPE_CHECKING:
    import xarray

__all__ = ["FILTER", "FIT", "recording", "result_of_filter", "save_result", "with_attributes", "with_recordings"]

FILTER, FIT = "semidirect_filter", "semidirect_fit"
"""Kinds of results."""

OF_RESULT = ("kind", "collapses", "log_likelihood_error")
"""Attributes of the data set of a filter."""


def save_result(data: xarray.Dataset, path: Path) -> None:
    """Write the data set of a result as netCDF 3."""
    if path.suffix.lower() != ".nc":
        raise errors.InputError("the file of a result", expected="a name that ends in .nc", got=str(path))
    try:
        data.to_netcdf(path, engine="scipy")
    except OSError as error:
        raise errors.InputError(
            f"cannot write {path}: {error.strerror or error}", hint="Choose a place you may write to."
        ) from error


def with_attributes(result: Any) -> xarray.Dataset:
    """The data set of a filter, from which :func:`result_of_filter` makes the result."""
    collapses = json.dumps([list(one) for one in result.collapses])
    more = {"kind": FILTER, "collapses": collapses, "log_likelihood_error": float(result.log_likelihood_error)}
    return result.data.assign_attrs(more)


def result_of_filter(data: xarray.Dataset) -> dict[str, Any]:
    """The arguments of the result of a filter."""
    collapses = tuple((float(t), str(why)) for t, why in json.loads(data.attrs["collapses"]))
    rest = {k: v for k, v in data.attrs.items() if k not in OF_RESULT}
    own = data.copy()
    own.attrs = rest
    return {"data": own, "collapses": collapses, "log_likelihood_error": float(data.attrs["log_likelihood_error"])}


def with_recordings(data: xarray.Dataset, recordings: Sequence[Any]) -> xarray.Dataset:
    """The data set of a fit with those of the filters of its recordings, whose names begin with a number."""
    for i, one in enumerate(recordings):
        own = with_attributes(one)
        renamed = own.rename({name: f"{_prefix(i)}{name}" for name in (*own.variables, *own.dims)})
        data = data.merge(renamed.assign_attrs({}), combine_attrs="override")
        data = data.assign_attrs({f"{_prefix(i)}attributes": json.dumps(own.attrs)})
    return data


def recording(data: xarray.Dataset, i: int) -> xarray.Dataset:
    """The data set of the filter of a recording."""
    begin = _prefix(i)
    own = data[[name for name in data.data_vars if str(name).startswith(begin)]]
    own = own.rename(
        {name: str(name)[len(begin) :] for name in (*own.variables, *own.dims) if str(name).startswith(begin)}
    )
    own.attrs = json.loads(data.attrs[f"{begin}attributes"])
    return own


def _prefix(i: int) -> str:
    return f"recording{i + 1}_"

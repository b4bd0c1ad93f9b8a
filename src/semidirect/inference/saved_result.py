"""Results of filters and fits in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.core import errors

if TYPE_CHECKING:
    import xarray

__all__ = ["KIND", "save_result", "with_attributes"]

KIND = "semidirect_filter"


def save_result(result: Any, path: Path) -> None:
    """Write the data set of a result as netCDF 3."""
    if path.suffix.lower() != ".nc":
        raise errors.InputError("the file of a result", expected="a name that ends in .nc", got=str(path))
    try:
        result.to_xarray().to_netcdf(path, engine="scipy")
    except OSError as error:
        raise errors.InputError(
            f"cannot write {path}: {error.strerror or error}", hint="Give another place."
        ) from error


def with_attributes(result: Any) -> xarray.Dataset:
    """The data set of a filter, from which :func:`load_result` makes the result."""
    collapses = json.dumps([list(one) for one in result.collapses])
    more = {"kind": KIND, "collapses": collapses, "log_likelihood_error": float(result.log_likelihood_error)}
    return result.data.assign_attrs(more)

"""Results of filters and fits in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.core import errors

if TYPE_CHECKING:
    import xarray

    from semidirect.inference.filtered import Filtered

__all__ = ["load_result", "save_result", "with_attributes"]

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


def with_attributes(result: Filtered) -> xarray.Dataset:
    """The data set of a filter, from which :func:`load_result` makes the result."""
    collapses = json.dumps([list(one) for one in result.collapses])
    more = {"kind": KIND, "collapses": collapses, "log_likelihood_error": float(result.log_likelihood_error)}
    return result.data.assign_attrs(more)


def load_result(path: str | Path) -> Filtered:
    """The result of a filter that :meth:`.Filtered.save` or ``semidirect filter -o`` wrote.

    Raises
    ------
    InputError
        For any other file.
    """
    import xarray

    from semidirect.inference.filtered import Filtered

    try:
        data = xarray.load_dataset(path, engine="scipy", decode_times=False)
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .nc.") from error
    except (TypeError, ValueError) as error:
        raise errors.InputError(f"{path} cannot be read", expected="a result of a filter", got=str(error)) from None
    if data.attrs.get("kind") != KIND:
        raise errors.InputError(
            f"{path} cannot be read", expected="a result of a filter, by result.save(…)", got="another file"
        )
    collapses = tuple((float(t), str(why)) for t, why in json.loads(data.attrs["collapses"]))
    uncertainty = float(data.attrs["log_likelihood_error"])
    for name in ("kind", "collapses", "log_likelihood_error"):
        del data.attrs[name]
    return Filtered(data, collapses, uncertainty)

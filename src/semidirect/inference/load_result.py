"""Results of filters from files."""

from __future__ import annotations

import json
from pathlib import Path

from semidirect.core import errors
from semidirect.inference.filtered import Filtered
from semidirect.inference.saved_result import KIND

__all__ = ["load_result"]


def load_result(path: str | Path) -> Filtered:
    """The result of a filter that :meth:`.Filtered.save` or ``semidirect filter -o`` wrote.

    Raises
    ------
    InputError
        For any other file.
    """
    import xarray

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

"""Results of filters and fits from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from semidirect.core import errors
from semidirect.inference.filtered import Filtered
from semidirect.inference.fitted import Fitted
from semidirect.inference.free_parameters import with_entries
from semidirect.inference.saved_result import FILTER, FIT, recording, result_of_filter

if TYPE_CHECKING:
    import xarray

    from semidirect.definition import SystemDefinition

__all__ = ["load_result"]


def load_result(path: str | Path, *, system: SystemDefinition | None = None) -> Filtered | Fitted:
    """The result of a filter or a fit that its ``save`` wrote, or of ``semidirect filter -o``.

    Parameters
    ----------
    path : str or Path
        The file.
    system : System, optional
        The system of a fit, which its ``system`` then is, with the estimated values; a file has the name of its class alone.

    Raises
    ------
    InputError
        For any other file, and for a system of another class.
    """
    import xarray

    try:
        data = xarray.load_dataset(path, engine="scipy", decode_times=False)
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .nc.") from error
    except (TypeError, ValueError) as error:
        raise errors.InputError(f"{path} cannot be read", expected="a result of a filter", got=str(error)) from None
    kind = data.attrs.get("kind")
    if kind not in (FILTER, FIT):
        raise errors.InputError(
            f"{path} cannot be read", expected="a result of a filter or a fit, by result.save(…)", got="another file"
        )
    return Filtered(**result_of_filter(data)) if kind == FILTER else _fitted(data, system)


def _fitted(data: xarray.Dataset, system: SystemDefinition | None) -> Fitted:
    attributes, names = data.attrs, tuple(str(name) for name in data["parameter"].values)
    if system is not None and type(system).__name__ != attributes["system"]:
        raise errors.InputError(
            "system", expected=f"the one that was fitted, {attributes['system']}", got=type(system).__name__
        )
    recordings = tuple(Filtered(**result_of_filter(recording(data, i))) for i in range(int(attributes["recordings"])))
    estimate = data["estimate"].values
    return Fitted(
        system=None if system is None else with_entries(system, dict(zip(names, estimate.tolist(), strict=True))),
        names=names, units=tuple(str(unit) for unit in data["unit"].values), estimate=estimate,
        standard_error=data["standard_error"].values, monte_carlo_error=data["monte_carlo_error"].values,
        interval=data["interval"].values, level=float(attributes["level"]), covariance=data["covariance"].values,
        log_likelihood=float(attributes["log_likelihood"]), log_likelihood_error=float(attributes["log_likelihood_error"]),
        points=data["point"].values, replicates=data["replicate"].values, values=data["log_likelihood_at_point"].values,
        at_bound=tuple(json.loads(attributes["at_bound"])), converged=bool(attributes["converged"]),
        undetermined=tuple(json.loads(attributes["undetermined"])),
        other_maxima=tuple((np.array(values), height) for values, height in json.loads(attributes["other_maxima"])),
        filtered=recordings[0], recordings=recordings, for_intervals=int(attributes["for_intervals"]),
        rejected=int(attributes["rejected"]), kind=str(attributes["system"]),
    )  # fmt: skip

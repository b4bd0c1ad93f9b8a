"""A run as an xarray Dataset."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core.failure import MEANING
from semidirect.ensemble.quantities import RESERVED

if TYPE_CHECKING:
    import xarray

    from semidirect.ensemble.run import RunData
    from semidirect.groups.element_layout import ElementLayout

INITIAL = "initial."


def data_set(run: RunData, layout: ElementLayout | None) -> xarray.Dataset:
    """The data set of :meth:`.Run.to_xarray`."""
    import xarray

    variables: dict[str, Any] = {}
    for name, values in run.data.items():
        variables[name] = (("path", "time", *dims(values.shape[2:])), values, {"units": run.units.get(name, "")})
    variables |= {_free(k, variables): v for k, v in _matrices(run, layout).items()}
    variables["status"] = (("path",), run.status, {"meaning": MEANING})
    coordinates: dict[str, Any] = {
        "path": np.arange(run.paths) if run.numbers is None else run.numbers,
        "time": (("time",), run.times, {"units": "s"}),
    }
    units = run.config.get("parameter_units", {})
    for name, values in run.by_path().items():
        label = f"initial_{name.removeprefix(INITIAL)}" if name.startswith(INITIAL) else name
        unit = run.units.get(name.removeprefix(INITIAL), "") if name.startswith(INITIAL) else units.get(name, "")
        if label in variables or re.fullmatch(RESERVED, label):
            label = f"parameter_{label}"
        coordinates[_free(label, variables)] = (("path", *dims(values.shape[1:])), values, {"units": unit})
    for axes, values, *_ in [*variables.values(), *(v for v in coordinates.values() if isinstance(v, tuple))]:
        for dim, n in zip(axes, values.shape, strict=True):
            if dim not in ("path", "time"):
                coordinates.setdefault(dim, np.arange(1, n + 1))
    return xarray.Dataset(
        variables, coords=coordinates, attrs={"config": json.dumps(dict(run.config), ensure_ascii=False)}
    )


def dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    """The dims of a vector, of a matrix, or of any other array: their plain names are those of length 3."""
    names = {0: (), 1: ("component",), 2: ("row", "column")}.get(len(shape)) or tuple(
        f"axis_{i}" for i in range(len(shape))
    )
    return tuple(name if n == 3 else f"{name}_{n}" for name, n in zip(names, shape, strict=True))


def _matrices(run: RunData, layout: ElementLayout | None) -> dict[str, Any]:
    """The matrices that coordinates fill, and the whole element of the group where it is none of them."""
    found: dict[str, Any] = {}
    if layout is None:
        return found
    for stem, (_, _, rows, columns) in layout.matrices.items():
        if stem in run.data:
            values = run.data[stem].reshape(*run.data[stem].shape[:2], rows, columns)
            found[f"{stem}_matrix"] = (("path", "time", *dims((rows, columns))), values)
    values_by_name = layout.by_name(run.data)
    alone = any(shape == (0, 0, layout.size, layout.size) for shape in layout.matrices.values())
    if values_by_name is not None and not alone:
        found["element"] = (("path", "time", *dims((layout.size, layout.size))), layout.element(values_by_name))
    return found


def _free(name: str, taken: dict[str, Any]) -> str:
    """A name that nothing else has."""
    while name in taken:
        name += "_"
    return name

"""A run as a data set of xarray, and as a data frame."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import FlatSites, __version__, failure
from semidirect.definition import labels
from semidirect.expressions import UnitLabel
from semidirect.model import sensitivities
from semidirect.quantities import Quantities
from semidirect.results.derivatives import directions_of, sensitivity
from semidirect.text import printing

if TYPE_CHECKING:
    import pandas
    import xarray

    from semidirect.groups import ElementLayout
    from semidirect.results.run import RunData
from semidirect.results.data_set.axes import axis, dims, writable_name

INITIAL = "initial."


def data_set(run: RunData, layout: ElementLayout | None) -> xarray.Dataset:
    """The data set of :meth:`.Run.to_xarray`."""
    import xarray

    variables: dict[str, Any] = {}
    for name, values in run.data.items():
        if name.startswith(sensitivities.SENSITIVITY):
            result = sensitivity(run, name.removeprefix(sensitivities.SENSITIVITY))
            label = _free(writable_name(name.replace(".", "_")), variables)
            variables[label] = (("path", "time", *dims(result.values.shape[2:-1]), "direction"), result.values,
                                {"long_name": f"derivatives of {result.quantity}"})  # fmt: skip
            continue
        labels = _labels(run.units.get(name, ""), run.long_names.get(name, name))
        axes, flat = dims(values.shape[2:]), run.matrices.get(name)
        if isinstance(flat, FlatSites):
            values, axes = flat.shaped(values), (flat.axis, *dims(flat.shape[1:]))
        variables[_free(writable_name(name), variables)] = (("path", "time", *axes), values, labels)
    # names that a user chose come first and keep theirs
    variables |= {_free(k, variables): v for k, v in _matrices(run, layout).items()}
    status = {
        "long_name": "outcome of each path", "flag_values": np.arange(len(failure.FLAGS.split()), dtype=np.int8),
        "flag_meanings": failure.FLAGS,
    }  # fmt: skip
    variables["status"] = (("path",), run.status, status)
    variables |= {_free(k, variables): v for k, v in _crossings(run).items()}
    coordinates: dict[str, Any] = {
        "path": (("path",), np.arange(run.paths) if run.numbers is None else run.numbers, {"long_name": "number of the path"}),
        "time": (("time",), run.times, {"units": "s", "long_name": "time"}),
    }  # fmt: skip
    for name, (values, unit, words) in by_path(run).items():
        label = f"parameter_{name}" if name in variables or re.fullmatch(Quantities.RESERVED, name) else name
        coordinates[_free(label, variables)] = (("path", *dims(values.shape[1:])), values, _labels(unit, words))
    for i, recorded in enumerate(run.crossings, 1):
        numbered = {"long_name": f"number of the crossing of {recorded.crossing.label}, on each path"}
        coordinates[f"crossing{i}"] = ((f"crossing{i}",), np.arange(1, recorded.times.shape[1] + 1), numbered)
    # every dimension gets its coordinate, as xarray selects by them
    for axes, values, *_ in [*variables.values(), *coordinates.values()]:
        for dim, n in zip(axes, values.shape, strict=True):
            if dim == "direction":
                coordinates[dim] = (
                    (dim,),
                    np.array(directions_of(run), dtype=object),
                    {"long_name": "differentiated by"},
                )
            elif dim == "site" or dim.startswith("site_"):
                coordinates[dim] = ((dim,), np.arange(1, n + 1), {"long_name": "number of the site"})
            elif dim not in ("path", "time"):
                coordinates.setdefault(dim, ((dim,), axis(n), {"long_name": dim.partition("_")[0]}))
    system = str(run.config["system"]).rpartition(":")[2]
    # the configuration makes the data set a run again
    about = {
        "Conventions": "CF-1.11", "title": f"Paths of {system}", "source": f"semidirect {__version__}",
        "config": json.dumps(dict(run.config), ensure_ascii=False),
    }  # fmt: skip
    return xarray.Dataset(variables, coords=coordinates, attrs=about)


def data_frame(run: RunData) -> pandas.DataFrame:
    """The table of :meth:`.Run.to_pandas`."""
    import pandas

    paths, times = np.arange(run.paths) if run.numbers is None else run.numbers, len(run.times)
    columns: dict[str, np.ndarray] = {"path": np.repeat(paths, times), "time": np.tile(run.times, run.paths)}
    units = {"time": "s"}

    def add(name: str, rows: np.ndarray, unit: str) -> None:
        parts = list(rows.reshape(len(rows), -1).T) if rows.ndim > 1 else rows
        quantity = name.removeprefix("initial_")
        for i, (label, part) in enumerate(printing.components(quantity, parts, run.stored_names)):
            label = label if name == quantity else f"initial_{label}"
            columns[label], units[label] = part, UnitLabel(unit).of_component(i, len(parts))

    for name, values in run.data.items():
        if name.startswith(sensitivities.SENSITIVITY):
            result = sensitivity(run, name.removeprefix(sensitivities.SENSITIVITY))
            for k, direction in enumerate(result.directions):
                rows = result.values[..., k].reshape(run.paths * times, -1)
                parts = list(rows.T) if rows.shape[1] > 1 else rows[:, 0]
                for label, part in printing.components(result.quantity, parts, run.stored_names):
                    columns[f"d {label} / d {direction}"] = part
            continue
        add(name, values.reshape(-1, *values.shape[2:]), run.units.get(name, ""))
    for name, (values, unit, _) in by_path(run).items():
        add(_free(name, columns), np.repeat(values, times, axis=0), unit)
    table = pandas.DataFrame(columns)
    table.attrs["units"] = {label: unit for label, unit in units.items() if unit}
    return table


def by_path(run: RunData) -> dict[str, tuple[np.ndarray, str, str]]:
    """Inputs that differ from path to path: values, unit and long name; initial values as ``initial_Omega``."""
    entries, units = {}, run.config.get("parameter_units", {})
    for name, values in run.by_path().items():
        quantity = name.removeprefix(INITIAL)
        if name.startswith(INITIAL):
            words = f"{run.long_names.get(quantity, quantity)} at the start"
            entries[f"initial_{quantity}"] = (values, run.units.get(quantity, ""), words)
        else:
            entries[name] = (values, units.get(name, ""), run.long_names.get(f"{labels.PARAMETER}{name}", name))
    return entries


def _labels(unit: str, words: str) -> dict[str, str]:
    """The attributes of a variable; a unit for each component, where they differ, is no ``units`` of CF."""
    return {"long_name": words, **({} if not unit else {"component_units" if "," in unit else "units": unit})}


def _crossings(run: RunData) -> dict[str, Any]:
    """The recorded crossings: of the first condition ``crossing1_count``, ``crossing1_time`` and each quantity."""
    variables: dict[str, Any] = {}
    for i, recorded in enumerate(run.crossings, 1):
        stem, at = f"crossing{i}", f"at the crossings of {recorded.crossing.label}"
        words = {"long_name": f"number of crossings of {recorded.crossing.label}"}
        variables[f"{stem}_count"] = (("path",), recorded.count, words)
        variables[f"{stem}_time"] = (("path", stem), recorded.times, _labels("s", f"time {at}"))
        for name, values in recorded.items():
            if name.startswith(sensitivities.SENSITIVITY):
                quantity, count = name.removeprefix(sensitivities.SENSITIVITY), len(directions_of(run))
                split = values.reshape(*values.shape[:2], -1, count)
                split = split[:, :, 0] if split.shape[2] == 1 else split
                variables[f"{stem}_{writable_name(name.replace('.', '_'))}"] = (
                    ("path", stem, *dims(split.shape[2:-1]), "direction"), split,
                    {"long_name": f"derivatives of {quantity} {at}"},
                )  # fmt: skip
                continue
            labels = _labels(run.units.get(name, ""), f"{run.long_names.get(name, name)} {at}")
            variables[f"{stem}_{writable_name(name)}"] = (("path", stem, *dims(values.shape[2:])), values, labels)
    return variables


def _matrices(run: RunData, layout: ElementLayout | None) -> dict[str, Any]:
    """The matrices that coordinates fill, and the whole element of the group where it is none of them."""
    variables: dict[str, Any] = {}
    if layout is None:
        return variables
    for stem, (_, _, rows, columns) in layout.matrices.items():
        if stem in run.data:
            values = run.data[stem].reshape(*run.data[stem].shape[:2], rows, columns)
            labels = _labels(run.units.get(stem, ""), f"{stem} of the configuration, as a matrix")
            variables[f"{stem}_matrix"] = (("path", "time", *dims((rows, columns))), values, labels)
    values_by_name = layout.by_name(run.data)
    alone = any(shape == (0, 0, layout.size, layout.size) for shape in layout.matrices.values())
    if values_by_name is not None and not alone:
        labels = {"long_name": "configuration s, as a matrix"}
        variables["element"] = (
            ("path", "time", *dims((layout.size, layout.size))),
            layout.element(values_by_name),
            labels,
        )
    return variables


def _free(name: str, names: Mapping[str, Any]) -> str:
    """A name that nothing else has."""
    while name in names:
        name += "_"
    return name

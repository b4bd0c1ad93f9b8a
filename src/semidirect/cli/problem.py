"""Arguments that ``filter`` and ``fit`` share: the observations, the data, and the model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Argument, Call
from semidirect.cli.config import read_toml
from semidirect.cli.outputs import NETCDF
from semidirect.cli.shared import METHOD, STATE
from semidirect.core import Flag, errors, messages
from semidirect.text import split_at_commas

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import xarray

    import semidirect as sd

KINDS = {"values": "values", "camera": "dots", "gyroscope": None, "position": "coordinates", "orientation": "form"}
"""The key ``kind`` of a file ``--observation``, and the argument of it that has no keyword."""

OBSERVED = "observations"
OBSERVE = Flag(
    "observe", "names or expressions, e.g. x,y or 'dot(M, Gamma)'; with a --noise each, several are observations of their own",
    "texts", "Q,…", completion="quantities",
)  # fmt: skip
NOISE = Flag("noise", "standard deviations of the errors: one, or one per value", "texts", "S[,S…]")
OBSERVATION = Flag(
    "observation", "a file: kind = \"camera\" (or gyroscope, orientation, position, values) and its arguments: dots, noise, …; "
    "may be repeated, observations of files follow those of --observe", "places", "FILE.toml",
)  # fmt: skip
LOST = Flag(
    "lost",
    "probability that a value of --observe is missing: one, or one for each observation (default: 0)",
    "number-each",
    "P",
)
DATA = Flag(
    "data", "a table (.csv with any separator, or .parquet) whose header names the observed quantities and a column time, t or "
    "timestamp (seconds, dates or Unix times); or a .nc of xarray with the dimension time; or a saved run, whose quantities "
    "count as data; for several observations one for all, or one for each, in their order",
    "location", "DATA", position="several",
)  # fmt: skip
PATH = Flag("path", "which path of a run has the data (default: the first)", "whole", "N")
EVERY = Flag(
    "every", "use every K-th time of the data: one, or one for each observation (default: 1)", "whole-each", "K"
)
COLUMNS = Flag(
    "columns",
    "names of the quantities in the data, e.g. x=X,y=Y; time=t for the times (default: their own)",
    "columns",
    "Q=C,…",
)
TIME_LABEL = Flag("time", "name of the times in the data, short for --columns time=… (default: time, t or timestamp)",
                  metavar="COLUMN")  # fmt: skip
CLOCK = Flag("clock", "which time of the data is t = 0: a number of seconds, a date, or first (default: the first of dates and "
             "Unix times, else 0)", metavar="TIME", example="2026-01-31T12:00:00Z")  # fmt: skip
UNIT = Flag("unit", "unit of the values of --observe and of --noise: one, or by name x=mm,theta=deg (default: of the system)",
            "texts", "UNIT", example="mm")  # fmt: skip
WRAPS = Flag("wraps", "values of --observe that are known up to a whole turn, such as the angle of a compass", "names", "Q,…",
             completion="quantities")  # fmt: skip
INPUTS = Flag("inputs", "tables of the system that were recorded: columns of DATA, e.g. left=wl,nodes=time", "columns",
              "TABLE=C,…", example="nodes=time,left=wl")  # fmt: skip
TABLES = (".csv", ".tsv", ".txt", ".parquet", ".pq")
SPREAD = Flag(
    "spread", "standard deviation of a state variable at the start, e.g. --spread Omega=0.1; may be repeated (default: 0)",
    "arrays", "KEY=JSON", completion="state",
)  # fmt: skip


def _update_help() -> str:
    from semidirect.inference import UPDATES

    return f"how data are used: {', '.join(UPDATES)} (default: particles)"


Data = Any  # a table of pandas or an array of xarray, which are imported when they are needed


def _all_data(call: Call) -> list[Data]:
    """The data of each observation: times and values."""
    observations: Sequence[sd.Observation] = call.value("observation")
    count, columns, data = len(observations), dict(call.value("columns") or {}), []
    if call.value("time"):
        columns.setdefault("time", call.value("time"))
    places = _one_for_each("DATA", call.read(DATA), count)
    steps = _one_for_each("--every", call.read(EVERY) or [1], count)
    for path, observation, every in zip(places, observations, steps, strict=True):
        if every < 1:
            raise errors.InputError("--every", expected="a whole number, at least 1", got=str(every))
        rows = _data(path, observation, call.read(PATH), columns)
        some = slice(None, None, every)
        data.append(rows.iloc[some] if hasattr(rows, "iloc") else rows.isel({_time_of(rows, columns): some}))
    return data


def _one_for_each(name: str, values: Sequence[Any], count: int) -> Sequence[Any]:
    """The values for each of some observations; a single one is that of all."""
    if len(values) not in (1, count):
        expected = "one" if count == 1 else f"one, or one for each of {count} observations"
        raise errors.InputError(name, expected=expected, got=str(len(values)))
    return [values[0]] * count if len(values) == 1 else values


def _prior(call: Call) -> Any:
    """The start, or a function that draws it: independent normal errors of state variables."""
    start, spread = call.read(STATE) or {}, call.read(SPREAD)
    if not spread:
        return start or None
    import numpy as np

    centres = {**call.value("system").initial, **start}
    for name in spread:
        if name not in centres:
            raise errors.UnknownNameError("state variable of --spread with a value at the start", name, centres)
    means = {name: np.asarray(centres[name], dtype=float) for name in spread}
    for name, of in spread.items():
        if np.shape(of) not in ((), means[name].shape) or (np.asarray(of) < 0).any():
            raise errors.InputError(f"--spread {name}", expected=f"numbers that are not negative, one or {means[name].shape}",
                                    got=messages.shortened(str(of)))  # fmt: skip

    def draw(rng: np.random.Generator, count: int) -> dict[str, Any]:
        random_values = {
            n: m + np.asarray(spread[n]) * rng.standard_normal((count, *m.shape)) for n, m in means.items()
        }
        return {**start, **random_values}

    return draw


def _observations(call: Call) -> list[sd.Observation]:
    """Those of names, then those of files. Several names are one observation if there is one noise for them."""
    named, noises, files, lost = (call.read(flag) or [] for flag in (OBSERVE, NOISE, OBSERVATION, LOST))
    units, wraps = call.read(UNIT) or [], call.read(WRAPS) or []
    if files and not named and (noises or lost or units or wraps):
        raise errors.InputError(
            "--observation with --noise, --lost, --unit or --wraps, without --observe", hint="The file says all of it."
        )
    if not (named or files) or bool(named) != bool(noises):
        got = "none" if not (named or noises) else "--observe" if named else "--noise"
        raise errors.InputError("the observations", expected="--observe and --noise, or --observation", got=got,
                                hint="Write for example --observe x,y --noise 0.01.")  # fmt: skip
    groups = [split_at_commas(entry) for entry in named]
    if len(noises) == 1:
        groups = [[name for group in groups for name in group]]
    if named and len(noises) != len(groups):
        raise errors.InputError(
            "--noise", expected=f"one, or one for each of {len(groups)} --observe", got=str(len(noises))
        )
    chances = _one_for_each("--lost", lost or [0.0], len(groups)) if named else []
    observations = [
        _named(group, noise, chance, units, wraps, alone=len(groups) + len(files) == 1)
        for group, noise, chance in zip(groups if named else [], noises, chances, strict=True)
    ]
    return [*observations, *(_of_file(path) for path in files)]


def _clock(call: Call) -> Any:
    """A number of seconds, or the text of a date."""
    text = call.read(CLOCK)
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _named(names: Sequence[str], noise: str, lost: float, units: Sequence[str], wraps: Sequence[str], *, alone: bool
           ) -> sd.Observation:  # fmt: skip
    import semidirect as sd

    entries = [entry.strip() for text in units for entry in text.split(",")]
    by_name = dict(entry.split("=", 1) for entry in entries if "=" in entry)
    if entries and len(by_name) not in (0, len(entries)):
        raise errors.InputError("--unit", expected="one unit, or NAME=UNIT for each", got=",".join(entries))
    unit: Any = (
        {k: v for k, v in by_name.items() if k in names}
        if by_name
        else entries
        if len(entries) > 1
        else entries[0]
        if entries
        else None
    )
    turning = [text for text in wraps if text in names]
    name = "observation" if alone else f"observation of {','.join(names)}"
    return sd.Observation(names, noise=_noise(noise), lost=lost, name=name, unit=unit or None, wraps=turning or False)


def _noise(text: str) -> Any:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise errors.InputError("--noise", expected="numbers, such as 0.01 or 0.01,0.02", got=repr(text)) from None
    return values[0] if len(values) == 1 else values


def _of_file(path: Path) -> sd.Observation:
    import semidirect as sd

    content = read_toml(path)
    kind = content.pop("kind", None)
    if not (isinstance(kind, str) and kind in KINDS):
        raise errors.UnknownNameError(f"kind in {path}", kind, KINDS)
    make: Callable[..., sd.Observation] = sd.Observation if kind == "values" else getattr(sd.inference, kind)
    first = KINDS[kind]
    parameters = dict(inspect.signature(make).parameters)
    for name in content:
        if name not in parameters:
            raise errors.UnknownNameError(f"argument of {kind} in {path}", name, parameters)
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty and name not in content:
            raise errors.InputError(f"{name} of {kind} in {path}", expected="a value", got="none")
    if "noise" in parameters and not content.keys() & {"noise", "covariance"}:
        raise errors.InputError(f"noise of {kind} in {path}", expected="a value, or covariance", got="none")
    before = [content.pop(first)] if first in content else []
    return make(*before, **content)


def _data(path: Path | str, observation: sd.Observation, number: int | None, columns: Mapping[str, str]) -> Data:
    """The data of a file, labelled as there; of a run, those of the path with a number."""
    names = observation.values
    texts = None if callable(names) else [names] if isinstance(names, str) else list(names)
    if isinstance(path, str):
        return _of_run(path, texts, number, columns)
    if path.suffix.lower() in TABLES:
        return _of_table(path, number)
    if path.suffix.lower() in NETCDF:
        return _of_netcdf(path, texts, number, columns, observation.name)
    return _of_run(path, texts, number, columns)


def _of_table(path: Path, number: int | None) -> pd.DataFrame:
    """The table, of which each column has a name of its own; the rows of one path, if it has a column ``path``."""
    from semidirect.inference import read_table
    from semidirect.results import data_set

    table, of_path = read_table(path), data_set.PATH
    if of_path not in table.columns:
        _refuse_path(number, f"the table {path} has no column 'path'")
        return table
    return table[table[of_path] == _chosen(number, table[of_path].unique().tolist())]


def _of_netcdf(path: Path, names: list[str] | None, number: int | None, columns: Mapping[str, str], own: str
               ) -> xarray.Dataset | xarray.DataArray:  # fmt: skip
    """Variables with the names of the observation, or the only one if it has labels or the name of the observation."""
    import xarray

    from semidirect.results import data_set

    try:
        data = xarray.load_dataset(path, engine="scipy")
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a netCDF file.") from error
    except (TypeError, ValueError) as error:
        raise errors.InputError(
            f"{path} cannot be read", expected="netCDF 3, as written by to_netcdf", got=str(error)
        ) from None
    if data_set.PATH in data.dims:
        data = data.isel(path=_numbered(number, data.sizes[data_set.PATH]))
    else:
        _refuse_path(number, f"{path} has no dimension 'path'")
    variables = [str(name) for name in data.data_vars]
    time = _time_of(data, columns)
    labels = {text: columns.get(text, text) for text in names or ()}
    named = bool(labels) and set(labels.values()) <= set(variables)
    alone = len(variables) == 1 and (
        names is None or variables[0] == own or data_set.COMPONENT in data[variables[0]].coords
    )
    if time not in data.coords or not (named or alone):
        expected = f"{', '.join(map(repr, labels.values())) or 'one'}, with the coordinate time"
        hint = "Say which they are: --columns QUANTITY=VARIABLE,…." if labels else ""
        raise errors.InputError(
            f"variables of {path}", expected=expected, got=messages.shortened(", ".join(variables)), hint=hint
        )
    for name in labels.values() if named else variables:
        if time not in data[name].dims:
            raise errors.InputError(f"{name} in {path}", expected=f"the dimension {time}", got=str(data[name].dims))
    return data[list(labels.values())] if named else data[variables[0]]


def _time_of(data: Any, columns: Mapping[str, str]) -> str:
    """The dimension of the times."""
    usual = ("time", "t", "timestamp")
    return columns.get("time") or next((name for name in usual if name in data.dims), "time")


def _of_run(path: Path | str, names: list[str] | None, number: int | None, columns: Mapping[str, str]) -> pd.DataFrame:
    import pandas as pd

    import semidirect as sd
    from semidirect.expressions import component_names
    from semidirect.results import data_set

    run = sd.Run.load(path)
    if names is None:
        raise errors.InputError(f"data in the run {path}", expected="names with --observe", got="an observation by a file",
                                hint="Write data of the run to netCDF: observation.of(run).to_netcdf(…).")  # fmt: skip
    at = _numbered(number, run.paths)
    table: dict[str, np.ndarray] = {data_set.TIME: run.times}
    for text in names:
        name = columns.get(text, text)
        parts = run[name][at].reshape(len(run.times), -1)
        labels = component_names.component_names(name, parts.shape[1], run.data.stored_names if name == text else ())
        table |= dict(zip(labels, parts.T, strict=True))
    return pd.DataFrame(table)


def _refuse_path(number: int | None, why: str) -> None:
    if number is not None:
        raise errors.InputError("--path", expected="data of several paths", got=why, hint="Leave it out.")


def _chosen(number: int | None, paths: Sequence[Any]) -> Any:
    """The path with a number, or the first."""
    if number is not None and number not in paths:
        raise errors.InputError(
            "--path", expected=f"one of {messages.shortened(', '.join(map(str, paths)))}", got=str(number)
        )
    return paths[0] if number is None else number


def _numbered(number: int | None, paths: int) -> int:
    at = number or 0
    if not 0 <= at < paths:
        raise errors.InputError("--path", expected=f"a number from 0 to {paths - 1}", got=str(at))
    return at


PROBLEM: Mapping[str, Argument | Flag] = {
    "observation": Argument((OBSERVE, NOISE, OBSERVATION, LOST, UNIT, WRAPS), _observations, OBSERVED),
    "data": Argument((DATA, PATH, EVERY), _all_data, OBSERVED),
    "columns": Argument((COLUMNS,), title=OBSERVED),
    "time": Argument((TIME_LABEL,), title=OBSERVED),
    "clock": Argument((CLOCK,), _clock, OBSERVED),
    "inputs": Argument((INPUTS,), title=OBSERVED),
    "state": Argument((STATE, SPREAD), _prior),
    "method": replace(METHOD, help="the integrator, e.g. heun (default: the system's)"),
    "update": Flag("update", _update_help, metavar="U", completion="updates"),
}
"""The parameters of ``filter`` and ``fit`` that are not as those of a run."""

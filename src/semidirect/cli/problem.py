"""Arguments that ``filter`` and ``fit`` share: what was observed, the data, and the model."""

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

    from semidirect.inference import Observation

KINDS = {"values": "values", "camera": "dots", "gyroscope": None, "position": "coordinates"}
"""The key ``kind`` of a file ``--observation``, and the argument of it that has no keyword."""

OBSERVED = "what was observed"
OBSERVE = Flag(
    "observe", "names or expressions, e.g. x,y or 'dot(M, Gamma)'; with a --noise each, several are observations of their own",
    "texts", "Q,…", completion="quantities",
)  # fmt: skip
NOISE = Flag("noise", "standard deviations of the errors: one, or one per value", "texts", "S[,S…]")
OBSERVATION = Flag(
    "observation", "a file: kind = \"camera\" (or gyroscope, position, values) and its arguments: dots, noise, …; may be "
    "repeated, observations of files follow those of --observe", "places", "FILE.toml",
)  # fmt: skip
LOST = Flag(
    "lost",
    "probability that a value of --observe is missing: one, or one for each observation (default: 0)",
    "number-each",
    "P",
)
DATA = Flag(
    "data", "a .csv with a line of names, those of what is observed, and a column 'time', or a .nc of xarray with the dimension "
    "time; or a saved run, whose quantities count as data; of several observations one for all, or one for each, in their order",
    "place", "DATA", position="several",
)  # fmt: skip
PATH = Flag("path", "which path of a run has the data (default: the first)", "whole", "N")
EVERY = Flag(
    "every", "use every K-th time of the data: one, or one for each observation (default: 1)", "whole-each", "K"
)
COLUMNS = Flag(
    "columns",
    "names that the data give to quantities, e.g. x=X,y=Y; time=t for the times (default: their own)",
    "columns",
    "Q=C,…",
)
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
    observations: Sequence[Observation] = call.value("observation")
    count, columns, data = len(observations), call.value("columns") or {}, []
    places = _one_for_each("DATA", call.read(DATA), count)
    steps = _one_for_each("--every", call.read(EVERY) or [1], count)
    for path, observation, every in zip(places, observations, steps, strict=True):
        if every < 1:
            raise errors.InputError("--every", expected="a whole number, at least 1", got=str(every))
        rows = _data(path, observation, call.read(PATH), columns)
        some = slice(None, None, every)
        data.append(rows.iloc[some] if hasattr(rows, "iloc") else rows.isel({columns.get("time", "time"): some}))
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
        moved = {n: m + np.asarray(spread[n]) * rng.standard_normal((count, *m.shape)) for n, m in means.items()}
        return {**start, **moved}

    return draw


def _observations(call: Call) -> list[Observation]:
    """Those of names, then those of files. Several names are one observation if there is one noise for them."""
    named, noises, files, lost = (call.read(flag) or [] for flag in (OBSERVE, NOISE, OBSERVATION, LOST))
    if files and not named and (noises or lost):
        raise errors.InputError(
            "--observation with --noise or --lost, without --observe", hint="The file says all of it."
        )
    if not (named or files) or bool(named) != bool(noises):
        got = "none" if not (named or noises) else "--observe" if named else "--noise"
        raise errors.InputError("what was observed", expected="--observe and --noise, or --observation", got=got,
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
        _named(group, noise, chance, alone=len(groups) + len(files) == 1)
        for group, noise, chance in zip(groups if named else [], noises, chances, strict=True)
    ]
    return [*observations, *(_of_file(path) for path in files)]


def _named(names: Sequence[str], noise: str, lost: float, *, alone: bool) -> Observation:
    from semidirect.inference import Observation

    name = "observation" if alone else f"observation of {','.join(names)}"
    return Observation(names, noise=_noise(noise), lost=lost, name=name)


def _noise(text: str) -> Any:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise errors.InputError("--noise", expected="numbers, such as 0.01 or 0.01,0.02", got=repr(text)) from None
    return values[0] if len(values) == 1 else values


def _of_file(path: Path) -> Observation:
    from semidirect.inference import Observation, instruments

    content = read_toml(path)
    kind = content.pop("kind", None)
    if not (isinstance(kind, str) and kind in KINDS):
        raise errors.UnknownNameError(f"kind in {path}", kind, KINDS)
    make: Callable[..., Observation] = Observation if kind == "values" else getattr(instruments, kind)
    first = KINDS[kind]
    parameters = dict(inspect.signature(make).parameters)
    for name in content:
        if name not in parameters:
            raise errors.UnknownNameError(f"argument of {kind} in {path}", name, parameters)
    for name, declared in parameters.items():
        if declared.default is declared.empty and name not in content:
            raise errors.InputError(f"{name} of {kind} in {path}", expected="a value", got="none")
    if "noise" in parameters and not content.keys() & {"noise", "covariance"}:
        raise errors.InputError(f"noise of {kind} in {path}", expected="a value, or covariance", got="none")
    before = [content.pop(first)] if first in content else []
    return make(*before, **content)


def _data(path: Path, observation: Observation, number: int | None, columns: Mapping[str, str]) -> Data:
    """The data of a file, labelled as there; of a run, those of the path with a number."""
    names = observation.values
    texts = None if callable(names) else [names] if isinstance(names, str) else list(names)
    if path.suffix.lower() == ".csv":
        return _of_table(path, number)
    if path.suffix.lower() in NETCDF:
        return _of_netcdf(path, texts, number, columns, observation.name)
    return _of_run(path, texts, number, columns)


def _of_table(path: Path, number: int | None) -> pd.DataFrame:
    """The table, of which each column has a name of its own; the rows of one path, if it has a column ``path``."""
    import pandas as pd

    from semidirect.inference import PATH, refuse_twice

    try:
        table = pd.read_csv(path, skipinitialspace=True, header=None, nrows=1, dtype=str, keep_default_na=False)
        names = [str(name).strip() for name in table.iloc[0]]
        refuse_twice(f"columns of {path}", names)
        table = pd.read_csv(path, skipinitialspace=True)
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .csv.") from error
    except (ValueError, pd.errors.ParserError) as error:
        if isinstance(error, errors.InputError):
            raise
        raise errors.InputError(f"{path} cannot be read", expected="a table with commas", got=str(error)) from None
    if len(table.columns) != len(names):
        raise errors.InputError(
            f"{path} cannot be read",
            expected=f"{len(names)} columns, as in its first line",
            got=f"{len(table.columns)}",
        )
    table.columns = pd.Index(names)
    if PATH not in names:
        _refuse_path(number, f"the table {path} has no column 'path'")
        return table
    return table[table[PATH] == _chosen(number, table[PATH].unique().tolist())]


def _of_netcdf(path: Path, names: list[str] | None, number: int | None, columns: Mapping[str, str], own: str
               ) -> pd.DataFrame | xarray.DataArray:  # fmt: skip
    """Variables with the names of the observation, or the only one if it has labels or the name of the observation."""
    import pandas as pd
    import xarray

    from semidirect.expressions import component_names
    from semidirect.inference import COMPONENT, PATH, TIME

    try:
        data = xarray.load_dataset(path, engine="scipy")
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a netCDF file.") from error
    except (TypeError, ValueError) as error:
        raise errors.InputError(
            f"{path} cannot be read", expected="netCDF 3, as written by to_netcdf", got=str(error)
        ) from None
    if PATH in data.dims:
        data = data.isel(path=_numbered(number, data.sizes[PATH]))
    else:
        _refuse_path(number, f"{path} has no dimension 'path'")
    variables = [str(name) for name in data.data_vars]
    time = columns.get(TIME, TIME)
    labels = {text: columns.get(text, text) for text in names or ()}
    named = bool(labels) and set(labels.values()) <= set(variables)
    alone = len(variables) == 1 and (names is None or variables[0] == own or COMPONENT in data[variables[0]].coords)
    if time not in data.coords or not (named or alone):
        expected = f"{', '.join(map(repr, labels.values())) or 'one'}, with the coordinate time"
        hint = "Say which they are: --columns QUANTITY=VARIABLE,…." if labels else ""
        raise errors.InputError(
            f"variables of {path}", expected=expected, got=messages.shortened(", ".join(variables)), hint=hint
        )
    for name in labels.values() if named else variables:
        if time not in data[name].dims:
            raise errors.InputError(f"{name} in {path}", expected=f"the dimension {time}", got=str(data[name].dims))
    if not named:
        return data[variables[0]]
    unit = str(data[time].attrs.get("units", "s"))
    if data[time].dtype.kind not in "iuf" or unit not in ("", "s"):
        raise errors.InputError(f"times in {path}", expected="seconds", got=unit)
    table: dict[str, np.ndarray] = {time: data[time].values.astype(float)}
    for text, name in labels.items():
        parts = data[name].transpose(time, ...).values.reshape(len(table[time]), -1)
        stem = text if text == name else name
        table |= dict(zip(component_names.component_names(stem, parts.shape[1]), parts.T, strict=True))
    return pd.DataFrame(table)


def _of_run(path: Path, names: list[str] | None, number: int | None, columns: Mapping[str, str]) -> pd.DataFrame:
    import pandas as pd

    from semidirect.expressions import component_names
    from semidirect.inference import TIME
    from semidirect.run import Run

    run = Run.load(path)
    if names is None:
        raise errors.InputError(f"data in the run {path}", expected="names with --observe", got="an observation by a file",
                                hint="Write data of the run to netCDF: observation.of(run).to_netcdf(…).")  # fmt: skip
    at = _numbered(number, run.paths)
    table: dict[str, np.ndarray] = {TIME: run.times}
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
    "observation": Argument((OBSERVE, NOISE, OBSERVATION, LOST), _observations, OBSERVED),
    "data": Argument((DATA, PATH, EVERY), _all_data, OBSERVED),
    "columns": Argument((COLUMNS,), title=OBSERVED),
    "state": Argument((STATE, SPREAD), _prior),
    "method": replace(METHOD, help="the integrator, e.g. heun (default: the system's)"),
    "update": Flag("update", _update_help, metavar="U"),
}
"""The parameters of ``filter`` and ``fit`` that are not as those of a run."""

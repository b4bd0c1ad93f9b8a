"""Arguments that ``filter`` and ``fit`` share: what was observed, the data, and the model."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import (
    add_driver,
    add_format,
    add_run_arguments,
    add_state,
    add_system,
    add_t_start,
    number,
    place,
    whole,
)
from semidirect.cli.config import add_config, read_toml
from semidirect.cli.outputs import NETCDF, add_force, output_place, write_data_set
from semidirect.cli.values import load, read_driver, read_numbers, read_run_argument, read_state
from semidirect.core.entries import split_at_commas
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.output import print_json, print_text
from semidirect.core.shortened import shortened

if TYPE_CHECKING:
    import numpy as np

    from semidirect.cli.arguments import CommandParser
    from semidirect.inference.filtered import Filtered
    from semidirect.inference.fitted import Fitted
    from semidirect.inference.observation import Observation

KINDS = {"values": "values", "camera": "dots", "gyroscope": None, "position": "coordinates"}
"""The key ``kind`` of a file ``--observation``, and the argument of it that has no keyword."""


def add_problem(parser: CommandParser) -> None:
    """NAME, DATA, and the arguments of a filter."""
    add_system(parser, required=False)
    parser.add_argument(
        "data", type=place, metavar="DATA", nargs="*",
        help="a .csv with a line of names and a column 'time', or a .nc of xarray with the dimension time; or a saved run, whose "
        "quantities count as data; of several observations one for all, or one for each, in their order",
    )  # fmt: skip
    seen = parser.add_argument_group("what was observed")
    seen.add_argument(
        "--observe", action="append", metavar="Q,…",
        help="names or expressions, e.g. x,y or 'dot(M, Gamma)'; with a --noise each, several are observations of their own",
    )  # fmt: skip
    seen.add_argument(
        "--noise", action="append", metavar="S[,S…]", help="standard deviations of the errors: one, or one per value"
    )
    seen.add_argument(
        "--observation", type=place, action="append", metavar="FILE.toml",
        help="a file: kind = \"camera\" (or gyroscope, position, values) and its arguments: dots, noise, …; may be repeated, "
        "observations of files follow those of --observe",
    )  # fmt: skip
    seen.add_argument(
        "--lost", type=number, action="append", metavar="P",
        help="probability that a value of --observe is missing: one, or one for each observation (default: 0)",
    )  # fmt: skip
    seen.add_argument("--path", type=whole, metavar="N", help="which path of a run has the data (default: the first)")
    seen.add_argument(
        "--every", type=whole, action="append", metavar="K",
        help="use every K-th time of the data: one, or one for each observation (default: 1)",
    )  # fmt: skip
    add_state(parser)
    parser.add_argument(
        "--spread", action="append", default=[], metavar="KEY=JSON",
        help="standard deviation of a state variable at the start, e.g. --spread Omega=0.1; may be repeated (default: 0)",
    )  # fmt: skip
    parser.add_argument("--dt", type=number, metavar="S", help="step [s] (default: 0.01)")
    add_t_start(parser)
    parser.add_argument("--method", metavar="M", help="the integrator, e.g. heun (default: the system's)")
    parser.add_argument("--particles", type=whole, metavar="N", help="number of particles (default: 1000)")
    parser.add_argument("--seed", type=whole, metavar="N", help="seed of all random numbers (default: 0)")
    parser.add_text_of_help(parser.add_argument("--update", metavar="U"), _update_help)
    parser.add_argument("-o", "--output", type=place, metavar="FILE.nc", help="write the result, all of it, to netCDF")
    add_force(parser, "a file")
    add_driver(parser)
    add_run_arguments(parser, "computation", "Execution")


def add_result(parser: CommandParser) -> None:
    """How the result is printed, and the arguments in a file."""
    add_format(parser)
    parser.set_defaults(format=None)
    add_config(parser)


def result_place(args: argparse.Namespace) -> Path | None:
    """Where the result is written, checked before anything is computed; ``None`` for nowhere."""
    return None if args.output is None else output_place(args.output, NETCDF, force=args.force)


def report(args: argparse.Namespace, target: Path | None, found: Filtered | Fitted, described: Callable[[], object],
           text: Callable[[], str]) -> None:  # fmt: skip
    """Write the result to its file, and print it in JSON's types or for people."""
    if target is not None:
        write_data_set(found.to_xarray(), target, force=args.force)
    if args.format == "json":
        print_json(described())
        return
    print_text(text())
    if target is not None:
        print(f"saved in {target}")


def _update_help() -> str:
    from semidirect.inference.filter import UPDATES

    return f"how data are used: {', '.join(kind.name for kind in UPDATES)} (default: {UPDATES[0].name})"


Data = tuple["np.ndarray", "np.ndarray"]


def read_problem(args: argparse.Namespace) -> tuple[Any, list[Observation], list[Data], dict[str, Any]]:
    """System, observations, data of each (times and values), and the options of a filter.

    Raises
    ------
    InputError, UnknownNameError, StoreError
        For files and values that cannot be used.
    """
    system = load(args.name, args.settings)
    observations = _observations(args)
    start, spread = read_state(args.state) or {}, read_numbers("--spread", args.spread)
    driver = read_driver(args)
    options = {"dt": 0.01 if args.dt is None else args.dt, "t_start": args.t_start or 0.0, "method": args.method,
               "driver": driver, "execution": read_run_argument("Execution", args),
               "state": _prior(system, start, spread)}  # fmt: skip
    given = {"particles": args.particles, "seed": args.seed, "update": args.update}
    options |= {k: v for k, v in given.items() if v is not None}
    count, data = len(observations), []
    places = _one_for_each("DATA", args.data, count)
    for path, observation, every in zip(
        places, observations, _one_for_each("--every", args.every or [1], count), strict=True
    ):
        if every < 1:
            raise InputError("--every", expected="a whole number, at least 1", got=str(every))
        times, values = _data(path, observation, args.path)
        data.append((times[::every], values[::every]))
    return system, observations, data, options


def _one_for_each(name: str, values: Sequence[Any], count: int) -> Sequence[Any]:
    """The values for each of some observations; a single one is that of all."""
    if len(values) not in (1, count):
        expected = "one" if count == 1 else f"one, or one for each of {count} observations"
        raise InputError(name, expected=expected, got=str(len(values)))
    return [values[0]] * count if len(values) == 1 else values


def _prior(system: Any, start: Mapping[str, Any], spread: Mapping[str, Any]) -> Any:
    """The start, or a function that draws it: independent normal errors of state variables."""
    if not spread:
        return start or None
    import numpy as np

    known = {**system.initial, **start}
    for name in spread:
        if name not in known:
            raise UnknownNameError("state variable of --spread with a value at the start", name, known)
    means = {name: np.asarray(known[name], dtype=float) for name in spread}
    for name, of in spread.items():
        if np.shape(of) not in ((), means[name].shape) or (np.asarray(of) < 0).any():
            raise InputError(f"--spread {name}", expected=f"numbers that are not negative, one or {means[name].shape}",
                             got=shortened(str(of)))  # fmt: skip

    def draw(rng: np.random.Generator, count: int) -> dict[str, Any]:
        moved = {n: m + np.asarray(spread[n]) * rng.standard_normal((count, *m.shape)) for n, m in means.items()}
        return {**start, **moved}

    return draw


def _observations(args: argparse.Namespace) -> list[Observation]:
    """Those of names, then those of files. Several names are one observation if there is one noise for them."""
    named, noises, files = args.observe or [], args.noise or [], args.observation or []
    if files and not named and (noises or args.lost):
        raise InputError("--observation with --noise or --lost, without --observe", hint="The file says all of it.")
    if not (named or files) or bool(named) != bool(noises):
        got = "none" if not (named or noises) else "--observe" if named else "--noise"
        raise InputError("what was observed", expected="--observe and --noise, or --observation", got=got,
                         hint="Write for example --observe x,y --noise 0.01.")  # fmt: skip
    groups = [split_at_commas(entry) for entry in named]
    if len(noises) == 1:
        groups = [[name for group in groups for name in group]]
    if named and len(noises) != len(groups):
        raise InputError("--noise", expected=f"one, or one for each of {len(groups)} --observe", got=str(len(noises)))
    lost = _one_for_each("--lost", args.lost or [0.0], len(groups)) if named else []
    found = [
        _named(group, noise, chance, alone=len(groups) + len(files) == 1)
        for group, noise, chance in zip(groups if named else [], noises, lost, strict=True)
    ]
    return [*found, *(_of_file(path) for path in files)]


def _named(names: Sequence[str], noise: str, lost: float, *, alone: bool) -> Observation:
    from semidirect.inference.observation import Observation

    name = "observation" if alone else f"observation of {','.join(names)}"
    return Observation(names, noise=_noise(noise), lost=lost, name=name)


def _noise(text: str) -> Any:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError("--noise", expected="numbers, such as 0.01 or 0.01,0.02", got=repr(text)) from None
    return values[0] if len(values) == 1 else values


def _of_file(path: Path) -> Observation:
    from semidirect.inference import instruments
    from semidirect.inference.observation import Observation

    content = read_toml(path)
    kind = content.pop("kind", None)
    if not (isinstance(kind, str) and kind in KINDS):
        raise UnknownNameError(f"kind in {path}", kind, KINDS)
    make: Callable[..., Observation] = Observation if kind == "values" else getattr(instruments, kind)
    first = KINDS[kind]
    known = dict(inspect.signature(make).parameters)
    for name in content:
        if name not in known:
            raise UnknownNameError(f"argument of {kind} in {path}", name, known)
    for name, declared in known.items():
        if declared.default is declared.empty and name not in content:
            raise InputError(f"{name} of {kind} in {path}", expected="a value", got="none")
    before = [content.pop(first)] if first in content else []
    return make(*before, **content)


def _data(path: Path, observation: Observation, number: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Times, and values ``(times, …)``; of a run, those of the path with a number."""
    names = observation.values
    texts = None if callable(names) else [names] if isinstance(names, str) else list(names)
    if path.suffix.lower() == ".csv":
        return _of_table(path, texts)
    if path.suffix.lower() in NETCDF:
        return _of_netcdf(path, texts, number)
    return _of_run(path, texts, number)


def _of_table(path: Path, names: list[str] | None) -> tuple[np.ndarray, np.ndarray]:
    """Columns with the names of the observation, or all but the times."""
    import pandas as pd

    try:
        table = pd.read_csv(path, skipinitialspace=True)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a .csv.") from error
    except (ValueError, pd.errors.ParserError) as error:
        raise InputError(f"{path} cannot be read", expected="a table with commas", got=str(error)) from None
    columns = [str(name).strip() for name in table.columns]
    table.columns = pd.Index(columns)
    if "time" not in columns:
        raise InputError(
            f"columns of {path}", expected="one with the name 'time' [s]", got=shortened(", ".join(columns))
        )
    chosen = names if names is not None and set(names) <= set(columns) else [name for name in columns if name != "time"]
    try:
        return table["time"].to_numpy(dtype=float), table[chosen].to_numpy(dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"columns of {path}", expected="numbers, or nothing where a value is missing", got=str(error)
        ) from None


def _of_netcdf(path: Path, names: list[str] | None, number: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Variables with the names of the observation, or the only one."""
    import numpy as np
    import xarray

    try:
        data = xarray.load_dataset(path, engine="scipy")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a netCDF file.") from error
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{path} cannot be read", expected="netCDF 3, as written by to_netcdf", got=str(error)
        ) from None
    if "path" in data.dims:
        data = data.isel(path=_numbered(number, data.sizes["path"]))
    chosen = (
        names if names is not None and set(names) <= set(data.data_vars) else [str(name) for name in data.data_vars]
    )
    if "time" not in data.coords or (len(chosen) != 1 and names is None) or not chosen:
        raise InputError(
            f"variables of {path}", expected="one, with the coordinate time", got=shortened(", ".join(chosen))
        )
    unit = str(data["time"].attrs.get("units", "s"))
    if data["time"].dtype.kind not in "iuf" or unit not in ("", "s"):
        raise InputError(f"times in {path}", expected="seconds", got=unit)
    times = data["time"].values.astype(float)
    for name in chosen:
        if "time" not in data[name].dims:
            raise InputError(f"{name} in {path}", expected="the dimension time", got=str(data[name].dims))
    parts = [data[name].transpose("time", ...).values for name in chosen]
    if len(parts) == 1:
        return times, parts[0]
    return times, np.concatenate([part.reshape(len(times), -1) for part in parts], axis=1)


def _of_run(path: Path, names: list[str] | None, number: int | None) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    from semidirect.run import Run

    run = Run.load(path)
    if names is None:
        raise InputError(f"data in the run {path}", expected="names with --observe", got="an observation by a file",
                         hint="Write data of the run to netCDF: observation.of(run).to_netcdf(…).")  # fmt: skip
    at = _numbered(number, run.paths)
    return run.times, np.concatenate([run[name][at].reshape(len(run.times), -1) for name in names], axis=1)


def _numbered(number: int | None, paths: int) -> int:
    at = number or 0
    if not 0 <= at < paths:
        raise InputError("--path", expected=f"a number from 0 to {paths - 1}", got=str(at))
    return at

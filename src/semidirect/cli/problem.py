"""Arguments that ``filter`` and ``fit`` share: what was observed, the data, and the model."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Mapping
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
        "data", type=place, metavar="DATA", nargs="?",
        help="a .csv with a line of names and a column 'time', or a .nc of xarray with the dimension time; or a saved run, whose "
        "quantities count as data",
    )  # fmt: skip
    seen = parser.add_argument_group("what was observed")
    seen.add_argument(
        "--observe", action="append", metavar="Q,…", help="names or expressions, e.g. x,y or 'dot(M, Gamma)'"
    )
    seen.add_argument("--noise", metavar="S[,S…]", help="standard deviations of the errors: one, or one per value")
    seen.add_argument(
        "--observation", type=place, metavar="FILE.toml",
        help="instead of both, a file: kind = \"camera\" (or gyroscope, position, values) and its arguments: dots, noise, …",
    )  # fmt: skip
    seen.add_argument("--lost", type=number, metavar="P", help="probability that a value is missing (default: 0)")
    seen.add_argument("--path", type=whole, metavar="N", help="which path of a run has the data (default: the first)")
    seen.add_argument("--every", type=whole, metavar="K", help="use every K-th time of the data (default: 1)")
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


def read_problem(args: argparse.Namespace) -> tuple[Any, Observation, tuple[np.ndarray, np.ndarray], dict[str, Any]]:
    """System, observation, data (times and values), and the options of a filter.

    Raises
    ------
    InputError, UnknownNameError, StoreError
        For files and values that cannot be used.
    """
    system = load(args.name, args.settings)
    observation = _observation(args)
    start, spread = read_state(args.state) or {}, read_numbers("--spread", args.spread)
    driver = read_driver(args)
    options = {"dt": 0.01 if args.dt is None else args.dt, "t_start": args.t_start or 0.0, "method": args.method,
               "driver": driver, "execution": read_run_argument("Execution", args),
               "state": _prior(system, start, spread)}  # fmt: skip
    given = {"particles": args.particles, "seed": args.seed, "update": args.update}
    options |= {k: v for k, v in given.items() if v is not None}
    times, values = _data(args, observation)
    every = 1 if args.every is None else args.every
    if every < 1:
        raise InputError("--every", expected="a whole number, at least 1", got=str(every))
    return system, observation, (times[::every], values[::every]), options


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


def _observation(args: argparse.Namespace) -> Observation:
    from semidirect.inference.observation import Observation

    if args.observation is None:
        names = [name for entry in args.observe or () for name in split_at_commas(entry)]
        if not names or args.noise is None:
            got = "none" if args.noise is None and not names else "--noise" if not names else "--observe"
            raise InputError("what was observed", expected="--observe and --noise, or --observation", got=got,
                             hint="Write for example --observe x,y --noise 0.01.")  # fmt: skip
        return Observation(names, noise=_noise(args.noise), lost=args.lost or 0.0)
    if args.observe or args.noise is not None or args.lost is not None:
        raise InputError("--observation with --observe, --noise or --lost", hint="The file says all of it.")
    return _of_file(args.observation)


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


def _data(args: argparse.Namespace, observation: Observation) -> tuple[np.ndarray, np.ndarray]:
    """Times, and values ``(times, …)``."""
    path, names = args.data, observation.values
    texts = None if callable(names) else [names] if isinstance(names, str) else list(names)
    if path.suffix.lower() == ".csv":
        return _of_table(path, texts)
    if path.suffix.lower() in NETCDF:
        return _of_netcdf(path, texts, args.path)
    return _of_run(path, texts, args.path)


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

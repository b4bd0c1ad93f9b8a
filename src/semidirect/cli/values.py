"""The values of ``--set`` and ``--state``: ``key=JSON``, parsed and never evaluated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from semidirect.core.entries import split_at_commas
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.core.shortened import quoted

if TYPE_CHECKING:
    import argparse

    from semidirect.core.flag import Flag
    from semidirect.definition.plugins import Loaded
    from semidirect.system import System

TABLES = (".npy", ".csv", ".txt")
"""Files from which tables are read."""


def load(name: str, settings: Sequence[str]) -> System:
    """The system that ``name`` stands for, with what ``--set`` says."""
    from semidirect.definition.resolve import resolve

    loaded = resolve(name)
    return cast("System", loaded(**read_settings(loaded, settings)))


def read_settings(loaded: Loaded, texts: Sequence[str]) -> dict[str, Any]:
    """Parameters and options from ``--set``; the value of an option that is text may go without quotes, a table may be the
    name of a file.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown or repeated key, for text that is not JSON, and for a file that holds no row of numbers.
    """
    from semidirect.core.tables import TableParameter
    from semidirect.definition.preset import Preset

    kind = loaded.system if isinstance(loaded, Preset) else loaded
    parameters, options = kind.workings.parameters(), kind.workings.options()
    values: dict[str, Any] = {}
    for key, text in _pairs("--set", texts).items():
        if key in parameters and isinstance(parameters[key], TableParameter) and Path(text).suffix in TABLES:
            values[key] = _of_file(key, Path(text))
        elif key in parameters:
            default = parameters[key].default
            values[key] = _numbers("--set", key, text, json.dumps(default, default=_listed))
        elif key in options:
            values[key] = _choice(key, text, options[key].default)
        else:
            raise UnknownNameError(f"parameter or option of {kind.__name__}", key, (*parameters, *options))
    return values


def _of_file(key: str, path: Path) -> Any:
    """The numbers of a file, an array of NumPy or text."""
    import warnings

    import numpy as np

    try:
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of a file without numbers
            return np.loadtxt(path, delimiter="," if path.suffix == ".csv" else None)
    except (OSError, ValueError, UserWarning) as error:
        raise InputError(
            f"--set {key}", expected="a file with one row or column of numbers", got=quoted(str(error)), where=str(path)
        ) from None


def read_state(texts: Sequence[str]) -> dict[str, Any] | None:
    """The state from ``--state``, ``None`` if it says nothing.

    Raises
    ------
    InputError
        For a repeated key, and for text that is not JSON.
    """
    return read_numbers("--state", texts) or None


def read_numbers(flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """Numbers and arrays by name from a flag that is given once for each.

    Raises
    ------
    InputError
        For a repeated key, and for text that is not JSON.
    """
    return {k: _numbers(flag, k, v, "[0, 0, 1]") for k, v in _pairs(flag, texts).items()}


def read_driver(args: argparse.Namespace) -> Any:
    """The value of ``--driver``: a driver, an expression or 0; or the flags of a driver. ``None`` without any of them.

    Raises
    ------
    InputError
        For flags of several drivers, and for text that is not JSON.
    """
    from semidirect.random.registry import DRIVERS

    found: dict[str, Any] = {}
    if args.driver is not None:
        found["--driver"] = _zero_or_text(args.driver)
    for kind in DRIVERS.built_in.values():
        values = {flag.key: _value_of(flag, getattr(args, flag.key)) for flag in kind.flags}
        driver = kind.from_flags(values)
        if driver is not None:
            found[", ".join(f"--{flag.name}" for flag in kind.flags if values[flag.key] is not None)] = driver
    if len(found) > 1:
        raise InputError(f"{' and '.join(found)} state different drivers", hint="Give one of them.")
    return next(iter(found.values()), None)


def _zero_or_text(text: str) -> str | float:
    """An expression, or the number 0, which stands for no noise whatever the number of noises."""
    try:
        return 0.0 if float(text) == 0 else text
    except ValueError:
        return text


def _value_of(flag: Flag, value: Any) -> Any:
    name = f"--{flag.name}"
    if value is None:
        return None
    if flag.kind == "numbers":
        return _numbers(name, "", value, flag.example)
    if flag.kind == "sizes":
        return {k: _numbers(name, k, v, "10") for k, v in _pairs(name, value).items()}
    if flag.kind == "names":
        names = [part for entry in value for part in split_at_commas(entry)]
        if not names:
            got = repr(",".join(value))
            raise InputError(name, expected="names of quantities, such as energy,Omega", got=got)
        return names
    return value


def read_run_argument(name: str, args: argparse.Namespace) -> Any:
    """The object that specifies a part of a run, from the flags that its class declares.

    Raises
    ------
    InputError
        For values that cannot be used.
    """
    from semidirect.cli.arguments import run_argument

    kind = run_argument(name)
    return kind.from_flags({flag.key: _value_of(flag, getattr(args, flag.key)) for flag in kind.flags})


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for entry in texts:
        key, equals, text = entry.partition("=")
        key = key.strip()
        if not equals or not key:
            raise InputError(flag, expected="KEY=JSON", got=repr(entry), hint=f"Write for example {flag} key=1.5.")
        if key in pairs:
            raise InputError(f"{flag} {key} is given twice", got=f"{pairs[key]} and {text}", hint="Give it once.")
        pairs[key] = text
    return pairs


def _numbers(flag: str, key: str, text: str, example: str) -> Any:
    """A number, or nested arrays of numbers; their shape and size are checked later."""
    try:
        value = json.loads(text, parse_constant=_refused)
        if _all_numbers(value):
            return value
    except (ValueError, RecursionError):
        pass
    raise InputError(
        f"{flag} {key}".rstrip(), expected="JSON, a finite number or an array of such", got=quoted(text),
        hint=f"Write for example {flag} {shlex.quote(f'{key}={example}' if key else example)}.",
    )  # fmt: skip


def _choice(key: str, text: str, default: Any) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        if isinstance(default, str):
            return text
    raise InputError(
        f"--set {key}", expected="JSON, true or false" if isinstance(default, bool) else "JSON, a whole number",
        got=quoted(text), hint=f"Write for example --set {key}={json.dumps(default)}.",
    )  # fmt: skip


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _all_numbers(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_all_numbers, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _listed(value: Any) -> Any:
    return value.tolist()

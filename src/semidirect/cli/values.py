"""Values from the texts of arguments: one reader for each kind of value. Text is parsed, never evaluated."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast, final

from semidirect.core import Flag, errors, messages
from semidirect.text import split_at_commas

if TYPE_CHECKING:
    import semidirect as sd
    from semidirect.definition import plugins

TABLES = (".npy", ".csv", ".txt")
"""Files from which tables are read."""

RANDOM = "random"
"""The seed that is drawn."""


def whole(text: str) -> int:
    """A whole number, as an argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}") from None


def number(text: str) -> float:
    """A number, as an argument."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, got {text!r}") from None


def place(text: str) -> Path:
    """A path of the file system, as an argument."""
    try:
        if text and b"\0" not in os.fsencode(text):
            return Path(text)
    except UnicodeEncodeError:  # letters that no file can have in its name
        pass
    raise argparse.ArgumentTypeError(f"expected a path, got {text!r}")


def location(text: str) -> Path | str:
    """A path of the file system, or a URL, as an argument; whether it is a good URL is said where it is used."""
    return text if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", text) else place(text)


def seed(text: str) -> int | str:
    """A seed, as an argument: a whole number, or :data:`RANDOM`."""
    return text if text == RANDOM else whole(text)


def level(text: str) -> tuple[str, float]:
    """A quantity and its value, as an argument."""
    quantity, sign, value = text.rpartition("=")
    if not sign or not quantity.strip():
        raise argparse.ArgumentTypeError(f"expected a quantity and its value, 'dot(M, Gamma)=0', got {text!r}")
    return quantity.strip(), number(value)


@final
class Reader(NamedTuple):
    """How the parser takes the text of a kind of value, and how the value is read from what it took.

    Attributes
    ----------
    parse : callable(str), optional
        The value of one text, with errors of usage.
    read : callable(flag, parsed), optional
        The value of all that was given, with errors of ours.
    """

    parse: Callable[[str], Any] | None = None
    read: Callable[[Flag, Any], Any] = lambda _, value: value


def read_value(flag: Flag, value: Any) -> Any:
    """The value of a flag from what the parser took; ``None`` where it was not given.

    Raises
    ------
    InputError
        For text that cannot be used.
    """
    return None if is_unset(value) else READERS[flag.kind].read(flag, value)


def is_unset(value: Any) -> bool:
    """Whether a value says that its flag is not given; 0 is a value."""
    return value is None or value is False or value == []


def load(name: str, settings: Sequence[str] | None = None) -> sd.System:
    """The system that ``name`` stands for, with what ``--set`` says."""
    from semidirect.definition import plugins

    target = plugins.resolve(name)
    return cast("sd.System", target(**read_settings(target, settings)))


def read_settings(target: plugins.Loaded, texts: Sequence[str] | None) -> dict[str, Any]:
    """Parameters and options from ``--set``; the value of an option that is text may go without quotes, a table may be the
    name of a file.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown or repeated key, for text that is not JSON, and for a file that holds no row of numbers.
    """
    from semidirect.definition import Preset

    kind = target.system if isinstance(target, Preset) else target
    parameters, options = kind.workings.parameters(), kind.workings.options()
    values: dict[str, Any] = {}
    for key, text in _pairs("--set", texts or ()).items():
        if key in parameters and parameters[key].is_table and Path(text).suffix in TABLES:
            values[key] = _of_file(key, Path(text))
        elif key in parameters:
            default = parameters[key].default
            values[key] = _numbers("--set", key, text, json.dumps(default, default=_listed))
        elif key in options:
            values[key] = _choice(key, text, options[key].default)
        else:
            raise errors.UnknownNameError(f"parameter or option of {kind.__name__}", key, (*parameters, *options))
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
        raise errors.InputError(
            f"--set {key}",
            expected="a file with one row or column of numbers",
            got=messages.quoted(str(error)),
            where=str(path),
        ) from None


def _names(flag: Flag, texts: Sequence[str]) -> list[str]:
    names = [part for text in texts for part in split_at_commas(text)]
    if not names:
        got = repr(",".join(texts))
        expected = f"names, such as {flag.example}" if flag.example else "names of quantities, such as energy,Omega"
        raise errors.InputError(f"--{flag.name}", expected=expected, got=got)
    return names


def _methods(flag: Flag, text: str) -> list[str]:
    """Names of methods, whose arguments may contain commas."""
    names = [name.strip() for name in re.split(r",(?![^()]*\))", text) if name.strip()]
    if not names:
        raise errors.InputError(
            f"--{flag.name}", expected="names of methods, such as heun,lie-midpoint", got=repr(text)
        )
    return names


def _columns(flag: Flag, texts: Sequence[str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for entry in [part for text in texts for part in split_at_commas(text)]:
        name, sign, label = (part.strip() for part in entry.partition("="))
        if not (name and sign and label):
            raise errors.InputError(f"--{flag.name}", expected="QUANTITY=COLUMN, such as x=X,y=Y", got=repr(entry))
        if name in labels:
            raise errors.InputError(f"--{flag.name}", expected="each quantity once", got=f"{name!r} twice")
        labels[name] = label
    return labels


def _levels(flag: Flag, pairs: Sequence[tuple[str, float]]) -> dict[str, float]:
    repeated = [q for i, (q, _) in enumerate(pairs) if q in dict(pairs[:i])]
    if repeated:
        raise errors.InputError(f"--{flag.name}", expected="each quantity once", got=repeated[0])
    return dict(pairs)


def _arrays(flag: Flag, texts: Sequence[str]) -> dict[str, Any]:
    example = "10" if flag.kind == "sizes" else "[0, 0, 1]"
    return {k: _numbers(f"--{flag.name}", k, v, example) for k, v in _pairs(f"--{flag.name}", texts).items()}


READERS: Mapping[Flag.Kind, Reader] = {
    "number": Reader(number),
    "number-each": Reader(number),
    "whole": Reader(whole),
    "whole-each": Reader(whole),
    "seed": Reader(seed),
    "place": Reader(place),
    "places": Reader(place),
    "location": Reader(location),
    "text": Reader(),
    "texts": Reader(),
    "settings": Reader(),  # whose values depend on the system: read_settings
    "switch": Reader(),
    "numbers": Reader(read=lambda flag, text: _numbers(f"--{flag.name}", "", text, flag.example)),
    "methods": Reader(read=_methods),
    "names": Reader(read=_names),
    "columns": Reader(read=_columns),
    "sizes": Reader(read=_arrays),
    "arrays": Reader(read=_arrays),
    "levels": Reader(level, _levels),
}


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for entry in texts:
        key, equals, text = entry.partition("=")
        key = key.strip()
        if not equals or not key:
            raise errors.InputError(
                flag, expected="KEY=JSON", got=repr(entry), hint=f"Write for example {flag} key=1.5."
            )
        if key in pairs:
            raise errors.InputError(
                f"{flag} {key} is given twice", got=f"{pairs[key]} and {text}", hint="Give it once."
            )
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
    raise errors.InputError(
        f"{flag} {key}".rstrip(), expected="JSON, a finite number or an array of such", got=messages.quoted(text),
        hint=f"Write for example {flag} {shlex.quote(f'{key}={example}' if key else example)}.",
    )  # fmt: skip


def _choice(key: str, text: str, default: Any) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        if isinstance(default, str):
            return text
    raise errors.InputError(
        f"--set {key}", expected="JSON, true or false" if isinstance(default, bool) else "JSON, a whole number",
        got=messages.quoted(text), hint=f"Write for example --set {key}={json.dumps(default)}.",
    )  # fmt: skip


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _all_numbers(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_all_numbers, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _listed(value: Any) -> Any:
    return value.tolist()

"""What ``--set`` and ``--state`` say: ``key=JSON``, parsed and never evaluated."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semidirect.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from semidirect.plugins import Loaded
    from semidirect.system import System


def load(name: str, settings: Sequence[str]) -> System:
    """The installed system ``name`` with what ``--set`` says."""
    from semidirect import plugins

    loaded = plugins.load(name)
    return loaded(**read_settings(loaded, settings))


def read_settings(loaded: Loaded, texts: Sequence[str]) -> dict[str, Any]:
    """Parameters and options from ``--set``; the value of an option that is text may go without quotes.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown or repeated key, and for text that is not JSON.
    """
    from semidirect.preset import Preset

    kind = loaded.system if isinstance(loaded, Preset) else loaded
    parameters, options = kind.parameters(), kind.options()
    values: dict[str, Any] = {}
    for key, text in _pairs("--set", texts).items():
        if key not in parameters and key not in options:
            raise UnknownNameError(f"parameter or option of {kind.__name__}", key, (*parameters, *options))
        default = parameters[key].default if key in parameters else options[key].default
        try:
            values[key] = _parsed(text)
        except ValueError as error:
            if isinstance(default, str):
                values[key] = text
                continue
            example = f"{key}={json.dumps(default, default=_listed)}"
            raise _not_json("--set", key, text, error, example) from None
    return values


def read_state(texts: Sequence[str]) -> dict[str, Any] | None:
    """The state from ``--state``, ``None`` if it says nothing.

    Raises
    ------
    InputError
        For a repeated key, and for text that is not JSON.
    """
    values: dict[str, Any] = {}
    for key, text in _pairs("--state", texts).items():
        try:
            values[key] = _parsed(text)
        except ValueError as error:
            raise _not_json("--state", key, text, error, f"{key}=[0, 0, 1]") from None
    return values or None


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


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON, and no value here may be it")


def _not_json(flag: str, key: str, text: str, error: ValueError, example: str) -> InputError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    reason = "" if isinstance(error, json.JSONDecodeError) else f" ({error})"
    return InputError(
        f"{flag} {key}", expected="JSON: a number, an array such as [1, 0, 0], true, false or \"text\"",
        got=f"{shown!r}{reason}", hint=f"Write for example {flag} {shlex.quote(example)}.",
    )  # fmt: skip


def _listed(value: Any) -> Any:
    return value.tolist()

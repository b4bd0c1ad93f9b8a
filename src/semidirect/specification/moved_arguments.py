"""Arguments of runs: those that are fields of an object now, those that a function does not take, and the errors about them."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import CO_VARKEYWORDS
from typing import Any, ParamSpec, TypeVar

from semidirect.core import errors, explains_calls
from semidirect.specification.run_only import remedy

__all__ = ["ARGUMENTS", "MOVED", "OF_A_RUN", "names_moved_arguments"]

P = ParamSpec("P")
R = TypeVar("R")

MOVED: Mapping[str, tuple[str, str]] = {
    "keep": ("Save", "names"),
    "crossings": ("Save", "crossings"),
    "store": ("Save", "store"),
    "resume": ("Save", "resume"),
    "reduce_at": ("Reduce", "at"),
    "bounds": ("Checks", "bounds"),
    "on_failure": ("Checks", "on_failure"),
    "validate": ("Checks", "validate"),
    "error_check": ("Checks", "error_check"),
    "threads": ("Execution", "threads"),
    "executor": ("Execution", "executor"),
    "engine": ("Execution", "engine"),
    "progress": ("Execution", "progress"),
    "form": ("Formulation", "form"),
    "variables": ("Formulation", "variables"),
    "reconstruct": ("Formulation", "reconstruct"),
    "sensitivity": ("Formulation", "sensitivity"),
    "noise_dt": ("Wiener", "resolution"),
    "noise_covariance": ("Wiener", "covariance"),
    "increments": ("Wiener", "increment_law"),
}
"""Former argument, or what is taken for one → class and field."""

ARGUMENTS: Mapping[str, str] = {kind: "driver" if kind == "Wiener" else kind.lower() for kind, _ in MOVED.values()}
"""Class → the argument that takes its objects."""


OF_A_RUN = frozenset({"t_end", "dt", "t_start", "paths", "seed", "method", "state", "driver", "save", "reduce", "stop", "checks",
                      "execution", "formulation", *MOVED})  # fmt: skip
"""The arguments of ``simulate``, now and before: a function that runs paths may be given one that it does not take."""


def names_moved_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """A function that says of such an argument what to write now, of another one of ``simulate`` that it does not take what it
    takes, an :class:`InputError`, and explains its other calls.
    """
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    old_names = {name for name, (kind, _) in MOVED.items() if ARGUMENTS[kind] in parameters and name not in parameters}
    absent = frozenset() if code.co_flags & CO_VARKEYWORDS else OF_A_RUN - {*parameters} - old_names

    explained = explains_calls(function)

    @wraps(function)
    def checked(*args: P.args, **arguments: P.kwargs) -> R:
        if not old_names.isdisjoint(arguments):
            raise _error(function.__name__, arguments, old_names)
        if not absent.isdisjoint(arguments):
            raise _not_taken(function.__name__, [name for name in arguments if name in absent], parameters)
        return explained(*args, **arguments)

    checked.explains = True  # type: ignore[attr-defined]  # so that it is not wrapped again
    return checked


def _not_taken(function: str, names: list[str], parameters: Sequence[str]) -> errors.InputError:
    of_run = ", ".join(name for name in parameters if name in OF_A_RUN)
    return errors.InputError(
        f"{', '.join(names)} of {function}", expected=f"what it takes, of a run {of_run}",
        got=", ".join(f"{name}=" for name in names), hint=remedy(function, names),
    )  # fmt: skip


def _error(function: str, arguments: Mapping[str, Any], old_names: set[str]) -> errors.InputError:
    names = [name for name in arguments if name in old_names]
    objects: dict[str, list[str]] = {}
    for name in names:
        kind, field = MOVED[name]
        first = arguments.get(ARGUMENTS[kind]) if kind != "Wiener" else None
        fields = objects.setdefault(kind, [] if first is None else [reprlib.repr(first)])
        fields.append(f"{field}={_written(arguments[name])}")
    now = ", ".join(f"{ARGUMENTS[kind]}=sd.{kind}({', '.join(fields)})" for kind, fields in objects.items())
    expected = f"the argument{'s' * (len(objects) > 1)} {', '.join(ARGUMENTS[kind] for kind in objects)}"
    return errors.InputError(
        f"{', '.join(names)} of {function}", expected=expected, got=", ".join(f"{name}=" for name in names),
        hint=f"Write {now}.",
    )  # fmt: skip


def _written(value: Any) -> str:
    plain = value is None or isinstance(value, (str, int, float, list, tuple, dict))
    return reprlib.repr(value) if plain else "…"

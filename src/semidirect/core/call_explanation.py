"""The error in the arguments of a call, and the right form of the call: read when a call has failed."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from semidirect.core.errors import CallError
from semidirect.core.messages.near_names import nearest_name

ELSEWHERE: Mapping[str, str] = {
    "stop": "Paths continue to the end here; those that stop are of system.simulate(stop=…). ",
    "reduce": "Statistics while paths run are of system.simulate(reduce=…). ",
    "save": "What is saved is said to system.simulate(save=…). ",
    "checks": "Bounds, and what becomes of paths that fail, are said to system.simulate(checks=…). ",
    "formulation": "The form of the equations is chosen here; it is said to system.simulate(formulation=…). ",
    "driver": "The noise is that of Wiener processes here; a driver is said to system.simulate(driver=…). ",
}
"""Arguments of runs that other functions do not take, and where they belong."""

USUAL: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("solver", "integrator", "scheme", "stepper"), ("method",)),
    **dict.fromkeys(("step", "h", "delta_t", "timestep", "time_step", "step_size", "max_step"), ("dt",)),
    **dict.fromkeys(("T", "duration", "t_final", "tmax", "t_max", "t_span", "time", "end", "steps", "n_steps"), ("t_end",)),
    **dict.fromkeys(("t0", "start", "t_begin"), ("t_start",)),
    **dict.fromkeys(("n", "N", "samples", "realisations", "realizations", "trajectories", "size"), ("paths", "particles")),
    **dict.fromkeys(("rng", "random_state", "key"), ("seed",)),
    **dict.fromkeys(("initial", "initial_state", "x0", "y0", "u0", "initial_condition"), ("state",)),
    **dict.fromkeys(("quantities", "variables", "observables", "columns"), ("names", "quantities", "quantity", "over")),
    **dict.fromkeys(("quantity", "observable", "name"), ("names", "quantities", "quantity")),
    **dict.fromkeys(("threads", "workers", "n_jobs", "backend", "parallel"), ("execution",)),
    **dict.fromkeys(("events", "event", "until"), ("stop",)),
    **dict.fromkeys(("file", "path", "filename", "fname"), ("output", "store")),
}  # fmt: skip
"""Names of arguments in other libraries, and those that they have here."""
MOST_SHOWN = 6
"""Arguments of a call that are written out."""


def raise_explained(
    function: Callable[..., Any], args: Sequence[Any], arguments: Mapping[str, Any], error: TypeError
) -> NoReturn:
    """Raise the error of a call that does not fit the signature, explained; any other one as it is."""
    signature = inspect.signature(function)
    try:
        signature.bind(*args, **arguments)
    except TypeError:
        pass
    else:
        raise error
    explanation = _call_error(function, signature, args, arguments)
    raise (error if explanation is None else explanation) from None


def _call_error(function: Callable[..., Any], signature: inspect.Signature, args: Sequence[Any],
                arguments: Mapping[str, Any]) -> CallError | None:  # fmt: skip
    parameters = list(signature.parameters.values())
    name = function.__name__
    if name == "__init__":
        name = type(args[0]).__name__
    if parameters and parameters[0].name in ("self", "cls") and args:
        parameters, args = parameters[1:], args[1:]
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    in_order = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    how = _written(name, parameters)
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for argument in arguments:
            if argument not in names:
                usual = next((one for one in USUAL.get(argument, ()) if one in names), None)
                near = usual or nearest_name(argument, names)
                elsewhere = getattr(function, "elsewhere", ELSEWHERE)
                question = elsewhere.get(argument, f"Did you mean {near!r}? " if near else "")
                return CallError(f"unknown argument {argument!r} of {name}", hint=f"{question}Write {how}.")
    if len(args) > len(in_order) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        count = len(in_order)
        expected = (
            "arguments with their names"
            if not count
            else f"{count} without {'its name' if count == 1 else 'their names'}"
        )
        got = ", ".join(map(reprlib.repr, args[:MOST_SHOWN]))
        return CallError(f"arguments of {name}", expected=expected, got=got, hint=f"Write {how}.")
    for argument in in_order[: len(args)]:
        if argument in arguments:
            return CallError(f"the argument {argument!r} of {name} is given twice", hint=f"Write {how}.")
    required = [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    missing = [argument for argument in required if argument not in arguments and argument not in in_order[: len(args)]]
    if missing:
        several = "s" * (len(missing) > 1)
        return CallError(f"{name} needs the argument{several} {', '.join(map(repr, missing))}", hint=f"Write {how}.")
    return None


def _written(name: str, parameters: Sequence[inspect.Parameter]) -> str:
    """How a call is written: its required arguments, then others."""
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    others = [p for p in parameters if p.default is not p.empty]
    examples = [p.name if p.kind is p.POSITIONAL_ONLY else _example(p) for p in required]
    examples += [f"{p.name}=…" for p in others[: max(0, MOST_SHOWN - len(examples))]]
    return f"{name}({', '.join(examples)}{', …' if len(others) + len(required) > len(examples) else ''})"


def _example(parameter: inspect.Parameter) -> str:
    return f"{parameter.name}=…" if parameter.kind is parameter.KEYWORD_ONLY else parameter.name

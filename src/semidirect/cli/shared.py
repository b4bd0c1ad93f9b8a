"""Every kind of argument that several commands take, declared once; a parameter of a function has it by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from semidirect.cli.argument import Argument, Call, made_of_flags, of_object
from semidirect.cli.values import load
from semidirect.core import Flag, errors

NAME = Flag(
    "system", "an installed system, 'semidirect list' shows them; or MODULE:CLASS, a class of a module in this folder",
    metavar="NAME", position="one", destination="name", completion="systems",
)  # fmt: skip
SET = Flag(
    "set", "a parameter or option, e.g. --set mass=2 --set 'inertia=[2, 2, 1.5]', a table also as a file, --set heights=h.npy; "
    "may be repeated", "settings", "KEY=JSON", destination="settings", completion="settings",
)  # fmt: skip
STATE = Flag(
    "state", "a state variable, e.g. --state 'Omega=[0, 0, 1]'; may be repeated; the rest is the recommended state", "arrays",
    "KEY=JSON", completion="state",
)  # fmt: skip
METHOD = Flag("method", "the method, e.g. heun (default: the system's)", metavar="M", completion="methods")
DRIVER = Flag(
    "driver", "a path that replaces the noise, 'sin(t)', or '[sin(t), t**2]' for two noises; 0 for no noise; sobol for "
    "Sobol points; or a driver of an installed package, 'name(argument)'", metavar="W(t)",
)  # fmt: skip
QUANTITY = Flag("quantity", "an additional quantity; may be repeated", "texts", "Q", completion="quantities")
SAVED_RUN = Flag("run", "a run saved by 'semidirect run … -o RUN'", "location", "RUN", position="one")


def _driver_flags() -> Sequence[Flag]:
    from semidirect.random import drivers

    return [DRIVER, *(flag for kind in drivers.DRIVERS.built_in.values() for flag in kind.flags)]


def _driver(call: Call) -> Any:
    """A driver, an expression or 0; or the driver that its flags describe.

    Raises
    ------
    InputError
        For flags of several drivers, and for text that is not JSON.
    """
    from semidirect.random import drivers

    by_flag: dict[str, Any] = {}
    if (text := call.read(DRIVER)) is not None:
        by_flag["--driver"] = _zero_or_text(text)
    for kind in drivers.DRIVERS.built_in.values():
        driver = made_of_flags(kind, call)
        if driver is not None:
            by_flag[", ".join(f"--{flag.name}" for flag in kind.flags if call.read(flag) is not None)] = driver
    if len(by_flag) > 1:
        raise errors.InputError(f"{' and '.join(by_flag)} state different drivers", hint="Give one of them.")
    return next(iter(by_flag.values()), None)


def _zero_or_text(text: str) -> str | float:
    """An expression, or the number 0, which stands for no noise whatever the number of noises."""
    try:
        return 0.0 if float(text) == 0 else text
    except ValueError:
        return text


ARGUMENTS: Mapping[str, Argument | Flag] = {
    "system": Argument((NAME, SET), lambda call: load(call.args.name, call.args.settings)),
    "state": STATE,
    "t_start": Flag(
        "t-start", "start [s], a multiple of dt: times are absolute, in the system, the noise and the saved data (default: 0)",
        "number", "S",
    ),
    "t_end": Flag("t-end", kind="number", metavar="S"),
    "dt": Flag("dt", kind="number", metavar="S"),
    "paths": Flag("paths", "number of paths (default: 1, or as many as states given)", "whole", "N"),
    "seed": Flag("seed", "seed of the noise (default: 0)", "whole", "N"),
    "method": METHOD,
    "methods": Flag("methods", "such as heun,lie-midpoint,sdelab(0.5)", "methods", "A,B,…", completion="methods"),
    "reference": Flag("reference", metavar="M", completion="methods"),
    "driver": Argument(_driver_flags, _driver, "noise of the run"),
    "save": of_object("semidirect:Save", "what is saved"),
    "reduce": of_object("semidirect:Reduce", "statistics"),
    "checks": of_object("semidirect:Checks", "checks"),
    "formulation": of_object("semidirect:Formulation", "equations"),
    "execution": of_object("semidirect:Execution", "computation"),
    "quantities": QUANTITY,
    "levels": Flag("levels", kind="whole", metavar="N"),
    "form": Flag("form", "default: stratonovich", choices=("stratonovich", "ito")),
    "on": Flag("on", kind="levels", metavar="QUANTITY=VALUE"),
}  # fmt: skip
"""Parameter → what it is on the command line. Help that is empty is the first sentence of the docstring on the parameter."""

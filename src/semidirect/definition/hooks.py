"""The parts that a system may state, each as a method without arguments, a property or an attribute, and how it is read."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from semidirect.core import errors, user_code

ATTRIBUTES = ("group", "advected", "initial", "momentum_names", "units", "symbols", "method")
"""Read as attributes, ``system.group``."""
METHODS = ("constraint", "internal", "shape", "dissipation")
"""Read by :func:`value_of`."""
FORCES = ("force", "noise_force", "independent_force")
ENERGIES = ("lagrangian", "hamiltonian", "noise_hamiltonian")
"""Functions of velocities or momenta."""
HOOKS = (*ATTRIBUTES, *METHODS, *FORCES, *ENERGIES, "configuration", "energy", "check")

_NOISE = "The noise belongs to the constraint: return sd.Unconstrained(noise=…), for example, from constraint(self)."
ELSEWHERE = MappingProxyType(
    {
        **dict.fromkeys(("noise", "noises", "noise_fields", "noisefields", "transport_noise"), _NOISE),
        **dict.fromkeys(("initial_state", "start", "state"), "The recommended state is initial = {…}."),
    }
)
"""Names that suggest something which a system states under another one."""


def prepare(cls: type, root: type, declared: set[str]) -> None:
    """Make a new class of systems, which descends from a root, ready: its methods that are read as attributes become properties.

    Raises
    ------
    DefinitionError
        For a misspelled name, in the class or in its bases that are no systems.
    """
    attribute_names = _read_in(cls)
    elsewhere = {name: hint for name, hint in ELSEWHERE.items() if name not in attribute_names}
    user_code.refuse_misspelled(cls, root, HOOKS, declared=declared, elsewhere=elsewhere)
    for name in ATTRIBUTES:
        method = vars(cls).get(name)
        if isinstance(method, types.FunctionType):
            setattr(cls, name, property(method))


def _read_in(cls: type) -> set[str]:
    """Names that the functions of a class read."""
    names: set[str] = set()
    for value in vars(cls).values():
        inner = (
            getattr(value, name, None) for name in ("__func__", "fget", "func", "method")
        )  # of properties and observables
        waiting = [one.__code__ for one in (value, *inner) if isinstance(one, types.FunctionType)]
        while waiting:
            code = waiting.pop()
            names |= set(code.co_names)
            waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return names


def value_of(system: Any, name: str) -> Any:
    """The value that a system states under a name.

    Raises
    ------
    DefinitionError
        For a method that takes arguments.
    """
    value = getattr(system, name)
    if not callable(value):
        return value
    try:
        inspect.signature(value).bind()
    except TypeError as error:
        raise errors.DefinitionError(
            f"{type(system).__name__}.{name}", expected="a method without arguments but self, a property or an attribute",
            got=str(error),
        ) from None  # fmt: skip
    except ValueError:  # a builtin
        pass
    return value()


def function_of(system: Any, name: str) -> Callable[..., Any] | None:
    """The function of the state that a system states under a name; a value that is not a function is a constant one."""
    value = getattr(system, name)
    return value if value is None or callable(value) else lambda: value

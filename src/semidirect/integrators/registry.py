"""Methods by name."""

from __future__ import annotations

import re

from semidirect.core import errors, registry
from semidirect.integrators.method import Integrator

METHODS: registry.Registry[Integrator] = registry.Registry("method", Integrator, __package__, "semidirect.methods")  # type: ignore[type-abstract]
"""All methods: the final integrators of this package, and those that other packages declare as ``semidirect.methods``."""


def integrator(method: str | Integrator) -> Integrator:
    """An integrator from its name: ``heun``, ``sdelab(0.5)``, ``lie-heun(exp)``.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    InputError
        If its argument cannot be used, or its package cannot be loaded.
    """
    if isinstance(method, Integrator):
        return method
    if not isinstance(method, str):
        raise errors.InputError("method", expected="a name or an Integrator", got=repr(method))
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", method)
    name, argument = (match[1], match[2]) if match else (method, None)
    kind = METHODS[name]
    return kind() if argument is None else kind.from_argument(argument.strip(), integrator)

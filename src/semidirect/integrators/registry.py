"""Methods by name."""

from __future__ import annotations

import re

from semidirect.errors import InputError, UnknownNameError
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.euler_maruyama import EulerMaruyama
from semidirect.integrators.heun import EulerHeun, Heun
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint
from semidirect.integrators.integrator import Integrator
from semidirect.integrators.lie import LieHeun, LieMidpoint
from semidirect.integrators.lie_milstein import LieMilstein
from semidirect.integrators.milstein import Milstein
from semidirect.integrators.sdelab import SDELab
from semidirect.integrators.sra1 import SRA1
from semidirect.integrators.weak_runge_kutta import RS1, RS2

METHODS: dict[str, type[Integrator]] = {
    m.name: m
    for m in (
        Heun, EulerHeun, SDELab, ImplicitMidpoint, EulerMaruyama, Milstein, SRA1, RS1, RS2, LieHeun, LieMidpoint,
        LieMilstein, DOP853,
    )
}  # fmt: skip


def integrator(method: str | Integrator) -> Integrator:
    """An integrator from its name: ``heun``, ``sdelab(0.5)``, ``lie-heun(exp)``.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    InputError
        If its argument cannot be used.
    """
    if isinstance(method, Integrator):
        return method
    if not isinstance(method, str):
        raise InputError("method", expected="a name or an Integrator", got=repr(method))
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\(\s*([^()]*?)\s*\))?\s*", method)
    name, argument = (match[1], match[2]) if match else (method, None)
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    kind = METHODS[name]
    if argument is None:
        return kind()
    if kind is SDELab:
        try:
            return SDELab(float(argument))
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError("sdelab(alpha)", expected="a number", got=repr(argument)) from None
    if kind is LieHeun or kind is LieMidpoint:
        if argument == "exp":
            return kind(by="exp")
        if argument == "cayley":
            return kind(by="cayley")
        raise InputError(f"{name}(retraction)", expected="exp or cayley", got=repr(argument))
    if kind is Milstein:
        return kind.from_argument(argument)
    raise InputError(f"method {name!r} takes no argument", got=repr(argument), hint=f"Write {name}.")

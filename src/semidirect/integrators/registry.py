"""Methods by name."""

from __future__ import annotations

import re

from semidirect.core.errors import InputError, UnknownNameError
from semidirect.integrators.coadjoint_midpoint import CoadjointMidpoint
from semidirect.integrators.dop853 import DOP853
from semidirect.integrators.euler_maruyama import EulerMaruyama
from semidirect.integrators.gauss import Gauss
from semidirect.integrators.heun import EulerHeun, Heun
from semidirect.integrators.implicit_midpoint import ImplicitMidpoint
from semidirect.integrators.integrator import Integrator
from semidirect.integrators.lie import LieHeun, LieMidpoint
from semidirect.integrators.lie_milstein import LieMilstein
from semidirect.integrators.lift import RKMK4, Lift
from semidirect.integrators.milstein import Milstein
from semidirect.integrators.nonholonomic import Nonholonomic
from semidirect.integrators.rk4 import RK4
from semidirect.integrators.sdelab import SDELab
from semidirect.integrators.sra1 import SRA1
from semidirect.integrators.variational import Variational
from semidirect.integrators.weak_runge_kutta import RS1, RS2

METHODS: dict[str, type[Integrator]] = {
    m.name: m
    for m in (
        Heun, EulerHeun, RK4, SDELab, ImplicitMidpoint, Gauss, EulerMaruyama, Milstein, SRA1, RS1, RS2, LieHeun, LieMidpoint,
        LieMilstein, Lift, RKMK4, CoadjointMidpoint, Variational, Nonholonomic, DOP853,
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
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", method)
    name, argument = (match[1], match[2]) if match else (method, None)
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]() if argument is None else METHODS[name].from_argument(argument.strip(), integrator)

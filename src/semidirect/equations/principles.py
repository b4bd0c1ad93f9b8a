"""The principles by name."""

from __future__ import annotations

from semidirect.core import errors
from semidirect.equations.hamilton_pontryagin import HamiltonPontryagin
from semidirect.equations.lagrange_dalembert import LagrangeDAlembert
from semidirect.equations.principle import Principle

PRINCIPLES: dict[str, type[Principle]] = {
    "hamilton-pontryagin": HamiltonPontryagin,
    "lagrange-dalembert": LagrangeDAlembert,
}


def named(name: str) -> Principle:
    """The principle of that name; raises :class:`UnknownNameError`."""
    if name not in PRINCIPLES:
        raise errors.UnknownNameError("principle", name, PRINCIPLES)
    return PRINCIPLES[name]()

"""The equations of a system, derived once for each structure: class, options and shapes of the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semidirect.core.errors import InputError
from semidirect.definition.kinds import a_system

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.equations.sde import StratonovichSDE

_derived: dict[tuple[Any, ...], StratonovichSDE] = {}


def derived_sde(
    system: SystemDefinition,
    principle: str = "hamilton-pontryagin",
    *,
    variables: str = "momentum",
    form: str | None = None,
) -> StratonovichSDE:
    """The equations of a system by a principle; arguments as those of :meth:`semidirect.system.System.sde`."""
    for what, value in (("principle", principle), ("state variables", variables), ("form", form)):
        if not (isinstance(value, str) or (value is None and what == "form")):
            raise InputError(what, expected="a name", got=repr(value))
    a_system(system)
    own = (derived_sde, principle, variables, form)
    if own not in system.cache:
        system.cache[own] = _derive(system, principle, variables, form)
    sde: StratonovichSDE = system.cache[own]
    return sde


def _derive(system: SystemDefinition, principle: str, variables: str, form: str | None) -> StratonovichSDE:
    """Derive, or take what was derived for a system of the same class, shapes and functions."""
    from semidirect.definition.identity import first_identity, identity
    from semidirect.equations import principles

    key = (system.signature, first_identity(system), principle, variables, form)
    if key in _derived:
        return _derived[key]
    sde = principles.named(principle).derive(
        system.symbolic_definition(),
        variables=variables,  # type: ignore[arg-type]
        form=form,  # type: ignore[arg-type]
    )
    if identity(system) == first_identity(system):  # else a function changed since it was first asked
        _derived[key] = sde
    return sde

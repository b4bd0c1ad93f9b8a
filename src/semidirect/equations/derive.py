"""The equations of a system, derived once for each structure: class, options and shapes of the parameters."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from typing import TYPE_CHECKING

from semidirect.core import errors, messages
from semidirect.definition import a_system

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations.kinematics import SymbolicDefinition
    from semidirect.equations.sde import StratonovichSDE

_log = logging.getLogger(__name__)


def derived_sde(
    system: SystemDefinition,
    principle: str = "hamilton-pontryagin",
    *,
    variables: str = "momentum",
    form: str | None = None,
    lettered: bool = False,
) -> StratonovichSDE:
    """The equations of a system by a principle; arguments as those of :meth:`semidirect.system.System.sde`.

    ``lettered``: for reading; what the definition names by ``@sd.derived`` has stages of its own, with its derivatives.
    """
    for what, value in (("principle", principle), ("state variables", variables), ("form", form)):
        if not (isinstance(value, str) or (value is None and what == "form")):
            raise errors.InputError(what, expected="a name", got=repr(value))
    a_system(system)
    system.workings.refuse_arrays()
    own = (derived_sde, principle, variables, form, lettered)
    sde: StratonovichSDE = system.workings.known(own, lambda: _derive(system, principle, variables, form, lettered))
    return sde


def lettered_setting(system: SystemDefinition) -> SymbolicDefinition:
    """The expressions of a definition, with letters for the quantities that it names."""
    setting: SymbolicDefinition = system.workings.known(
        lettered_setting, lambda: _lettered(system.workings.symbolic_definition())
    )
    return setting


def _lettered(definition: Definition) -> SymbolicDefinition:
    """Letters would hide ∂l/∂a from a dissipation, which is made of it."""
    from semidirect.equations.kinematics import SymbolicDefinition

    return SymbolicDefinition.of(definition, lettered=definition.dissipation is None)


def _derive(
    system: SystemDefinition, principle: str, variables: str, form: str | None, lettered: bool
) -> StratonovichSDE:
    """Derive, or reuse the equations of a system of the same class, shapes and functions."""
    from semidirect.definition import Identity
    from semidirect.equations import principles
    from semidirect.equations.forecast import Forecast, is_large

    cache: dict[Hashable, StratonovichSDE] = system.workings.shared_results
    key = (_derive, system.workings.signature, Identity.first(system), principle, variables, form, lettered)
    if key in cache:
        return cache[key]
    by, how = principles.named(principle), {"variables": variables, "form": form}
    setting = lettered_setting(system) if lettered else None
    if setting is not None and not setting.letters:
        sde = derived_sde(system, principle, variables=variables, form=form)
    else:
        definition = system.workings.symbolic_definition()
        expected = Forecast.of(definition) if is_large(definition) else None
        with messages.announced(_log, "deriving the equations of %s in %s variables", type(system).__name__, variables,
                                seconds=expected.derivation if expected else 0.0, advice=str(expected)):  # fmt: skip
            if setting is None:
                sde = by.derive(definition, **how)  # type: ignore[arg-type]
            else:
                sde = by.equations(setting, **how)  # type: ignore[arg-type]
    first = Identity.first(system)
    if Identity.of(system) == first and not (
        lettered and first.code is None
    ):  # else a function changed, or its code is unknown
        cache[key] = sde
    return sde

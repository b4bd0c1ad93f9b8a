"""Exports a system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from semidirect.core import arguments, errors
from semidirect.definition import in_scalars
from semidirect.export.exported import Exported
from semidirect.export.program import PARTS, ExportedProgram
from semidirect.export.target import TARGETS
from semidirect.integrators import integrator
from semidirect.model import NumericalSDE
from semidirect.pages import Equations
from semidirect.specification import MethodLike, default_method

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["export"]


def export(
    system: SystemDefinition, to: str, *, what: str | Sequence[str] | None = None, method: MethodLike | None = None,
    quantities: Sequence[str] | None = None, name: str | None = None,
) -> Exported:  # fmt: skip
    """The steps of a system as a file in another language.

    Parameters
    ----------
    system : System
        With one value of each parameter, which is no table.
    to : str
        The name of a target: ``"c"``, C99 with ``<math.h>`` alone; ``"numpy"``, ``"jax"`` or ``"casadi"``, a module of Python
        that needs this package alone; or one that an installed package adds.
    what : str or sequence of str, optional
        ``"fields"``, drift and diffusion; ``"step"``, the steps of the method; ``"observables"``, the quantities. Default all.
    method : str or Integrator, optional
        A method of fixed steps; default that of a run.
    quantities : sequence of str, optional
        The quantities that ``NAME_observe`` returns, in the order of the library; default all quantities.
    name : str, optional
        The prefix of names in the file; default the name of the class.

    Raises
    ------
    InputError, MethodError
        For what cannot be exported, with the reason.
    """
    system = in_scalars(system)
    target = TARGETS[arguments.validated_name("export target", to, list(TARGETS))]()
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(system).__name__).lower() if name is None else name
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", stem):
        raise errors.InputError("the name of an export", expected="letters, digits and _", got=repr(name))
    chosen = None if quantities is None else arguments.validated_names("quantities", quantities)
    parts = (
        None
        if what is None
        else [
            arguments.validated_name("part of an export", x, PARTS)
            for x in ([what] if isinstance(what, str) else arguments.validated_names("what", what, least=1))
        ]
    )
    program = program_of(system, method, chosen, parts)
    return Exported(target.text(program, stem), target.name, stem + target.ending, target.companions(program, stem))


def program_of(
    system: SystemDefinition,
    method: MethodLike | None = None,
    quantities: Sequence[str] | None = None,
    parts: Sequence[str] | None = None,
) -> ExportedProgram:
    """The program that a target writes."""
    model = NumericalSDE.of(system)
    stated = default_method(system, model, noisy=model.wieners > 0).method if method is None else method
    return ExportedProgram.of(system, integrator(stated), quantities, str(Equations(system)), parts)

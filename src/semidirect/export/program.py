"""The export of a system: the instructions of a step and of quantities, the start and the parameters, with their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.compile import Trace, inputs
from semidirect.core import display, errors, failure, interpolation
from semidirect.expressions import component_names
from semidirect.instructions import InstructionList, needed
from semidirect.integrators import AdaptiveIntegrator, Advance, Integrator
from semidirect.model import NumericalSDE
from semidirect.quantities import Quantities
from semidirect.random import Wiener
from semidirect.specification import driving_process
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

__all__ = ["PARTS", "ExportedProgram"]

PARTS = ("fields", "step", "observables")
"""What a file may have: drift and diffusion, steps of the method, quantities."""


@final
@dataclass(frozen=True, repr=False)
class ExportedProgram(display.Brief):
    """The programs of a step and of quantities; inputs are the arrays ``y``, ``s``, ``q``, ``w`` and the numbers ``t``, ``dt``.

    Attributes
    ----------
    system, method : str
        The names of the class of the system and of the method.
    step : InstructionList
        Results: the state, the coordinates of s, and, of a method that rotates, the square of the angle of the step.
    observed : InstructionList
        Results: the quantities, one after the other.
    largest_turn : float or None
        The angle [rad] beyond which a step has failed, if it has one.
    state, stored, parameters, quantities : tuple of str
        Names of the components, in order; of quantities with their units.
    y, s, q : tuple of float
        The start, and the values of the parameters.
    noises, rows : int
        The number of Wiener processes, and of rows of w: their increments, then their iterated integrals.
    integrals : str or None
        The name of these integrals.
    weak : bool
        Whether increments have three values.
    page : str
        The equations, as text.
    parts : tuple of str
        The parts of a file, of :data:`PARTS`.
    model : NumericalSDE
        From which the fields are traced.
    """

    system: str
    method: str
    step: InstructionList
    observed: InstructionList
    largest_turn: float | None
    state: tuple[str, ...]
    stored: tuple[str, ...]
    parameters: tuple[str, ...]
    quantities: tuple[str, ...]
    y: tuple[float, ...]
    s: tuple[float, ...]
    q: tuple[float, ...]
    noises: int
    rows: int
    integrals: str | None
    weak: bool
    page: str
    parts: tuple[str, ...]
    model: NumericalSDE = field(repr=False, compare=False)

    @classmethod
    def of(
        cls, system: SystemDefinition, method: Integrator, names: Sequence[str] | None, page: str,
        parts: Sequence[str] | None = None,
    ) -> ExportedProgram:  # fmt: skip
        """The programs of a system, traced once.

        Raises
        ------
        InputError, MethodError, DefinitionError
            For parameters per path, tables, methods that need more than increments of normal law, and systems of matrices.
        """
        if system.workings.paths is not None:
            raise errors.InputError("a system to export", expected="one value of each parameter", got="parameters per path",
                                    hint="Export that of one path, system.at_path(0).")  # fmt: skip
        model = NumericalSDE.of(system)
        if not model.compiles:
            raise system.workings.not_written_out("an export")
        _refuse(model, method)
        contents = Quantities.of(system, model, names)
        rows = {k: contents.everything[k] for k in contents.saved_names}
        start = InitialState.of(system, None, model=model)
        turn, step = _step(model, method)
        units = contents.units
        labels = [(label, units.get(k, "")) for k, r in rows.items() for label in _components(k, len(r))]
        q = tuple(float(x) for x in model.parameters)
        return cls(
            type(system).__name__, method.label, step, _observed(model, rows), turn, tuple(model.state_names),
            tuple(model.coordinates), tuple(str(p) for p in model.sde.definition.parameters),
            tuple(f"{label} [{unit}]" if unit else label for label, unit in labels),
            tuple(map(float, start.vector(model, 0.0)[:, 0])), tuple(map(float, start.stored[: len(model.coordinates), 0])), q,
            model.wieners, method.rows(model.wieners), None if method.integrals is None else method.integrals.name, method.weak,
            page, tuple(x for x in PARTS if parts is None or x in parts), model,
        )  # fmt: skip

    @cached_property
    def drift(self) -> InstructionList:
        """The program of the rates of y and then of s without noise."""
        return _fields(self.model, range(1))

    @cached_property
    def diffusion(self) -> InstructionList:
        """The program of the coefficients of the Wiener processes in dy and then in ds, row by row, in Stratonovich's sense."""
        return _fields(self.model, range(1, 1 + self.noises))


def _components(name: str, size: int) -> Sequence[str]:
    return (name,) if size == 1 else component_names.component_names(name, size)


def _refuse(model: NumericalSDE, method: Integrator) -> None:
    if any(isinstance(p, interpolation.AnyTable) for p in model.parameters):
        raise errors.InputError("a system to export", expected="parameters that are numbers", got="a table",
                                hint="Give a formula in its place.")  # fmt: skip
    if isinstance(method, AdaptiveIntegrator):
        raise errors.MethodError(f"{method.label} chooses its steps, which is not exported",
                                 hint="Use a method of fixed steps, such as lie-heun or implicit-midpoint.")  # fmt: skip
    driver = Wiener(increment_law="three-point") if method.weak else Wiener()
    driving_process(model, method, driver, seed=0, dt=1.0, steps=range(1), paths=1)  # refuses what a run refuses


def _step(model: NumericalSDE, method: Integrator) -> tuple[float | None, InstructionList]:
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "q", len(model.parameters)))
    t: Any = trace.input("t")
    dt: Any = trace.input("dt")
    y, s = inputs(trace, "y", len(model.state_names)), inputs(trace, "s", len(model.coordinates))
    step, stored = Advance(method, traced, scalars=True)(y, s, t, dt, inputs(trace, "w", method.rows(model.wieners)))
    square = model.rotation_angle_sq(step.v) if method.geometric else None
    results = [*step.y, *stored, *(() if square is None else (square,))]
    return None if square is None else failure.LARGEST_TURN, needed(trace.program(results))


def _fields(model: NumericalSDE, columns: range) -> InstructionList:
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "q", len(model.parameters)))
    y, s = inputs(trace, "y", len(model.state_names)), inputs(trace, "s", len(model.coordinates))
    t: Any = trace.input("t")
    fields = list[Any]()
    for k in columns:
        column = traced.flat_column(k, y, t)
        fields.append([*column[: len(y)], *(traced.flow(s, column[len(y) :]) if len(s) else ())])
    return needed(trace.program(value for row in zip(*fields, strict=True) for value in row))


def _observed(model: NumericalSDE, rows: Any) -> InstructionList:
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "q", len(model.parameters)))
    y, s = inputs(trace, "y", len(model.state_names)), inputs(trace, "s", len(model.coordinates))
    values = traced.read_rows(y, s, trace.input("t"), rows)
    return needed(trace.program(np.ravel(np.asarray(values, dtype=object))))

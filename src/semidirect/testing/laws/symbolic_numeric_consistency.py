"""Whether the functions of a definition give the same for symbols and for numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from semidirect.core import Blocks, block
from semidirect.definition import SystemDefinition
from semidirect.equations import Program, derived_sde, emission, quantity_expressions
from semidirect.model import NumericalSDE, answers_of_functions
from semidirect.state import InitialState

_WHOLE, _MOMENTUM = "whole velocity", "whole momentum"
"""Names that no block of a group has; ``xi`` would be one of the Heisenberg group."""


class SymbolicNumericConsistency:
    """A system's functions called with symbols and then evaluated, compared with the same functions called with numbers.

    They differ if a function branches on a value: ``if self.offset == 0`` is silently False for a symbol.

    Parameters
    ----------
    system : SystemDefinition
    like : SymbolicNumericConsistency, optional
        That of another system; what has the same expressions is not compiled again.
    """

    def __init__(self, system: SystemDefinition, like: SymbolicNumericConsistency | None = None):
        self.system, self.definition = system, system.workings.definition()
        self.sde = derived_sde(system, variables="velocity")
        self.model = NumericalSDE.of(system, variables="velocity")
        s, d, program = self.sde.setting, self.sde.definition, self.sde.program
        inputs = (*self.sde.state, *self.sde.coordinates.values(), s.t, *d.parameters)
        self._watched = {**system.workings.quantities(derived=True), **system.observables()}
        quantities = {
            name: quantity_expressions.component_expressions(system, o, self.sde) for name, o in self._watched.items()
        }
        self._answers: _Compiled
        self._scope: _Compiled
        self._quantities: _Compiled
        if like is not None and like.sde is self.sde:
            self._answers, self._scope = like._answers, like._scope
            same = like._quantities.rows == quantities
            self._quantities = like._quantities if same else _Compiled(program, inputs, quantities)
            return
        self._answers = _Compiled(Program((), (), {}), s.arguments, answers_of_functions.answers_of_symbols(s))
        scope = {name: list(np.asarray(value).reshape(-1)) for name, value in self.sde.scope.items()}
        self._scope = _Compiled(
            program, inputs, {**scope, _WHOLE: program.outputs["xi"], _MOMENTUM: program.outputs["p"]}
        )
        self._quantities = _Compiled(program, inputs, quantities)

    def __reduce__(self) -> tuple[Any, ...]:
        return SymbolicNumericConsistency, (self.system,)

    def at(self, state: Mapping[str, Any], t: float = 0.25) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """Name, answer by way of symbols, answer of the function itself, for everything that the user gives."""
        start = InitialState.of(self.system, state)
        u, a, z, stored = (list(x[:, 0]) for x in (start.u, start.a, start.z, start.stored))
        parameters = list(self.model.parameters)
        with np.errstate(all="ignore"):
            scope = self._scope(*u, *a, *z, *stored, t, *parameters)
            xi, p = scope.pop(_WHOLE), scope.pop(_MOMENTUM)
            own = p if self.definition.has_momenta else []
            symbolic = self._answers(*xi, *own, *a, *z, t, *parameters)
            numeric = answers_of_functions.answers_of_numbers(
                self.definition, self.sde.wieners, np.array(xi), np.array(a), np.array(z), t, np.array(p)
            )
            for name, rows in symbolic.items():
                yield name, np.array(rows, dtype=float), np.array(numeric[name], dtype=float).reshape(-1)
            size = self.definition.group.size
            blocks = {k: np.reshape(v, (size, size)) if k == "s" else block(np.array(v)) for k, v in scope.items()}
            variables = Blocks(blocks, "state variable")
            for name, rows in self._quantities(*u, *a, *z, *stored, t, *parameters).items():
                value = np.array(self._watched[name].method(self.system, variables), dtype=float)
                yield name, np.array(rows, dtype=float), value.reshape(-1)


class _Compiled:
    """Named rows of expressions as one function of numbers."""

    def __init__(self, program: Program, inputs: Sequence[sp.Symbol], rows: Mapping[str, Sequence[sp.Expr]]):
        self.rows = rows
        self.function = emission.numerical_function(program, [e for r in rows.values() for e in r], inputs)

    def __call__(self, *values: Any) -> dict[str, list[Any]]:
        results = iter(self.function(*values))
        return {name: [next(results) for _ in rows] for name, rows in self.rows.items()}

"""Whether the functions of a definition give the same for symbols and for numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from semidirect.core.blocks import Blocks, block, rows_of
from semidirect.definition.system_definition import SystemDefinition
from semidirect.equations.component_expressions import component_expressions
from semidirect.equations.derive import derived_sde
from semidirect.equations.emission import numerical_function
from semidirect.equations.program import Program
from semidirect.model.numerical_sde import numerical_sde
from semidirect.model.symbolic_numeric_consistency import answers_of_numbers, answers_of_symbols
from semidirect.state.state import initial_state

_WHOLE = "whole velocity"
"""A name that no block of a group has; ``xi`` would be one of the Heisenberg group."""


class SymbolicNumericConsistency:
    """A system's functions called with symbols and then evaluated, compared with the same functions called with numbers.

    They differ if a function branches on a value: ``if self.offset == 0`` is silently False for a symbol.
    """

    def __init__(self, system: SystemDefinition):
        self.system, self.definition = system, system.workings.definition()
        self.sde = derived_sde(system, variables="velocity")
        self.model = numerical_sde(system, variables="velocity")
        s, d = self.sde.setting, self.sde.definition
        self._answers = _Compiled(Program((), (), {}), (*s.xi, *s.a, *s.z, s.t, *d.parameters), answers_of_symbols(s))
        inputs = (*self.sde.state, *self.sde.coordinates.values(), s.t, *d.parameters)
        scope = {name: rows_of(np.asarray(value).reshape(-1)) for name, value in self.sde.scope.items()}
        self._scope = _Compiled(self.sde.program, inputs, {**scope, _WHOLE: self.sde.program.outputs["xi"]})
        self._watched = {**system.workings.quantities(derived=True), **system.observables()}
        self._quantities = _Compiled(
            self.sde.program,
            inputs,
            {name: component_expressions(system, o, self.sde) for name, o in self._watched.items()},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return SymbolicNumericConsistency, (self.system,)

    def at(self, state: Mapping[str, Any], t: float = 0.25) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """Name, answer by way of symbols, answer of the function itself, for everything that the user gives."""
        start = initial_state(self.system, state)
        u, a, z, stored = (list(x[:, 0]) for x in (start.u, start.a, start.z, start.stored))
        parameters = list(self.model.parameters)
        with np.errstate(all="ignore"):
            scope = self._scope(*u, *a, *z, *stored, t, *parameters)
            xi = scope.pop(_WHOLE)
            symbolic = self._answers(*xi, *a, *z, t, *parameters)
            numeric = answers_of_numbers(self.definition, self.sde.wieners, np.array(xi), np.array(a), np.array(z), t)
            for name, rows in symbolic.items():
                yield name, np.array(rows, dtype=float), np.array(numeric[name], dtype=float).reshape(-1)
            size = self.definition.group.size
            named = {k: np.reshape(v, (size, size)) if k == "s" else block(np.array(v)) for k, v in scope.items()}
            seen = Blocks(named, "state variable")
            for name, rows in self._quantities(*u, *a, *z, *stored, t, *parameters).items():
                own = np.array(self._watched[name].method(self.system, seen), dtype=float)
                yield name, np.array(rows, dtype=float), own.reshape(-1)


class _Compiled:
    """Named rows of expressions as one function of numbers."""

    def __init__(self, program: Program, inputs: Sequence[sp.Symbol], rows: Mapping[str, Sequence[sp.Expr]]):
        self.names = {name: len(r) for name, r in rows.items()}
        self.function = numerical_function(program, [e for r in rows.values() for e in r], inputs)

    def __call__(self, *values: Any) -> dict[str, list[Any]]:
        results = iter(self.function(*values))
        return {name: [next(results) for _ in range(n)] for name, n in self.names.items()}

"""Derived equations at exact numbers, one column of (dt, dW) at a time, with the change of p and E along each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from semidirect.equations import Program, StratonovichSDE, emission
from semidirect.testing.laws.exact_points.numbers import FIELD

Values = Mapping[sp.Symbol, Any]
_OUTPUTS = ("state", "coordinates", "v", "f", "force", "kappa", "reaction", "multiplier")


class DerivedColumns:
    """Callable: exact values of the inputs to one dict of arrays for each column.

    Keys: ``state`` and ``coordinates`` (the fields), ``v, f, force`` and, where the form has them, ``kappa, reaction,
    multiplier``; ``d_p`` and ``d_E``, the derivatives of p and of E = ⟨p, ξ⟩ − l along the column by :meth:`Program.jvp`; and
    ``d_<name>`` of each further quantity.
    """

    def __init__(self, sde: StratonovichSDE, quantities: Mapping[str, Sequence[sp.Expr]] | None = None):
        self.sde, self._quantities = sde, quantities
        s, program = sde.setting, sde.program
        self.inputs = tuple(i for i in program.inputs if i is not s.dt and i not in set(s.dW))
        self._watched = {"p": program.outputs["p"], "E": (sde.energy,), **(quantities or {})}
        self._columns = [self._column(k) for k in range(sde.wieners + 1)]

    def __reduce__(self) -> tuple[Any, ...]:
        return DerivedColumns, (self.sde, self._quantities)

    @cached_property
    def _values(self) -> Callable[[Values], dict[str, np.ndarray]]:
        """The values themselves, for which most comparisons do not ask."""
        outputs = {k: self.sde.program.outputs[k] for k in ("xi", "u", "P", "p")}
        return self._compiled(self.sde.column(0), outputs | {k: tuple(v) for k, v in self._watched.items()})

    def _column(self, k: int) -> Callable[[Values], dict[str, np.ndarray]]:
        column = self.sde.column(k)
        tangent = dict(zip(self.sde.state, column.outputs["state"], strict=True))
        tangent |= dict(zip(self.sde.coordinates.values(), column.outputs["coordinates"], strict=True))
        if k == 0:
            tangent[self.sde.setting.t] = sp.Integer(1)
        derivative = column.with_outputs(**self._watched).jvp(tangent, f"'{k}")
        outputs = {name: column.outputs[name] for name in _OUTPUTS if name in column.outputs}
        outputs |= {f"d_{name}": rows for name, rows in derivative.outputs.items()}
        return self._compiled(column.joined(derivative), outputs)

    def _compiled(self, program: Program, outputs: Mapping[str, Sequence[sp.Expr]]
                  ) -> Callable[[Values], dict[str, np.ndarray]]:  # fmt: skip
        flat = [e for rows in outputs.values() for e in rows]
        function = emission.exact_function(program, flat, self.inputs, FIELD)

        def evaluate(values: Values) -> dict[str, np.ndarray]:
            results = iter(function(*(values.get(i, 0) for i in self.inputs)))
            return {name: np.array([next(results) for _ in rows], dtype=object) for name, rows in outputs.items()}

        return evaluate

    def __call__(self, values: Values) -> list[dict[str, np.ndarray]]:
        """The columns at a state: dt, dW^1, dW^2, …"""
        return [column(values) for column in self._columns]

    def values(self, values: Values) -> dict[str, np.ndarray]:
        """``xi, u, P, p, E`` and further quantities themselves."""
        return self._values(values)

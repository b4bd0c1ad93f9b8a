"""Evolution of observables: dQ = (DQ·f) dt + Σ (DQ·g_i)∘dW^i, and the Itô drift, derived and never transcribed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import sympy as sp

from semidirect.core import display
from semidirect.equations.emission import exact_function, numerical_function
from semidirect.equations.program import Program


class DrivenEquation(Protocol):
    """The equations along which quantities are differentiated: a staged program with a state, linear in (dt, dW)."""

    @property
    def wieners(self) -> int: ...  # noqa: D102
    @property
    def state(self) -> tuple[sp.Symbol, ...]: ...  # noqa: D102
    @property
    def program(self) -> Program: ...  # noqa: D102
    @property
    def setting(self) -> Any: ...  # noqa: D102
    @property
    def coordinates(self) -> Mapping[str, sp.Symbol]: ...  # noqa: D102
    def column(self, k: int) -> Program: ...  # noqa: D102


Equation = TypeVar("Equation", bound=DrivenEquation)


@dataclass(frozen=True, repr=False)
class Evolution(display.Brief, Generic[Equation]):
    """The evolution equations of named quantities.

    Attributes
    ----------
    program : Program
        Outputs ``value:Q``, ``drift:Q``, ``noise1:Q``, …, ``ito:Q`` for each quantity Q, each with the shape of Q; all but the
        last where second derivatives were left out.
    quantities : tuple of str
        The names.
    sde : StratonovichSDE
        The equations along which they move.
    write : callable(evolution, latex=, legend=) → str, optional
        Writes dQ in the notation of the system whose quantities they are, for ``print(evolution)`` and ``evolution.latex()``.
    """

    program: Program
    quantities: tuple[str, ...]
    sde: Equation
    write: Callable[..., str] | None = None

    @property
    def wieners(self) -> int:
        """Number of noises."""
        return self.sde.wieners

    @property
    def columns(self) -> tuple[str, ...]:
        """The kinds of outputs."""
        ito = any(name.startswith("ito:") for name in self.program.outputs)
        return ("value", "drift", *(f"noise{i}" for i in range(1, self.wieners + 1)), *(("ito",) if ito else ()))

    def __str__(self) -> str:
        return self._written(latex=False)

    def latex(self, *, legend: bool = True) -> str:
        """dQ and the stages that its coefficients use in LaTeX, and what its letters are, unless ``legend=False``."""
        return self._written(latex=True, legend=legend)

    def _repr_latex_(self) -> str | None:
        return None if self.write is None else display.formulas(self.latex())

    def _written(self, *, latex: bool, legend: bool = True) -> str:
        if self.write is None:
            return f"Evolution of {', '.join(self.quantities)}: {len(self.program.statements)} stages"
        return self.write(self, latex=latex, legend=legend)

    def of(self, quantity: str, column: str) -> tuple[sp.Expr, ...]:
        """The expressions of one column, in the names of the program."""
        return self.program.outputs[f"{column}:{quantity}"]

    def function(self, inputs: Sequence[sp.Symbol], *, exact: bool = False) -> Callable[..., dict[str, dict[str, Any]]]:
        """A function of the inputs that returns ``{quantity: {column: rows}}``, in floats or exactly."""
        keys = [(q, c, len(self.of(q, c))) for q in self.quantities for c in self.columns]
        flat = [e for q, c, _ in keys for e in self.of(q, c)]
        compiled = (exact_function if exact else numerical_function)(self.program, flat, inputs)

        def evaluate(*values: Any) -> dict[str, dict[str, Any]]:
            results = iter(compiled(*values))
            out: dict[str, dict[str, Any]] = {q: {} for q in self.quantities}
            for q, c, n in keys:
                out[q][c] = [next(results) for _ in range(n)]
            return out

        return evaluate


Shorten = Callable[[Program], Program]
"""Replaces outputs of a program by shorter ones that are equal to them."""


def evolve(
    sde: Equation, quantities: Mapping[str, Sequence[sp.Expr]], shorten: Shorten | None = None, *, ito: bool = True
) -> Evolution[Equation]:
    """Differentiate quantities along the drift and each noise, and twice along each noise for the Itô drift.

    ``shorten`` is applied to each derivative, before the next one is taken. Without ``ito`` there is no second derivative.
    """
    expressions = {name: tuple(sp.sympify(e) for e in rows) for name, rows in quantities.items()}
    outputs = {f"value:{name}": rows for name, rows in expressions.items()}
    program = sde.program.with_outputs(**outputs)
    corrections: dict[str, list[list[sp.Expr]]] = {name: [[] for _ in rows] for name, rows in expressions.items()}
    for k in range(sde.wieners + 1):
        column = sde.column(k)
        tangent = dict(zip(sde.state, column.outputs["state"], strict=True))
        tangent |= dict(zip(sde.coordinates.values(), column.outputs["coordinates"], strict=True))
        if k == 0:
            tangent[sde.setting.t] = sp.Integer(1)
        first = column.with_outputs(**outputs).jvp(tangent, f"'{k}")
        first = shorten(first) if shorten else first
        label = f"noise{k}" if k else "drift"
        program = program.joined(_relabelled(first, label))
        if k == 0 or not ito:
            continue
        second = first.jvp(tangent, f'"{k}')
        second = shorten(second) if shorten else second
        program = program.joined(second.with_outputs())
        for name in expressions:
            for rows, e in zip(corrections[name], second.outputs[f"value:{name}"], strict=True):
                rows.append(e)
    final = dict(program.outputs)
    for name in expressions if ito else ():
        drift = program.outputs[f"drift:{name}"]
        final[f"ito:{name}"] = tuple(
            d + sp.Rational(1, 2) * sp.Add(*rows) for d, rows in zip(drift, corrections[name], strict=True)
        )
    return Evolution(program.with_outputs(**final), tuple(expressions), sde)


def _relabelled(program: Program, label: str) -> Program:
    return program.with_outputs(**{k.replace("value:", f"{label}:", 1): v for k, v in program.outputs.items()})

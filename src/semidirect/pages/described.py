"""Equations for programs: definitions in order, then rates, as text that Python reads; in JSON's types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from semidirect.core import arguments, symbols
from semidirect.equations import Let, Program

if TYPE_CHECKING:
    from semidirect.equations import Evolution, StratonovichSDE

FORMS = ("stratonovich", "ito")
_TAGS = {"~∂": "d_", "∂": "_d_", "/~": "_by_", "/": "_by_", "~": "", "@": "_at", "'": "_d", '"': "_dd", "°": "_still"}


def checked_form(form: str) -> str:
    """The form, which is one of :data:`FORMS`; raises :class:`UnknownNameError` for any other."""
    return arguments.validated_name("form of the equations", form, FORMS)


def described_equations(sde: StratonovichSDE, form: str) -> dict[str, Any]:
    """An SDE: its variables, ``definitions`` and ``rates`` by columns ``dt``, ``dW1``, …

    A definition has ``names`` and ``expressions``, or ``names``, ``matrix`` and ``rhs`` of a linear system that determines them.

    Raises
    ------
    UnknownNameError
        For another form than ``"stratonovich"`` and ``"ito"``.
    """
    moving = {v.name: v.symbols for v in sde.variables} | {k: (x,) for k, x in sde.coordinates.items()}
    return {"principle": sde.principle, **described_evolution(sde.evolution(moving), form)}


def described_evolution(evolution: Evolution, form: str) -> dict[str, Any]:
    """The evolution equations of quantities, in the same form."""
    drift = "drift" if checked_form(form) == "stratonovich" else "ito"
    columns = {"dt": drift, **{f"dW{i + 1}": f"noise{i + 1}" for i in range(evolution.wieners)}}
    values = {q: evolution.of(q, "value") for q in evolution.quantities}
    rates = {name: {q: evolution.of(q, c) for q in evolution.quantities} for name, c in columns.items()}
    expressions = [e for rows in (values, *rates.values()) for part in rows.values() for e in part]
    sde = evolution.sde
    return {
        "form": form,
        "state": {v.name: _texts(v.symbols) for v in sde.variables},
        "coordinates": _texts(sde.coordinates.values()),
        "definitions": _definitions(evolution.program.with_outputs(wanted=expressions)),
        "values": _written(values),
        "rates": {name: _written(rows) for name, rows in rates.items()},
    }


def _definitions(program: Program) -> list[dict[str, Any]]:
    names = program.needed()
    out = []
    for statement in program.statements:
        if not names.intersection(statement.names):
            continue
        entry: dict[str, Any] = {"names": _texts(statement.names)}
        if isinstance(statement, Let):
            entry["expressions"] = _texts(statement.expressions)
        else:
            entry |= {"matrix": [_texts(row) for row in statement.matrix], "rhs": _texts(statement.rhs)}
        out.append(entry)
    return out


def _written(rows: Mapping[str, Sequence[sp.Expr]]) -> dict[str, list[str]]:
    return {name: _texts(part) for name, part in rows.items()}


def _texts(expressions: Any) -> list[str]:
    return [_text(sp.sympify(e)) for e in expressions]


def _text(e: sp.Expr) -> str:
    """An expression whose names are those of Python; functions given by tables are those that a definition calls."""
    e = e.replace(lambda part: isinstance(part, symbols.Interpolated), _call)
    return str(e.xreplace({x: sp.Symbol(_identifier(x.name)) for x in e.free_symbols}))


def _call(e: symbols.Interpolated) -> sp.Expr:
    """``interpolate(x, nodes, values, kind, ends, order)``."""
    function = e.interpolant
    form = sp.Symbol(function.kind), sp.Symbol(function.ends.replace("-", "_")), sp.Integer(function.order)
    called: sp.Expr = sp.Function("interpolate")(e.args[0], function.nodes, function.values, *form)
    return called


def _identifier(name: str) -> str:
    return re.sub("|".join(_TAGS), lambda m: _TAGS[m[0]], name)

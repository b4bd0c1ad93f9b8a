"""Reading a table between its nodes."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from semidirect.core.arguments import validated_name
from semidirect.core.arguments.numbers import numeric
from semidirect.core.errors import DefinitionError, InputError, PerPathError
from semidirect.core.interpolation import ENDS, KINDS, LAST_ORDER, Interpolant, Table
from semidirect.core.locks import ForkSafeLock
from semidirect.core.ops.functions import Scalar, elementwise

MOST_TABLES = 16
"""Arrays that are known as tables at most."""
_tables: dict[int, tuple[np.ndarray, Table]] = {}
_of_arrays = ForkSafeLock()


def interpolate(x: Any, nodes: Any, values: Any, kind: str = "cubic", ends: str = "not-a-knot", order: int = 0) -> Any:
    """The function of x that has given values at the nodes: ``ops.interpolate(x, self.stations, self.heights)``.

    Nodes and values are tables of the system, parameters declared by ``sd.table``; numbers also go with arrays. Equations treat
    it as one function, with its derivatives. Outside of the nodes it has no value: a path that gets there fails.

    Parameters
    ----------
    x : number, expression or array
        In the unit of the nodes.
    nodes, values : tables
        Of one length, at least 2; nodes increase.
    kind : {"cubic", "linear"}
        A cubic spline has two continuous derivatives, the third is constant between nodes. The derivative of a piecewise linear
        function is constant between nodes. Where the derivative of one that jumps is needed, a DefinitionError is raised.
    ends : {"not-a-knot", "natural", "clamped"}
        Of a cubic spline: one cubic on the first two and the last two intervals, second derivatives 0, or first derivatives 0.
    order : int
        The derivative of this order.

    Raises
    ------
    InputError
        For nodes that do not increase, fewer than two, other lengths, and an unknown kind.
    DefinitionError
        For an expression x and arrays that are not tables.
    """
    validated_name("kind of an interpolant", kind, KINDS)
    validated_name("ends of a cubic spline", ends, ENDS)
    if kind == "linear" and ends != ENDS[0]:
        raise InputError("ends of an interpolant", expected="kind='cubic'", got="kind='linear'")
    if order not in range(LAST_ORDER[kind] + 1):
        raise InputError(
            f"the derivative of a {kind} interpolant", expected=f"of an order up to {LAST_ORDER[kind]}", got=repr(order)
        )
    # a node of the expression, since a spline can be built only where its tables are numbers
    function = Interpolant(_table(nodes), _table(values), kind, ends, order)
    if isinstance(function.nodes, Table) != isinstance(function.values, Table):
        raise DefinitionError(
            "nodes and values of ops.interpolate", expected="two tables of the system, self.name, or two arrays",
            hint="Declare them in the class: name = sd.table([…]).",
        )  # fmt: skip
    return elementwise(function, x)


def _table(values: Any) -> Any:
    """The table that is given, or what stands for it."""
    sympy = sys.modules.get("sympy")
    if isinstance(values, (Table, Scalar)) or (sympy is not None and isinstance(values, sympy.Basic)):
        return values
    try:
        array = numeric(values)
    except PerPathError:  # the decision is made path by path
        raise
    except (TypeError, ValueError):
        array = np.zeros(())
    if array.ndim not in (1, 2) or not array.size:
        raise DefinitionError(
            "nodes or values of ops.interpolate", expected="a table of the system, self.name, or an array (n,)",
            got=f"an array of expressions {values.shape}" if isinstance(values, np.ndarray) else repr(values)[:200],
            hint="Declare it in the class: name = sd.table([…]).",
        )  # fmt: skip
    if not isinstance(values, np.ndarray) or values.flags.writeable or values.dtype != float:
        return Table("", array)
    with _of_arrays:  # values of a system, whose spline is computed once
        entry = _tables.pop(id(values), None) or (values, Table("", values))
        _tables[id(values)] = entry  # the last one used
        if len(_tables) > MOST_TABLES:
            del _tables[next(iter(_tables))]
    return entry[1]

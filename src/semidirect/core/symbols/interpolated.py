"""Interpolants in expressions: one function V(x) of tables that are symbols, with derivatives V'(x)."""

from __future__ import annotations

from typing import Any, NoReturn, final

import sympy as sp

from semidirect.core.errors import DefinitionError
from semidirect.core.interpolation import ENDS, KINDS, Interpolant

FORMS = tuple((kind, ends) for kind in KINDS for ends in ENDS)
"""Kind and ends by the number that stands for them in an expression."""


@final
class TableSymbol(sp.Symbol):
    """A symbol that stands for a table, nodes or values; it is no number, and arithmetic with it raises an error."""

    _op_priority = 1000.0

    def _no_number(self, *_: Any) -> NoReturn:
        raise DefinitionError(
            f"{self.name} is a table", expected="ops.interpolate(x, nodes, values)", got="arithmetic with it, or an entry of it",
            hint="A table is known through its interpolant only; declare what is read otherwise by sd.parameter.",
        )  # fmt: skip

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = (
        _no_number
    )
    __neg__ = __pos__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = _no_number


@final
class Interpolated(sp.Function):
    """The arguments are x, the symbols of nodes and values, the number of kind and ends in :data:`FORMS`, and the order."""

    nargs = 5

    @property
    def interpolant(self) -> Interpolant:
        """The function of x, with symbols as tables."""
        _, nodes, values, form, order = self.args
        return Interpolant(nodes, values, *FORMS[int(form)], int(order))

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative with respect to x."""
        if argindex != 1:
            raise DefinitionError(
                f"a derivative of {self} with respect to its table is needed",
                expected="a derivative with respect to its argument",
            )
        return interpolated(self.interpolant.slope, self.args[0])

    def _eval_is_real(self) -> bool:
        return True

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        """A function that stands for a generic one where tables have numbers: at points where it is seen what vanishes."""
        x, nodes, values, form, order = self.args
        if not all(part.is_number for part in self.args):
            return None
        rate = 2 + nodes / 7 + values / 11 + form / 13
        return (rate**order * sp.sin(rate * x + values + order * sp.pi / 2))._eval_evalf(prec)

    def _sympystr(self, printer: Any) -> str:
        return f"{printer.doprint(self.args[2])}{self._primes}({printer.doprint(self.args[0])})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        name = f"{printer.doprint(self.args[2])}{self._primes}"
        raised = rf"\left({name}\right)^{{{exp}}}" if exp and self._primes else name + (f"^{{{exp}}}" if exp else "")
        return rf"{raised}\left({printer.doprint(self.args[0])}\right)"

    @property
    def _primes(self) -> str:
        return "'" * int(self.args[4])


def interpolated(function: Interpolant, x: Any) -> sp.Expr:
    """The expression of an interpolant whose tables are symbols.

    Raises
    ------
    DefinitionError
        For tables that are arrays.
    """
    for table, what in ((function.nodes, "nodes"), (function.values, "values")):
        if not isinstance(table, TableSymbol):
            raise DefinitionError(
                f"the {what} of ops.interpolate", expected="a table of the system, self.name", got=f"{type(table).__name__}",
                hint="Declare it in the class: name = sd.table([…]).",
            )  # fmt: skip
    form = FORMS.index((function.kind, function.ends))
    expression: sp.Expr = Interpolated(
        sp.sympify(x), function.nodes, function.values, sp.Integer(form), sp.Integer(function.order)
    )
    return expression


def table_symbol(name: str) -> TableSymbol:
    """The symbol of a table."""
    return TableSymbol(name, real=True)

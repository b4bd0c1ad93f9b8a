"""Tables as parameters of a system: nodes or values of a function that is interpolated."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np

from semidirect.core import errors, explains_calls
from semidirect.definition.parameters import Numbers, Parameter


@final
class TableParameter(Parameter):
    """Nodes or values of an interpolant, as many as one likes; made by :func:`table`.

    Equations know a table by one symbol, whatever its length, and only :func:`semidirect.core.ops.interpolate` reads it.
    """

    is_table: ClassVar[bool] = True

    def __init__(self, default: Any, unit: str, doc: str, symbol: str):
        super().__init__(default, unit, doc, symbol, [(None,)], False, False, None)

    def _checked(self, value: np.ndarray, system: str, where: str) -> np.ndarray:
        what = f"table {self.name!r} of {system}"
        if value.ndim != 1 or value.size < 2:
            raise errors.InputError(
                what, expected="at least two numbers in a row (n,)", got=f"shape {value.shape}", where=where
            )
        wrong = np.flatnonzero(~np.isfinite(value))
        if len(wrong):
            place = f"entry {wrong[0]}" + (f" of {where}" if where else "")
            raise errors.InputError(what, expected="finite numbers", got=str(value[wrong[0]]), where=place)
        return value


@explains_calls
def table(default: Numbers, *, unit: str = "", doc: str = "", symbol: str = "") -> TableParameter:
    """Declare a table of a system, nodes or values of a function: ``heights: sd.Parameter = sd.table([0, 0.3, 0.1], unit="m")``.

    It is a parameter, which :func:`ops.interpolate <semidirect.core.ops.interpolate>` reads; its length is not part of the
    structure of the system, so that equations and kernels are the same for ten numbers and a hundred thousand. Given per path, it
    has the shape ``(paths, n)``.

    Parameters
    ----------
    default : array_like (n,)
        Default values, n ≥ 2.
    unit, doc, symbol : str
        As of :func:`semidirect.definition.parameters.parameter`; the symbol is that of the function in equations.
    """
    return TableParameter(default, unit, doc, symbol)

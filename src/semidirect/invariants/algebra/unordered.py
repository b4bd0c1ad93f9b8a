"""The base of exact scalars: they have no order, so branching on one raises an error."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from semidirect.core import errors, ops


class Unordered(ops.Scalar):
    """A number of a field without order."""

    __slots__ = ()
    exact: ClassVar[bool] = True

    def __lt__(self, other: Any) -> NoReturn:
        no_cases()

    __le__ = __gt__ = __ge__ = __lt__


def no_cases(*_: Any) -> NoReturn:
    """Raise the error for branches.

    Raises
    ------
    InputError
        Always.
    """
    raise errors.InputError(
        "exact proofs do not support piecewise expressions", expected="functions made of + − × ÷, roots, sines and exponentials",
        got="a comparison", hint="Prove each case.",
    )  # fmt: skip

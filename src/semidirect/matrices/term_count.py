"""Counts the terms of expressions before they are made."""

from __future__ import annotations

from typing import Any, final

from semidirect.core import ops


@final
class TermCount(ops.Scalar):
    """A scalar that knows how many symbols and operations it would be written with, each as often as it occurs."""

    __slots__ = ("count",)

    def __init__(self, count: int = 1):
        self.count = count

    def _with(self, other: Any) -> TermCount:
        return TermCount(self.count + (other.count if isinstance(other, TermCount) else 0) + 1)

    def _alone(self) -> TermCount:
        return TermCount(self.count + 1)

    def elementary(self, name: Any) -> TermCount:
        """A function of it."""
        return self._alone()

    def select(self, if_true: Any, if_false: Any) -> TermCount:
        """A condition with both values."""
        return self._with(if_true)._with(if_false)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _with
    __pow__ = __rpow__ = __lt__ = __le__ = __gt__ = __ge__ = _with
    __neg__ = __pos__ = __abs__ = _alone

"""Values of a parameter that differ from path to path."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from semidirect.core.display import Brief
from semidirect.core.errors import InputError, PerPathError
from semidirect.core.explained_calls import explains_calls


@dataclass(frozen=True, eq=False, repr=False)
class PerPath(Brief):
    """Values of a parameter that differ from path to path: an array ``(paths, *shape)``.

    It is not a number: arithmetic and comparisons with it raise :class:`PerPathError`.
    """

    values: Any

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.values, other.values) if isinstance(other, PerPath) else self._no_number()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._no_number()

    def _no_number(self, *others: Any, **more: Any) -> NoReturn:
        raise PerPathError

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = (
        _no_number
    )
    __matmul__ = __rmatmul__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = _no_number
    __array_ufunc__ = __float__ = __int__ = __bool__ = __len__ = __iter__ = __getitem__ = _no_number


@explains_calls
def by_path(value: Any) -> np.ndarray:
    """The values of a parameter, paths first: ``(paths, *shape)``, or ``(1, *shape)`` if all paths have the same value.

    For decisions of a system that depend on numbers (``check``, ``needs``, a recommended state), so that they work with
    values per path as well.
    """
    try:
        return np.asarray(value.values if isinstance(value, PerPath) else [value])
    except ValueError:
        raise InputError("values per path", expected="arrays of one shape", got=reprlib.repr(value)) from None

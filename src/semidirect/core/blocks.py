"""A vector with named parts: ``xi.Omega``, ``a.Gamma``, ``state.M``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from semidirect.core import ops
from semidirect.core.display import line
from semidirect.core.errors import UnknownAttributeError, UnknownNameError


class Blocks(Mapping[str, Any]):
    """Named blocks of a vector, read as attributes or by name; frozen.

    A block of one component is a scalar, any other an array ``(n,)`` (``(n, paths)`` in a batch). ``np.asarray`` and
    ``semidirect.core.ops`` see the whole vector, blocks one after the other.
    """

    __slots__ = ("_kind", "_parts")

    def __init__(self, parts: Mapping[str, Any], kind: str = "block"):
        object.__setattr__(self, "_parts", dict(parts))
        object.__setattr__(self, "_kind", kind)

    @classmethod
    def split(cls, vector: Any, layout: Mapping[str, slice], kind: str = "block") -> Blocks:
        """Cut a component-first vector by a layout name → slice."""
        return cls({name: block(vector[part]) for name, part in layout.items()}, kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self:
            raise UnknownAttributeError(self._kind, name, self._parts)
        return self._parts[name]

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise UnknownNameError(self._kind, name, self._parts)
        return self._parts[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._parts

    def get(self, name: str, default: Any = None) -> Any:
        """The block of a name, or the default where there is none."""
        return self._parts[name] if name in self else default

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self._kind}s are read-only: cannot set {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        whole = self.vector
        return whole if dtype is None else whole.astype(dtype)

    @property
    def vector(self) -> np.ndarray:
        """The whole vector, components first."""
        rows = [row for part in self._parts.values() for row in rows_of(part)]
        return ops.stack(rows) if rows else ops.zeros(0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self._parts, self._kind)

    def __repr__(self) -> str:
        return line("Blocks", self._parts)


def block(rows: np.ndarray) -> Any:
    """A named block as users see it: a single row is a scalar."""
    return rows[0] if len(rows) == 1 else rows


def rows_of(part: Any) -> list[Any]:
    """The rows of a block, scalars counted as one row."""
    array = np.asarray(part) if not isinstance(part, np.ndarray) else part
    return [part] if array.ndim == 0 else list(array)

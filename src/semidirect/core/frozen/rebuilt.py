"""Frozen objects that are rebuilt from their fields when they are copied or sent to another process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np


class Rebuilt:
    """Base of frozen dataclasses that are rebuilt from their fields when they are copied, pickled or sent to a worker.

    The conditions that the constructor ensures hold for the copy too. Read-only arrays, which pickle would make writable, stay
    read-only. Values cached on the object are not copied.
    """

    def carried(self) -> dict[str, Any]:
        """The fields, in a form that can be pickled."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        values = self.carried()
        return rebuilt, (type(self), values, read_only(values))


def rebuilt(kind: Callable[..., Any], values: Mapping[str, Any], closed: Sequence[str]) -> Any:
    """An object of the class with these fields, from its pickle."""
    close(values, closed)
    return kind(**values)


def read_only(values: Mapping[Any, Any]) -> list[Any]:
    """The names of the arrays that cannot be written to."""
    return [k for k, v in values.items() if isinstance(v, np.ndarray) and not v.flags.writeable]


def close(values: Mapping[Any, Any], names: Sequence[Any]) -> None:
    """Make these arrays read-only."""
    for name in names:
        values[name].setflags(write=False)

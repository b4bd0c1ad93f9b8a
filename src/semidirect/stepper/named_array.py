"""The array of one quantity, which also answers to its name."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np

__all__ = ["NamedArray"]


@final
class NamedArray(np.ndarray):
    """An array of a quantity: ``ensemble.read("Gamma")``, which ``["Gamma"]`` gives as well. Parts and results have no name."""

    name: str | None

    @classmethod
    def of(cls, values: np.ndarray, name: str) -> Self:
        """The values with their name."""
        array = values.view(cls)
        array.name = name
        return array

    def __array_finalize__(self, source: Any) -> None:
        self.name = None

    def __array_wrap__(self, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) and key == self.name:
            return np.asarray(self)
        return np.asarray(self)[key]

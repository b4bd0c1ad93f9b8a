"""Where statements are tested: a setting makes scenes, points with names and directions, on numbers of any kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np

from semidirect.groups import SO3
from semidirect.invariants import Numbers
from semidirect.representations import VectorRepresentation
from semidirect_holm_putkaradze.audit.formula import VECTORS, Scene, evaluated


class Setting(ABC):
    """A model, or several that a statement may be about, with what its symbols mean.

    Attributes
    ----------
    title : str
        What is supposed.
    models : tuple of str
        The models: ``principle`` alone, or the ball's ``variational`` and ``printed``.
    columns : tuple of str
        ``dt``, ``dW``, …
    """

    title: str
    models: tuple[str, ...] = ("principle",)
    columns: tuple[str, ...] = ("dt", "dW")

    @abstractmethod
    def scene(self, model: str, numbers: Numbers, *, generic: bool = True) -> Scene:
        """A random point of a model, at random parameters or at those of its systems."""


@final
class Names(Mapping[str, Any]):
    """Names of one point: values, functions that make them, and texts that are evaluated when asked for, each once."""

    def __init__(
        self, values: Mapping[str, Any], texts: Mapping[str, str], scene: Scene, y: Sequence[Any], column: int
    ):
        self._given, self._texts = dict(values), texts
        self._at = (scene, y, column)

    @property
    def given(self) -> Mapping[str, Any]:
        """The given values, unchanged."""
        return self._given

    def __getitem__(self, name: str) -> Any:
        if name not in self._given:
            self._given[name] = evaluated(self._texts[name], *self._at)
        elif callable(self._given[name]):
            self._given[name] = self._given[name]()
        return self._given[name]

    def __contains__(self, name: object) -> bool:
        return name in self._given or name in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter({**self._given, **self._texts})

    def __len__(self) -> int:
        return len({**self._given, **self._texts})


def vector(entries: Sequence[Any]) -> Any:
    """An object array, or the entry alone."""
    if len(entries) == 1:
        return entries[0]
    out = np.empty(len(entries), dtype=object)
    out[:] = list(entries)
    return out


_so3 = SO3()
_r3 = VectorRepresentation(_so3)
ROTATIONS: dict[str, Callable[..., Any]] = {
    **VECTORS, "ad": _so3.bracket, "ad_star": _so3.cobracket, "act": _r3.action, "diamond": _r3.diamond,
}  # fmt: skip
"""The bracket of so(3), its dual, the action on R³ and its diamond, all of the framework."""

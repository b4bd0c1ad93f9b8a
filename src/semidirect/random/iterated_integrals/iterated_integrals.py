"""Iterated integrals of the noise that a method needs beside increments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, final

import numpy as np

from semidirect.core import user_code

FOURIER, TAIL, SIGN, INTEGRAL = 41, 42, 43, 44
"""Levels of the generator beyond those of bridges, so that no random number is used twice."""


def pairs(m: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs i < j of m processes in the order of the rows of areas: (1, 2), (1, 3), …, (2, 3), …"""
    return np.triu_indices(m, 1)


class IteratedIntegrals(user_code.Hooked, ABC):
    """Rows that follow the m rows of increments of a step, drawn jointly with them.

    Attributes
    ----------
    name : str
    increment_law : str
        The law of the increments to which they belong.
    coarsens : bool
        Whether the rows of a doubled step follow from the rows of its halves.
    """

    name: ClassVar[str]
    increment_law: ClassVar[str] = "normal"
    coarsens: ClassVar[bool] = True

    @property
    @final
    def words(self) -> str:
        """The name without hyphens, for messages."""
        return self.name.replace("-", " ")

    @abstractmethod
    def rows(self, m: int) -> int:
        """The number of rows for m processes."""

    @abstractmethod
    def among(self, m: int, which: np.ndarray) -> np.ndarray:
        """The rows of m processes that belong to some of them, in ascending order."""

    @abstractmethod
    def draw(self, dW: np.ndarray, h: float, seed: int, paths: np.ndarray, step: int) -> np.ndarray:
        """The rows ``(steps, rows, paths)`` of some steps of length h, given independent increments ``(steps, m, paths)``."""

    @abstractmethod
    def mix(self, lower: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The rows of correlated processes L W."""

    @abstractmethod
    def join(self, m: int, first: np.ndarray, second: np.ndarray, h: float) -> np.ndarray:
        """The rows of a step of 2h from all rows, increments included, of its halves of length h."""

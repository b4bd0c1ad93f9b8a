"""A start that is drawn: which random numbers it uses, and the start that other ones give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import numpy as np
from scipy.special import ndtr

from semidirect.stepper import Stepper

__all__ = ["DrawnStart"]


@final
class _Draws(np.random.Generator):
    """A generator that keeps the standard normal numbers it gives, or gives those that it was given.

    Normal and uniform numbers are functions of standard normal ones, so that a start that is drawn with them is one too.
    """

    def __init__(self, seed: np.random.SeedSequence, numbers: np.ndarray | None = None):
        super().__init__(np.random.PCG64(seed))
        self._source, self._begin = np.random.default_rng(seed), self.bit_generator.state
        self._given, self._at, self.draws = numbers, 0, list[np.ndarray]()

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        if out is not None:
            return super().standard_normal(size, dtype, out)
        if self._given is None:
            z = self._source.standard_normal(size)
        else:
            width = int(np.prod(size, dtype=int)) // len(self._given)
            z = self._given[:, self._at : self._at + width].reshape(size)
            self._at += width
        self.draws.append(np.asarray(z))
        return z if dtype is np.float64 else np.asarray(z, dtype)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return loc + scale * self.standard_normal(np.broadcast(loc, scale).shape if size is None else size)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return super().random(size, dtype, out) if out is not None else ndtr(self.standard_normal(size, dtype))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return low + (high - low) * self.random(np.broadcast(low, high).shape if size is None else size)

    def numbers(self, count: int) -> np.ndarray | None:
        """The numbers that were given, one row for each of so many; ``None`` if they are not rows, or not all that was drawn."""
        rows = all(z.ndim and len(z) == count for z in self.draws)
        if not self.draws or not rows or self.bit_generator.state != self._begin:
            return None
        return np.concatenate([z.reshape(count, -1) for z in self.draws], axis=1)


@final
class DrawnStart:
    """A start that is a function of standard normal numbers.

    Attributes
    ----------
    numbers : array (paths, d) or None
        The numbers of each path; ``None`` if the function draws something else.
    values : dict
        The returned value.
    """

    def __init__(self, function: Callable[[np.random.Generator, int], Any], count: int, seed: int,
                 build: Callable[[Mapping[str, Any]], Stepper]):  # fmt: skip
        self._function, self._build = function, build
        self._seed = np.random.SeedSequence(seed, spawn_key=(2**32 - 1,))
        draws = _Draws(self._seed)
        self.values = function(draws, count)
        self.numbers = draws.numbers(count)

    def ensemble(self, numbers: np.ndarray) -> Stepper:
        """Paths at the start that other numbers give."""
        return self._build(self._function(_Draws(self._seed, numbers), len(numbers)))

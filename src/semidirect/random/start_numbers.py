"""Random numbers for the starts of paths: of each path its own, by its number or by its point."""

from __future__ import annotations

import math
from typing import Any, NoReturn, final

import numpy as np

from semidirect.core import arguments, display, errors, explains_calls
from semidirect.random import normal_numbers as normals
from semidirect.random.sobol_noise import OF_START, dimensions_of
from semidirect.random.sobol_points import SobolPoints

__all__ = ["StartNumbers"]

LEVEL = 48
"""Of the generator, see :mod:`semidirect.random.philox`."""


@explains_calls
@final
class StartNumbers(display.Brief):
    """The ``rng`` of a function ``state=function(rng, count)``: numbers for all paths, the first axis, each time new ones.

    The numbers of a path depend on the seed, on how many it got before and on its number, not on the number of paths.
    With Sobol points they are coordinates of the point of the path. So there are only numbers that follow from a single
    uniform one: :meth:`random`, :meth:`uniform`, :meth:`standard_normal`, :meth:`normal` and :meth:`exponential`.

    Attributes
    ----------
    seed, paths : int
        The seed of the run and its number of paths.
    replications : int
        Of Sobol points; 0 without.
    components, steps : int
        The numbers of noises and of steps, for which points have coordinates too.
    used : int
        How many numbers each path got so far.
    """

    def __init__(self, seed: int, paths: int, replications: int = 0, components: int = 0, steps: int = 0):
        self.seed, self.paths, self.used = seed, paths, 0
        self.replications, self.components, self.steps = replications, components, steps

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise errors.UnknownNameError("method of the random numbers of a start", name,
                                      ["random", "uniform", "standard_normal", "normal", "exponential"])  # fmt: skip

    @property
    def of_points(self) -> int:
        """How many of the numbers of a path were coordinates of its point."""
        return min(self.used, OF_START) if self.replications else 0

    def random(self, size: Any) -> np.ndarray:
        """Uniform numbers between 0 and 1; ``size``: the number of paths, or a shape that begins with it."""
        from scipy.special import ndtr

        def of_normals(z: np.ndarray) -> np.ndarray:
            u: np.ndarray = ndtr(z)
            return u

        return self._numbers(size, of_normals, lambda u: u)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> np.ndarray:
        """Uniform numbers between two limits."""
        return np.asarray(low + (np.asarray(high) - low) * self.random(size))

    def standard_normal(self, size: Any) -> np.ndarray:
        """Normal numbers of mean 0 and variance 1."""
        from scipy.special import ndtri

        def of_uniforms(u: np.ndarray) -> np.ndarray:
            z: np.ndarray = ndtri(u)
            return z

        return self._numbers(size, lambda z: z, of_uniforms)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> np.ndarray:
        """Normal numbers with a mean and a standard deviation."""
        return np.asarray(loc + scale * self.standard_normal(size))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> np.ndarray:
        """Exponential numbers with a mean."""
        return np.asarray(-scale * np.log1p(-self.random(size)))

    def _numbers(self, size: Any, of_normals: Any, of_uniforms: Any) -> np.ndarray:
        shape = (size,) if isinstance(size, (int, np.integer)) else size
        if not isinstance(shape, tuple) or not shape or shape[0] != self.paths:
            raise errors.InputError(
                "size of the random numbers of a start", expected=f"{self.paths}, the number of paths, or a shape that begins "
                "with it", got=repr(size), hint="Write rng.normal(size=count), or size=(count, 3).",
            )  # fmt: skip
        rest = tuple(arguments.validated_whole("size of the random numbers of a start", n, least=0) for n in shape[1:])
        count, paths = math.prod(rest), np.arange(self.paths, dtype=np.uint64)
        out = np.empty((count, self.paths))
        first, self.used = self.used, self.used + count
        points = max(min(OF_START, self.used) - first, 0) if self.replications else 0
        if points:
            sobol = SobolPoints(self.seed, self.replications, dimensions_of(self.components, self.steps, starts=True))
            out[:points] = of_uniforms(sobol.uniforms(paths, first, points))
        if count > points:
            z = np.empty((count - points, 1, self.paths))
            out[points:] = of_normals(normals.fill_normals(z, self.seed, paths, first + points, LEVEL)[:, 0])
        return out.T.reshape(shape)

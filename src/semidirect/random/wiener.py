"""Brownian motion as a function of (seed, path, component, time): the same path at every dyadic step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from semidirect.core import arguments, errors
from semidirect.random import normal_numbers as normals
from semidirect.random.covariance import factor, mixed
from semidirect.random.driving_process import DrivingProcess, KernelDraw, validated_steps
from semidirect.random.iterated_integrals import IteratedIntegrals
from semidirect.random.philox import COMPONENT_BITS, STEP_BITS

__all__ = ["WienerNoise"]

FINEST_LEVEL = 40
"""Bridges use the levels 1 to 40 of the generator; those of :mod:`semidirect.random.iterated_integrals` follow."""

INCREMENT_LAWS = ("normal", "three-point")

_SUMMED_AT_ONCE = 6


@dataclass(frozen=True)
class WienerNoise(DrivingProcess):
    """Wiener processes W^i, independent without a covariance, drawn at a resolution h₀ and defined at h₀ 2^k for every integer k.

    With z(level, n) the standard normals of the generator and I(h, n) = W((n+1)h) − W(nh),

    * I(h₀, n) = √h₀ z(0, n);
    * I(2h, n) = I(h, 2n) + I(h, 2n+1) for h ≥ h₀, to the last bit;
    * I(h/2, 2n) = ½ I(h, n) + ½ √h z(l, n) and I(h/2, 2n+1) = ½ I(h, n) − ½ √h z(l, n) for h = h₀ 2^(1−l): the
      Brownian bridge, so that the two add up to I(h, n) to round-off.

    An increment depends on (seed, path, component, n, h, h₀) only, to the last bit: not on the other paths, the number of
    components, the horizon or the threads.

    Attributes
    ----------
    seed : int
        From 0 to below 2^64.
    components : int
        Number of processes.
    resolution : float
        h₀ [s].
    covariance : matrix (m, m), optional
        C with E[dW dWᵀ] = C dt, for correlated noises: their increments are L times independent ones, C = L Lᵀ by Cholesky,
        at every resolution and in every bridge.
    increment_law : {"normal", "three-point"}
        Three-point increments ±√(3h) with probability 1/6 each, else 0, are for weak methods; they do not form a Brownian
        path and are defined at h₀ only.
    integrals : IteratedIntegrals, optional
        Rows that follow the increments, drawn jointly with them at h₀ and carried exactly to longer steps: see
        :mod:`semidirect.random.iterated_integrals`. They are not defined below h₀.
    path : int, optional
        The path whose increments all paths get, for one realisation of the noise from many starts.
    """

    seed: int
    components: int
    resolution: float
    covariance: Any = None
    increment_law: str = "normal"
    integrals: IteratedIntegrals | None = None
    path: int | None = None
    #: L, if the noises are correlated
    lower: np.ndarray | None = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", arguments.validated_seed(self.seed))
        components = arguments.validated_whole(
            "the number of components", self.components, least=0, most=2**COMPONENT_BITS
        )
        object.__setattr__(self, "components", components)
        object.__setattr__(
            self, "resolution", arguments.validated_positive("the resolution of the noise", self.resolution)
        )
        arguments.validated_name("increment_law", self.increment_law, INCREMENT_LAWS)
        if self.path is not None:
            object.__setattr__(
                self, "path", arguments.validated_whole("the path of the noise", self.path, least=0, most=2**64 - 1)
            )
        if not isinstance(self.integrals, IteratedIntegrals | None):
            raise errors.InputError(
                "integrals of a Wiener process", expected="an object such as LevyAreas()", got=repr(self.integrals)
            )
        if self.covariance is not None:
            lower = factor(self.covariance, components)
            object.__setattr__(self, "covariance", tuple(map(tuple, np.asarray(self.covariance, dtype=float).tolist())))
            object.__setattr__(self, "lower", lower)

    def with_seed(self, seed: int) -> Self:
        """The same noise with another seed."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), seed=arguments.validated_seed(seed))
        return other

    def of_step(self, dt: float, step: float) -> WienerNoise:
        """The same random numbers, drawn at the resolution of the step."""
        if self.resolution != dt:
            raise errors.MethodError(
                "steps of different lengths with a resolution of the noise", expected=f"none, or the step {dt!r}",
                got=f"{self.resolution!r}", hint="Leave the resolution out, or give data at multiples of dt.",
            )  # fmt: skip
        other = object.__new__(type(self))
        vars(other).update(vars(self), resolution=step)
        return other

    @property
    def rows(self) -> int:
        """Number of rows of a step: the components, then those of the integrals."""
        return self.components + (0 if self.integrals is None else self.integrals.rows(self.components))

    def increments(self, paths: Any, step: int, dt: float) -> np.ndarray:
        """W((step+1) dt) − W(step dt), ``(rows, paths)``, for paths given as a range or integers ``(n,)``."""
        return self.block(paths, step, 1, dt)[0]

    def block(self, paths: Any, step: int, steps: int, dt: float) -> np.ndarray:
        """The increments of consecutive steps, ``(steps, rows, paths)``: identical to single steps, but faster."""
        k = self.doublings(dt)
        paths = arguments.validated_paths(paths)
        if self.path is not None:
            one = replace(self, path=None).block(np.array([self.path], np.uint64), step, steps, dt)
            return np.repeat(one, paths.size, axis=2)
        step = arguments.validated_whole("step", step, least=0, most=2**STEP_BITS - 1)
        steps = arguments.validated_whole("the number of steps", steps, least=0, most=2**STEP_BITS - 1)
        if k < 0:
            return self._refined(paths, step, steps, -k)
        if k == 0:
            return self._known(paths, step, steps)
        out = np.empty((steps, self.rows, paths.size))
        for i in range(steps):
            out[i] = self._summed(paths, step + i, k)
        return out

    def block_from(self, paths: np.ndarray, steps: np.ndarray, count: int, dt: float) -> np.ndarray:
        """As :meth:`block`, where the first step of each path ``(n,)`` is its own."""
        if not self._drawn_by_step or self.doublings(dt) or (len(steps) and (steps == steps[0]).all()):
            return super().block_from(paths, steps, count, dt)
        z = normals.fill_normals(np.empty((count, self.components, len(paths))), self.seed, paths, steps)
        z *= math.sqrt(self.resolution)
        return z if self.lower is None else mixed(self.lower, z)

    @property
    def _drawn_by_step(self) -> bool:
        """Whether the rows of a step are normals that are drawn for its path and step alone."""
        return self.integrals is None and self.path is None and self.increment_law == "normal"

    def part(self, paths: Any, step: int, dt: float, share: np.ndarray) -> np.ndarray:
        """Increments as of a linear path; iterated integrals grow by the square."""
        rows = self.increments(paths, step, dt)
        rows[: self.components] *= share
        rows[self.components :] *= share * share
        return rows

    def paths_of_noise(self, paths: np.ndarray) -> np.ndarray:
        """All have the number of the one path whose noise they have."""
        return paths if self.path is None else np.full(paths.shape, self.path, dtype=np.uint64)

    @property
    def correlated(self) -> bool:
        """Whether a covariance is given."""
        return self.covariance is not None

    def mixing(self) -> np.ndarray | None:
        """The Cholesky factor of the covariance."""
        return self.lower

    @property
    def random_resolution(self) -> float:
        """h₀."""
        return self.resolution

    def kernel_draw(self, dt: float) -> KernelDraw | None:
        """Only for increments at the resolution, of each path its own."""
        if self.integrals is not None or self.path is not None or (dt != self.resolution and self.doublings(dt)):
            return None
        return KernelDraw(self.seed, math.sqrt(self.resolution), self.lower, self.increment_law == "three-point")

    def check_steps(self, steps: range, dt: float, paths: int) -> None:
        """Raise an error for steps that are not dyadic multiples of the resolution, or beyond the range of the generator."""
        validated_steps(steps, dt, paths)
        doublings = max(self.doublings(dt), 0)
        if steps.stop << doublings > 2**STEP_BITS:
            raise errors.InputError(
                f"the noise is defined for at most 2**{STEP_BITS} steps after t = 0", expected=f"at most 2**{STEP_BITS} steps",
                got=f"{steps.stop << doublings}", hint="Use larger steps, or an earlier t_start and another seed.",
            )  # fmt: skip

    def check_half_step(self, dt: float) -> None:
        """Raise an error for three-point increments, and for iterated integrals, which are drawn at the resolution."""
        if self.increment_law != "normal":
            raise errors.MethodError(
                "three-point increments do not form a Brownian path, so they cannot be refined", hint="Use normal increments, "
                "or a weak study: semidirect convergence --weak.",
            )  # fmt: skip
        if self.integrals is not None and self.doublings(dt) < 1:
            raise errors.MethodError(
                f"the {self.integrals.words} of the noise are defined at its resolution and above, not at half the step",
                got=f"resolution {self.resolution:g}, dt = {dt:g}",
                hint=f"Give driver=Wiener({dt / 2:g}), or --noise-dt {dt / 2:g}.",
            )  # fmt: skip

    def doublings(self, dt: float) -> int:
        """The integer k in dt = h₀ 2^k (to 1e-12, for a dt computed by division)."""
        dt = arguments.validated_positive("the step", dt)
        ratio = dt / self.resolution
        k = round(math.log2(ratio)) if 0 < ratio < math.inf else STEP_BITS
        if not (-FINEST_LEVEL <= k < STEP_BITS and abs(math.ldexp(ratio, -k) - 1) < 1e-12):
            k = max(-FINEST_LEVEL, min(k, STEP_BITS - 1))
            nearest = math.ldexp(self.resolution, k)
            raise errors.MethodError(
                "the noise is not defined at this step",
                expected=f"dt = {self.resolution!r} * 2**k with -{FINEST_LEVEL} <= k < {STEP_BITS}",
                got=f"dt = {dt!r}",
                hint=f"Take dt = {nearest!r}, or a noise of resolution {dt!r} (another path).",
            )
        if k and self.increment_law == "three-point":
            raise errors.MethodError(
                "three-point increments do not form a Brownian path: they are defined only at their own step",
                expected=f"dt = {self.resolution!r}", got=f"dt = {dt!r}", hint="Leave the resolution out.",
            )  # fmt: skip
        if k < 0 and self.integrals is not None:
            raise errors.MethodError(
                f"the {self.integrals.words} of the noise are defined at its resolution and above",
                expected=f"dt of at least {self.resolution!r}", got=f"dt = {dt!r}",
                hint="Use a smaller resolution, driver=Wiener(h) or --noise-dt.",
            )  # fmt: skip
        return k

    def _independent(self, paths: np.ndarray, step: int, steps: int, level: int) -> np.ndarray:
        weak = self.increment_law == "three-point"
        z = normals.fill_normals(
            np.empty((steps, self.components, paths.size)), self.seed, paths, step, level, weak=weak
        )
        z *= math.sqrt(math.ldexp(self.resolution, -max(level - 1, 0)))
        return z

    def _drawn(self, paths: np.ndarray, step: int, steps: int, level: int = 0) -> np.ndarray:
        """√h z(level, n), with h the length of the intervals of this level."""
        z = self._independent(paths, step, steps, level)
        return z if self.lower is None else mixed(self.lower, z)

    def _known(self, paths: np.ndarray, step: int, steps: int) -> np.ndarray:
        """All rows at the resolution h₀."""
        if self.integrals is None:
            return self._drawn(paths, step, steps)
        dW, integrals = self._independent(paths, step, steps, 0), self.integrals
        more = integrals.draw(dW, self.resolution, self.seed, paths, step)
        if self.lower is not None:
            dW, more = mixed(self.lower, dW), integrals.mix(self.lower, more)
        return np.concatenate([dW, more], axis=1)

    def _joined(self, first: np.ndarray, second: np.ndarray, doublings: int) -> np.ndarray:
        """All rows of steps, from the rows of their halves, which are ``doublings`` above h₀."""
        if self.integrals is None:
            return first + second
        m, h = self.components, math.ldexp(self.resolution, doublings)
        more = self.integrals.join(m, first, second, h)
        return np.concatenate([first[:, :m] + second[:, :m], more], axis=1)

    def _summed(self, paths: np.ndarray, step: int, k: int) -> np.ndarray:
        """The rows over 2^k steps of h₀, joined in a binary tree."""
        if k > _SUMMED_AT_ONCE:
            first, second = (self._summed(paths, 2 * step + i, k - 1)[None] for i in (0, 1))
            return self._joined(first, second, k - 1)[0]
        terms = self._known(paths, step << k, 1 << k)
        for doublings in range(k):
            terms = self._joined(terms[0::2], terms[1::2], doublings)
        return terms[0]

    def _refined(self, paths: np.ndarray, step: int, steps: int, levels: int) -> np.ndarray:
        """Bridges level by level, only over the ancestors of the requested steps."""
        first, last = step >> levels, (step + steps - 1) >> levels
        coarse = self._drawn(paths, first, last + 1 - first)
        for level in range(1, levels + 1):
            deviation = 0.5 * self._drawn(paths, first, len(coarse), level)
            fine = np.empty((2 * len(coarse), *coarse.shape[1:]))
            fine[0::2] = 0.5 * coarse + deviation
            fine[1::2] = 0.5 * coarse - deviation
            offset = 2 * first
            first, last = step >> (levels - level), (step + steps - 1) >> (levels - level)
            coarse = fine[first - offset : last + 1 - offset]
        return coarse

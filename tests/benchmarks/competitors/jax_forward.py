"""JAX in forward mode: (M, Γ) and its derivative by Ω₁ at the start, by whichever of three programs is the fastest here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from problems import DT, Problem

from competitors.competitor import Competitor
from competitors.diffrax_heun import solution

jax.config.update("jax_enable_x64", True)

TRIED = (1000, 200)
"""Paths and steps of the runs by which a program is chosen."""


def by_scan(generator: str) -> Callable[..., Any]:
    """Heun's steps of all paths in one ``lax.scan``, which draws the normals of a step by a generator of JAX."""

    def end(problem: Problem, paths: int, steps: int, dt: float) -> Callable[[Any, int], Any]:
        def of(start: Any, seed: int) -> Any:
            def step(y: Any, key: Any) -> Any:
                n = 0.1 * jnp.sqrt(dt) * jax.random.normal(key, (3, paths))
                first = jnp.stack(problem.increment(y, dt, n))
                return y + (first + jnp.stack(problem.increment(y + first, dt, n))) / 2, None

            keys = jax.random.split(jax.random.key(seed, impl=generator), steps)
            return jax.lax.scan(step, jnp.broadcast_to(start[:, None], (6, paths)), keys)[0]

        return of

    return end


def by_diffrax(problem: Problem, paths: int, steps: int, dt: float) -> Callable[[Any, int], Any]:
    """diffrax as it runs without derivatives."""
    solve = solution(problem, steps, dt)

    def of(start: Any, seed: int) -> Any:
        return jax.vmap(solve, (None, 0), 1)(start, jax.random.split(jax.random.key(seed), paths))

    return of


PROGRAMS = {
    "jvp of lax.scan, threefry": by_scan("threefry2x32"), "jvp of lax.scan, rbg": by_scan("rbg"),
    "jvp of diffrax, Heun, UnsafeBrownianPath": by_diffrax,
}  # fmt: skip


class JaxForward(Competitor):
    """``jax.jvp`` under ``jit``: one tangent, of Ω₁ at the start."""

    label: ClassVar[str] = "JAX, forward mode"

    def settle(self, problem: Problem) -> str:
        """The fastest program."""
        seconds = {}
        for name in PROGRAMS:
            self.chosen = name
            run = self.prepare(problem, *TRIED)
            run(0)
            began = time.perf_counter()
            run(1)
            seconds[name] = time.perf_counter() - began
        self.chosen = min(seconds, key=seconds.__getitem__)
        return self.chosen

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """The first call compiles."""
        end = PROGRAMS[self.chosen](problem, paths, steps, dt)
        start, slope = jnp.asarray(problem.start), jnp.asarray(problem.slope)
        both = jax.jit(lambda seed: jax.jvp(lambda y: end(y, seed), (start,), (slope,)))

        def run(seed: int) -> Any:
            return jax.block_until_ready(both(seed))

        return run

    def states(self, result: Any) -> np.ndarray:
        """The values."""
        return np.asarray(result[0])

    def slopes(self, result: Any) -> np.ndarray:
        """The tangents."""
        return np.asarray(result[1])


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"jax-forward": JaxForward()}

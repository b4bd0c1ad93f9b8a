"""JAX in forward mode: (M, Γ) and its derivative by Ω₁ at the start, by diffrax and by a scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from problems import AMPLITUDE, DT, Problem

from competitors.competitor import Competitor
from competitors.diffrax_heun import solution

jax.config.update("jax_enable_x64", True)


def by_scan(problem: Problem, steps: int, dt: float) -> Callable[[Any, Any], Any]:
    """The final (M, Γ) of one path by Heun's steps in ``lax.scan``, all normals drawn before.

    Of six programs that were tried this is the fastest: drawing in the step, the other generator of JAX, or rows of all paths in
    place of ``vmap`` take two to four times as long.
    """

    def solve(start: Any, key: Any) -> Any:
        def step(y: Any, normals: Any) -> Any:
            n = AMPLITUDE * jnp.sqrt(dt) * normals
            first = jnp.stack(problem.increment(y, dt, n))
            return y + (first + jnp.stack(problem.increment(y + first, dt, n))) / 2, None

        return jax.lax.scan(step, start, jax.random.normal(key, (steps, 3)))[0]

    return solve


class JaxForward(Competitor):
    """``jax.jvp`` of all paths under ``jit``: one tangent, of Ω₁ at the start."""

    label: ClassVar[str] = "JAX, forward mode"

    def __init__(self, program: Callable[[Problem, int, float], Callable[[Any, Any], Any]]):
        self.program = program

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """The first call compiles."""
        batch = jax.vmap(self.program(problem, steps, dt), (None, 0), 1)
        start, slope = jnp.asarray(problem.start), jnp.asarray(problem.slope)
        both = jax.jit(lambda keys: jax.jvp(lambda y: batch(y, keys), (start,), (slope,)))

        def run(seed: int) -> Any:
            return jax.block_until_ready(both(jax.random.split(jax.random.key(seed), paths)))

        return run

    def states(self, result: Any) -> np.ndarray:
        """The values."""
        return np.asarray(result[0])

    def slopes(self, result: Any) -> np.ndarray:
        """The tangents."""
        return np.asarray(result[1])


def competitors() -> dict[str, Competitor]:
    """The two programs."""
    return {"diffrax-forward": JaxForward(solution), "jax-forward": JaxForward(by_scan)}

"""diffrax: Heun, UnsafeBrownianPath, vmap over keys, jit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
from problems import DT, Problem

from competitors.competitor import Competitor

jax.config.update("jax_enable_x64", True)


def solution(problem: Problem, steps: int, dt: float) -> Callable[[Any, Any], Any]:
    """The final (M, Γ) of one path as a function of the start and a key."""

    def solve(start: Any, key: Any) -> Any:
        path = diffrax.UnsafeBrownianPath(shape=(3,), key=key)
        terms = diffrax.MultiTerm(
            diffrax.ODETerm(lambda t, y, args: jnp.stack(problem.drift(y))),
            diffrax.ControlTerm(lambda t, y, args: jnp.stack([jnp.stack(g) for g in problem.noises(y)], axis=1), path),
        )
        return diffrax.diffeqsolve(
            terms, diffrax.Heun(), 0.0, steps * dt, dt, start, saveat=diffrax.SaveAt(t1=True), max_steps=None,
            adjoint=diffrax.ForwardMode(), throw=False,
        ).ys[0]  # fmt: skip

    return solve


class DiffraxHeun(Competitor):
    """``diffeqsolve`` under ``vmap`` and ``jit``; forward only, no checkpoints."""

    label: ClassVar[str] = "diffrax"

    def prepare(self, problem: Problem, paths: int, steps: int, dt: float = DT) -> Callable[[int], Any]:
        """The first call compiles."""
        start, solve = jnp.asarray(problem.start), solution(problem, steps, dt)
        batch = jax.jit(jax.vmap(lambda key: solve(start, key)))

        def run(seed: int) -> Any:
            return batch(jax.random.split(jax.random.key(seed), paths)).block_until_ready()

        return run

    def states(self, result: Any) -> np.ndarray:
        """Components first."""
        return np.asarray(result).T


def competitors() -> dict[str, Competitor]:
    """One."""
    return {"diffrax": DiffraxHeun()}

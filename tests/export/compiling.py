"""What it costs to compile a gradient of the ball in JAX: of the exported step, and of a scan that is written by hand.

Usage: python tests/export/compiling.py

The scan has the equations of the ball in vectors, as one writes them in JAX. Both compute the end of a path of 100 steps of
Heun's method and its derivatives by all parameters. Seconds are those of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import semidirect as sd

DT, STEPS = 0.01, 100
Function = Callable[..., Any]


def step_by_hand(jnp: Any) -> Function:
    """A step of M, Γ, the frame g and the contact x of the ball."""
    cross = jnp.cross

    def hat(v: Any) -> Any:
        return jnp.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

    def increments(M: Any, Gamma: Any, args: Any, dt: Any, w: Any) -> list[Any]:
        I, (m, r, offset), chi, g, xi = args[:3], args[3:6], args[6:9], args[9], args[10:13]
        s = r * Gamma + offset * chi
        Omega = jnp.linalg.solve(jnp.diag(I) + m * (s @ s * jnp.eye(3) - jnp.outer(s, s)), M)
        Y = cross(Omega, s)
        drift = cross(I * Omega, Omega) + m * r * cross(Omega, cross(Y, Gamma))
        drift += m * offset * (g * cross(Gamma, chi) + cross(chi, cross(Y, Omega)))
        noise = cross(I * Omega, xi) + m * offset * cross(xi, cross(Y, chi)) + 2 * m * r * cross(xi, cross(Y, Gamma))
        rates = (drift, cross(Gamma, Omega), Omega, Y)
        return [f * dt + a * w for f, a in zip(rates, (noise, cross(Gamma, xi), xi, cross(xi, s)), strict=True)]

    def step(t: Any, y: Any, args: Any, dt: Any, w: Any) -> Any:
        M, Gamma, g, x = y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:]
        first = increments(M, Gamma, args, dt, w[0])
        second = increments(M + first[0], Gamma + first[1], args, dt, w[0])
        dM, dGamma, angle, way = ((a + b) / 2 for a, b in zip(first, second, strict=True))
        back = jnp.eye(3) - hat(angle) / 2
        turn, advance = jnp.linalg.solve(back, jnp.eye(3) + hat(angle) / 2), jnp.linalg.solve(back, way)
        return jnp.concatenate([M + dM, Gamma + dGamma, (g @ turn).ravel(), x + g @ advance])

    return step


def gradient_of(jax: Any, step: Function, start: Any) -> Function:
    """The derivatives of the sum of all components at the end of a path."""
    noise = np.random.default_rng(1).normal(0, DT**0.5, (STEPS, 1))

    def end(args: Any) -> Any:
        return jax.lax.scan(lambda y, w: (step(0.0, y, args, DT, w), None), start, noise)[0].sum()

    return jax.value_and_grad(end)


def compiled(jax: Any, step: Function, module: Any) -> tuple[float, Any]:
    """Seconds from the function to the compiled derivative, and what it gives."""
    start, args = module.start(), module.defaults()
    before = time.process_time()
    made = jax.jit(gradient_of(jax, step, start)).lower(args).compile()
    return time.process_time() - before, made(args)


def main() -> None:
    """Print both."""
    import jax

    module = sd.runs.export(sd.load("rolling-ball"), "jax", method="heun").load()
    compiled(jax, lambda t, y, args, dt, w: y * args[0], module)  # what is done once
    (hand, a), (mine, b) = (compiled(jax, step, module) for step in (step_by_hand(jax.numpy), module.step))
    print(f"by hand {hand:.1f} s, exported {mine:.1f} s, {mine / hand:.2f} times as long")
    print(f"largest difference of the derivatives {np.abs(a[1] - b[1]).max():.0e} of {np.abs(a[1]).max():.1f}")


if __name__ == "__main__":
    main()

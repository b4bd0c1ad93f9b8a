"""JAX: one file of functions of one path, for jit, vmap and grad."""

from __future__ import annotations

from typing import ClassVar, final

from semidirect.core.solvers import newton
from semidirect.export.program import ExportedProgram
from semidirect.export.python_file import PythonFile
from semidirect.export.target import Target

__all__ = ["JAX"]

IMPORTS = """from __future__ import annotations

from functools import partial, wraps

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero
from jax.numpy import absolute, cos, exp, log, sin, sqrt, tan, where

jax.config.update("jax_enable_x64", True)

"""
RESULTS = """
def by_columns(function):
    # XLA compiles the derivative of a Jacobian whose columns are one array much faster than that of single numbers
    smooth = jax.custom_jvp(function)

    @partial(smooth.defjvp, symbolic_zeros=True)
    def along(values, directions):
        free = [k for k, direction in enumerate(directions) if not isinstance(direction, SymbolicZero)]

        def of_free(some):
            now = dict(zip(free, some))
            result = function(*(now.get(k, value) for k, value in enumerate(values)))
            return result, result

        columns, result = jax.jacfwd(of_free, has_aux=True)([values[k] for k in free])
        return result, sum(jnp.tensordot(c, directions[k], directions[k].ndim) for k, c in zip(free, columns))

    @wraps(function)
    def numbers(*given, **named):
        arrays = [jnp.asarray(x, dtype=float) for x in given]
        return smooth(*arrays, **{k: jnp.asarray(x, dtype=float) for k, x in named.items()})

    return numbers


def stack(rows):
    return jnp.stack([jnp.asarray(row, dtype=float) for row in rows])


def matrix(rows, columns, entries):
    return stack(entries).reshape((rows, columns)) if entries else jnp.zeros((rows, columns))


def good_or_nan(values, *conditions):
    for condition in conditions:
        values = where(condition, values, jnp.nan)
    return values
"""
SOLVER = (
    f"NEWTON_STEPS, DIFFERENCE, LOOSER = {newton.STEPS}, {newton.DIFFERENCE!r}, {newton.LOOSER}\n\n"
    + '''
def fixed_point(function, start, *, tolerance, iterations, after):
    """The solution of x = function(x) and whether there is one, by iteration and, if that contracts slowly, by Newton's method.

    Its derivative is that of the implicit function.
    """
    size = len(start)

    def iterate(_, start):
        def unfinished(state):
            _, left, count, *_ = state
            return (left > 0) & (count < iterations + after)

        def again(state):
            x, left, count, before, expanding = state
            new, scale = function(x)
            change = jnp.max(jnp.abs(new - x))
            finite, close = jnp.isfinite(change), (left <= after) | (change <= tolerance * scale)
            expanding = where(finite & ~close, change >= before, expanding)
            return new, where(finite, left - close, -1), count + 1, change, expanding

        x, left, _, _, expanding = lax.while_loop(unfinished, again, (start, after + 1, 0, jnp.inf, False))
        slow = (left > 0) & ~expanding
        by_newton, more, _ = lax.while_loop(
            lambda state: (state[1] > 0) & (state[2] < NEWTON_STEPS + after), correct, (x, where(slow, after + 1, -1), 0)
        )
        solved = (left == 0) | (more == 0)
        return where(slow, by_newton, x), where(solved, 1.0, 0.0)

    def correct(state):
        x, left, count = state
        near = x + DIFFERENCE * function(x)[1] * jnp.eye(size)
        images, scales = jax.vmap(function)(jnp.concatenate([x[None], near]))
        image, scale = images[0], scales[0]
        slopes = (images[1:] - image) / (jnp.diagonal(near) - x)[:, None]
        correction = jnp.linalg.solve(jnp.eye(size) - slopes.T, image - x)
        change, last = jnp.max(jnp.abs(correction)), left <= after
        finite, close = last | jnp.isfinite(change), last | (change <= LOOSER * tolerance * scale)
        new = where(last, image, where(finite, x + correction, x))
        return new, where(finite, left - close, -1), count + 1

    def along(linear, rows):
        return jnp.linalg.solve(jax.jacobian(linear)(rows), rows)

    solution, solved = lax.custom_root(lambda x: function(x)[0] - x, start, iterate, along, has_aux=True)
    return solution, solved > 0
'''
)


@final
class JAX(Target):
    """Python with JAX; arrays ``(n,)`` of one path, and 64 bits."""

    name: ClassVar[str] = "jax"
    ending: ClassVar[str] = ".py"

    def text(self, program: ExportedProgram, name: str) -> str:
        """The file."""
        file = PythonFile(program)
        return "\n\n".join([
            file.head(": it needs JAX alone, and turns its 64 bits on. Functions are those of one path."),
            IMPORTS + file.names(), RESULTS.lstrip("\n"), *([SOLVER.lstrip("\n")] if file.iterated else []),
            file.values("jnp.array"), file.functions("@by_columns\n"),
        ])  # fmt: skip

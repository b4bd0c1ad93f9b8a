"""JAX: one file of functions of one path, for jit, vmap and grad."""

from __future__ import annotations

from typing import ClassVar, final

from semidirect.export.program import ExportedProgram
from semidirect.export.python_file import PythonFile
from semidirect.export.target import Target

__all__ = ["JAX"]

IMPORTS = """from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.numpy import absolute, cos, exp, log, sin, sqrt, tan, where

jax.config.update("jax_enable_x64", True)

"""
RESULTS = """
def stack(rows):
    return jnp.stack([jnp.asarray(row, dtype=float) for row in rows])


def matrix(rows, columns, entries):
    return stack(entries).reshape((rows, columns)) if entries else jnp.zeros((rows, columns))


def good_or_nan(values, *conditions):
    for condition in conditions:
        values = where(condition, values, jnp.nan)
    return values
"""
SOLVER = '''
def fixed_point(function, start, *, tolerance, iterations, after):
    """The solution of x = function(x) and whether it was found; its derivative is that of the implicit function."""

    def iterate(_, start):
        def unfinished(state):
            _, left, count = state
            return (left > 0) & (count < iterations + after)

        def again(state):
            x, left, count = state
            new, scale = function(x)
            change = jnp.max(jnp.abs(new - x))
            close = (left <= after) | (change <= tolerance * scale)
            return new, where(jnp.isfinite(change), left - close, -1), count + 1

        x, left, _ = lax.while_loop(unfinished, again, (start, after + 1, 0))
        return x, where(left == 0, 1.0, 0.0)

    def along(linear, rows):
        return jnp.linalg.solve(jax.jacobian(linear)(rows), rows)

    solution, solved = lax.custom_root(lambda x: function(x)[0] - x, start, iterate, along, has_aux=True)
    return solution, solved > 0
'''


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
            file.values("jnp.array"), file.functions(),
        ])  # fmt: skip

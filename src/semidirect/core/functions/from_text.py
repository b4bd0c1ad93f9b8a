"""Emitted text as functions on floats, rows of paths or tracer scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from semidirect.core import ops
from semidirect.core.solvers import iteration, linear


def fixed_point(function: Any, start: Any, *, tolerance: float, iterations: int, after: int) -> Any:
    """As :func:`semidirect.core.solvers.fixed_point`, of a function that returns the scale beside the next point."""
    last: list[Any] = [None]

    def next_point(x: Any) -> Any:
        point, last[0] = function(x)
        return point

    return iteration.fixed_point(
        next_point, start, lambda _: last[0], tolerance=tolerance, iterations=iterations, after=after
    )


NUMERICAL: Mapping[str, Any] = {
    "solve_symmetric": linear.solve_symmetric, "solve_pivoted": linear.solve_pivoted, "where": ops.where,
    "interpolate": ops.interpolate, "stack": ops.stack, "fixed_point": fixed_point,
    **{name: getattr(ops, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "absolute")},
}  # fmt: skip


def build(text: str, namespace: Mapping[str, Any] = NUMERICAL) -> Callable[..., tuple[Any, ...]]:
    """The function ``function`` of a text that :mod:`semidirect.instructions.array_printer` wrote."""
    scope = dict(namespace)
    exec(_compiled(text), scope)
    function: Callable[..., tuple[Any, ...]] = scope["function"]
    return function


@lru_cache(maxsize=256)
def _compiled(text: str) -> CodeType:
    """The compiled text; one text is executed for several kinds of numbers."""
    return compile(text, "<semidirect program>", "exec")

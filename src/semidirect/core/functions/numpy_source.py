"""The functions that emitted text calls, as text of a file that needs NumPy alone."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from semidirect.core.elementary import angles, powers
from semidirect.core.solvers import iteration, linear, newton

from . import from_text

BASIC = """
def where(condition, if_true, if_false):
    return np.where(condition, if_true, if_false)[()]


def stack(rows):
    return np.stack(np.broadcast_arrays(*rows)).astype(float)


def tan(x):
    return sin(x) / cos(x)
"""
SOLVERS: tuple[Callable[..., Any], ...] = (
    linear._is_zero, linear._minus, linear._reciprocal, linear._select, linear.solve_pivoted, newton.newton,
    iteration.fixed_point_of_numbers, from_text.fixed_point,
)  # fmt: skip


def numpy_source(*, iterated: bool) -> str:
    """The text of elementary functions, and of those that iterate if they are needed; they give the bits of the library.

    The file imports NumPy as ``np`` and begins with ``from __future__ import annotations``.
    """
    parts = [_without_imports(powers), _without_imports(angles), BASIC]
    if iterated:
        constants = [
            f"{name} = {getattr(module, name)!r}"
            for module, names in (
                (newton, ("STEPS", "DIFFERENCE", "LOOSER")),
                (iteration, ("CONVERGED", "CONTRACTING")),
            )
            for name in names
        ]
        parts += ["\n".join(constants), *(inspect.getsource(function) for function in SOLVERS)]
    text = "\n\n\n".join(part.strip("\n") for part in parts)
    text = re.sub(r"iteration\.fixed_point\(\n?", "fixed_point_of_numbers(", text)
    return re.sub(r"\bops\.", "", text)


def _without_imports(module: ModuleType) -> str:
    """The text of a module after its docstring and its imports."""
    lines = inspect.getsource(module).splitlines()
    last = max(i for i, line in enumerate(lines) if re.match(r"(from|import) ", line))
    return "\n".join(lines[last + 1 :])

"""Kinetic energy with an inertia, less a potential."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import display, ops, user_code
from semidirect.definition.lagrangians.reduced_lagrangian import ReducedLagrangian


@final
@dataclass(frozen=True, repr=False)
class QuadraticLagrangian(display.Brief, ReducedLagrangian):
    """l = ½ ξ·H(a, t, z) ξ + ⟨h(a, t, z), ξ⟩ − V(a, t, z).

    Attributes
    ----------
    inertia : array (n,) or (n, n), or callable(a, t, z)
        H, as moments or as a symmetric matrix.
    potential : callable(a, t, z), optional
        V.
    gyroscopic : array (n,) or callable(a, t, z), optional
        h, a term linear in the velocity.
    """

    inertia: Any | Callable[..., Any]
    potential: Callable[..., Any] | None = None
    gyroscopic: Any = None

    def __call__(self, xi: Any, a: Any, t: Any, z: Any) -> Any:
        """The value."""
        where, velocity = {"a": a, "t": t, "z": z}, np.asarray(xi)
        value = ops.dot(velocity, ops.inertia(user_code.call(self.inertia, **where), velocity)) / 2
        if self.gyroscopic is not None:
            value = value + ops.dot(user_code.call(self.gyroscopic, **where), velocity)
        return value if self.potential is None else value - user_code.call(self.potential, **where)

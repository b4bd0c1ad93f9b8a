"""Reduced Lagrangians as objects, for a system that states its Lagrangian by its parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from semidirect.core import user_code


class ReducedLagrangian(user_code.Hooked, ABC):
    """l(ξ, a, t, z), a scalar; called with symbols to derive and with numbers to evaluate.

    ``System.lagrangian`` may be a method or may return the value of such an object. The equations derive p = ∂l/∂ξ, the
    Hessian ∂²l/∂ξ², the Legendre map and E = ⟨p, ξ⟩ − l from it; none of these has to be stated.
    """

    @abstractmethod
    def __call__(self, xi: Any, a: Any, t: Any, z: Any) -> Any:
        """The value at one state. Arguments with defaults would not be passed, so it has none."""

"""Coordinates of a step, in which the stages of a Runge–Kutta method add up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import display
from semidirect.integrators.tangent import inverse_tangent

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction


@dataclass(frozen=True, eq=False, repr=False)
class Chart(display.Brief, ABC):
    """Coordinates X of states and configurations about the state y at which a step starts, X = 0 (written ``None``).

    A method adds in X. Every chart ends with the transport v, the canonical coordinates of s⁻¹s⁺ = τ(v), whose velocity is
    ``v̇ = (dτ_v)⁻¹ w`` with w = ξ dt + Σ N_i∘dW^i; so s moves to the order of the method.

    Attributes
    ----------
    model, y, retraction
        The equations, the state ``(d, paths)``, and τ.
    terms : int
        Number of powers of ad_v of that series.
    """

    model: NumericalSDE
    y: np.ndarray
    retraction: Retraction
    terms: int

    @abstractmethod
    def state(self, X: Any) -> np.ndarray:
        """The state ``(d, paths)`` at X."""

    @abstractmethod
    def rate(self, X: Any, t: Any, dt: Any, dW: Any) -> np.ndarray:
        """The increment of X that (dt, dW) give at X, linear in them."""

    @abstractmethod
    def transport(self, X: np.ndarray) -> np.ndarray:
        """v ``(n, paths)``."""

    def tangent(self, X: Any, w: np.ndarray) -> np.ndarray:
        """(dτ_v)⁻¹ w."""
        if X is None or not self.terms:
            return w
        return inverse_tangent(self.model.group, self.transport(X), w, self.retraction, self.terms)


@final
class Flat(Chart):
    """X = [y⁺ − y; v]: the state is a vector space."""

    def state(self, X: Any) -> np.ndarray:
        """y + X."""
        return self.y if X is None else self.y + X[: self.model.dimension]

    def rate(self, X: Any, t: Any, dt: Any, dW: Any) -> np.ndarray:
        """The flat increment, its transport pulled back."""
        k = self.model.field(self.state(X), t, dt, dW)
        d = self.model.dimension
        return k if X is None or not self.terms else np.concatenate([k[:d], self.tangent(X, k[d:])])

    def transport(self, X: np.ndarray) -> np.ndarray:
        """The last n rows."""
        return X[self.model.dimension :]


@final
class Frame(Chart):
    """X = [v; k; dz], the moving frame: a by τ(−v), P by Ad*_{τ(v)}(P + k), z by dz.

    v̇ = (dτ_v)⁻¹ w and k̇ = Ad*_{τ(−v)}(κ ◇ a + τ), the force seen from the start of the step: both exact, so the method
    keeps its order, and orbits and Casimirs are preserved for any stages.
    """

    def state(self, X: Any) -> np.ndarray:
        """X · y."""
        return self.y if X is None else self.model.moving_frame.push(self.y, X, self.retraction)

    def rate(self, X: Any, t: Any, dt: Any, dW: Any) -> np.ndarray:
        """The frame increment, pulled back."""
        y = self.state(X)
        increment = self.model.moving_frame.increment(y, t, dt, dW)
        v = None if X is None else self.transport(X)
        w = self.tangent(X, increment[: self.model.group.dimension])
        return np.concatenate([w, *self.model.moving_frame.pull(y, v, increment, self.retraction)])

    def transport(self, X: np.ndarray) -> np.ndarray:
        """The first n rows."""
        return X[: self.model.group.dimension]

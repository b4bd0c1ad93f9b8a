"""Dissipation by transport: a velocity that lowers the energy and keeps coadjoint orbits."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import display, errors, exact, ops, user_code


@final
@dataclass(frozen=True, repr=False)
class DoubleBracket(display.Brief):
    """Double bracket dissipation, a transport that lowers the energy and keeps coadjoint orbits.

    The transport is (ξ + w) dt + Σ N_i∘dW^i, and κ gets k dt, with

        w = B θ Bᵀ (ad*_ξ p + ∂l/∂a ◇ a) ,    k = θ_a ρ(ξ)a .

    ad*_ξ p + ∂l/∂a ◇ a is the rate of the momentum without dissipation, and −ρ(ξ)a that of a. They are not varied, so that by
    the energy law dE = −⟨f, θ f⟩ − ⟨ρ(ξ)a, θ_a ρ(ξ)a⟩ with f = Bᵀ(ad*_ξ p + ∂l/∂a ◇ a): the energy falls where θ and θ_a are
    positive. The momentum and a are moved by elements of the semidirect product S ⋉ V* only, so coadjoint orbits and Casimirs
    stay, in every geometric method too. Without advected quantities dμ = ad*_ξ μ + ad*_w μ, w = θ ad*_ξ μ, is the double bracket
    of Bloch, Krishnaprasad, Marsden and Ratiu (1996) and the selective decay of Arnaudon, De Castro and Holm (2018).

    Under a constraint w is in D. The constraint must be linear and ideal and have a basis B: else reactions would work.

    Attributes
    ----------
    theta : number, array (m,) or (m, m), or callable(a, t, z)
        θ on the coordinates of D (of 𝔰 if nothing is constrained), x·θx ≥ 0.
    advected : number, dict name → number, or callable(a, t, z) that returns one of these
        θ_a ≥ 0; default 0.
    """

    theta: Any | Callable[..., Any]
    advected: Any | Callable[..., Any] = 0

    def __post_init__(self) -> None:
        check_dissipative("θ of a double bracket", self.theta, dimensions=2)
        parts = self.advected.values() if isinstance(self.advected, Mapping) else [self.advected]
        for value in parts:
            check_dissipative("θ_a of a double bracket", value, dimensions=0)

    def matrix(self, m: int, **at: Any) -> np.ndarray:
        """θ as a matrix ``(m, m)``."""
        theta = ops.array(user_code.call(self.theta, **at))
        if theta.ndim < 2:
            diagonal = [theta[()]] * m if theta.ndim == 0 else list(theta)
            theta = np.zeros((len(diagonal),) * 2, dtype=object)
            theta[range(len(diagonal)), range(len(diagonal))] = diagonal
        if theta.shape != (m, m):
            raise errors.DefinitionError(
                "θ of a double bracket", expected=f"a number, ({m},) or ({m}, {m})", got=f"shape {theta.shape}"
            )
        return theta

    def weights(self, layout: Mapping[str, slice], **at: Any) -> np.ndarray:
        """θ_a for each component of a."""
        coefficients = user_code.call(self.advected, **at)
        if isinstance(coefficients, Mapping):
            unknown = [name for name in coefficients if name not in layout]
            if unknown:
                raise errors.DefinitionError(
                    f"θ_a names {unknown[0]!r}", expected=f"advected quantities: {', '.join(layout)}"
                )
            weights = [
                coefficients.get(name, 0) for name, part in layout.items() for _ in range(part.stop - part.start)
            ]
        else:
            weights = [coefficients for part in layout.values() for _ in range(part.stop - part.start)]
        return exact.objects(weights)


def check_dissipative(what: str, value: Any, *, dimensions: int) -> None:
    """Raise an error unless a value can be θ: a function or an expression, which are checked later, or numbers with θ ≥ 0."""
    shapes = "a number" if dimensions == 0 else "a number, moments or a square matrix"
    try:
        theta = np.asarray(value)
    except ValueError:  # rows of several lengths
        raise errors.DefinitionError(what, expected=shapes, got=reprlib.repr(value)) from None
    if callable(value) or (theta.dtype == object and all(hasattr(x, "__truediv__") for x in theta.flat)):
        return
    if theta.dtype.kind not in "iuf" or theta.ndim > dimensions or theta.size == 0 or len(set(theta.shape)) > 1:
        raise errors.DefinitionError(what, expected=shapes, got=reprlib.repr(value))
    if not (np.all(np.isfinite(theta)) and lowest(theta) >= 0):
        raise errors.DefinitionError(what, expected="x·θx ≥ 0 for all x, so that energy falls", got=reprlib.repr(value))


def lowest(theta: np.ndarray) -> float:
    """The smallest value of x·θx on unit vectors, −0 up to round-off; for moments or a matrix."""
    if theta.ndim < 2:
        return float(np.min(theta, initial=0.0))
    values = np.linalg.eigvalsh((theta + theta.T) / 2)
    return float(values[0]) if values[0] < -1e-12 * np.max(np.abs(values)) else 0.0

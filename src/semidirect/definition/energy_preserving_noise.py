"""Noise that moves the momentum and keeps the energy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from semidirect.core import display, errors, ops, user_code


@final
@dataclass(frozen=True, repr=False)
class EnergyPreservingNoise(display.Brief):
    """Stochastic forcing by Lie transport, F_i = ad*_ξ Υ_i: dp = ad*_ξ (p dt + Σ Υ_i∘dW^i) + … (Holm and Hu 2021).

    Transport noise adds N_i to the velocity that transports the momentum: orbits and Casimirs stay, the energy does not. This
    noise adds Υ_i to the momentum that the velocity transports: ⟨ad*_ξ Υ_i, ξ⟩ = ⟨Υ_i, [ξ, ξ]⟩ = 0, so the energy stays, also
    under a linear ideal constraint, and Casimirs of the momentum do not. The configuration and a are not moved, so that orbits
    of a stay. It is a random force of a system, ``noise_force`` with the W^i of the transport, or ``independent_force``.

    Attributes
    ----------
    momenta : array (k, n) or callable(a, t, z) → sequence of (n,)
        The Υ_i ∈ 𝔰*.
    """

    momenta: Any | Callable[..., Any]

    def __call__(self, group: Any, xi: Any, a: Any, t: Any, z: Any) -> list[np.ndarray]:
        """The F_i."""
        rows, n = user_code.listed(user_code.call(self.momenta, a=a, t=t, z=z)), group.dimension
        if rows is None or any(np.shape(row)[:1] != (n,) for row in rows):
            raise errors.DefinitionError(
                "the momenta of an energy-preserving noise",
                expected=f"vectors ({n},), one for each W^i",
                got=repr(self.momenta),
            )
        velocity = np.asarray(xi)
        return [group.cobracket(velocity, ops.array(row)) for row in rows]

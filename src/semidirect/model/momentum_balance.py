"""Covectors of the algebra along derived equations, which discrete principles match at the ends of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import ops
from semidirect.groups import CoadjointRepresentation

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.model.emitted_fields import EmittedFields, Retraction


@final
class MomentumBalance:
    """The momenta and forces of a model whose state is P = Bᵀ ∂l/∂ξ."""

    def __init__(self, model: EmittedFields):
        self.model = model

    def momenta(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> tuple[np.ndarray, ...]:
        """v, p = ∂l/∂ξ, κ, F and dz: all of the Hamilton–Pontryagin principle at one state, p on all of 𝔰."""
        model = self.model
        n, layout = model.group.dimension, model.layout
        k = layout["a"].stop - layout["a"].start

        def outputs() -> tuple[Any, Sequence[sp.Expr]]:
            o = model.sde.program.outputs
            return model.sde.program, (*o["v"], *o["p"], *o["kappa"], *o["force"], *o["state"][layout["a"].stop :])

        rows = model.rows("momenta", outputs, y, t, (dt, *dW))
        return tuple(np.split(rows, [n, 2 * n, 2 * n + k, 3 * n + k]))

    def project(self, y: np.ndarray, t: Any, mu: np.ndarray) -> np.ndarray:
        """Bᵀμ (m, paths) of a covector μ (n, paths) at (a, t, z)."""
        m = self.model.layout["P"].stop

        def text() -> str:
            from semidirect.equations import emission

            s = self.model.sde
            assert s.setting.distribution is not None
            basis = [entry for row in s.setting.distribution.basis for entry in row]
            return emission.source(s.program, basis, (*s.state, s.setting.t, *s.definition.parameters))

        B = self.model.structure.function("basis", text)(*y, t, *self.model.parameters)
        out = []
        for j in range(m):
            terms = [
                B[i * m + j] * mu[i] for i in range(len(mu)) if not (type(B[i * m + j]) is int and B[i * m + j] == 0)
            ]
            out.append(sum(terms[1:], terms[0]))
        return ops.stack(out)

    def force(self, a: np.ndarray, kappa: np.ndarray, F: np.ndarray) -> np.ndarray:
        """κ ◇ a + F in 𝔰*."""
        return F + self.model.diamond(kappa, a) if len(a) else F

    def advect(self, a: np.ndarray, v: np.ndarray, retraction: Retraction) -> np.ndarray:
        """exp(−v)·a."""
        return self.model.act(self.model.group.retract_entries(-v, retraction), a)

    def turn(self, p: np.ndarray, v: np.ndarray, retraction: Retraction, *, alone: bool) -> np.ndarray:
        """Ad* of exp(v) on a covector p of 𝔰; where nothing else moves the momentum, p stays on its orbit, step by step."""
        group = self.model.group
        action = CoadjointRepresentation(group)
        if alone:
            return action.move_entries(v, p, retraction)
        return action.act_entries(group.retract_entries(-v, retraction), p)

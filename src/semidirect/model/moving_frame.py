"""The moving frame of derived equations: increments that move a state by the group, and their action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import interpolation, ops
from semidirect.definition import MovingPart
from semidirect.expressions import component_names
from semidirect.groups import CoadjointRepresentation

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.model.emitted_fields import EmittedFields, Retraction


@final
class _SomeTable(ops.Scalar, interpolation.AnyTable):
    """A table whose numbers do not matter."""

    def interpolated(self, function: interpolation.Interpolant, x: Any) -> float:
        return 0.5


@final
class MovingFrame:
    """Frame increments ``[v; κ; τ; dz]`` of a model, linear in (dt, dW).

    The transport v ∈ 𝔰 moves s and a by the group, κ and τ are added to the momentum as κ ◇ a + τ, and dz to the internal
    states. What turns the momentum is all of 𝔰 (unconstrained), a block of it (rolling: so(3), which turns the momentum of that
    block and leaves those of others), or nothing.
    """

    def __init__(self, model: EmittedFields):
        self.model, self.group, self.layout = model, model.group, model.layout

    @cached_property
    def block(self) -> str | MovingPart | None:
        """The part of 𝔰 that rotates the momentum: ``MovingPart.WHOLE`` for all of it, a block, or nothing."""
        block = self.model.definition.constraint.moving_block(self.group)
        return block if self.model.structure.shape.form == "P" else None

    @property
    def is_whole(self) -> bool:
        """Whether the momentum moves with all of 𝔰, as without a constraint."""
        return self.block is MovingPart.WHOLE

    @property
    def constrained(self) -> bool:
        """Whether a constraint holds, in whatever variables."""
        return self.model.definition.constraint.moving_block(self.group) is not MovingPart.WHOLE

    def increment(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The frame increment at a state, shape ``(n + k + m + dim z, paths)``."""
        return self.model.rows("frame", self._outputs, y, t, (dt, *dW))

    def _outputs(self) -> tuple[Any, Sequence[sp.Expr]]:
        import sympy as sp

        sde, m = self.model.sde, self.layout["P"].stop
        k = self.layout["a"].stop - m
        o = sde.program.outputs
        rates = o["state"]
        kappa: Sequence[sp.Expr] = [sp.Integer(0)] * k
        tau: Sequence[sp.Expr] = rates[:m]
        if self.is_whole:
            kappa, tau = o["kappa"], o["force"]
        elif self.block is not None:
            tau = self._without_turn(rates[:m], o["v"])
        return sde.program, (*o["v"], *kappa, *tau, *rates[m + k :])

    def _without_turn(self, rates: Sequence[sp.Expr], v: Sequence[sp.Expr]) -> list[sp.Expr]:
        """Rates of the momentum without what turns it, ad*_v P."""
        import sympy as sp

        block = self.block
        if block is None:
            return list(rates)
        group, part = (
            (self.group, slice(None))
            if isinstance(block, MovingPart)
            else (self.group.factor(block), self.group.blocks[block])
        )
        P = np.array(self.model.sde.state[self._moved_momentum], dtype=object)
        turning = group.cobracket(np.array(v[part], dtype=object), P)
        left = list(rates)
        left[self._moved_momentum] = [
            r - sp.sympify(x) for r, x in zip(rates[self._moved_momentum], turning, strict=True)
        ]
        return left

    def area_increment(self, y: np.ndarray, t: Any, areas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Σ_{i<j} A_ij [g_i, g_j]: transport v, the further change of the momentum, and dz."""
        model, n, m = self.model, self.group.dimension, self.layout["P"].stop

        def outputs() -> tuple[Any, ...]:
            from semidirect.model.taylor import area_brackets

            program, rows, symbols = area_brackets(model.sde)
            v = rows[model.dimension :]
            return (
                program,
                [*v, *self._without_turn(rows[:m], v), *rows[self.layout["z"].start : model.dimension]],
                symbols,
            )

        rows = model.rows("area frame", outputs, y, t, (0.0,) * (1 + model.wieners) + tuple(areas))
        return rows[:n], rows[n : n + m], rows[n + m :]

    # -- what increments do to a state -----------------------------------------------------------------------------

    def move(self, y: np.ndarray, increment: np.ndarray, retraction: Retraction) -> np.ndarray:
        """Move a state by a frame increment: a by exp(−v), P by Ad* of exp(v) between two halves of κ ◇ a + τ."""
        b, (P, a, z) = self.layout, self.model.parts(y)
        back = self.group.retract_entries(-increment[b["v"]], retraction)
        a_after, kappa, tau = self.model.act(back, a), self._part(increment, "kappa"), self._part(increment, "tau")
        if self._coadjoint is None:
            return np.concatenate([P if tau is None else P + tau, a_after, z + increment[b["dz"]]])
        before, after = (self._half_kick(kappa, tau, x) for x in (a, a_after))
        acted = self._coadjoint_act(back, P if before is None else P + before)
        return np.concatenate([acted if after is None else acted + after, a_after, z + increment[b["dz"]]])

    def push(self, y: np.ndarray, X: np.ndarray, retraction: Retraction) -> np.ndarray:
        """The state at X = [v; k; dz]: a by exp(−v), P by Ad* of exp(v) after k was added, z by dz; k only if there is one."""
        n, (P, a, z) = self.group.dimension, self.model.parts(y)
        rest = X[n:]
        if self.kicked:
            P, rest = P + rest[: len(P)], rest[len(P) :]
        back = self.group.retract_entries(-X[:n], retraction)
        return np.concatenate([self._coadjoint_act(back, P), self.model.act(back, a), z + rest])

    def pull(
        self, y: np.ndarray, v: np.ndarray | None, increment: np.ndarray, retraction: Retraction
    ) -> list[np.ndarray]:
        """[k, dz] of a frame increment at the state y that X = [v; …] gives: Ad* of exp(−v) on κ ◇ a + τ."""
        b = self.layout
        k = self._kick(self._part(increment, "kappa"), self._part(increment, "tau"), y[b["a"]])
        if k is None:
            return [increment[b["dz"]]]
        if self._coadjoint is not None and v is not None:
            k = self._coadjoint_act(self.group.retract_entries(v, retraction), k)
        return [k, increment[b["dz"]]]

    @cached_property
    def _coadjoint(self) -> CoadjointRepresentation | None:
        block = self.block
        if block is None:
            return None
        return CoadjointRepresentation(self.group if isinstance(block, MovingPart) else self.group.factor(block))

    @cached_property
    def _moved_momentum(self) -> slice:
        """The part of the momentum that rotates: all of it, or that of the block."""
        if self.block is None or isinstance(self.block, MovingPart):
            return self.layout["P"]
        return component_names.layout(self.model.definition.constraint.coordinates(self.group))[str(self.block)]

    def _coadjoint_act(self, back: np.ndarray, P: np.ndarray) -> np.ndarray:
        """Ad* of the inverse of a group element ``back`` on a momentum; other blocks of the momentum stay."""
        if self._coadjoint is None or self.block is None:
            return P
        element = back if self.block is MovingPart.WHOLE else self.group.factor_entries(self.block, back)
        part = self._moved_momentum
        acted = self._coadjoint.act_entries(element, P[part])
        return acted if len(acted) == len(P) else np.concatenate([P[: part.start], acted, P[part.stop :]])

    def _half_kick(self, kappa: np.ndarray | None, tau: np.ndarray | None, a: np.ndarray) -> Any:
        """½ (κ ◇ a + τ), ``None`` if both vanish."""
        kick = self._kick(kappa, tau, a)
        return None if kick is None else 0.5 * kick

    def _kick(self, kappa: np.ndarray | None, tau: np.ndarray | None, a: np.ndarray) -> Any:
        """κ ◇ a + τ, ``None`` if both vanish; κ ◇ a can be added only to a momentum of all of 𝔰."""
        if kappa is None or not self.is_whole:
            return tau
        pushed = self.model.diamond(kappa, a)
        return pushed if tau is None else pushed + tau

    @property
    def kicked(self) -> bool:
        """Whether anything is added to the momentum, κ ◇ a or τ."""
        return not (self._vanishes("tau") and (not self.is_whole or self._vanishes("kappa")))

    def _part(self, increment: np.ndarray, name: str) -> np.ndarray | None:
        """κ or τ of an increment, ``None`` if it is structurally zero."""
        return None if self._vanishes(name) else increment[self.layout[name]]

    def _vanishes(self, name: str) -> bool:
        """Whether all rows of a part are 0 by their structure, whatever the state."""
        return self._zero_rows.issuperset(range(self.layout["dz"].start)[self.layout[name]])

    @cached_property
    def _zero_rows(self) -> frozenset[int]:
        """Rows of the increment that were written as the integer 0."""
        model = self.model
        function = model.function("frame", self._outputs)
        with np.errstate(all="ignore"):  # floats of NumPy: a matrix of equal entries is singular
            state = model.dimension + 1
            numbers = np.full(model.dimension + 1 + len(model.parameters) + 1 + model.wieners, 0.5)
            parameters = [
                _SomeTable() if isinstance(p, interpolation.AnyTable) else x
                for p, x in zip(model.parameters, numbers[state:])
            ]
            rows = function(*numbers[:state], *parameters, *numbers[state + len(parameters) :])
        return frozenset(i for i, row in enumerate(rows) if type(row) is int)

"""The velocity that a constraint allows and that is nearest to a given one in the kinetic metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from semidirect.core import errors, ops, solvers

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

__all__ = ["ConstraintAt", "KineticProjection", "nearest_velocity"]


class ConstraintAt(NamedTuple):
    """A constraint at some states, entries of any kind, batch axes last.

    Attributes
    ----------
    metric : array (n, n, …)
        H = ∂²l/∂ξ².
    matrix, values : arrays (n, m, …), (n, …) or (k, n, …), (k, …)
        B and c of ξ = B u + c; or A and b of A ξ = b where ``by_covectors``.
    by_covectors : bool
    """

    metric: np.ndarray
    matrix: np.ndarray
    values: np.ndarray
    by_covectors: bool


def nearest_velocity(velocity: np.ndarray, at: ConstraintAt) -> np.ndarray:
    """P ξ, for which ⟨H(ξ − P ξ), η⟩ = 0 for every variation η that the constraint allows: ``(n, …)``.

    The momentum changes by −H(ξ − P ξ), which annihilates D: the impulse of ideal reactions. If the constraint is linear, the
    kinetic energy falls by that of ξ − P ξ. Entries are floats, one per path, or exact numbers.
    """
    if at.by_covectors:
        if not len(at.matrix):
            return velocity
        lifted = ops.stack([_solved(at.metric, row) for row in at.matrix])  # the rows of (H⁻¹Aᵀ)ᵀ
        excess = ops.matvec(at.matrix, velocity) - at.values
        multipliers = _solved(ops.matmul(at.matrix, ops.transpose(lifted)), excess)
        return velocity - ops.matvec(ops.transpose(lifted), multipliers)
    return at.values + ops.matvec(at.matrix, coordinates_of(velocity, at))


def coordinates_of(velocity: np.ndarray, at: ConstraintAt) -> np.ndarray:
    """u of the nearest velocity B u + c, ``(m, …)``."""
    transposed = ops.transpose(at.matrix)
    momentum = ops.matvec(transposed, ops.matvec(at.metric, velocity - at.values))
    return _solved(ops.matmul(transposed, ops.matmul(at.metric, at.matrix)), momentum)


def _solved(matrix: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    return ops.stack(solvers.solve_symmetric([list(row) for row in matrix], list(rhs)))


@final
@dataclass(frozen=True, eq=False)
class KineticProjection:
    """Projects velocities on the constraint of a system and writes them as its state, all expressions derived.

    Raises
    ------
    MethodError
        If l is not quadratic in ξ, so that there is no kinetic metric.
    """

    model: NumericalSDE

    def __post_init__(self) -> None:
        if not self.model.sde.setting.quadratic:
            raise errors.MethodError(
                f"no kinetic metric in {type(self.model.system).__name__}",
                expected="a Lagrangian that is quadratic in ξ", got="another one, or a Hamiltonian",
            )  # fmt: skip

    @property
    def velocities(self) -> int:
        """The number of rows of a state that are velocities or momenta."""
        return self.model.layout["P"].stop

    def velocity(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """ξ ``(n, paths)`` at states; ``model``: with the parameters of these paths."""
        return model.read(y, stored, t, {"xi": list(model.sde.program.outputs["xi"])})["xi"]

    def at(self, model: NumericalSDE, rest: np.ndarray, stored: np.ndarray, t: Any) -> ConstraintAt:
        """The constraint where the rows of a state below its velocities are ``rest``."""
        values = self._read(model, rest, stored, t)
        n, by_covectors = self.model.group.dimension, model.sde.setting.distribution is None
        matrix, paths = values["matrix"], values["metric"].shape[-1]
        shape = (-1, n, paths) if by_covectors else (n, -1, paths)
        return ConstraintAt(
            values["metric"].reshape(n, n, paths), matrix.reshape(shape), values["values"], by_covectors
        )

    def state(
        self, model: NumericalSDE, velocity: np.ndarray, rest: np.ndarray, stored: np.ndarray, t: Any
    ) -> np.ndarray:
        """The state ``(d, paths)`` with a velocity that the constraint allows: Bᵀ∂l/∂ξ, u or ξ above the other rows."""
        form = model.structure.shape.form
        if form == "A":
            return np.concatenate([velocity, rest])
        at = self.at(model, rest, stored, t)
        if form == "B":
            return np.concatenate([coordinates_of(velocity, at), rest])
        momentum = ops.matvec(at.metric, velocity) + self._read(model, rest, stored, t)["still"]
        return np.concatenate([ops.matvec(ops.transpose(at.matrix), momentum), rest])

    def _read(self, model: NumericalSDE, rest: np.ndarray, stored: np.ndarray, t: Any) -> Mapping[str, np.ndarray]:
        y = np.concatenate([np.zeros((self.velocities, rest.shape[1])), rest])
        return model.read(y, stored, t, self.model.known("kinetic metric and constraint", self._rows))

    def _rows(self) -> dict[str, list[Any]]:
        s = self.model.sde.setting
        still = dict.fromkeys(s.xi, 0)
        if s.distribution is not None:
            matrix, values = s.distribution.basis, s.distribution.offset
        else:
            assert s.annihilator is not None
            matrix, values = s.annihilator.covectors, s.annihilator.values
        return {
            "metric": list(s.hessian.flat), "matrix": list(matrix.flat), "values": list(values),
            "still": [p.xreplace(still) for p in s.momentum],
        }  # fmt: skip

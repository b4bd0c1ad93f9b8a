"""The ground that the level of a switch is: where the target of an impact states no normal, that of the level counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semidirect.core import ops
from semidirect.hybrid import kinetic_projection
from semidirect.hybrid.collision import NO_FORCE, ROUNDING, Collision, at_some, by_path, reactions
from semidirect.hybrid.displacements import Displacements
from semidirect.hybrid.group_slopes import Slopes

FEWEST_THAT_PULL = 2
"""Velocities that a target forbids, at least, whose impulse may pull: that of one velocity alone is along it."""


class LevelGround(NamedTuple):
    """The normal, from the level to where paths come from, as a covector ``(n, paths)``: the gradient of the distance's rate.

    ``acts`` ``(k, n, paths)``: the rows of algebra vectors in which the force of the ground is seen. There are several readings
    where coordinates of Rⁿ may be lengths or angles, for want of units; what all of them say is true.
    """

    normal: np.ndarray
    acts: np.ndarray

    def pulls(
        self,
        collision: Collision,
        before: np.ndarray,
        source: kinetic_projection.ConstraintAt | None,
        target: kinetic_projection.ConstraintAt,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where the impulse of an impact stops an approach and its force is against the normal, and the level is a ground.

        The second array says where that is so by some of the readings only. ``before``: the velocities before the impact;
        ``source``: ``None`` if it forbids nothing.
        """
        sizes, change = np.abs(before) + np.abs(collision.velocity), self.normal * (collision.velocity - before)
        approaches = np.sum(change, axis=0) > ROUNDING * np.sum(np.abs(self.normal) * sizes, axis=0)
        size = np.abs(self.normal) * ops.matvec(np.abs(target.metric), sizes)
        terms = self.normal * collision.impulse
        force, small = (np.sum(np.where(self.acts, x, 0.0), axis=1) for x in (terms, size))
        against = force < -ROUNDING * small
        some_say: np.ndarray = approaches & against.any(axis=0)
        which = np.flatnonzero(some_say)
        if len(which):
            some = LevelGround(self.normal[:, which], self.acts[..., which])
            some_say[which] = some._holds(None if source is None else at_some(source, which), at_some(target, which))
        all_say = against.all(axis=0)
        return some_say & all_say, some_say & ~all_say

    def _holds(
        self, source: kinetic_projection.ConstraintAt | None, target: kinetic_projection.ConstraintAt
    ) -> np.ndarray:
        """Where the target forbids the rate of the distance, and the reactions of the source have no force along the normal.

        Elsewhere paths do not land on the level, or the force of the ground is not known from the impulse.
        """
        root = np.linalg.cholesky(by_path(target.metric))
        normal = by_path(self.normal)[..., None]
        lifted, basis = np.linalg.solve(root, normal), reactions(root, target)
        rest = lifted - basis @ (np.swapaxes(basis, 1, 2) @ lifted)
        holds: np.ndarray = np.linalg.norm(rest, axis=(1, 2)) <= NO_FORCE * np.linalg.norm(lifted, axis=(1, 2))
        if source is None:
            return holds
        before = np.swapaxes(reactions(root, source), 1, 2)
        for acts in self.acts:
            normals = np.swapaxes(root, 1, 2) @ np.where(by_path(acts)[..., None], normal, 0.0)
            pressed = before @ normals
            holds &= np.linalg.norm(pressed, axis=(1, 2)) <= NO_FORCE * np.linalg.norm(normals, axis=(1, 2))
        return holds


def level_ground(slopes: Slopes, sign: int, displacements: Displacements) -> LevelGround:
    """The ground of a level that is reached from below (``sign`` 1) or from above (−1), by a quantity with these slopes."""
    normal = -sign * slopes.gradient
    readings, moving = [displacements.certain | displacements.possible], normal != 0
    if (
        displacements.possible.any()
    ):  # an angle among the coordinates of Rⁿ changes the arms of forces, and the slopes with them
        readings.append(displacements.certain | (displacements.possible & slopes.still))
    everywhere = np.ones_like(moving)
    acts, otherwise = [], everywhere
    for reading in readings:
        rows = np.broadcast_to(reading[:, None], moving.shape)
        otherwise = np.where((rows & moving).any(axis=0), rows, otherwise)
        acts.append(otherwise)
    return LevelGround(normal, np.stack(acts))

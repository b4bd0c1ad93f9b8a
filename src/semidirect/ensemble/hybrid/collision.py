"""The velocity after an impact, its impulse and the kinetic energy that is lost: numbers alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semidirect.core import ops
from semidirect.core.errors import InputError
from semidirect.ensemble.hybrid.switch import Impact
from semidirect.model.kinetic_projection import ConstraintAt, nearest_velocity

NOT_NORMAL = 1e-8
"""Above this share of a normal impulse, a tangential part is not due to rounding."""


class Ground(NamedTuple):
    """The block of algebra vectors on which the force of the contact acts, and the unit normal there ``(d, paths)``."""

    part: slice
    normal: np.ndarray


class Collision(NamedTuple):
    """Velocities after an impact ``(n, paths)``, which paths rebound, which slide, impulses H(ξ⁺ − ξ⁻), lost kinetic energies."""

    velocity: np.ndarray
    rebounds: np.ndarray
    slides: np.ndarray
    impulse: np.ndarray
    loss: np.ndarray


def collide(
    impact: Impact, velocity: np.ndarray, target: ConstraintAt, sliding: ConstraintAt | None, ground: Ground | None
) -> Collision:
    """Apply an impact, see :class:`~semidirect.Impact`; ``ground`` is needed for friction and for ``settling``."""
    paths = velocity.shape[1]
    rough = nearest_velocity(velocity, target)
    smooth = rough if sliding is None else nearest_velocity(velocity, sliding)
    push, drag = (ops.matvec(target.metric, x) for x in (smooth - velocity, rough - smooth))
    rebounds = np.full(paths, impact.restitution > 0)
    if ground is not None and impact.settling > 0:
        with np.errstate(all="ignore"):
            speed = ops.dot(push, smooth - velocity) / np.abs(ops.dot(push[ground.part], ground.normal))
        rebounds &= speed >= impact.settling
    restitution = np.where(rebounds, impact.restitution, 0.0)
    share = np.ones(paths)
    if ground is not None and impact.friction is not None:
        share = _share(impact.friction, (1 + restitution) * push[ground.part], drag[ground.part], ground.normal)
    after = rough + (1 - share) * (smooth - rough) - restitution * (velocity - smooth)
    impulse = (1 + restitution) * push + share * drag
    loss = -ops.dot(impulse, velocity + after) / 2
    return Collision(after, rebounds, ~rebounds & (share < 1), impulse, loss)


def _share(friction: float, push: np.ndarray, drag: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The largest λ from 0 to 1 for which the friction of the impulse push + λ drag is at most ``friction`` · its normal part."""
    pressed, more = ops.dot(push, normal), ops.dot(drag, normal)
    across, along = push - pressed * normal, drag - more * normal
    wrong = np.flatnonzero(ops.dot(across, across) > (NOT_NORMAL * pressed) ** 2)
    if len(wrong):
        raise InputError("the sliding mode of an impact", expected="a constraint that forbids the normal velocity alone",
                         got="one whose impulse is not along the normal of its contact")  # fmt: skip
    size = ops.sqrt(ops.dot(along, along))
    with np.errstate(all="ignore"):
        share = friction * pressed / (size - friction * more)
    return np.where(size > friction * (pressed + more), np.clip(share, 0.0, 1.0), 1.0)

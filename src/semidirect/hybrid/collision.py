"""The velocity after an impact, its impulse and the kinetic energy that is lost: numbers alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semidirect.core import errors, ops
from semidirect.hybrid import kinetic_projection
from semidirect.hybrid.switch import Impact

NOT_NORMAL = 1e-8
"""Above this share of a normal impulse, a tangential part is not due to rounding."""
ROUNDING = 2.0**-36
"""Below this share of the momenta before and after, an impulse is 0."""
NO_FORCE = 2.0**-20
"""Below this share of the largest, a force is 0: that of a reaction along a normal, of which both have the errors of a method."""

NORMAL = "Give the constraint contact=sd.Contact(…) or normal=, which say which velocity rebounds."
ONE_CONTACT = (
    "The velocities do not say which of several contacts has which impulse: for restitution give sliding=, a mode that forbids "
    "the normal velocity alone, and leave friction and settling away."
)


class Ground(NamedTuple):
    """The block of algebra vectors on which the force of the contact acts, and the unit normal there ``(d, paths)``."""

    part: slice
    normal: np.ndarray


class Collision(NamedTuple):
    """Velocities after an impact ``(n, paths)``, which paths rebound, which slide, impulses H(ξ⁺ − ξ⁻), lost kinetic energies,
    and on which paths the ground would have to pull, or would if what is no length were known.
    """

    velocity: np.ndarray
    rebounds: np.ndarray
    slides: np.ndarray
    impulse: np.ndarray
    loss: np.ndarray
    pulls: np.ndarray
    may_pull: np.ndarray


def collide(
    impact: Impact,
    velocity: np.ndarray,
    target: kinetic_projection.ConstraintAt,
    sliding: kinetic_projection.ConstraintAt | None,
    ground: Ground | None,
    source: kinetic_projection.ConstraintAt | None = None,
) -> Collision:
    """Apply an impact, see :class:`~semidirect.Impact`.

    ``ground`` is needed for friction, for ``settling`` and, unless there is a ``sliding`` mode or the target forbids the normal
    velocity alone, for restitution. Without it nothing is said of paths that pull, see :class:`.LevelGround`.

    ``source``, the constraint before: where it has a reaction along the normal no path lands, so none pulls. What its velocity
    has along the normal is the error of a method.
    """
    paths = velocity.shape[1]
    # a perfectly rough impact projects to the mode after it, a smooth one only along the normal
    rough = kinetic_projection.nearest_velocity(velocity, target)
    if sliding is not None:
        smooth = kinetic_projection.nearest_velocity(velocity, sliding)
    elif ground is not None and impact.restitution > 0:
        smooth = without_friction(velocity, rough, target, ground)
    else:
        smooth = rough
    push, drag = (ops.matvec(target.metric, x) for x in (smooth - velocity, rough - smooth))
    rebounds = np.full(paths, impact.restitution > 0)
    # slow impacts do not rebound, or a body would bounce for ever
    if ground is not None and impact.settling > 0:
        with np.errstate(all="ignore"):
            speed = ops.dot(push, smooth - velocity) / np.abs(ops.dot(push[ground.part], ground.normal))
        rebounds &= speed >= impact.settling
    restitution = np.where(rebounds, impact.restitution, 0.0)
    share = np.ones(paths)
    size = None if ground is None else _size(velocity, rough, target, ground)
    # friction takes the share of the tangential impulse that its cone admits
    if ground is not None and size is not None and impact.friction is not None:
        share = _share(
            impact.friction, (1 + restitution) * push[ground.part], drag[ground.part], ground.normal, ROUNDING * size
        )
    after = rough + (1 - share) * (smooth - rough) - restitution * (velocity - smooth)
    impulse = (1 + restitution) * push + share * drag
    loss = -ops.dot(impulse, velocity + after) / 2
    pulls = np.zeros(paths, dtype=bool)
    # the ground can push but not pull, unless the constraint before the impact already had such a force
    if ground is not None and size is not None and not impact.joint:
        pulls = _pulls(velocity, rough, impulse, target, ground, ROUNDING * size)
        if source is not None and pulls.any():
            pulls &= ~_presses(source, ground)
    return Collision(after, rebounds, ~rebounds & (share < 1), impulse, loss, pulls, np.zeros(paths, dtype=bool))


def without_friction(
    velocity: np.ndarray, rough: np.ndarray, target: kinetic_projection.ConstraintAt, ground: Ground
) -> np.ndarray:
    """P_s ξ, from ξ and P_t ξ: the impulse is one of the reactions of the target whose force is along the normal.

    All vectors are taken in coordinates in which the kinetic metric is the identity, where units do not mix.
    """
    paths = velocity.shape[1]
    root = np.linalg.cholesky(by_path(target.metric))  # H = L Lᵀ
    upper = np.swapaxes(root, 1, 2)
    basis = reactions(root, target)
    force = (root @ basis)[:, ground.part]
    normal = by_path(ground.normal / ops.sqrt(ops.dot(ground.normal, ground.normal)))[
        ..., None
    ]  # unit but for a method's error
    across = force - normal @ (np.swapaxes(normal, 1, 2) @ force)
    if not across.shape[2]:
        return rough
    _, sizes, rows = np.linalg.svd(across)
    sizes = np.concatenate([sizes, np.zeros((paths, across.shape[2] - sizes.shape[1]))], axis=1)
    largest = np.linalg.norm(force, ord=2, axis=(1, 2))[:, None]
    free = rows * (sizes <= NO_FORCE * largest)[..., None]  # combinations of reactions without a tangential force
    along = basis @ np.swapaxes(free, 1, 2)
    lost = upper @ by_path(velocity - rough)[..., None]
    change = np.linalg.solve(upper, along @ (np.swapaxes(along, 1, 2) @ lost))[..., 0].T
    missing = np.abs(free @ np.swapaxes(force, 1, 2) @ normal).max(axis=(1, 2)) <= NO_FORCE * largest[:, 0]
    if missing.any():
        raise errors.InputError(
            "the contact of the target of an impact",
            expected="a normal along which its constraint can push",
            got="a constraint without a reaction whose force is along its normal",
            hint="Correct normal=, or give sliding=, a mode that forbids the normal velocity alone.",
        )
    return velocity - change


def reactions(root: np.ndarray, target: kinetic_projection.ConstraintAt) -> np.ndarray:
    """An orthonormal basis of the reactions L⁻¹ α, ⟨α, η⟩ = 0 for all allowed variations η: ``(paths, n, k)``."""
    matrix = by_path(target.matrix)
    if target.by_covectors:
        return np.linalg.qr(np.linalg.solve(root, np.swapaxes(matrix, 1, 2)))[0]
    basis = np.swapaxes(root, 1, 2) @ matrix
    return np.linalg.qr(basis, mode="complete")[0][..., matrix.shape[2] :]


def by_path(rows: np.ndarray) -> np.ndarray:
    """Paths first, in one order in memory, so that products of matrices do not depend on the number of paths."""
    return np.ascontiguousarray(np.moveaxis(rows, -1, 0))


def at_some(at: kinetic_projection.ConstraintAt, which: np.ndarray) -> kinetic_projection.ConstraintAt:
    """A constraint on some of the paths."""
    return kinetic_projection.ConstraintAt(
        at.metric[..., which], at.matrix[..., which], at.values[..., which], at.by_covectors
    )


def _size(
    velocity: np.ndarray, rough: np.ndarray, target: kinetic_projection.ConstraintAt, ground: Ground
) -> np.ndarray:
    """The size of the terms of the linear momentum before and after ``(paths,)``, to which impulses have rounding errors."""
    terms = ops.matvec(np.abs(target.metric), np.abs(velocity) + np.abs(rough))[ground.part]
    size: np.ndarray = np.max(terms, axis=0)
    return size


def _pulls(
    velocity: np.ndarray,
    rough: np.ndarray,
    impulse: np.ndarray,
    target: kinetic_projection.ConstraintAt,
    ground: Ground,
    small: np.ndarray,
) -> np.ndarray:
    """Where the normal part of the impulse is negative, and the velocity before it is not along the ground."""
    normal = ops.dot(impulse[ground.part], ground.normal)
    which = np.flatnonzero(normal < -small)
    out = np.zeros(len(normal), dtype=bool)
    if len(which):
        some = at_some(target, which)
        there = Ground(ground.part, ground.normal[:, which])
        smooth = without_friction(velocity[:, which], rough[:, which], some, there)
        push = ops.matvec(some.metric, smooth - velocity[:, which])[ground.part]
        out[which] = np.abs(ops.dot(push, there.normal)) > small[which]
    return out


def _presses(source: kinetic_projection.ConstraintAt, ground: Ground) -> np.ndarray:
    """Where a reaction of the constraint before has a force along the normal."""
    root = np.linalg.cholesky(by_path(source.metric))
    force = (root @ reactions(root, source))[:, ground.part]
    pressed = np.swapaxes(by_path(ground.normal)[..., None], 1, 2) @ force
    presses: np.ndarray = np.linalg.norm(pressed, axis=(1, 2)) > NO_FORCE * np.linalg.norm(force, axis=(1, 2))
    return presses


def _share(friction: float, push: np.ndarray, drag: np.ndarray, normal: np.ndarray, small: np.ndarray) -> np.ndarray:
    """The largest λ from 0 to 1 for which the friction of the impulse push + λ drag is at most ``friction`` · its normal part."""
    pressed, more = ops.dot(push, normal), ops.dot(drag, normal)
    across, along = push - pressed * normal, drag - more * normal
    wrong = np.flatnonzero(ops.dot(across, across) > (NOT_NORMAL * np.abs(pressed) + small) ** 2)
    if len(wrong):
        raise errors.InputError("the sliding mode of an impact", expected="a constraint that forbids the normal velocity alone",
                                got="one whose impulse is not along the normal of its contact")  # fmt: skip
    size = ops.sqrt(ops.dot(along, along))
    with np.errstate(all="ignore"):
        share = friction * pressed / (size - friction * more)
    return np.where(size > friction * (pressed + more), np.clip(share, 0.0, 1.0), 1.0)


def require_one_normal(
    label: str, velocity: np.ndarray, source: kinetic_projection.ConstraintAt, target: kinetic_projection.ConstraintAt
) -> None:
    """Raise an error if a target without a contact forbids more than its source and one velocity, the one that rebounds."""
    after = kinetic_projection.nearest_velocity(velocity, target)
    correction, lost = after - kinetic_projection.nearest_velocity(after, source), velocity - after
    excess, most = (ops.dot(x, ops.matvec(target.metric, x)) for x in (correction, lost))
    if (excess > NOT_NORMAL * most).any():
        raise errors.InputError("restitution of an impact", expected="a contact with a normal in the target, or sliding=",
                                got="none", where=label, hint=NORMAL)  # fmt: skip

"""The body of a system that states no shape: the ellipsoid with its mass and moments of inertia, and its axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.definition import SystemDefinition, ValuesAt
from semidirect.groups import ElementLayout
from semidirect.shapes import Ellipsoid, Shape

THINNEST = 0.05
"""The shortest semi-axis that is drawn, relative to the longest."""

LEVER = 1.5
"""Length of the axes, relative to the longest semi-axis."""


def mass_shape(system: SystemDefinition | None, state: Mapping[str, Any], size: float, moves: bool) -> Shape:
    """Three axes, and the homogeneous ellipsoid whose kinetic energy is that of the system, where it has one.

    Parameters
    ----------
    state : mapping
        The initial values of advected quantities, on which the kinetic energy may depend.
    size : float
        The longest semi-axis [m] where the Lagrangian has no mass, so that only ratios are known; without a body, the length of
        the axes.
    moves : bool
        Whether the position of the body is one of its coordinates.
    """
    body = None if system is None else _ellipsoid(system, state, size)
    longest = size if body is None else float(np.linalg.norm(body.placement()[0], axis=0).max())
    reach = (LEVER if body is not None else 1.0) * longest
    centre = np.zeros(3) if body is None else np.asarray(body.centre)
    return Shape.with_axes(body, centre, reach, tracer=centre if moves else centre + [0.0, 0.0, reach])


def _ellipsoid(system: SystemDefinition, state: Mapping[str, Any], size: float) -> Ellipsoid | None:
    """None where the Lagrangian has no positive kinetic energy of rotation."""
    layout = ElementLayout.of(system.group)
    row, n = min((p for p in layout.rotations.values() if p[1] in (2, 3)), key=lambda x: (-x[1], x[0]), default=(0, 0))
    if not n:
        return None
    hessian = _kinetic_energy(system, state)
    basis, last = system.group.basis, row + n
    turning = np.stack(
        [_axis(e[row:last, row:last]) for e in basis], axis=1
    )  # angular velocity of ξ, (1 or 3, dimension)
    moving = basis[:, row:last, last].T if last < system.group.size else np.zeros((n, len(basis)))
    turns, moves = np.any(turning, axis=0), np.any(moving, axis=0) & ~np.any(turning, axis=0)
    if hessian is None or np.count_nonzero(turns) != len(turning):
        return None
    of_turns = np.linalg.inv(turning[:, turns])
    inertia = of_turns.T @ hessian[np.ix_(turns, turns)] @ of_turns
    mass, centre = None, np.zeros(3)
    if np.count_nonzero(moves) == n:
        of_moves = np.linalg.inv(moving[:, moves])
        mass = float(np.trace(of_moves.T @ hessian[np.ix_(moves, moves)] @ of_moves)) / n
        if mass > 0:
            inertia, centre = _about_the_centre(
                inertia, of_turns.T @ hessian[np.ix_(turns, moves)] @ of_moves / mass, mass
            )
    if n == 2:
        inertia = np.diag([0.5, 0.5, 1.0]) * inertia[0, 0]  # a disc in its plane
    moments, axes = np.linalg.eigh((inertia + inertia.T) / 2)
    if not (np.all(np.isfinite(moments)) and moments[0] > 0):
        return None
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    squares = np.maximum(moments.sum() / 2 - moments, 0.0)  # of the semi-axes, by a fifth of the mass
    longest = np.sqrt(5 * squares.max() / mass) if mass and mass > 0 else size
    semiaxes = np.maximum(np.sqrt(squares / squares.max()), THINNEST) * longest
    return Ellipsoid(semiaxes, centre, axes)


def _kinetic_energy(system: SystemDefinition, state: Mapping[str, Any]) -> np.ndarray | None:
    """∂²l/∂ξ² at rest by differences, which are exact for quadratic energies."""
    definition = system.workings.definition()
    dimension = system.group.dimension
    a, z = (_values(layout, state) for layout in (definition.advected_layout, definition.internal_layout))
    if a is None or z is None:
        return None

    def value(*steps: int) -> float:
        xi = np.zeros(dimension)
        for i in steps:
            xi[abs(i) - 1] += np.sign(i)
        return float(ValuesAt(definition, xi, a, z, 0.0).lagrangian)

    try:
        with np.errstate(all="ignore"):
            rest, alone = value(), [value(i) for i in range(1, dimension + 1)]
            back = [value(-i) for i in range(1, dimension + 1)]
            hessian = np.diag([p + m - 2 * rest for p, m in zip(alone, back, strict=True)])
            for i in range(dimension):
                for j in range(i):
                    both = (
                        value(i + 1, j + 1) + value(-i - 1, -j - 1) - alone[i] - alone[j] - back[i] - back[j] + 2 * rest
                    )
                    hessian[i, j] = hessian[j, i] = both / 2
    except (errors.SemidirectError, ArithmeticError, ValueError, TypeError):  # a Lagrangian that is not defined at rest
        return None
    return hessian if np.all(np.isfinite(hessian)) else None


def _values(layout: Mapping[str, slice], state: Mapping[str, Any]) -> np.ndarray | None:
    """The whole vector of quantities by name; ``None`` if one is missing or differs from path to path."""
    out = np.zeros(max((s.stop for s in layout.values()), default=0))
    for name, where in layout.items():
        value = state.get(name)
        if value is None or isinstance(value, str):  # "per path", in the record of a run
            return None
        values = np.ravel(np.asarray(value, dtype=float))
        if values.size != where.stop - where.start or not np.all(np.isfinite(values)):
            return None
        out[where] = values
    return out


def _axis(matrix: np.ndarray) -> np.ndarray:
    """The angular velocity of a skew matrix (2, 2) or (3, 3)."""
    if len(matrix) == 2:
        return np.array([matrix[1, 0]])
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def _about_the_centre(inertia: np.ndarray, lever: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """Moments about the centre of mass, and that; ``lever`` is Ω·(c × Y) as a matrix (1 or 3, 2 or 3)."""
    if len(inertia) == 1:
        c = np.array([lever[0, 1], -lever[0, 0], 0.0])
        return inertia - mass * (c @ c), c
    c = _axis((lever - lever.T) / 2)
    return inertia - mass * ((c @ c) * np.eye(3) - np.outer(c, c)), c

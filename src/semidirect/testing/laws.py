"""What mechanics asks of a state: a positive inertia, and a contact that stays on its plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect import ops
from semidirect.blocks import Blocks
from semidirect.calling import call
from semidirect.constraints import Rolling
from semidirect.testing.exact_numbers import constants, derivatives, plain_array
from semidirect.testing.theorem import Point, Theorem


def locked_inertia(theorem: Theorem, point: Point) -> np.ndarray:
    """BᵀHB, or H on a basis of ker A where there are covectors only; floats."""
    H = theorem.hessian(point)
    found = theorem.distribution(point)
    if found is not None:
        return plain_array(found[0].T @ H @ found[0]).astype(float)
    covectors = theorem.annihilator(point)
    assert covectors is not None
    A = plain_array(covectors[0]).astype(float)
    _, singular, rows = np.linalg.svd(A)
    assert np.min(singular) > 1e-9 * np.max(singular), f"the covectors are dependent: singular values {singular}"
    kernel = rows[len(A) :]
    return kernel @ plain_array(H).astype(float) @ kernel.T


def contact_rates(theorem: Theorem, point: Point) -> list[Any]:
    """What must vanish for a body to stay on its plane: Γ·ds along each transport, and Γ·(v_Y − v_Ω × s) of each transport.

    The first keeps x₃ − s·Γ: a contact vector belongs to a surface. The second says that no field lifts the contact.
    """
    definition = theorem.definition
    rolling, group, names = definition.constraint, definition.group, definition.advected_layout
    assert isinstance(rolling, Rolling)

    def contact(a: Any) -> Any:
        blocks = Blocks.split(ops.stack(a), names)
        z = Blocks.split(constants(point.z), definition.internal_layout)
        return call(rolling.contact, a=blocks, t=constants(point.t), z=z)

    s, s_a = derivatives(contact, point.a)
    gamma = np.array(point.a, dtype=object)[names["Gamma"]]
    out = []
    for column in theorem.columns(point, u=point.xi[group.blocks[rolling.angular]]):
        turn, shift = column.v[group.blocks[rolling.angular]], column.v[group.blocks[rolling.linear]]
        out += [gamma @ (s_a @ column.da), gamma @ (shift - ops.cross(turn, s))]
    return out

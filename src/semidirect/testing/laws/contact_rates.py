"""The rates of a contact, which has to stay on its plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from semidirect.core import Blocks, ops, user_code
from semidirect.definition import Definition, JoinedConstraints, Rolling
from semidirect.testing.laws.exact_points.numbers import constants, derivatives
from semidirect.testing.laws.theorem import Point, Theorem


def rolling_parts(definition: Definition) -> list[Rolling]:
    """The constraints by which a body rolls on a ground whose normal is known."""
    constraint = definition.constraint
    parts = constraint.parts.values() if isinstance(constraint, JoinedConstraints) else [constraint]
    return [part for part in parts if isinstance(part, Rolling) and part.normal is not None]


def has_contact(definition: Definition) -> bool:
    """Whether a body rolls on a ground whose normal is known."""
    return bool(rolling_parts(definition))


def contact_rates(theorem: Theorem, point: Point, u: Any) -> list[Any]:
    """The quantities that vanish if a body stays on its ground: n·ds and n·(v_Y − v_Ω × s) along each transport.

    The first says that a contact vector belongs to the surface of the body, and keeps x₃ − s·Γ on a plane. The second says
    that no field lifts the contact.
    """
    definition, out = theorem.definition, []
    group, names = definition.group, definition.advected_layout
    z, t = Blocks.split(constants(point.z), definition.internal_layout), constants(point.t)
    several = isinstance(definition.constraint, JoinedConstraints)
    for rolling in rolling_parts(definition):

        def contact(a: Any, rolling: Rolling = rolling) -> Any:
            return user_code.call(rolling.contact, a=Blocks.split(ops.stack(a), names), t=t, z=z)

        s, s_a = derivatives(contact, point.a)
        normal = np.array(rolling.ground_normal(a=Blocks.split(constants(point.a), names), t=t, z=z), dtype=object)
        for column in theorem.columns(point, u=u if several else point.xi[group.blocks[rolling.angular]]):
            turn, shift = column.v[group.blocks[rolling.angular]], column.v[group.blocks[rolling.linear]]
            out += [normal @ (s_a @ column.da), normal @ (shift - ops.cross(turn, s))]
    return out

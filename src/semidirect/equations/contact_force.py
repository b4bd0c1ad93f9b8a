"""The force of a contact, its normal and tangential parts and the friction that it needs, from the reaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import errors, ops, symbols, user_code
from semidirect.equations.emission import numerical_function
from semidirect.equations.letters import Letters
from semidirect.equations.program import Program

if TYPE_CHECKING:
    from semidirect.definition import Contact, Definition

POINTS = 2
SMALL = 1e-9


@dataclass(frozen=True)
class ContactTerms:
    """A contact as expressions at (a, t, z).

    Attributes
    ----------
    part : slice
        The block of translations in an algebra vector.
    normal, load, point : arrays (d,) or None
    absent : str
        The reason why this contact has no force; empty if it has one.
    """

    part: slice
    normal: np.ndarray | None
    load: np.ndarray | None
    point: np.ndarray | None
    absent: str

    def force(self, reaction: np.ndarray) -> np.ndarray:
        """The force of the contact, f."""
        force: np.ndarray = reaction[self.part]
        return force if self.load is None else force - self.load

    def forces(self, reaction: np.ndarray) -> dict[str, np.ndarray]:
        """The known quantities of :data:`.contact.UNITS`, computed from the reaction of the drift."""
        contact = {} if self.point is None else {"contact-point": self.point}
        if self.absent or self.normal is None:
            return contact
        force, n = self.force(reaction), self.normal
        normal = ops.dot(force, n)
        across = force - normal * n
        tangential = sp.sqrt(ops.dot(across, across))
        pushes = sp.Gt(normal, 0) if not sp.sympify(normal).is_Number else sp.true if normal > 0 else sp.false
        least = sp.Piecewise((tangential, pushes), (1, True)) / sp.Max(normal, 0)
        rows = {
            "contact-force": force,
            "normal-force": normal,
            "tangential-force": tangential,
            "friction-needed": least,
        }
        return {**{k: np.array(np.atleast_1d(v), dtype=object) for k, v in rows.items()}, **contact}


def contact_terms(contact: Contact | None, definition: Definition, lagrangian: sp.Expr, at: Mapping[str, Any],
                  a: np.ndarray, letters: Letters | None) -> ContactTerms | None:  # fmt: skip
    """The contact of a constraint as expressions, in letters where there are some.

    Raises
    ------
    DefinitionError
        If the block does not exist, or vectors have another length than the block.
    """
    if contact is None:
        return None
    group = definition.group
    if contact.linear not in group.blocks:
        raise errors.DefinitionError(
            "linear of a contact", expected=f"one of {', '.join(group.blocks)}", got=repr(contact.linear)
        )
    part = group.blocks[contact.linear]
    where = {k: at[k] for k in ("a", "t", "z")}

    def vector(value: Any, what: str) -> np.ndarray | None:
        if value is None:
            return None
        rows = symbols.exact_array(ops.array(user_code.call(value, **where)), what)
        if rows.shape != (part.stop - part.start,):
            raise errors.DefinitionError(
                f"{what} has the wrong shape", expected=f"({part.stop - part.start},)", got=str(rows.shape)
            )
        return rows if letters is None else letters.written(rows)

    normal, load = vector(contact.normal, "the normal of a contact"), vector(contact.load, "the load of a contact")
    point = vector(contact.point, "the point of a contact")
    # without a normal or a weight the reaction is not the contact force; the reason is kept for messages
    absent, on_orbit = "", _Orbit(definition, a)
    if normal is None:
        absent = "the normal of the ground is not stated: give the constraint its normal="
    elif load is None and not on_orbit.any(_change(definition, lagrangian, part, a)):
        absent = (
            f"the Lagrangian does not change when the body is moved along {contact.linear}, so it holds no weight: give the "
            "constraint load=, the force that presses on the contact and that neither the Lagrangian nor the forces hold, such "
            "as −m g Γ; or zeros, if they hold all forces"
        )
    # a normal that has length 1 on the orbit stays as it is stated, which keeps equations short
    square = None if normal is None else ops.dot(normal, normal) - 1
    if square is not None and on_orbit.any([square if letters is None else letters.put_in(square)]):
        normal = normal / sp.sqrt(ops.dot(normal, normal))
    return ContactTerms(part, normal, load, point, absent)


def _change(definition: Definition, lagrangian: sp.Expr, part: slice, a: np.ndarray) -> list[sp.Expr]:
    """−∂l/∂a · ρ(e_j)a for the translations e_j: the forces that l exerts on their block."""
    n, out = definition.group.dimension, []
    slopes = [sp.diff(lagrangian, x) for x in a]
    for j in range(n)[part]:
        unit = np.array([int(i == j) for i in range(n)], dtype=object)
        changes = [x for name, where in definition.advected_layout.items()
                 for x in definition.advected[name].representation.action(unit, a[where])]  # fmt: skip
        out.append(sp.Add(*(-s * x for s, x in zip(slopes, changes, strict=True))))
    return out


class _Orbit:
    """Generic points of the orbit, at which expressions of (a, t, z, parameters) are 0 or not."""

    def __init__(self, definition: Definition, a: np.ndarray):
        random = Random("contact")

        def draw() -> Fraction:
            return Fraction(random.randint(1, 12), random.choice((5, 7, 11)))

        self.random, self.a = random, a
        self.points = [list(definition.random_orbit_point(draw)) for _ in range(POINTS)]

    def any(self, expressions: list[sp.Expr]) -> bool:
        """Whether one of them differs from 0 at one of the points."""
        nonzero = [e for e in map(sp.sympify, expressions) if e != 0]
        if not nonzero:
            return False
        others = sorted(set().union(*(e.free_symbols for e in nonzero)) - set(self.a), key=str)
        function = numerical_function(Program((), (), {}), nonzero, (*self.a, *others))
        for point in self.points:
            with np.errstate(all="ignore"):
                values = function(*map(float, point), *(0.3 + self.random.random() for _ in others))
            if any(abs(float(x)) > SMALL for x in values if np.isfinite(float(x))):
                return True
        return False

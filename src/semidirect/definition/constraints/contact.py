"""A constraint that is the contact of a body with the ground: which part of its reaction is a force, and the other load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from semidirect.core import display, errors

UNITS = {
    "contact-force": "N",
    "contact-point": "m",
    "normal-force": "N",
    "tangential-force": "N",
    "friction-needed": "1",
}
"""The quantities of a contact, with their units."""


@final
@dataclass(frozen=True, repr=False)
class Contact(display.Brief):
    """A contact: the block of the reaction that is the force of the ground on the body, and the normal of the ground.

    The force of the contact is f = R_linear − load, R the reaction; the normal force is N = f·n/|n|, and friction the rest.
    All vectors are in the frame of that block: in the body for the translations of SE(3) and SE(2), in space for those of R³.

    Attributes
    ----------
    linear : str
        Name of the block of translations, on which a force acts.
    normal : array (d,) or callable(a, t, z)
        Normal n of the ground at the contact, of any length, from the ground to the body.
    load : array (d,) or callable(a, t, z), optional
        A force at the contact that neither l nor the external forces contain, because it only presses and does no work: the
        weight −m g Γ of a body on a horizontal plane whose potential is written with Γ alone, so that l contains the torque
        of the weight about the contact and not the weight. Zeros if l and the forces contain everything. It is required if l
        does not change when the body is moved along ``linear``, for then l contains no force on that block.
    point : array (d,) or callable(a, t, z), optional
        The point of application, from the origin of the body.
    """

    linear: str
    normal: Any | Callable[..., Any]
    load: Any | Callable[..., Any] = None
    point: Any | Callable[..., Any] = None

    def __post_init__(self) -> None:
        if not isinstance(self.linear, str):
            raise errors.DefinitionError("linear of a contact", expected="the name of a block", got=repr(self.linear))


def require_contact(value: Any) -> None:
    """Raise an error unless it is a contact or ``None``."""
    if not isinstance(value, Contact | None):
        raise errors.DefinitionError(
            "the contact of a constraint", expected="sd.Contact(linear, normal)", got=repr(value)
        )

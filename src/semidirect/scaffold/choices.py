"""The choices for a new system, and which are incompatible."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import ClassVar, final

from semidirect.core import errors


@final
@dataclass(frozen=True)
class Choices:
    """One choice of everything.

    Attributes
    ----------
    name : str
        Of the system, lower case with hyphens, ``my-top``.
    group : str
        One of :attr:`GROUPS`: the configuration group.
    advected : str
        One of :attr:`ADVECTED`: ``gamma``, a direction of space seen from the body; ``point``, a point of space.
    constraint : str
        One of :attr:`CONSTRAINTS`: by a basis of D, by covectors, or affine.
    noise : str
        One of :attr:`NOISES`: amplitudes that are constant, functions of advected quantities, or internal states; or random
        forces.

    Raises
    ------
    UnknownNameError
        For a choice that is none.
    InputError
        For a name that cannot be one, and for choices that do not go together, with the reason.
    """

    GROUPS: ClassVar[tuple[str, ...]] = ("so3", "se3", "se2", "so2", "heisenberg", "r3")
    ADVECTED: ClassVar[tuple[str, ...]] = ("none", "gamma", "point", "gamma-and-point")
    CONSTRAINTS: ClassVar[tuple[str, ...]] = ("none", "basis", "covector", "affine")
    NOISES: ClassVar[tuple[str, ...]] = ("none", "constant", "state", "volatility", "force")

    name: str
    group: str = "so3"
    advected: str = "none"
    constraint: str = "none"
    noise: str = "constant"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", self.name) or keyword.iskeyword(self.module):
            raise errors.InputError(
                "the name of a system", expected="lower-case words with hyphens, such as my-top", got=repr(self.name)
            )
        for kind, value, choices in (
            ("group", self.group, self.GROUPS), ("advected quantity", self.advected, self.ADVECTED),
            ("constraint", self.constraint, self.CONSTRAINTS), ("noise", self.noise, self.NOISES),
        ):  # fmt: skip
            if value not in choices:
                raise errors.UnknownNameError(kind, value, choices)
        reason, hint = self._conflict()
        if reason:
            raise errors.InputError(f"these choices do not go together: {reason}", hint=hint)

    def _conflict(self) -> tuple[str, str]:
        group, gamma, point = self.group, self.has_gamma, self.has_point
        if gamma and group in ("r3", "heisenberg"):
            return f"nothing turns in {group}, so that a direction of space does not move", "Use --advected point."
        if point and group in ("so3", "so2"):
            return f"{group} has no positions, so that no point moves against the body", "Use se3 or se2."
        if self.constraint != "none" and group == "so2":
            return "so2 has one velocity, and a constraint leaves none", "Use --constraint none."
        if self.constraint != "none" and group == "r3" and not point:
            return (
                "a constraint with constant coefficients on r3 is holonomic",
                "Its coefficients need --advected point.",
            )
        if self.constraint == "affine" and group == "se3" and gamma and not point:
            return "the ground that moves under a rolling ball depends on the place", "Use --advected gamma-and-point."
        if self.noise == "state" and self.advected == "none":
            return "noise that is a function of the state needs something advected", "Use --advected gamma or point."
        return "", ""

    @property
    def has_gamma(self) -> bool:
        """Whether a direction is advected."""
        return self.advected in ("gamma", "gamma-and-point")

    @property
    def has_point(self) -> bool:
        """Whether a point is advected."""
        return self.advected in ("point", "gamma-and-point")

    @property
    def rolls(self) -> bool:
        """Whether the constraint is rolling."""
        return self.group == "se3" and self.has_gamma and self.constraint in ("basis", "affine")

    @property
    def module(self) -> str:
        """Name of the Python package."""
        return self.name.replace("-", "_")

    @property
    def class_name(self) -> str:
        """Name of the class."""
        return "".join(word.capitalize() for word in self.name.split("-"))

"""Advected quantities."""

from __future__ import annotations

import reprlib
from fractions import Fraction
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors, exact, ops
from semidirect.groups.representations.representation import Representation


@final
class Advected:
    """A quantity carried by the group, ``a = s⁻¹·a₀`` and so ``da = −ρ(ξ) a``; valid values are those that some s gives.

    Parameters
    ----------
    representation : Representation
    reference : (d,)
        a₀.
    unit : str
        Its unit, ``1`` of a direction; empty where it is not stated. It is a label, and no part of the quantity's value.
    """

    representation: Representation
    reference: np.ndarray
    exact_reference: np.ndarray
    unit: str

    def __init__(self, representation: Representation, reference: Any, unit: str = ""):
        if not isinstance(representation, Representation):
            raise errors.DefinitionError("the representation of an advected quantity", expected="a representation of the group",
                                         got=repr(representation))  # fmt: skip
        try:
            array, values = np.asarray(reference), arguments.numeric(reference)
        except (TypeError, ValueError):
            raise errors.DefinitionError(
                "a reference is not numeric", expected="numbers", got=reprlib.repr(reference)
            ) from None
        if values.shape != (representation.dimension,):
            raise errors.DefinitionError(
                "a reference has a wrong shape", expected=f"({representation.dimension},)", got=str(values.shape)
            )
        if not np.all(np.isfinite(values)):
            raise errors.DefinitionError(
                "a reference is not finite", expected="finite numbers", got=str(values.tolist())
            )
        numbers = exact.exact_array(array)
        values.flags.writeable = numbers.flags.writeable = False
        vars(self).update(representation=representation, reference=values, exact_reference=numbers, unit=unit)

    @property
    def dimension(self) -> int:
        """d."""
        return self.representation.dimension

    @property
    def constants(self) -> dict[int, Fraction]:
        """Components that no element of the group changes, such as the 1 of a point (b, 1), with their values."""
        generators = self.representation.generators
        return {i: Fraction(x) for i, x in enumerate(self.exact_reference) if not any(x for x in generators[:, i].flat)}

    @property
    def is_point(self) -> bool:
        """Whether it is a point or a direction of space seen from a body: four components (b, w), of which the last stays."""
        return self.dimension == 4 and 3 in self.constants

    def at(self, g: Any) -> np.ndarray:
        """``g⁻¹·a₀`` (..., d) of ``g`` (..., N, N)."""
        return self.representation.inverse_act(g, self.reference)

    def at_entries(self, g: Any) -> np.ndarray:
        """``g⁻¹·a₀`` (d, ...) of ``g`` (N, N, ...), component-first; exact where ``g`` is exact."""
        g = ops.array(g)
        return self.representation.inverse_act_entries(g, self.exact_reference if g.dtype == object else self.reference)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"Advected is frozen: {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Advected):
            return NotImplemented
        return self.representation == other.representation and tuple(self.exact_reference) == tuple(
            other.exact_reference
        )

    def __hash__(self) -> int:
        return hash((self.representation, tuple(self.exact_reference)))

    def __repr__(self) -> str:
        return f"Advected({self.representation!r}, reference {tuple(self.reference.tolist())})"

"""The dual of a representation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import ops
from semidirect.groups.representations.representation import Representation, a_representation


@final
class DualRepresentation(Representation):
    """``g · κ = ρ(g⁻¹)ᵀ κ`` on V*, so that ⟨g·κ, g·v⟩ = ⟨κ, v⟩; the generators are ``−ρ_jᵀ``.

    Parameters
    ----------
    representation : Representation
    component_names : d names, optional
    """

    def __init__(self, representation: Representation, component_names: Sequence[str] | None = None):
        a_representation(representation, "the representation of a dual")
        super().__init__(representation.group, -np.swapaxes(representation.generators, 1, 2), component_names=component_names,
                         definition=(representation,))  # fmt: skip
        vars(self).update(representation=representation)

    representation: Representation

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``ρ(g⁻¹)ᵀ κ``."""
        back = self.representation.matrix_entries(self.group.inverse_entries(g))
        return ops.matvec(ops.transpose(back), v)

    def inverse_act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``ρ(g)ᵀ κ``."""
        return ops.matvec(ops.transpose(self.representation.matrix_entries(g)), v)

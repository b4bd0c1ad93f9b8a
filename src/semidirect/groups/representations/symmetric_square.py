"""The symmetric square of a representation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.representations.representation import Representation, a_representation


@final
class SymmetricSquare(Representation):
    """``g · S = ρ(g) S ρ(g)ᵀ`` on symmetric d × d matrices: conformation and inertia tensors; ``ρ(ξ)S + Sρ(ξ)ᵀ``.

    Coordinates: the upper triangle by rows, S₁₁, S₁₂, …, S₁d, S₂₂, …, each entry once and unweighted, named ``s11`` …

    Parameters
    ----------
    representation : Representation
    component_names : d(d+1)/2 names, optional
    """

    def __init__(self, representation: Representation, component_names: Sequence[str] | None = None):
        a_representation(representation, "the representation of a symmetric square")
        d = representation.dimension
        places = [(a, b) for a in range(d) for b in range(a, d)]
        rho = np.zeros((representation.group.dimension, len(places), len(places)), dtype=object)
        for j, r in enumerate(representation.generators):
            for q, (a, b) in enumerate(places):
                s = np.zeros((d, d), dtype=object)
                s[a, b] = s[b, a] = 1
                change = r.dot(s) + s.dot(r.T)
                rho[j, :, q] = [change[p] for p in places]
        names = [f"s{a + 1}{b + 1}" for a, b in places] if component_names is None else component_names
        super().__init__(representation.group, rho, component_names=names, definition=(representation,))
        vars(self).update(representation=representation, places=tuple(places))

    representation: Representation
    places: tuple[tuple[int, int], ...]

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """The upper triangle of ``ρ(g) S ρ(g)ᵀ``."""
        g, v, d = ops.array(g), ops.array(v), self.representation.dimension
        index = {place: q for q, place in enumerate(self.places)}
        columns = [
            self.representation.act_entries(g, v[[index[min(a, b), max(a, b)] for a in range(d)]]) for b in range(d)
        ]
        rho = self.representation.matrix_entries(g)
        rows = []
        for a, b in self.places:
            total: Any = 0
            for c in range(d):
                if not exact.is_zero(rho[b, c]):
                    total = total + columns[c][a] * rho[b, c]
            rows.append(total)
        return exact.assemble(rows, g[0], v)

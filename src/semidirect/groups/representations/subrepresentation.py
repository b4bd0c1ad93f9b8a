"""An invariant part of a representation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors, exact, ops
from semidirect.groups.arguments import a_count
from semidirect.groups.representations.representation import Representation, a_representation


@final
class Subrepresentation(Representation):
    """A subrepresentation: components of a representation that span an invariant subspace.

    On the Heisenberg group the first two components of the vectors carry ``(−y, 1)``, the reference being (0, 1).

    Parameters
    ----------
    representation : Representation
    components : indices, in the order of the new components
    component_names : names, by default those of the representation
    """

    def __init__(self, representation: Representation, components: Sequence[int],
                 component_names: Sequence[str] | None = None):  # fmt: skip
        a_representation(representation, "the representation of a subrepresentation")
        d = representation.dimension
        components = arguments.validated_sequence("components", components, of=f"indices below {d}")
        indices = tuple(a_count(i, "a component", 0) for i in components)
        if not indices or len(set(indices)) != len(indices) or not all(0 <= i < d for i in indices):
            raise errors.DefinitionError(
                "no such components", expected=f"different indices below {d}", got=repr(components)
            )
        leaks = [
            (i, j) for i in range(d) if i not in indices for j in indices if any(representation.generators[:, i, j])
        ]
        if leaks:
            raise errors.DefinitionError(
                f"the components {indices} are not invariant",
                got=f"component {leaks[0][1]}, which changes component {leaks[0][0]}",
                hint=f"Add component {leaks[0][0]}, or choose others.",
            )
        names = [representation.component_names[i] for i in indices] if component_names is None else component_names
        super().__init__(representation.group, representation.generators[:, indices][:, :, indices], component_names=names,
                         definition=(representation, indices))  # fmt: skip
        vars(self).update(representation=representation, components=indices)

    representation: Representation
    components: tuple[int, ...]

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """Those components of ``g · v``."""
        v = ops.array(v)
        place = {i: q for q, i in enumerate(self.components)}
        full = ops.stack([v[place[i]] if i in place else 0 for i in range(self.representation.dimension)])
        image = self.representation.act_entries(g, exact.exact_beside(full, v))
        return ops.stack([image[i] for i in self.components])

"""The trivial action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import exact, ops
from semidirect.groups.arguments import a_count, a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.representation import Representation


@final
class TrivialRepresentation(Representation):
    """``g · v = v`` on R^d: quantities that are constant in the body; ``ρ(ξ) = 0``.

    Parameters
    ----------
    group : LieGroup
    d : int
    component_names : d names, optional
    """

    def __init__(self, group: LieGroup, d: int, component_names: Sequence[str] | None = None):
        a_group(group, "the group of a representation")
        d = a_count(d, "the dimension of a trivial representation", 1)
        super().__init__(group, np.zeros((group.dimension, d, d), dtype=int), component_names=component_names)

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``v``."""
        g, v = ops.array(g), ops.array(v)
        return exact.assemble(list(v), g[0], v)

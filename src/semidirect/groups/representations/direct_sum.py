"""Direct sums of representations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors, ops
from semidirect.groups.representations.representation import Representation, a_representation


@final
class DirectSum(Representation):
    """``g · (v₁, v₂, …) = (g·v₁, g·v₂, …)`` on V₁ ⊕ V₂ ⊕ …, components concatenated.

    Parameters
    ----------
    *summands : Representation
        Of one group.
    component_names : names, optional
    """

    def __init__(self, *summands: Representation, component_names: Sequence[str] | None = None):
        if not summands:
            raise errors.DefinitionError("a sum of no representations", expected="at least one")
        for summand in summands:
            a_representation(summand, "a summand")
        group = summands[0].group
        if any(r.group != group for r in summands):
            raise errors.DefinitionError("the summands belong to different groups", expected=repr(group),
                                         got=", ".join(repr(r.group) for r in summands), hint="Use Pullback first.")  # fmt: skip
        d = sum(r.dimension for r in summands)
        rho = np.zeros((group.dimension, d, d), dtype=object)
        start = 0
        for r in summands:
            rho[:, start : start + r.dimension, start : start + r.dimension] = r.generators
            start += r.dimension
        super().__init__(group, rho, component_names=component_names, definition=summands)
        vars(self).update(summands=summands)

    summands: tuple[Representation, ...]

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """Summand by summand."""
        v, rows, start = ops.array(v), [], 0
        for r in self.summands:
            rows += list(r.act_entries(g, v[start : start + r.dimension]))
            start += r.dimension
        return ops.stack(rows)

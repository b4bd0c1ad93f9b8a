"""A representation of a factor, seen from the whole group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from semidirect.core import errors
from semidirect.groups.arguments import a_group
from semidirect.groups.lie_group import LieGroup
from semidirect.groups.representations.representation import Representation, a_representation


@final
class Pullback(Representation):
    """``g · v = ρ(g_block) v``: for example Γ, which the SO(3) of SE(3) rotates and on which translations act trivially.

    Parameters
    ----------
    representation : Representation
        Of the factor.
    group : LieGroup
    block : str or sequence of str
        The block or blocks of ``group`` whose factor acts.
    """

    def __init__(self, representation: Representation, group: LieGroup, block: str | Sequence[str]):
        a_representation(representation, "the representation of a pullback")
        a_group(group, "the group of a pullback")
        factor = group.factor(block)
        if not np.array_equal(factor.basis, representation.group.basis):
            raise errors.DefinitionError(
                f"the representation is not of the factor {block!r} of {group.name}",
                expected=repr(factor),
                got=repr(representation.group),
            )
        rho = np.zeros((group.dimension, representation.dimension, representation.dimension), dtype=object)
        rho[group.factor_slice(block)] = representation.generators
        key = (block,) if isinstance(block, str) else tuple(block)
        super().__init__(group, rho, component_names=representation.component_names, definition=(representation, key))
        vars(self).update(representation=representation, block=key)

    representation: Representation
    block: tuple[str, ...]

    def act_entries(self, g: Any, v: Any) -> np.ndarray:
        """``ρ(g_block) v``."""
        return self.representation.act_entries(self.group.factor_entries(self.block, g), v)

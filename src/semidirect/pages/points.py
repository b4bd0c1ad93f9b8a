"""Points and directions of space, seen from a body: four components, (b, 1) or (b, 0)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from semidirect.representations.advected import Advected


def is_point(quantity: Advected) -> bool:
    """Whether an advected quantity is (b, w), four components, of which the last stays."""
    if quantity.dimension != 4:
        return False
    representation = quantity.representation
    xi, a = (
        np.array(sp.symbols(f"{x}:{n}"), dtype=object) for x, n in (("x", representation.group.dimension), ("a", 4))
    )
    return bool(sp.sympify(representation.action(xi, a)[3]) == 0)

"""Checks of what a matrix system states, at random elements of its algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semidirect.core import errors

if TYPE_CHECKING:
    from semidirect.matrices.matrix_algebra import MatrixAlgebra
    from semidirect.matrices.matrix_functions import MatrixFunctions

SEED, ELEMENTS = 5, 2
SHORT = 1e-5
GRADIENT = 1e-6
"""Relative difference of a central difference of H and ⟨P, D⟩; measured are up to 1e-9 for quadratic H."""
TIME = 0.37


def check_functions(functions: MatrixFunctions, algebra: MatrixAlgebra, *, energy: bool) -> None:
    """Raise an error if velocity or fields leave the algebra, or the velocity is not the gradient of the Hamiltonian."""
    W = algebra.draw(np.random.default_rng(SEED), ELEMENTS)
    name = functions.name
    with np.errstate(all="ignore"):
        together = functions.velocity(W, TIME)
        for path in range(ELEMENTS):
            alone = functions.velocity(W[path : path + 1], TIME)[0]
            beside = np.broadcast_to(together, W.shape)[path]
            if not np.array_equal(alone, beside, equal_nan=True):
                raise errors.DefinitionError(
                    f"{name}.velocity depends on the paths beside a path", expected="the same bits for each matrix of W",
                    got=f"a difference of {np.max(np.abs(alone - beside)):.2g}",
                    hint="Reduce and transpose the last two axes only, W.swapaxes(-1, -2).",
                )  # fmt: skip
        algebra.refuse_outside(np.broadcast_to(together, W.shape), f"{name}.velocity(W)", errors.DefinitionError)
        for k, field in enumerate(functions.fields):
            if callable(field):
                value = np.broadcast_to(functions.field(k, W, TIME), W.shape)
                algebra.refuse_outside(value, f"field {k + 1} of {name}.fields()", errors.DefinitionError)
        if energy:
            _compare_gradient(functions, algebra, W, together)


def _compare_gradient(functions: MatrixFunctions, algebra: MatrixAlgebra, W: np.ndarray, P: np.ndarray) -> None:
    directions = algebra.draw(np.random.default_rng(SEED + 1), ELEMENTS)
    ahead, behind = (functions.energy(W + sign * SHORT * directions, TIME) for sign in (1, -1))
    slope, stated = (ahead - behind) / (2 * SHORT), algebra.pairing(P, directions)
    size = np.maximum(np.abs(stated), np.sqrt(np.abs(algebra.pairing(P, P) * algebra.pairing(directions, directions))))
    bad = np.flatnonzero(~(np.abs(slope - stated) <= GRADIENT * np.maximum(size, np.abs(ahead) * 1e-9 / SHORT)))
    if len(bad):
        i = int(bad[0])
        raise errors.DefinitionError(
            f"{functions.name}.hamiltonian does not belong to {functions.name}.velocity",
            expected=f"dH = ⟨P, dW⟩ = {algebra.pairing_factor:g} Re tr(P dW), here {stated[i]:.6g}", got=f"{slope[i]:.6g}",
            hint="velocity(W) is the gradient of hamiltonian(W) by this pairing: of so, H = −¼ tr(W P) for a linear P.",
        )  # fmt: skip

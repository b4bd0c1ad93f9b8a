"""A matrix group given by a basis of its algebra."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from semidirect.core import arguments, errors
from semidirect.groups.lie_group import LieGroup, no_cayley
from semidirect.groups.matrices.functions import REACH, adjugate_inverse, cayley_transform, taylor_exponential
from semidirect.groups.matrices.structure import FREE, analyse, odd_powers_close


@final
class MatrixGroup(LieGroup):
    """The connected group of real matrices whose algebra is spanned by a basis. Stored: the entries that are not constant.

    Parameters
    ----------
    basis : (n, N, N)
        Independent and closed under the bracket; integers, fractions or floats.
    name : str
    blocks : names of the algebra's parts, ``("xi",)``; a mapping of names to sizes divides the algebra
    coordinates : names of the stored coordinates, by default ``g11`` …
    form : (N, N), optional
        A matrix J with gᵀJg = J; then the residual of g is max |gᵀJg − J|. Without it the residual is computed from the
        logarithm.
    residual : callable, optional
        The residual of one matrix (N, N) instead, for groups that neither rule describes.
    """

    def __init__(
        self,
        basis: Any,
        *,
        name: str = "MatrixGroup",
        blocks: Sequence[str] | dict[str, int] | None = None,
        coordinates: Sequence[str] | None = None,
        form: Any = None,
        residual: Callable[[np.ndarray], float] | None = None,
    ):
        structure = analyse(basis, name)
        sizes = blocks if isinstance(blocks, dict) else {"xi": len(structure.basis)}
        names = None if isinstance(blocks, dict) else blocks
        if form is not None:
            form = _form(form, structure.basis.shape[1:], name)
            change = np.swapaxes(structure.basis, -1, -2) @ form + form @ structure.basis
            if not np.max(np.abs(change)) <= 1e-12 * max(1.0, float(np.max(np.abs(form)))):
                raise errors.DefinitionError(f"{name} does not preserve its form", expected="AᵀJ + JA = 0 for the basis",
                                             got=f"{np.max(np.abs(change)):.2e}")  # fmt: skip
            form.flags.writeable = False
        super().__init__(
            name, basis, blocks=sizes, names=names, coordinate_names=coordinates, quadratic=odd_powers_close(structure),
            reach=REACH, definition=(None if form is None else form.tobytes(), residual),
        )  # fmt: skip
        vars(self).update(form=form, residual_of=residual)

    form: np.ndarray | None
    residual_of: Callable[[np.ndarray], float] | None

    def exp_entries(self, xi: Any) -> np.ndarray:
        """A fixed Taylor polynomial with fixed squarings."""
        return taylor_exponential(self.structure, self.hat_entries(xi))

    def cayley_entries(self, xi: Any) -> np.ndarray:
        """By elimination, if odd powers stay in the algebra; ξ must be small if the group is not compact."""
        if not self.quadratic:
            raise no_cayley(self)
        return cayley_transform(self.structure.algebra_pattern, self.hat_entries(xi))

    def inverse_entries(self, g: Any) -> np.ndarray:
        """By Faddeev and LeVerrier."""
        return adjugate_inverse(self.structure.pattern, g)

    def logarithms(self, g: np.ndarray) -> np.ndarray:
        """SciPy's principal logarithm."""
        out = np.empty((len(g), self.dimension))
        for i, one in enumerate(g):
            out[i], rest = self._logarithm(one)
            if not rest <= 1e-6:
                raise errors.NoRealLogarithmError(
                    f"an element of {self.name} has no real logarithm that can be computed",
                    expected="a residual of at most 1e-6", got=f"{rest:.2e}", where=f"element {i}",
                )  # fmt: skip
        return out

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """By the form or the callable; else the distance of the logarithm from the algebra.

        If the principal logarithm is not in the algebra, g e_j g⁻¹ must be, and det g = 1 if the algebra is traceless;
        this condition is only necessary, so state a form or a residual if more is needed.
        """
        if self.residual_of is not None:
            return np.array([float(self.residual_of(one)) for one in g])
        if self.form is not None:
            return np.max(np.abs(np.swapaxes(g, -1, -2) @ self.form @ g - self.form), axis=(-2, -1))
        return np.array([self._distance(one) for one in g])

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """exp of standard normal algebra vectors; not Haar."""
        return self.exp(rng.standard_normal((count, self.dimension)))

    def _distance(self, g: np.ndarray) -> float:
        xi, rest = self._logarithm(g)
        if 1e-12 < rest <= 1e-6:
            # Near a half-turn the logarithm has half the digits; the logarithm of g exp(−ξ) has all of them.
            rest = min(rest, self._logarithm(g @ self.exp(-xi))[1])
        if rest <= 1e-6 or not np.isfinite(rest):
            return rest
        conjugates = (g @ self.basis @ np.linalg.inv(g)).reshape(self.dimension, -1)
        outside = conjugates - conjugates @ self.structure.projector.T @ self.basis.reshape(self.dimension, -1)
        constant = np.where(self.structure.pattern == FREE, 0.0, g - self.structure.pattern)
        determinant = float(np.linalg.det(g))
        if determinant <= 0:
            return np.inf
        traces = np.trace(self.basis, axis1=-2, axis2=-1)
        volume = 0.0 if np.any(traces) else abs(determinant - 1)
        return float(max(np.max(np.abs(outside)) / np.max(np.abs(conjugates)), np.max(np.abs(constant)), volume))

    def _logarithm(self, g: np.ndarray) -> tuple[np.ndarray, float]:
        from scipy.linalg import logm

        if np.linalg.cond(g) > 1e15:
            return np.full(self.dimension, np.nan), np.inf
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # that it may be inaccurate, which the residual shows
            log = logm(g)
        xi = self.structure.projector @ np.real(log).ravel()
        rest = np.max(np.abs(log - self.hat(xi))) / max(1.0, float(np.max(np.abs(log))))
        return xi, float(rest)


def _form(value: Any, shape: tuple[int, ...], name: str) -> np.ndarray:
    try:
        form = arguments.numeric(value)
    except (TypeError, ValueError):
        form = np.zeros(0)
    if form.shape != shape or not np.isfinite(form).all():
        raise errors.DefinitionError(f"the form of {name}", expected=f"finite numbers {shape}", got=reprlib.repr(value))
    return form

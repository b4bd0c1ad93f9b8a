"""Conversion to geomstats and back: points are the same arrays, so only the spaces are converted.

geomstats gives means, dispersions, principal geodesics and geodesic distances of ensembles; log, sampling and stepping stay
ours (its vector logarithm is wrong within 0.01 of π, its matrix logarithm takes 2.6 ms an element, its ``random_uniform`` is not
Haar). Nothing here is imported before it is used.
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from semidirect.core import errors
from semidirect.groups import Geometry, LieGroup, group_of

_WHAT = "SO2, SO3, SO(n), SE2 or SE3"

ITERATIONS = 200
"""The most steps to a mean."""


def geomstats() -> Any:
    """The package geomstats; it needs ``numpy.trapz``, which NumPy 2.4 removed and which is provided during this import only. It
    makes all loggers print their information, which is undone.
    """
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    lent = not hasattr(np, "trapz")
    if lent:
        vars(np)["trapz"] = np.trapezoid
    try:
        import geomstats
        import geomstats.backend
        import geomstats.geometry.euclidean
        import geomstats.geometry.special_euclidean
        import geomstats.geometry.special_orthogonal
        import geomstats.learning.frechet_mean
        import geomstats.learning.pca
    except ImportError as error:
        raise errors.InputError("geomstats cannot be imported", got=str(error), hint="pip install geomstats") from error
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        if lent:
            del vars(np)["trapz"]
    return geomstats


def to_geomstats(group: LieGroup) -> Any:
    """The geomstats space of matrices of ``group``, with its canonical metric (bi-invariant, or left-invariant on SE(n))."""
    if group.geometry is None:
        raise errors.DefinitionError(f"geomstats has no space for {group.name}", expected=_WHAT)
    geometry = geomstats().geometry
    if group.geometry is Geometry.ROTATIONS:
        return geometry.special_orthogonal.SpecialOrthogonal(group.size, point_type="matrix")
    return geometry.special_euclidean.SpecialEuclidean(group.size - 1, point_type="matrix")


def from_geomstats(space: Any) -> LieGroup:
    """The group of a geomstats space of matrices SO(n), SE(2) or SE(3)."""
    geometry = geomstats().geometry
    kinds = {
        Geometry.ROTATIONS: geometry.special_orthogonal._SpecialOrthogonalMatrices,
        Geometry.MOTIONS: geometry.special_euclidean._SpecialEuclideanMatrices,
    }
    group = next((group_of(ours, space.n) for ours, theirs in kinds.items() if isinstance(space, theirs)), None)
    if group is None:
        raise errors.DefinitionError(
            f"no group for the geomstats space {type(space).__name__}", expected=f"matrices of {_WHAT}"
        )
    return group


def frechet_mean(
    group: LieGroup,
    points: Any,
    weights: Any = None,
    tol: float = 1e-10,
    max_iterations: int = ITERATIONS,
    start: Any = None,
) -> np.ndarray:
    """The Fréchet mean (N, N) of ``points`` (m, N, N): the minimiser of Σ w_i d(g, g_i)². The iteration begins
    at ``start``, by default the first point.

    geomstats stops at a squared gradient of 1e-4 · dim, here at the square of ``tol``. Raises an InputError if it is not
    reached, as for points spread over more than a half-turn, which need not have one mean.
    """
    points = np.atleast_3d(group.validate(points, 1e-6)).reshape(-1, group.size, group.size)
    if not len(points):
        raise errors.InputError("the points of a mean", expected="at least one", got="none")
    weights = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=float)
    space = _with_our_logarithm(group)
    estimator = geomstats().learning.frechet_mean.FrechetMean(space)
    estimator.set(epsilon=tol**2 / group.dimension, max_iter=max_iterations, init_point=start)
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)
    try:
        mean = np.asarray(estimator.fit(points, weights=weights).estimate_)
    finally:
        root.setLevel(level)
    logs = np.asarray(space.metric.log(points, mean))
    gradient = np.einsum("m,mij->ij", weights, logs) / np.sum(weights)
    size = float(np.sqrt(np.abs(space.metric.squared_norm(gradient, mean))))
    if not size <= 2 * tol:
        raise errors.InputError("the Fréchet mean was not found", expected=f"a gradient below {tol:.1e}", got=f"{size:.1e}",
                                hint="Points spread over more than a half-turn may have no single mean.")  # fmt: skip
    return mean


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """The rotation nearest to a matrix (n, n), such as the mean of matrices."""
    u, _, v = np.linalg.svd(matrix)
    u[:, -1] *= np.sign(np.linalg.det(u @ v))
    return np.asarray(u @ v)


def principal_directions(coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (d, d) along the principal geodesics of points with exponential coordinates (m, d), and the standard
    deviations (d,). In these coordinates the tangent space at the mean has its inner product from Rᵈ.
    """
    number, dimension = len(coordinates), coordinates.shape[1]
    analysis = geomstats().learning.pca.TangentPCA(
        geomstats().geometry.euclidean.Euclidean(dimension), n_components=min(dimension, number - 1)
    )
    with np.errstate(invalid="ignore"):  # its shares, where all points are equal
        analysis.fit(coordinates, base_point=np.zeros(dimension))
    spanned = np.asarray(analysis.components_)
    others = np.linalg.svd(spanned)[2][len(spanned) :]  # along which so few points cannot spread
    variances = np.concatenate([np.asarray(analysis.explained_variance_), np.zeros(len(others))])
    return np.concatenate([spanned, others]), np.sqrt(np.maximum(variances, 0.0))


def mean_position(points: np.ndarray) -> np.ndarray:
    """The mean (n,) of positions (m, n)."""
    space = geomstats().geometry.euclidean.Euclidean(points.shape[1])
    return np.asarray(geomstats().learning.frechet_mean.FrechetMean(space).fit(points).estimate_)


def _with_our_logarithm(group: LieGroup) -> Any:
    """The geomstats space of a group; of rotations with our logarithm, which is exact near π, and faster."""
    space = to_geomstats(group)
    if group.geometry is Geometry.ROTATIONS:

        def log(point: Any, base_point: Any, **_: Any) -> np.ndarray:
            base = np.asarray(base_point)
            return np.asarray(base @ group.hat(group.log(np.swapaxes(base, -1, -2) @ np.asarray(point))))

        space.metric.log = log
    return space


def geodesic_distance(group: LieGroup, g: Any, h: Any) -> np.ndarray:
    """The distance (...,) of geomstats' canonical metric."""
    space = to_geomstats(group)
    g, h = np.broadcast_arrays(group.validate(g, 1e-6), group.validate(h, 1e-6))
    flat = (-1, group.size, group.size)
    return np.asarray(space.metric.dist(g.reshape(flat), h.reshape(flat))).reshape(g.shape[:-2])


def dispersion(group: LieGroup, points: Any, mean: Any = None, weights: Any = None) -> float:
    """The mean squared distance of ``points`` (m, N, N) from ``mean`` (N, N), by default the Fréchet mean."""
    mean = frechet_mean(group, points, weights) if mean is None else mean
    squares = geodesic_distance(group, points, mean) ** 2
    return float(np.average(squares, weights=weights))

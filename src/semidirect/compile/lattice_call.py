"""A call of the kernel of a lattice: what all chunks of a run share, and what the paths of one chunk have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self, final

import numpy as np

from semidirect.compile.kernel_call import as_lanes, as_paths
from semidirect.compile.lattice_kernel import LatticeKernel
from semidirect.compile.lattice_variant import LatticeVariant, draw_of
from semidirect.integrators import Integrator
from semidirect.model import NumericalSDE
from semidirect.random import DrivingProcess, KernelDraw

__all__ = ["LatticeCall"]


class Ends(NamedTuple):
    """The edges at one end of each site, one site after another: where those of a site begin, the other end, the number."""

    begin: np.ndarray
    place: np.ndarray
    edge: np.ndarray


@final
@dataclass(frozen=True)
class LatticeCall:
    """The kernel of a lattice with its constant arguments; as :class:`~.kernel_call.KernelCall`.

    Attributes
    ----------
    numbers : array
        Parameters of the site.
    varied : array (blocks, k, sites, paths)
        Those that differ from site to site or from path to path.
    of_edges : array
        Parameters of the edges, see :attr:`.LatticeVariant.edges`.
    site : int array
        The site of each place, the last one repeated to fill the last tile.
    ends : tuple of arrays
        Of each kind of edge those of :class:`Ends` at its left and its right end.
    copies : tuple
        Where kinds of sites are few: the rows of all sites in a state and among the noises, the place of each site in the first
        row of its tile, the numbers of sites of these kinds, and the number of places.
    """

    kernel: LatticeKernel
    sites: int
    edges: int
    noises: int
    numbers: np.ndarray
    varied: np.ndarray
    of_edges: np.ndarray
    site: np.ndarray
    ends: tuple[np.ndarray, ...]
    copies: tuple[Any, ...]
    draw: KernelDraw | None
    dt: float
    origin: float = 0.0

    @classmethod
    def of(
        cls, model: Any, whole: Any, method: Integrator, driver: DrivingProcess | None, *, paths: int,
        all_paths: int, dt: float, origin: float, once: Callable[[Any, Callable[[], Any]], Any],
    ) -> Self:  # fmt: skip
        """The call for the paths of a chunk, see :meth:`.KernelCall.of`."""

        def made() -> tuple[LatticeKernel, np.ndarray, tuple[np.ndarray, ...], tuple[Any, ...]]:
            variant = LatticeVariant.of(whole, driver, dt, all_paths)
            kernel = LatticeKernel.of(model, method, variant)
            slots = np.arange(kernel.tiles(model.sites) * (variant.lanes // variant.paths))
            site, where = np.minimum(slots, model.sites - 1), kernel.offsets(len(slots))
            return (
                kernel,
                site,
                _all_ends(whole, site, where),
                _copies(whole, variant, site, where, method.rows(model.wieners) * variant.stages),
            )

        kernel, site, ends, copies = once("kernel", made)
        lanes, variant = model.lanes(paths), kernel.variant
        forces, sites = lanes.forces, model.sites
        numbers = np.array([p if np.ndim(p) == 0 else 0.0 for p in lanes.parameters], dtype=float)
        varied = [np.broadcast_to(lanes.parameters[i], (sites * paths,)).reshape(sites, paths) for i in variant.varied]
        rows = np.array(varied or np.zeros((1, sites, paths)), dtype=float).reshape(-1, paths)
        rows_of_blocks = as_lanes(rows, variant.paths).reshape(-1, max(1, len(varied)), sites, variant.paths)
        return cls(
            kernel, sites, len(model.pairs), method.rows(model.wieners) * variant.stages, numbers, rows_of_blocks,
            _parameters_of_edges(forces.parameters, variant, len(model.pairs), paths), site, ends, copies,
            draw_of(driver, dt), dt, origin,
        )  # fmt: skip

    draw_of = staticmethod(draw_of)

    @staticmethod
    def is_known(
        model: NumericalSDE, method: Integrator, driver: DrivingProcess | None, dt: float, all_paths: int
    ) -> bool:
        """Whether the kernel of a run was compiled before, so that it can be loaded in a fraction of a second."""
        return LatticeKernel.is_known(model, method, LatticeVariant.of(model, driver, dt, all_paths))

    def __call__(
        self, y: np.ndarray, s: np.ndarray, dW: np.ndarray | None, path: int, first: int, count: int
    ) -> np.ndarray:
        """Step blocks of paths, see :meth:`.KernelCall.__call__`; ``s`` has no rows."""
        draw = self.draw
        seed, root = (0, 0.0) if draw is None else (draw.seed, draw.root)
        stuck = np.full((len(y), self.lanes), -1, dtype=np.int64)
        _, of_tile, local, converged, left = self.kernel.memory(self.sites)
        increments = 0 if dW is None or draw is not None else dW
        self.kernel.code(
            y, self.numbers, self.varied, self.of_edges, increments, stuck, of_tile, local, converged, left, self.site,
            *self.ends, *self.copies, y.shape[1], self.sites, self.edges, self.noises, len(left), len(y), path, seed, first,
            count, self.dt, root, self.origin,
        )  # fmt: skip
        return stuck

    @property
    def lanes(self) -> int:
        """Paths in a block."""
        return self.kernel.variant.paths

    def in_lanes(self, rows: np.ndarray) -> np.ndarray:
        """``(d, paths)`` as ``(blocks, d, lanes)``."""
        return as_lanes(rows, self.lanes)

    by_path = staticmethod(as_paths)

    def block(self, number: int) -> LatticeCall:
        """The same for one block."""
        return self.part(slice(number, number + 1))

    def part(self, part: slice) -> LatticeCall:
        """The same for some blocks."""
        of_edges = self.of_edges[part] if self.kernel.variant.edges == "path" else self.of_edges
        return replace(self, varied=self.varied[part], of_edges=of_edges)


def _all_ends(whole: Any, site: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, ...]:
    """Of each kind of edge, what there is at its left and its right end."""
    out = list[np.ndarray]()
    for one in whole.forces.energies.kinds:
        left, right = whole.forces.pairs[one.edges].T
        for own, other, kind in ((left, right, one.kinds[0]), (right, left, one.kinds[1])):
            begin, place, edge = _ends(np.minimum(site, whole.kinds.counts[kind] - 1), own, other, where)
            out += [begin, place, one.edges[edge].astype(np.int64)]
    return tuple(out)


def _copies(whole: Any, variant: LatticeVariant, site: np.ndarray, where: np.ndarray, noises: int) -> tuple[Any, ...]:
    if not variant.few:
        return ()
    starts = range(0, noises, whole.wieners) if noises else ()
    noise = np.concatenate([start + whole.noises.places[:, site] for start in starts] or [np.empty((0, len(site)))])
    rows = [np.ascontiguousarray(x, dtype=np.int64) for x in (whole.site_rows.places[:, site], noise)]
    counts = np.array([whole.kinds.counts[kind] for kind, _ in variant.few], dtype=np.int64)
    return (*rows, where.astype(np.int64), counts, len(site))


def _ends(site: np.ndarray, own: np.ndarray, other: np.ndarray, where: np.ndarray) -> Ends:
    """The edges that have a site at one end, in their order."""
    order = np.argsort(own, kind="stable")
    counts = np.bincount(own, minlength=int(site[-1]) + 1)
    start = np.concatenate([[0], np.cumsum(counts)])[site]
    begin = np.concatenate([[0], np.cumsum(counts[site])])
    edge = order[np.repeat(start - begin[:-1], counts[site]) + np.arange(begin[-1])] if len(own) else order
    return Ends(begin, where[other[edge]], edge.astype(np.int64))


def _parameters_of_edges(parameters: Any, variant: LatticeVariant, edges: int, paths: int) -> np.ndarray:
    """Numbers, or those of each edge, or those of each edge in blocks of paths."""
    if variant.edges == "same":
        return np.array(list(parameters) or [0.0], dtype=float)
    if variant.edges == "edge":
        return np.array([np.broadcast_to(np.asarray(x, dtype=float).reshape(-1), (edges,)) for x in parameters])
    rows = np.array([np.broadcast_to(x, (edges, paths)) for x in parameters]).reshape(-1, paths)
    return as_lanes(rows, variant.paths).reshape(-1, len(parameters), edges, variant.paths)

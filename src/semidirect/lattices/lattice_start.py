"""Starts of a lattice: what is given at the sites is completed site by site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import FlatSites, PerPath, errors
from semidirect.lattices.coupled_site import OF_EDGES
from semidirect.model import NumericalSDE
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.lattices.lattice_sde import LatticeSDE

ITERATIONS, CLOSE = 30, 1e-15
"""Of the momenta of a start by velocities, where edges act on these: most iterations, and the relative change of the last."""
SHORT, LINEAR = 1e-4, 1e-6
"""Relative step of a difference along a direction, and the tolerance of the linear equations of an iteration."""


def start_of_sites(lattice: Any, state: Mapping[str, Any], *, validate: bool, t: float) -> dict[str, Any]:
    """The variables of a lattice, as rows of numbers or one such row for each path, from names that its site takes.

    Raises
    ------
    UnknownNameError, InputError
        For a name or value that the site does not take.
    """
    model: Any = NumericalSDE.of(lattice)
    flats = {name: model.flat_at(name, size) for name, size in _names(model).items()}
    answers = lattice.workings.decide_by_path(lambda one: one.initial)
    numbers = {name: _read(flats, name, value, lattice) for name, value in state.items()}
    pairs = _momenta(model)
    for name in answers[0]:
        if name in state or pairs.get(name) in state:
            continue
        starts = [_read(flats, name, one[name], lattice) for one in answers]
        numbers[name] = starts[0] if len(starts) == 1 else np.stack(starts)
    counts = {len(v) for v in numbers.values() if v.ndim == 2} | ({lattice.workings.paths} - {None})
    if len(counts) > 1:
        raise errors.InputError("a start with values per path", expected="as many of each", got=str(sorted(counts)))
    paths = counts.pop() if counts else 1
    energies = lattice.edge_energies()
    solved = bool(energies.momenta) and not lattice.edge_energy_is_of_h(of_all=True)
    if solved and paths > 1:  # one after another, so that none depends on those beside it
        several = [
            start_of_sites(
                lattice if lattice.workings.paths is None else lattice.at_path(k),
                {name: rows[k] if rows.ndim == 2 else rows for name, rows in numbers.items()}, validate=validate, t=t,
            )
            for k in range(paths)
        ]  # fmt: skip
        return {name: PerPath(np.stack([one[name] for one in several])) for name in several[0]}
    values = {}
    for name, rows in numbers.items():
        flat = flats[name]
        of_paths = flat.shaped(np.broadcast_to(rows, (paths, flat.rows)))  # (paths, sites, d)
        of_cells = np.moveaxis(of_paths, 0, 1)[model.kinds.in_cells(model.kinds.kind_of(name))]
        values[name] = np.ascontiguousarray(of_cells).reshape(model.sites * paths, *flat.shape[1:])
    site = model.coupled_of_lanes(paths)
    one = values or {}

    def vector(of: Any) -> np.ndarray:
        start = InitialState.of(of, one, validate=validate, t=t, located=False)
        y = start.vector(NumericalSDE.of(of).reduced(), t)
        return np.broadcast_to(y, (len(y), model.sites * paths))

    y = vector(site)
    y = _with_forces_on_velocities(lattice, model, site, y, vector, t) if solved else model.site_rows.as_sites(y, paths)
    out: dict[str, Any] = {}
    for name, part in model.variables(y).items():
        out[name] = part[:, 0].copy() if paths == 1 else PerPath(np.ascontiguousarray(part.T))
    return out


def _with_forces_on_velocities(
    lattice: Any, model: LatticeSDE, site: Any, y: np.ndarray, vector: Callable[[Any], np.ndarray], t: float
) -> np.ndarray:  # fmt: skip
    """The start at velocities ∂h/∂p − F_p(p), each of which reads the momenta of its neighbours; momenta that are given stay."""
    from scipy.sparse.linalg import LinearOperator, gmres

    energy, lanes, size = lattice.edge_energies(), model.lanes(1), y.size

    def away(flat: np.ndarray) -> np.ndarray:
        """How far momenta are from those that the velocities have with the forces of the edges at these momenta."""
        at = flat.reshape(y.shape)
        rows = np.stack([np.broadcast_to(row, y.shape[1:]) for row in lanes.forces(at, t)])
        forces = {f"{name}_{OF_EDGES}": PerPath(rows[part].T) for name, part in energy.layout.items()}
        there: np.ndarray = vector(site.workings.with_values({**site.values, **forces})) - at
        return there.reshape(-1)

    here = y.reshape(-1)
    for _ in range(ITERATIONS):
        rest, scale = away(here), max(float(np.max(np.abs(here))), 1e-300)
        if not np.max(np.abs(rest)) > CLOSE * scale:
            return model.site_rows.as_sites((here + rest).reshape(y.shape), 1)

        def slope(v: np.ndarray, here: np.ndarray = here, rest: np.ndarray = rest, scale: float = scale) -> np.ndarray:
            step = SHORT * scale / max(float(np.max(np.abs(v))), 1e-300)
            return (away(here + step * v.reshape(-1)) - rest) / step

        change, _ = gmres(LinearOperator((size, size), slope, dtype=float), -rest, rtol=LINEAR)
        here = here + change
    momenta = ", ".join(_momentum_names(model).values())
    raise errors.InputError(
        f"a start of {type(lattice).__name__} by velocities", expected=f"momenta: {momenta}",
        got="velocities for which no momenta were found",
    )  # fmt: skip


def _read(flats: Mapping[str, FlatSites], name: str, value: Any, lattice: Any) -> np.ndarray:
    if name not in flats:
        raise errors.UnknownNameError(f"state variable of {type(lattice).__name__}", name, flats)
    rows = flats[name].read(f"state variable {name!r}", value)
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        at = int(bad[0][-1])
        raise errors.InputError(
            f"state variable {name!r}", expected="finite numbers", got=str(rows[tuple(bad[0])]),
            where=f"site {at % flats[name].sites}, component {at // flats[name].sites}",
        )  # fmt: skip
    return rows


def _names(model: LatticeSDE) -> dict[str, int]:
    """Names that a start at a site takes, with numbers of components."""
    definition = model._definition_of_site()
    sizes = {part.name: part.dimension for part in model.equations.shape.variables}
    sizes |= definition.first
    sizes |= {
        definition.momentum_name(name): size
        for name, size in definition.constraint.coordinates(definition.group).items()
    }
    return sizes


def _momenta(model: LatticeSDE) -> dict[str, str]:
    """Velocities and their momenta, each by the other."""
    pairs = _momentum_names(model)
    return {**pairs, **{momentum: name for name, momentum in pairs.items()}}


def _momentum_names(model: LatticeSDE) -> dict[str, str]:
    definition = model._definition_of_site()
    return {name: definition.momentum_name(name) for name in definition.constraint.coordinates(definition.group)}

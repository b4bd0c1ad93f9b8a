"""Starts of a lattice: what is given at the sites is completed site by site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import FlatSites, PerPath, errors
from semidirect.model import NumericalSDE
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.lattices.lattice_sde import LatticeSDE


def start_of_sites(lattice: Any, state: Mapping[str, Any], *, validate: bool, t: float) -> dict[str, Any]:
    """The variables of a lattice, as rows of numbers or one such row for each path, from names that its site takes.

    Raises
    ------
    UnknownNameError, InputError
        For a name or value that the site does not take.
    """
    model: Any = NumericalSDE.of(lattice)
    flats = {name: FlatSites(model.sites, size) for name, size in _names(model).items()}
    answers = lattice.workings.decide_by_path(lambda one: one.initial)
    numbers = {name: _read(flats, name, value, lattice) for name, value in state.items()}
    pairs = _momenta(model)
    for name in answers[0]:
        if name in state or pairs.get(name) in state:
            continue
        several = [_read(flats, name, one[name], lattice) for one in answers]
        numbers[name] = several[0] if len(several) == 1 else np.stack(several)
    counts = {len(v) for v in numbers.values() if v.ndim == 2} | ({lattice.workings.paths} - {None})
    if len(counts) > 1:
        raise errors.InputError("a start with values per path", expected="as many of each", got=str(sorted(counts)))
    paths = counts.pop() if counts else 1
    values = {}
    for name, rows in numbers.items():
        flat = flats[name]
        of_paths = flat.shaped(np.broadcast_to(rows, (paths, flat.rows)))  # (paths, sites, d)
        values[name] = np.ascontiguousarray(np.moveaxis(of_paths, 0, 1)).reshape(model.sites * paths, *flat.shape[1:])
    site = model.coupled_of_lanes(paths)
    one = values or {}
    start = InitialState.of(site, one, validate=validate, t=t, located=False)
    y = start.vector(NumericalSDE.of(site).reduced(), t)
    y = np.broadcast_to(y, (len(y), model.sites * paths)).reshape(-1, paths)
    out: dict[str, Any] = {}
    for name, part in model.variables(y).items():
        out[name] = part[:, 0].copy() if paths == 1 else PerPath(np.ascontiguousarray(part.T))
    return out


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
    definition = model._definition_of_site()
    pairs = {name: definition.momentum_name(name) for name in definition.constraint.coordinates(definition.group)}
    return {**pairs, **{momentum: name for name, momentum in pairs.items()}}

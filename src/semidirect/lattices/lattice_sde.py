"""The equations of a lattice as array functions, for integrators, site by site."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from semidirect.core import FlatSites, PerPath, errors
from semidirect.integrators import Integrator, Step
from semidirect.lattices.cell import energy_of_kind, noise_kinds
from semidirect.lattices.coupled_site import OF_EDGES
from semidirect.lattices.edge_forces import EdgeForces, added
from semidirect.lattices.lane_sde import LaneSDE
from semidirect.lattices.lattice_state import LatticeState
from semidirect.lattices.site_rows import SiteRows
from semidirect.model import ArraySDE, NoiseClass, NumericalSDE
from semidirect.state import InitialState

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.lattices.site_kinds import SiteKinds

SEED = 29
MOST_INTEGRALS = 4096
"""Rows of iterated integrals of a step; areas are as many as pairs of noises."""


class Sites(NamedTuple):
    """Values at the sites of a lattice as a part of a state; any values are admissible."""

    flat: FlatSites

    def __repr__(self) -> str:
        return f"{self.flat.sites} sites"

    @property
    def label_of_state(self) -> str:
        """What a start gives."""
        return f"values at {self!r}"

    def refuse_outside(self, values: np.ndarray, what: str) -> None:
        """No check here: starts are checked site by site."""


class OfPath(NamedTuple):
    """The lattice of one path and its site, or its cell."""

    system: Any
    site: Any


def variables_of(lattice: Any) -> dict[str, int]:
    """Names and sizes of the parts of the state of a site."""
    return {part.name: part.dimension for part in NumericalSDE.of(lattice.coupled()).structure.shape.variables}


@final
class LatticeSDE(ArraySDE):
    """Equations of all sites on states ``(d, paths)``: the first component of all sites, then the second.

    A method steps :class:`~semidirect.lattices.lane_sde.LaneSDE`, to which each site of a path is a path of its own.

    Attributes
    ----------
    sites : int
        The number of sites that are stepped at once: of all, or with several kinds of cells, which have one of each.
    kinds : SiteKinds
    site_rows, noises : SiteRows
        How a state and the noises lie on lanes.
    flat : dict name → FlatSites
        How values at sites lie in rows.
    functions : tuple of OfPath
        The lattice, or that of each path if parameters differ.
    """

    def __init__(self, system: SystemDefinition):
        self._states(system)
        lattice: Any = system
        self.kinds: SiteKinds = lattice.site_kinds()
        self.sites: int = self.kinds.cells
        self.coupled = lattice.coupled()
        self.equations = NumericalSDE.of(self.coupled).structure
        shape = self.equations.shape
        self.functions = tuple(OfPath(one, one.cell()) for one in system.workings.of_each_path)
        self.energy = lattice.edge_energies()
        definition = self._definition_of_site()
        by_h = definition.by_hamiltonian
        if not by_h and self.energy.of_momenta and any(p.kind == "velocity" for p in shape.variables):
            raise errors.DefinitionError(
                f"{type(system).__name__}.coupling", expected="momenta that are the state of the site",
                got="a site whose state are velocities, since its momenta are not solved for them",
                hint="State the site by its Hamiltonian, hamiltonian(self, p, a).",
            )  # fmt: skip
        moving = sum(p.dimension for p in shape.variables if p.kind in ("momentum", "velocity"))
        first = 0 if self.energy.of_momenta else moving
        self.pairs: np.ndarray = lattice.edge_pairs()
        sign = 1.0 if by_h else -1.0
        self.forces = EdgeForces(self.energy, self.pairs, self.kinds, sign, first)
        self.own_noise = not bool(lattice.one_path().common_noise)
        variables = {part.name: part.dimension for part in shape.variables}
        self.flat = {name: self.flat_at(name, size) for name, size in {**variables, **self._seen()}.items()}
        self.at_sites = tuple(self.flat)
        of_rows = [self.kinds.kind_of(name) for name, size in variables.items() for _ in range(size)]
        self.site_rows = SiteRows(self.kinds, of_rows)
        self.noises = SiteRows(
            self.kinds, noise_kinds(self.functions[0].site) if self.kinds.several else [0] * shape.wieners
        )
        self._structured(
            "hamilton-pontryagin", "lattice",
            {part.name: self.flat[part.name].component_names(part.name) for part in shape.variables},
            self.noises.count if self.own_noise else shape.wieners, {name: Sites(flat) for name, flat in self.flat.items()},
        )  # fmt: skip

    def _definition_of_site(self) -> Any:
        return self.coupled.workings.of_one_path.workings.definition()

    def _seen(self) -> dict[str, int]:
        """The quantities besides its state that observables of a site may use, unless the configuration is needed for it."""
        shape = self.equations.shape
        state = {part.name for part in shape.variables}
        return {
            name: size for name, size in shape.named.items()
            if name not in state and not self.equations.needs_configuration(name, self.equations.named(name))
        }  # fmt: skip

    # -- lanes -----------------------------------------------------------------------------------------------------

    def lanes(self, paths: int) -> LaneSDE:
        """The equations of the sites of some paths."""
        return self.known(("lanes", paths), lambda: self._lanes(paths))

    def _lanes(self, paths: int) -> LaneSDE:
        several = [one.system for one in self.functions]
        forces = self.forces.with_parameters(self.energy.numbers(several, several[0].per_edge, len(self.pairs)))
        return LaneSDE(self.coupled_of_lanes(paths), self.equations, forces)

    def coupled_of_lanes(self, paths: int) -> Any:
        """The site with its parameters on each lane, where they differ."""
        sites = [one.site for one in self.functions]
        if len(sites) == 1 and sites[0].workings.paths is None:
            values = dict(sites[0].values)
        else:
            values = {name: self._on_lanes([one.values[name] for one in sites], paths) for name in sites[0].values}
        zeros = {name: v for name, v in self.coupled.values.items() if name.endswith(OF_EDGES)}
        return self.coupled.workings.with_values({**values, **{k: _of_one(v) for k, v in zeros.items()}})

    def _on_lanes(self, values: list[Any], paths: int) -> Any:
        """A parameter on each lane; itself if it is the same everywhere."""
        arrays = [v.values if isinstance(v, PerPath) else np.asarray(v)[None] for v in values]
        if all(np.array_equal(a, arrays[0]) for a in arrays) and len(arrays[0]) == 1:
            return values[0]
        columns = np.stack([np.broadcast_to(a, (self.sites, *a.shape[1:])) for a in arrays], axis=1)
        columns = np.broadcast_to(columns, (self.sites, paths, *columns.shape[2:]))
        return PerPath(np.ascontiguousarray(columns.reshape(self.sites * paths, *columns.shape[2:])))

    def flat_at(self, name: str, size: int) -> FlatSites:
        """How values of this name at the sites of a kind lie in rows."""
        kind = self.kinds.kind_of(name)
        return FlatSites(self.kinds.counts[kind], size, self.kinds.names[kind])

    def as_lanes(self, y: np.ndarray) -> np.ndarray:
        """A state ``(d, paths)`` as that of lanes."""
        return self.site_rows.as_lanes(y)

    def on_lanes(self, x: Any) -> Any:
        """A time, or one for each path, on each lane."""
        return np.tile(x, self.sites) if np.ndim(x) else x

    def noise_on_lanes(self, dW: np.ndarray, paths: int) -> np.ndarray:
        """Increments ``(k, paths)`` of the noises on each lane; k is a multiple of their number."""
        dW = dW[:, None] if dW.ndim == 1 else dW
        dW = np.broadcast_to(dW, (len(dW), paths)) if len(dW) else np.zeros((0, paths))
        return self.noises.as_lanes(dW) if self.own_noise else np.tile(dW, (1, self.sites))

    def rows_on_lanes(self, dW: np.ndarray, integrals: Any, paths: int) -> np.ndarray:
        """Increments, and the iterated integrals that a method needs beside them: of the noises of each site among themselves,
        since those of different sites commute.
        """
        if integrals is None or not self.own_noise:
            return self.noise_on_lanes(dW, paths)
        more = np.broadcast_to(dW[self.wieners :], (len(dW) - self.wieners, paths))
        of_sites = [more[integrals.among(self.wieners, self.noises.places[:, i])] for i in range(self.sites)]
        increments = self.noise_on_lanes(dW[: self.wieners], paths)
        return np.concatenate([increments, np.concatenate(of_sites, axis=1)])

    def _for_paths(self, y: np.ndarray) -> np.ndarray:
        """A state for as many paths as there are parameters."""
        count = len(self.functions)
        if count == 1 or y.shape[1] == count:
            return y
        if y.shape[1] != 1:
            raise errors.InputError("states", expected=f"{count}, as many as parameters", got=str(y.shape[1]))
        return np.repeat(y, count, axis=1)

    # -- steps and fields ------------------------------------------------------------------------------------------

    @property
    def stepped(self) -> NumericalSDE:
        """The columns that a method advances: the lanes."""
        return self.lanes(len(self.functions))

    def step(self, method: Integrator, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> Step:
        """A step of a method on all lanes; a path has converged when all of its lanes have."""
        y = self._for_paths(y)
        paths = y.shape[1]
        lanes = self.lanes(paths)
        out = method.step(
            lanes,
            self.as_lanes(y),
            self.on_lanes(t),
            self.on_lanes(dt),
            self.rows_on_lanes(dW, method.integrals, paths),
        )
        converged = out.converged
        if converged is not None and np.ndim(converged):
            converged = np.bitwise_and.reduce(np.asarray(converged).reshape(self.sites, paths), axis=0)
        return Step(self.site_rows.as_sites(out.y, paths), np.zeros((1, paths)), converged)

    def not_compiled(self, method: Integrator) -> str | None:
        """Sites whose parameters are tables are not, nor methods that need iterated integrals, which array code gives sites."""
        tables = [*self.coupled.workings.table_names, *self.system.workings.table_names]
        if tables:
            return f"{tables[0]} is a table, and kernels of lattices look nothing up"
        if method.integrals is not None and self.own_noise:
            return f"{method.label} needs {method.integrals.words}, which kernels of lattices do not draw for each site"
        return None

    def check_method(self, method: Integrator) -> None:
        """Raise an error for a method that differentiates noise fields where these read forces of edges, and for one that needs
        more iterated integrals than are drawn.
        """
        if (
            method.calculus == "ito" or method.integrals is not None or method.name == "milstein"
        ) and self._noise_reads_forces:
            raise errors.MethodError(
                f"{method.label} reads derivatives of the noise fields",
                expected="noise of the sites that does not depend on the forces of their edges",
                got="such noise, whose derivatives are those of the edges, too",
                hint="Use lie-heun, coadjoint-midpoint or heun.",
            )  # fmt: skip
        if method.integrals is not None and method.integrals.rows(self.wieners) > MOST_INTEGRALS:
            raise errors.MethodError(
                f"{method.label} needs {method.integrals.words} of all noises", expected=f"at most {MOST_INTEGRALS} of them",
                got=f"{method.integrals.rows(self.wieners)} of {self.wieners} noises",
                hint="Use lie-heun, coadjoint-midpoint or heun, or milstein where the noises of a site commute.",
            )  # fmt: skip

    @property
    def _noise_reads_forces(self) -> bool:
        def text() -> str:
            sde = self.equations.sde
            places = zip(self.coupled.workings.symbol_places, sde.definition.parameters, strict=True)
            forces = [symbol for (name, _), symbol in places if name.endswith(OF_EDGES)]
            columns = (sde.column(k) for k in range(1, sde.wieners + 1))
            return "yes" if any(x.depends((*x.outputs["state"], *x.outputs["v"]), forces) for x in columns) else "no"

        return self.equations.text("whether noise reads forces of edges", text) == "yes"

    def field(self, y: np.ndarray, t: Any, dt: Any, dW: np.ndarray) -> np.ndarray:
        """The increment of the rows, and 0 for the configuration, shape ``(d + 1, paths)``."""
        if y.ndim == 1:
            return self.field(y[:, None], t, dt, np.asarray(dW)[:, None])[:, 0]
        y = self._for_paths(y)
        paths, lanes = y.shape[1], self.lanes(y.shape[1])
        dW = self.noise_on_lanes(np.asarray(dW), paths)
        rows = lanes.field(self.as_lanes(y), self.on_lanes(t), self.on_lanes(dt), dW)[: lanes.dimension]
        return np.concatenate([self.site_rows.as_sites(rows, paths), np.zeros((1, paths))])

    # -- quantities ------------------------------------------------------------------------------------------------

    def seen(self, y: np.ndarray, t: Any, one: OfPath) -> LatticeState:
        """Values at the sites."""
        model = self
        if len(self.functions) > 1:
            index = next(i for i, other in enumerate(self.functions) if other is one)
            model = self._part(slice(index, index + 1))
        return LatticeState(t, model, y)

    def named_rows(self, name: str, y: np.ndarray, t: Any) -> np.ndarray:
        """The quantities that observables of a site may use, at all sites ``(k, paths)``."""
        y = self._for_paths(y)
        rows = {name: self.equations.named(name)}
        values = self.lanes(y.shape[1]).rows_of(self.as_lanes(y), self.on_lanes(t), rows)
        return self.of_sites(values, self.kinds.kind_of(name)).reshape(-1, y.shape[1])

    def of_sites(self, values: np.ndarray, kind: int) -> np.ndarray:
        """Rows ``(k, lanes)`` of a quantity of a kind of sites, at these ``(k, sites, paths)``."""
        return values.reshape(len(values), self.sites, -1)[:, : self.kinds.counts[kind]]

    def site_energies(self, y: np.ndarray, t: Any) -> np.ndarray:
        """The energy of each site alone ``(sites, paths)``."""
        y = self._for_paths(y)
        names = [f"energy{k}" for k in range(len(self.kinds.names))]

        def made() -> dict[str, Any]:
            if not self.kinds.several:
                return {names[0]: self.equations.components(self.coupled, _energy)}
            return {
                name: self.equations.components(self.coupled, partial(energy_of_kind, self.coupled, k))
                for k, name in enumerate(names)
            }

        values = self.lanes(y.shape[1]).alone(self.as_lanes(y), self.on_lanes(t), self.known("energy of a site", made))
        out = np.empty((len(self.kinds.of_site), y.shape[1]))
        for k, row in enumerate(values):
            out[self.kinds.of_site == k] = self.of_sites(row[None], k)[0]
        return out

    def total_energy(self, y: np.ndarray, t: Any) -> np.ndarray:
        """The energies of all sites and all edges ``(paths,)``."""
        y = self._for_paths(y)
        edges = self.lanes(y.shape[1]).forces.total(self.as_lanes(y), self.on_lanes(t))
        return added(self.site_energies(y, t)) + edges

    def noise_class(self) -> NoiseClass:
        """That of a site; noises of different sites commute."""
        one = NoiseClass.of(self.lanes(len(self.functions)))
        name, reason = one.name, one.reason
        if self.own_noise and len(self.kinds.of_site) > 1 and name == "single":
            name, reason = "commutative", f"of each site {reason}; noises of different sites commute"
        return NoiseClass(name, reason, name, reason, False)

    # -- states ----------------------------------------------------------------------------------------------------

    def drawn(self) -> np.ndarray:
        """A state near the recommended one."""
        return self.random_states(1, SEED)

    def initial_rows(self) -> np.ndarray:
        """The recommended start, ``(d, 1)`` or of each path."""
        start = InitialState.of(self.system, None, model=self)
        return start.vector(self, 0.0)

    def random_states(self, count: int, seed: int) -> np.ndarray:
        """States ``(d, count)`` whose advected quantities are those of random configurations."""
        rng = np.random.default_rng(seed)
        definition = self._definition_of_site()
        lanes = self.sites * count
        y = rng.standard_normal((len(self.equations.state), lanes))
        first = sum(p.dimension for p in self.equations.shape.variables if p.kind in ("momentum", "velocity"))
        if definition.advected:
            size = sum(q.dimension for q in definition.advected.values())
            group = definition.group
            columns = [
                np.asarray(definition.orbit_point(group.exp(rng.standard_normal(group.dimension))), dtype=float)
                for _ in range(min(lanes, 64))
            ]
            y[first : first + size] = np.stack([columns[i % len(columns)] for i in range(lanes)], axis=1)
        return self.site_rows.as_sites(y, count)


def _energy(state: Any) -> Any:
    return state.energy


def _of_one(value: Any) -> Any:
    return value.values[0] if isinstance(value, PerPath) else value

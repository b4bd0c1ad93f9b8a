"""The specification of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from semidirect.core import PerPath
from semidirect.groups import ElementLayout
from semidirect.integrators import Integrator
from semidirect.quantities import Quantities
from semidirect.random import DrivingProcess, drivers
from semidirect.specification.checks import Checks
from semidirect.specification.chunked import Chunked
from semidirect.specification.conditions.condition import Condition
from semidirect.specification.conditions.crossing import Crossing
from semidirect.specification.conditions.several import described
from semidirect.specification.formulation import Formulation
from semidirect.specification.reduce import Reduce
from semidirect.specification.save import Save
from semidirect.specification.schedule.labels import label, labels
from semidirect.state import EquationIdentity, InitialState
from semidirect.statistics import Statistic, replicated

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE

LANES = 64
LARGEST_CHUNK = 8192
CHUNKS_WANTED = 16
FEWEST_OF_LATTICE = 8
"""Paths in a chunk of a lattice of many sites: a vector of the widest processors holds so many numbers."""
CALL = ("keep", "form", "variables")
"""Arguments that a store records beside the configuration."""
LARGEST_OF_ONE, FEWER_OF_ONE = 4096, 4
"""Paths in a chunk for a single worker, and the number of usual chunks in it: few enough that a run can be interrupted soon."""


@dataclass(frozen=True, eq=False)
class RunSpec(Chunked):
    """Determines a run: the arrays of every path follow from it, to the last bit, independently of workers and chunks.

    It can be pickled. Paths are divided into chunks of consecutive ones, numbered from 0; the last one may be shorter.

    Attributes
    ----------
    system, method, start, driver
        The system, its method, the initial state, and the process of increments (``None`` without noise).
    first, last, dt
        Steps are numbered from t = 0, where the noise begins: the run covers those from ``first`` to ``last``, of length dt [s].
    paths, seed
        Number of paths, seed of the noise.
    save, reduce, checks, formulation
        As they were given, but with all names of statistics and all bounds of observables written out.
    noise : dict
        The entry of the driver in the record of the run.
    saved_steps, reduced : int arrays
        Steps at which quantities are saved, and at which statistics are taken, ascending; the last step is saved.
    engine : str
        The name of the engine: "numpy", "compiled", or that of another package. Only ``dop853`` may choose during the run,
        ``"auto"``.
    chunk_paths : int
        Number of paths of a chunk.
    stops : tuple of Condition
        The conditions that stop a path.
    end_only : bool
        Whether chunks return only the final states, from which quantities are evaluated at first use.
    origin : float
        The time [s] of step 0, which differs from 0 only in an interval of a :class:`~semidirect.stepper.Stepper` whose steps are
        no multiples of its step: the time of step n is ``origin + n·dt``.
    """

    BYTES_OF_A_CHUNK: ClassVar[float] = 64e6

    system: SystemDefinition
    method: Integrator
    start: InitialState
    driver: DrivingProcess | None
    first: int
    last: int
    dt: float
    paths: int
    seed: int
    save: Save
    reduce: Reduce
    checks: Checks
    formulation: Formulation
    noise: Mapping[str, Any]
    saved_steps: np.ndarray
    reduced: np.ndarray
    engine: str
    chunk_paths: int
    stops: tuple[Condition, ...] = ()
    end_only: bool = False
    origin: float = 0.0

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k in self.__dataclass_fields__}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        for steps in (self.saved_steps, self.reduced):
            steps.setflags(write=False)  # which pickle would make writable

    @cached_property
    def model(self) -> NumericalSDE:
        """The equations with their numbers, for all paths."""
        return self.formulation.model(self.system)

    @property
    def reductions(self) -> tuple[Statistic, ...]:
        """The statistics, of all paths and of the replications if there are any."""
        statistics: tuple[Statistic, ...] = self.known(
            "reductions", lambda: replicated(self.reduce.chosen, drivers.replications_of(self.noise))
        )
        return statistics

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """The conditions that are recorded while paths continue."""
        return self.save.crossings  # type: ignore[return-value]

    @property
    def bounds(self) -> Mapping[str, float]:
        """The largest size of quantities, beyond which a path has failed."""
        return self.checks.bounds  # type: ignore[return-value]

    @property
    def begin(self) -> tuple[np.ndarray, np.ndarray]:
        """State vector ``(d, paths or 1)`` and reconstructed coordinates of s ``(r, paths or 1)`` at the start."""
        start: tuple[np.ndarray, np.ndarray] = self.known("begin", self._begin)
        return start

    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        return self.start.vector(self.model, self.t_start), self.start.stored[: len(self.model.coordinates)]

    @cached_property
    def contents(self) -> Quantities:
        """The quantities that are read of a state."""
        contents = Quantities.of(self.system, self.model, self.save.names)
        reduced = (name for r in self.reductions for name in r.names())
        at_events = (
            name for c in self.conditions for name in (c.name, *(c.keep or () if isinstance(c, Crossing) else ()))
        )
        for name in (*reduced, *self.bounds, *at_events):
            _ = contents.everything[name]  # sizes include those of expressions
        return contents

    @cached_property
    def _known(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def _known_of_steps(self) -> dict[Any, Any]:
        return {}

    def known(self, key: Any, make: Callable[[], Any]) -> Any:
        """Data that follow from the specification and depend neither on the seed nor on the chunks, computed once."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def known_of_steps(self, key: Any, make: Callable[[], Any]) -> Any:
        """Data that depend on the equations, the method and the number of paths alone: not on how far the run goes."""
        if key not in self._known_of_steps:
            self._known_of_steps[key] = make()
        return self._known_of_steps[key]

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.last - self.first

    def time(self, step: int) -> float:
        """The time [s] of a step, as it stands in the equations."""
        return self.origin + step * self.dt

    def label(self, step: int) -> float:
        """The time [s] of a step, as a person writes it."""
        return self.time(step) if self.origin else label(step, self.dt)

    def labels_of(self, steps: np.ndarray) -> np.ndarray:
        """The times [s] of steps, as a person writes them."""
        return np.asarray(self.origin + steps * self.dt) if self.origin else labels(steps, self.dt)

    @property
    def t_start(self) -> float:
        """The start of the run [s]."""
        return label(self.first, self.dt)

    @property
    def t_end(self) -> float:
        """The end of the run [s]."""
        entry = self._known.get("end")
        if entry is None or entry[0] != self.last:  # a reader of the present time shares what is cached
            entry = self._known["end"] = self.last, label(self.last, self.dt)
        end: float = entry[1]
        return end

    @property
    def resolution(self) -> float | None:
        """h₀ of the noise [s], if there is one."""
        return None if self.driver is None else self.driver.random_resolution

    @property
    def times(self) -> np.ndarray:
        """The saved times [s]."""
        entry = self._known.get("times")
        if entry is None or entry[0] is not self.saved_steps:
            entry = self._known["times"] = self.saved_steps, self.labels_of(self.saved_steps)
            entry[1].setflags(write=False)
        times: np.ndarray = entry[1]
        return times

    def _labels_of(self, steps: np.ndarray) -> np.ndarray:
        return np.asarray(self.origin + steps * self.dt) if self.origin else labels(steps, self.dt)

    @property
    def components(self) -> tuple[str, ...]:
        """The names of possible ends of a path: the components of the state, the quantities with bounds, and the conditions
        that stop a path, if there are several.
        """
        several = [stop.label for stop in self.stops] if len(self.stops) > 1 else []
        return (*self.contents.state, *self.bounds, *several)

    @property
    def places(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """The index of a step among the saved steps, and among those of the statistics."""
        places: tuple[Mapping[int, int], Mapping[int, int]] = self.known("places", self._places)
        return places

    def _places(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        saved, reduced = (
            {step: i for i, step in enumerate(steps.tolist())} for steps in (self.saved_steps, self.reduced)
        )
        return saved, reduced

    @property
    def numbers_saved(self) -> int:
        """The number of saved values per path."""
        count: int = self.known("numbers saved", self._numbers_saved)
        return count

    def _numbers_saved(self) -> int:
        sizes = self.contents.everything
        times = 1 if self.model.tangents is None else 1 + len(self.model.tangents.directions)
        recorded = sum(c.most * (times + sum(len(sizes[k]) for k in self.recorded(c))) for c in self.crossings)
        return recorded + self.contents.numbers_saved(len(self.saved_steps))

    def recorded(self, crossing: Crossing) -> tuple[str, ...]:
        """The quantities that are recorded at a crossing."""
        if crossing.keep is None:
            return self.contents.saved_names
        names: tuple[str, ...] = self.known(
            ("recorded", crossing), lambda: self.contents.everything.with_derivatives(crossing.keep or ())
        )
        return names

    @property
    def units(self) -> Mapping[str, str]:
        """The units of quantities, and of what is saved, reduced and recorded at crossings."""
        units: Mapping[str, str] = self.known("units", self._units)
        return units

    def _units(self) -> Mapping[str, str]:
        units = self.contents.units
        names = {name for reduction in self.reductions for name in reduction.names()}
        names |= {name for crossing in self.crossings for name in self.recorded(crossing)}
        return self.contents.units_with(names - units.keys())

    @property
    def recorded_steps(self) -> np.ndarray:
        """Steps at which the states are recorded or checked, ascending, including the last one."""
        steps: np.ndarray = self.known("recorded_steps", self._recorded_steps)
        return steps

    def _recorded_steps(self) -> np.ndarray:
        if not self.conditions and not len(self.reduced):
            return self.saved_steps  # ascending already, the last step among them
        looks = [range(self.first, self.last + 1, every) for every in {c.every for c in self.conditions}]
        return np.unique(np.concatenate([self.saved_steps, self.reduced, *looks, [self.last]])).astype(np.int64)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that stop paths, then the recorded crossings."""
        return (*self.stops, *self.crossings)

    @property
    def located(self) -> bool:
        """Whether some conditions are located within the steps."""
        return bool(self.stops or self.save.crossings) and any(condition.locate for condition in self.conditions)

    def looks(self, step: int) -> tuple[int, ...]:
        """The numbers of the conditions, stops first, that are checked after a step."""
        if not self.stops and not self.save.crossings:
            return ()
        return tuple(i for i, c in enumerate(self.conditions) if (step - self.first) % c.every == 0)

    def names_read(self, saved: bool, reduced: bool, conditions: tuple[int, ...]) -> tuple[str, ...]:
        """Quantities needed at a step with a save, statistics or a check."""
        names = dict.fromkeys(self.contents.saved_names) if saved else {}
        for reduction in self.reductions if reduced else ():
            names |= dict.fromkeys(reduction.names())
        names |= dict.fromkeys(self.conditions[i].name for i in conditions)
        return tuple(names | dict.fromkeys(self.bounds))

    def configuration(self) -> dict[str, Any]:
        """The resolved configuration, in JSON's types."""
        from semidirect.core import __version__

        return {
            "semidirect": __version__,
            "numpy": np.__version__,
            **EquationIdentity.of(self.system, self.model),
            "observables": list(self.system.observables()),
            "method": self.method.label,
            "state": deepcopy(dict(self.start.named)),
            "t_end": self.t_end,
            "dt": float(self.dt),
            "paths": self.paths,
            "seed": self.seed,
            **self._labels(),
            **self._more(),
        }

    def _labels(self) -> dict[str, Any]:
        """Labels of the configuration and of parameters per path for a data set."""
        varied = [k for k, v in self.system.values.items() if isinstance(v, PerPath)]
        units = {k: p.unit for k, p in type(self.system).workings.parameters().items() if k in varied} if varied else {}
        out: dict[str, Any] = {"parameter_units": units} if units else {}
        matrices = self.model.structure.shape.matrices
        if matrices:
            out["matrices"] = {name: space.flat.described() for name, space in matrices.items()}
        if not self.model.reconstructs:
            return out
        layout: ElementLayout = self.model.known("element layout", lambda: ElementLayout.of(self.system.group))
        return {**out, "element": layout.described()}

    def by_path(self) -> dict[str, np.ndarray]:
        """Given values that differ from path to path, paths first: parameters, and initial values as ``initial.name``."""
        return {**self.parameters_by_path(), **{f"initial.{k}": v for k, v in self.start.by_path.items()}}

    def parameters_by_path(self) -> dict[str, np.ndarray]:
        """The parameters that differ from path to path, paths first."""
        return {k: v.values for k, v in self.system.values.items() if isinstance(v, PerPath)}

    def _more(self) -> dict[str, Any]:
        """The arguments in the record, much of it only where it is not the default."""
        out: dict[str, Any] = {"noise": deepcopy(dict(self.noise))}
        if self.first:
            out |= {"t_start": self.t_start}
        if self.stops:
            out |= {"stop": described(self.stops)}
        return out | {k: v for k, v in self._arguments().items() if k not in CALL}

    def call(self) -> dict[str, Any]:
        """The arguments that are recorded beside the configuration."""
        return {k: v for k, v in self._arguments().items() if k in CALL}

    def _arguments(self) -> dict[str, Any]:
        return {
            k: v for part in (self.checks, self.save, self.reduce, self.formulation) for k, v in part.as_json().items()
        }

    def chunk_of_one_worker(self) -> int:
        """The paths in a chunk of the same run in fewer chunks, which is faster for one worker; results are identical."""
        length, numbers = self.chunk_paths, 8.0 * self.numbers_saved
        most = min(LARGEST_OF_ONE, FEWER_OF_ONE * length)
        while length < min(most, self.paths) and 2 * length * numbers <= self.BYTES_OF_A_CHUNK:
            length *= 2
        return length

    def replaced(self, **changes: Any) -> RunSpec:
        """The specification with another seed or other chunks; it shares the cached data of this one."""
        other = object.__new__(RunSpec)
        _ = self._known, self._known_of_steps  # made now, so that the two share them
        vars(other).update(vars(self), **changes)
        return other

    def between(self, first: int, last: int, *, end_only: bool) -> RunSpec:
        """The same run from a step to another, of which the end alone is saved."""
        return self.replaced(first=first, last=last, saved_steps=np.array([last]), end_only=end_only, _known={})

    def of_seed(self, seed: int) -> RunSpec:
        """The same run with another seed."""
        driver = self.driver
        return self.replaced(seed=seed, driver=None if driver is None else driver.with_seed(seed))

    def of_increments(self, path: DrivingProcess) -> RunSpec:
        """The same run with increments that are given, for which a kernel may have to be another, the same for all of them."""
        steps = self.known_of_steps("steps by increments", dict)
        return self.replaced(driver=path, _known={}, _known_of_steps=steps)

    @staticmethod
    def usual_chunk(paths: int, bytes_a_path: float, fewest: int = LANES, sites: int = 1) -> int:
        """The length of chunks: a power of two of lane blocks, some chunks for every core, small enough for memory.

        Each site of a lattice counts as a path.
        """
        least = LANES
        while least > FEWEST_OF_LATTICE and least * sites > LANES:
            least //= 2
        size = least
        while size < LARGEST_CHUNK and (size * sites < fewest or size * CHUNKS_WANTED < paths):
            size *= 2
        while size > least and size * bytes_a_path > RunSpec.BYTES_OF_A_CHUNK:
            size //= 2
        return size

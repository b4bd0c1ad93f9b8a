"""Assembles a run in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from semidirect.engines import ChunkResult, events, stepping
from semidirect.expressions import component_names
from semidirect.random import drivers
from semidirect.results.crossings import RecordedCrossings
from semidirect.results.lazy_mapping import LazyMapping
from semidirect.results.run import RunData
from semidirect.results.values_at_end import ValuesAtEnd
from semidirect.specification import RunSpec, schedule
from semidirect.state import EquationIdentity, Final
from semidirect.statistics import PartialStatistic, StatisticResult

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE

AS_THEY_ARE = ("advected", "internal")
"""Kinds of state variables that are the same for users and for methods; velocities are not among them."""


def _parts(model: NumericalSDE, end: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The final values that are also parts of the state of the method: views of the same arrays, so that they are stored once."""
    kinds = [(v.name, v.kind) for v in model.structure.shape.variables for _ in v.components]
    places = {name: [i for i, (n, _) in enumerate(kinds) if n == name] for name, kind in kinds if kind in AS_THEY_ARE}
    rows = [("stored", name, where) for name, where in component_names.grouped(model.coordinates).items()]
    rows += [("y", name, where) for name, where in places.items()]
    return {
        name: end[of][:, where[0] : where[-1] + 1] for of, name, where in rows if where[-1] - where[0] + 1 == len(where)
    }


class Assembly:
    """The :class:`~semidirect.engines.sink.Sink` that makes a :class:`~semidirect.results.run.RunData`.

    Raises
    ------
    InputError
        If the run would not fit into memory.
    """

    deliver = None

    def __init__(self, spec: RunSpec):
        stepping.refuse_what_does_not_fit(spec, spec.paths)
        self.spec = spec
        self.end: dict[str, np.ndarray] = {}
        self.at_end = ValuesAtEnd(spec, self.end, spec.time(spec.last)) if spec.end_only else None
        self.data: dict[str, np.ndarray] = {}
        self.final: dict[str, np.ndarray] = {}
        self.partials: dict[str, PartialStatistic] = {}
        self.crossings: dict[str, np.ndarray] = {}
        if spec.chunks > 1:  # otherwise the arrays of the chunk are used
            self._make_room()

    def _make_room(self) -> None:
        spec, contents, n = self.spec, self.spec.contents, self.spec.paths
        self.end |= {"y": np.empty((n, len(contents.state))), "stored": np.empty((n, len(spec.model.coordinates)))}
        if self.at_end is None:
            parts = _parts(spec.model, self.end)
            self.data = {
                k: np.empty((n, len(spec.saved_steps), len(contents.everything[k]))) for k in contents.saved_names
            }
            self.final = {k: parts.get(k, np.empty((n, len(rows)))) for k, rows in contents.final.items()}
        self.crossings = events.empty_crossings(spec, n)
        self.status = np.zeros(n, dtype=np.int8)
        self.failed_at = np.full(n, np.nan)
        self.failed_component = np.full(n, -1, dtype=np.int16)

    def accept(self, number: int, result: ChunkResult | None) -> None:
        """Copy the result of a chunk to its place."""
        if result is None:
            return
        if self.spec.chunks == 1:
            self.end |= {"y": result.y, "stored": result.stored}
            self.data, self.final, self.partials = dict(result.data), dict(result.final), dict(result.partials)
            self.status, self.failed_at = result.status, result.failed_at
            self.failed_component, self.crossings = result.failed_component, dict(result.crossings)
            return
        part = slice(result.paths.start, result.paths.stop)
        self.end["y"][part], self.end["stored"][part] = result.y, result.stored
        for ours, theirs in (
            (self.data, result.data),
            (self.final, result.final),
            (self.crossings, result.crossings),
        ):  # masked paths are masked at the end too
            for name, values in theirs.items():
                ours[name][part] = values
        self.status[part], self.failed_at[part] = result.status, result.failed_at
        self.failed_component[part] = result.failed_component
        for reduction in self.spec.reductions:
            key, partial = reduction.key, result.partials[reduction.key]
            self.partials[key] = reduction.merged(self.partials[key], partial) if key in self.partials else partial

    def reductions(self) -> dict[str, StatisticResult]:
        """The statistics of the paths accepted so far."""
        spec, contents = self.spec, self.spec.contents
        return {
            r.key: r.result_of(
                [self.partials[r.key]],
                schedule.labels(spec.reduced, spec.dt),
                spec.paths,
                contents.sizes,
                spec.units,
                one_noise=drivers.has_one_noise(spec.noise),
            )
            for r in spec.reductions
        }

    def run(self, work: stepping.Work | None = None, specification: RunSpec | None = None) -> RunData:
        """The run as a frozen object, once all chunks are accepted, with the workers that computed it, and what was asked for."""

        def scalars(array: np.ndarray) -> np.ndarray:
            return array[..., 0] if array.shape[-1] == 1 else array

        spec = self.spec
        data: Mapping[str, np.ndarray] = {k: scalars(v) for k, v in self.data.items()}
        named: Mapping[str, np.ndarray] = {k: scalars(v) for k, v in self.final.items()}
        # a run of which only the end is saved evaluates quantities when they are read
        if self.at_end is not None:
            data, named = self.at_end.data(), self.at_end.final()
        final = Final(
            spec.t_end,
            spec.seed,
            spec.resolution,
            named,
            self.end,
            self.status,
            self.failed_at,
            LazyMapping(lambda: EquationIdentity.of(spec.system, spec.model)),
            spec.parameters_by_path,
        )
        # configuration and identity are made when they are first asked for: most runs are not stored
        return RunData(
            times=self.spec.times,
            data=data,
            final=final,
            status=self.status,
            failed_at=self.failed_at,
            failed_component=self.failed_component,
            units=self.spec.units,
            long_names=self.spec.contents.long_names,
            components=self.spec.components,
            config=LazyMapping(spec.configuration),
            work=work or stepping.Work(),
            reductions=self.reductions(),
            system=self.spec.system,
            by_path=self.spec.by_path,
            crossings=RecordedCrossings.of([c.described() for c in spec.crossings], self.crossings)
            if spec.crossings
            else (),
            specification=specification,
        )

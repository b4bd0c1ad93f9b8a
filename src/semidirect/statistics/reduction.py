"""The abstract statistic: how values of a chunk are accumulated, how two partial results are merged, and the result."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Self, final

import numpy as np

from semidirect.core import display, errors, explains_calls, frozen, user_code
from semidirect.statistics.dependence import Dependence
from semidirect.text import printing, text_layout

if TYPE_CHECKING:
    import xarray

    from semidirect.quantities import Quantities

PartialStatistic = Mapping[str, np.ndarray]
"""Arrays by name: the partial result for some paths."""


class Accumulator(user_code.Hooked, ABC):
    """Accumulates the values of the paths of one chunk, in the order of the times."""

    @abstractmethod
    def add(self, time: int, values: Mapping[str, np.ndarray], counted: np.ndarray, since_stop: np.ndarray) -> None:
        """Add the values ``(d, n)`` of each quantity at a time.

        ``counted (n,)``: the paths that have not failed; ``since_stop (n,)``: time [s] since a stop ended them, nan if none
        has, 0 at the step of the stop.
        """

    @abstractmethod
    def partial(self) -> PartialStatistic:
        """The partial result for these paths."""


@dataclass(frozen=True, eq=False)
class Statistic(user_code.Hooked, ABC):
    """A statistic of quantities over the paths, at each of the times of :class:`~semidirect.Reduce`.

    Partial results for disjoint sets of paths are merged to that of their union. The result depends, to the last bit, on the
    paths only, not on their grouping. Paths are left out after their failure, and so are non-finite values;
    the number of counted paths is part of the result.

    The fields of the class are its options, on the command line and in a store: numbers, texts, and tuples of them.

    Attributes
    ----------
    kind : str
        Its name on the command line and in a store, by which the class is found in this and in other packages, see
        :mod:`semidirect.core.registry`.
    aliases : tuple of str
        Other names of it.
    example : str
        An example for the command line, if its name alone is not enough.
    later_arrays : tuple of str
        Arrays of a partial result that stores by earlier versions lack, without which it can be read.
    by_replication : bool
        Whether its result takes errors from ``taken.replicates`` where there are any, or states no errors. Otherwise a run whose
        driver has replications refuses it.
    """

    kind: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str] = ""
    later_arrays: ClassVar[tuple[str, ...]] = ()
    by_replication: ClassVar[bool] = False

    @property
    @abstractmethod
    def key(self) -> str:
        """Its name in ``run.reductions``."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The quantities it reads."""

    @abstractmethod
    def resolved(self, contents: Quantities) -> Statistic:
        """The same statistic with all names filled in and checked against the quantities of a system."""

    @abstractmethod
    def accumulator(self, paths: range, times: int, sizes: Mapping[str, int]) -> Accumulator:
        """The accumulator for some paths; ``sizes``: numbers of components."""

    @abstractmethod
    def merged(self, a: PartialStatistic, b: PartialStatistic) -> PartialStatistic:
        """The partial result for both sets of paths."""

    @abstractmethod
    def reduced(self, request: StatisticRequest) -> StatisticResult:
        """The result for the user."""

    @final
    def result_of(
        self, partials: Sequence[PartialStatistic], times: np.ndarray, paths: int, sizes: Mapping[str, int],
        units: Mapping[str, str], *, one_noise: bool = False,
    ) -> StatisticResult:  # fmt: skip
        """The result of the partial results of all chunks of a run, in their order; the rest is as in a request."""
        whole = reduce(self.merged, partials)
        return self.reduced(StatisticRequest(whole, times, paths, sizes, units, one_noise))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.described() == self.described()

    def __hash__(self) -> int:
        return hash((type(self), self.key))

    @final
    def described(self) -> dict[str, Any]:
        """In JSON's types."""
        return {"kind": self.kind, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, eq=False, repr=False)
class StatisticRequest(display.Brief):
    """A partial result with the data that it refers to.

    Attributes
    ----------
    partial : dict name → array
        The partial result.
    times : array (T,)
        Times [s].
    paths : int
        Number of paths of the run, failed ones included.
    sizes, units : dict name → int, str
        Number of components and unit of each quantity.
    one_noise : bool
        Whether all paths got one realisation of the noise.
    replicates : tuple of dict name → array
        The partial result of each of the independent replications, if the driver has them: paths of one depend on each other.
    """

    partial: PartialStatistic
    times: np.ndarray
    paths: int
    sizes: Mapping[str, int]
    units: Mapping[str, str]
    one_noise: bool = False
    replicates: tuple[PartialStatistic, ...] = ()

    @property
    def dependence(self) -> Dependence:
        """How the paths depend on each other."""
        return Dependence(self.one_noise, len(self.replicates))


@explains_calls
@dataclass(frozen=True, eq=False)
class StatisticResult(frozen.Rebuilt, user_code.Hooked, ABC):
    """The result of a reduction; read-only arrays, first axis time.

    A statistic of a scalar quantity has shape ``(T,)``, of a vector ``(T, d)``.
    """

    reduction: Statistic
    taken: StatisticRequest

    def __post_init__(self) -> None:
        for array in self.taken.partial.values():
            array.setflags(write=False)

    @property
    def times(self) -> np.ndarray:
        """Times [s]."""
        return self.taken.times

    @property
    def freedom(self) -> int | None:
        """Degrees of freedom of its errors if they come from R replications, R − 1, so that intervals are those of Student's law;
        ``None`` if they come from independent paths.
        """
        return len(self.taken.replicates) - 1 if self.taken.replicates else None

    @property
    def replications(self) -> tuple[Self, ...]:
        """The same statistic of each replication, of which errors are the spread; none if paths are independent."""
        each, request = self.taken.replicates, replace(self.taken, replicates=())
        paths = request.paths // max(len(each), 1)
        results: tuple[Any, ...] = tuple(self.reduction.reduced(replace(request, partial=p, paths=paths)) for p in each)
        return results

    @abstractmethod
    def tables(self) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
        """All arrays, name → (dims, values), for :meth:`to_xarray`."""

    def units(self) -> Mapping[str, str]:
        """The units of these arrays, where they are known; a list where components differ."""
        return {}

    def text(self) -> str:
        """The values at the last time, as text."""
        rows = []
        for name, (of, values) in self.tables().items():
            last = values[-1] if of[0] == "time" else values
            rows += [
                [label, printing.figures(value)]
                for label, value in printing.components(name, printing.plain(last.tolist()))
            ]
        return text_layout.table(["statistic", "value"], rows, right=[1])

    @final
    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with the dimension ``time``, further dimensions by quantity."""
        import xarray

        units = self.units()
        attributes = {k: {"component_units" if "," in unit else "units": unit} for k, unit in units.items() if unit}
        arrays = {k: (of, values, attributes.get(k, {})) for k, (of, values) in self.tables().items()}
        return xarray.Dataset(arrays, coords={"time": ("time", self.times, {"units": "s"})})

    @final
    def with_paths(self, other: StatisticResult) -> StatisticResult:
        """The combined result with another run whose range of paths is disjoint.

        Raises
        ------
        InputError
            If they are not the same statistic at the same times.
        """
        if self.reduction.described() != other.reduction.described() or not _same_times(self.times, other.times):
            raise errors.InputError("two statistics cannot be merged", expected="the same one at the same times")
        ours, theirs = self.taken, other.taken
        if len(ours.replicates) != len(theirs.replicates):
            raise errors.InputError("two statistics cannot be merged", expected="as many replications in both",
                                    got=f"{len(ours.replicates)} and {len(theirs.replicates)}")  # fmt: skip
        each = tuple(self.reduction.merged(*both) for both in zip(ours.replicates, theirs.replicates, strict=True))
        partial = self.reduction.merged(ours.partial, theirs.partial)
        return self.reduction.reduced(replace(ours, partial=partial, paths=ours.paths + theirs.paths, replicates=each))

    @final
    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.reduction.names())}; {len(self.times)} times)"


def _same_times(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether the times are those of the same steps; earlier versions wrote n·dt."""
    return ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=1e-12, atol=0)


def refuse_what_is_no_text(what: str, value: Any) -> None:
    """An :class:`InputError` for a label that cannot be a key."""
    if not isinstance(value, str):
        raise errors.InputError(what, expected="text", got=reprlib.repr(value))


def listed(names: Sequence[str] | str | None, contents: Quantities) -> tuple[str, ...]:
    """Names of quantities; ``None`` stands for the saved ones, or for all if none is saved."""
    if names is None:
        return contents.saved_names or tuple(contents.everything)
    if isinstance(names, str):
        names = (names,)
    for name in names:
        if not (isinstance(name, str) and name in contents.everything):
            raise contents.unknown("quantity to reduce", name)
    if len(set(names)) != len(names):
        raise errors.InputError("quantities to reduce", expected="each once", got=", ".join(names))
    return tuple(names)


def by_quantity(rows: np.ndarray, sizes: Mapping[str, int], names: Sequence[str]) -> Mapping[str, np.ndarray]:
    """Cut ``(T, rows)`` into quantities, ``(T,)`` or ``(T, d)``, read-only."""
    out, start = {}, 0
    for name in names:
        part = rows[:, start] if sizes[name] == 1 else rows[:, start : start + sizes[name]]
        out[name] = np.ascontiguousarray(part)
        out[name].setflags(write=False)
        start += sizes[name]
    return frozen.FrozenMapping(out)


def dims(name: str, values: np.ndarray) -> tuple[str, ...]:
    """Dims of a statistic of a quantity."""
    return ("time", *(f"{name}_component" for _ in values.shape[1:]))

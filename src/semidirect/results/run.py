"""The result of a simulation: frozen, labelled, saved and loaded without pickle."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from semidirect.core import FlatMatrix, FlatSites, arguments, errors, explains_calls, failure, flat_array, frozen
from semidirect.engines import stepping
from semidirect.expressions import ReadByName, component_names, expression_text
from semidirect.groups import ElementLayout
from semidirect.quantities import unit_of_quantity
from semidirect.random import drivers
from semidirect.results.crossings import RecordedCrossings
from semidirect.results.derivatives import Sensitivity, sensitivity
from semidirect.results.lazy_mapping import LazyMapping
from semidirect.results.mode_history import ModeHistory
from semidirect.results.not_saved import unknown_in_run
from semidirect.results.run_expression import PathValues, run_expression
from semidirect.results.stopped_paths import StoppedPaths
from semidirect.specification import conditions, schedule
from semidirect.state import Final
from semidirect.statistics import Dependence

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

    from semidirect.definition import SystemDefinition
    from semidirect.results.step_error import ErrorCheck
    from semidirect.specification import RunSpec


NOT_A_ROTATION = 1e-6
"""Above this value of max |gᵀg − 1| a matrix is not accepted as a rotation; methods preserve it to rounding or to their error."""


OF_PARTS = ("-reaction", "-multiplier", "-force")
"""How names end that belong to one of several constraints, and that may be absent."""


class HasRunData(Protocol):
    """A run as its user holds it, :class:`~semidirect.run.Run`."""

    @property
    def data(self) -> RunData:
        """All that is stored of it."""


def a_run(value: Any) -> RunData:
    """The data of a run; raises :class:`InputError` for anything else."""
    for data in (value, getattr(value, "data", None)):
        if isinstance(data, RunData):
            return data
    raise errors.InputError("a run", expected="the result of simulate, or sd.Run.load(path)", got=reprlib.repr(value),
                            hint=getattr(type(value), "_no_run", ""))  # fmt: skip


@explains_calls
@dataclass(frozen=True, eq=False, repr=False)
class RunData(ReadByName, frozen.Rebuilt, Mapping[str, np.ndarray]):
    """Paths of a system at the times that were saved, in memory or in a store; ``run["energy"]`` is an array ``(paths, time)``.

    Attributes
    ----------
    times : array (T,)
        Times [s] as a person writes them: 0.3 for the third step of dt = 0.1, while ``t`` in the equations is 3 · 0.1 in floating
        point, 0.30000000000000004.
    data : dict name → array (paths, T) or (paths, T, d)
        State variables, momenta, blocks of ξ, coordinates of s (angles unwrapped), auxiliary quantities and observables. Some
        mappings evaluate or read an array at its first use.
    final : Final, name → array (paths, …)
        The final state, which can be passed as ``state=`` to continue the run; it contains its time and seed.
    status : int8 array (paths,)
        0 good, 1 a value is not finite, 2 an implicit step did not converge, 3 stopped by an event (no failure), 4 a step of a
        geometric method rotated by more than π/2, 5 a value is beyond its bound, 6 the fixed-point iteration of an implicit
        step does not contract.
    failed_at, failed_component : arrays (paths,)
        Time of the first failure or of the stop, and the component that caused it (nan and −1 if there is none).
    units : dict name → str
        Units, where known: ``1`` of a number without dimension; of parameters as ``parameter.mass``.
    long_names : dict name → str
        The meaning of names, in words, where known; parameters as ``parameter.mass``.
    components : tuple of str
        Names to which ``failed_component`` refers: components of the state, quantities with bounds.
    config : dict
        The resolved configuration, in JSON's types.
    numbers : int array (paths,), or None
        The numbers of these paths, if they are not all paths of the run.
    work : Work
        The workers that computed it; not part of the results, empty for a run that was loaded.
    reductions : dict key → StatisticResult
        Statistics computed during the run.
    error_check : ErrorCheck or None
        The difference from the same run at half the step, if it was computed; not written to disk.
    system : System or None
        The system of the run; ``None`` for a run that was loaded.
    by_path : callable() → dict name → array (paths, …)
        Parameters that differ from path to path, by name, and such initial values as ``initial.Omega``.
    crossings : tuple of RecordedCrossings
        The recorded crossings, in the order of ``Save(crossings=…)``.
    specification : RunSpec or None
        The specification of a run in memory, from which it can be extended.
    history : ModeHistory or None
        The modes of the paths of a hybrid system, and their transitions; quantities that the mode of a path lacks are nan.
    source : callable() → RunData, or None
        Reads the run from its store. A run with a store is pickled by its path, without its arrays.
    """

    times: np.ndarray
    data: Mapping[str, np.ndarray]
    final: Final
    status: np.ndarray
    failed_at: np.ndarray
    failed_component: np.ndarray
    units: Mapping[str, str]
    components: tuple[str, ...]
    config: Mapping[str, Any]
    numbers: np.ndarray | None = None
    work: stepping.Work = field(default_factory=stepping.Work)
    reductions: Mapping[str, Any] = field(default_factory=dict)  # each kind has attributes of its own
    error_check: ErrorCheck | None = None
    system: SystemDefinition | None = None
    by_path: Callable[[], Mapping[str, np.ndarray]] = field(default=dict)
    crossings: tuple[RecordedCrossings, ...] = ()
    source: Callable[[], RunData] | None = None
    long_names: Mapping[str, str] = field(default_factory=dict)
    specification: RunSpec | None = None
    history: ModeHistory | None = None

    def __post_init__(self) -> None:
        for name in ("units", "long_names", "config", "reductions"):
            value = getattr(self, name)
            object.__setattr__(self, name, value if isinstance(value, LazyMapping) else frozen.FrozenMapping(value))
        if isinstance(self.data, dict):
            for array in self.data.values():
                array.setflags(write=False)
            object.__setattr__(self, "data", frozen.FrozenMapping(self.data))
        for array in (self.times, self.status, self.failed_at, self.failed_component):
            array.setflags(write=False)

    def carried(self) -> dict[str, Any]:
        """The fields, with all arrays evaluated."""
        return {
            **super().carried(),
            "data": dict(self.data),
            "by_path": frozen.Always(frozen.FrozenMapping(self.by_path())),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        if self.source is None:
            return super().__reduce__()
        not_stored = {"system": self.system, "work": self.work, "error_check": self.error_check}
        return read_again, (type(self), self.source, not_stored)

    def __copy__(self) -> Self:
        return self  # it is read-only, so its store is not opened again

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A quantity, a component such as ``run["Omega1"]`` or ``run["g12"]``, or an expression of quantities such as
        ``run["dot(M, M)"]``: (paths, T) or (paths, T, d).
        """
        if name in self:
            return self.data[name]
        component = self.component_of(name) if isinstance(name, str) else None
        if component is not None:
            return self.data[component[0]][..., component[1]]
        if isinstance(name, str) and name.endswith(OF_PARTS):
            why = self._unknown(name, errors.UnknownNameError("quantity of the run", name, self.data))
            if why.absent:  # the name of a constraint may be one of the run, too
                raise why
        name = expression_text.spaced_difference(name, lambda part: part in self or self.component_of(part)) or name
        if expression_text.is_expression(name):
            varied = {k: PathValues(v) for k, v in self.by_path().items()}
            parameters = {**self.config.get("parameters", {}), **varied}
            try:
                return run_expression(
                    name, self.data, self.step_times, self.paths, parameters, self.stored_names,
                    [part for part, flat in self.matrices.items() if isinstance(flat, FlatSites)],
                )  # fmt: skip
            except errors.UnknownNameError as error:
                raise self._unknown(error.name, error) from None
        raise self._unknown(name, errors.UnknownNameError("quantity of the run", name, self.data))

    def _unknown(self, name: object, error: errors.UnknownNameError) -> errors.UnknownNameError:
        return unknown_in_run(name, error, self.known_system, self.data, reconstructed="element" in self.config)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.data

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        system = str(self.config["system"]).rpartition(":")[2]
        bad = np.count_nonzero(~self.good)
        counts = ", ".join(
            f"{n} {word}{'s' * (n != 1)}" for n, word in ((self.paths, "path"), (len(self.times), "time"))
        )
        return f"Run({system}, {counts}, {bad} failed)"

    def component_of(self, text: str) -> tuple[str, int] | None:
        """The quantity, and the number from 0 of the component, that a name such as ``Omega1`` or ``g12`` stands for."""
        name = arguments.validated_instance("component", text, str, expected="a name")
        return component_names.component_of(name, self.data, self._size, self.stored_names)

    def _size(self, name: str) -> int:
        return self.data[name].shape[2] if self.data[name].ndim > 2 else 0

    @cached_property
    def stored_names(self) -> tuple[str, ...]:
        """Names of the coordinates of the configuration, such as ``g11``, ``x1``, if the run carried them."""
        layout = self.layout()
        own = () if layout is None else layout.names
        return (*own, *(x for name, flat in self.matrices.items() for x in flat.component_names(name)))

    @cached_property
    def matrices(self) -> Mapping[str, FlatMatrix | FlatSites]:
        """The quantities that are matrices, or values at sites, in rows of numbers here."""
        return {name: flat_array(sizes) for name, sizes in self.config.get("matrices", {}).items()}

    def observables_first(self, names: Collection[str]) -> list[str]:
        """Names in the order in which they are read: observables and expressions before the state and what it consists of."""
        observed = set(self.config.get("observables", ()))
        return sorted(
            arguments.validated_names("names", names),
            key=lambda name: not (name in observed or expression_text.is_expression(name)),
        )

    @property
    def paths(self) -> int:
        """Number of paths."""
        return len(self.status)

    def unit(self, quantity: str) -> str:
        """The unit of a quantity, a component, or an expression such as ``dot(M, M)``, a list of them where components differ.

        Empty where it is not known, or the expression is not homogeneous.
        """
        name = arguments.validated_instance("quantity", quantity, str, expected="a name or an expression")
        return unit_of_quantity(name, self.units, self.component_of, self._size)

    @property
    def seed(self) -> int:
        """The seed of the noise, also where it was drawn."""
        return int(self.config["seed"])

    @cached_property
    def known_system(self) -> SystemDefinition | None:
        """:attr:`system`; of a run that was loaded, the installed or imported class that its configuration names, or ``None``."""
        if self.system is not None or self.history is not None:
            return self.system
        from semidirect.definition import plugins

        try:
            return plugins.recorded_system(self.config, lambda name: self.by_path()[name])
        except (errors.SemidirectError, KeyError):
            return None

    def one_system(self) -> SystemDefinition:
        """The known system; an :class:`InputError` if there is none, or there are several, the modes of a hybrid system."""
        if self.history is not None:
            raise errors.InputError("a run of a hybrid system", expected="one of one system", got=repr(self),
                                    hint="Ask one of its modes, hybrid.modes['name'].")  # fmt: skip
        if self.known_system is None:
            raise errors.InputError(
                "a run without its system",
                hint="Import the class of a run that was loaded, or install its plugin, or simulate it again.",
            )
        return self.known_system

    @property
    def t_start(self) -> float:
        """The start of the run [s]."""
        return float(self.config.get("t_start", 0.0))

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round(self.config["t_end"] / self.config["dt"]) - round(self.t_start / self.config["dt"])

    @property
    def step_times(self) -> np.ndarray:
        """The times n·dt that the equations take at :attr:`times`, from which they differ by rounding."""
        return schedule.step_times(self.times, self.config["dt"])

    @property
    def good(self) -> np.ndarray:
        """The paths that did not fail, bool ``(paths,)``."""
        return ~failure.failed(self.status)

    @property
    def stopped_at(self) -> np.ndarray:
        """Time [s] at which an event stopped each path, nan for the other paths (paths,)."""
        return np.where(self.status == failure.STOPPED, self.failed_at, np.nan)

    @property
    def stopped(self) -> StoppedPaths:
        """The paths that an event stopped: when, which event, and in which state."""
        at, stops = self.status == failure.STOPPED, conditions.from_description(self.config.get("stop", []))
        several = len(stops) > 1
        which = self.failed_component - (len(self.components) - len(stops)) if several else 0
        state = {k: _only(v, at) for k, v in self.final.items()}
        return StoppedPaths(tuple(c.label for c in stops), self.stopped_at, np.where(at, which, -1), state)

    def failures(self) -> list[failure.Failure]:
        """The paths that failed, each with time, component and reason."""
        return failure.failures(self.status, self.failed_at, self.failed_component, self.components, self.numbers)

    def statistics(self) -> dict[str, dict[str, np.ndarray]]:
        """Mean and its standard error over the good paths, at each saved time; nan if there are too few paths. Errors
        of a driver with replications come from these.

        Of a hybrid system, over those of them whose mode has the quantity.
        """
        out = {}
        n = int(np.count_nonzero(self.good))
        dependence = Dependence(replications=drivers.replications_of(self.config.get("noise", {})))
        numbers = np.arange(len(self.good)) if self.numbers is None else self.numbers
        for name, values in self.data.items():
            good_values = values[self.good]
            if self.history is not None:
                out[name] = _where_known(good_values)
                continue
            empty = np.full(values.shape[1:], np.nan)
            with np.errstate(over="ignore", invalid="ignore"):
                mean = good_values.mean(axis=0) if n else empty
                out[name] = {"mean": mean, "se": dependence.error_of_mean(good_values, numbers[self.good])}
        return out

    def sensitivity(self, quantity: str, by: str | None = None) -> Sensitivity:
        """The derivatives of a quantity, path by path, of a run with ``formulation=sd.Formulation(sensitivity=…)``.

        Parameters
        ----------
        quantity : str
            A quantity that was saved, or one of its components.
        by : str, optional
            A parameter, a variable or ``"configuration"`` at the start, an entry of one, or ``"state"``; default all.

        Raises
        ------
        InputError
            If the run was not differentiated.
        UnknownNameError
            For a quantity or a direction that it does not have.
        """
        return sensitivity(self, quantity, by)

    def element(self) -> np.ndarray:
        """The configuration s as a matrix of the group, ``(paths, T, N, N)``.

        Raises
        ------
        InputError
            If the run did not save all of its coordinates.
        """
        self.refuse_matrices()
        layout = self.layout()
        values = None if layout is None else layout.by_name(self.data)
        if layout is None or values is None:
            raise errors.InputError(
                "the run did not save the configuration",
                hint="Run it with Formulation(reconstruct=True) and save its coordinates.",
            )
        return layout.element(values)

    def rotation(self, name: str | None = None, paths: Any = None) -> Rotation:
        """A rotation of the configuration as a SciPy ``Rotation`` of shape ``(paths, T)``.

        Parameters
        ----------
        name : str, optional
            Its coordinates: a rotation matrix, ``"g"``, or an angle in the plane, ``"angle"``, which becomes a rotation
            about the third axis. Default: the only rotation of the group.
        paths : index or mask, optional
            The paths, for example ``run.good``; default all.

        Raises
        ------
        UnknownNameError
            If no rotation has this name.
        InputError
            If there are several, if the matrices are not 2 × 2 or 3 × 3, or if a value is not a rotation, as after a failure.
        """
        from scipy.spatial.transform import Rotation

        layout = self.layout()
        rotations = () if layout is None else tuple(layout.rotations)
        if name is None and len(rotations) > 1:
            raise errors.InputError("which rotation", expected=f"one of {', '.join(rotations)}", got="none")
        name = rotations[0] if name is None and rotations else name
        values = None if layout is None else layout.by_name(self.data)
        if layout is None or values is None or not isinstance(name, str) or name not in rotations:
            raise errors.UnknownNameError(
                "rotation of the run", "" if name is None else name, rotations if values is not None else ()
            )
        row, n = layout.rotations[name]
        if n not in (2, 3):
            raise errors.InputError(f"{name!r} as a rotation of space", expected="a matrix (2, 2) or (3, 3)", got=f"({n}, {n})",
                                    hint="Its matrices are in run.to_xarray().")  # fmt: skip
        try:
            path_numbers = np.arange(self.paths) if paths is None else np.atleast_1d(np.arange(self.paths)[paths])
            if path_numbers.ndim > 1:  # True, or more than one index
                raise IndexError
        except (IndexError, TypeError, ValueError, OverflowError):
            raise errors.InputError(
                "paths of a rotation", expected="an index or a mask", got=reprlib.repr(paths)
            ) from None
        full = np.zeros((len(path_numbers), len(self.times), 3, 3))
        full[..., 2, 2] = 1.0
        part = {k: v[path_numbers] for k, v in values.items()}
        full[..., :n, :n] = layout.element(part)[..., row : row + n, row : row + n]
        off = np.max(np.abs(np.swapaxes(full, -1, -2) @ full - np.eye(3)), axis=(-2, -1), initial=0.0)
        bad = np.argwhere(~(off < NOT_A_ROTATION))
        if len(bad):
            p, t = map(int, bad[0])
            raise errors.InputError(
                f"{name!r} is not a rotation", expected=f"gᵀg = 1 to {NOT_A_ROTATION}", got=f"{off[p, t]:.2g}",
                where=f"path {path_numbers[p]}, t = {self.times[t]:g}", hint="Leave out the paths that failed: paths=run.good.",
            )  # fmt: skip
        return Rotation.from_matrix(full)

    def refuse_matrices(self) -> None:
        """Raise an error for a run of a system of matrices or a lattice, whose state is no configuration of a body."""
        for name, flat in self.matrices.items():
            sites = " A run of lattice.written_out(), of a few sites, has them." if isinstance(flat, FlatSites) else ""
            raise errors.InputError(
                f"a system of {flat.kind} has no body and no configuration", hint=f"Its state is run[{name!r}].{sites}"
            )

    def layout(self) -> ElementLayout | None:
        """The places of the coordinates in the matrices of the group, if the run reconstructed them."""
        description = self.config.get("element")
        return None if description is None else ElementLayout.from_description(description)


def _where_known(values: np.ndarray) -> dict[str, np.ndarray]:
    """Mean and standard error over the paths on which values are numbers."""
    finite = ~np.isnan(values)
    count = finite.sum(axis=0)
    with np.errstate(all="ignore"):
        mean = np.where(finite, values, 0.0).sum(axis=0) / np.where(count > 0, count, np.nan)
        square = np.where(finite, (values - mean) ** 2, 0.0).sum(axis=0) / np.where(count > 1, count - 1, np.nan)
        filled = np.where(finite, values, np.fmin.reduce(values, axis=0))
        return {
            "mean": mean,
            "se": np.where(count > 1, Dependence.without_rounding(np.sqrt(square / count), filled), np.nan),
        }


def _only(values: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Values of some of the paths, nan on the others."""
    return np.where(which.reshape(-1, *(1 for _ in values.shape[1:])), values, np.nan)


RunLike: TypeAlias = RunData | HasRunData
"""What functions of a run take, and :func:`a_run` reads."""


def read_again(kind: type[RunData], source: Callable[[], RunData], not_stored: Mapping[str, Any]) -> RunData:
    """A run from its pickle, which contains the location of its store and the data that a store does not contain."""
    data = source()
    return kind(**{**{f.name: getattr(data, f.name) for f in fields(RunData)}, **not_stored})

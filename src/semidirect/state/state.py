"""Initial states: the values of a user, completed and checked."""

from __future__ import annotations

import marshal
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import PerPath, arguments, display, errors, frozen
from semidirect.expressions import component_names
from semidirect.model import NumericalSDE, Row
from semidirect.state.final import Final, time_of
from semidirect.state.inherited_start import require_velocities
from semidirect.state.path_rows import joined, path_count
from semidirect.state.placement import Placement

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE


@dataclass(frozen=True, repr=False)
class InitialState(display.Brief, frozen.Rebuilt):
    """A complete state, components first.

    Attributes
    ----------
    u, a, z : array (·, paths or 1)
        Velocity coordinates of D, or momenta where equations come from h; advected quantities, internal states.
    stored : array (r, paths or 1)
        Stored coordinates of s.
    named : dict name → list
        The values with which a user gets this state, for the record.
    by_path : dict name → array (paths, …)
        The values that differ from path to path.
    y : array (d, paths) or None
        The state vector itself, if a run of the same equations ended in it; the other values determine it only up to rounding.
    slopes : array (·, paths or 1) or None
        The derivatives that follow the state vector, if there are any, see :class:`.sensitivities.Tangents`.
    """

    u: np.ndarray
    a: np.ndarray
    z: np.ndarray
    stored: np.ndarray
    named: Mapping[str, Any]
    by_path: Mapping[str, np.ndarray] = field(default_factory=dict)
    y: np.ndarray | None = None
    slopes: np.ndarray | None = None

    @property
    def paths(self) -> int:
        """Number of paths it holds (1: the same for all)."""
        return max(x.shape[1] for x in (self.u, self.a, self.z, self.stored))

    def arrays(self) -> dict[str, np.ndarray]:
        """The numbers by name, in a fixed order."""
        arrays = {"u": self.u, "a": self.a, "z": self.z, "stored": self.stored}
        return arrays | {k: v for k, v in {"y": self.y, "slopes": self.slopes}.items() if v is not None}

    def vector(self, model: NumericalSDE, t: float) -> np.ndarray:
        """The state vector of a model, ``(d, paths or 1)``."""
        if self.slopes is not None:
            return joined([replace(self, slopes=None).vector(model, t), self.slopes])
        if self.y is not None:
            return self.y
        cache = model.system.workings.cache
        if not any(self is start for start in cache.get(STARTS, {}).values()):
            return self._vector(model, t)
        vectors, key = cache.setdefault(VECTORS, {}), (id(self), model.structure, model.reconstructs, t)
        if key not in vectors:
            vectors[key] = self._vector(model, t)
            vectors[key].setflags(write=False)
        vector: np.ndarray = vectors[key]
        return vector

    def _vector(self, model: NumericalSDE, t: float) -> np.ndarray:
        velocity = model.in_velocities
        first = self.u
        if model.structure.shape.form == "P" != velocity.structure.shape.form:
            first = model.momentum(self.u, self.a, self.z, t)
        elif model.structure.shape.form != velocity.structure.shape.form:
            # ξ = B u + c, for a constraint with a basis in A form
            y, xi = joined([self.u, self.a, self.z]), {"xi": velocity.sde.program.outputs["xi"]}
            first = velocity.read(y, self.stored, t, xi)["xi"]
        return joined([first, self.a, self.z])

    @classmethod
    def of(
        cls,
        system: SystemDefinition,
        state: Mapping[str, Any] | None,
        *,
        validate: bool = True,
        t: float = 0.0,
        model: NumericalSDE | None = None,
        located: bool = True,
    ) -> InitialState:
        """Complete a state: velocities, momenta or both kinds of names, advected quantities, internal states, coordinates of s.

        Values that are not given are the system's recommendations; an advected quantity that is neither given nor recommended
        follows from the coordinates of s, and these follow from the advected quantities.

        Parameters
        ----------
        state : dict name → scalar or array ``(d,)``, or one per path ``(paths, d)``
            Names: coordinates of D (``Omega``), their momenta (``M``; these alone where equations come from h), advected
            quantities, internal states, coordinates of s
            (``x``, ``phi``). Or a ``run.final``.
        validate : bool
            Whether the advected quantities must be those of a configuration.
        t : float
            Time [s], of which the relation of momenta and velocities may depend.
        model : NumericalSDE, optional
            The equations that are stepped: if a ``run.final`` is of the same, it is taken to the bit and as it is, not validated.
        located : bool
            Whether the coordinates of s are needed. If not, no configuration is searched: they are those of the identity if
            none is given, and not among the names.

        Raises
        ------
        UnknownNameError, InputError
            For a name or value that cannot be used.
        """
        if not isinstance(state, Mapping | None):
            raise errors.InputError("the state", expected="a mapping of names to values", got=repr(state))
        vector = state.vector(system, model) if isinstance(state, Final) and model is not None else None
        velocities = NumericalSDE.of(system, variables="velocity") if model is None else model.in_velocities
        if vector is None:
            return _remembered(velocities, dict(state or {}), validate, t, located)
        y, stored = vector
        return replace(_Completion(velocities, dict(state or {}), False, t).reached(stored), y=y)

    @staticmethod
    def key(system: SystemDefinition, state: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """The key of a completed state, ``None`` unless it is made of a few numbers."""
        usual = system.initial if system.workings.paths is None else None
        if not isinstance(usual, Mapping):
            return None
        key: list[Any] = []
        for values in (state, usual):
            for name, value in values.items():
                if type(value) in SEQUENCES and len(value) <= MOST_IN_A_ROW and NUMBERS.issuperset(map(type, value)):
                    key += name, marshal.dumps(value, 2)  # the usual case, and several times as quick
                    continue
                try:
                    array = np.asarray(value.values if isinstance(value, PerPath) else value)
                except ValueError:
                    return None
                if array.dtype.kind not in "if" or array.size > LARGEST_REMEMBERED:
                    return None
                key.append((name, array.dtype.str, array.shape, array.tobytes()))
            key.append(None)
        return tuple(key)


STARTS, VECTORS = "initial states", "state vectors"
SEQUENCES, NUMBERS = frozenset({list, tuple}), frozenset({int, float})
LARGEST_REMEMBERED, MOST_IN_A_ROW, MOST_REMEMBERED = 4096, 64, 16
"""The most numbers of a cached state, and the most cached states of a system."""


def _remembered(
    velocities: NumericalSDE, state: dict[str, Any], validate: bool, t: float, located: bool
) -> InitialState:
    """The completion of a state, which the next run from the same state has for nothing."""
    system = velocities.system
    key = InitialState.key(system, state)
    if key is None:
        return _Completion(velocities, state, validate, t, located).result()
    key, cache = (validate, t, located, *key), system.workings.cache.setdefault(STARTS, {})
    if key not in cache:
        start = _Completion(velocities, state, validate, t, located).result()
        for array in start.arrays().values():
            array.setflags(write=False)
        if len(cache) >= MOST_REMEMBERED:
            cache.clear()
            system.workings.cache.pop(VECTORS, None)
        cache[key] = start
    return cache[key]


def one_state(
    system: SystemDefinition, state: Mapping[str, Any] | None, t: float | None, what: str, *, located: bool = True
) -> tuple[InitialState, float]:
    """A state of one path and its time, for ``what`` works at one state.

    Raises
    ------
    InputError
        For a state or a parameter given per path, and as :meth:`InitialState.of`.
    """
    if system.workings.paths is not None:
        raise errors.InputError(
            f"{what} works at one state",
            got="parameters per path",
            hint="Give the system of one path, system.at_path(0).",
        )
    at = arguments.finite_time(time_of(t, state))
    start = InitialState.of(system, state, t=at, located=located)
    if start.paths != 1:
        raise errors.InputError(
            f"{what} works at one state", got=f"a state of {start.paths} paths", hint="Give the values of one path."
        )
    return start, at


class _Completion:
    def __init__(self, velocities: NumericalSDE, state: dict[str, Any], validate: bool, t: float, located: bool = True):
        self.system, self.validate, self.t = velocities.system, validate, arguments.finite_time(t)
        self.by_name, self.complete = state, False
        self.located, self.model = located, velocities
        self.shape = self.model.structure.shape
        self.definition = self.model.definition
        self.first = self.shape.first
        self.momenta = {} if self.shape.form != "B" else {
            self.definition.momentum_name(name): dimension for name, dimension in self.first.items()
        }  # fmt: skip
        self.advected = {name: q.dimension for name, q in self.definition.advected.items()}
        self.internal = {s.name: s.dimension for s in self.definition.internal_states}
        self.groups = component_names.grouped(self.model.coordinates)
        self.coordinates = {**dict.fromkeys(self.model.coordinates, 1),
                            **{k: len(v) for k, v in self.groups.items()}}  # fmt: skip
        self.dimensions = {**self.coordinates, **self.internal, **self.advected, **self.momenta, **self.first}
        self.order = (*self.first, *self.momenta, *self.advected, *self.internal, *self.groups)
        self.foreign = self.system.workings.velocities_of_base(self.definition)
        if self.system._states_arrays:
            whole = self.system._stated_by_arrays().start(state, validate=validate, t=self.t)
            self.complete = whole is not None
            self.by_name = state = state if whole is None else dict(whole)
        for name in state:
            if name not in self.dimensions:
                raise errors.UnknownNameError(f"state variable of {type(self.system).__name__}", name, self.order)

    def rows(self, name: str, value: Any) -> np.ndarray:
        """A value as ``(d, paths)``."""
        d = self.dimensions[name]
        if name in self.shape.matrices:
            value = self._of_matrices(name, value)
        try:
            array = arguments.numeric(value.values if isinstance(value, PerPath) else value)
        except (TypeError, ValueError):
            raise errors.InputError(f"state variable {name!r}", expected="numbers", got=reprlib.repr(value)) from None
        if name in self.groups and array.ndim >= 2 and array.shape[-1] * array.shape[-2] == d and d > array.shape[-1]:
            array = array.reshape(*array.shape[:-2], d)  # a matrix block
        one = () if d == 1 else (d,)
        if array.shape == one or array.shape == (d,):
            rows = array.reshape(d, 1)
        elif array.ndim >= 1 and array.shape[1:] in (one, (d,)):
            rows = array.reshape(len(array), d).T.copy()
        else:
            shape = "a number" if d == 1 else f"shape ({d},)"
            raise errors.InputError(
                f"state variable {name!r}", expected=f"{shape}, or one per path", got=f"shape {array.shape}"
            )
        bad = np.argwhere(~np.isfinite(rows.T))
        if len(bad):
            raise errors.InputError(f"state variable {name!r}", expected="finite numbers", got=str(rows.T[tuple(bad[0])]),
                                    where=f"path {bad[0][0]}, component {bad[0][1]}")  # fmt: skip
        return rows

    def _of_matrices(self, name: str, value: Any) -> np.ndarray:
        """Matrices as numbers, which lie in their algebra."""
        space = self.shape.matrices[name]
        numbers = space.flat.read(f"state variable {name!r}", value)
        if self.validate:
            space.refuse_outside(space.flat.shaped(numbers), f"state variable {name!r}")
        return np.asarray(numbers)

    def result(self) -> InitialState:
        recommended = self._recommended()
        values = {k: self.rows(k, v) for k, v in self.by_name.items()}
        explicit = {k: v for k, v in values.items() if k in self.coordinates}
        for name in self.internal:
            if name not in values:
                values[name] = self.rows(name, recommended[name]) if name in recommended else self._internal_start(name)
        advected = {name: values[name] for name in self.advected if name in values}
        usual = {n: self.rows(n, recommended[n]) for n in self.advected if n in recommended and n not in advected}
        a, stored = self._placed(advected, usual, explicit, recommended)
        u = self._velocity(values, recommended, a)
        self._admissible(u, a, stored, values)
        return self._state(u, a, values, stored)

    def _placed(self, advected: dict[str, np.ndarray], usual: dict[str, np.ndarray], explicit: dict[str, np.ndarray],
                recommended: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """Advected quantities and coordinates of s: of the recommended coordinates those that are not given, unless given
        advected quantities contradict them.
        """
        placement = Placement(self.system, self.definition, self.validate, self.located)
        names = list(self.definition.group.stored_names)
        places = {k: self.groups.get(k) or [names.index(k)] for k in self.coordinates}
        indices = {i for k in explicit for i in places[k]}
        more = {k: self.rows(k, v) for k, v in recommended.items() if k in places and indices.isdisjoint(places[k])}
        try:
            return placement.completed(advected, usual, {**more, **explicit})
        except errors.InputError:
            if not (more and advected):
                raise
        return placement.completed(advected, usual, explicit)

    def reached(self, stored: np.ndarray) -> InitialState:
        """The final state of a run, with these coordinates of s, or none if it did not reconstruct them."""
        values = {k: self.rows(k, v) for k, v in self.by_name.items()}
        u, a = (joined([values[n] for n in names]) for names in (self.first, self.advected))
        if not len(stored):
            stored = self.definition.group.store(self.definition.group.identity)[:, None]
        return self._state(u, a, values, stored)

    def _state(self, u: np.ndarray, a: np.ndarray, values: dict[str, np.ndarray], stored: np.ndarray) -> InitialState:
        z = joined([values[n] for n in self.internal])
        path_count([u, a, z, stored])
        rows: dict[str, np.ndarray] = {}
        for block, dimensions in ((u, self.first), (a, self.advected), (z, self.internal)):
            rows |= {k: block[part] for k, part in component_names.layout(dimensions).items()}
        if self.located or self.coordinates.keys() & values.keys():
            rows |= {k: stored[where] for k, where in self.groups.items()}
        by_path = {k: v[0] if len(v) == 1 else v.T for k, v in rows.items() if v.shape[1] > 1}
        return InitialState(u, a, z, stored, {k: _listed(v) for k, v in rows.items()}, by_path)

    def _recommended(self) -> dict[str, Any]:
        """The recommended state of the system, per path if it depends on parameters per path."""
        if self.complete:
            return {}
        answers = self.system.workings.decide_by_path(lambda system: system.initial)
        for answer in answers:
            if not isinstance(answer, Mapping):
                raise errors.DefinitionError(f"{type(self.system).__name__}.initial", expected="a mapping of names to values",
                                             got=reprlib.repr(answer))  # fmt: skip
            for name in answer:
                if name not in self.dimensions and name not in (*self._momentum_names(), *self.foreign):
                    raise errors.UnknownNameError(
                        f"state variable of {type(self.system).__name__}.initial", name, self.order
                    )
        first = {k: v for k, v in answers[0].items() if k in self.dimensions}
        if len(answers) == 1:
            return first
        return {k: np.concatenate([self.rows(k, one[k]) for one in answers], axis=1).T for k in first}

    def _momentum_names(self) -> list[str]:
        """Names that momenta would have, if this form had any."""
        return [self.definition.momentum_name(name) for name in self.first]

    def _internal_start(self, name: str) -> np.ndarray:
        """The initial value of an internal state, for each path if parameters differ."""
        systems = range(self.system.workings.paths or 0)
        definitions = [self.system.at_path(i).workings.definition() for i in systems] or [self.definition]
        starts = [next(s for s in d.internal_states if s.name == name).initial for d in definitions]
        flat = [start if np.ndim(start) == 0 else np.reshape(start, -1) for start in starts]
        return np.concatenate([self.rows(name, start) for start in flat], axis=1)

    def _velocity(self, values: dict[str, np.ndarray], recommended: dict[str, Any], a: np.ndarray) -> np.ndarray:
        given_momenta = [name for name in self.momenta if name in values]
        if given_momenta:
            both = [name for name in self.first if name in values]
            missing = [name for name in self.momenta if name not in values]
            if both or missing:
                raise errors.InputError(
                    "the state mixes velocities and momenta" if both else "some momenta are missing",
                    expected=f"all of {', '.join(self.momenta)} or all of {', '.join(self.first)}",
                    got=", ".join(both + given_momenta),
                )
            model = NumericalSDE.of(self.system)
            if model.structure.shape.form != "P":
                raise errors.InputError("momenta as a state", hint=f"This system's state is {', '.join(self.first)}.")
            z = [values[n] for n in self.internal]
            y = joined([*(values[n] for n in self.momenta), a, *z])
            stored = np.zeros((len(self.definition.group.stored_names), 1))
            return model.read(y, stored, self.t, {"u": model.sde.program.outputs["u"]})["u"]
        if self.validate:
            require_velocities(self.system, self.foreign, self.first, {*values, *recommended})
        rows = []
        for name, dimension in self.first.items():
            rows.append(values[name] if name in values else self.rows(name, recommended.get(name, [0.0] * dimension)))
        return joined(rows)

    def _admissible(self, u: np.ndarray, a: np.ndarray, stored: np.ndarray, values: dict[str, np.ndarray]) -> None:
        """A velocity that is not parametrised by D has to satisfy the constraint A ξ = b."""
        if self.shape.form != "A" or not self.validate:
            return
        model = self.model
        rows = {"residual": [Row("output", "residual", i) for i in range(self.shape.residual)]}

        def residuals(u: np.ndarray) -> np.ndarray:
            y = joined([u, a, *(values[n] for n in self.internal)])
            return np.asarray(model.read(y, stored, self.t, rows)["residual"])

        off = residuals(u)
        residual = np.max(np.abs(off), axis=0, initial=0.0)
        path = int(np.argmax(residual))
        if not residual[path] <= 1e-9 * (1 + np.max(np.abs(u))):
            slopes = np.stack([(residuals(u + e[:, None]) - off)[:, path] for e in np.eye(len(u))], axis=1)
            hint = f"Give {', '.join(self.first)} in the distribution"
            if np.all(np.isfinite(slopes)) and np.all(np.isfinite(off)):
                nearest = u[:, min(path, u.shape[1] - 1)] - np.linalg.pinv(slopes) @ off[:, path]
                hint += f"; nearest is {self._written(nearest)}"
            raise errors.InputError(
                "the velocity does not satisfy the constraint", expected="A ξ = b", got=f"|A ξ − b| = {residual[path]:.3g}",
                where=f"path {path}", hint=f"{hint}.",
            )  # fmt: skip

    def _written(self, u: np.ndarray) -> str:
        """A velocity by its blocks, with digits enough to be given."""
        parts, rest = [], iter(u)
        for name, dimension in self.first.items():
            numbers = [f"{next(rest):.12g}" for _ in range(dimension)]
            parts.append(f"{name} = {numbers[0] if dimension == 1 else '[' + ', '.join(numbers) + ']'}")
        return ", ".join(parts)


def _listed(rows: np.ndarray) -> Any:
    if rows.shape[1] > 1:
        return "per path"
    return rows[0, 0].item() if len(rows) == 1 else rows[:, 0].tolist()

"""Derivatives of a start by what a run is differentiated by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import SIXTH_ORDER, PerPath, dual, errors, exact
from semidirect.expressions import component_names
from semidirect.model import Differentiable, NumericalSDE
from semidirect.state.final import Final
from semidirect.state.state import InitialState

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.model import NumericalSDE
from semidirect.state.start_slopes.frames import _advected_along, advected_slopes

STEP = 2.0**-6
"""Of the differences by which a start is differentiated that a system computes from its parameters, relative to them."""
PARTS = ("u", "a", "z", "stored")


def with_slopes(start: InitialState, model: NumericalSDE, state: Mapping[str, Any] | None, t: float, *, validate: bool,
                located: bool) -> InitialState:  # fmt: skip
    """A start with its derivatives along the directions of a model.

    Velocities, advected quantities and coordinates of s that are given are the same for all parameters, and momenta follow from
    them. What a system computes from its parameters (``initial``, ``configuration``) is differentiated by differences of order 6.
    """
    tangents = model.tangents
    if tangents is None or (start.y is not None and len(start.y) > model.dimension):
        return start
    lifted = Differentiable(model, tangents, len(model.coordinates), scalars=False)
    paths = max(start.paths, model.system.workings.paths or 1)
    values = {k: np.broadcast_to(getattr(start, k), (len(getattr(start, k)), paths)) for k in PARTS}
    slopes = {k: np.zeros((len(tangents.directions), *v.shape)) for k, v in values.items()}
    for k, direction in enumerate(tangents.directions):
        if direction.kind == "parameter":

            def moved(system: SystemDefinition) -> InitialState:
                return InitialState.of(system, state, validate=validate, t=t, located=located)

            if not isinstance(state, Final):
                _by_parameter(
                    {name: array[k] for name, array in slopes.items()}, start, model.system, direction.number, moved
                )
        elif direction.kind == "velocity":
            slopes["u"][k, direction.number] = 1.0
        elif direction.kind == "internal":
            slopes["z"][k, direction.number] = 1.0
        elif direction.kind == "configuration":
            generator = np.zeros((model.group.dimension, paths))
            generator[direction.number] = 1.0
            slopes["a"][k] = advected_slopes(lifted, values["a"], generator)
            slopes["stored"][k] = model.group.flow_entries(values["stored"], generator)
    out, first = _rows(lifted, values, slopes, t)
    momenta = _has_momenta(model, state or ())
    for k, direction in enumerate(tangents.directions):
        if direction.kind in ("momentum", "component"):
            out[k, direction.number] = 1.0
        elif momenta and direction.kind == "parameter":
            out[k, :first] = 0.0
    return _with(start, out)


def with_carried_slopes(start: InitialState, model: NumericalSDE, carried: Mapping[str, np.ndarray], state: Mapping[str, Any],
                        replacements: Collection[str], t: float) -> InitialState:  # fmt: skip
    """A state in which some variables of a differentiated path have been replaced, with the derivatives that it has then.

    Parameters
    ----------
    carried : dict name → array (paths, d, K)
        The derivatives of velocities, advected quantities, internal states and coordinates of s before.
    state : dict name → array
        From which the state was completed: advected quantities that are not among the names follow from the coordinates of s.
    replacements : collection of str
        The variables that are given by numbers, which have no derivatives.
    """
    assert model.tangents is not None
    lifted = Differentiable(model, model.tangents, len(model.coordinates), scalars=False)
    definition, of_velocity = model.definition, NumericalSDE.of(model.system, variables="velocity")
    paths = max(start.paths, model.system.workings.paths or 1, *(len(x) for x in carried.values()))
    values = {k: np.broadcast_to(getattr(start, k), (len(getattr(start, k)), paths)) for k in PARTS}
    names = {
        "u": list(of_velocity.structure.shape.first),
        "a": list(definition.advected), "z": [x.name for x in definition.internal_states],
        "stored": list(component_names.grouped(definition.group.stored_names)),
    }  # fmt: skip
    slopes = {}
    for part, components in names.items():
        slopes[part] = np.zeros((lifted.count, len(values[part]), paths))
        rows = [carried[k] * (k not in replacements) for k in components if k in carried]
        if rows:
            slopes[part][:] = np.concatenate(rows, axis=1).transpose(2, 1, 0)
    slopes["stored"][:, [name in replacements for name in definition.group.stored_names]] = 0.0
    if names["a"] and names["a"][0] not in state:
        slopes["a"] = _advected_along(lifted, values, slopes["stored"])
        for k, index in enumerate(model.tangents.parameters):
            if index is not None:
                _by_parameter({"a": slopes["a"][k]}, start, model.system, index,
                              lambda system: InitialState.of(system, state, validate=False, t=t))  # fmt: skip
    if any(definition.momentum_name(name) in replacements for name in names["u"]):
        slopes["u"] = _of_momenta(lifted, values, slopes, t)
    out, first = _rows(lifted, values, slopes, t)
    if _has_momenta(model, replacements):
        out[:, :first] = 0.0  # to the bit
    return _with(start, out)


def _of_momenta(lifted: Differentiable[NumericalSDE], values: Mapping[str, np.ndarray], slopes: Mapping[str, np.ndarray],
                t: float) -> np.ndarray:  # fmt: skip
    """The derivatives ``(K, n, paths)`` of the velocities that belong to momenta without derivatives."""
    model = NumericalSDE.of(lifted.model.system)
    a, z = (_duals(lifted, values[k], slopes[k]) for k in ("a", "z"))
    momenta = lifted.constants(model.momentum(values["u"], values["a"], values["z"], t))
    reader = model.reader({"u": model.sde.program.outputs["u"]})
    with_parameters = model.with_parameters(lifted.model.parameters)
    u = with_parameters.values(reader, exact.objects([*momenta, *a, *z]), t, tuple(lifted.constants(values["stored"])))
    return np.stack([np.broadcast_to(dual.slope(x, 0), (lifted.count, values["u"].shape[1])) for x in u], axis=1)


def _duals(lifted: Differentiable[NumericalSDE], values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    return exact.objects([dual.Dual(lifted.directions, x, {0: slopes[:, i]}) for i, x in enumerate(values)])


def _rows(lifted: Differentiable[NumericalSDE], values: Mapping[str, np.ndarray], slopes: Mapping[str, np.ndarray], t: float
          ) -> tuple[np.ndarray, int]:  # fmt: skip
    """The derivatives ``(K, d + r, paths)`` of state and coordinates from those of the parts, and how many rows come first."""
    u, a, z = (_duals(lifted, values[k], slopes[k]) for k in ("u", "a", "z"))
    first = _first(lifted, u, a, z, values["stored"], t)
    rows = [*first, *a, *z]
    out = np.zeros((lifted.count, lifted.size, values["stored"].shape[1]))
    for i, x in enumerate(rows):
        out[:, i] = dual.slope(x, 0)
    out[:, len(rows) :] = slopes["stored"][:, : lifted.size - len(rows)]
    return out, len(first)


def _has_momenta(model: NumericalSDE, names: Collection[str]) -> bool:
    """Whether momenta of the state are among the names; they then do not change with parameters."""
    return any(v.name in names for v in model.structure.shape.variables if v.kind == "momentum")


def _with(start: InitialState, slopes: np.ndarray) -> InitialState:
    flat = slopes.reshape(-1, slopes.shape[-1])
    return replace(start, slopes=flat[:, :1] if (flat == flat[:, :1]).all() else flat)


def _first(lifted: Differentiable[NumericalSDE], u: Any, a: Any, z: Any, stored: np.ndarray, t: float) -> Any:
    """Momenta or velocities, as :meth:`.InitialState.vector` has them."""
    model = lifted.model
    velocity = NumericalSDE.of(model.system, variables="velocity")
    if model.structure.shape.form == "P":
        return model.momentum(u, a, z, t)
    if model.structure.shape.form == velocity.structure.shape.form:
        return u
    with_parameters = velocity.with_parameters(model.parameters)
    reader = velocity.reader({"xi": velocity.sde.program.outputs["xi"]})
    return with_parameters.values(reader, exact.objects([*u, *a, *z]), t, tuple(lifted.constants(stored)))


def _by_parameter(slopes: Mapping[str, np.ndarray], start: InitialState, system: SystemDefinition, number: int,
                  start_of: Callable[[SystemDefinition], InitialState]) -> None:  # fmt: skip
    """Fill in the derivatives of a start by a parameter on which the system makes it depend."""
    name, index = system.workings.symbol_places[number]
    value = system.values[name]
    array, whole = (value.values, (slice(None), *index)) if isinstance(value, PerPath) else (value, index)
    step = STEP * np.where(array[whole] == 0, 1.0, np.abs(array[whole]))
    same = [(slice(None), *i) if isinstance(value, PerPath) else i
            for i in np.ndindex(system.workings.symbol_names[name].shape)
            if system.workings.symbol_names[name][i] == system.workings.symbol_names[name][index]]  # fmt: skip

    def at(multiple: int) -> InitialState:
        other = np.array(array, dtype=float)
        for place in same:
            other[place] = array[place] + multiple * step
        return start_of(
            system.workings.with_values(
                {**system.values, name: PerPath(other) if isinstance(value, PerPath) else other}
            )
        )

    try:
        probe = at(1)
        if all(np.array_equal(getattr(probe, k), getattr(start, k)) for k in PARTS):
            return
        states = {m: (at(m), at(-m)) for m, _ in SIXTH_ORDER}
    except errors.InputError as error:
        raise errors.InputError(
            f"the start depends on {name!r}, and cannot be differentiated by it", got=str(error),
            hint="Give the state, or take the derivative at a value that is further from its bounds.",
        ) from error  # fmt: skip
    for k, out in slopes.items():
        for m, weight in SIXTH_ORDER:
            out += weight * (getattr(states[m][0], k) - getattr(states[m][1], k)) / step

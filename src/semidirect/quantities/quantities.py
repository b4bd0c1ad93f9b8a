"""The quantities that a run reads from its states: those to save, those of the final state, and names of components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

from semidirect.core import ForkSafeLock, arguments, errors
from semidirect.definition import labels
from semidirect.expressions import component_names, expression_text
from semidirect.model import NumericalSDE, sensitivities
from semidirect.quantities.quantity_units import unit_of_quantity

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition


@final
class Rows(dict[str, list[Any]]):
    """The rows of quantities by name; a component or, of any other text, an expression is parsed at its first use.

    Iteration covers names of quantities only.
    """

    def __init__(self, rows: Mapping[str, list[Any]], system: SystemDefinition, model: NumericalSDE):
        super().__init__(rows)
        self._system, self._model, self._lock = system, model, ForkSafeLock()
        self.found: dict[str, list[Any]] = {}

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        if not isinstance(name, str):
            return False
        if self._differentiated(name):
            return name.removeprefix(sensitivities.SENSITIVITY) in self and bool(self[name])
        if not (self.component(name) is not None or expression_text.is_expression(name) or self._difference(name)):
            return False
        return bool(self[name])

    def __missing__(self, name: str) -> list[Any]:
        if self._differentiated(name):
            with self._lock:
                if name not in self.found:
                    self.found[name] = self._slopes(name.removeprefix(sensitivities.SENSITIVITY))
                return self.found[name]
        component = self.component(name)
        if component is None and not expression_text.is_expression(name):
            difference = self._difference(name)
            if difference is None:
                raise KeyError(name)
            rows = self[difference]
            with self._lock:
                return self.found.setdefault(name, rows)
        with self._lock:
            if name not in self.found:
                self.found[name] = self._read(name) if component is None else [self[component[0]][component[1]]]
            return self.found[name]

    def component(self, text: str) -> tuple[str, int] | None:
        """The quantity, and the number from 0 of the component, that a name such as ``Omega1`` stands for."""
        return component_names.component_of(
            text, self, lambda name: len(self[name]) * (len(self[name]) > 1), self._model.labels
        )

    def component_name(self, name: str, component: int) -> str:
        """The name of a component, counted from 0, of a quantity."""
        return component_names.component_names(name, len(self[name]), self._model.labels)[component]

    def size(self, name: str) -> int:
        """The number of components of a quantity."""
        return len(self[name])

    def with_derivatives(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of quantities and, in a run with derivatives, those of the derivatives of the ones that have any."""
        if self._model.tangents is None:
            return tuple(names)
        smooth = (
            k
            for k in names
            if not k.startswith(sensitivities.SENSITIVITY) and not sensitivities.kink_of(self._model, k, self[k])
        )
        return tuple(dict.fromkeys([*names, *(f"{sensitivities.SENSITIVITY}{k}" for k in smooth)]))

    def _difference(self, text: str) -> str | None:
        return expression_text.spaced_difference(
            text, lambda part: super(Rows, self).__contains__(part) or self.component(part)
        )

    def _differentiated(self, name: str) -> bool:
        """Whether a name is that of the derivatives of a quantity."""
        return self._model.tangents is not None and name.startswith(sensitivities.SENSITIVITY)

    def _slopes(self, name: str) -> list[Any]:
        """The derivatives of a quantity, component by component along all directions."""
        tangents, rows = self._model.tangents, self[name]
        assert tangents is not None
        kink = sensitivities.kink_of(self._model, name, rows)
        if kink:
            raise errors.MethodError(f"{name!r} is not differentiable", got=f"{kink} in it",
                                     hint="Leave its sensitivity out, or use a smooth function.")  # fmt: skip
        return [sensitivities.Slope(row, d) for row in rows for d in range(len(tangents.directions))]

    def _read(self, text: str) -> list[Any]:
        """The components of an expression; raises an error if a run cannot evaluate it."""
        structure = self._model.structure
        rows = structure.components(self._system, text)
        if not self._model.reconstructs and structure.needs_configuration(text, rows):
            raise errors.InputError(f"{text!r} depends on the configuration, which is not reconstructed",
                                    hint="Leave it out, or run with Formulation(reconstruct=True).")  # fmt: skip
        return rows


@dataclass(frozen=True)
class Quantities:
    """Quantities as rows of the structure of a model.

    Attributes
    ----------
    everything : dict name → rows
        All quantities that a system names, and expressions of them.
    saved_names : tuple of str
        Names to save.
    final : dict name → rows
        The variables of the final state, in the form in which users give states.
    units : dict name → str
        Units, where known; of parameters as ``parameter.mass``.
    long_names : dict name → str
        The meaning of names, in words.
    state : tuple of str
        Names of the components of the state vector.
    absent : dict name → str
        Quantities of constraints that do not exist, with the reason.
    """

    RESERVED: ClassVar[str] = "path|time|status|(component|row|column|axis_[0-9]+)(_[0-9]+)?"
    """Names of dimensions and of the outcome of paths in :meth:`.Run.to_xarray`, which no quantity has."""

    everything: Rows
    saved_names: tuple[str, ...]
    final: Mapping[str, list[Any]]
    units: Mapping[str, str]
    long_names: Mapping[str, str]
    state: tuple[str, ...]
    absent: Mapping[str, str]

    @classmethod
    def of(cls, system: SystemDefinition, model: NumericalSDE, keep: Sequence[str] | None) -> Quantities:
        """The quantities that a run of a system can save, and those to save.

        Raises
        ------
        UnknownNameError
            For a name to keep that does not exist.
        InputError
            For one string instead of a list, or for observables named like state variables.
        """
        if keep is None:
            quantities: Quantities = model.known("contents", lambda: cls._of(system, model, None))
            return quantities
        return cls._of(system, model, keep)

    @classmethod
    def _of(cls, system: SystemDefinition, model: NumericalSDE, keep: Sequence[str] | None) -> Quantities:
        quantities = model.structure.quantities(system)
        everything = {**quantities["state"], **quantities["derived"], **quantities["observables"]}
        _refuse_ambiguous(system, model, quantities)
        keep = None if keep is None else arguments.validated_names("names of quantities to save", keep)
        if not model.reconstructs:
            lost = {k for k, rows in everything.items() if model.structure.needs_configuration(k, rows)}
            for name in lost.intersection(keep or ()):
                raise errors.InputError(f"{name!r} depends on the configuration, which is not reconstructed",
                                        hint="Leave it out, or run with Formulation(reconstruct=True).")  # fmt: skip
            everything = {k: rows for k, rows in everything.items() if k not in lost}
        everything = Rows(everything, system, model)
        for name in keep or ():
            if name not in everything:
                system.workings.refuse_absent(name)
                raise errors.unknown_quantity("quantity to save", name, everything, model.structure.shape.absent)
        shape, velocities = model.structure.shape, model.in_velocities.structure.shape
        velocity = {name: model.structure.named(name) for name in velocities.first}
        moving = shape.first
        final = {**velocity, **{k: v for k, v in quantities["state"].items() if k in everything and k not in moving}}
        base_units, words = model.known("labels", lambda: _labels(system, {*everything, *final}))
        units = dict(base_units)
        saved = tuple(k for k in everything if keep is None or k in keep)
        saved += tuple(k for k in dict.fromkeys(keep or ()) if k not in saved)
        for k in saved:
            unit = (
                ""
                if k.startswith(sensitivities.SENSITIVITY)
                else unit_of_quantity(k, units, everything.component, everything.size)
            )
            if unit:
                units[k] = unit
        saved = everything.with_derivatives(saved)
        return cls(everything, saved, final, units, words, model.state_names, model.structure.shape.absent)

    def unknown(self, what: str, name: Any) -> errors.InputError:
        """The error for a name that does not exist."""
        return errors.unknown_quantity(what, name, self.everything, self.absent)

    def units_with(self, names: Iterable[str]) -> Mapping[str, str]:
        """The units, with those of some components and expressions."""
        values = (k for k in names if not k.startswith(sensitivities.SENSITIVITY))
        more = {k: unit_of_quantity(k, self.units, self.everything.component, self.everything.size) for k in values}
        return {**self.units, **{k: unit for k, unit in more.items() if unit}} if more else self.units

    def of_names(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Some quantities."""
        return {k: self.everything[k] for k in names}

    def row_of(self, name: str, component: int | None, what: str) -> int:
        """The row of a quantity to which a criterion, ``what``, refers, checked."""
        if not (isinstance(name, str) and name in self.everything):
            raise self.unknown(f"quantity of {what}", name)
        size = len(self.everything[name])
        if component is None and size > 1:
            raise errors.InputError(f"{what} of {name!r}", expected=f"component=, from 0 to {size - 1}", got="none")
        if component is not None and not 0 <= component < size:
            raise errors.InputError(
                f"{what} of {name!r}", expected=f"component from 0 to {size - 1}", got=str(component)
            )
        return component or 0

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of components."""
        return {k: len(rows) for k, rows in (self.everything | self.everything.found).items()}

    def numbers_saved(self, times: int) -> int:
        """How many numbers are saved per path at this many times."""
        return times * sum(len(self.everything[k]) for k in self.saved_names) + sum(map(len, self.final.values()))


def _labels(system: SystemDefinition, names: Set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Units and long names of these quantities, and of parameters."""
    units = {k: unit for k, unit in labels.units_of(system).items() if k in names}
    units |= {f"{labels.PARAMETER}{k}": p.unit for k, p in type(system).workings.parameters().items() if p.unit}
    return units, {k: x for k, x in labels.long_names(system).items() if k in names or k.startswith(labels.PARAMETER)}


def _refuse_ambiguous(
    system: SystemDefinition, model: NumericalSDE, quantities: Mapping[str, Mapping[str, list[Any]]]
) -> None:
    """Raise an error for names of quantities that also mean something else."""
    parts, own = {**quantities["state"], **quantities["derived"]}, set(system.workings.quantities(derived=True))
    clash = quantities["observables"].keys() & parts.keys() | own & {
        *quantities["state"],
        *model.structure.shape.reserved,
    }
    if clash:
        raise errors.InputError(
            f"observables named like state variables: {', '.join(sorted(clash))}", hint="Rename them."
        )
    inner = {
        x: k
        for k, rows in parts.items()
        if len(rows) > 1
        for x in component_names.component_names(k, len(rows), model.labels)
    }
    for name in sorted(inner.keys() & {*quantities["observables"], *own}):
        raise errors.InputError(
            f"the observable {name!r} is named like a component of {inner[name]!r}", hint="Rename it."
        )
    for name in (*parts, *quantities["observables"]):
        if re.fullmatch(Quantities.RESERVED, name):
            raise errors.InputError(
                f"{name!r} cannot be the name of a quantity", hint="It is reserved by to_xarray(); choose another name."
            )

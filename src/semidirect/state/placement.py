"""Advected quantities and coordinates of s of a state, each completed from the other."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, arguments, errors
from semidirect.definition import SystemDefinition
from semidirect.expressions import component_names
from semidirect.state.configuration import distances_from_orbit, nearest_configurations, refuse_off_orbit, stacked
from semidirect.state.orbit import orbit_of
from semidirect.state.path_rows import joined, path_count

if TYPE_CHECKING:
    from semidirect.definition import Definition


@final
class Placement:
    """The relation between the advected quantities and the coordinates of s of a system's states.

    Parameters
    ----------
    system : System
        The system with the method ``configuration``.
    definition : Definition
        Its group and its advected quantities.
    validate : bool
        Whether the advected quantities must be those of a configuration; otherwise the nearest one is used.
    located : bool
        Whether the configuration itself is needed; if not, none is searched, and the identity belongs to given values.
    """

    def __init__(self, system: SystemDefinition, definition: Definition, validate: bool, located: bool = True):
        self.system, self.definition, self.validate, self.located = system, definition, validate, located
        self.advected = {name: q.dimension for name, q in definition.advected.items()}
        self.groups = component_names.grouped(definition.group.stored_names)

    def completed(self, advected: Mapping[str, np.ndarray], usual: Mapping[str, np.ndarray],
                  explicit: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """Advected quantities ``(k, paths or 1)`` and stored coordinates ``(r, paths or 1)``.

        Parameters
        ----------
        given, usual : dict name → rows
            Advected quantities: the given ones, and the recommended ones, which may be overridden.
        explicit : dict name → rows
            The given coordinates of s, or groups of them.

        Raises
        ------
        InputError
            If the advected quantities do not belong to the configuration.
        """
        group, names = self.definition.group, list(self.definition.group.stored_names)
        covered = {i for k in explicit for i in (self.groups.get(k) or [names.index(k)])}
        complete = len(covered) == len(names)
        values = (
            advected
            if complete
            else {n: {**usual, **advected}[n] for n in self.advected if n in usual or n in advected}
        )
        if not self.located and not explicit and set(values) == set(self.advected):
            return self._on_orbit(values)
        stored = self._stored(values, explicit, complete)
        if not complete and explicit and self._contradicted(usual, stored):
            values = advected  # the coordinates override recommended values
            stored = self._stored(dict(zip(self.advected, self._implied(stored), strict=True)), explicit, complete)
        if complete and self.validate:
            group.validate(np.moveaxis(group.element(stored), -1, 0))
        return self._advected(stored, values), stored

    def _stored(
        self, values: Mapping[str, np.ndarray], explicit: Mapping[str, np.ndarray], complete: bool
    ) -> np.ndarray:
        """Coordinates of a configuration with these advected quantities, overwritten by the given ones."""
        group, names = self.definition.group, list(self.definition.group.stored_names)
        paths = max([1, *(v.shape[1] for v in (*values.values(), *explicit.values()))])
        stored = np.empty((len(names), paths))
        if complete or set(values) != set(self.advected):
            stored[:] = group.store(group.identity)[:, None]
        else:
            elements = list(self._elements(joined(list(values.values()))))
            stored = np.broadcast_to(stored, (len(names), max(paths, len(elements)))).copy()
            stored[:] = np.stack([group.store(s) for s in elements], axis=1)
        for name, rows in explicit.items():
            stored[self.groups.get(name) or [names.index(name)]] = rows
        return stored

    def _on_orbit(self, values: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The advected quantities, with the identity for a configuration."""
        group, advected = self.definition.group, self.definition.advected
        a = joined([values[name] for name in self.advected])
        if self.validate:
            refuse_off_orbit(group, advected, a, distances_from_orbit(orbit_of(self.system, self.definition), a))
        return a, group.store(group.identity)[:, None]

    def _implied(self, stored: np.ndarray) -> list[np.ndarray]:
        """The advected quantities of a configuration."""
        element = np.moveaxis(self.definition.group.element(stored), -1, 0)
        return [quantity.at(element).T for quantity in self.definition.advected.values()]

    def _contradicted(self, usual: Mapping[str, np.ndarray], stored: np.ndarray) -> bool:
        implied = dict(zip(self.advected, self._implied(stored), strict=True))
        return any(not np.allclose(implied[name], rows, rtol=0, atol=1e-9) for name, rows in usual.items())

    def _elements(self, a: np.ndarray) -> Iterable[np.ndarray]:
        """Configurations with these advected quantities ``(k, paths or 1)``, for each path if they depend on its parameters."""
        if type(self.system).configuration is SystemDefinition.configuration:
            return self._nearest(a)
        try:
            return [self._element(self.system, a[:, i]) for i in range(a.shape[1])]
        except errors.PerPathError:
            paths = path_count([a, np.zeros((0, self.system.workings.paths or 1))])
            columns = np.broadcast_to(a, (len(a), paths))
            return [self._element(self.system.at_path(i), columns[:, i]) for i in range(paths)]

    def _element(self, system: SystemDefinition, a: np.ndarray) -> np.ndarray:
        """A configuration with these advected quantities; unvalidated ones may have the nearest."""
        parts = Blocks.split(a, component_names.layout(self.advected), "advected quantity")
        try:
            rule = system.configuration
            configuration = rule(parts) if callable(rule) else rule
            return (
                self._nearest(stacked(self.definition.advected, parts))[0]
                if configuration is None
                else self._matrix(configuration)
            )
        except errors.PerPathError:
            raise
        except errors.InputError:
            if self.validate:
                raise
            return self._nearest(stacked(self.definition.advected, parts))[0]

    def _nearest(self, a: np.ndarray) -> np.ndarray:
        """The nearest configurations ``(paths, N, N)``; validated ones have these quantities."""
        group, advected = self.definition.group, self.definition.advected
        elements, errors = nearest_configurations(group, orbit_of(self.system, self.definition), a)
        if self.validate:
            refuse_off_orbit(group, advected, a, errors)
        return elements

    def _matrix(self, element: Any) -> np.ndarray:
        """A configuration as a matrix; raises an error if it is not in the group."""
        shape = self.definition.group.identity.shape
        try:
            matrix = arguments.numeric(element)
        except (TypeError, ValueError):
            matrix = np.zeros(0)
        if matrix.shape != shape or not np.all(np.isfinite(matrix)):
            raise errors.DefinitionError(
                f"{type(self.system).__name__}.configuration", expected=f"a finite matrix {shape} of {self.definition.group!r}",
                got=reprlib.repr(element),
            )  # fmt: skip
        return matrix

    def _advected(self, stored: np.ndarray, values: Mapping[str, np.ndarray]) -> np.ndarray:
        if not self.advected:
            return np.zeros((0, 1))
        parts = []
        for (name, quantity), implied in zip(self.definition.advected.items(), self._implied(stored), strict=True):
            if name not in values:
                parts.append(implied)
                continue
            value = np.broadcast_to(values[name], np.broadcast_shapes(values[name].shape, implied.shape))
            if self.validate:
                self._consistent(name, value, implied, np.asarray(quantity.reference, dtype=float))
            parts.append(values[name])
        return joined(parts)

    @staticmethod
    def _consistent(name: str, values: np.ndarray, implied: np.ndarray, reference: np.ndarray) -> None:
        error = np.max(np.abs(values - implied), axis=0)
        path = int(np.argmax(error))
        if not error[path] <= 1e-9 * (1 + np.max(np.abs(values))):
            value = values[:, path]
            length, expected = float(np.linalg.norm(value)), float(np.linalg.norm(reference))
            hint = "Give values of one configuration."
            if length > 0 and abs(length - expected) > 1e-12:
                hint = f"|{name}| is {length!r}, its reference has {expected:g}; scaled: {(value * expected / length).tolist()}."
            raise errors.InputError(
                f"{name!r} does not belong to the configuration", expected=str(implied[:, path].tolist()),
                got=str(value.tolist()), where=f"path {path}", hint=hint,
            )  # fmt: skip

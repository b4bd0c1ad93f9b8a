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

    def completed(self, given: Mapping[str, np.ndarray], usual: Mapping[str, np.ndarray],
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
        known = given if complete else {n: {**usual, **given}[n] for n in self.advected if n in usual or n in given}
        if not self.located and not explicit and set(known) == set(self.advected):
            return self._on_orbit(known)
        stored = self._stored(known, explicit, complete)
        if not complete and explicit and self._contradicted(usual, stored):
            known = given  # the coordinates override recommended values
            stored = self._stored(dict(zip(self.advected, self._implied(stored), strict=True)), explicit, complete)
        if complete and self.validate:
            group.validate(np.moveaxis(group.element(stored), -1, 0))
        return self._advected(stored, known), stored

    def _stored(
        self, known: Mapping[str, np.ndarray], explicit: Mapping[str, np.ndarray], complete: bool
    ) -> np.ndarray:
        """Coordinates of a configuration with these advected quantities, overwritten by the given ones."""
        group, names = self.definition.group, list(self.definition.group.stored_names)
        paths = max([1, *(v.shape[1] for v in (*known.values(), *explicit.values()))])
        stored = np.empty((len(names), paths))
        if complete or set(known) != set(self.advected):
            stored[:] = group.store(group.identity)[:, None]
        else:
            elements = list(self._elements(joined(list(known.values()))))
            stored = np.broadcast_to(stored, (len(names), max(paths, len(elements)))).copy()
            stored[:] = np.stack([group.store(s) for s in elements], axis=1)
        for name, rows in explicit.items():
            stored[self.groups.get(name) or [names.index(name)]] = rows
        return stored

    def _on_orbit(self, known: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The advected quantities, with the identity for a configuration."""
        group, advected = self.definition.group, self.definition.advected
        a = joined([known[name] for name in self.advected])
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
            paths = path_count([a, np.zeros((0, self.system.paths or 1))])
            columns = np.broadcast_to(a, (len(a), paths))
            return [self._element(self.system.at_path(i), columns[:, i]) for i in range(paths)]

    def _element(self, system: SystemDefinition, a: np.ndarray) -> np.ndarray:
        """A configuration with these advected quantities; unvalidated ones may have the nearest."""
        parts = Blocks.split(a, component_names.layout(self.advected), "advected quantity")
        try:
            stated = system.configuration
            found = stated(parts) if callable(stated) else stated
            return self._nearest(stacked(self.definition.advected, parts))[0] if found is None else self._matrix(found)
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
        wanted = self.definition.group.identity.shape
        try:
            matrix = arguments.numeric(element)
        except (TypeError, ValueError):
            matrix = np.zeros(0)
        if matrix.shape != wanted or not np.all(np.isfinite(matrix)):
            raise errors.DefinitionError(
                f"{type(self.system).__name__}.configuration", expected=f"a finite matrix {wanted} of {self.definition.group!r}",
                got=reprlib.repr(element),
            )  # fmt: skip
        return matrix

    def _advected(self, stored: np.ndarray, known: Mapping[str, np.ndarray]) -> np.ndarray:
        if not self.advected:
            return np.zeros((0, 1))
        parts = []
        for (name, quantity), implied in zip(self.definition.advected.items(), self._implied(stored), strict=True):
            if name not in known:
                parts.append(implied)
                continue
            given = np.broadcast_to(known[name], np.broadcast_shapes(known[name].shape, implied.shape))
            if self.validate:
                self._consistent(name, given, implied, np.asarray(quantity.reference, dtype=float))
            parts.append(known[name])
        return joined(parts)

    @staticmethod
    def _consistent(name: str, given: np.ndarray, implied: np.ndarray, reference: np.ndarray) -> None:
        error = np.max(np.abs(given - implied), axis=0)
        path = int(np.argmax(error))
        if not error[path] <= 1e-9 * (1 + np.max(np.abs(given))):
            value = given[:, path]
            length, wanted = float(np.linalg.norm(value)), float(np.linalg.norm(reference))
            hint = "Give values of one configuration."
            if length > 0 and abs(length - wanted) > 1e-12:
                hint = f"|{name}| is {length!r}, its reference has {wanted:g}; scaled: {(value * wanted / length).tolist()}."
            raise errors.InputError(
                f"{name!r} does not belong to the configuration", expected=str(implied[:, path].tolist()),
                got=str(value.tolist()), where=f"path {path}", hint=hint,
            )  # fmt: skip

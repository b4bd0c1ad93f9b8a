"""A mode of a hybrid system: its run, the conditions that end it, and its states seen from other modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from semidirect.compile import Trail
from semidirect.hybrid import kinetic_projection
from semidirect.hybrid.collision import Ground
from semidirect.hybrid.displacements import Displacements, displacements
from semidirect.hybrid.switch import Switch
from semidirect.model import NumericalSDE, sensitivities
from semidirect.specification import RunSpec, conditions

LEVEL_RESOLUTION = 2.0**-36
"""How near to a level a quantity is on it, relative to the size of its terms."""
PERTURBATION = 2.0**-20


@final
@dataclass(frozen=True, eq=False)
class Guard:
    """One level of the condition of a switch: numbers of the switch and of the modes that it names, row of the quantity."""

    switch: Switch
    number: int
    barrier: conditions.Barrier
    row: Any
    target: int
    sliding: int | None

    @property
    def holds_beyond(self) -> bool:
        """Whether the condition is met by a path that is beyond the level from the start."""
        return isinstance(self.switch.when, conditions.Stop)


@final
@dataclass(frozen=True, eq=False)
class Mode:
    """A mode of a hybrid system.

    Attributes
    ----------
    name : str
    spec : RunSpec
        A run of its system, of which paths take the steps during which they are in this mode.
    saved, reduced : tuples of str
        The quantities to save, and those of statistics.
    guards : tuple of Guard
        The conditions that end the mode.
    tangents : Tangents or None
        The directions along which paths are differentiated, the same number in all modes.
    start_slopes : array (K, d + r, paths or 1)
        The derivatives of the start of its run.
    """

    name: str
    spec: RunSpec
    saved: tuple[str, ...]
    reduced: tuple[str, ...]
    guards: tuple[Guard, ...]
    tangents: sensitivities.Tangents | None = None
    start_slopes: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 1)))

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k in self.__dataclass_fields__}

    @cached_property
    def projection(self) -> kinetic_projection.KineticProjection:
        """The projection on its constraint."""
        return kinetic_projection.KineticProjection(self.spec.model)

    @cached_property
    def trail(self) -> Trail:
        """The compiled steps, with those of the derivatives if there are any, which watch the quantities of the guards."""
        return Trail.of(*self._steps)

    @property
    def is_known(self) -> bool:
        """Whether they were compiled before."""
        return Trail.is_known(*self._steps)

    @property
    def _steps(self) -> tuple[Any, ...]:
        spec, watched = self.spec, tuple(dict.fromkeys(guard.row for guard in self.guards))
        return spec.model if self.tangents is None else self.differentiated, spec.method, spec.driver, watched

    @cached_property
    def displacements(self) -> Displacements:
        """The elements of its algebra that displace a body."""
        return displacements(self.spec.model)

    @cached_property
    def differentiated(self) -> NumericalSDE:
        """Its equations with those of the derivatives."""
        assert self.tangents is not None
        return self.spec.model.differentiated(self.tangents)

    @cached_property
    def smooth(self) -> tuple[str, ...]:
        """The saved quantities that have derivatives."""
        quantities = self.spec.contents.everything
        return tuple(name for name in self.saved if not sensitivities.kink_of(self.spec.model, name, quantities[name]))

    @property
    def forbids(self) -> int:
        """How many velocities its constraint forbids."""
        s = self.spec.model.sde.setting
        if s.distribution is not None:
            return int(self.spec.model.group.dimension - s.distribution.basis.shape[1])
        assert s.annihilator is not None
        return len(s.annihilator.covectors)

    @property
    def rest_names(self) -> tuple[str, ...]:
        """Names of the rows of a state below its velocities."""
        return self.spec.model.structure.state[self.projection.velocities :]

    def rest_from(self, source: Mode, y: np.ndarray, paths: np.ndarray, first: np.ndarray | None = None) -> np.ndarray:
        """Those rows for states of another mode: its values by name, else those of the start of this mode, if not ``first``."""
        row_of = {name: i for i, name in enumerate(source.rest_names, source.projection.velocities)}
        first = self.spec.begin[0] if first is None else first
        first = np.broadcast_to(first, (len(first), self.spec.paths))[
            self.projection.velocities :, paths.astype(np.int64)
        ]
        rows = [y[row_of[name]] if name in row_of else first[i] for i, name in enumerate(self.rest_names)]
        return np.stack(rows) if rows else np.zeros((0, y.shape[1]))

    def distances(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """How far the quantity of each guard is beyond its level ``(guards, paths)``; negative before it."""
        if not self.guards:
            return np.zeros((0, y.shape[1]))
        values = model.read(y, stored, t, {"guards": [guard.row for guard in self.guards]})["guards"]
        values = np.broadcast_to(values, (len(values), y.shape[1]))
        return np.stack([guard.barrier.beyond(row) for guard, row in zip(self.guards, values, strict=True)])

    def tolerances(self, model: NumericalSDE, y: np.ndarray, stored: np.ndarray, t: Any) -> np.ndarray:
        """The distance within which each guard is on its level, from the size of the terms of its quantity ``(guards, paths)``.

        A quantity whose terms cancel, such as a height, is 0 to the rounding of the terms: the largest change of the quantity
        where one of the numbers that it depends on grows by a small share, divided by this share.
        """
        d, r, n = len(y), len(stored), y.shape[1]
        factors = np.ones((d + r, d + r + 1)) + PERTURBATION * np.eye(d + r, d + r + 1)
        neighbours = (np.concatenate([y, stored])[:, None, :] * factors[:, :, None]).reshape(d + r, -1)
        several = model.of_some(np.tile(np.arange(n), d + r + 1))
        times = np.tile(np.broadcast_to(t, n), d + r + 1)
        values = self.distances(several, neighbours[:d], neighbours[d:], times).reshape(len(self.guards), d + r + 1, n)
        change = np.abs(values[:, :-1] - values[:, -1:])
        size = np.max(np.where(np.isfinite(change), change, 0.0), axis=1, initial=0.0) / PERTURBATION
        levels = np.array([abs(guard.barrier.level) for guard in self.guards]).reshape(-1, 1)
        return LEVEL_RESOLUTION * np.maximum(size, levels)

    @property
    def contacts(self) -> tuple[Any, ...]:
        """Those of its constraint, or of several at once."""
        setting = self.spec.model.sde.setting
        several = [setting.contact] if setting.parts is None else setting.parts.contacts.values()
        return tuple(contact for contact in several if contact is not None)

    def struck(self, source: Mode) -> Any:
        """The contact that an impact from another mode strikes; ``None`` if its normal is not stated or there are several.

        Of several contacts the velocities do not say which force is that of which. Beside other constraints, a contact that the
        mode before has, too, is not what is struck.
        """
        contacts = self.contacts
        if len(contacts) != 1 or contacts[0].normal is None:
            return None
        joined = self.spec.model.sde.setting.parts is not None
        return None if joined and any(_same(contacts[0], other) for other in source.contacts) else contacts[0]

    def ground(self, contact: Any, model: NumericalSDE, rest: np.ndarray, stored: np.ndarray, t: Any) -> Ground:
        """A contact at states."""
        assert contact.normal is not None
        y = np.concatenate([np.zeros((self.projection.velocities, rest.shape[1])), rest])
        return Ground(contact.part, model.read(y, stored, t, {"normal": list(contact.normal)})["normal"])


def first_struck(modes: Sequence[Mode], source: Mode) -> tuple[Mode, Any] | None:
    """The first of these modes with one contact that an impact strikes, and this contact."""
    return next(((mode, contact) for mode in modes if (contact := mode.struck(source)) is not None), None)


def _same(one: Any, other: Any) -> bool:
    """Whether two contacts act on one block along one normal."""
    normals = [None if c.normal is None else [str(x) for x in c.normal] for c in (one, other)]
    return one.part == other.part and normals[0] == normals[1]

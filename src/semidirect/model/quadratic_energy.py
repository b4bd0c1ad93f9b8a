"""Whether the implicit midpoint rule keeps the energy of a system, and all that methods on the group keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.model.derived_equations import Row

if TYPE_CHECKING:
    from semidirect.groups import Advected
    from semidirect.model.emitted_fields import Retraction
    from semidirect.model.numerical_model import NumericalSDE

STATES = 64
"""Random states, of several sizes, at which identities are tested; on each path, if there are more."""
TOLERANCE = 1e-11
"""Rounding of an identity relative to the terms of all columns; measured are 4e-16, and 1e-3 or more where it does not hold."""
TIMES = 0.0, 0.7318, 3.1947
SIZES = np.array([1.0, 0.1, 1.0, 10.0])
"""Of random states, by which regions and terms of any degree are met."""
SHORT = 0.1
"""An increment of time and of each W that moves a state by the group."""
SEED = 4


@final
@dataclass(frozen=True)
class QuadraticEnergy:
    """The energy of a model, if it is one that the implicit midpoint rule keeps and explicit methods do not.

    Attributes
    ----------
    model : NumericalSDE
    noisy : bool
        Whether noise counts, or the drift alone.
    """

    model: NumericalSDE
    noisy: bool = True

    @property
    def columns(self) -> range:
        """The columns that count, the drift first."""
        return range(self.model.wieners + 1 if self.noisy else 1)

    @cached_property
    def conserved(self) -> bool:
        """Whether the rule keeps it, at the cost of nothing else.

        That is so where E is a quadratic function of the state, DE·f = 0 and DE·g_i = 0 for all states (beside the orbit as well,
        where the rule evaluates them), a motion by the group changes E, and all that the group conserves is quadratic too: each
        advected quantity moves on a sphere, and an unconstrained momentum has quadratic Casimirs. Identities are tested
        at random states, which are always the same ones, and without rounding where :func:`.keeps_exactly` can. What holds
        but for rounding counts.
        """
        return _group_is_quadratic(self.model) and _energy_is_kept(self.model, self.columns)

    @property
    def exact(self) -> bool:
        """Whether this is decided without rounding. It takes the symbolic equations, which a later process does not derive again,
        so it is decided when it is asked for.
        """
        from semidirect.model.exact_energy import keeps_exactly

        return not self.conserved or bool(keeps_exactly(self.model, self.columns))


def _group_is_quadratic(model: NumericalSDE) -> bool:
    turns = model.moving_frame.is_whole
    return (not turns or _quadratic_casimirs(model)) and all(map(_on_a_sphere, model.definition.advected.values()))


def _quadratic_casimirs(model: NumericalSDE) -> bool:
    """Of commuting groups, and of rotations and motions of up to four dimensions."""
    group, factors = model.group, model.group.factors or (model.group,)
    return not group.brackets or all(not g.brackets or (g.geometry is not None and g.size <= 4) for g in factors)


def _on_a_sphere(advected: Advected) -> bool:
    """Whether its orbit is a whole sphere, the level set of a quadratic function, or a point."""
    generators = np.asarray(advected.representation.generators, dtype=float)
    tangents = generators @ advected.reference
    directions = int(np.linalg.matrix_rank(tangents)) if tangents.size else 0
    skew = bool(np.all(generators == -np.swapaxes(generators, 1, 2)))
    return directions == 0 or (skew and directions == advected.dimension - 1)


def _energy_is_kept(model: NumericalSDE, columns: range) -> bool:
    if not isinstance(model.structure.quantities(model.system)["observables"].get("energy"), list):
        return False
    draw, d, paths = np.random.default_rng(SEED), model.dimension, model.system.workings.paths
    count = STATES if paths is None else max(paths, STATES)
    some = model if paths is None else model.of_some(np.arange(count) % paths)
    stored = np.full((len(model.coordinates), count), np.nan)  # an energy that depends on s is not kept
    row = {"energy": [Row("observable", "energy", 0)]}

    def energy(y: np.ndarray, t: float) -> np.ndarray:
        return some.read(y, stored, t, row)["energy"][0]

    y, along = draw.normal(size=(2, d, count)) * SIZES[np.arange(count) % len(SIZES)]
    on_a_line = np.stack([energy(y + k * along, t) for k, t in enumerate((*TIMES, TIMES[0]))])
    size = np.max(np.abs(on_a_line), axis=0)
    if not np.all(np.abs(on_a_line[3] - 3 * on_a_line[2] + 3 * on_a_line[1] - on_a_line[0]) <= TOLERANCE * size):
        return False
    units = np.eye(d)[:, :, None]
    slope = np.stack([0.5 * (energy(y + e, 0.0) - energy(y - e, 0.0)) for e in units])  # exact for a quadratic function
    terms = np.stack([slope * some.column(k, y, t) for t in TIMES for k in columns])
    size = np.max(np.abs(terms), axis=(0, 1))
    if not np.all(np.abs(np.sum(terms, axis=1)) <= TOLERANCE * size):
        return False
    frame = some.moving_frame
    retraction: Retraction = "cayley" if model.group.quadratic else "exp"
    increment = frame.increment(y, 0.0, SHORT, np.full((model.wieners, count), SHORT * (len(columns) > 1)))
    before, after = energy(y, 0.0), energy(frame.move(y, increment, retraction), 0.0)
    return bool(np.any(np.abs(after - before) > TOLERANCE * np.abs(before)))

"""One quantity along the paths of a run: its values, and the exact equations at these states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import errors, interpolation
from semidirect.equations import derived_sde, emission, quantity_expressions
from semidirect.expressions import component_names
from semidirect.model import NumericalSDE

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import StratonovichSDE
    from semidirect.invariants import Proof
    from semidirect.results import RunData

EPSILON = float(np.finfo(float).eps)
COEFFICIENT_ROUNDING = 64 * EPSILON
"""A coefficient counts as 0 if it is smaller than this fraction of its terms."""


@final
@dataclass(frozen=True, eq=False)
class Watched:
    """A quantity Q of d components on n paths at T times.

    Attributes
    ----------
    name, status : str
        The observable and its declared status.
    times : array (T,)
    values : array (n, T, d)
    drift : array (n, T, d)
        DQ·f, the coefficient of dt.
    ito : array (n, T, d)
        The drift of the Itô form.
    noise : array (m, n, T, d)
        DQ·g_i, the coefficients of ∘dW^i.
    size : float
        The largest Σ_i |∂Q/∂y_i| |y_i| over the states of the run, which is the size of the terms of Q. A rounding of the
        state by one unit of the last place moves Q by up to this times 1.1e-16.
    steps : int
        How many steps were made.
    brownian : bool
        Whether Wiener processes drive the run.
    proof : callable([along]) → Proof or None
        Whether the exact equations with their noise conserve it; ``None`` if unknown.
    refined : callable() → array (n, T, d) or None
        Its values at half the step on the same noise; ``None`` if there are none.
    order : float
        The order that the method declares here; nan if it declares none.
    one_noise : bool
        Whether all paths got one realisation of the noise.
    """

    name: str
    status: str
    times: np.ndarray
    values: np.ndarray
    drift: np.ndarray
    ito: np.ndarray
    noise: np.ndarray
    size: float
    steps: int
    brownian: bool
    proof: Callable[..., Proof | None] = field(repr=False)
    refined: Callable[[], np.ndarray | None] = field(repr=False)
    order: float
    one_noise: bool = False

    @property
    def roundoff(self) -> float:
        """A bound of the change of a conserved quantity by rounding: one unit of the last place of its terms in each.

        Linear in the number of steps: roundings of one sign are the worst case, and happen where a motion is periodic. Those of
        random sign reach its root; measured are 0.02 to 0.03 of the bound in 1000 steps.
        """
        return EPSILON * self.size * (self.steps + 1)

    @property
    def coefficient_rounding(self) -> float:
        """Below this a coefficient is 0."""
        return COEFFICIENT_ROUNDING * max(self.size, float(np.max(np.abs(self.drift), initial=0.0)))

    @cached_property
    def deviation(self) -> np.ndarray:
        """|Q − Q(0)| (n, T)."""
        return np.asarray(np.linalg.norm(self.values - self.values[:, :1], axis=-1))

    @cached_property
    def measured_order(self) -> float | None:
        """log₂ of the ratio of the deviations (rms) at this step and at half of it; ``None`` without a run at half of it."""
        fine = self.refined()
        if fine is None:
            return None
        size = float(np.sqrt(np.mean(np.linalg.norm(fine - fine[:, :1], axis=-1) ** 2)))
        mine = float(np.sqrt(np.mean(self.deviation**2)))
        return float(np.log2(mine / size)) if size > 0 and mine > 0 else float("inf")

    @property
    def moved_by_noise(self) -> bool:
        """Whether a coefficient of noise differs from 0 beyond rounding."""
        return bool(np.max(np.abs(self.noise), initial=0.0) > self.coefficient_rounding)

    @property
    def still_by_proof(self) -> bool:
        """Whether all noise coefficients are proved to vanish on the constraint, which a method may violate slightly."""
        proof = self.proof("noise")
        return proof is not None and all(v.holds for v in proof.verdicts)


class Coefficients:
    """Callable: value, coefficients and size of a quantity at the states of a run."""

    def __init__(self, system: SystemDefinition, run: RunData, name: str):
        self.sde: StratonovichSDE = derived_sde(system, variables="velocity")
        self.rows = quantity_expressions.component_expressions(system, system.observables()[name], self.sde)
        s = self.sde.setting
        self.inputs = (
            *self.sde.state, *self.sde.coordinates.values(), s.t, *self.sde.definition.parameters, s.dt, *s.dW,
        )  # fmt: skip
        self.parameters = NumericalSDE.of(system, variables="velocity").parameters
        self.good = run.good
        self.states = _states(self.sde, run)
        self.times = run.step_times

    def arguments(self) -> list[Any]:
        """One array (T, n) or number for each input."""
        parameters = [interpolation.of_paths(p, self.good) for p in self.parameters]
        return [*self.states, self.times[:, None], *parameters, *[0.0] * (1 + self.sde.wieners)]

    def columns(self) -> dict[str, np.ndarray]:
        """``drift``, ``noise1``, …, ``ito``: arrays (n, T, d)."""
        function = self.sde.evolution({"Q": self.rows}).function(self.inputs)
        shape = (len(self.times), int(np.count_nonzero(self.good)))
        with np.errstate(all="ignore"):
            values = function(*self.arguments())["Q"]
        return {k: np.stack([np.broadcast_to(x, shape).T for x in v], axis=-1) for k, v in values.items()}

    def size(self) -> float:
        """Σ_i |∂Q/∂y_i| |y_i| by central differences, at the first and the last state."""
        program = self.sde.program
        function = emission.numerical_function(program, self.rows, self.inputs)
        ends = [x[[0, -1]] if np.ndim(x) == 2 else x for x in self.arguments()]
        total = np.zeros(1)
        for i in range(len(self.states)):
            step = 1e-5 * np.abs(ends[i])
            with np.errstate(all="ignore"):
                ahead, behind = (function(*ends[:i], ends[i] + sign * step, *ends[i + 1 :]) for sign in (1, -1))
                parts = [np.abs(np.subtract(a, b)) for a, b in zip(ahead, behind, strict=True)]
            total = total + np.max(parts, axis=0) / 2e-5
        return float(np.max(total))


def _states(sde: StratonovichSDE, run: RunData) -> list[np.ndarray]:
    """Each state variable and stored coordinate at all times, arrays (T, n); coordinates that were not saved are nan."""
    states = []
    for variable in sde.variables:
        if variable.name not in run.data:
            raise errors.InputError(
                "what the equations say along a run needs its states", expected=f"{variable.name} among what was kept",
                got=", ".join(run.data), hint="Save everything: leave the names of sd.Save out.",
            )  # fmt: skip
        values = run.data[variable.name][run.good]
        values = values[..., None] if values.ndim == 2 else values
        states += [values[..., j].T for j in range(variable.dimension)]
    missing = np.full((len(run.times), int(np.count_nonzero(run.good))), np.nan)
    stored: dict[int, np.ndarray] = {}
    for name, where in component_names.grouped(tuple(sde.coordinates)).items():
        if name in run.data:
            values = run.data[name][run.good]
            values = values[..., None] if values.ndim == 2 else values
            stored |= {i: values[..., j].T for j, i in enumerate(where)}
    return [*states, *(stored.get(i, missing) for i in range(len(sde.coordinates)))]

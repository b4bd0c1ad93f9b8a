"""The force in a rolling contact along a run: whether it pushes, and what friction it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core.errors import InputError
from semidirect.equations.derive import derived_sde
from semidirect.equations.emission import numerical_function

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.run import Run


@final
@dataclass(frozen=True)
class ContactForces:
    """The contact force without its white-noise part, at every stored time of every path.

    Attributes
    ----------
    times : array (T,)
    normal : array (paths, T)
        Its component along Γ [N]; rolling on a plane asks for it to be positive.
    friction : array (paths, T)
        The ratio of its tangential component to the normal one: the coefficient of friction that rolling needs; infinite
        where the contact would have to pull.
    noisy : bool
        Whether the noise has a reaction too, which is white and has no size at a time.
    """

    times: np.ndarray
    normal: np.ndarray
    friction: np.ndarray
    noisy: bool

    @property
    def valid(self) -> bool:
        """Whether the contact pushes everywhere."""
        return bool(np.all(self.normal > 0))

    @property
    def friction_needed(self) -> float:
        """The largest coefficient of friction."""
        return float(np.max(self.friction))

    def __str__(self) -> str:
        low = np.unravel_index(np.argmin(self.normal), self.normal.shape)
        where = f"path {low[0]}, t = {self.times[low[1]]:.6g}"
        text = f"normal force from {self.normal.min():.6g} N ({where}) to {self.normal.max():.6g} N; "
        text += f"friction coefficient needed: {self.friction_needed:.4g}"
        text += "" if self.valid else "; the contact would have to pull: rolling is not possible there"
        return text + ("; the noise has a white reaction beside it" if self.noisy else "")


def contact_forces(
    system: SystemDefinition, run: Run, *, weight: float | None = None, linear: str = "Y", vertical: str = "Gamma"
) -> ContactForces:
    """The contact force F = d(∂l/∂Y)/dt + Ω × ∂l/∂Y + w Γ of a body that rolls, from the drift of its equations.

    Parameters
    ----------
    system : System
        With one rolling constraint.
    run : Run
        One of its runs, with ``save="every:…"`` and all of its state kept.
    weight : float, optional
        w = m g. Default: the system's ``mass`` times ``gravity`` where the potential is a function of Γ alone, so that l does
        not know the weight as a force on Y; 0 where the positions are advected, since gravity is then among the forces.
    linear, vertical : str
        Names of the velocity block and of the vertical.

    Raises
    ------
    InputError
        If the system lacks one of these, or the reaction.
    """
    sde = derived_sde(system, variables="velocity")
    group = sde.definition.group
    if "reaction" not in sde.program.outputs or linear not in group.blocks or vertical not in sde.definition.advected:
        raise InputError(
            f"contact forces of {type(system).__name__}", expected=f"a constraint, a velocity {linear}, a vertical {vertical}",
            got=f"blocks {', '.join(group.blocks)}; advected {', '.join(sde.definition.advected) or 'nothing'}",
        )  # fmt: skip
    part = group.blocks[linear]
    if weight is None:
        moved = any(np.any(q.representation.generators[part]) for q in sde.definition.advected.values())
        weight = 0.0 if moved else float(np.prod([_number(system, name) for name in ("mass", "gravity")]))
    state: dict[Any, np.ndarray] = {}
    for variable in sde.variables:
        rows = np.asarray(run[variable.name])
        state |= dict(zip(variable.symbols, np.moveaxis(rows.reshape(*rows.shape[:2], -1), -1, 0), strict=True))
    times, shape = np.asarray(run.times), next(iter(state.values())).shape
    inputs: dict[Any, Any] = {**state, sde.setting.t: np.broadcast_to(times, shape)}
    for name, symbols in system.parameter_symbols.items():
        inputs |= dict(zip(symbols.flat, np.ravel(system.values[name]).tolist(), strict=True))
    column = sde.column(0)
    found = numerical_function(column, column.outputs["reaction"][part], tuple(inputs))(*inputs.values())
    up = np.stack([state[x] for x in sde.setting.a[sde.definition.advected_layout[vertical]]])
    force = np.stack([np.broadcast_to(f, shape) for f in found]) + weight * up
    normal = np.sum(force * up, axis=0)
    tangential = np.linalg.norm(force - normal * up, axis=0)
    friction = np.where(normal > 0, tangential / np.where(normal > 0, normal, 1.0), np.inf)
    noisy = any(any(e != 0 for e in sde.column(k + 1).outputs["reaction"]) for k in range(sde.wieners))
    return ContactForces(times, normal, friction, noisy)


def _number(system: SystemDefinition, name: str) -> float:
    if name not in system.values:
        raise InputError(f"the weight of {type(system).__name__}", expected=f"a parameter {name!r}", got="none",
                         hint="Give it by weight=.")  # fmt: skip
    return float(system.values[name])

"""The forces of a contact along a run as a table: whether it pushes, and what friction it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from semidirect.core.display import Read
from semidirect.core.errors import unknown_quantity
from semidirect.core.frozen import Rebuilt
from semidirect.ensemble.run import a_run
from semidirect.equations.derive import derived_sde
from semidirect.model.numerical_sde import numerical_sde

if TYPE_CHECKING:
    from semidirect.definition.system_definition import SystemDefinition
    from semidirect.ensemble.run import RunData

QUANTITIES = ("normal-force", "tangential-force", "friction-needed")


@final
@dataclass(frozen=True, repr=False)
class ContactForces(Read, Read, Rebuilt):
    """The quantities of the contact at every stored time of every path, without their white-noise part.

    Attributes
    ----------
    times : array (T,)
    normal, tangential : array (paths, T)
        Parts of the force of the ground on the body [N]; where ``normal`` is negative the contact would have to pull.
    friction : array (paths, T)
        Their ratio, the coefficient of friction that is needed; infinite where the contact would have to pull.
    noisy : bool
        Whether the noise has a reaction too, which is white and has no size at a time.
    """

    times: np.ndarray
    normal: np.ndarray
    tangential: np.ndarray
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
        text += "" if self.valid else "; the contact would have to pull: the constraint does not hold there"
        return text + ("; the noise has a white reaction beside it" if self.noisy else "")


def contact_forces(system: SystemDefinition, run: RunData) -> ContactForces:
    """The forces of the contact along a run, which are quantities of the system.

    Parameters
    ----------
    system : System
        With a constraint that is a contact.
    run : Run
        One of its runs, with ``save="every:…"`` and these quantities among what it saves.

    Raises
    ------
    InputError
        If the system has no contact or does not state what its force is made of, with the reason; or if the run did not save
        these quantities.
    """
    a_run(run)
    shape = numerical_sde(system, variables="velocity").structure.shape
    for name in QUANTITIES:
        if name not in run.data:
            raise unknown_quantity("contact forces of a run: the quantity", name, run.data, shape.absent)
    sde = derived_sde(system, variables="velocity")
    noisy = any(any(e != 0 for e in sde.column(k + 1).outputs["reaction"]) for k in range(sde.wieners))
    normal, tangential, friction = (np.asarray(run[name]) for name in QUANTITIES)
    return ContactForces(np.asarray(run.times), normal, tangential, friction, noisy)

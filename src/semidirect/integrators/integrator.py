"""The abstract integrator: one step of a model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from semidirect import ops
from semidirect.errors import InputError

if TYPE_CHECKING:
    from semidirect.integrators.tableau import Tableau
    from semidirect.kernels.model import Model, Retraction


class Step(NamedTuple):
    """What a step returns: the new state ``(d, paths)``, the transport it used ``(n, paths)``, and which paths converged."""

    y: np.ndarray
    v: np.ndarray
    converged: np.ndarray | None = None


class Integrator(ABC):
    """A one-step method for dy = f dt + Σ g_i∘dW^i, array code over the component axis.

    Class attributes declare what it is; a pairing that it cannot treat is refused when it is made.

    Attributes
    ----------
    name : str
        Name on the command line.
    calculus : {"stratonovich", "ito", "ode"}
        Which form of the equations it steps.
    strong_order : dict noise class → float
        Declared strong orders, for ``additive``, ``single``, ``commutative`` and ``general`` noise.
    deterministic_order : int
        Order without noise.
    implicit, geometric : bool
        Whether it solves equations; whether it moves s and a by the group.
    preserves : str
        What it keeps, in words.
    tableau : Tableau or None
        Its coefficients, where it is a Runge–Kutta method, flat or in the moving frame.
    """

    name: ClassVar[str]
    calculus: ClassVar[Literal["stratonovich", "ito", "ode"]] = "stratonovich"
    strong_order: ClassVar[Mapping[str, float]] = MappingProxyType({})
    deterministic_order: ClassVar[int]
    implicit: ClassVar[bool] = False
    geometric: ClassVar[bool] = False
    preserves: ClassVar[str] = ""
    tableau: ClassVar[Tableau | None] = None

    @abstractmethod
    def step(self, model: Model, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step from ``t`` to ``t + dt`` with Wiener increments ``dW`` of shape ``(m, paths)``.

        With :attr:`nodes` and a smooth driving path, ``dW`` is ``(s m, paths)``: W′ dt at each node.
        """

    def retraction(self, model: Model) -> Retraction:
        """How s moves on the group by the transport of a step."""
        return "exp"

    @classmethod
    def from_argument(cls, text: str) -> Integrator:
        """The method with the argument that is written in parentheses after its name; InputError where it takes none."""
        raise InputError(f"method {cls.name!r} takes no argument", got=repr(text), hint=f"Write {cls.name}.")

    @property
    def nodes(self) -> tuple[float, ...]:
        """Where in a step it asks for W′ of a smooth driving path; nowhere, if increments do not limit its order."""
        return self.tableau.nodes if self.tableau is not None and self.tableau.order > 2 else ()

    @property
    def label(self) -> str:
        """Name with arguments."""
        return self.name


def flat(model: Model, y: np.ndarray, k: np.ndarray) -> np.ndarray:
    """y + dy for a flat increment k = [dy; v]."""
    return y + k[: model.dimension]


def scale(y: np.ndarray) -> np.ndarray:
    """The size of a state, at least 1, path by path: the unit of convergence of implicit methods."""
    size = ops.absolute(y[0])
    for row in y[1:]:
        size = ops.maximum(size, ops.absolute(row))
    return ops.maximum(size, 1.0)

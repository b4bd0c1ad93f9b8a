"""Methods that move on the group by a retraction that users may choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Self, final

from semidirect.core import errors
from semidirect.integrators.method import Integrator

if TYPE_CHECKING:
    from semidirect.model import NumericalSDE, Retraction


class Requires(Enum):
    """The requirements of a geometric method on the equations."""

    NOTHING = "nothing"
    MOMENTA = "a state of momenta"
    UNCONSTRAINED = "a state of momenta, and no constraint"


@dataclass(frozen=True)
class Retracted(Integrator):
    """A geometric method by the exponential, ``name(exp)``, or by the Cayley map, ``name(cayley)``.

    By default the Cayley map if it stays on the group, else the exponential.

    Attributes
    ----------
    requires : Requires
        Which equations it can step.
    by : {"exp", "cayley"}, optional
        The retraction; default the Cayley map if it stays on the group, else the exponential.
    """

    geometric: ClassVar[bool] = True
    requires: ClassVar[Requires] = Requires.NOTHING

    by: Retraction | None = None

    @classmethod
    @final
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> Self:
        """``name(exp)`` or ``name(cayley)``."""
        return cls(retraction_from(text, cls.name))

    @property
    @final
    def label(self) -> str:
        """The name, with the retraction if one was chosen."""
        return f"{self.name}({self.by})" if self.by else self.name

    @final
    def retraction(self, model: NumericalSDE) -> Retraction:
        """The chosen retraction, or the default of the group; raises a MethodError if the method does not apply."""
        if self.requires is not Requires.NOTHING:
            _require_unknown_velocity(model, self.name)
        if self.requires is Requires.UNCONSTRAINED and model.moving_frame.constrained:
            raise errors.MethodError(
                f"{self.name} is for systems without a constraint: a constrained motion is not Hamiltonian, so no method is "
                "symplectic for it",
                hint="Use nonholonomic, or lie-heun.",
            )
        if self.requires is not Requires.NOTHING:
            _require_momenta(model, self.name)
        return resolved(self.by, model)


def _require_unknown_velocity(model: NumericalSDE, method: str) -> None:
    if model.structure.shape.form == "P" and not model.layout["P"].stop:
        raise errors.MethodError(
            f"{method} matches momenta at the ends of steps, and the state of this model has none: its velocity is given",
            hint="Use lie-heun or lie-midpoint.",
        )


def _require_momenta(model: NumericalSDE, method: str) -> None:
    if model.structure.shape.form != "P":
        text = ", a constraint by directions" if model.moving_frame.constrained else ""
        raise errors.MethodError(
            f"{method} matches momenta at the ends of steps, and the state of this model is velocities",
            expected=f"a Lagrangian quadratic in ξ{text} and variables='momentum'",
            hint="Other Lagrangians and covectors are not built: use implicit-midpoint or lie-heun.",
        )


def resolved(requested: Retraction | None, model: NumericalSDE) -> Retraction:
    """The chosen retraction, or the default.

    Raises
    ------
    MethodError
        If the Cayley map was chosen but leaves the group.
    """
    if requested == "cayley" and not model.group.quadratic:
        raise errors.MethodError(
            f"the Cayley map leaves {model.group!r}",
            hint="It stays on quadratic groups only; use the exponential, '(exp)'.",
        )
    return "exp" if requested == "exp" or not model.group.quadratic else "cayley"


def retraction_from(text: str, method: str) -> Retraction:
    """The retraction that the argument of a method names."""
    if text == "exp":
        return "exp"
    if text == "cayley":
        return "cayley"
    raise errors.InputError(f"{method}(retraction)", expected="exp or cayley", got=repr(text))

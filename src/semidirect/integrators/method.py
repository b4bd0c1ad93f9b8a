"""The abstract integrator: one step of a model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, final

import numpy as np

from semidirect.core import dual, errors, ops, user_code
from semidirect.random import DrivingProcess, iterated_integrals

if TYPE_CHECKING:
    from semidirect.integrators.tableau import Tableau
    from semidirect.model import NumericalSDE, Retraction


WEAK_ONE: Mapping[str, float] = MappingProxyType({"additive": 1.0, "single": 1.0, "commutative": 1.0, "general": 1.0})
"""Weak orders of most consistent methods."""


class Step(NamedTuple):
    """The result of a step: the new state ``(d, paths)``, its transport ``(n, paths)``, and which paths converged."""

    y: np.ndarray
    v: np.ndarray
    converged: np.ndarray | None = None


class Integrator(user_code.Hooked, ABC):
    """A one-step method for dy = f dt + Σ g_i∘dW^i, array code over the component axis.

    Class attributes declare its properties; a run to which it does not apply raises an error before the first step.

    Attributes
    ----------
    name : str
        Name on the command line. The class is found by it, here as in another package, see
        :mod:`semidirect.core.registry`.
    argument : str
        The argument in parentheses after the name, for help: ``alpha``.
    calculus : {"stratonovich", "ito", "ode"}
        Which form of the equations it steps.
    strong_order : dict noise class → float
        Declared strong orders, for ``additive``, ``single``, ``commutative`` and ``general`` noise.
    weak_order : dict noise class → float
        Declared weak orders, likewise.
    weak : bool
        Whether it takes three-point increments only, and so gives distributions and no paths.
    transport : bool
        Whether its orders hold if noise moves the configuration.
    integrals : IteratedIntegrals or None
        The iterated integrals that it needs; their rows follow the increments in dW.
    deterministic_order : int
        Order without noise.
    implicit, geometric : bool
        Whether it solves equations; whether it moves s and a by the group.
    preserves : str
        The quantities that it preserves, in words.
    tableau : Tableau or None
        Its coefficients, if it is a Runge–Kutta method, flat or in the moving frame.
    """

    name: ClassVar[str]
    argument: ClassVar[str] = ""
    calculus: ClassVar[Literal["stratonovich", "ito", "ode"]] = "stratonovich"
    strong_order: ClassVar[Mapping[str, float]] = MappingProxyType({})
    weak_order: ClassVar[Mapping[str, float]] = MappingProxyType({})
    weak: ClassVar[bool] = False
    transport: ClassVar[bool] = True
    deterministic_order: ClassVar[int]
    implicit: ClassVar[bool] = False
    geometric: ClassVar[bool] = False
    preserves: ClassVar[str] = ""
    tableau: ClassVar[Tableau | None] = None

    @abstractmethod
    def step(self, model: NumericalSDE, y: np.ndarray, t: float, dt: float, dW: np.ndarray) -> Step:
        """One step from ``t`` to ``t + dt`` with Wiener increments ``dW`` of shape ``(rows(m), paths)``.

        With :attr:`nodes` and a smooth driving path, ``dW`` is ``(s m, paths)``: W′ dt at each node.
        """

    def retraction(self, model: NumericalSDE) -> Retraction:
        """The retraction by which s moves with the transport v of a step: the Cayley map if it is accurate enough.

        It differs from the exponential by v³/12, which is h^{3/2} with noise: what is left of it is of strong order 1, of weak
        order 1, and without noise of order 2.
        """
        orders = (*self.strong_order.values(), self.weak_order.get("general", 1.0))
        enough = self.deterministic_order <= 2 and max(orders) <= 1
        return "cayley" if model.group.quadratic and enough else "exp"

    @classmethod
    def from_argument(cls, text: str, by_name: Callable[[str], Integrator]) -> Integrator:
        """The method with the argument in parentheses after its name; raises an InputError if it has no argument."""
        raise errors.InputError(f"method {cls.name!r} takes no argument", got=repr(text), hint=f"Write {cls.name}.")

    @property
    def nodes(self) -> tuple[float, ...]:
        """The times in a step at which it needs W′ of a smooth driving path; none, if increments do not limit its order."""
        return self.tableau.nodes if self.tableau is not None and self.tableau.order > 2 else ()

    @property
    def label(self) -> str:
        """Name with arguments."""
        return self.name

    @property
    def integrals(self) -> iterated_integrals.IteratedIntegrals | None:
        """The iterated integrals that it needs; by default none."""
        return None

    @final
    def rows(self, wieners: int) -> int:
        """Number of rows of dW for m Wiener processes."""
        return wieners + (0 if self.integrals is None else self.integrals.rows(wieners))

    @final
    def check(self, model: NumericalSDE, driver: DrivingProcess | None) -> None:
        """Raise an error if the method does not apply to a run; called before the first step.

        Raises
        ------
        MethodError
            With the reason, and what to use.
        """
        if driver is None:
            return
        if driver.increment_law is None:
            self._check_path(model, driver)
        else:
            self._check_noise(model, driver, driver.increment_law)

    def _check_path(self, model: NumericalSDE, path: DrivingProcess) -> None:
        if self.calculus == "ito" and model.wieners:
            raise errors.MethodError(
                f"{self.label} steps the Itô form, which needs increments of a Wiener process", got="a driving path",
                hint="Use a Stratonovich method such as heun or lie-heun: they follow a smooth path itself.",
            )  # fmt: skip
        integrals = self.integrals
        if (self.weak or integrals) and path.components != self.rows(model.wieners):  # else all rows are given
            needs = (
                "three-point increments" if self.weak or integrals is None else f"{integrals.words} of a Wiener process"
            )
            raise errors.MethodError(
                f"{self.label} needs {needs}",
                got="a driving path",
                hint="Use heun or lie-heun: they follow a path as it is.",
            )
        if self.calculus == "ode" and not path.smooth:
            raise errors.MethodError(
                f"{self.label} needs a smooth driving path", got="increments", hint="Give W(t) as an expression."
            )

    def _check_noise(self, model: NumericalSDE, noise: DrivingProcess, law: str) -> None:
        if self.calculus == "ode":
            raise errors.MethodError(
                f"{self.label} cannot follow a Wiener process, which has none of the derivatives that its order and its error "
                "estimate need",
                hint="Give a smooth driving path, driver='sin(t)', or none, driver=0.",
            )
        if self.weak and law != "three-point":
            raise errors.MethodError(
                f"{self.label} gives distributions and no paths: it takes three-point increments only",
                got=f"{law} increments",
                hint="Give driver=Wiener(increment_law='three-point'), or use a method with a strong order.",
            )  # fmt: skip
        if self.integrals is not None and law != self.integrals.increment_law:
            raise errors.MethodError(
                f"{self.label} needs {self.integrals.words} of Brownian paths", got=f"{law} increments",
                hint="Leave increment_law out, or use a method without them.",
            )  # fmt: skip
        if self.weak and noise.correlated:
            raise errors.MethodError(
                f"{self.label} needs independent noises", got="a covariance C",
                hint="Put it into the amplitudes: Σ ξ_i L_ij instead of ξ_j, with L Lᵀ = C.",
            )  # fmt: skip
        weakly = law == "three-point"
        orders = self.weak_order if weakly else self.strong_order
        if orders and not orders.keys() >= {"additive", "single", "commutative", "general"}:
            self._check_class(model, orders, "weak" if weakly else "strong")

    def _check_class(self, model: NumericalSDE, orders: Mapping[str, float], kind: str) -> None:
        from semidirect.model import NoiseClass

        classification = NoiseClass.of(model)
        for name, reason in (
            (classification.name, classification.reason),
            (classification.with_configuration, classification.reason_with_configuration),
        ):
            if name != "none" and name not in orders:
                raise errors.MethodError(
                    f"{self.label} has no {kind} order for {name} noise: {reason}",
                    expected=f"{' or '.join(orders)} noise",
                    hint="Use milstein(areas) or lie-milstein for strong order 1, or heun or lie-heun; "
                    "increment_law='three-point' if expectations are enough.",
                )
        if classification.transports and not self.transport and not classification.central:
            raise errors.MethodError(
                f"{self.label} has no order for noise that moves the configuration, unless it commutes with every motion",
                got="transport noise",
                hint="Use it for random forces only, or milstein or heun.",
            )  # fmt: skip


def flat(model: NumericalSDE, y: np.ndarray, k: np.ndarray) -> np.ndarray:
    """y + dy for a flat increment k = [dy; v]."""
    return y + k[: model.dimension]


def scale(y: np.ndarray) -> Any:
    """The size of a state, at least 1, path by path: the unit of convergence of implicit methods."""
    if not len(y):  # nothing but the configuration moves
        return np.ones(())
    return ops.maximum(dual.largest(y), 1.0)

"""Observables and derived quantities of a system, written as methods of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, overload

from semidirect.core import explains_calls


@dataclass(frozen=True)
class Observable:
    """A function of the state, ``method(self, state)`` → scalar or vector, with its declared properties.

    Attributes
    ----------
    method : callable
        Written with ``semidirect.core.ops``, it is called with symbols to derive and with numbers to evaluate.
    unit : str
        Unit.
    status : str
        Behaviour along a path: ``exact`` (the equations conserve it), ``drifts`` (they do, a method does to its order),
        ``bounded``, ``random`` (it has noise), ``dissipated`` (it never increases), ``positive`` (the model is valid only while
        it is positive, like the force of a contact), or empty if nothing is claimed.
        :meth:`.Run.monitor` compares a run with it.
    needs : callable(system) → bool or None
        Whether a system with its parameters has this observable.
    bound : float or None
        A path fails when the size of the observable exceeds this bound.
    derived : bool
        Whether it is an auxiliary quantity, such as a contact vector.
    """

    method: Callable[[Any, Any], Any]
    unit: str = ""
    status: str = ""
    needs: Callable[[Any], bool] | None = None
    derived: bool = False
    bound: float | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        """Give the function its present location, so that it can be pickled."""
        if getattr(self.method, "__qualname__", "") == f"{owner.__qualname__}.{name}":
            self.method.__qualname__ += ".method"

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[[Any], Any]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else self.method.__get__(instance, owner)

    @property
    def provable(self) -> bool:
        """Whether its status declares that the equations conserve it."""
        return self.status in ("exact", "drifts")

    @property
    def doc(self) -> str:
        """First line of the method's documentation."""
        return (self.method.__doc__ or "").strip().split("\n")[0]


Declaration: TypeAlias = Callable[[Callable[[Any, Any], Any]], Observable]
"""What makes an observable of a method."""

STATUSES = ("", "exact", "drifts", "bounded", "random", "dissipated", "positive")


@explains_calls
def observable(*bare: Any, unit: str = "", status: str = "", needs: Callable[[Any], bool] | None = None,
               bound: float | None = None) -> Declaration:  # fmt: skip
    """Declare an observable; its name is the method's, with hyphens. A path fails when its size exceeds ``bound``."""
    _with_brackets(bare, "observable")
    if not (isinstance(status, str) and status in STATUSES):
        from semidirect.core import errors

        raise errors.UnknownNameError("observable status", status, STATUSES)
    if bound is not None and not (isinstance(bound, (int, float)) and bound > 0):
        from semidirect.core import errors

        raise errors.DefinitionError("bound of an observable", expected="a positive number", got=repr(bound))
    requested: Any = needs
    if not (requested is None or callable(requested)):
        from semidirect.core import errors

        raise errors.DefinitionError("needs of an observable", expected="a function of the system", got=repr(needs))
    return lambda method: Observable(method, unit, status, needs, bound=bound)


@explains_calls
def energy(*bare: Any, unit: str = "J", status: str = "", needs: Callable[[Any], bool] | None = None,
           bound: float | None = None) -> Observable:  # fmt: skip
    """The energy E = ⟨∂l/∂ξ, ξ⟩ − l, with its declared status: ``energy = sd.energy(status="exact")`` in a class."""
    _with_brackets(bare, "energy", at="")
    return observable(unit=unit, status=status, needs=needs, bound=bound)(_energy)


def _energy(self: Any, state: Any) -> Any:
    """E = ⟨∂l/∂ξ, ξ⟩ − l, derived from the Lagrangian."""
    return state.energy


_energy.__name__ = "energy"  # the name of the observable; pickles find the function by its qualified name


@explains_calls
def derived(*bare: Any, unit: str = "") -> Declaration:
    """Declare an auxiliary quantity, shown by ``evaluate`` under ``derived``."""
    _with_brackets(bare, "derived")
    return lambda method: Observable(method, unit, derived=True)


def _with_brackets(bare: tuple[Any, ...], name: str, at: str = "@") -> None:
    if bare:
        from semidirect.core import errors

        raise errors.DefinitionError(
            f"sd.{name} was given {bare[0]!r}", hint=f"Write {at}sd.{name}() with parentheses."
        )

"""The substitute for derived equations where functions of whole arrays state a system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar


class ArrayStatement(ABC):
    """The equations, pages and proofs of a system that is stated by functions of whole arrays.

    Attributes
    ----------
    instead : str
        The remedy where equations in scalars are needed.
    has_scalars : bool
        Whether one of few numbers is written out in scalars.
    """

    instead: ClassVar[str]
    has_scalars: ClassVar[bool] = False
    system: Any

    @property
    @abstractmethod
    def space(self) -> str:
        """The space of states, in place of a group."""

    @property
    def linear(self) -> bool:
        """Whether sums of states are states, as means of filters need it."""
        return True

    def written_out(self) -> Any:
        """The system with equations in scalars that stands for this one; by default there is none."""
        raise self.system.workings.not_written_out()

    def start_written_out(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """A start of it."""
        return state

    def refuse_formulation(self, variables: str, form: str | None) -> None:  # noqa: B027  # there may be no choice
        """Raise an error for state variables or a form which there are, and in which the equations are not solved.

        By default there is no choice of either, as of equations that come from a Hamiltonian.
        """

    @abstractmethod
    def model(self) -> Any:
        """The equations as array functions, a :class:`~semidirect.model.NumericalSDE`."""

    def start(self, state: Mapping[str, Any], *, validate: bool, t: float) -> Mapping[str, Any] | None:
        """The values of all variables that a state of a user gives, ``None`` if these are the variables themselves."""
        return None

    @abstractmethod
    def lines(self, form: str) -> Sequence[tuple[str, str]]:
        """The page of the equations, in Stratonovich's or Itô's form: text and LaTeX of each line."""

    def where(self, form: str) -> str:
        """The sentence of LaTeX that says what the letters of these lines are; empty if they say it."""
        return ""

    @abstractmethod
    def described(self, form: str) -> Mapping[str, Any]:
        """The structure of the equations, in JSON's types."""

    @abstractmethod
    def derivation(self) -> Sequence[str]:
        """How the equations follow, a sentence for each step."""

    @abstractmethod
    def laws(self) -> Iterator[tuple[str, bool, str]]:
        """The checks of `semidirect check` for such a system: a name, whether it holds, and the measured figure."""

    @abstractmethod
    def prove(self, quantity: Any, along: Any) -> Any:
        """Whether a quantity is conserved along some columns, a :class:`~semidirect.invariants.Proof`."""

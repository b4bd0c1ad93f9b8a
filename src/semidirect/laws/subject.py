"""What is being checked: the system, its derivations, and random states of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import Any, TypeVar, final

from semidirect.core.errors import SemidirectError
from semidirect.definition.definition import Definition
from semidirect.definition.plugins import Loaded
from semidirect.definition.system_definition import SystemDefinition
from semidirect.laws.derivations import Derivations, exact_definition
from semidirect.laws.exact_numbers import plain_array
from semidirect.laws.exact_state import ExactState, random_state
from semidirect.laws.theorem import Point, Theorem

T = TypeVar("T")
STATES, TRIES = 3, 12


@final
class Subject:
    """A system under check; what several checks need is made once.

    Parameters
    ----------
    loaded : subclass of System, or Preset
    choices : dict
        Parameters and options that differ from its defaults.
    seed : int
        Of the random states.
    """

    def __init__(self, loaded: Loaded, choices: dict[str, Any], seed: int):
        self.loaded, self.choices, self.seed = loaded, choices, seed
        self._derivations: dict[tuple[Any, ...], Derivations] = {}

    @cached_property
    def system(self) -> SystemDefinition:
        """The system with its parameters."""
        return self.loaded(**self.choices)

    @cached_property
    def definition(self) -> Definition:
        """Its definition with exact numbers."""
        return exact_definition(self.system)

    @cached_property
    def theorem(self) -> Theorem:
        """The theorem in numbers."""
        return Theorem(self.definition)

    def derivations(self, system: SystemDefinition | None = None) -> Derivations:
        """All derivations of the system, or of another structure of it."""
        system = self.system if system is None else system
        if system.signature not in self._derivations:
            self._derivations[system.signature] = Derivations.of(system)
        return self._derivations[system.signature]

    def random(self, purpose: str) -> Random:
        """A generator of its own for each purpose, so that checks do not depend on each other."""
        return Random(f"{self.seed} {purpose}")

    def states(self, purpose: str, definition: Definition | None = None) -> Iterator[ExactState]:
        """Random exact states on the orbit."""
        random = self.random(purpose)
        for _ in range(TRIES):
            yield random_state(self.definition if definition is None else definition, random)

    def at_states(self, purpose: str, function: Callable[[ExactState], T], definition: Definition | None = None,
                  count: int = STATES) -> list[T]:  # fmt: skip
        """A function at some random states; those where the definition divides by 0 or is not real are left out.

        Raises
        ------
        SemidirectError
            If no state is regular.
        """
        found: list[T] = []
        for state in self.states(purpose, definition):
            try:
                found.append(function(state))
            except ArithmeticError:
                continue
            if len(found) == count:
                break
        if not found:
            raise SemidirectError(
                "the definition has no value at random states", hint="Does it divide by zero everywhere?"
            )
        return found

    @cached_property
    def has_basis(self) -> bool:
        """Whether the constraint has coordinates, and so a basis of its distribution."""
        return bool(self.definition.constraint.coordinates(self.definition.group))

    def point(self, state: ExactState) -> Point:
        """A state with its velocity, from the user's functions alone."""
        xi: Any = state.u
        if self.has_basis:
            xi = list(plain_array(self.theorem.velocity(state.u, state.a, state.z, state.t)))
        return Point(xi, state.a, state.z, state.t)

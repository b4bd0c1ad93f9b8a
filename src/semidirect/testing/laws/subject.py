"""The subject of a check: the system, its derivations, and random states of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NoReturn, Protocol, TypeVar, final

from semidirect.core import errors
from semidirect.definition import Definition, SystemDefinition
from semidirect.testing.laws.derivations import Derivations, exact_definition
from semidirect.testing.laws.exact_points.states import ExactState, random_state
from semidirect.testing.laws.float_states import float_state
from semidirect.testing.laws.report import Outcome, failed, ok
from semidirect.testing.laws.theorem import Point, Theorem

T = TypeVar("T")
C = TypeVar("C", bound=SystemDefinition)
STATES, TRIES = 3, 12


class StateSource(Protocol):
    """The source of the states at which laws are checked: random numbers of a seed, or Hypothesis."""

    def exact(self, purpose: str, definition: Definition) -> Iterator[ExactState]:
        """Exact states on the orbit."""

    def floats(self, purpose: str, system: SystemDefinition) -> Iterator[dict[str, Any]]:
        """Complete states in floats."""

    def cases(self, variants: Mapping[str, C]) -> Mapping[str, C]:
        """The variants of a system to check."""

    def none_is_regular(self) -> NoReturn:
        """Say that the definition has no value at any of the states."""


@final
@dataclass(frozen=True)
class Seeded:
    """States drawn by a seed; each purpose has its own random numbers, so that laws do not depend on each other."""

    seed: int = 0

    def random(self, purpose: str) -> Random:
        """The random numbers of a purpose."""
        return Random(f"{self.seed} {purpose}")

    def exact(self, purpose: str, definition: Definition) -> Iterator[ExactState]:
        """A dozen states."""
        random = self.random(purpose)
        for _ in range(TRIES):
            yield random_state(definition, random)

    def floats(self, purpose: str, system: SystemDefinition) -> Iterator[dict[str, Any]]:
        """States without end, the exact ones in floats."""
        random, definition = self.random(purpose), exact_definition(system)
        while True:
            yield float_state(system, random_state(definition, random))

    def cases(self, variants: Mapping[str, C]) -> Mapping[str, C]:
        """All."""
        return variants

    def none_is_regular(self) -> NoReturn:
        """An error."""
        raise errors.SemidirectError(
            "the definition has no value at random states", hint="Does it divide by zero everywhere?"
        )


@final
class Subject:
    """A system whose laws are checked; data that several laws need are computed once.

    Parameters
    ----------
    loaded : subclass of System, or Preset
    choices : dict
        Parameters and options that differ from its defaults.
    seed : int
        Of the random states, of proofs and of runs.
    """

    def __init__(self, kind: Callable[..., SystemDefinition], choices: Mapping[str, Any], seed: int):
        self.loaded, self.choices, self.seed = kind, choices, seed
        self.source: StateSource = Seeded(seed)
        self._known: dict[Any, Any] = {}

    @classmethod
    def of(cls, system: SystemDefinition, seed: int = 0) -> Subject:
        """A system that is made already."""
        return cls(lambda: system, {}, seed)

    def drawn_by(self, source: StateSource) -> Subject:
        """The same subject with its cached data and other states."""
        twin = copy(self)
        twin.source = source
        return twin

    def known(self, make: Callable[[SystemDefinition], T], system: SystemDefinition | None = None) -> T:
        """The cached value of a function of the system, or of a variant of it."""
        system = self.system if system is None else system
        key = (make, id(system))
        if key not in self._known:
            self._known[key] = make(system), system  # the system is held, so that its id stays its own
        value: T = self._known[key][0]
        return value

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
        return self.known(Derivations.of, system)

    def cases(self, find: Callable[[SystemDefinition], Mapping[str, C]]) -> Mapping[str, C]:
        """Variants of the system, chosen by the source of states."""
        return self.source.cases(self.known(find))

    def at_states(self, purpose: str, function: Callable[[ExactState], T], definition: Definition | None = None,
                  count: int = STATES) -> list[T]:  # fmt: skip
        """A function at some exact states, without those where the definition divides by 0 or is not real.

        Raises
        ------
        SemidirectError
            If no state is regular.
        """
        results: list[T] = []
        for state in self.source.exact(purpose, self.definition if definition is None else definition):
            try:
                results.append(function(state))
            except ArithmeticError:
                continue
            if len(results) == count:
                break
        return results or self.source.none_is_regular()

    def faultless(self, purpose: str, fault: Callable[[ExactState], str], fact: str, look_at: str) -> Outcome:
        """The outcome of a law whose fault at an exact state is a text, empty if there is none."""
        faults = self.at_states(purpose, fault)
        wrong = next(filter(None, faults), "")
        return failed(wrong, look_at) if wrong else ok(f"{fact} exactly at {len(faults)} states")

    @cached_property
    def has_basis(self) -> bool:
        """Whether the distribution has a basis."""
        return self.definition.has_basis

    def point(self, state: ExactState) -> Point:
        """A state with its velocity, from the user's functions alone."""
        return self.theorem.point(state.u, state.a, state.z, state.t)

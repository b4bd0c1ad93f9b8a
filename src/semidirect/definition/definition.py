"""The data that a user states: group, advected quantities, Lagrangian or Hamiltonian, constraint, noise, forces."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from semidirect.core import Blocks, display, errors, exact
from semidirect.definition.constraints.find_joining import States, find_joining
from semidirect.definition.constraints.joined_constraints import JoinedConstraints
from semidirect.definition.constraints.stochastic_constraint import StochasticConstraint
from semidirect.definition.constraints.unconstrained import Unconstrained
from semidirect.definition.double_bracket import DoubleBracket
from semidirect.definition.transport_noise import InternalState
from semidirect.expressions import component_names
from semidirect.groups import Advected, LieGroup, configuration


@dataclass(frozen=True, repr=False)
class Forces(display.Brief):
    """External forces F dt + Σ F_i∘dW^i + Σ F'_j∘dB^j, covectors in 𝔰*, functions of any of ``xi, a, t, z, group``.

    Attributes
    ----------
    drift : callable → (n,) or None
        F.
    noise : callable → sequence of (n,) or None
        F_i, with the Wiener processes W^i of the transport noise.
    independent : callable → sequence of (n,) or None
        F'_j, with their own Wiener processes B^j.
    """

    drift: Callable[..., Any] | None = None
    noise: Callable[..., Sequence[Any]] | None = None
    independent: Callable[..., Sequence[Any]] | None = None


@dataclass(frozen=True, repr=False)
class Definition(display.Brief):
    """The data of the theorem (EP), as functions; called with symbols to derive and with numbers to evaluate.

    Attributes
    ----------
    group : LieGroup
        S, with ξ = s⁻¹ds/dt in its algebra, blocks named.
    lagrangian : callable(xi, a[, t, z]), or None
        l, a scalar; none where the constraint gives the velocity, and then l = 0, and where h is stated alone.
    constraint : StochasticConstraint
        The distribution and the noise.
    advected : dict name → Advected
        a = s⁻¹·a₀, blocks named.
    internal : sequence of InternalState
        z, in addition to the internal states of the noise.
    forces : Forces
        External forces.
    dissipation : DoubleBracket, optional
        Dissipation by transport.
    parameters : sequence of symbols
        Symbols for numbers that are given later.
    momentum_names : dict
        Names of the momenta of the coordinates of D; default ``p_<name>``.
    units : dict name → str
        Units of velocities, of coordinates of s and of other variables, where nothing else states them.
    named : dict name → callable(state)
        Functions of the state; those of (a, t, z) alone stay letters on pages.
    hamiltonian : callable(p, a[, t, z]), or None
        h, a scalar. Without l, equations come from it.
    noise_hamiltonian : callable(p, a[, t, z]) → sequence of scalars, or None
        h_i, each with its own Wiener process, in addition to the noise of the constraint.
    origin : callable() → Definition, or None
        A function that makes the same definition, see :meth:`made_by`; it can be pickled even if its functions are lambdas.
    """

    group: LieGroup
    lagrangian: Callable[..., Any] | None
    constraint: StochasticConstraint
    advected: Mapping[str, Advected] = field(default_factory=dict)
    internal: Sequence[InternalState] = ()
    forces: Forces = field(default_factory=Forces)
    dissipation: DoubleBracket | None = None
    parameters: Sequence[Any] = ()
    momentum_names: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    hamiltonian: Callable[..., Any] | None = None
    noise_hamiltonian: Callable[..., Sequence[Any]] | None = None
    origin: Callable[[], Definition] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.constraint, Mapping | tuple | list):
            object.__setattr__(self, "constraint", JoinedConstraints.of(self.constraint))
        self._of_the_right_kinds()
        if isinstance(self.constraint, JoinedConstraints) and self.constraint.joining is None:
            object.__setattr__(self, "constraint", self.constraint.joined(find_joining(self.constraint, self.states)))
        names = self.names
        invalid = [n for n in names if not isinstance(n, str) or not n or n.startswith("~") or hasattr(Blocks, n)]
        if invalid:
            raise errors.DefinitionError(
                f"{invalid[0]!r} cannot be the name of a velocity, a momentum, an advected quantity or an internal state",
                expected="text that is not an attribute of Blocks, such as Gamma",
            )
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise errors.DefinitionError(
                f"names used twice: {', '.join(sorted(twice))}",
                hint="Rename velocities, momenta, advected quantities, internal states or coordinates of s; s, t are reserved.",
            )
        for name, quantity in self.advected.items():
            if quantity.representation.group != self.group:
                raise errors.DefinitionError(
                    f"the advected quantity {name!r} belongs to a representation of {quantity.representation.group!r}",
                    expected=f"one of {self.group!r}",
                    hint="Pull it back: Pullback(representation, group, block).",
                )

    def made_by(self, origin: Callable[[], Definition]) -> Self:
        """The same definition, pickled as the function that makes it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(vars(self), origin=origin)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return super().__reduce__() if self.origin is None else (self.origin, ())  # type: ignore[return-value]

    def _of_the_right_kinds(self) -> None:
        """Raise an error if a part has the wrong type, before any of it is used."""
        if not isinstance(self.group, LieGroup):
            raise errors.DefinitionError(
                "group", expected="a Lie group, such as sd.SO3()", got=reprlib.repr(self.group)
            )
        if not isinstance(self.constraint, StochasticConstraint):
            raise errors.DefinitionError(
                "the value returned by constraint()",
                expected="a constraint, such as sd.Unconstrained(), or several in a mapping or a tuple",
                got=reprlib.repr(self.constraint),
            )
        if not isinstance(self.advected, Mapping) or not all(isinstance(q, Advected) for q in self.advected.values()):
            raise errors.DefinitionError(
                "advected",
                expected="names and their sd.Advected(representation, reference)",
                got=reprlib.repr(self.advected),
            )
        if not isinstance(self.internal, Sequence) or not all(isinstance(s, InternalState) for s in self.internal):
            raise errors.DefinitionError(
                "the value returned by internal()",
                expected="a sequence of sd.InternalState",
                got=reprlib.repr(self.internal),
            )
        if not isinstance(self.momentum_names, Mapping):
            raise errors.DefinitionError(
                "momentum_names", expected="a mapping, coordinate of D to name", got=repr(self.momentum_names)
            )
        if not isinstance(self.forces, Forces):
            raise errors.DefinitionError("forces", expected="sd.definition.Forces", got=reprlib.repr(self.forces))
        if not isinstance(self.dissipation, DoubleBracket | None):
            raise errors.DefinitionError("dissipation", expected="sd.DoubleBracket", got=reprlib.repr(self.dissipation))
        for what, force in (("lagrangian", self.lagrangian), *vars(self.forces).items()):
            optional = what != "lagrangian" or self.constraint.prescribed or self.hamiltonian is not None
            if not (callable(force) or (force is None and optional)):
                what = what if what == "lagrangian" else "a force"
                raise errors.DefinitionError(what, expected="a function of any of xi, a, t, z", got=reprlib.repr(force))
        for what, function in (("hamiltonian", self.hamiltonian), ("noise_hamiltonian", self.noise_hamiltonian)):
            if not (callable(function) or function is None):
                raise errors.DefinitionError(
                    what, expected="a function of any of p, a, t, z", got=reprlib.repr(function)
                )
            if function is not None and not isinstance(self.constraint, Unconstrained):
                raise errors.DefinitionError(
                    f"{what} under a constraint", expected="sd.Unconstrained(…), with or without noise",
                    got=type(self.constraint).__name__,
                    hint="A constrained motion is not Hamiltonian: state its Lagrangian, or leave the constraint out.",
                )  # fmt: skip

    @property
    def names(self) -> list[str]:
        """Names of velocities, momenta, advected quantities, internal states, coordinates of s (single and grouped), s, t."""
        velocities = dict.fromkeys((*self.group.blocks, *self.constraint.coordinates(self.group)))
        stored = self.group.stored_names
        return [
            *velocities, *(self.momentum_name(v) for v in velocities), *self.advected, *(s.name for s in self.internal_states),
            *dict.fromkeys((*stored, *component_names.grouped(stored))), "s", "t",
        ]  # fmt: skip

    @property
    def has_basis(self) -> bool:
        """Whether D has coordinates u, of which a prescribed velocity has none; else the velocity ξ is the state."""
        return self.constraint.prescribed or bool(self.constraint.coordinates(self.group))

    @property
    def velocities(self) -> dict[str, int]:
        """Names and dimensions of the velocities that belong to a state: the coordinates of D, or the blocks of ξ."""
        if self.has_basis:
            return self.constraint.coordinates(self.group)
        return {name: part.stop - part.start for name, part in self.group.blocks.items()}

    @property
    def has_energy(self) -> bool:
        """Whether l or h is stated; else there is kinematics alone."""
        return self.lagrangian is not None or self.hamiltonian is not None

    @property
    def by_hamiltonian(self) -> bool:
        """Whether equations come from h: the state has momenta, and no velocities."""
        return self.lagrangian is None and self.hamiltonian is not None

    @property
    def has_momenta(self) -> bool:
        """Whether a function of momenta is stated, h or the h_i."""
        return self.hamiltonian is not None or self.noise_hamiltonian is not None

    @property
    def momenta(self) -> dict[str, slice]:
        """The momenta of the coordinates of D."""
        coordinates = self.constraint.coordinates(self.group)
        return component_names.layout({self.momentum_name(name): size for name, size in coordinates.items()})

    @property
    def first(self) -> dict[str, int]:
        """Names and dimensions of what comes first in a start: velocities, or momenta where equations come from h."""
        if self.by_hamiltonian:
            return {name: part.stop - part.start for name, part in self.momenta.items()}
        return self.velocities

    @property
    def internal_states(self) -> tuple[InternalState, ...]:
        """All internal states: the stated ones, then those of the noise."""
        return (*self.internal, *self.constraint.noise.internal)

    @property
    def advected_layout(self) -> dict[str, slice]:
        """Blocks of a."""
        return component_names.layout({name: q.dimension for name, q in self.advected.items()})

    @property
    def internal_layout(self) -> dict[str, slice]:
        """Blocks of z."""
        return component_names.layout({s.name: s.dimension for s in self.internal_states})

    def momentum_name(self, coordinate: str) -> str:
        """Name of the momentum of a coordinate of D."""
        return self.momentum_names.get(coordinate, "M" if coordinate == "Omega" else f"p_{coordinate}")

    @property
    def states(self) -> States:
        """Where constraints are looked at."""
        return States(self.group, self.advected_layout, self.internal_layout, self.random_orbit_point)

    def orbit_point(self, element: np.ndarray) -> np.ndarray:
        """Advected quantities s⁻¹a₀, one after the other, of an element s with entries of any kind."""
        return exact.objects([x for q in self.advected.values() for x in q.at_entries(element)])

    def random_orbit_point(self, draw: Callable[[], Any]) -> np.ndarray:
        """Advected quantities of a random s.

        They are rational in the random numbers, except for angles, which have a sine, and groups without a Cayley map.
        """
        if not self.advected:
            return np.zeros(0)
        try:
            element = self.group.element(exact.objects(configuration(self.group, draw)))
        except (errors.InputError, ZeroDivisionError):
            element = self.group.exp(np.array([float(draw()) for _ in range(self.group.dimension)]))
        return self.orbit_point(element)

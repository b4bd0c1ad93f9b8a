"""A system as its user states it: group, representation, Lagrangian or Hamiltonian, constraint, noise, forces, observables,
parameters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from semidirect.core import Blocks, errors, exact, user_code
from semidirect.definition.array_statement import ArrayStatement
from semidirect.definition.constraints.complement import compare_forms
from semidirect.definition.constraints.joined_constraints import JoinedConstraints
from semidirect.definition.constraints.joining import Joining
from semidirect.definition.constraints.prescribed_velocity import PrescribedVelocity
from semidirect.definition.constraints.stochastic_constraint import StochasticConstraint
from semidirect.definition.constraints.unconstrained import Unconstrained
from semidirect.definition.definition import Definition, Forces
from semidirect.definition.double_bracket import DoubleBracket
from semidirect.definition.hooks import FORCES, function_of, prepare, value_of
from semidirect.definition.observables import Observable, energy
from semidirect.definition.parameters import Option, Parameter
from semidirect.definition.parametrised import Parametrised
from semidirect.definition.transport_noise import InternalState
from semidirect.definition.workings import declared
from semidirect.groups import Advected, LieGroup
from semidirect.shapes import Shape


def _no_lagrangian(self: SystemDefinition, xi: Blocks, a: Blocks) -> Any:
    """The reduced Lagrangian l(ξ, a[, t, z])."""
    raise errors.DefinitionError(
        f"{type(self).__name__} defines no Lagrangian",
        hint="Define lagrangian(self, xi, a), or hamiltonian(self, p, a).",
    )


def _has_energy(self: SystemDefinition) -> bool:
    """Whether there is a Lagrangian or a Hamiltonian, and nothing else is called energy: alike on all paths."""
    definition = self.workings.of_one_path.workings.definition()
    return definition.has_energy and "energy" not in definition.names


class SystemDefinition(Parametrised):
    """The base of :class:`~semidirect.system.System` without the derived parts; users subclass ``System``.

    The packages that derive, print, run and analyse offer functions of this class; the methods of ``System`` call them.
    """

    group: LieGroup
    advected: Mapping[str, Advected] = MappingProxyType({})
    #: recommended initial state, name → value; may be a property
    initial: Mapping[str, Any] | Any = MappingProxyType({})
    #: names of the momenta of the coordinates of D
    momentum_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    #: units of velocities, of coordinates of s and of other variables, where nothing else states them
    units: ClassVar[Mapping[str, str]] = MappingProxyType({})
    #: symbols of velocities, coordinates, momenta and other variables on printed pages, where they are not those of the names
    symbols: ClassVar[Mapping[str, str]] = MappingProxyType({})
    #: default method; ``None`` chooses by the form of the equations
    method: ClassVar[str | None] = None
    #: the reduced Lagrangian, a method of those of xi, a, t, z that it names
    lagrangian: Callable[..., Any] = _no_lagrangian
    #: the Hamiltonian, a method of those of p, a, t, z that it names; without a Lagrangian, the state has momenta
    hamiltonian: Callable[..., Any] | None = None
    #: noise Hamiltonians h_i(p, a, t, z), a sequence, each with its own noise
    noise_hamiltonian: Callable[..., Sequence[Any]] | None = None
    #: external forces: F, F_i with the W^i of the transport, F'_j with their own noise
    force: Callable[..., Any] | None = None
    noise_force: Callable[..., Any] | None = None
    independent_force: Callable[..., Any] | None = None
    #: dissipation by transport; an attribute, a property or a method
    dissipation: DoubleBracket | Callable[[], DoubleBracket | None] | Any = None
    #: derived from l, or h itself; a subclass may declare its status, ``energy = sd.energy(status="exact")``, or state its own
    energy: Observable

    def __init_subclass__(cls, *, has_energy: bool = True, **more: Any) -> None:
        """A subclass has the energy of its Lagrangian, unless it says ``has_energy=False``: kinematics, classes of methods."""
        super().__init_subclass__(**more)
        if has_energy and not hasattr(cls, "energy"):  # after the observables of the class itself
            cls.energy = energy(needs=_has_energy)
        prepare(
            cls, SystemDefinition, {name for kind in (Parameter, Option, Observable) for name in declared(cls, kind)}
        )
        cls._refuse_names_of(Parametrised, SystemDefinition)
        for name, observable in declared(cls, Observable).items():
            user_code.require_state_signature(observable.method, f"the observable {name!r}", cls, "the state")

    @classmethod
    def _refuse_names_of(cls, *bases: type) -> None:
        """Raise an error if a parameter, option or observable has the name of an attribute of a base class."""
        reserved = {name for base in bases for name in (*vars(base), *inspect.get_annotations(base))} - {"energy"}
        for name in (name for kind in (Parameter, Option, Observable) for name in declared(cls, kind)):
            if name in reserved:
                raise errors.DefinitionError(
                    f"{cls.__name__}.{name} has the name of something that every system has",
                    hint="Choose another name.",
                )

    # -- stated by a subclass --------------------------------------------------------------------------------------

    def constraint(self) -> StochasticConstraint | Mapping[str, StochasticConstraint] | Sequence[StochasticConstraint]:
        """The distribution and the noise; by default none. Several constraints are a mapping of their names, or a tuple."""
        return Unconstrained()

    def internal(self) -> Sequence[InternalState]:
        """Internal states in addition to those of the noise."""
        return ()

    def configuration(self, a: Blocks) -> np.ndarray | None:
        """A group element s ``(N, N)`` with s⁻¹a₀ = a, used if the user gives none.

        By default ``None``: the smallest rotation, or the result of a search, is used.
        """
        return None

    def shape(self) -> Shape | None:
        """The shape of the body for :meth:`Run.view <semidirect.run.Run.view>`; by default ``None``, drawn as three arrows.

        It is called with the parameters of one path, as numbers.
        """
        return None

    def _checked(self) -> None:
        super()._checked()
        _ = self.workings.joining
        for one in self._of_some_paths():
            compare_forms(partial(one._with_exact_numbers()._define_with, ()), partial(one._define_with, ()))

    _states_arrays: ClassVar[bool] = False
    """Whether functions of whole arrays state the equations, which are then not written out in scalars."""

    _has_configuration: ClassVar[bool] = True
    """Whether there is something that moves by the group; else the group is there for the form alone."""

    def _define_arrays(self, sizes: Mapping[str, int], parameters: Sequence[Any]) -> Definition:
        """The definition of a system that :attr:`_states_arrays`: variables of these sizes, which its functions move."""
        return Definition(
            group=self.group, lagrangian=None, constraint=PrescribedVelocity(),
            internal=[InternalState(name, np.zeros(size)) for name, size in sizes.items()], parameters=parameters,
            units=self.units,
        ).made_by(partial(self._define_with, parameters))  # fmt: skip

    def _stated_by_arrays(self) -> ArrayStatement:
        """The substitute for derived equations, for a system that :attr:`_states_arrays`."""
        raise NotImplementedError

    def _with_exact_numbers(self) -> Self:
        """A copy whose parameters are fractions."""
        numbers = {name: value for name, value in self.values.items() if name not in self.workings.table_names}
        return self.workings.with_arrays({name: exact.exact_array(value) for name, value in numbers.items()})

    # -- the definition --------------------------------------------------------------------------------------------

    def _define_with(self, parameters: Sequence[Any]) -> Definition:
        """The definition whose parameters are these symbols."""
        return self._stated_definition(parameters, self.workings.joining)

    def _stated_definition(self, parameters: Sequence[Any], joining: Joining | None) -> Definition:
        """The definition, several constraints of it solved together in known steps; they are found where none are given."""
        if not hasattr(type(self), "group"):
            raise errors.DefinitionError(
                f"{type(self).__name__} defines no group", hint="Write group = sd.SO3(), for example."
            )
        internal = value_of(self, "internal")
        if isinstance(internal, Iterator):
            internal = tuple(internal)
        constraint, has_lagrangian = value_of(self, "constraint"), type(self).lagrangian is not _no_lagrangian
        if isinstance(constraint, Mapping | tuple | list) and joining is not None:
            constraint = JoinedConstraints.of(constraint).joined(joining)
        kinematic = getattr(constraint, "prescribed", False) or self.hamiltonian is not None
        return Definition(
            group=self.group, lagrangian=None if kinematic and not has_lagrangian else self.lagrangian, constraint=constraint,
            advected=self.advected,
            internal=internal, forces=Forces(*(function_of(self, name) for name in FORCES)),
            dissipation=value_of(self, "dissipation"),
            parameters=parameters, momentum_names=self.momentum_names,
            units=self.units, named=self._named(), hamiltonian=self.hamiltonian, noise_hamiltonian=self.noise_hamiltonian,
        ).made_by(partial(self._stated_definition, parameters, joining))  # fmt: skip

    def _named(self) -> dict[str, Callable[..., Any]]:
        """The derived quantities as functions of the state."""
        return {k: partial(o.method, self) for k, o in declared(type(self), Observable).items() if o.derived}

    # -- observables -----------------------------------------------------------------------------------------------

    def observables(self) -> dict[str, Observable]:
        """Observables that exist with the parameters of this system, by hyphenated name."""
        return self.workings.quantities(derived=False)

"""A system: group, representation, Lagrangian and stochastic constraint, with parameters; everything else is derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from semidirect.core.blocks import Blocks
from semidirect.core.errors import DefinitionError, InputError
from semidirect.core.parameters import Option, Parameter, numeric, time
from semidirect.core.signatures import apply, takes_the_state
from semidirect.definition.constraints.complement import both_forms, has_two_forms, require_complement
from semidirect.definition.constraints.stochastic_constraint import StochasticConstraint
from semidirect.definition.constraints.unconstrained import Unconstrained
from semidirect.definition.definition import Definition, Forces
from semidirect.definition.observables import Observable
from semidirect.definition.parametrised import Parametrised
from semidirect.definition.transport_noise import InternalState
from semidirect.groups.exact import exact_array
from semidirect.groups.lie_group import LieGroup
from semidirect.representations.advected import Advected

if TYPE_CHECKING:
    from semidirect.definition.identity import Identity
    from semidirect.ensemble.run import Run
    from semidirect.equations.evolution import Evolution
    from semidirect.equations.program import Program
    from semidirect.equations.sde import StratonovichSDE
    from semidirect.invariants import Invariants, Proof
    from semidirect.invariants.quantity import QuantityLike
    from semidirect.model.numerical_sde import Model
    from semidirect.pages.printing import Equations

_derived: dict[tuple[Any, ...], StratonovichSDE] = {}
_compared: set[tuple[Any, ...]] = set()
"""Signatures of systems whose constraint has been compared with itself for all values of their parameters."""


class System(Parametrised):
    """Base of all systems; a subclass states the data of the theorem (EP) and is frozen once made.

    A subclass gives :attr:`group`, :attr:`advected`, :meth:`lagrangian`, :meth:`constraint` and, where it has them, forces,
    internal states, observables, and a recommended :attr:`initial` state. Parameters and options are class attributes made by
    ``sd.parameter`` and ``sd.option``. Functions of the state may name those of ``xi, a, t, z`` that they use.

    Raises
    ------
    UnknownNameError
        For a keyword that is neither a parameter nor an option.
    InputError
        For a value out of its bounds.
    """

    group: LieGroup
    advected: Mapping[str, Advected] = MappingProxyType({})
    #: recommended initial state, name → value
    initial: Mapping[str, Any] = MappingProxyType({})
    #: names of the momenta of the coordinates of D
    momentum_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    #: method used when none is asked for; ``None`` chooses by the form of the equations
    method: ClassVar[str | None] = None
    #: external forces: F, F_i with the W^i of the transport, F'_j with noise of their own
    force: Callable[..., Any] | None = None
    noise_force: Callable[..., Any] | None = None
    independent_force: Callable[..., Any] | None = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        reserved = {name for base in (System, Parametrised) for name in (*vars(base), *base.__annotations__)}
        for name in (name for kind in (Parameter, Option, Observable) for name in cls.declared(kind)):
            if name in reserved:
                raise DefinitionError(
                    f"{cls.__name__}.{name} has the name of something that every system has",
                    hint="Choose another name.",
                )
        for name, observable in cls.declared(Observable).items():
            takes_the_state(observable.method, f"the observable {name!r}", cls, "the state")

    @classmethod
    def title(cls) -> str:
        """First line of the documentation."""
        return (cls.__doc__ or "").strip().split("\n")[0]

    # -- what a subclass states ------------------------------------------------------------------------------------

    def lagrangian(self, xi: Blocks, a: Blocks) -> Any:
        """The reduced Lagrangian l(ξ, a[, t, z])."""
        raise DefinitionError(f"{type(self).__name__} gives no lagrangian", hint="Define lagrangian(self, xi, a).")

    def constraint(self) -> StochasticConstraint:
        """The distribution and the noise; by default none."""
        return Unconstrained()

    def internal(self) -> Sequence[InternalState]:
        """Internal states beside those of the noise."""
        return ()

    def configuration(self, a: Blocks) -> np.ndarray:
        """A group element s ``(N, N)`` with s⁻¹a₀ = a, where the user gives none: the smallest rotation, or a search."""
        from semidirect.state.configuration import find_configuration

        return find_configuration(self.group, self.advected, a)

    def _checked(self) -> None:
        super()._checked()
        self._compare_forms()

    def _compare_forms(self) -> None:
        """Refuse a constraint whose two forms describe two constraints with these parameters."""
        if self.signature in _compared:
            return
        count = self.paths
        for one in [self] if count is None else [self.at_path(i) for i in sorted({0, count // 2, count - 1})]:
            for exact in (True, False):
                try:
                    definition = one._with_exact_numbers()._define(()) if exact else one._define(())
                    forms = both_forms(definition)
                except Exception:  # the derivation says what is wrong with it, in its own words
                    continue
                require_complement(definition, forms)
                if definition.constraint.one_source or not has_two_forms(definition.constraint):
                    _compared.add(self.signature)
                break

    def _with_exact_numbers(self) -> Self:
        """A twin whose parameters are fractions."""
        exact = {name: exact_array(value) for name, value in self.values.items()}
        return self.with_values({name: value if value.ndim else value.item() for name, value in exact.items()})

    # -- derivation ------------------------------------------------------------------------------------------------

    def define_with(self, parameters: Sequence[Any]) -> Definition:
        if not hasattr(type(self), "group"):
            raise DefinitionError(f"{type(self).__name__} gives no group", hint="Write group = sd.SO3(), for example.")
        internal = self.internal()
        if isinstance(internal, Iterator):
            internal = tuple(internal)
        return Definition(
            group=self.group, lagrangian=self.lagrangian, constraint=self.constraint(), advected=self.advected,
            internal=internal, forces=Forces(self.force, self.noise_force, self.independent_force),
            parameters=parameters, momentum_names=self.momentum_names,
        )  # fmt: skip

    def definition(self) -> Definition:
        """The definition with its numbers."""
        return self.define_with(())

    def symbolic_definition(self) -> Definition:
        """The definition with symbols for its parameters."""
        from semidirect.core.symbols import distinct
        from semidirect.core.tracing import tracing

        with tracing():
            return self.symbolic._define(distinct(self.parameter_symbols.values()))

    def sde(self, principle: str = "hamilton-pontryagin", *, variables: str = "momentum", form: str | None = None
            ) -> StratonovichSDE:  # fmt: skip
        """The equations as an object, derived once for each structure.

        Parameters
        ----------
        principle : {"hamilton-pontryagin", "lagrange-dalembert"}
            Which principle derives them.
        variables : {"momentum", "velocity"}
            State variables, where there is a choice.
        form : {"A", "B"}, optional
            Form of the constraint, where there is a choice.
        """
        for what, value in (("principle", principle), ("state variables", variables), ("form", form)):
            if not (isinstance(value, str) or (value is None and what == "form")):
                raise InputError(what, expected="a name", got=repr(value))
        if (principle, variables, form) not in self._sdes:
            self._sdes[principle, variables, form] = self._derive(principle, variables, form)
        return self._sdes[principle, variables, form]

    @cached_property
    def _sdes(self) -> dict[tuple[str, str, str | None], StratonovichSDE]:
        return {}

    def _derive(self, principle: str, variables: str, form: str | None) -> StratonovichSDE:
        """Derive, or take what was derived for a system of the same class, shapes and functions."""
        from semidirect.definition.identity import identity
        from semidirect.equations import principles

        key = (self.signature, self._identity, principle, variables, form)
        if key in _derived:
            return _derived[key]
        sde = principles.named(principle).derive(
            self.symbolic_definition(),
            variables=variables,  # type: ignore[arg-type]
            form=form,  # type: ignore[arg-type]
        )
        if identity(self) == self._identity:  # else a function changed since it was first asked
            _derived[key] = sde
        return sde

    @cached_property
    def _identity(self) -> Identity:
        """What the functions of this system do and the code that they reach, when it was first asked."""
        from semidirect.definition.identity import identity

        return identity(self)

    def equations(self, form: str = "stratonovich") -> Equations:
        """The equations to read: ``print`` them, or ``.latex()``."""
        from semidirect.pages.printing import Equations

        return Equations(self, form)

    def ito(self) -> Program:
        """The Itô form as a staged program: outputs ``ito:…`` (drift) and ``noise1:…`` of each state variable."""
        return self.sde().ito()

    # -- observables -----------------------------------------------------------------------------------------------

    def observables(self) -> dict[str, Observable]:
        """Observables that this system has with its parameters, by hyphenated name."""
        return self.quantities(derived=False)

    def quantities(self, *, derived: bool) -> dict[str, Observable]:
        return {n: o for n, o in self._observed.items() if o.derived is derived}

    @cached_property
    def _observed(self) -> dict[str, Observable]:
        found = type(self)._declared(Observable)
        return {
            n.replace("_", "-"): o for n, o in found.items() if o.needs is None or all(self.decide_by_path(o.needs))
        }

    def refuse_absent(self, name: Any) -> None:
        """Refuse an observable that the class declares but that is not there with these parameters and options.

        Raises
        ------
        InputError
            For such a name; for any other nothing happens.
        """
        declared = {n.replace("_", "-") for n in type(self)._declared(Observable)}
        if isinstance(name, str) and name.replace("_", "-") in declared - set(self._observed):
            raise InputError(
                f"the observable {name!r} of {type(self).__name__} is not there with these parameters and options",
                hint="Its needs= in the class says with which.",
            )

    def expression(self, quantity: Observable | Callable[..., Any], sde: StratonovichSDE) -> list[Any]:
        """An observable as expressions of the program of an SDE."""
        from semidirect.core.symbols import exact_rows
        from semidirect.core.tracing import tracing

        if not (isinstance(quantity, Observable) or callable(quantity)):
            raise InputError(
                "a quantity", expected="a name, an expression or a function of the state", got=repr(quantity)
            )
        function = partial(quantity.method, self.symbolic) if isinstance(quantity, Observable) else quantity
        what = f"the observable {quantity.method.__name__!r}" if isinstance(quantity, Observable) else "the quantity"
        with tracing():
            rows = list(exact_rows(apply(function, sde.scope, what), what))
        if not rows:
            raise DefinitionError(f"{what} has no component")
        return rows

    def evolution(self, quantity: QuantityLike) -> Evolution:
        """How a quantity moves: drift, one coefficient for each noise, Itô drift.

        Parameters
        ----------
        quantity : str, Observable or callable(state)
            Name of an observable or of a state variable, an expression such as ``"dot(M, Gamma)/norm(M)"``, or any function
            of the state written with ``semidirect.core.ops``.
        """
        from semidirect.invariants.shortener import shortest_evolution

        return shortest_evolution(self, quantity)

    # -- what is conserved -----------------------------------------------------------------------------------------

    def prove(self, quantity: QuantityLike, **how: Any) -> Proof:
        """Decide exactly whether a quantity is conserved: see :func:`semidirect.invariants.prove`."""
        from semidirect.invariants import prove

        return prove(self, quantity, **how)

    def is_conserved(self, quantity: QuantityLike, **how: Any) -> bool:
        """Whether a quantity is conserved exactly: see :func:`semidirect.invariants.is_conserved`."""
        from semidirect.invariants import is_conserved

        return is_conserved(self, quantity, **how)

    def invariants(self, degree: int, **how: Any) -> Invariants:
        """All polynomial first integrals up to a degree: see :func:`semidirect.invariants.find_invariants`."""
        from semidirect.invariants import find_invariants

        return find_invariants(self, degree, **how)

    # -- numbers ---------------------------------------------------------------------------------------------------

    def model(self, *, variables: str = "momentum", form: str | None = None) -> Model:
        """The equations as numerical functions with the parameters of this system."""
        from semidirect.model.numerical_sde import model

        if not (isinstance(variables, str) and isinstance(form, str | None)):
            raise InputError("state variables and form", expected="names", got=repr((variables, form)))
        if (variables, form) not in self._models:
            self._models[variables, form] = model(self, variables, form)
        return self._models[variables, form]

    @cached_property
    def _models(self) -> dict[tuple[str, str | None], Model]:
        return {}

    def drift(self, y: Any, t: float = 0.0) -> np.ndarray:
        """The Stratonovich drift f(y, t); y is the state vector of :meth:`sde`, shape ``(d,)`` or ``(d, paths)``.

        Raises
        ------
        InputError
            For a y of another shape.
        """
        return self.model().column(0, self._vector(y), time(t))

    def diffusion(self, y: Any, t: float = 0.0) -> np.ndarray:
        """The noise fields g_i(y, t) as columns, shape ``(d, m)`` or ``(d, m, paths)``."""
        model, y, t = self.model(), self._vector(y), time(t)
        columns = [model.column(i + 1, y, t) for i in range(model.wieners)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(y), 0, *y.shape[1:]))

    def _vector(self, y: Any) -> np.ndarray:
        """A state vector for all paths."""
        d, paths = self.model().dimension, self.paths
        try:
            array = numeric(y)
        except (TypeError, ValueError):
            raise InputError("a state vector", expected=f"numbers ({d},) or ({d}, paths)", got=repr(y)) from None
        if (
            array.shape[:1] != (d,)
            or array.ndim > 2
            or (paths and array.ndim == 2 and array.shape[1] not in (1, paths))
        ):
            raise InputError("a state vector", expected=f"shape ({d},) or ({d}, {paths or 'paths'})", got=str(array.shape),
                             hint=f"Its components are {', '.join(self.model().structure.state)}.")  # fmt: skip
        return array[:, None] if paths and array.ndim == 1 else array

    def linearise(self, state: Mapping[str, Any] | None = None, *, t: float | None = None) -> dict[str, np.ndarray]:
        """Jacobians of the drift and of each noise field at a state and time (default 0, or that of a ``run.final``), in the
        velocity variables.

        Returns
        -------
        dict
            ``drift`` (d, d), ``noise1`` … (d, d), exact to round-off, and ``state`` (d,) where they were taken.
        """
        from semidirect.state.linearise import linearise

        return linearise(self, state, t)

    def evaluate(self, state: Mapping[str, Any] | None = None, *, t: float | None = None) -> dict[str, Any]:
        """All fields at one state: see :func:`semidirect.state.evaluate.evaluate`."""
        from semidirect.state.evaluate import evaluate

        return evaluate(self, state, t)

    def simulate(self, *, t_end: float, dt: float, **options: Any) -> Run:
        """Run paths: see :func:`semidirect.ensemble.simulate.simulate`."""
        from semidirect.ensemble.simulate import simulate

        return simulate(self, t_end=t_end, dt=dt, **options)

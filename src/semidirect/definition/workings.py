"""The services of a system and of its class for the package: the definition, symbols of parameters, copies, derived results."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, overload

import numpy as np

from semidirect.core import PerPath, Results, arguments, errors, user_code
from semidirect.definition import hooks
from semidirect.definition.observables import Observable
from semidirect.definition.parameters import Option, Parameter
from semidirect.expressions import component_names

if TYPE_CHECKING:
    from semidirect.definition.array_statement import ArrayStatement
    from semidirect.definition.constraints.joined_constraints import JoinedConstraints
    from semidirect.definition.constraints.joining import Joining
    from semidirect.definition.definition import Definition


class Stated(Protocol):
    """The attributes that are read of a system; :class:`~semidirect.definition.parametrised.Parametrised` is one."""

    @property
    def values(self) -> Mapping[str, Any]:
        """Values of the parameters."""

    @property
    def _options(self) -> Mapping[str, Any]: ...

    @property
    def _choices(self) -> Mapping[str, Any]: ...

    def at_path(self, path: int) -> Any:
        """A copy with the parameters of one path."""

    def _define_with(self, parameters: Sequence[Any]) -> Definition: ...

    def _stated_definition(self, parameters: Sequence[Any], joining: Any) -> Definition: ...

    def _of_some_paths(self) -> Sequence[Any]: ...

    def _symbol_stem(self, name: str) -> str: ...

    _states_arrays: ClassVar[bool]

    def _stated_by_arrays(self) -> ArrayStatement: ...

    def _owner_of_results(self) -> Any: ...


S = TypeVar("S", bound=Stated)
W = TypeVar("W", bound="Workings[Any]", covariant=True)


def declared(kind: type, of: type) -> dict[str, Any]:
    """The attributes of a class that are of one kind, bases first."""
    attributes: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        attributes |= {n: v for n, v in vars(base).items() if isinstance(v, of)}
    return {n: v for n, v in attributes.items() if getattr(kind, n) is v}


CHANGE = 1e-3
"""Of an entry, or of 1 where it is smaller: what shows whether constraints stay redundant beside its value."""
SCALED = 1.3125
"""By what numbers are multiplied to see what does not depend on them."""


def _joining_of(definition: Definition, scaled: JoinedConstraints) -> Joining:
    from semidirect.definition.constraints.find_joining import find_joining

    return find_joining(definition.constraint, definition.states, scaled)  # type: ignore[arg-type]


class ClassWorkings:
    """Of a class of systems; ``MyTop.workings``.

    Attributes
    ----------
    kind : type
        The class.
    """

    def __init__(self, kind: type):
        self.kind = kind

    def __repr__(self) -> str:
        return f"workings of {self.kind.__name__}"

    def title(self) -> str:
        """First line of the documentation."""
        return (self.kind.__doc__ or "").strip().split("\n")[0]

    def declared(self, of: type) -> dict[str, Any]:
        """Declarations of one kind, such as :class:`Parameter`, bases first."""
        return declared(self.kind, of)

    def parameters(self) -> dict[str, Parameter]:
        """Declared parameters, bases first."""
        return declared(self.kind, Parameter)

    def options(self) -> dict[str, Option]:
        """Declared options."""
        return declared(self.kind, Option)

    def declared_observables(self) -> dict[str, Observable]:
        """Observables and derived quantities that the class declares, by hyphenated name."""
        return {
            component_names.hyphenated(name): quantity for name, quantity in declared(self.kind, Observable).items()
        }


class Workings(ClassWorkings, Generic[S]):
    """The internal data of a system, ``system.workings``.

    Attributes
    ----------
    system : System
    """

    STATED: ClassVar[tuple[str, ...]] = (*hooks.ATTRIBUTES, *hooks.METHODS)
    """The parts that a system may state, each as a method without arguments, a property or an attribute."""

    def __init__(self, system: S):
        super().__init__(type(system))
        self.system = system

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.system,)  # results are derived again

    def __repr__(self) -> str:
        return f"workings of {self.system!r}"

    def stated(self, name: str) -> Any:
        """The value that the system states under one of the names :attr:`STATED`."""
        return hooks.value_of(self.system, arguments.validated_name("what a system states", name, self.STATED))

    # -- functions of arrays ---------------------------------------------------------------------------------------

    def not_written_out(self, what: str = "") -> errors.DefinitionError:
        """The error for what reads expressions of a system that is stated by functions of whole arrays."""
        return errors.DefinitionError(
            f"{self.kind.__name__} is stated by functions of arrays, so its equations are not written out in scalars"
            + (f", which {what} needs" if what else ""),
            hint=self.system._stated_by_arrays().instead,
        )

    def refuse_arrays(self, what: str = "") -> None:
        """Raise the error of :meth:`not_written_out` for a system that is stated so."""
        if self.system._states_arrays:
            raise self.not_written_out(what)

    # -- results ---------------------------------------------------------------------------------------------------

    @cached_property
    def cache(self) -> dict[Any, Any]:
        """Results that higher packages have derived from this system, by their own keys; not part of its value."""
        return {}

    def known(self, key: Any, make: Callable[[], Any]) -> Any:
        """A result of :attr:`cache`, made at first use."""
        if not (isinstance(key, Hashable) and callable(make)):
            raise errors.InputError(
                "a result that is kept",
                expected="a key that has a hash, and a function that makes it",
                got=reprlib.repr(key),
            )
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]

    @property
    def shared_results(self) -> Results:
        """Results of all systems with one definition, by keys that say signature and identity.

        They live as long as the class, or the data, that define these systems.
        """
        return Results.of(self.system._owner_of_results())

    # -- the definition --------------------------------------------------------------------------------------------

    def define_with(self, parameters: Sequence[Any]) -> Definition:
        """The definition whose parameters are these symbols."""
        return self.system._define_with(parameters)

    def definition(self) -> Definition:
        """The definition with its numbers."""
        return self.define_with(())

    def symbolic_definition(self) -> Definition:
        """The definition with symbols for its parameters."""
        from semidirect.core import symbols

        with user_code.tracing():
            return self.symbolic._define_with(symbols.distinct(self.all_symbols.values()))

    # -- observables -----------------------------------------------------------------------------------------------

    def quantities(self, *, derived: bool) -> dict[str, Observable]:
        """Observables, or the derived quantities that the definition names, by hyphenated name."""
        return {n: o for n, o in self._observed.items() if o.derived is derived}

    @cached_property
    def _observed(self) -> dict[str, Observable]:
        quantities = self.declared_observables()
        return {n: o for n, o in quantities.items() if o.needs is None or all(self.decide_by_path(o.needs))}

    def refuse_absent(self, name: Any) -> None:
        """Raise an error for an observable that the class declares but that does not exist with these parameters and options.

        Raises
        ------
        InputError
            For such a name, and for no other.
        """
        absent = self.declared_observables().keys() - self._observed.keys()
        if isinstance(name, str) and component_names.hyphenated(name) in absent:
            raise errors.InputError(
                f"the observable {name!r} of {self.kind.__name__} does not exist with these parameters and options",
                hint="The argument needs= of its declaration says for which parameters it exists.",
            )

    @property
    def choices(self) -> Mapping[str, Any]:
        """Values of the options."""
        return self.system._choices

    # -- values that differ from path to path ----------------------------------------------------------------------

    @cached_property
    def paths(self) -> int | None:
        """Number of paths, if a parameter is given per path."""
        counts = {len(v.values) for v in self.system.values.values() if isinstance(v, PerPath)}
        if len(counts) > 1:
            raise errors.DefinitionError(
                "per-path parameters have different numbers of paths", expected="one number", got=str(sorted(counts))
            )
        return next(iter(counts), None)

    @property
    def of_one_path(self) -> Any:
        """The object itself, or that of its first path: the structure of all paths is the same."""
        return self.system if self.paths is None else self.system.at_path(0)

    @property
    def of_each_path(self) -> list[Any]:
        """The object itself if its parameters are the same on all paths, or that of each path."""
        return [self.system] if self.paths is None else [self.system.at_path(i) for i in range(self.paths)]

    def decide_by_path(self, ask: Callable[[Any], Any]) -> list[Any]:
        """The decision of a method that depends on numbers: one answer for all paths if possible, else one for each path."""
        paths = self.paths
        try:
            return [ask(self.system)]
        except errors.PerPathError:
            return [ask(self.system.at_path(i)) for i in range(paths or 0)]

    # -- shapes and symbols of parameters --------------------------------------------------------------------------

    def value_shape(self, name: str) -> tuple[int, ...]:
        """Shape of a parameter on one path; ``()`` for a table, which is one symbol."""
        if name in self.table_names:
            return ()
        value = self.system.values[name]
        shape = value.values.shape[1:] if isinstance(value, PerPath) else np.shape(value)
        return tuple(map(int, shape))

    @property
    def signature(self) -> tuple[Any, ...]:
        """The key of the derivation: class, options and shapes, but no numbers."""
        system = self.system
        shapes: list[tuple[str, Any]] = [(n, self.value_shape(n)) for n in system.values]
        if self.joining is not None:
            shapes.append(("constraints", self.joining))
        return (type(system), tuple(system._options.items()), tuple(shapes))

    @property
    def joining(self) -> Joining | None:
        """How several constraints are solved together, which the numbers of a system decide; ``None`` for one constraint.

        Copies with symbols or other values are solved in the same steps.

        Raises
        ------
        DefinitionError
            If it differs between paths.
        """
        return vars(self.system).get("_numbers", self.system).workings._own_joining

    def stays_redundant(self, name: str, index: tuple[int, ...]) -> bool:
        """Whether constraints that are redundant stay so where an entry of a parameter changes."""
        joining = self.joining
        if joining is None or not joining.redundant:
            return True
        one = self.of_one_path
        value = np.array(one.values[name], dtype=float)
        for at in {index, index[::-1]} if self.parameters()[name].symmetric else {index}:
            value[at] += CHANGE * max(abs(value[at]), 1.0)
        changed = one.workings.with_values({**one.values, name: value if value.ndim else value.item()})
        try:
            other = changed.workings._own_joining
        except errors.DefinitionError:  # they contradict each other
            return False
        return other is not None and (other.redundant, len(other.elimination.chosen)) == (
            joining.redundant, len(joining.elimination.chosen),
        )  # fmt: skip

    @cached_property
    def _own_joining(self) -> Joining | None:
        some = self.system._of_some_paths()
        try:
            stated = hooks.value_of(some[0], "constraint")
        except Exception:  # the derivation reports it
            return None
        if not isinstance(stated, Mapping | tuple | list):
            return None
        from semidirect.definition.constraints.joined_constraints import JoinedConstraints

        # entries that stay the same with other numbers do not depend on parameters
        numbers = {n: np.asarray(v, dtype=float) for n, v in some[0].values.items() if n not in self.table_names}
        others_of = {n: SCALED * v for n, v in numbers.items()}
        tables = {n: some[0].values[n] for n in self.table_names}
        scaled = JoinedConstraints.of(hooks.value_of(self.with_arrays(others_of, tables), "constraint"))
        first, *others = (_joining_of(one._stated_definition((), None), scaled) for one in some)
        if any(one != first for one in others):
            raise errors.DefinitionError(
                "the constraints are not solved in the same steps on all paths: others are redundant, or other entries are 0",
                hint="Run the paths with these parameters as another system.",
            )
        return first

    @cached_property
    def symbol_names(self) -> dict[str, np.ndarray]:
        """The names of each parameter's symbols, in its shape: k, k1 …, k1_1 …; a symmetric matrix has one for both triangles.
        Tables are not among them, see :attr:`table_names`.

        Raises
        ------
        DefinitionError
            If two parameters share a symbol.
        """
        by_parameter, owners = {}, dict[str, str]()
        for name, p in self.parameters().items():
            names = np.empty(self.value_shape(name), dtype=object)
            for index in np.ndindex(names.shape):
                key = sorted(index) if p.symmetric and names.ndim == 2 else index
                symbol = names[index] = self.symbol_stem(name) + "_".join(str(i + 1) for i in key)
                if owners.setdefault(symbol, name) != name:
                    raise errors.DefinitionError(
                        f"the parameters {owners[symbol]!r} and {name!r} of {self.kind.__name__} have one symbol, {symbol}",
                        hint="Give one of them another symbol=.",
                    )
            by_parameter[name] = names
        return {name: names for name, names in by_parameter.items() if name not in self.table_names}

    def velocities_of_base(self, definition: Definition) -> set[str]:
        """Names of velocities and momenta that an inherited recommended state may have although a constraint takes them away.

        Such a state belongs to a base class, and the constraint to a class that descends from it.
        """
        bases = self.kind.__mro__
        owners = [next(i for i, base in enumerate(bases) if name in vars(base)) for name in ("constraint", "initial")]
        if owners[0] >= owners[1]:
            return set()
        return {name for block in definition.group.blocks for name in (block, definition.momentum_name(block))}

    def symbol_stem(self, name: str) -> str:
        """The name of a parameter's symbols without indices."""
        return self.system._symbol_stem(name)

    @cached_property
    def table_names(self) -> dict[str, str]:
        """The name of the symbol of each table."""
        parameters = self.parameters().items()
        return {name: p.symbol or name for name, p in parameters if p.is_table}

    @property
    def entries(self) -> dict[str, tuple[str, np.ndarray]]:
        """The entries of parameters that may have values of their own, by names such as ``noise1_3``.

        Each with its parameter, and the places in it that have its symbol: two, off the diagonal of a symmetric matrix.
        """
        entries = {}
        for name, index in self.symbol_places:
            symbols = self.symbol_names[name]
            entries[name + "_".join(str(i + 1) for i in index)] = name, symbols == symbols[index]
        return entries

    @property
    def symbol_places(self) -> list[tuple[str, tuple[int, ...]]]:
        """The places (name, index) of the values of the distinct symbols of the parameters, in the order of the symbols."""
        places: dict[str, tuple[str, tuple[int, ...]]] = {}
        for name, names in self.symbol_names.items():
            for index, symbol in np.ndenumerate(names):
                places.setdefault(symbol, (name, index))
        return list(places.values())

    def with_symbols(self, symbol: Callable[[str], Any]) -> dict[str, np.ndarray]:
        """Read-only arrays in the shapes of the parameters; a function makes each entry from the name of its symbol."""
        if not callable(symbol):
            raise errors.InputError("symbol", expected="a function of a name", got=reprlib.repr(symbol))
        arrays = {}
        for name, names in self.symbol_names.items():
            arrays[name] = np.empty(names.shape, dtype=object)
            for index, text in np.ndenumerate(names):
                arrays[name][index] = symbol(text)
            arrays[name].flags.writeable = False
        return arrays

    @cached_property
    def parameter_symbols(self) -> dict[str, np.ndarray]:
        """The symbols of each parameter, in its shape."""
        from semidirect.core import symbols

        return self.with_symbols(symbols.real)

    @cached_property
    def table_symbols(self) -> dict[str, Any]:
        """The symbol of each table."""
        if not self.table_names:
            return {}
        from semidirect.core import symbols

        return {name: symbols.table_symbol(symbol) for name, symbol in self.table_names.items()}

    @cached_property
    def all_symbols(self) -> dict[str, np.ndarray]:
        """The symbols of each parameter, and an array ``()`` for each table."""
        return {**self.parameter_symbols, **{name: np.array(x, dtype=object) for name, x in self.table_symbols.items()}}

    # -- copies with other values ----------------------------------------------------------------------------------

    @cached_property
    def symbolic(self) -> S:
        """A copy with symbols for its parameters."""
        return self.with_arrays(self.parameter_symbols, self.table_symbols)

    def with_arrays(self, values: Mapping[str, np.ndarray], tables: Mapping[str, Any] = MappingProxyType({})) -> S:
        """A copy whose parameters have the entries of these arrays, unchecked; a scalar is given by an array ``()``.

        Tables keep their numbers, unless something is given that stands for them.
        """
        entries = {name: array if array.ndim else array.item() for name, array in values.items()}
        numbers = {name: self.system.values[name] for name in self.table_names}
        return self.with_values({**numbers, **entries, **tables})

    def with_values(self, values: Mapping[str, Any]) -> S:
        """A copy whose parameters have these values, unchecked."""
        twin = object.__new__(type(self.system))
        numbers = vars(self.system).get("_numbers", self.system)
        vars(twin).update(_values=MappingProxyType(dict(values)), _options=self.system._options, _numbers=numbers)
        return twin


class WorkingsOf(Generic[W]):
    """The attribute ``workings`` of systems and of their classes; that of a system is made once."""

    def __init__(self, kind: type[W]):
        self._kind = kind

    @overload
    def __get__(self, system: None, kind: type) -> ClassWorkings: ...
    @overload
    def __get__(self, system: object, kind: type) -> W: ...
    def __get__(self, system: Any, kind: type) -> Any:
        if system is None:
            return ClassWorkings(kind)
        if "_workings" not in vars(system):
            vars(system)["_workings"] = self._kind(system)
        return vars(system)["_workings"]

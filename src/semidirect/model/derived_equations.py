"""The data of derived equations that a run needs: names, sizes and emitted functions, cached on disk for the next process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from semidirect.core import ForkSafeLock, functions
from semidirect.definition import Identity
from semidirect.equations import derived_sde, quantity_expressions
from semidirect.expressions import component_names
from semidirect.machine import files

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import StratonovichSDE


Digests: TypeAlias = "Callable[[SystemDefinition, Mapping[str, int]], dict[str, str | None]]"

PARTS = ("counts", "texts", "configured")
"""Properties of equations that are computed at first use."""


class Row(NamedTuple):
    """One row of a named quantity, used instead of its expression."""

    kind: str
    name: str
    at: int


class Part(NamedTuple):
    """A named part of the state, and the names of its components."""

    name: str
    kind: str
    components: tuple[str, ...]

    @property
    def dimension(self) -> int:
        """Number of components."""
        return len(self.components)


@dataclass(frozen=True)
class Shape:
    """Names and sizes of derived equations.

    Attributes
    ----------
    principle, form : str
        As of :class:`~semidirect.equations.sde.StratonovichSDE`.
    variables : tuple of Part
        The state.
    wieners : int
        Number of Wiener processes.
    named : dict name → int
        The quantities that observables may use, with numbers of rows.
    residual : int
        Number of rows of the constraint's residual, 0 for none.
    contact : dict name → int
        Quantities of the contact, with numbers of rows.
    absent : dict name → str
        Quantities that equations of a constraint may have and these do not, with the reason.
    matrices : dict name → algebra
        The variables that are matrices, flattened, with the algebra in which they are.
    """

    principle: str
    form: str
    variables: tuple[Part, ...]
    wieners: int
    named: Mapping[str, int]
    residual: int
    contact: Mapping[str, int]
    absent: Mapping[str, str]
    matrices: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, sde: StratonovichSDE) -> Shape:
        """The data of an SDE."""
        parts = tuple(Part(v.name, v.kind, tuple(x.name for x in v.symbols)) for v in sde.variables)
        sizes = {k: len(v) for k, v in sde.named.items()}
        residual = len(sde.program.outputs.get("residual", ()))
        contact = {k: len(v) for k, v in sde.contact.items()}
        return cls(
            sde.principle,
            sde.form,
            parts,
            sde.wieners,
            sizes,
            residual,
            contact,
            quantity_expressions.absent_quantities(sde),
        )

    @property
    def first(self) -> dict[str, int]:
        """The first part of a state, with numbers of components: velocities, or momenta. Equations in velocity variables have
        velocities, or momenta where they come from h.
        """
        return {v.name: v.dimension for v in self.variables if v.kind in ("velocity", "momentum")}

    @property
    def seen(self) -> dict[str, int]:
        """Names of blocks that an observable sees, with numbers of rows."""
        return {"energy": 1, **{component_names.identifier(k): n for k, n in self.contact.items()}, **self.named}

    @property
    def reserved(self) -> set[str]:
        """Names under which observables see a part of the state, which no other quantity may have."""
        return self.named.keys() - {quantity_expressions.REACTION}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Shape:
        """From what :func:`json.dumps` made of ``vars``."""
        parts = tuple(Part(name, kind, tuple(components)) for name, kind, components in data["variables"])
        return cls(**{**data, "variables": parts})


class DerivedEquations:
    """Equations of a class with its options and shapes, derived when a property is needed that is not cached.

    Names, sizes and functions come from a file in the cache if this definition has been derived before, by this version.
    """

    def __init__(self, system: SystemDefinition, variables: str, form: str | None):
        self._system, self._variables, self._form = system, variables, form
        self._lock = ForkSafeLock()
        self._waiting, self._changed = 0, False
        self._functions: dict[str, Callable[..., tuple[Any, ...]]] = {}
        key = Identity.key_on_disk(system, variables, form)
        self._name = files.name_of("equations", key) if key else None
        self._kept: dict[str, Any] = self._read(_first_digests) or {}
        if self._kept:
            self.shape = Shape.from_json(self._kept["shape"])
        else:
            self.shape = Shape.of(self.sde)
            observables = _first_digests(system, self.shape.seen) if self._name else {}
            self._kept = {
                "observables": observables,
                "shape": vars(self.shape),
                "counts": {},
                "texts": {},
                "configured": {},
            }

    def __reduce__(self) -> tuple[Any, ...]:
        return structure, (self._system, self._variables, self._form)

    def _read(self, digests: Digests) -> dict[str, Any] | None:
        content = files.read(self._name) if self._name else None
        if content is None:
            return None
        record: dict[str, Any] = json.loads(content)
        sizes = Shape.from_json(record["shape"]).seen
        return record if record["observables"] == digests(self._system, sizes) else None

    @contextmanager
    def written_once(self) -> Iterator[None]:
        """A block whose data are written at its end: each time, the definition is compared with what it was at first."""
        with self._lock:
            self._waiting += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if self._changed and not self._waiting:
                    self._changed = False
                    self._write()

    def _write(self) -> None:
        """Write the known data, merged with those that other processes wrote meanwhile, if the definition is unchanged."""
        if self._waiting:
            self._changed = True
        elif self._name and Identity.of(self._system) == Identity.first(self._system):
            other = self._read(Identity.of_observables)  # as they are now
            for part in PARTS if other else ():
                self._kept[part] = {**other[part], **self._kept[part]}  # type: ignore[index]
            files.write(self._name, json.dumps(self._kept).encode())

    def keeps(self, rows: Sequence[Any]) -> bool:
        """Whether data about rows may be cached on disk: not if an observable cannot be traced."""
        observables = self._kept["observables"]
        return all(
            isinstance(r, Row) and (r.kind not in ("derived", "observable") or bool(observables.get(r.name)))
            for r in rows
        )

    @cached_property
    def sde(self) -> StratonovichSDE:
        """The equations themselves."""
        return derived_sde(self._system, variables=self._variables, form=self._form)

    @property
    def dimension(self) -> int:
        """Number of components of the state."""
        return len(self.state)

    @cached_property
    def state(self) -> tuple[str, ...]:
        """Names of the components of the state."""
        return tuple(x for v in self.shape.variables for x in v.components)

    # -- functions -------------------------------------------------------------------------------------------------

    def function(self, label: str, text: Callable[[], str], *, keep: bool = True) -> Callable[..., tuple[Any, ...]]:
        """The function of a label; ``text`` writes it if it is not known."""
        with self._lock:
            if label not in self._functions:
                self._functions[label] = functions.build(self.text(label, text) if keep else text())
            return self._functions[label]

    def text(self, label: str, write: Callable[[], str]) -> str:
        """A generated text of a label, cached on disk."""
        with self._lock:
            if label not in self._kept["texts"]:
                with self.written_once():  # with the texts that it is made of
                    self._kept["texts"][label] = write()
                    self._write()
            return str(self._kept["texts"][label])

    def knows(self, label: str) -> bool:
        """Whether a text has been written before."""
        return label in self._kept["texts"]

    # -- quantities ------------------------------------------------------------------------------------------------

    def quantities(self, system: SystemDefinition) -> dict[str, dict[str, list[Any]]]:
        """All named quantities, ``state``, ``derived`` and ``observables``, as rows for :meth:`Model.read`."""
        with self.written_once():
            return self._quantities(system)

    def _quantities(self, system: SystemDefinition) -> dict[str, dict[str, list[Any]]]:
        state = {v.name: [Row("state", v.name, i) for i in range(v.dimension)] for v in self.shape.variables}
        names = system.group.stored_names
        for k, where in component_names.grouped(tuple(names)).items():
            state.setdefault(k, [Row("coordinate", names[i], 0) for i in where])
        own = {*system.workings.quantities(derived=True), *system.observables()}
        derived = {
            k: self.named(k)
            for k in self.shape.named
            if k not in state and not (k == quantity_expressions.REACTION and k in own)
        }
        derived |= {k: self._observable(system, "derived", k) for k in system.workings.quantities(derived=True)}
        observables = {
            k: [Row("contact", k, i) for i in range(n)] for k, n in self.shape.contact.items() if k not in own
        }
        observables |= {k: self._observable(system, "observable", k) for k in system.observables()}
        if self.shape.residual:
            observables["constraint-residual"] = [Row("output", "residual", i) for i in range(self.shape.residual)]
        return {"state": state, "derived": derived, "observables": observables}

    def needs_configuration(self, name: str, rows: Sequence[Any]) -> bool:
        """Whether a quantity depends on the configuration s itself, and not on the reduced state alone."""
        answers = self._kept["configured"]
        with self._lock:
            if name not in answers:
                expressions = list(self.expressions(rows))
                depends = self.sde.program.depends(expressions, self.sde.coordinates.values())
                if not self.keeps(rows):
                    return bool(depends)
                answers[name] = depends
                self._write()
        return bool(answers[name])

    def named(self, name: str) -> list[Any]:
        """The rows of what observables see under a name."""
        return [Row("named", name, i) for i in range(self.shape.named[name])]

    def components(self, system: SystemDefinition, quantity: str | Callable[..., Any]) -> list[Any]:
        """The components of a name, of an expression as text, or of a function of the state, as expressions of the program."""
        if isinstance(quantity, str):
            return quantity_expressions.text_expressions(system, quantity, self.sde)
        return quantity_expressions.component_expressions(system, quantity, self.sde)

    def _observable(self, system: SystemDefinition, kind: str, name: str) -> list[Any]:
        counts = self._kept["counts"]
        with self._lock:
            if name not in counts:
                quantity = system.workings.quantities(derived=kind == "derived")[name]
                count = len(quantity_expressions.component_expressions(system, quantity, self.sde))
                if not self.keeps([Row(kind, name, 0)]):
                    return [Row(kind, name, i) for i in range(count)]
                counts[name] = count
                self._write()
        return [Row(kind, name, i) for i in range(counts[name])]

    def expressions(self, rows: Sequence[Any]) -> Iterator[Any]:
        """Rows as expressions of the program; expressions as they are."""
        cache: dict[tuple[str, str], Any] = {}
        for row in rows:
            if isinstance(row, Row):
                key = (row.kind, row.name)
                if key not in cache:
                    cache[key] = self._expressions(*key)
                yield cache[key][row.at]
            else:
                yield row

    def _expressions(self, kind: str, name: str) -> Sequence[Any]:
        sde, system = self.sde, self._system
        if kind == "state":
            return next(v.symbols for v in sde.variables if v.name == name)
        if kind == "coordinate":
            return [sde.coordinates[name]]
        if kind == "named":
            return list(sde.named[name])
        if kind == "contact":
            return list(sde.contact[name])
        if kind == "output":
            return sde.program.outputs[name]
        return quantity_expressions.component_expressions(
            system, type(system).workings.declared_observables()[name], sde
        )


def structure(system: SystemDefinition, variables: str, form: str | None) -> DerivedEquations:
    """The structure of a system's equations, one for each signature and identity."""
    key = (structure, system.workings.signature, Identity.first(system), variables, form)
    return system.workings.shared_results.known(key, lambda: DerivedEquations(system, variables, form))


def _first_digests(system: SystemDefinition, sizes: Mapping[str, int]) -> dict[str, str | None]:
    """The digests of the observables at the first use of a system, whose equations in several variables they share."""
    key = (Identity.of_observables, tuple(sizes.items()))
    digests: dict[str, str | None] = system.workings.known(key, lambda: Identity.of_observables(system, sizes))
    return digests


def one_path(system: SystemDefinition) -> Definition:
    """The definition with the numbers of the first path, which the models of a system in several variables share."""
    definition: Definition = system.workings.known(one_path, lambda: system.at_path(0).workings.definition())
    return definition

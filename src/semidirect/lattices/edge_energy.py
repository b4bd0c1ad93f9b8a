"""The energy of an edge and its derivatives, derived once for all edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, block, errors, functions, interpolation, symbols, user_code
from semidirect.expressions import component_names
from semidirect.lattices.coupled_site import quantities_of_edges

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import Definition

ENDS = ("i", "j")
"""The letters of the ends of an edge on pages."""


@final
class EdgeEnergy:
    """``coupling(left, right)`` of a lattice as an expression, and the function that evaluates it with its derivatives.

    Attributes
    ----------
    layout : dict name → slice
        What it is a function of at both ends, in the order of a state: momenta, where a site has a Hamiltonian or they are read,
        and advected quantities.
    reads : set of str
        What of the ends it depends on, among velocities, too.
    of_momenta : bool
        Whether momenta are in the layout.
    ends : pair of arrays of symbols
        Of the left end and of the right end.
    value : Expr
    slopes : pair of tuples of Expr
        By the symbols of each end.
    """

    def __init__(self, lattice: Any, definition: Definition):
        self.name = type(lattice).__name__
        momenta, advected, velocities = quantities_of_edges(definition)
        if not momenta and not advected:
            raise errors.DefinitionError(
                f"{self.name}.site", expected="a system with advected quantities, or without a constraint",
                got=type(lattice.site()).__name__,
                hint="Energies of edges are functions of these and of momenta: advect what they need.",
            )  # fmt: skip
        self.moving = _why_not(definition)
        workings = lattice.workings
        self.parameters, self.tables = self._symbols(lattice), dict(workings.table_symbols)
        copy = workings.with_arrays(self.parameters, self.tables)
        offered = {**momenta, **advected, **velocities}
        parts = [{name: symbols.vector(f"{name}_{end}", size) for name, size in offered.items()} for end in ENDS]
        self.t = symbols.real("t")
        self.value = self._traced(copy, parts)
        free = self.value.free_symbols
        self.reads = {name for name in offered if any(x in free for end in parts for x in end[name])}
        self.velocities = sorted(self.reads & velocities.keys())
        if self.velocities and self.reads & momenta.keys():
            raise errors.DefinitionError(
                f"{self.name}.coupling", expected="velocities of both ends, or their momenta",
                got=", ".join(sorted(self.reads - advected.keys())),
                hint="An energy of velocities is subtracted from l, and one of momenta is added to h.",
            )  # fmt: skip
        self.of_momenta: bool = definition.by_hamiltonian or not advected or not self.reads.isdisjoint(momenta)
        self.layout = component_names.layout({**momenta, **advected} if self.of_momenta else advected)
        self.ends = tuple(np.concatenate([end[name] for name in self.layout]) for end in parts)
        if self.velocities:  # no forces on momenta are known from it
            return
        left, right = ([self._slope(x) for x in end] for end in self.ends)
        self.slopes = left, right
        self.text = self._text()
        self.function = functions.build(self.text)

    def _symbols(self, lattice: Any) -> dict[str, np.ndarray]:
        """Symbols of the parameters of one edge."""
        workings, out = lattice.workings, {}
        for name in lattice.values:
            if name in workings.table_names:
                continue
            shape = workings.value_shape(name)
            shape = shape[1:] if name in lattice.per_edge else shape
            stem, out[name] = workings.symbol_stem(name), np.empty(shape, dtype=object)
            for index in np.ndindex(shape):
                out[name][index] = symbols.real(stem + "_".join(str(i + 1) for i in index))
            out[name].flags.writeable = False
        return out

    def _traced(self, copy: Any, parts: Sequence[Mapping[str, np.ndarray]]) -> sp.Expr:
        left, right = (Blocks({k: block(x) for k, x in end.items()}, "quantity of a site") for end in parts)
        try:
            with user_code.tracing(), symbols.exact_floats():
                value = user_code.call(copy.coupling, left=left, right=right, t=self.t)
        except errors.UnknownNameError as error:
            reason = self.moving.get(error.name, "")
            if not reason:
                raise
            raise errors.UnknownNameError(error.kind, error.name, error.known, reason) from None
        what = f"{self.name}.coupling"
        if np.ndim(value) or isinstance(value, (list, tuple, dict, str)) or value is None:
            raise errors.DefinitionError(what, expected="a number, the energy of an edge", got=repr(value))
        return symbols.exact(value, what)

    def _slope(self, x: Any) -> sp.Expr:
        import sympy as sp

        return sp.diff(self.value, x)

    def _text(self) -> str:
        from semidirect.equations import Program, emission

        inputs = self.inputs
        program = Program(inputs, (), {})
        return emission.source(program, [self.value, *self.slopes[0], *self.slopes[1]], inputs)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The symbols of the arguments of :attr:`function`."""
        flat = [x for array in self.parameters.values() for x in array.flat]
        return (*self.ends[0], *self.ends[1], self.t, *flat, *self.tables.values())

    def refuse_velocities(self) -> None:
        """Raise an error where the energy depends on velocities."""
        if self.velocities:
            raise errors.DefinitionError(
                f"{self.name}.coupling", expected="momenta and advected quantities", got=", ".join(self.velocities),
                hint="With velocities, the momentum of a site contains those of its neighbours; all of them are solved for at "
                "once: lattice.written_out() does it for few sites. Or read the momenta, whose energy is added to h.",
            )  # fmt: skip

    # -- numbers ---------------------------------------------------------------------------------------------------

    def numbers(self, several: Sequence[Any], per_edge: Sequence[str], edges: int) -> list[Any]:
        """The parameters of all edges, each a number or an array that broadcasts to ``(edges, paths)``."""
        out: list[Any] = []
        for name, array in self.parameters.items():
            values = [np.asarray(one.values[name], dtype=float) for one in several]
            for index in np.ndindex(array.shape):
                if name in per_edge:
                    columns = [np.broadcast_to(v[(slice(None), *index)], (edges,)) for v in values]
                    out.append(np.stack(columns, axis=1))
                else:
                    numbers = np.array([v[index] for v in values])
                    out.append(numbers[0] if len(numbers) == 1 else numbers[None])
        for name in self.tables:
            first = several[0].values[name]
            if any(not np.array_equal(one.values[name], first) for one in several):
                raise errors.InputError(
                    f"the table {name!r} of {self.name}", expected="one table for all paths", got="several"
                )
            out.append(interpolation.Table(name, first))
        return out

    def evaluate(self, left: np.ndarray, right: np.ndarray, t: Any, parameters: Sequence[Any]) -> Sequence[Any]:
        """The energy, then its slopes by the left end and by the right end, of ends ``(k, edges, paths)``."""
        with np.errstate(all="ignore"):
            return self.function(*left, *right, t, *parameters)


def _why_not(definition: Definition) -> dict[str, str]:
    """Why energies of edges read no velocity, and no momentum of a site with a constraint, by name."""
    names = definition.velocities
    if definition.by_hamiltonian:
        momenta = ", ".join(definition.first)
        text = f"it follows from the energies of the edges themselves; they read the momenta: {momenta}"
        return dict.fromkeys(names, text)
    text = (
        "the velocity of the site has a constraint, whose forces would contain velocities of its neighbours; let the energies of "
        "edges read advected quantities"
    )
    return dict.fromkeys([*names, *map(definition.momentum_name, names)], text)

"""The energy of an edge and its derivatives, derived once for all edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, errors, functions, interpolation, symbols, user_code
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
        What both ends offer, in the order of a state: momenta where a site has a Hamiltonian, and advected quantities.
    ends : pair of arrays of symbols
        Of the left end and of the right end.
    value : Expr
    slopes : pair of tuples of Expr
        By the symbols of each end.
    """

    def __init__(self, lattice: Any, definition: Definition):
        self.name = type(lattice).__name__
        sizes = quantities_of_edges(definition)
        if not sizes:
            raise errors.DefinitionError(
                f"{self.name}.site", expected="a system with advected quantities, or stated by its Hamiltonian",
                got=type(lattice.site()).__name__, hint="Energies of edges are functions of these: advect what they need.",
            )  # fmt: skip
        self.layout = component_names.layout(sizes)
        self.moving = _why_not(definition)
        workings = lattice.workings
        self.parameters, self.tables = self._symbols(lattice), dict(workings.table_symbols)
        copy = workings.with_arrays(self.parameters, self.tables)
        self.ends = tuple(
            np.concatenate(
                [symbols.vector(f"{name}_{end}", part.stop - part.start) for name, part in self.layout.items()]
            )
            for end in ENDS
        )
        self.t = symbols.real("t")
        self.value = self._traced(copy)
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

    def _traced(self, copy: Any) -> sp.Expr:
        left, right = (Blocks.split(x, self.layout, "quantity of a site") for x in self.ends)
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
    """Why energies of edges read no velocity, and no momentum of a site that has a Lagrangian, by name."""
    names = definition.velocities
    if definition.by_hamiltonian:
        momenta = ", ".join(definition.first)
        text = f"it follows from the energies of the edges themselves; they read the momenta: {momenta}"
        return dict.fromkeys(names, text)
    text = (
        "with it the momentum of a site would contain velocities of its neighbours, and all of them would have to be solved "
        "for at once; state the site by its Hamiltonian, hamiltonian(self, p, a), and read its momenta"
    )
    return dict.fromkeys([*names, *map(definition.momentum_name, names)], text)

"""The energy of an edge and its derivatives, derived once for all edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.core import Blocks, block, errors, functions, symbols, user_code
from semidirect.definition import Unconstrained
from semidirect.lattices.coupled_site import quantities_of_edges

if TYPE_CHECKING:
    import sympy as sp

    from semidirect.definition import Definition

ENDS = ("i", "j")
"""The letters of the ends of an edge on pages."""


@final
class EdgeEnergy:
    """``coupling(left, right)`` of a lattice for a pair of kinds of sites as an expression, and the function that evaluates it
    with its derivatives.

    Attributes
    ----------
    kinds : pair of str
        Names of the kinds of both ends.
    reads : list of set of str
        The names of quantities of each end on which it depends, among velocities, too.
    ends : pair of dicts name → array of symbols
        The quantities of the left and of the right end.
    value : Expr
    slopes : pair of tuples of Expr
        By the quantities of each end, see :meth:`differentiate`.
    """

    def __init__(self, lattice: Any, definitions: tuple[Definition, Definition], kinds: tuple[str, str]):
        self.name, self.kinds = type(lattice).__name__, kinds
        offered = [quantities_of_edges(one) for one in definitions]
        for one, kind in zip(offered, kinds, strict=True):
            if not one.momenta and not one.advected:
                raise errors.DefinitionError(
                    f"{self.name}.site" + (f", kind {kind!r}" if kind else ""),
                    expected="a system with advected quantities, or without a constraint", got="one that has neither",
                    hint="Energies of edges are functions of these and of momenta: advect what they need.",
                )  # fmt: skip
        self.moving = {k: v for one in reversed(definitions) for k, v in _why_not(one).items()}
        workings = lattice.workings
        self.parameters, self.tables = self._symbols(lattice), dict(workings.table_symbols)
        copy = workings.with_arrays(self.parameters, self.tables)
        self.ends = tuple(
            {
                name: symbols.vector(f"{name}_{end}", size)
                for name, size in {**one.momenta, **one.advected, **one.velocities}.items()
            }
            for one, end in zip(offered, ENDS, strict=True)
        )
        self.t = symbols.real("t")
        self.value = self._traced(copy)
        free = self.value.free_symbols
        self.reads = [{name for name, x in end.items() if not free.isdisjoint(x)} for end in self.ends]
        self.velocities = {
            name for one, reads in zip(offered, self.reads, strict=True) for name in reads & one.velocities.keys()
        }
        self.momenta = {
            name for one, reads in zip(offered, self.reads, strict=True) for name in reads & one.momenta.keys()
        }

    def differentiate(self, names: tuple[Sequence[str], Sequence[str]]) -> None:
        """Derive the slopes by these quantities of both ends, and make the function."""
        self.x = tuple(
            np.concatenate([end[name] for name in several]) if several else np.empty(0, dtype=object)
            for end, several in zip(self.ends, names, strict=True)
        )
        left, right = ([self._slope(x) for x in end] for end in self.x)
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
        left, right = (Blocks({k: block(x) for k, x in end.items()}, "quantity of a site") for end in self.ends)
        try:
            with user_code.tracing(), symbols.exact_floats():
                value = user_code.call(copy.coupling, left=left, right=right, t=self.t, kinds=self.kinds)
        except errors.UnknownNameError as error:
            reason = self.moving.get(error.name, "")
            if not reason:
                raise
            raise errors.UnknownNameError(error.kind, error.name, error.known, reason) from None
        what = f"{self.name}.coupling" + (f" of {' and '.join(self.kinds)}" if any(self.kinds) else "")
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
        return (*self.x[0], *self.x[1], self.t, *flat, *self.tables.values())

    # -- numbers ---------------------------------------------------------------------------------------------------

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
    if isinstance(definition.constraint, Unconstrained):
        return {}
    text = (
        "the velocity of the site has a constraint, whose forces would contain velocities of its neighbours; let the energies of "
        "edges read advected quantities"
    )
    return dict.fromkeys([*names, *map(definition.momentum_name, names)], text)

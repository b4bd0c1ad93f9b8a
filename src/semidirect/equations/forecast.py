"""A word before long work: how long the derivation and the page of a large system take, from numbers that are cheap to have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from semidirect.core import user_code
from semidirect.definition import ValuesAt
from semidirect.groups import Geometry

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.equations.sde import StratonovichSDE

LARGE = 40
"""Velocities and advected components of a system that may take seconds; nothing is counted of smaller ones."""
DERIVATION = (4.4e-5, 1.4e-4, 2e-4)
"""Seconds for each pair of components and each structure constant, as `tests/benchmarks/large_systems.py` measures them; for each
operation of l, which is too small there to be seen. Noises hardly count: the derivation has them in one symbol."""
PAGE = 1.1e-4
"""Seconds for each operation that is written."""
COPIES = 4
"""Equal factors of a group that are called many copies."""


def is_large(definition: Definition) -> bool:
    """Whether a derivation may take seconds."""
    layouts = definition.advected_layout.values()
    return definition.group.dimension + sum(part.stop - part.start for part in layouts) >= LARGE


@final
@dataclass(frozen=True)
class Forecast:
    """The size of a derivation, on which its time depends.

    Attributes
    ----------
    components : int
        Velocities and components of advected quantities.
    brackets : int
        Structure constants that are not 0.
    noises : int
        Wiener processes.
    operations : int
        Of l or h.
    way : str
        The remedy, for a system of this kind.
    """

    components: int
    brackets: int
    noises: int
    operations: int
    way: str

    @classmethod
    def of(cls, definition: Definition) -> Forecast:
        """The numbers of a definition; l or h is called once, with symbols."""
        import sympy as sp

        from semidirect.core import symbols

        group = definition.group
        sizes = (group.blocks, definition.advected_layout, definition.internal_layout)
        with user_code.tracing():
            xi, a, z = (symbols.named(x) for x in sizes)
            p = symbols.named(definition.momenta if definition.has_momenta else {})
            here = ValuesAt(definition, xi, a, z, sp.Symbol("t", real=True), p)
            energy = here.hamiltonian if definition.by_hamiltonian else here.lagrangian
            noises = len(here.amplitudes) + len(here.noise_hamiltonians)
        alike = Counter((type(g), g.dimension) for g in group.factors)
        way = ""
        if group.geometry is Geometry.ROTATIONS:
            way = "A Lie–Poisson system of large matrices is stated by arrays: sd.MatrixLiePoisson."
        elif max(alike.values(), default=0) >= COPIES:
            way = "Many copies of one system are a lattice, whose equations are derived once: sd.Lattice."
        return cls(len(xi) + len(a), len(group.brackets), noises, _operations(energy), way)

    @property
    def counts(self) -> tuple[int, int, int]:
        """The counts to which the coefficients of :data:`DERIVATION` belong."""
        return self.components**2, self.brackets, self.operations

    @property
    def derivation(self) -> float:
        """Seconds, to a factor of two or so on a computer of today."""
        return sum(c * x for c, x in zip(DERIVATION, self.counts, strict=True))

    def __str__(self) -> str:
        size = f"{self.components} components, {self.brackets} structure constants, {self.noises} noises"
        return " ".join(filter(None, (f"{size}, a Lagrangian of {self.operations} operations.", self.way)))


def of_page(sde: StratonovichSDE) -> float:
    """Seconds that the page of some equations takes; 0 of a system that is not large."""
    return PAGE * sde.program.operations() if is_large(sde.definition) else 0.0


def _operations(e: object) -> int:
    """Of an expression; what is none is found by the derivation, which says so."""
    import sympy as sp

    try:
        return int(sp.count_ops(sp.sympify(e)))
    except (TypeError, ValueError, AttributeError):
        return 0

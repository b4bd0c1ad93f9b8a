"""The layout of the rows of lanes in the kernel of a lattice."""

from __future__ import annotations

from dataclasses import dataclass

from semidirect.compile.lattice_variant import LatticeVariant
from semidirect.compile.line import load
from semidirect.instructions import Instruction

__all__ = ["LatticeLayout"]


@dataclass(frozen=True)
class LatticeLayout:
    """Rows of lanes: those of each tile, which stay from phase to phase, and those that all tiles use in turn.

    Attributes
    ----------
    d, m : int
        Rows of the state of a site and of its increments.
    variant : LatticeVariant
    edges : int
        Rows that the edges add up to.
    ends : tuple of (pair of tuples of int)
        Of each kind of edge, the rows to which its left and its right end add.
    constants, iterations : int
        Parameters of an edge; iterations of a step.
    at_ends : tuple of int
        The first row of the values that edges read, for each time that they do.
    more : int
        Rows of values that are copied for edges.
    """

    d: int
    m: int
    variant: LatticeVariant
    edges: int
    ends: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    constants: int
    iterations: int
    at_ends: tuple[int, ...] = ()
    more: int = 0

    @property
    def alike(self) -> bool:
        """Whether edges are of one kind, with all rows at both ends."""
        return len(self.ends) == 1 and all(len(rows) == self.edges for rows in self.ends[0])

    @property
    def starts(self) -> list[list[int]]:
        """The first rows of the sums of both ends of each kind of edge; of edges that are alike, the left one is the total."""
        out, begin = list[list[int]](), 0 if self.alike else self.edges
        for left, right in self.ends:
            out.append([begin, begin + len(left)])
            begin += len(left) + len(right)
        return out

    @property
    def sums(self) -> int:
        """Rows of sums over edges."""
        of_ends = sum(len(left) + len(right) for left, right in self.ends)
        return of_ends if self.alike else self.edges + of_ends

    @property
    def noise(self) -> int:
        """The first row of increments: of a tile where each site has its own, else of all tiles."""
        return self.d if self.variant.own else self.sums

    @property
    def increments(self) -> int:
        """Rows of increments: those of two steps if they are drawn."""
        return self.m * (2 if self.variant.draws else 1)

    @property
    def parameters(self) -> int:
        """The first row of parameters."""
        return self.d + (self.increments if self.variant.own else 0)

    @property
    def copies(self) -> int:
        """The first row of values that are copied for edges."""
        return self.parameters + len(self.variant.varied)

    @property
    def cells(self) -> int:
        """The first row of values that are carried from phase to phase."""
        return self.copies + self.more

    @property
    def pieces(self) -> int:
        """The first row, of those that all tiles use in turn, of values that are carried from piece to piece."""
        return self.sums + (0 if self.variant.own else self.increments)

    def input(self, data: tuple[str, int | None]) -> Instruction:
        """The instruction that gives an input of a step."""
        name, index = data
        if index is None:
            return Instruction("argument", (), name)
        if name == "q":
            varied = self.variant.varied
            if index not in varied:
                return Instruction("argument", (), f"q{index}")
            return load(("row", self.parameters + varied.index(index)))
        return load((name, index) if name == "noise" else ("row", index))

"""One instruction: an operation, the numbers of the instructions whose values it takes, and data."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

__all__ = ["LEAVES", "OPERATIONS", "Instruction"]

OPERATIONS: Mapping[str, int | None] = {
    # without operands: an input (array, index), or (name, None) for a number; a number as text; a fraction (p, q); a constant
    "input": 0, "number": 0, "fraction": 0, "constant": 0,
    # in an iteration: its present point, (iteration, component); after it: the solution, and whether it was found
    "variable": 0, "solution": 0, "converged": 0,
    # at a site of a lattice, what its edges add up to: (number of the evaluation, component)
    "edges": 0,
    "add": 2, "subtract": 2, "multiply": 2, "divide": 2, "negative": 1,
    "less": 2, "less-equal": 2, "greater": 2, "greater-equal": 2, "equal": 2, "not-equal": 2,
    "and": None, "or": None, "not": 1, "select": 3,
    "sqrt": 1, "absolute": 1, "sin": 1, "cos": 1, "tan": 1, "exp": 1, "log": 1,
    # of a number, nodes and values: (kind, ends, order); looked up in two steps in packed tables
    "interpolate": 3, "interval": 2, "piece": 3,
    # a matrix, row by row, and a right-hand side: (n, symmetric); one component of the solution
    "solve": None, "element": 1,
}  # fmt: skip
"""All operations, with their numbers of operands; ``None`` for any number."""

LEAVES = frozenset(("input", "number", "fraction", "constant", "variable", "solution", "converged", "edges"))
"""Operations without operands, which compute nothing."""


class Instruction(NamedTuple):
    """An operation on the values of earlier instructions.

    Attributes
    ----------
    operation : str
        One of :data:`OPERATIONS`.
    operands : tuple of int
        The numbers of the instructions whose values it takes.
    data : hashable
        Its other data: text, integers, and tuples of them. The data of a number is its text, which distinguishes
        zeros of both signs, and one from a truth value: equal instructions give the same bits.
    """

    operation: str
    operands: tuple[int, ...] = ()
    data: Hashable = None

    @property
    def is_leaf(self) -> bool:
        """Whether it computes nothing: it has no operands."""
        return self.operation in LEAVES

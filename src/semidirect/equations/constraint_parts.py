"""Several constraints at once: the rows, the multipliers and the contact force of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from semidirect.core import exact, ops, symbols
from semidirect.definition import JoinedConstraints
from semidirect.equations.contact_force import ContactTerms, contact_terms
from semidirect.equations.program import Solve

if TYPE_CHECKING:
    from semidirect.definition import Definition
    from semidirect.equations.letters import Letters

FORCE = "contact-force"
TINY = sp.Rational(1, 10**30)
"""Keeps the share of values that contradict each other 0 where all values are 0."""
DEPENDENCE, CONTRADICTION = JoinedConstraints.bounds


@dataclass(frozen=True)
class ConstraintParts:
    """The constraints that are joined, as expressions at (a, t, z).

    Attributes
    ----------
    rows : dict name → slice
        The rows of each constraint.
    covectors, values, directions : arrays (k, n), (k,) and (n, k)
        A, b and C of all rows, the redundant ones too.
    free : array (k, q)
        Multipliers N without a force, Aᵀ N = 0.
    contacts : dict name → ContactTerms
    undetermined : dict name → str
        Quantities that are not determined, with the reason.
    watched : dict name → expression
        What is bounded along a run, so that a path fails where the rank changes or redundant rows contradict each other.
    """

    rows: Mapping[str, slice]
    covectors: np.ndarray
    values: np.ndarray
    directions: np.ndarray
    free: np.ndarray
    contacts: Mapping[str, ContactTerms]
    undetermined: Mapping[str, str]
    watched: Mapping[str, sp.Expr]

    def multipliers(self, reaction: np.ndarray) -> Solve:
        """The system for λ with C λ = R; of the λ that are not determined, the part along N is 0."""
        C, N = self.directions, self.free
        matrix = ops.matmul(C.T, C) + (ops.matmul(N, N.T) if N.shape[1] else 0)
        names = symbols.staged("Lambda", len(matrix))
        rows = tuple(tuple(sp.sympify(e) for e in row) for row in matrix)
        symmetric = all(rows[j][j] != 0 for j in range(len(rows)))
        return Solve(tuple(names), rows, tuple(map(sp.sympify, ops.matvec(C.T, reaction))), symmetric)

    def quantities(self, multipliers: np.ndarray) -> dict[str, np.ndarray]:
        """Multipliers, reactions and contact forces by the names of their constraints, those that are determined."""
        out: dict[str, np.ndarray] = {}
        total, linear = None, {(terms.part.start, terms.part.stop) for terms in self.contacts.values()}
        for name, where in self.rows.items():
            if where.start == where.stop:
                continue
            own = {
                "multiplier": multipliers[where],
                "reaction": ops.matvec(self.directions[:, where], multipliers[where]),
            }
            terms = self.contacts.get(name)
            if terms is not None:
                forces = terms.forces(own["reaction"])
                own |= forces
                if FORCE in forces and f"{name}-{FORCE}" in self.undetermined:
                    own |= {f"{FORCE}{i + 1}": forces[FORCE][i : i + 1] for i in range(len(forces[FORCE]))}
                if FORCE in forces:
                    total = forces[FORCE] + (0 if total is None else total)
            out |= {
                f"{name}-{quantity}": exact.objects([sp.sympify(e) for e in rows]) for quantity, rows in own.items()
            }
        if total is not None and len(linear) == 1 and not any(terms.absent for terms in self.contacts.values()):
            out[FORCE] = exact.objects([sp.sympify(e) for e in total])
        out |= {name: exact.objects([e]) for name, e in self.watched.items()}
        return {name: rows for name, rows in out.items() if name not in self.undetermined}


def constraint_parts(definition: Definition, constraint: Any, lagrangian: sp.Expr, at: Mapping[str, Any], a: np.ndarray,
                     letters: Letters | None) -> ConstraintParts | None:  # fmt: skip
    """The parts of a constraint as expressions, in letters where there are some; ``None`` where it is a single one."""
    if not isinstance(constraint, JoinedConstraints):
        return None
    joining = constraint.joining
    assert joining is not None

    def written(value: np.ndarray, what: str) -> np.ndarray:
        rows = symbols.exact_array(value, what)
        return rows if letters is None else letters.written(rows)

    stated, values, directions = constraint.whole(**at)
    free = joining.elimination.combinations(stated)
    chosen = list(range(len(stated)))
    if free is None:
        chosen = list(joining.elimination.chosen)
        free = np.zeros((len(chosen), 0), dtype=object)
    A = written(stated, "the covectors A of a constraint")
    C = A.T if directions is None else written(directions, "the reaction directions C")
    if len(chosen) < len(A):  # other multipliers are 0, as those of these rows are known to make up the reaction
        keep = np.array([[sp.Integer(i == j) for j in chosen] for i in range(len(A))], dtype=object)
        free = np.array(
            [[sp.Integer(i == j) for j in range(len(A)) if j not in chosen] for i in range(len(A))], dtype=object
        )
        C = ops.matmul(C, ops.matmul(keep, keep.T))
    watched = {}
    dependence = joining.elimination.dependence(stated)
    if dependence is not None and sp.sympify(dependence).free_symbols - set(definition.parameters):
        watched[DEPENDENCE] = written(np.array(dependence), "a determinant").item()
    if values is not None and free.shape[1] and len(chosen) == len(A):
        mismatch = ops.matvec(free.T, values)
        if any(sp.sympify(e) != 0 for e in mismatch):
            size = sum(x * x for x in free.flat) * sum(x * x for x in values)
            relative = sp.sqrt(sum(x * x for x in mismatch) / (size + TINY))
            watched[CONTRADICTION] = written(np.array(relative), "a combination of values").item()
    terms = {
        name: contact_terms(contact, definition, lagrangian, at, a, letters)
        for name, contact in constraint.contacts().items()
    }
    b = (
        np.array([sp.Integer(0)] * len(A), dtype=object)
        if values is None
        else written(values, "the values b of a constraint")
    )
    rows = {name: slice(*where) for name, where in zip(constraint.parts, joining.rows, strict=True)}
    return ConstraintParts(
        rows, A, b, C, written(free, "combinations of covectors"), {k: v for k, v in terms.items() if v is not None},
        dict(joining.undetermined), watched,
    )  # fmt: skip

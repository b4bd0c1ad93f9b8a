"""Hypothesis strategies for groups and their representations, built from small integers, so that they shrink."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

import semidirect as sd
from semidirect import (
    SE2,
    SE3,
    SO2,
    SO3,
    DirectProduct,
    HomogeneousRepresentation,
    LieGroup,
    Pullback,
    RealSpace,
    Representation,
    VectorRepresentation,
)
from semidirect.core import errors
from semidirect.groups import CoadjointRepresentation
from semidirect.testing.polynomial_strategies import small_integers

SL2 = sd.groups.MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2", form=[[0, 1], [-1, 0]])
AFFINE_LINE = sd.groups.MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]], name="Aff1", blocks={"scale": 1, "shift": 1})
LISTED_GROUPS: tuple[LieGroup, ...] = (
    SO3(), SE2(), RealSpace(2), sd.groups.Heisenberg(), SL2, AFFINE_LINE, SO2(), DirectProduct(SO2(), RealSpace(2)), SE3(),
)  # fmt: skip
"""Solvable, nilpotent, simple and mixed; all structure constants are rational."""


@st.composite
def changes_of_basis(draw: st.DrawFn, n: int) -> np.ndarray:
    """Invertible rational matrices (n, n), object entries: shears, scales and a permutation; they shrink to the identity."""
    out = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
    shear = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), small_integers.filter(bool))
    for i, j, factor in draw(st.lists(shear, max_size=3)):
        if i != j:
            out[i] = out[i] + factor * out[j]
    for i in range(n):
        out[i] = out[i] * draw(st.sampled_from([Fraction(1), Fraction(-1), Fraction(2), Fraction(1, 3)]))
    return out[draw(st.permutations(range(n)))]


@st.composite
def groups(draw: st.DrawFn, max_dimension: int = 4) -> LieGroup:
    """Listed groups, and matrix groups on a random basis of the algebra of one."""
    base = draw(st.sampled_from([g for g in LISTED_GROUPS if g.dimension <= max_dimension]))
    if not draw(st.booleans()):
        return base
    change = draw(changes_of_basis(base.dimension))
    exact = np.array([Fraction(int(x)) for x in base.basis.ravel()], dtype=object).reshape(base.basis.shape)
    basis = [sum(c * e for c, e in zip(row, exact, strict=True)) for row in change]
    return sd.groups.MatrixGroup(np.array(basis, dtype=object), name=f"{base.name}'", blocks={"v": base.dimension})


def _divisions(group: LieGroup) -> list[str]:
    """The blocks that are factors of their own."""
    divisions = []
    for block in group.blocks if len(group.blocks) > 1 else ():
        try:
            group.factor(block)
        except errors.DefinitionError:
            continue
        divisions.append(block)
    return divisions


@st.composite
def representations(draw: st.DrawFn, group: LieGroup, max_dimension: int = 4, depth: int = 2) -> Representation:
    """Every kind of representation of a group, up to a dimension."""
    plain = ["vector"] * (group.size <= max_dimension)
    plain += ["adjoint", "coadjoint"] * (group.dimension <= max_dimension)
    plain += ["homogeneous"] * (group.size <= max_dimension and not np.any(group.basis[:, -1, :]))
    plain += ["pullback"] * 3 * bool(_divisions(group))
    nested = ["dual", "sum", "square", "trivial"] if depth > 0 or not plain else []
    kind = draw(st.sampled_from(plain + nested))
    if kind == "trivial":
        return sd.representations.TrivialRepresentation(group, draw(st.integers(1, 2)))
    if kind == "pullback":
        blocks = draw(st.sampled_from(_divisions(group)))
        factor = group.factor(blocks)
        small = factor.size <= max_dimension
        return Pullback(
            VectorRepresentation(factor) if small else sd.representations.TrivialRepresentation(factor, 1),
            group,
            blocks,
        )
    if kind == "sum" and max_dimension >= 2:
        first = draw(representations(group, max_dimension - 1, depth - 1))
        second = draw(representations(group, max_dimension - first.dimension, 0))
        return (
            sd.representations.DirectSum(first, second)
            if first.dimension + second.dimension <= max_dimension
            else first
        )
    if kind == "square" and max_dimension >= 3:
        inner = draw(representations(group, 2, depth - 1))
        return sd.representations.SymmetricSquare(inner) if inner.dimension <= 2 else inner
    if kind in ("dual", "sum", "square"):
        return sd.representations.DualRepresentation(draw(representations(group, max_dimension, depth - 1)))
    makers: dict[str, Callable[[LieGroup], Representation]] = {
        "vector": VectorRepresentation, "adjoint": sd.representations.AdjointRepresentation, "coadjoint": CoadjointRepresentation,
        "homogeneous": HomogeneousRepresentation,
    }  # fmt: skip
    return makers[kind](group)

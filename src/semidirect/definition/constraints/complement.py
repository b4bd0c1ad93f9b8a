"""Whether the two forms of a constraint agree: its directions B and its covectors A complement each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors, exact
from semidirect.definition.constraints.stochastic_constraint import Annihilator, Distribution, StochasticConstraint
from semidirect.definition.values_at import ValuesAt

if TYPE_CHECKING:
    from semidirect.definition.definition import Definition

POINTS, TRIES = 2, 12
"""How many generic points are compared, and how many are tried in order to find that many where the definition has a value."""

ROUNDING = 1e-9
"""A sum of floats counts as 0 if it is smaller than this fraction of its terms."""


NO_VALUE = (errors.SemidirectError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a user's function may raise at a point; the derivation reports such an error with its own message."""


def compare_forms(*definitions: Callable[[], Definition]) -> None:
    """Raise an error if the two forms of a constraint disagree, at generic points of the orbit.

    The points are rational, so the values of the definition are exact wherever its functions are rational and its
    parameters are exact.

    Parameters
    ----------
    definitions : callables
        Each makes the same definition, first with exact numbers, then with floats, which serve functions that take only floats.

    Raises
    ------
    DefinitionError
        If A and B do not complement each other at one of the points; the message names the missing or wrong direction.
    """
    for make in definitions:
        try:
            definition = make()
            constraint, base = definition.constraint, StochasticConstraint
            kind = type(constraint)
            if constraint.one_source or kind.distribution is base.distribution or kind.annihilator is base.annihilator:
                return
            forms = list(islice(_forms(definition), POINTS))
        except NO_VALUE:
            continue
        _require_complement(definition, forms)
        return


def _require_complement(definition: Definition, forms: Iterable[tuple[Distribution, Annihilator]]) -> None:
    for basis, covectors in forms:
        fault = mismatch(basis, covectors, definition.group.blocks, definition.constraint.coordinates(definition.group))
        if fault:
            raise errors.DefinitionError(
                f"the directions and the covectors of {type(definition.constraint).__name__} describe two constraints: {fault}",
                expected=f"A B = 0, A c = b and rank A + rank B = {definition.group.dimension}, the dimension of the algebra",
                hint="Correct distribution() or annihilator(), or define only one of the two.",
            )


def mismatch(
    basis: Distribution, covectors: Annihilator, blocks: Mapping[str, slice], coordinates: Mapping[str, int]
) -> str:
    """How the two forms of a constraint disagree at one point; empty if they agree."""
    B, A = np.asarray(basis.basis), np.asarray(covectors.covectors)
    n = sum(part.stop - part.start for part in blocks.values())
    c = np.zeros(n, dtype=int) if basis.offset is None else np.asarray(basis.offset)
    b = np.zeros(len(A), dtype=int) if covectors.values is None else np.asarray(covectors.values)
    names, velocities = _components(coordinates, B.shape[1]), _components(_sizes(blocks), n)
    for i, row in enumerate(A):
        for j in range(B.shape[1]):
            if not _vanishes(row * B[:, j]):
                return f"the direction of {names[j]} violates the covector {i + 1}, whose product is {float(row @ B[:, j]):.3g}"
    for i, row in enumerate(A):
        if not _vanishes([*(row * c), -b[i]]):
            return f"the offset c violates the covector {i + 1}: A c − b is {float(row @ c - b[i]):.3g}"
    V = B if basis.test is None else np.asarray(basis.test)
    C = A.T if covectors.directions is None else np.asarray(covectors.directions)
    for i, direction in enumerate(C.T):
        for j in range(V.shape[1]):
            if not _vanishes(direction * V[:, j]):
                return (
                    f"the reaction {i + 1} of the covectors works on the test direction {j + 1} of the distribution: "
                    f"Cᵀ B_V is {float(direction @ V[:, j]):.3g}"
                )
    for what, rows in (("directions of B", B.T), ("covectors A", A)):
        if len(_independent(rows)) < len(rows):
            return f"the {what} are linearly dependent, of rank {len(_independent(rows))} and not {len(rows)}"
    missing = n - len(A) - B.shape[1]
    if missing:
        free = [_spelled(v, velocities) for v in _beyond(np.concatenate([A, B.T]))]
        return (
            f"{missing} direction{'s' * (missing > 1)} of the algebra {'are' if missing > 1 else 'is'} neither a direction of B "
            f"nor forbidden by A: {'; '.join(free)} {'are' if missing > 1 else 'is'} missing in one of the two"
        )
    return ""


def _forms(definition: Definition) -> Iterator[tuple[Distribution, Annihilator]]:
    """Both forms at random points at which they have values."""
    random, d = Random("complement"), definition

    def draw() -> Fraction:
        return Fraction(random.randint(1, 12) * random.choice((-1, 1)), random.choice((5, 7, 11)))

    for _ in range(TRIES):
        a = d.random_orbit_point(draw)
        rest = a, _drawn(sum(s.dimension for s in d.internal_states), draw), abs(draw())
        try:
            basis = ValuesAt(d, _drawn(d.group.dimension, draw), *rest).distribution
            if basis is None:
                return
            velocity = np.asarray(basis.basis) @ _drawn(np.shape(basis.basis)[1], draw)
            velocity = velocity if basis.offset is None else velocity + np.asarray(basis.offset)
            covectors = ValuesAt(d, velocity, *rest).annihilator
            if covectors is None:
                return
            if not _comparable(basis, covectors, d.group.dimension):
                return  # the derivation names the wrong shape
            if all(np.all(np.isfinite(np.asarray(x, dtype=float))) for x in (basis.basis, covectors.covectors)):
                yield basis, covectors
        except ArithmeticError:
            continue


def _drawn(count: int, draw: Any) -> np.ndarray:
    return exact.objects([draw() for _ in range(count)])


def _comparable(basis: Distribution, covectors: Annihilator, n: int) -> bool:
    shapes = [np.shape(basis.basis), np.shape(covectors.covectors)]
    if any(len(shape) != 2 for shape in shapes) or shapes[0][0] != n or shapes[1][1] != n:
        return False
    m, k = shapes[0][1], shapes[1][0]
    rest = (
        (basis.offset, (n,)), (basis.test, (n, m)), (covectors.values, (k,)), (covectors.directions, (n, k)),
    )  # fmt: skip
    return all(part is None or np.shape(part) == shape for part, shape in rest)


def _vanishes(terms: Any) -> bool:
    """Whether a sum is 0: exactly if its terms are exact, else to rounding."""
    total = sum(terms)
    if isinstance(total, (int, Fraction, np.integer)):
        return bool(total == 0)
    return abs(float(total)) <= ROUNDING * sum(abs(float(x)) for x in terms)


def _independent(rows: np.ndarray) -> list[int]:
    """Pivots of rows, each of unit length: their number is the rank."""
    rows = np.array(rows, dtype=float)
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)
    pivots = exact.reduce_rows(
        unit.tolist(), range(rows.shape[1]), lambda x: abs(x) if abs(x) > ROUNDING else 0, anywhere=True
    )
    return [j for _, j in pivots]


def _beyond(rows: np.ndarray) -> list[np.ndarray]:
    """A basis of the complement of the span of rows: vectors with a 1 where no row has its pivot, and few other entries."""
    _, _, v = np.linalg.svd(np.array(rows, dtype=float))
    rest = v[len(rows) :]
    pivots = _independent(rest)
    reduced = np.linalg.solve(rest[:, pivots].T @ rest[:, pivots], rest[:, pivots].T @ rest)
    return list(np.where(abs(reduced) < ROUNDING, 0.0, reduced))


def _spelled(vector: np.ndarray, names: Sequence[str]) -> str:
    terms = [(x, name) for x, name in zip(vector, names, strict=True) if x]
    return " + ".join(name if abs(x - 1) < ROUNDING else f"{x:.3g} {name}" for x, name in terms)


def _sizes(blocks: Mapping[str, slice]) -> dict[str, int]:
    return {name: part.stop - part.start for name, part in blocks.items()}


def _components(sizes: Mapping[str, int], count: int) -> list[str]:
    """Names of components, one after the other; numbers if there are more or fewer components than names."""
    names = [name if size == 1 else f"{name}{i + 1}" for name, size in sizes.items() for i in range(size)]
    return names if len(names) == count else [f"column {i + 1}" for i in range(count)]

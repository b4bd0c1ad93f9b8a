"""Hypothesis strategies for whole definitions and their exact states, built from small integers, so that they shrink."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from hypothesis import strategies as st

from semidirect.blocks import rows_of
from semidirect.constraints import CovectorConstraint, DistributionConstraint, StochasticConstraint, Unconstrained
from semidirect.constraints.stochastic_constraint import Annihilator, Distribution
from semidirect.definition import Definition, Forces
from semidirect.errors import DefinitionError
from semidirect.groups import SE2, SE3, SO2, SO3, DirectProduct, Heisenberg, LieGroup, MatrixGroup, RealSpace
from semidirect.noise import (
    ConstantNoise,
    FormalNoise,
    InternalState,
    PrescribedNoise,
    StateNoise,
    TransportNoise,
    VolatilityNoise,
)
from semidirect.representations import (
    AdjointRepresentation,
    Advected,
    CoadjointRepresentation,
    DirectSum,
    DualRepresentation,
    HomogeneousRepresentation,
    Pullback,
    Representation,
    SymmetricSquare,
    TrivialRepresentation,
    VectorRepresentation,
)
from semidirect.testing.exact_state import ExactState, sizes

SL2 = MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2", form=[[0, 1], [-1, 0]])
AFFINE_LINE = MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]], name="Aff1", blocks={"scale": 1, "shift": 1})
LISTED_GROUPS: tuple[LieGroup, ...] = (
    SO3(), SE2(), RealSpace(2), Heisenberg(), SL2, AFFINE_LINE, SO2(), DirectProduct(SO2(), RealSpace(2)), SE3(),
)  # fmt: skip
"""Solvable, nilpotent, simple and mixed; all structure constants are rational."""

CONSTRAINTS = ("unconstrained", "distribution", "tested", "covectors", "directed", "both")
"""No constraint; B and c; these and B_V; A and b; these and C; B, c, A, b of one distribution."""

NOISES = ("constant", "prescribed", "state", "formal", "volatility")

Variable = tuple[str, int]
_small = st.integers(-2, 2)
_factors = st.sampled_from([1, -1, 2, -2])


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in components of ``xi``, ``a``, ``z`` and in ``t``: terms of a coefficient and its factors."""

    terms: tuple[tuple[int, tuple[Variable, ...]], ...]

    def at(self, values: Mapping[str, Sequence[Any]]) -> Any:
        """The value, given the components."""
        total: Any = 0
        for coefficient, factors in self.terms:
            term: Any = coefficient
            for name, i in factors:
                term = values[name][i] * term
            total = term + total
        return total

    def __repr__(self) -> str:
        terms = [
            "*".join([str(c), *(f"{n}{i + 1}" if n != "t" else n for n, i in factors)]) for c, factors in self.terms
        ]
        return " + ".join(terms) or "0"


@final
@dataclass(frozen=True)
class PolynomialArray:
    """An array of polynomials, callable with what a definition's functions are called with."""

    shape: tuple[int, ...]
    entries: tuple[Polynomial, ...]

    def __call__(self, **at: Any) -> Any:
        """The values at ``xi, a, z, t``, as far as they are given."""
        values: dict[str, Sequence[Any]] = {k: rows_of(np.asarray(at[k])) for k in ("xi", "a", "z", "t") if k in at}
        out = np.empty(self.shape, dtype=object)
        for index, entry in zip(np.ndindex(self.shape), self.entries, strict=True):
            out[index] = entry.at(values)
        return out

    def __repr__(self) -> str:
        return f"{self.shape}[{', '.join(map(repr, self.entries))}]"


@st.composite
def polynomials(
    draw: st.DrawFn, variables: Sequence[Variable], *, least: int = 0, most: int = 2, degree: int = 2
) -> Polynomial:
    """Polynomials of a constant and ``least`` to ``most`` other terms of at most that ``degree``; they shrink to 0."""
    out: list[tuple[int, tuple[Variable, ...]]] = [(c, ()) for c in [draw(_small)] if c]
    if variables:
        count = draw(st.integers(least, most))
        monomial = st.lists(st.sampled_from(list(variables)), min_size=1, max_size=degree).map(tuple)
        out += draw(st.lists(st.tuples(_factors, monomial), min_size=count, max_size=count))
    return Polynomial(tuple(out))


@st.composite
def arrays(draw: st.DrawFn, shape: tuple[int, ...], variables: Sequence[Variable], *, least: int = 0, most: int = 2,
           constants: bool = True) -> PolynomialArray:  # fmt: skip
    """Arrays with ``least`` to ``most`` entries that are polynomials; the others are integers, or 0 without ``constants``."""
    size = int(np.prod(shape))
    numbers = draw(st.lists(_small, min_size=size, max_size=size)) if constants else [0] * size
    entries = [Polynomial(((c, ()),) if c else ()) for c in numbers]
    if variables and size:
        count = draw(st.integers(min(least, size), min(most, size)))
        for i in draw(st.lists(st.integers(0, size - 1), min_size=count, max_size=count, unique=True)):
            entries[i] = draw(polynomials(variables, least=1))
    return PolynomialArray(shape, tuple(entries))


# -- groups and representations ------------------------------------------------------------------------------------


@st.composite
def changes_of_basis(draw: st.DrawFn, n: int) -> np.ndarray:
    """Invertible rational matrices (n, n), object entries: shears, scales and a permutation; they shrink to the identity."""
    out = np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
    shear = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), _small.filter(bool))
    for i, j, factor in draw(st.lists(shear, max_size=3)):
        if i != j:
            out[i] = out[i] + factor * out[j]
    for i in range(n):
        out[i] = out[i] * draw(st.sampled_from([Fraction(1), Fraction(-1), Fraction(2), Fraction(1, 3)]))
    return out[draw(st.permutations(range(n)))]


@st.composite
def groups(draw: st.DrawFn, max_dimension: int = 4) -> LieGroup:
    """Listed groups, and matrix groups on a random basis of the algebra of one."""
    listed = draw(st.sampled_from([g for g in LISTED_GROUPS if g.dimension <= max_dimension]))
    if not draw(st.booleans()):
        return listed
    change = draw(changes_of_basis(listed.dimension))
    exact = np.array([Fraction(int(x)) for x in listed.basis.ravel()], dtype=object).reshape(listed.basis.shape)
    basis = [sum(c * e for c, e in zip(row, exact, strict=True)) for row in change]
    return MatrixGroup(np.array(basis, dtype=object), name=f"{listed.name}'", blocks={"v": listed.dimension})


def _divisions(group: LieGroup) -> list[str]:
    """The blocks that are factors of their own."""
    found = []
    for block in group.blocks if len(group.blocks) > 1 else ():
        try:
            group.factor(block)
        except DefinitionError:
            continue
        found.append(block)
    return found


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
        return TrivialRepresentation(group, draw(st.integers(1, 2)))
    if kind == "pullback":
        blocks = draw(st.sampled_from(_divisions(group)))
        factor = group.factor(blocks)
        small = factor.size <= max_dimension
        return Pullback(VectorRepresentation(factor) if small else TrivialRepresentation(factor, 1), group, blocks)
    if kind == "sum" and max_dimension >= 2:
        first = draw(representations(group, max_dimension - 1, depth - 1))
        second = draw(representations(group, max_dimension - first.dimension, 0))
        return DirectSum(first, second) if first.dimension + second.dimension <= max_dimension else first
    if kind == "square" and max_dimension >= 3:
        inner = draw(representations(group, 2, depth - 1))
        return SymmetricSquare(inner) if inner.dimension <= 2 else inner
    if kind in ("dual", "sum", "square"):
        return DualRepresentation(draw(representations(group, max_dimension, depth - 1)))
    made: dict[str, Callable[[LieGroup], Representation]] = {
        "vector": VectorRepresentation, "adjoint": AdjointRepresentation, "coadjoint": CoadjointRepresentation,
        "homogeneous": HomogeneousRepresentation,
    }  # fmt: skip
    return made[kind](group)


# -- the parts of a definition -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class PolynomialLagrangian:
    """½ Σ d_i (1 + q_i²) (Kξ)_i² + h·ξ − V, and ¼ w₀ (w·ξ)⁴ where it is quartic; K unit lower triangular, all of (a, t, z).

    Its Hessian is positive definite everywhere.
    """

    diagonal: tuple[int, ...]
    scale: PolynomialArray
    lower: PolynomialArray
    linear: PolynomialArray
    potential: PolynomialArray
    quartic: tuple[int, ...]

    def __call__(self, xi: Any, a: Any, t: Any, z: Any) -> Any:
        """The value."""
        at, v, n = {"a": a, "t": t, "z": z}, list(np.asarray(xi)), len(self.diagonal)
        below, scale = iter(self.lower(**at)), self.scale(**at)
        turned = [v[i] + sum((next(below) * v[j] for j in range(i)), start=0 * v[0]) for i in range(n)]
        kinetic = sum(d * (1 + s * s) * x * x for d, s, x in zip(self.diagonal, scale, turned, strict=True)) / 2
        value = kinetic + sum(h * x for h, x in zip(self.linear(**at), v, strict=True)) - self.potential(**at)[0]
        if any(self.quartic):
            along = sum((w * x for w, x in zip(self.quartic, v, strict=True)), start=0 * v[0])
            value = value + along * along * along * along / 4
        return value


@st.composite
def lagrangians(draw: st.DrawFn, n: int, variables: Sequence[Variable]) -> PolynomialLagrangian:
    """Lagrangians with a regular Hessian, quadratic in ξ or quartic."""

    def few(*shape: int, least: int = 0) -> PolynomialArray:
        return draw(arrays(shape, variables, least=least, most=1, constants=False))

    quartic = draw(st.one_of(st.just((0,) * n), st.tuples(*[_small] * n)))
    return PolynomialLagrangian(
        draw(st.tuples(*[st.integers(1, 3)] * n)), few(n), few(n * (n - 1) // 2), few(n), few(1, least=1), quartic
    )


@final
@dataclass(frozen=True)
class GraphConstraint(StochasticConstraint):
    """A distribution that is a graph over some components, ξ' = Q(a, t, z) u + c', by a basis and by covectors.

    ``order`` puts the components: first those of u, then those that depend on them. ``offset`` may be all of 𝔰.
    """

    slope: PolynomialArray
    offset: PolynomialArray
    order: tuple[int, ...]
    noise: TransportNoise

    def coordinates(self, group: Any) -> dict[str, int]:
        """u."""
        return {"u": self.slope.shape[1]}

    def distribution(self, **at: Any) -> Distribution:
        """B = [1; Q], c."""
        Q = self.slope(**at)
        B = np.empty((len(self.order), Q.shape[1]), dtype=object)
        B[list(self.order)] = np.concatenate([np.eye(Q.shape[1], dtype=int).astype(object), Q])
        return Distribution(B, self.offset(**at))

    def annihilator(self, **at: Any) -> Annihilator:
        """A = [−Q, 1], b = A c."""
        Q = self.slope(**at)
        A = np.empty((Q.shape[0], len(self.order)), dtype=object)
        A[:, list(self.order)] = np.concatenate([-Q, np.eye(Q.shape[0], dtype=int).astype(object)], axis=1)
        return Annihilator(A, A.dot(self.offset(**at)))


@final
@dataclass(frozen=True)
class _Part:
    """B, A or b of a graph, as a function."""

    graph: GraphConstraint
    which: str
    attribute: str

    def __call__(self, **at: Any) -> Any:
        return getattr(getattr(self.graph, self.which)(**at), self.attribute)


@final
@dataclass(frozen=True)
class _Directions:
    """C = Aᵀ and something."""

    covectors: _Part
    change: PolynomialArray

    def __call__(self, **at: Any) -> Any:
        return self.covectors(**at).T + self.change(**at)


@st.composite
def constraints(draw: st.DrawFn, kind: str, n: int, variables: Sequence[Variable], noise: TransportNoise
                ) -> StochasticConstraint:  # fmt: skip
    """A constraint of one of :data:`CONSTRAINTS`, of full rank everywhere."""
    if kind == "unconstrained" or n == 1:
        return Unconstrained(noise=noise)
    m = draw(st.integers(1, n - 1))
    order = tuple(draw(st.permutations(range(n))))
    slope, offset = draw(arrays((n - m, m), variables)), draw(arrays((n,), variables, constants=False))
    graph = GraphConstraint(slope, offset, order, noise)
    if kind == "both":
        return graph
    basis = _Part(graph, "distribution", "basis")
    if kind == "distribution":
        return DistributionConstraint(basis, {"u": m}, graph.offset, noise=noise)
    if kind == "tested":
        other = GraphConstraint(draw(arrays((n - m, m), variables)), offset, order, noise)
        return DistributionConstraint(basis, {"u": m}, graph.offset, _Part(other, "distribution", "basis"), noise)
    covectors, values = _Part(graph, "annihilator", "covectors"), _Part(graph, "annihilator", "values")
    if kind == "covectors":
        return CovectorConstraint(covectors, values, noise=noise)
    change = draw(arrays((n, n - m), [*variables, *(("xi", i) for i in range(n))]))
    return CovectorConstraint(covectors, values, _Directions(covectors, change), noise)


@st.composite
def noises(draw: st.DrawFn, kind: str, n: int, count: int, variables: Sequence[Variable]) -> TransportNoise:
    """A noise of one of :data:`NOISES` with ``count`` amplitudes of 𝔰; of a volatility, ``variables`` is without its z."""
    shape, time = (count, n), [("t", 0)]
    if kind == "constant" or not count:
        return ConstantNoise(draw(arrays(shape, ()))())
    if kind == "prescribed":
        return PrescribedNoise(draw(arrays(shape, time)))
    if kind == "volatility":
        drift, diffusion = (draw(arrays(shape, time)) for _ in range(2))
        return VolatilityNoise(draw(arrays(shape, ()))(), drift, diffusion, name="zeta")
    if kind == "state":
        return StateNoise(draw(arrays(shape, variables, least=1, most=3)))
    velocities = [("xi", i) for i in range(n)]
    return FormalNoise(draw(arrays(shape, [*variables, *velocities], least=1, most=3)))


@st.composite
def definitions(draw: st.DrawFn, *, constraint: Sequence[str] = CONSTRAINTS, noise: Sequence[str] = NOISES,
                group: st.SearchStrategy[LieGroup] | None = None) -> Definition:  # fmt: skip
    """Random definitions with everything that the theorem has: the data of MATHEMATICS, section 1, as polynomials.

    Parameters
    ----------
    constraint, noise : sequences of str
        Kinds to draw from, of :data:`CONSTRAINTS` and :data:`NOISES`.
    group : strategy, optional
        Default :func:`groups`.
    """
    chosen = draw(groups() if group is None else group)
    n = chosen.dimension
    advected: dict[str, Advected] = {}
    for name in draw(st.sampled_from([("a",), (), ("a", "b")])):
        representation = draw(representations(chosen, 3 if advected else 4))
        reference = draw(st.lists(_small, min_size=representation.dimension, max_size=representation.dimension))
        advected[name] = Advected(representation, reference)
    k = sum(q.dimension for q in advected.values())
    kind, count = draw(st.sampled_from(list(noise))), draw(st.sampled_from([1, 2, 0]))
    own = draw(st.integers(0, 2))
    volatile = count * n if kind == "volatility" else 0
    time: list[Variable] = [("t", 0)]
    z: list[Variable] = [("z", i) for i in range(own + volatile)]
    variables = [*(("a", i) for i in range(k)), *z, *time]
    transport = draw(noises(kind, n, count, variables))
    internal = []
    if own:
        alpha = draw(arrays((own,), [*z, *time]))
        beta = draw(arrays((draw(st.integers(0, 2)), own), [*z, *time]))
        internal.append(InternalState("w", [0] * own, alpha, beta))
    everything = [*(("xi", i) for i in range(n)), *variables]
    force = draw(st.none() | arrays((n,), everything))
    shaken = draw(st.none() | arrays((2, n), everything))
    alone = draw(st.none() | arrays((1, n), everything))
    forces = Forces(force, shaken, alone)
    limits = draw(constraints(draw(st.sampled_from(list(constraint))), n, variables, transport))
    return Definition(chosen, draw(lagrangians(n, variables)), limits, advected, tuple(internal), forces)


# -- states --------------------------------------------------------------------------------------------------------


def fractions(bound: int = 3) -> st.SearchStrategy[Fraction]:
    """Fractions within ``bound`` with denominators up to 3."""
    return st.builds(Fraction, st.integers(-bound, bound), st.sampled_from([1, 2, 3]))


@st.composite
def rational_states(draw: st.DrawFn, definition: Definition) -> ExactState:
    """States of a definition, advected quantities anywhere in their space and not only on their orbit."""
    u, a, z = (tuple(draw(st.lists(fractions(), min_size=s, max_size=s))) for s in sizes(definition))
    return ExactState(u, a, z, draw(fractions()))

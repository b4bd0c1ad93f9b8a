"""Hypothesis strategies for whole definitions and their exact states, built from small integers, so that they shrink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from hypothesis import strategies as st

import semidirect as sd
from semidirect import (
    Advected,
    CovectorConstraint,
    Distribution,
    DistributionConstraint,
    InternalState,
    LieGroup,
    StateNoise,
    StochasticConstraint,
    Unconstrained,
)
from semidirect.definition import Annihilator, Definition
from semidirect.testing.laws import exact_points
from semidirect.testing.polynomial_strategies import PolynomialArray, Variable, arrays, small_integers
from semidirect.testing.symmetry_strategies import groups, representations

CONSTRAINTS = ("unconstrained", "distribution", "tested", "covectors", "directed", "both")
"""No constraint; B and c; these and B_V; A and b; these and C; B, c, A, b of one distribution."""

NOISES = ("constant", "prescribed", "state", "formal", "volatility")


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
        combinations = [v[i] + sum((next(below) * v[j] for j in range(i)), start=0 * v[0]) for i in range(n)]
        kinetic = sum(d * (1 + s * s) * x * x for d, s, x in zip(self.diagonal, scale, combinations, strict=True)) / 2
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

    quartic = draw(st.one_of(st.just((0,) * n), st.tuples(*[small_integers] * n)))
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
    noise: sd.noise.TransportNoise

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
def constraints(draw: st.DrawFn, kind: str, n: int, variables: Sequence[Variable], noise: sd.noise.TransportNoise
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
def noises(draw: st.DrawFn, kind: str, n: int, count: int, variables: Sequence[Variable]) -> sd.noise.TransportNoise:
    """A noise of one of :data:`NOISES` with ``count`` amplitudes of 𝔰; of a volatility, ``variables`` is without its z."""
    shape, time = (count, n), [("t", 0)]
    if kind == "constant" or not count:
        return sd.noise.ConstantNoise(draw(arrays(shape, ()))())
    if kind == "prescribed":
        return sd.noise.PrescribedNoise(draw(arrays(shape, time)))
    if kind == "volatility":
        drift, diffusion = (draw(arrays(shape, time)) for _ in range(2))
        return sd.noise.VolatilityNoise(draw(arrays(shape, ()))(), drift, diffusion, name="zeta")
    if kind == "state":
        return StateNoise(draw(arrays(shape, variables, least=1, most=3)))
    velocities = [("xi", i) for i in range(n)]
    return sd.noise.FormalNoise(draw(arrays(shape, [*variables, *velocities], least=1, most=3)))


@st.composite
def definitions(draw: st.DrawFn, *, constraint: Sequence[str] = CONSTRAINTS, noise: Sequence[str] = NOISES,
                group: st.SearchStrategy[LieGroup] | None = None) -> Definition:  # fmt: skip
    """Random definitions with everything that the theorem has: its data (docs/theory.md) as polynomials.

    Parameters
    ----------
    constraint, noise : sequences of str
        Kinds to draw from, of :data:`CONSTRAINTS` and :data:`NOISES`.
    group : strategy, optional
        Default :func:`groups`.
    """
    lie_group = draw(groups() if group is None else group)
    n = lie_group.dimension
    advected: dict[str, Advected] = {}
    for name in draw(st.sampled_from([("a",), (), ("a", "b")])):
        representation = draw(representations(lie_group, 3 if advected else 4))
        reference = draw(st.lists(small_integers, min_size=representation.dimension, max_size=representation.dimension))
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
        all_variables = [*(("xi", i) for i in range(n)), *variables]
        alpha = draw(arrays((own,), all_variables))
        beta = draw(arrays((draw(st.integers(0, 2)), own), all_variables))
        internal.append(InternalState("w", [0] * own, alpha, beta))
    everything = [*(("xi", i) for i in range(n)), *variables]
    force = draw(st.none() | arrays((n,), everything))
    shaken = draw(st.none() | arrays((2, n), everything))
    alone = draw(st.none() | arrays((1, n), everything))
    forces = sd.definition.Forces(force, shaken, alone)
    limits = draw(constraints(draw(st.sampled_from(list(constraint))), n, variables, transport))
    return Definition(lie_group, draw(lagrangians(n, variables)), limits, advected, tuple(internal), forces)


# -- states --------------------------------------------------------------------------------------------------------


def fractions(bound: int = 3) -> st.SearchStrategy[Fraction]:
    """Fractions within ``bound`` with denominators up to 3."""
    return st.builds(Fraction, st.integers(-bound, bound), st.sampled_from([1, 2, 3]))


@st.composite
def rational_states(draw: st.DrawFn, definition: Definition) -> exact_points.ExactState:
    """States of a definition, advected quantities anywhere in their space and not only on their orbit."""
    u, a, z = (tuple(draw(st.lists(fractions(), min_size=s, max_size=s))) for s in exact_points.sizes(definition))
    return exact_points.ExactState(u, a, z, draw(fractions()))

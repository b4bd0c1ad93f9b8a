"""Identities that every group satisfies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from semidirect.groups import LieGroup
from semidirect.testing.laws.identities.identity import AGAINST_EXPM, INEXACT, STEP, Equal, Identity, Sides, size

# -- groups --------------------------------------------------------------------------------------------------------


def brackets_are_commutators(group: LieGroup) -> Sides:
    """[e_i, e_j] = Σ c_ijk e_k."""
    e, n = group.basis, group.dimension
    commutators = np.einsum("iab,jbc->ijac", e, e) - np.einsum("jab,ibc->ijac", e, e)
    yield Equal(np.einsum("ijk,kab->ijab", group.structure_constants, e), commutators)
    dense = np.zeros((n, n, n))
    for i, j, k, value in group.brackets:
        dense[i, j, k] = value
    yield Equal(dense, group.structure_constants, 0.0)


def jacobi_holds_exactly_for_exact_brackets(group: LieGroup) -> Sides:
    """Jacobi's identity of the basis."""
    unit = np.array(
        [[Fraction(int(i == j)) for j in range(group.dimension)] for i in range(group.dimension)], dtype=object
    )
    inexact, b = any(isinstance(value, float) for *_, value in group.brackets), group.bracket
    for x, y, z in product(unit, repeat=3):
        yield Equal(
            b(x, b(y, z)) + b(y, b(z, x)) + b(z, b(x, y)), np.zeros(group.dimension), INEXACT if inexact else 0.0
        )


def jacobi(group: LieGroup, x: Any, y: Any, z: Any) -> Sides:
    """Jacobi's identity of floats."""
    ad = group.ad
    rest = ad(x, ad(y, z)) + ad(y, ad(z, x)) + ad(z, ad(x, y))
    yield Equal(rest, np.zeros(group.dimension), scale=size(x) * size(y) * size(z))


def ad_is_the_commutator(group: LieGroup, x: Any, y: Any) -> Sides:
    """hat(ad_x y) = [hat x, hat y]."""
    a, b = group.hat(x), group.hat(y)
    yield Equal(group.hat(group.ad(x, y)), a @ b - b @ a)
    yield Equal(group.bracket(x, y), group.ad(x, y), 0.0)


def ad_star_pairs_with_ad(group: LieGroup, x: Any, mu: Any, y: Any) -> Sides:
    """⟨ad*_x μ, y⟩ = ⟨μ, ad_x y⟩."""
    yield Equal(group.ad_star(x, mu) @ y, mu @ group.ad(x, y), scale=size(x) * size(y))
    yield Equal(group.cobracket(x, mu), group.ad_star(x, mu), 0.0)


def vee_inverts_hat(group: LieGroup, x: Any) -> Sides:
    """vee(hat x) = x."""
    yield Equal(group.vee(group.hat(x)), x)
    yield Equal(group.vee_entries(group.hat_entries(x)), x)
    yield Equal(group.hat_entries(x), group.hat(x), 0.0)


def Ad_is_conjugation(group: LieGroup, g: Any, x: Any) -> Sides:
    """hat(Ad_g x) = g hat(x) g⁻¹."""
    yield Equal(group.hat(group.Ad(g, x)), g @ group.hat(x) @ group.inverse(g), scale=size(g) ** 2)


def Ad_is_an_action(group: LieGroup, g: Any, h: Any, x: Any) -> Sides:
    """Ad_gh = Ad_g Ad_h."""
    yield Equal(group.Ad(group.compose(g, h), x), group.Ad(g, group.Ad(h, x)), scale=size(g) ** 2 * size(h) ** 2)


def Ad_star_of_the_inverse_keeps_the_pairing(group: LieGroup, g: Any, mu: Any, x: Any) -> Sides:
    """⟨Ad*_{g⁻¹} μ, Ad_g x⟩ = ⟨μ, x⟩."""
    yield Equal(group.Ad_star(group.inverse(g), mu) @ group.Ad(g, x), mu @ x, scale=size(g) ** 4)


def Ad_and_Ad_star_exponentiate_ad_and_ad_star(group: LieGroup, x: Any, mu: Any) -> Sides:
    """Ad_{exp x} = exp ad_x, and the same of the duals."""
    from scipy.linalg import expm

    unit = np.eye(group.dimension)
    ad = np.array([group.ad(x, e) for e in unit]).T
    ad_star = np.array([group.ad_star(x, e) for e in unit]).T
    g = group.exp(x)
    yield Equal(group.Ad_matrix(g), expm(ad), AGAINST_EXPM, scale=size(g) ** 2)
    yield Equal(group.Ad_star(g, mu), expm(ad_star) @ mu, AGAINST_EXPM, scale=size(g) ** 2)


def it_is_a_group(group: LieGroup, g: Any, h: Any) -> Sides:
    """Products and inverses are elements, and g g⁻¹ = 1."""
    for member in (g, h, group.compose(g, h), group.inverse(g), group.identity):
        yield Equal(group.residual(member), 0.0, 1e-12 * size(g) ** 2 * size(h) ** 2)
    yield Equal(group.compose(g, group.inverse(g)), group.identity, scale=size(g) ** 2)
    yield Equal(group.compose(group.inverse(g), g), group.identity, scale=size(g) ** 2)


def exp_is_that_of_matrices(group: LieGroup, x: Any) -> Sides:
    """exp x is the exponential of hat x, and exp 0 = 1."""
    from scipy.linalg import expm

    yield Equal(group.exp(x), expm(group.hat(x)), 4e-15 * (1 + size(group.hat(x))), scale=size(group.exp(x)))
    yield Equal(group.exp(np.zeros(group.dimension)), group.identity, 0.0)


def cayley_stays_on_the_group(group: LieGroup, x: Any) -> Sides:
    """(1 − x/2) cay(x) = 1 + x/2 on the group, the exponential to second order."""
    if not group.quadratic:
        return
    x = x / max(1.0, size(group.hat(x)))
    g, a, one = group.cayley(x), group.hat(x) / 2, group.identity
    yield Equal(group.residual(g), 0.0, 1e-14)  # measured 9e-16
    yield Equal((one - a) @ g, one + a)
    yield Equal(group.cayley(-x), group.inverse(g))
    yield Equal(group.cayley(STEP * x) - group.exp(STEP * x), np.zeros_like(one), STEP**3 * group.size**2)


def move_multiplies_and_keeps_count_of_turns(group: LieGroup, g: Any, x: Any) -> Sides:
    """The stored coordinates move as the element does."""
    stored = group.store(g)
    yield Equal(stored.shape, (len(group.stored_names),), 0.0)
    yield Equal(group.element(stored), g)
    angles = [group.stored_names.index(c) for c in group.circles]
    for retraction in ("exp", "cayley") if group.quadratic else ("exp",):
        x = x / max(1.0, size(group.hat(x))) if retraction == "cayley" else x
        step = group.retract_entries(x, retraction)
        yield Equal(group.residual(step), 0.0, 1e-12 * size(step))
        after = group.move(stored, x, retraction)
        yield Equal(group.element(after), g @ step, scale=size(g) * size(step))
        yield Equal(group.store(g @ step, after[angles]), after, scale=size(g) * size(step))
    yield Equal(group.retract_entries(x, "exp"), group.exp_entries(x))


def flow_is_the_rate_of_move(group: LieGroup, g: Any, x: Any) -> Sides:
    """flow is the derivative of move."""
    stored = group.store(g)
    x = x / max(1.0, size(group.hat(x)))
    rate = (group.move(stored, STEP * x) - group.move(stored, -STEP * x)) / (2 * STEP)
    yield Equal(group.flow_entries(stored, x), rate, 1e-8 * group.size, scale=size(g))


GROUP_IDENTITIES = tuple(
    Identity(sides.__name__, draws, sides)
    for sides, draws in (
        (brackets_are_commutators, ""), (jacobi_holds_exactly_for_exact_brackets, ""), (jacobi, "xxx"),
        (ad_is_the_commutator, "xx"), (ad_star_pairs_with_ad, "xmx"), (vee_inverts_hat, "x"), (Ad_is_conjugation, "gx"),
        (Ad_is_an_action, "ggx"), (Ad_star_of_the_inverse_keeps_the_pairing, "gmx"),
        (Ad_and_Ad_star_exponentiate_ad_and_ad_star, "xm"), (it_is_a_group, "gg"), (exp_is_that_of_matrices, "x"),
        (cayley_stays_on_the_group, "x"), (move_multiplies_and_keeps_count_of_turns, "gx"), (flow_is_the_rate_of_move, "gx"),
    )
)  # fmt: skip

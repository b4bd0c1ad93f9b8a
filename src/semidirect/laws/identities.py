"""The identities of a Lie group and of a representation as data: random arguments, and two sides that must be equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, TypeAlias, final

import numpy as np

from semidirect.groups import LieGroup
from semidirect.representations import Representation

ROUND_OFF = 2e-14
"""Times the largest entry. Measured over our groups by many draws: 2.8e-15 (exp log on SO(5))."""

AGAINST_EXPM = 2e-13
"""With SciPy's expm as the reference; measured 3.3e-14, on the adjoint of SO(5)."""

INEXACT = 1e-12
"""For structure constants that are decimals of irrational numbers."""

STEP = 1e-4
"""For central differences, whose errors are STEP² |x|³/6 and round-off/STEP: 2e-9 and 1e-12."""


@final
@dataclass(frozen=True)
class Equal:
    """Two sides of an identity, equal within ``tolerance`` times the largest of their entries, 1 and ``scale``."""

    left: Any
    right: Any
    tolerance: float = ROUND_OFF
    scale: float = 1.0

    @property
    def off(self) -> float:
        """The largest difference relative to the tolerance (0 for exact identities); more than 1 if the identity fails."""
        rest = np.max(np.abs(np.asarray(self.left, dtype=float) - np.asarray(self.right, dtype=float)), initial=0.0)
        allowed = self.tolerance * max(size(self.left), size(self.right), self.scale)
        return float(rest / allowed) if allowed else (float("inf") if rest else 0.0)

    @property
    def holds(self) -> bool:
        """Whether the sides are equal; nan is never equal."""
        return self.off <= 1


Sides: TypeAlias = "Iterator[Equal]"


@final
@dataclass(frozen=True)
class Identity:
    """An identity of a group or a representation.

    Attributes
    ----------
    name : str
        The statement.
    draws : str
        A letter for each thing that is drawn: ``x`` an algebra vector, ``g`` an element, ``m`` a covector, ``v`` a vector and
        ``k`` a covector of a representation.
    sides : callable(group or representation, *drawn) → iterator of Equal
        The sides that must be equal.
    """

    name: str
    draws: str
    sides: Callable[..., Sides]

    def broken(self, of: Any, *drawn: Any) -> str:
        """The first sides that are not equal, in words; empty if all are equal."""
        found = next((equal for equal in self.sides(of, *drawn) if not equal.holds), None)
        return "" if found is None else f"{self.name.replace('_', ' ')}: {found.left} is not {found.right}"


def size(a: Any, least: float = 1.0) -> float:
    """The largest entry of ``a``, or ``least``."""
    return max(least, float(np.max(np.abs(np.asarray(a, dtype=float)), initial=0.0)))


def seeded(group: LieGroup, dimension: int, draws: str, random: Random) -> list[Any]:
    """The random arguments of an identity."""

    def vector(letter: str) -> np.ndarray:
        return np.array([random.uniform(-1, 1) for _ in range(dimension if letter in "vk" else group.dimension)])

    return [group.exp(vector(letter)) if letter == "g" else vector(letter) for letter in draws]


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
        moved = group.move(stored, x, retraction)
        yield Equal(group.element(moved), g @ step, scale=size(g) * size(step))
        yield Equal(group.store(g @ step, moved[angles]), moved, scale=size(g) * size(step))
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

# -- representations -----------------------------------------------------------------------------------------------


def norm(rep: Representation, x: Any) -> float:
    """The largest entry of ρ(x)."""
    return size(np.einsum("j,jab->ab", x, rep.generators.astype(float)))


def simple(entries: np.ndarray) -> bool:
    """Whether entries are rational by intention, not decimals of irrational numbers."""
    return all(Fraction(e).limit_denominator(1000) == e for e in entries.ravel())


def generators_represent_the_brackets(rep: Representation) -> Sides:
    """[ρ_i, ρ_j] = Σ c_ijk ρ_k."""
    rho, brackets = rep.generators, rep.group.brackets
    exact = simple(rho) and not any(isinstance(value, float) for *_, value in brackets)
    for i, j in product(range(rep.group.dimension), repeat=2):
        expected = sum((c * rho[k] for a, b, k, c in brackets if (a, b) == (i, j)), 0 * rho[0])
        rest = rho[i].dot(rho[j]) - rho[j].dot(rho[i]) - expected
        yield Equal(rest, np.zeros(rest.shape), 0.0 if exact else INEXACT)


def the_action_represents_the_bracket(rep: Representation, x: Any, y: Any, v: Any) -> Sides:
    """ρ(x)ρ(y) − ρ(y)ρ(x) = ρ([x, y])."""
    a = rep.action
    yield Equal(a(x, a(y, v)) - a(y, a(x, v)), a(rep.group.bracket(x, y), v), scale=norm(rep, x) * norm(rep, y))


def diamond_and_coaction_are_duals_of_the_action(rep: Representation, x: Any, kappa: Any, v: Any) -> Sides:
    """⟨κ ◇ v, x⟩ = −⟨κ, ρ(x)v⟩."""
    paired = kappa @ rep.action(x, v)
    yield Equal(rep.diamond(kappa, v) @ x, -paired, scale=norm(rep, x))
    yield Equal(rep.coaction(x, kappa) @ v, paired, scale=norm(rep, x))


def act_is_an_action(rep: Representation, g: Any, h: Any, v: Any) -> Sides:
    """(gh)·v = g·(h·v)."""
    # an action such as x ↦ g x g⁻¹ rounds in proportion to g, too
    scale = size(rep.matrix_entries(g)) * size(rep.matrix_entries(h)) * size(g) * size(h)
    yield Equal(rep.act(rep.group.compose(g, h), v), rep.act(g, rep.act(h, v)), scale=scale)
    yield Equal(rep.inverse_act(g, rep.act(g, v)), v, scale=scale**2)
    yield Equal(rep.act(rep.group.identity, v), v, 1e-15)


def act_exponentiates_the_action(rep: Representation, x: Any, v: Any) -> Sides:
    """exp(x)·v = exp(ρ(x)) v."""
    from scipy.linalg import expm

    g, matrix = rep.group.exp(x), expm(np.einsum("j,jab->ab", x, rep.generators.astype(float)))
    yield Equal(rep.act(g, v), matrix @ v, AGAINST_EXPM, scale=size(matrix))
    yield Equal(rep.matrix_entries(g), matrix, AGAINST_EXPM)


def the_action_is_the_rate_of_act(rep: Representation, x: Any, v: Any) -> Sides:
    """d/dε exp(εx)·v = ρ(x)v."""
    group = rep.group
    x = x / max(1.0, norm(rep, x), size(group.hat(x)))
    rate = (rep.act(group.exp(STEP * x), v) - rep.act(group.exp(-STEP * x), v)) / (2 * STEP)
    yield Equal(rate, rep.action(x, v), 1e-8 * rep.dimension**3)


def act_is_linear(rep: Representation, g: Any, v: Any, w: Any) -> Sides:
    """g·v is linear in v."""
    yield Equal(rep.act(g, 2 * v - w), 2 * rep.act(g, v) - rep.act(g, w), scale=size(rep.matrix_entries(g)))
    yield Equal(rep.matrix_entries(g) @ v, rep.act(g, v), scale=size(rep.matrix_entries(g)))


REPRESENTATION_IDENTITIES = tuple(
    Identity(sides.__name__, draws, sides)
    for sides, draws in (
        (generators_represent_the_brackets, ""), (the_action_represents_the_bracket, "xxv"),
        (diamond_and_coaction_are_duals_of_the_action, "xkv"), (act_is_an_action, "ggv"),
        (act_exponentiates_the_action, "xv"), (the_action_is_the_rate_of_act, "xv"), (act_is_linear, "gvv"),
    )
)  # fmt: skip

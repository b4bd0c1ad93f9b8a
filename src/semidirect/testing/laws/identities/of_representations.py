"""Identities that every representation satisfies."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from semidirect.groups import Representation
from semidirect.testing.laws.identities.identity import (
    AGAINST_EXPM,
    INEXACT,
    STEP,
    Equal,
    Identity,
    Sides,
    norm,
    simple,
    size,
)


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

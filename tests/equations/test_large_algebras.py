"""Large algebras: derived in the time of their structure constants, and printed by their structure."""

import sys

import numpy as np
import pytest
import sympy as sp

import semidirect as sd
from semidirect.groups import SpecialOrthogonal
from semidirect.pages import structure_page
from semidirect.pages.lines import Lines


def body(n, noises=()):
    group = SpecialOrthogonal(n)
    rows = [[0.1 * (j + 1) * (j % k == 0) for j in range(group.dimension)] for k in noises]

    class Body(sd.System):
        """A free body."""

        def lagrangian(self, xi):
            return sum((k + 2) * w**2 for k, w in enumerate(xi.Omega)) / 2

        def constraint(self):
            return sd.Unconstrained(noise=rows)

    Body.group = group
    return Body()


def calls(work):
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_derivation_grows_as_the_structure_constants():
    """From so(7) to so(10) there are 3.43 times the structure constants, and 10 times n³: measured 3.42 times the calls."""
    body(4).sde()
    before, after = (body(n) for n in (7, 10))
    few, many = calls(before.sde), calls(after.sde)
    assert many / few < 1.2 * len(after.group.brackets) / len(before.group.brackets)


def test_the_algebra_of_a_large_group_is_that_of_its_matrices():
    """so(24), beyond what once was the largest."""
    group, rng = SpecialOrthogonal(24), np.random.default_rng(1)
    xi, eta = rng.normal(size=(2, group.dimension))
    A, B = group.hat(xi), group.hat(eta)
    np.testing.assert_allclose(group.hat(group.ad(xi, eta)), A @ B - B @ A, rtol=0, atol=1e-13)
    assert len(group.brackets) == 24 * 23 * 22


def test_what_does_not_fit_is_an_error_that_names_matrices():
    with pytest.raises(sd.errors.DefinitionError, match=r"SO\(500\) is too large.*MatrixLiePoisson"):
        SpecialOrthogonal(500)


def test_pages_of_many_structure_constants_name_structure():
    large = {n: structure_page.is_large(SpecialOrthogonal(n)) for n in (3, 10, 11, 15)}
    assert large == {3: False, 10: False, 11: True, 15: True}
    assert not structure_page.is_large(
        sd.DirectProduct(*(sd.SO3() for _ in range(40)), names=[f"b{i}" for i in range(40)])
    )


@pytest.fixture
def small_is_large(monkeypatch):
    monkeypatch.setattr(structure_page, "MOST_BRACKETS", 0)


def test_a_page_of_structure_states_what_is_run(small_is_large):
    """dM = [M, Ω] dt + [M, N_k]∘dWᵏ, and ½ Σ [[M, N_k], N_k] dt in Itô's form, evaluated with matrices."""
    system, group = body(4, noises=(2, 3)), SpecialOrthogonal(4)
    assert str(system.equations()).splitlines()[1:] == [
        "  Ω, M ∈ so(4), antisymmetric matrices",
        "  ⟨M, Ω⟩ = −½ tr(MΩ)",
        "  M = ∂l/∂Ω",
        "  N_1 … N_2 ∈ so(4), the noise fields",
        "  dM = [M, Ω] dt + [M, N_1]∘dW¹ + [M, N_2]∘dW²",
        "  Ω has 6 components, which equations(components=True) writes out.",
    ]
    assert "+ ½ Σ [[M, N_k], N_k] dt" in str(system.equations("ito"))
    Omega = np.random.default_rng(2).normal(size=6)
    p = Omega * np.arange(2, 8)
    M, W = group.hat(p), group.hat(Omega)
    N = [group.hat(row) for row in np.array([[0.1 * (j + 1) * (j % k == 0) for j in range(6)] for k in (2, 3)])]
    assert -np.trace(M @ W) / 2 == pytest.approx(p @ Omega)

    def bracket(A, B):
        return A @ B - B @ A

    np.testing.assert_allclose(group.hat(system.drift(p)[:6]), bracket(M, W), rtol=0, atol=1e-14)
    for field, X in zip(system.diffusion(p).T, N, strict=True):
        np.testing.assert_allclose(group.hat(field[:6]), bracket(M, X), rtol=0, atol=1e-14)
    once = system.diffusion(p).T[:, :6]  # linear in M, so (Dg)g is g of g
    twice = sum(system.diffusion(g)[:6, k] for k, g in enumerate(once)) / 2
    correction = sum(bracket(bracket(M, X), X) for X in N) / 2
    np.testing.assert_allclose(group.hat(twice), correction, rtol=0, atol=1e-13)


def test_components_are_written_on_demand(monkeypatch):
    system = body(4, noises=(2,))
    written = str(system.equations())
    monkeypatch.setattr(structure_page, "MOST_BRACKETS", 0)
    assert str(body(4, noises=(2,)).equations(components=True)) == written
    assert "M₁" in written
    assert r"[\boldsymbol{M}, N_{1}]\circ" in body(4, noises=(2,)).equations().latex()


def test_pages_of_structure_have_what_is_advected_and_constraints(small_is_large):
    group = SpecialOrthogonal(4)

    class Top(sd.System):
        """A top of four dimensions that cannot turn in one plane."""

        advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 0, 1))}

        def lagrangian(self, xi, a):
            return sum((k + 2) * w**2 for k, w in enumerate(xi.Omega)) / 2 - a.Gamma[3]

    class Held(Top):
        def constraint(self):
            return sd.CovectorConstraint(lambda a: [[0, 0, 0, 0, 0, 1]])

    Top.group = Held.group = group
    page = str(Top().equations())
    assert "dM = [M, Ω] dt + (∂l/∂a ◇ a) dt" in page
    assert "dΓ = -ρ(Ω) Γ dt" in page
    assert "dp = ad*(Ω) p dt + (∂l/∂a ◇ a) dt + C dλ" in str(Held().equations())
    assert Held().equations().described()["lines"][-1] == "dΓ = -ρ(Ω) Γ dt"


def test_the_change_of_an_inertia_is_left_out_also_of_sums_that_are_not_expanded():
    """As in the right-hand sides of the bicycle of Whipple in Itô's form, which are too large."""
    x, y, turning = sp.Symbol("x"), sp.Symbol("y"), sp.Symbol("~L1_1'0")
    lines = object.__new__(Lines)
    for e in (y * (x + 3 * turning) + x**2, sp.expand(y * (x + 3 * turning) + x**2)):
        assert sp.expand(lines._rest(e)) == x * y + x**2

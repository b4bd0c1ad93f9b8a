"""Equations read like the paper: vector notation found again, and the pages of the built-in systems."""

from __future__ import annotations

import re

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from latex_width import TEXT_POINTS, widest
from library_pages import evolutions, loaded

import semidirect as sd
from semidirect.pages.notation import latex_name, readable, unicode_name
from semidirect.pages.vectors import Term, evaluate, recognise

NAMES = ("Omega", "Gamma", "chi", "Y")
VECTORS = {name: sp.symbols(f"{name}1:4", real=True) for name in NAMES}
LETTERS = {s: (name, i) for name, symbols in VECTORS.items() for i, s in enumerate(symbols)}
MOMENTS = sp.symbols("I1:4", real=True)
DIAGONAL = {s: i for i, s in enumerate(MOMENTS)}
SCALARS = [sp.Integer(1), *sp.symbols("m r ell", real=True)]

names = st.sampled_from(NAMES)
vectors = st.recursive(
    names,
    lambda inner: st.one_of(st.tuples(st.just("x"), inner, inner), st.tuples(st.just("dot"), names, names, inner)),
    max_leaves=3,
)
scalars = st.tuples(st.just("dot"), vectors, names)


def leaves(shape: object) -> int:
    return 1 if isinstance(shape, str) else sum(leaves(part) for part in shape[1:])  # type: ignore[index]


def expressions(shape: object) -> list[sp.Expr]:
    """Components of a shape as SymPy expressions."""

    def monomial(factors: tuple[tuple[str, int], ...]) -> sp.Expr:
        return sp.Mul(*(component(name, k) for name, k in factors))

    return [sp.Add(*(c * monomial(m) for m, c in p.items())) for p in evaluate(shape)]


def component(name: str, k: int) -> sp.Expr:
    return MOMENTS[k] * VECTORS[name[1:]][k] if name.startswith("𝕀") else VECTORS[name][k]


def total(terms: list[Term], size: int) -> list[sp.Expr]:
    out = [sp.Integer(0)] * size
    for t in terms:
        for k, e in enumerate(expressions(t.shape)):
            out[k] += t.coefficient * t.scalar * e
    return out


@given(st.lists(st.tuples(st.integers(-3, 3), st.sampled_from(SCALARS), vectors), min_size=1, max_size=3))
def test_vector_expressions_are_found_again(parts):
    parts = [(c, s, v) for c, s, v in parts if leaves(v) <= 4]
    components = [sp.Integer(0)] * 3
    for coefficient, scalar, shape in parts:
        for k, e in enumerate(expressions(shape)):
            components[k] += coefficient * scalar * e
    terms = recognise(components, LETTERS, DIAGONAL)
    assert terms is not None
    assert [sp.expand(a - b) for a, b in zip(total(terms, 3), components, strict=True)] == [0, 0, 0]


@given(st.lists(st.tuples(st.integers(-3, 3), st.sampled_from(SCALARS), scalars), min_size=1, max_size=2))
def test_scalar_expressions_are_found_again(parts):
    value = sum((c * s * expressions(v)[0] for c, s, v in parts if leaves(v) <= 4), sp.Integer(0))
    terms = recognise([value], LETTERS, DIAGONAL)
    assert terms is not None
    assert sp.expand(total(terms, 1)[0] - value) == 0


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_the_inertia_becomes_a_letter(a, b):
    product = [MOMENTS[k] * VECTORS[a][k] for k in range(3)]
    terms = recognise(product, LETTERS, DIAGONAL)
    assert terms == [Term(sp.Integer(1), sp.Integer(1), f"𝕀{a}")]
    energy = recognise([sum(MOMENTS[k] * VECTORS[a][k] * VECTORS[b][k] for k in range(3))], LETTERS, DIAGONAL)
    assert energy is not None
    assert len(energy) == 1
    assert sp.expand(total(energy, 1)[0] - sum(MOMENTS[k] * VECTORS[a][k] * VECTORS[b][k] for k in range(3))) == 0


@pytest.mark.parametrize(
    "components",
    [
        (VECTORS["Omega"][0], VECTORS["Omega"][0], 0),  # not equivariant
        (VECTORS["Omega"][1], VECTORS["Omega"][0], VECTORS["Omega"][2]),  # a reflection
        (sp.sqrt(VECTORS["Omega"][0]), 0, 0),  # not a polynomial
    ],
)
def test_expressions_that_are_no_vectors_are_rejected(components):
    assert recognise([sp.sympify(c) for c in components], LETTERS, DIAGONAL) is None


def test_the_ball_reads_like_the_paper():
    text = str(sd.load("routh-sphere").equations())
    lines = [line.strip() for line in text.splitlines()]
    assert "s = r Γ + ℓ χ" in lines
    assert "Y = Ω × s" in lines
    assert "M = 𝕀Ω + m (s × Y)" in lines
    assert "Ω = L⁻¹ M,  L = BᵀHB" in lines
    assert "dΓ = Γ × Ω dt + Γ × ξ₁∘dW¹" in lines
    assert "N₁ = (ξ₁, ξ₁ × s)" in lines
    noise = next(line for line in lines if line.startswith("dM"))
    assert "g m ℓ (Γ × χ)" in noise
    assert "2 m r (ξ₁ × (Y × Γ))" in noise  # −ξ × Ξ with Ξ = 𝕀Ω + (s + rΓ) × mY, explicit1


def test_the_printed_ball_differs_in_its_noise_only():
    def of(coupling: str) -> dict[str, str]:
        lines = str(sd.load("routh-sphere", coupling=coupling).equations()).splitlines()[1:]
        return {left.strip(): right for left, _, right in (line.partition(" = ") for line in lines)}

    variational, printed = of("variational"), of("printed")
    assert [k for k in variational if variational[k] != printed[k]] == ["dM"]
    assert printed["dM"].endswith("(𝕀Ω × ξ₁ + m ℓ (ξ₁ × (Y × χ)))∘dW¹")  # −ξ × (𝕀Ω + ℓχ × mY), explicit2
    assert printed["dM"].split(" dt + ")[0] == variational["dM"].split(" dt + ")[0]


def test_the_heavy_top_and_the_rigid_body():
    assert "dM = (M × Ω + g m ℓ (Γ × χ)) dt + M × ξ₁∘dW¹" in str(sd.load("heavy-top").equations())
    assert "dM = M × Ω dt + M × ξ₁∘dW¹ + M × ξ₂∘dW² + M × ξ₃∘dW³" in str(sd.load("rigid-body").equations())


def test_velocities_follow_from_momenta_that_are_not_linear_in_them():
    """c ≠ 0: the momentum at rest relative to D, Bᵀ(Hc), is taken from M before the inertia is solved for."""
    text = str(sd.load("turntable-ball").equations())
    assert "  Ω = L⁻¹ (M + m r Ω₀ (Γ × (Γ × b))),  L = BᵀHB\n" in text


def test_the_disk_has_equations_of_its_coordinates():
    lines = [line.strip() for line in str(sd.load("rolling-disk").equations()).splitlines()]
    for line in ("p_ω = I ω + R m v₁", "dp_ω = 0", "dφ = ν dt + ξ₂∘dW²", "dx = v₁ cos(φ) dt", "dθ = ω dt + ξ₁∘dW¹"):
        assert line in lines
    rolling = str(sd.load("rolling-disk", variant="rolling-noise").equations())
    assert re.search(r"dx = v₁ cos\(φ\) dt \+ R ξ₁ cos\(φ\)∘dW¹", rolling)


@pytest.mark.parametrize("form", ["stratonovich", "ito"])
@pytest.mark.parametrize("name", sorted(sd.plugins.available()))
def test_every_page_prints_and_sets(name, form):
    page = loaded(name).equations(form)
    text, tex = str(page), page.latex(legend=False)
    assert "~" not in text + page.latex()  # no internal name shows
    assert text.count("\n") >= 3
    assert tex.startswith("\\begin{align*}")
    assert tex.endswith("\\end{align*}")
    assert all("&" in line for line in tex.splitlines()[1:-1])
    assert widest(tex) <= TEXT_POINTS  # the widest of the library 342
    assert tex.count("{") == tex.count("}")
    if form == "ito":
        assert "∘" not in text
        assert "circ" not in tex


def test_both_principles_print_and_unknown_forms_do_not():
    from semidirect.pages.printing import Equations

    system = sd.load("routh-sphere")
    assert "Lagrange–d'Alembert" in str(Equations(system, "stratonovich", "lagrange-dalembert"))
    with pytest.raises(sd.errors.UnknownNameError, match="ito"):
        system.equations("itoo")


@pytest.mark.parametrize("name", sorted(sd.plugins.available()))
def test_evolution_prints_for_every_observable(name):
    for observable, (text, tex) in evolutions(name).items():
        assert observable in text
        assert "~" not in text + tex
        assert tex.startswith("\\begin{align*}")
        assert widest(tex) <= TEXT_POINTS


def test_names():
    assert [unicode_name(n) for n in ("~p_Omega", "~dGamma", "xi1", "~v_Omega@2", "~kappa_Gamma@0", "~p_Y'1", "mass")] == [
        "p_Ω", "dΓ", "ξ₁", "Ω̃⁽²⁾", "κ⁽⁰⁾", "D₁p_Y", "mass",
    ]  # fmt: skip
    assert latex_name("~v_Omega@2", bold=True) == r"\widetilde{\boldsymbol{\Omega}}^{(2)}"
    assert latex_name("~dGamma@0", bold=True) == r"\mathrm{d}\boldsymbol{\Gamma}^{(0)}"
    m, w = sp.Symbol("m", real=True), sp.Symbol("omega", real=True)
    assert readable(m * w**2 / 2, latex=False) == "m ω²/2"

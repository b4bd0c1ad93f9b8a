"""The code on pages of the documentation runs, and what they show is what is printed today.

``python tests/docs/test_pages.py`` writes what is printed into the pages.
"""

import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sp

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError
from semidirect.equations.kinematics import SymbolicDefinition
from semidirect.pages.derivation import Derivation

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DERIVED = ("how_equations_are_derived.md", "derivations.md")
SHOWN = r"(<!-- {} -->\n```text\n)(.*?)(```\n<!-- end -->)"


def blocks(page):
    return BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))


def run(page):
    """All Python of a page in one namespace, in order."""
    namespace = {"__name__": "page"}
    for block in blocks(page):
        exec(compile(block, page, "exec"), namespace)
    return namespace


def shown():
    """What pages show, by the comment before it."""
    derived, printed = ("routh-sphere", "rattleback"), ("routh-sphere", "rattleback", "tippe-top")
    pages = {f"derivation of {name}": f"{Derivation(sd.load(name))}\n" for name in derived}
    return {**pages, **{f"equations of {name}": f"{sd.load(name).equations()}\n" for name in printed}}


@pytest.mark.parametrize(
    "page",
    [
        "parts_of_a_definition.md",
        "hamiltonians_and_tables.md",
        "contact_forces.md",
        "levels.md",
        "pictures.md",
        "sobol_points.md",
        "how_equations_are_derived.md",
        "derivations.md",
        "coming_from.md",
        "testing.md",
    ],
)
def test_the_code_of_a_page_runs(page, capsys, tmp_path, monkeypatch):
    (tmp_path / "skate.py").write_text(blocks("define_a_system.md")[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "skate", raising=False)
    assert blocks(page)
    with np.errstate(all="ignore"):
        run(page)
    plt.close("all")


def test_the_first_block_is_a_file_that_the_command_checks(tmp_path, monkeypatch, capsys):
    from semidirect.cli.entry import main

    (tmp_path / "skate.py").write_text(blocks("define_a_system.md")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "skate:Skate", "--quick"]) == 0
    assert "completely nonholonomic" in capsys.readouterr().out


def test_the_skate_descends_at_the_rate_of_the_page():
    """E x(T) = γ ∫₀ᵀ∫₀ᵗ E[cos φ(u) cos φ(t)] du dt with φ = ωt + σW, at T = 4."""
    skate = run_first("define_a_system.md")["Skate"]
    run = skate().simulate(
        t_end=4, dt=1 / 16, paths=4000, seed=3, save=sd.Save("final", names=["x"]), method="lie-midpoint"
    )
    s, n = 0.5**2 / 2, 400
    t = (np.arange(n) + 0.5) * 4 / n
    late, early = np.meshgrid(t, t, indexing="ij")
    apart, sum_ = late - early, late + early
    mean = (np.exp(-s * apart) * np.cos(apart) + np.exp(-s * (sum_ + 2 * early)) * np.cos(sum_)) / 2
    expected = np.sum(np.where(late > early, mean, np.where(late == early, mean / 2, 0))) * (4 / n) ** 2
    x = run["x"][:, -1]
    assert abs(x.mean() - expected) < 4 * x.std() / np.sqrt(len(x))  # measured 0.9 standard errors of .009
    assert expected > 0.1  # and not 0


def run_first(page):
    namespace = {"__name__": "page"}
    exec(compile(blocks(page)[0], page, "exec"), namespace)
    return namespace


def test_pages_show_what_is_printed():
    text = "".join((DOCS / page).read_text(encoding="utf-8") for page in DERIVED)
    for name, printed in shown().items():
        found = re.search(SHOWN.format(re.escape(name)), text, re.DOTALL)
        assert found is not None, name
        assert found[2] == printed


# -- the derivation against the theorem ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["routh-sphere", "heavy-top", "chaplygin-sleigh", "turntable-ball", "spherical-robot"])
def test_the_derivation_is_the_theorem(name):
    """What stands with η is ad*_ξ̃ p + κ ◇ a + F, and what is left of it Bᵀf + (dB)ᵀp."""
    derivation = Derivation(sd.load(name))
    motion, group = derivation.variation.motion, derivation.variation.setting.definition.group
    f = group.cobracket(motion.v, motion.p) + motion.force
    kappa = motion.kappa(derivation.variation.setting.a, motion.lagrangian_a)
    for block, part in derivation.variation.setting.definition.advected_layout.items():
        representation = derivation.variation.setting.definition.advected[block].representation
        f = f + representation.diamond(kappa[part], derivation.variation.setting.a[part])
    assert all(sp.expand(x - y) == 0 for x, y in zip(derivation.variation.by_parts, f, strict=True))
    projected = ops.matvec(motion.B.T, f) + ops.matvec(motion.dB.T, motion.p)
    assert all(sp.expand(x - y) == 0 for x, y in zip(derivation.variation.projected, projected, strict=True))
    assert any(x != 0 for x in f)


@pytest.mark.parametrize("name", ["falling-disc", "rattleback"])
def test_the_derivation_of_any_surface_is_the_theorem(name):
    """With s(Γ), ∂s/∂Γ and what they bring put in, at random numbers."""
    system = sd.load(name)
    derivation, plain = Derivation(system), SymbolicDefinition.of(system.workings.symbolic_definition())
    motion, group = derivation.variation.motion, plain.definition.group
    (letter,) = derivation.variation.setting.letters
    jacobian = np.array([[sp.diff(e, x) for x in plain.a] for e in letter.expressions])
    given = dict(zip(letter.symbols, letter.expressions, strict=True))
    given |= dict(zip(motion.changes[0], jacobian @ motion.da, strict=True))
    sides = (derivation.variation.by_parts, derivation.variation.projected)
    for statement in motion.stages.statements:  # κ of s, then its products with ∂s/∂Γ
        given |= {x: e.xreplace(given) for x, e in zip(statement.names, statement.expressions, strict=True)}
    given |= {x: e for slope in letter.slopes for x, e in zip(slope.entries.flat, slope.expressions.flat, strict=True)}
    varied = [[sum(sp.diff(e, a) * p for e, p in zip(f, motion.p, strict=True)) for a in plain.a] for f in plain.fields]
    kappa = motion.lagrangian_a * plain.dt - sum(np.array(v) * dW for v, dW in zip(varied, plain.dW, strict=True))
    Gamma = plain.definition.advected["Gamma"].representation
    f = group.cobracket(motion.v, motion.p) + motion.force + Gamma.diamond(kappa, plain.a)
    B = plain.distribution.basis
    dB = np.vectorize(lambda e: sum(sp.diff(e, a) * d for a, d in zip(plain.a, motion.da, strict=True)))(B)
    ours = [sp.sympify(e).xreplace(given).xreplace(given) for one in sides for e in one]
    theirs = [sp.sympify(e) for other in (f, B.T @ f + dB.T @ motion.p) for e in other]
    inputs = sorted(set().union(*(e.free_symbols for e in (*ours, *theirs))), key=str)
    numbers = np.random.default_rng(3).uniform(0.3, 1.2, len(inputs))
    found, expected = (np.array(sp.lambdify(inputs, rows)(*numbers)) for rows in (ours, theirs))
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)  # measured 4e-16
    assert np.abs(expected).min() > 1e-3


def test_the_lines_of_the_ball():
    """By hand, with s = rΓ + ℓχ and N₁ = (ξ₁, ξ₁ × s)."""
    lines = [line for step in Derivation(sd.load("routh-sphere")).steps() for line in step.lines]
    for line in (
        "δ(Ω dt) = dη_Ω + Ω̃ × η_Ω",
        "δΓ = Γ × η_Ω",
        "dp_Y = p_Y × Ω̃    against η_Y",
        "η_Y = r w × Γ + ℓ w × χ",
        "M = p_Ω + r Γ × p_Y + ℓ χ × p_Y",
    ):
        assert line in lines
    (moved,) = (line for line in lines if line.startswith("dM"))
    assert "r (Γ × (p_Y × ξ₁)) ∘dW¹" in moved


def test_the_lines_of_any_surface():
    lines = [line for step in Derivation(sd.load("rattleback")).steps() for line in step.lines]
    assert "δ(Y dt) also − δN₁∘dW¹, δN₁ = ξ₁ × δs" in lines
    assert "M = p_Ω + s × p_Y" in lines
    (moved,) = (line for line in lines if line.startswith("dM"))
    assert "∂s/∂Γ(Γ × Ω̃) × p_Y" in moved
    assert "(∂s/∂Γ)ᵀ((ξ₁ × p_Y) ∘dW¹) × Γ" in moved


def test_free_variations_need_no_projection():
    steps = Derivation(sd.load("heavy-top")).steps()
    assert steps[-1].title == "Every η is admissible: these are the equations."
    assert "dp_Ω = p_Ω × Ω̃ + (∂l/∂Γ × Γ) dt    against η_Ω" in steps[2].lines


def test_covectors_have_no_w():
    with pytest.raises(DefinitionError, match="a derivation needs a basis B of the distribution"):
        Derivation(sd.load("tippe-top"))


if __name__ == "__main__":
    for place in (DOCS / page for page in DERIVED):
        page = place.read_text(encoding="utf-8")
        for title, printed in shown().items():
            page = re.sub(SHOWN.format(re.escape(title)), lambda m, p=printed: m[1] + p + m[3], page, flags=re.DOTALL)
        place.write_text(page, encoding="utf-8")
    sys.exit(0)

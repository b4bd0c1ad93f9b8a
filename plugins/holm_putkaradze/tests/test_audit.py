"""The audit against the page of errata, against mutations of what holds, and against numbers."""

import ast
import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from semidirect_holm_putkaradze.audit import Claim, Equation, Finding, Verdict, audit, decide, equations, flips
from semidirect_holm_putkaradze.audit.audit import NOT_JUDGED
from semidirect_holm_putkaradze.audit.ball_settings import BALL, ROUND
from semidirect_holm_putkaradze.audit.page import page

import semidirect as sd

DOCS = Path(__file__).parents[3] / "docs"

# The verdict on each equation, found by hand; V and P: holds for the variational or for the printed model only.
KNOWN = {
    "UnholyHamPont-eqn": "holds", "Lag-mults-def": "holds", "HamPrinc-ChaplyginTop": "holds",
    "UnholyHamPont-vectoreqn": "holds", "LdA-variations": "holds", "Symm-Var": "holds", "xgc_eq": "holds",
    "Noisy_Ball_explicit1": "V", "Noisy_Ball_explicit2": "P",
    "drift_theta_phi": "holds", "constraints_disk": "holds", "rolling_disk_var": "holds", "rolling_disk_mu1+mu2": "holds",
    "constr-var-deriv": "wrong", "HP-moteqn-explicit": "typo", "SDE split, before (Noisy_Ball_explicit2)": "wrong",
    "Short_form_SDE": "wrong", "drift_conversion": "wrong", "dE0": "wrong",
    "dJ_expression2": "P",
    "useful_identity_Routh": "wrong", "Routh_deriv": "wrong", "Routh_deriv2": "wrong", "Routh_cons": "wrong",
    "Routh_cons2": "wrong",
    "Chaplygin-sphere": "P", "Chaplygin-sphere3": "P", "Momentum_non_cons": "V", "Jellet_non_cons": "typo",
    "rolling_disk_action": "holds", "rolling_disk_eqns1": "holds", "rolling_disk_theta+phi": "typo",
    # the data of the systems
    "energy": "holds", "reduced-lag-vec": "holds", "body_constraint": "holds", "drift-stoch-decomps": "holds",
    "drift-stoch-decomps-fun": "holds", "subst_Y": "holds",
    # a radius is missing in the second step
    "dJ_expression": "typo",
    # steps and definitions
    **dict.fromkeys((
        "spat-constraint", "drift-stoch-decomps-roll", "reduced-constrained-lag", "body-constraint",
        "Lag-mults-def-theorem", "ad-star-def", "diamond-def", "crux", "g⁻¹δx, after (crux)",
        "multipliers, after (UnholyHamPont-vectoreqn)", "dΓ, after (UnholyHamPont-vectoreqn)", "solving-drift-stoch-decomps",
        "reduced-lag-varquants",
    ), "holds"),
}  # fmt: skip


# Every display of the paper, in its order; those without a label by what they show.
DISPLAYS = (
    "Q(t) = g(t)P + x(t), before (spat-constraint)", "x(t) ∈ ℝ³, before (spat-constraint)", "spat-constraint", "subst_Y",
    "body_constraint", "drift-stoch-decomps", "drift-stoch-decomps-roll", "reduced-constrained-lag", "body-constraint",
    "UnholyHamPont-eqn", "Lag-mults-def-theorem", "ad*, before (ad-star-def)", "◇, before (ad-star-def)", "ad-star-def",
    "diamond-def", "constr-var-deriv", "crux", "g⁻¹δx, after (crux)", "HamPrinc-ChaplyginTop", "Lag-mults-def",
    "drift-stoch-decomps-fun", "HP-moteqn-explicit", "UnholyHamPont-vectoreqn", "multipliers, after (UnholyHamPont-vectoreqn)",
    "dΓ, after (UnholyHamPont-vectoreqn)", "reduced-lag-vec", "reduced-lag-varquants", "Noisy_Ball_explicit1",
    "SDE split, before (Noisy_Ball_explicit2)", "Noisy_Ball_explicit2", "xgc_eq", "Short_form_SDE", "drift_conversion",
    "solving-drift-stoch-decomps", "LdA-variations", "Symm-Var", "drift_theta_phi", "constraints_disk", "rolling_disk_action",
    "rolling_disk_var", "rolling_disk_mu1+mu2", "rolling_disk_eqns1", "rolling_disk_theta+phi", "energy", "dE0",
    "dJ_expression2", "Routh_cons2", "Chaplygin-sphere", "Chaplygin-sphere3", "Momentum_non_cons", "Jellet_non_cons",
    "dJ_expression", "useful_identity_Routh", "Routh_deriv", "Routh_deriv2", "Routh_cons", "Fdef",
)  # fmt: skip


def test_each_display_is_judged_or_named_and_nothing_else():
    """57 displays, of which 5 state nothing."""
    assert len(set(DISPLAYS)) == len(DISPLAYS) == 57
    assert set(equations()) | set(NOT_JUDGED) == set(DISPLAYS)
    assert not set(equations()) & set(NOT_JUDGED)
    assert len(NOT_JUDGED) == 5


def test_what_is_judged_of_the_disk_is_what_is_displayed():
    """No constant p that is not 0, no π: the action shows its constraints, the next display that ω and ν stay."""
    names = {label: {n.id for c in equations()[label].claims for m in c.formula.members for n in ast.walk(m)
                    if isinstance(n, ast.Name)} for label in ("rolling_disk_action", "rolling_disk_eqns1")}  # fmt: skip
    assert names["rolling_disk_action"].isdisjoint({"p1", "p2", "pi1", "pi2", "nu_t"})
    assert {"u", "v", "theta", "phi", "xi1", "xi2"} <= names["rolling_disk_action"]
    assert names["rolling_disk_eqns1"].isdisjoint({"pi1", "pi2", "mu1", "mu2", "R"})


def shown(finding):
    if finding.verdict is Verdict.ONE_MODEL:
        (model,) = finding.models
        return {"variational": "V", "printed": "P"}[model]
    return str(finding.verdict)


def test_verdicts_are_those_of_the_page_of_errata(findings):
    assert {f.equation.label: shown(f) for f in findings} == KNOWN
    assert sum(" " not in label for label in KNOWN) == 48  # all labels of equations in the paper but (Fdef)


def test_every_line_that_fails_has_a_state_and_a_correction_that_is_proved(findings):
    lines = [(f, line) for f in findings for line in f.lines if line.verdict]
    assert len(lines) >= 25
    for finding, line in lines:
        assert line.difference is not None, finding.equation.label
        assert line.difference.derived != line.difference.printed
        assert set(line.corrected) == set(line.claim.corrections), finding.equation.label
        assert line.corrected or line.verdict is Verdict.ONE_MODEL
    assert sum(f.verdict is Verdict.ONE_MODEL and bool(line.corrected) for f, line in lines) == 6  # for the other model


def test_probability_of_a_false_identity(findings):
    assert 0 < max(f.error for f in findings) < 1e-40  # measured 2e-53, (drift_conversion)


FLIPPED = [label for label in equations() if KNOWN[label] in ("holds", "V", "P") and label != "rolling_disk_eqns1"]
"""Not that one: (I + mr²) dω is 0 with any sign in its factor."""


@pytest.mark.parametrize("label", FLIPPED)
def test_one_sign_flipped_turns_the_verdict(label):
    """Each sign of each line of what holds."""
    before = decide(equations()[label], details=False)
    flipped = 0
    for i, line in enumerate(before.lines):
        for formula in flips(line.claim.formula):
            (mutant,) = decide(Equation(label, "", (Claim(formula.text, line.claim.setting),)), details=False).lines
            assert mutant.models != line.models, formula
            after = Finding(before.equation, (*before.lines[:i], mutant, *before.lines[i + 1 :]))
            assert (after.verdict, after.models) != (before.verdict, before.models), formula
            flipped += 1
    assert flipped


def test_the_verdict_does_not_depend_on_the_points(findings):
    for label in ("dE0", "Noisy_Ball_explicit1", "dJ_expression2", "Jellet_non_cons", "energy"):
        (again,) = audit([label], seed=12345)
        assert (again.verdict, again.models) == (findings[label].verdict, findings[label].models)


def test_counterexamples_are_those_of_the_equations_of_motion(findings):
    """The left side of dE at that state is what ``evaluate`` says."""
    (line,) = findings["dE0"].lines
    at = line.difference
    numbers = {k: [Fraction(x) for x in v.split(", ")] for k, v in at.state.items()}
    floats = {k: np.array(v, dtype=float) for k, v in numbers.items()}
    ball = sd.load(
        "rolling-ball", inertia=floats["I"].reshape(3, 3), mass=floats["m"][0], radius=floats["r"][0],
        offset=floats["ell"][0], gravity=floats["g"][0], axis=floats["chi"], noise=[floats["xi"]], coupling=at.model,
    )  # fmt: skip
    noise = ball.evaluate({"Omega": floats["Omega"], "Gamma": floats["Gamma"]})["observables"]["energy"]["noise"][0]
    assert noise == pytest.approx(float(Fraction(at.derived[0])), rel=1e-13)  # measured 0
    assert noise != pytest.approx(float(Fraction(at.printed[0])), rel=0.1)


def test_wrong_corrections_are_rejected():
    equation = Equation("", "", (Claim("d(E) = dot(xi, K)*dW", BALL, "d(E) = dot(xi, M)*dW"),))
    finding = decide(equation)
    assert finding.verdict is Verdict.WRONG
    assert not finding.lines[0].corrected


def test_lines_for_different_models_make_an_equation_wrong():
    variational, printed = (Claim(equations()[f"Noisy_Ball_explicit{i}"].claims[0].printed, BALL) for i in (1, 2))
    assert decide(Equation("", "", (variational, printed)), details=False).verdict is Verdict.WRONG
    assert decide(Equation("", "", (variational, variational)), details=False).models == ("variational",)


def test_which_terms_of_dE_have_the_wrong_sign():
    """(dE0): terms 1, 2 and 4 turned it is right for the printed model, any other choice of signs is right for none."""
    terms = ("m*g*ell*cross(Gamma, chi)", "cross(I(Omega), Omega)", "r*cross(Gamma, cross(m*Y, Omega))",
             "cross(Omega, cross(ell*chi, m*Y))")  # fmt: skip
    printed = (1, 1, 1, -1)
    right = {}
    for signs in itertools.product((1, -1), repeat=4):
        total = " + ".join(f"({sign})*{term}" for sign, term in zip(signs, terms, strict=True))
        finding = decide(Equation("", "", (Claim(f"d(E) = dot(xi*dW, {total})", BALL),)), details=False)
        if finding.models:
            right[signs] = finding.models
    assert right == {(-1, -1, 1, 1): ("printed",)}
    assert [i + 1 for i, (a, b) in enumerate(zip(printed, next(iter(right)), strict=True)) if a != b] == [1, 2, 4]


def test_what_the_short_form_breaks():
    """(Short_form_SDE): b_Γ = ξ moves |Γ|² by 2Γ·ξ, and Γ × ξ leaves it."""
    claims = {text: Claim(text, BALL) for text in ("d(dot(Gamma, Gamma)) = 0", "dot(Gamma, xi) = 0")}
    verdicts = {text: decide(Equation("", "", (claim,)), details=False).verdict for text, claim in claims.items()}
    assert list(verdicts.values()) == [Verdict.HOLDS, Verdict.WRONG]


def test_what_holds_for_a_body_of_revolution_only():
    """dJ has no drift for I₁ = I₂ and χ = E₃; for any body it has."""
    claim = "d(J)*dt = 0"
    assert decide(Equation("", "", (Claim(claim, ROUND),)), details=False).verdict is Verdict.HOLDS
    assert decide(Equation("", "", (Claim(claim, BALL),)), details=False).verdict is Verdict.WRONG


def test_the_page_is_what_is_printed(findings):
    assert (DOCS / "audit.md").read_text() == page(findings), "run: semidirect audit --format markdown > docs/audit.md"


def test_unknown_label():
    with pytest.raises(sd.errors.UnknownNameError, match="dE1"):
        audit(["dE1"])

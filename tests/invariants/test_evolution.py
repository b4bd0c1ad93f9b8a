"""Evolution of any expression: shorter laws are equal to those that are differentiated only."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from systems import TWO_NOISES, Kirchhoff, chaplygin, routh

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.equations.emission import exact_function
from semidirect.invariants.quantity import expressions

GENERAL = {"inertia": (0.4, 0.5, 0.6), "axis": (0.36, -0.48, 0.8), "offset": 0.2, "noise": TWO_NOISES}
SYSTEMS = {
    "ball": sd.load("rolling-ball", **GENERAL),
    "printed": sd.load("rolling-ball", coupling="printed", **GENERAL),
    "top": sd.load("heavy-top", noise=TWO_NOISES),
    "body": sd.load("rigid-body"),
    "fluid": Kirchhoff(),
}


def values(evolution, system):
    """All columns at one exact state on the orbit, in fractions."""
    sde = evolution.sde
    gamma = (Fraction(6, 11), Fraction(-2, 11), Fraction(-9, 11))
    point = {x: Fraction(1 + i, 3 + i % 2) * (-1) ** i for i, x in enumerate(sde.state)}
    if len(sde.setting.a):
        point |= dict(zip(sde.setting.a, gamma, strict=True))
    for name, symbols in system.workings.parameter_symbols.items():
        numbers = [Fraction(repr(float(x))) for x in np.ravel(system.values[name])]
        point |= dict(zip(symbols.flat, numbers, strict=True))
    keys = list(evolution.program.outputs)
    flat = [e for k in keys for e in evolution.program.outputs[k]]
    found = iter(exact_function(evolution.program, flat, list(point))(*point.values()))
    return {k: [next(found) for _ in evolution.program.outputs[k]] for k in keys}


@pytest.mark.parametrize(("name", "quantity"), [
    ("ball", "energy"), ("ball", "jellett"), ("ball", "dot(M, Gamma)**2"), ("ball", "Omega"), ("printed", "energy"),
    ("printed", "jellett"), ("top", "energy"), ("top", "dot(cross(Omega, Gamma), axis)"), ("body", "energy"),
    ("body", "dot(Omega, Omega)"), ("fluid", "dot(Omega, Y)"),
])  # fmt: skip
def test_shorter_laws_are_equal(name, quantity):
    system = SYSTEMS[name]
    evolution = system.evolution(quantity)
    rows = expressions(system, quantity, evolution.sde)
    plain = evolution.sde.evolution({quantity: rows})
    short, long = values(evolution, system), values(plain, system)
    assert short.keys() == long.keys()
    assert short == long


def test_laws_without_a_solve():
    """dE and dJ of the ball need no acceleration; a drift that vanishes is 0."""
    evolution = SYSTEMS["ball"].evolution("energy")
    assert evolution.of("energy", "drift") == (0,)
    for column in ("noise1", "noise2"):
        names = {x.name for x in evolution.of("energy", column)[0].free_symbols}
        assert not any(name.startswith(("~dOmega", "~p_", "Y")) and "'" in name for name in names)
    assert "dΩ" not in str(evolution)
    text = str(SYSTEMS["ball"].evolution("jellett"))
    assert "dΩ" not in text
    assert "ℓ (Ω · (χ × 𝕀Ω)) dt" in text  # docs/rolling_ball.md: ℓ 𝕀Ω·(Ω×χ) dt
    assert str(SYSTEMS["body"].evolution("momentum-squared")) == "  d(momentum-squared) = 0"


@pytest.mark.parametrize("coupling", ["variational", "printed"])
@pytest.mark.parametrize("case", ["axisym", "chaplygin"])
def test_coefficients_of_dE_and_dJ_against_the_oracle(case, coupling):
    import json
    from pathlib import Path

    o = json.loads((Path(__file__).parents[1] / "oracles" / "rolling_ball.json").read_text())[case]
    m = o["var" if coupling == "variational" else "print"]
    system = sd.load(
        "rolling-ball", inertia=o["I"], mass=o["m"], radius=o["r"], offset=o["l"], gravity=o["g"], axis=o["chi"],
        noise=[o["xi"]], coupling=coupling,
    )  # fmt: skip
    for quantity, name in (("energy", "E"), ("jellett", "J"), ("Omega[2]**2*Q/2", "R")):
        evolution = system.evolution(quantity)
        sde = evolution.sde
        point = dict(zip(sde.state, (*o["Om"], *o["Gam"]), strict=True))
        for parameter, symbols in system.workings.parameter_symbols.items():
            point |= dict(zip(symbols.flat, np.ravel(system.values[parameter]), strict=True))
        found = evolution.function(list(point))(*point.values())[quantity]
        if name == "R":  # half_dR2
            if "half_dR2" in m:
                np.testing.assert_allclose(found["noise1"], m["half_dR2"], rtol=0, atol=1e-13)  # measured 2e-16
            continue
        np.testing.assert_allclose(found["noise1"], m[f"n{name}"], rtol=0, atol=1e-13)  # measured 1e-16
        np.testing.assert_allclose(found["ito"], m[f"ito_drift_{name}"], rtol=0, atol=1e-13)  # measured 1e-16


def test_functions_texts_and_names_agree():
    system = routh()
    by_text = system.evolution("dot(M, M)/2 + mass*Gamma3")
    by_call = system.evolution(lambda s: ops.dot(s.M, s.M) / 2 + system.workings.symbolic.mass * s.Gamma[2])
    assert sp.expand(by_text.of("dot(M, M)/2 + mass*Gamma3", "drift")[0] - by_call.of("Q", "drift")[0]) == 0
    assert "= m r ℓ (Γ · Ω) (Γ · (Ω × χ)) dt + (" in str(chaplygin(offset=0.1).evolution("momentum-gamma"))
    assert " dt + " not in str(chaplygin().evolution("momentum-gamma"))  # ℓ = 0
    assert "Ω = L⁻¹ M" in str(chaplygin().evolution("momentum-squared"))
    with pytest.raises(UnknownNameError, match="energy"):
        system.evolution("enrgy")
    with pytest.raises(InputError, match="not allowed"):
        system.evolution("Omega.shape")


def test_ito_form_is_printed():
    text = sd.load("heavy-top", noise=TWO_NOISES)
    from semidirect.pages.printing import evolution_text

    stratonovich, ito = (evolution_text(text, text.evolution("momentum-axis"), form=f) for f in ("stratonovich", "ito"))
    assert "∘dW¹" in stratonovich
    assert "∘" not in ito
    assert "dW¹" in ito
    assert "1/2" in ito
    with pytest.raises(UnknownNameError, match="form"):
        evolution_text(text, text.evolution("energy"), form="backward")


def test_too_long_texts_are_rejected_at_once(monkeypatch):
    """The normal force of an ellipsoid has a law of 7,700 operations, which is too long where 5,000 are the limit."""
    monkeypatch.setattr("semidirect.pages.printing.LONGEST", 5_000)
    evolution = sd.load("rattleback").evolution("normal-force")
    with pytest.raises(InputError, match=r"too long to be read.*evolution\.function"):
        str(evolution)

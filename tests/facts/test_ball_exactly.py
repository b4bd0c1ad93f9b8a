"""The ball's evolution laws (docs/rolling_ball.md, "The rolling ball"), in fractions at random states: each difference is 0."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import ops

NOISE = ((0.3, -0.2, 0.5), (0.1, 0.4, -0.3))
GENERAL = {
    "inertia": ((0.4, 0.05, -0.02), (0.05, 0.5, 0.03), (-0.02, 0.03, 0.6)), "axis": (0.36, -0.48, 0.8), "offset": 0.2,
    "mass": 1.3, "radius": 0.7, "gravity": 9.81, "noise": NOISE,
}  # fmt: skip
ROUND = {**GENERAL, "inertia": (0.5, 0.5, 0.3), "axis": (0, 0, 1)}
ALONG = {**ROUND, "noise": ((0, 0, 0.3),)}
VERTICAL = {**GENERAL, "offset": 0.0, "noise": (), "vertical_noise": (0.1,)}
CHAPLYGIN = ("energy", "momentum-squared", "momentum-gamma")
E3 = np.array([0, 0, 1], dtype=object)
SIGN = {"variational": 1, "printed": -1}

fractions = st.fractions(-3, 3, max_denominator=9)
vectors = st.tuples(fractions, fractions, fractions).map(lambda v: np.array(v, dtype=object))
quaternions = st.tuples(*[st.integers(-4, 4)] * 4).filter(any)
models = pytest.mark.parametrize("model", SIGN)


def ball(model, **values):
    return sd.load("rolling-ball", coupling=model, **values)


def exact(entries):
    array = np.asarray(entries)
    return np.array([Fraction(repr(float(x))) for x in array.ravel()], dtype=object).reshape(array.shape)


def observed(system, *names):
    return {name: system.observables()[name] for name in names}


class Paper:
    """The symbols of the paper at (g, Ω), each by its formula."""

    def __init__(self, system, g, Omega):
        value = {name: exact(x) for name, x in system.values.items()}
        self.m, self.r, self.l, self.gravity = (value[k].item() for k in ("mass", "radius", "offset", "gravity"))
        self.I = value["inertia"] if value["inertia"].ndim == 2 else np.diag(value["inertia"])
        self.chi, self.xi, self.g, self.Omega, self.Gamma = value["axis"], value["noise"], g, Omega, g[2]
        self.s = self.r * self.Gamma + self.l * self.chi
        self.mY = self.m * np.cross(Omega, self.s)
        self.M = self.I @ Omega + np.cross(self.s, self.mY)
        self.slip = np.cross(self.r * self.Gamma, self.mY)
        fall = self.m * self.gravity * self.l * np.cross(self.Gamma, self.chi)
        self.K = np.cross(self.M, Omega) + fall + np.cross(self.mY, np.cross(Omega, self.r * self.Gamma))
        upper = system.coupling == "variational"
        self.Xi = self.I @ Omega + np.cross(self.l * self.chi, self.mY) + (2 * self.slip if upper else 0)
        self.A = np.cross(self.Gamma, np.cross(Omega, self.Gamma))


@pytest.fixture(scope="module")
def law(exact_evolution, rational_rotation):
    """``law(system, quantities)`` gives a function of (quaternion, Ω): the exact evolution and the paper's symbols."""
    made = {}

    def law(system, quantities):
        key = (system.workings.signature, *(x.tobytes() for x in system.values.values()), *quantities)
        if key not in made:
            made[key] = exact_evolution(system, quantities)

        def at(q, Omega):
            p = Paper(system, rational_rotation(*q), Omega)
            return made[key](Omega=Omega, Gamma=p.Gamma, g=p.g, x=[1, 2, 3]), p

        return at

    return law


def vanishes(difference):
    return not np.any(difference)


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_equations_of_motion(law, model, q, Omega):
    """(Noisy_Ball_explicit1) and (Noisy_Ball_explicit2): dΓ = Γ×Ω̃ and dM = K dt − Σ ξ_i×Ξ∘dW^i."""
    d, p = law(ball(model, **GENERAL), {"M": lambda s: s.M, "Gamma": lambda s: s.Gamma})(q, Omega)
    assert vanishes(d["M"]["value"] - p.M)
    assert vanishes(d["M"]["drift"] - p.K)
    assert vanishes(d["Gamma"]["drift"] - np.cross(p.Gamma, Omega))
    for i, xi in enumerate(p.xi, 1):
        assert vanishes(d["M"][f"noise{i}"] + np.cross(xi, p.Xi))
        assert vanishes(d["Gamma"][f"noise{i}"] - np.cross(p.Gamma, xi))


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_configuration(law, model, q, Omega):
    """|Γ| and gᵀe₃ − Γ stay; dx_cm = g(Ω̃×s) and dx_gc = (gΩ̃)×re₃, so the geometric centre keeps its height."""
    system = ball(model, **GENERAL)
    d, p = law(system, {
        "norm": lambda s: ops.dot(s.Gamma, s.Gamma),
        "apart": lambda s: ops.stack([s.s[2, i] - s.Gamma[i] for i in range(3)]),
        **observed(system, "centre-of-mass", "geometric-centre"),
    })(q, Omega)  # fmt: skip
    x_cm, x_gc = d["centre-of-mass"], d["geometric-centre"]
    assert d["norm"]["value"] == 1
    assert vanishes(d["apart"]["value"])
    assert vanishes(x_cm["value"] - x_gc["value"] - p.l * p.g @ p.chi)
    for column, turn in {"drift": Omega, "noise1": p.xi[0], "noise2": p.xi[1]}.items():
        assert d["norm"][column] == 0
        assert vanishes(d["apart"][column])
        assert vanishes(x_cm[column] - p.g @ np.cross(turn, p.s))
        assert vanishes(x_gc[column] - np.cross(p.g @ turn, p.r * E3))
        assert x_gc[column][2] == 0


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_energy_and_jellett(law, model, q, Omega):
    """dE: −K, less 2Ω×(rΓ×mY) as printed. dJ: ℓ𝕀Ω·(Ω×χ) dt, and ℓχ×M ± s×(rΓ×mY) with the noise."""
    system = ball(model, **GENERAL)
    d, p = law(system, observed(system, "energy", "jellett"))(q, Omega)
    E, J = d["energy"], d["jellett"]
    kinetic = Omega @ p.I @ Omega / 2 + p.mY @ p.mY / (2 * p.m)
    assert E["value"] == kinetic + p.m * p.gravity * p.l * p.Gamma @ p.chi
    assert J["value"] == p.M @ p.s == p.I @ Omega @ p.s
    assert E["drift"] == 0
    assert J["drift"] == p.l * (p.I @ Omega) @ np.cross(Omega, p.chi)
    work = -p.K if model == "variational" else -p.K - 2 * np.cross(Omega, p.slip)
    lever = np.cross(p.l * p.chi, p.M) + SIGN[model] * np.cross(p.s, p.slip)
    for i, xi in enumerate(p.xi, 1):
        assert E[f"noise{i}"] == xi @ work
        assert J[f"noise{i}"] == xi @ lever


# R² = Ω₃²Q is polynomial, and dR = …/√Q is ½d(R²) = Ω₃ ….
ROUTH_SQUARED = {"R2": sd.observable()(lambda self, s: s.Omega[2] ** 2 * self.Q(s))}


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_routh(law, model, q, Omega):
    """√Q dR = m s₃ dJ + I₁ Σ ξ_i·(χ×[Ξ + mr(Ω·Γ)s])∘dW^i for I₁ = I₂, χ = E₃; without noise E, J and R stay."""
    system = ball(model, **ROUND)
    d, p = law(system, {**observed(system, "energy", "jellett"), **ROUTH_SQUARED})(q, Omega)
    assert d["energy"]["drift"] == d["jellett"]["drift"] == d["R2"]["drift"] == 0
    for i, xi in enumerate(p.xi, 1):
        twist = p.I[0, 0] * xi @ np.cross(p.chi, p.Xi + p.m * p.r * (Omega @ p.Gamma) * p.s)
        assert d["R2"][f"noise{i}"] / 2 == Omega[2] * (p.m * p.s[2] * d["jellett"][f"noise{i}"] + twist)


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_routh_follows_jellett(law, model, q, Omega):
    """ξ ∥ χ: dR = h(Γ₃) dJ with h = m s₃/√Q, and Γ₃ feels no noise: R − hJ has no martingale part."""
    system = ball(model, **ALONG)
    d, p = law(system, {**observed(system, "jellett"), **ROUTH_SQUARED, "Gamma3": lambda s: s.Gamma[2]})(q, Omega)
    assert d["R2"]["noise1"] / 2 == Omega[2] * p.m * p.s[2] * d["jellett"]["noise1"]
    assert d["R2"]["drift"] == d["jellett"]["drift"] == d["Gamma3"]["noise1"] == 0


@settings(max_examples=40)
@given(q=quaternions, Omega=vectors)
def test_the_models_are_each_others_reflection(law, q, Omega):
    """ξ ∥ χ: b_printed + b_variational annihilates E, J, R, Γ₃, Ω₃ and Ω·Γ, and the drifts are the same."""
    both = []
    for model in SIGN:
        system = ball(model, **ALONG)
        kept = {
            **observed(system, "energy", "jellett"), **ROUTH_SQUARED, "Gamma3": lambda s: s.Gamma[2],
            "Omega3": lambda s: s.Omega[2], "spin": lambda s: ops.dot(s.Omega, s.Gamma), "Omega": lambda s: s.Omega,
        }  # fmt: skip
        both.append(law(system, kept)(q, Omega)[0])
    variational, printed = both
    for name in ("energy", "jellett", "R2", "Gamma3", "Omega3", "spin"):
        assert variational[name]["noise1"] + printed[name]["noise1"] == 0
        assert variational[name]["drift"] == printed[name]["drift"]
    assert vanishes(variational["Omega"]["drift"] - printed["Omega"]["drift"])


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_the_constant_that_the_paper_looked_for(law, model, q, Omega):
    """ξ ∥ χ, ℓ = 0: C = E − J²/(2I₁r²) + (I₃ − I₁)R²/(2I₁mr²) stays; for ℓ ≠ 0 it does not."""

    def constant(self, s):
        first, third = self.inertia[0], self.inertia[2]
        scale = 2 * first * self.radius**2
        routh = s.Omega[2] ** 2 * self.Q(s)
        return self.energy(s) - self.jellett(s) ** 2 / scale + (third - first) * routh / (scale * self.mass)

    quantity = {"C": sd.observable()(constant)}
    d, _ = law(ball(model, **{**ALONG, "offset": 0.0}), quantity)(q, Omega)
    assert d["C"]["drift"] == d["C"]["noise1"] == 0
    d, _ = law(ball(model, **ALONG), quantity)((1, 2, 3, 4), exact([0.4, -0.2, 1.5]))
    assert d["C"]["noise1"] != 0


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_homogeneous_ball(law, model, q, Omega):
    """𝕀 = I₀·1, ℓ = 0, any ξ_i: |Ω|² − (Ω·Γ)² stays."""
    quantity = {"level": lambda s: ops.dot(s.Omega, s.Omega) - ops.dot(s.Omega, s.Gamma) ** 2}
    d, _ = law(ball(model, **{**GENERAL, "inertia": (0.4, 0.4, 0.4), "offset": 0.0}), quantity)(q, Omega)
    assert d["level"]["drift"] == d["level"]["noise1"] == d["level"]["noise2"] == 0


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_chaplygin_ball(law, model, q, Omega):
    """ℓ = 0: without noise |M|², M·Γ and E stay; (d + Ω̃×)M = ∓mr² ξ×A, ½d|M|² and d(M·Γ) as in docs/rolling_ball.md."""
    system = ball(model, **{**GENERAL, "offset": 0.0})
    d, p = law(system, {**observed(system, *CHAPLYGIN), "M": lambda s: s.M})(q, Omega)
    for name in CHAPLYGIN:
        assert d[name]["drift"] == 0
    upper = SIGN[model] * p.m * p.r**2
    for i, xi in enumerate(p.xi, 1):
        noise = {name: columns[f"noise{i}"] for name, columns in d.items()}
        assert vanishes(noise["M"] + np.cross(xi, p.M) + upper * np.cross(xi, p.A))
        assert noise["momentum-squared"] / 2 == upper * xi @ np.cross(p.I @ Omega, p.A)
        assert noise["momentum-gamma"] == -upper * xi @ np.cross(Omega, p.Gamma)


@models
@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_chaplygin_ball_with_formal_vertical_noise(law, model, q, Omega):
    """ξ = cΓ put in after the variation: M·Γ stays, dE = cΓ·(Ω×𝕀Ω)∘dW in both models, and ½d|M|² = ∓mr² dE."""
    system = ball(model, **VERTICAL)
    d, p = law(system, observed(system, *CHAPLYGIN))(q, Omega)
    dE = Fraction("0.1") * p.Gamma @ np.cross(Omega, p.I @ Omega)
    assert d["momentum-gamma"]["noise1"] == 0
    assert d["energy"]["noise1"] == dE
    assert d["momentum-squared"]["noise1"] / 2 == -SIGN[model] * p.m * p.r**2 * dE


@settings(max_examples=20)
@given(q=quaternions, Omega=vectors)
def test_chaplygin_ball_with_varied_vertical_noise(law, q, Omega):
    """ξ = cΓ varied keeps E and M·Γ but not |M|²: ½d|M|² = cmr² M·(Ω×Γ)∘dW."""
    system = ball("variational", **VERTICAL, vertical="varied")
    d, p = law(system, observed(system, *CHAPLYGIN))(q, Omega)
    assert d["energy"]["noise1"] == d["momentum-gamma"]["noise1"] == 0
    change = Fraction("0.1") * p.m * p.r**2 * p.M @ np.cross(Omega, p.Gamma)
    assert d["momentum-squared"]["noise1"] / 2 == change

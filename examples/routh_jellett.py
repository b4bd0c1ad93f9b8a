"""
Why R ≃ aJ + b
==============

For noise about the axis of symmetry, ξ ∥ χ, the paper saw a nearly affine relation between the Routh and the Jellett integral
and asked for the constant of motion behind it. There is a relation of differentials, dR = h(Γ₃) dJ, and no constant unless
ℓ = 0. This script derives it, proves it, and shows where the affine relation ends. Its output is part of the page.
"""

import io
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import sympy as sp
from semidirect_holm_putkaradze.audit import Claim, Equation, decide
from semidirect_holm_putkaradze.audit.ball_settings import ALONG
from semidirect_holm_putkaradze.audit.exact_numbers import ExactNumbers
from semidirect_holm_putkaradze.audit.formula import Formula

import semidirect as sd
from semidirect.analysis import style
from semidirect.invariants import PrimeField, along, lie_rank, primes, prove

FIGURE = Path(__file__).parents[1] / "docs" / "_static" / "routh_jellett.png"
MODELS = ("variational", "printed")
BALL = {"inertia": (0.5, 0.5, 0.3), "offset": 0.3, "noise": [[0.0, 0.0, 0.1]]}
CONSTANT = (
    "energy - (jellett/radius)**2/(2*inertia[0]) + (inertia[2] - inertia[0])*routh**2/(2*inertia[0]*mass*radius**2)"
)

# %%
# The coefficients of dW in dR and dJ, at exact states. Their ratio times √Q is a polynomial of degree 1 in Γ₃: two states
# give it, the others confirm it.


def derived_h(states=12):
    """α, β with √Q dR/dJ = α + βΓ₃ at all states, and mℓ, mr."""
    found = []
    seed = 0
    while len(found) < states:
        seed += 1
        scene = ALONG.scene("variational", ExactNumbers(seed, 4), generic=False)
        pair = Formula("d(R_squared) = 2*Omega3*d(J)")
        (dR2,), (scale,) = pair.value(0, scene, 1), pair.value(1, scene, 1)
        if scale != 0:
            found.append((scene.names(scene.y, 1)["Gamma"][2], dR2 / scale))
    (x, p), (y, q) = found[0], next(f for f in found if f[0] != found[0][0])
    beta = (q - p) / (y - x)
    alpha = p - beta * x
    assert all(value == alpha + beta * G for G, value in found)
    m, r, ell = (sp.Rational(*map(int, (v.numerator, v.denominator))) for v in map(Fraction, ("1.3", "0.7", "0.2")))
    return (alpha, beta), (m * ell, m * r), len({G for G, _ in found})


# %%
# The same for all parameters, in both models.


def proved_h():
    """The finding on √Q dR = m s₃ dJ, written with ½ dR² = R dR."""
    return decide(Equation("dR", "dR = h(Γ₃) dJ", (Claim("d(R_squared)/2 = Omega3*m*s3*d(J)", ALONG),)))


# %%
# Both models in one: b_printed + b_variational = 2ξ X with X the generator of the rotations about χ, which leaves the drift
# and both noises alone.


def reflection():
    """Largest residues of b_p + b_v − 2ξX, a_p − a_v, [X, a], [X, b_v], [X, b_p] at 24 points of a prime field: all 0."""
    p = next(iter(primes(1)))
    field = PrimeField(p, 24, np.random.default_rng(1))
    scene = ALONG.scene("variational", field)
    printed = ALONG.scene("printed", field)
    xi, y = scene.by_name["noise"][0], scene.y
    point = dict(zip(scene.fields.inputs, [*y, *scene.parameters]))

    def turned(state):
        """X = (Ω × χ, Γ × χ), χ = E₃; s moves along."""
        Omega, Gamma = state[0:3], state[3:6]
        return [Omega[1], -Omega[0], field.number(0), Gamma[1], -Gamma[0], field.number(0)]

    def rates(which, k):
        at = which.fields.at(field, point)
        return lambda state: at.rates(k, [*state, *y[6:]])[:6]

    def bracket(f):
        forward = along(f, y[:6], turned(y[:6]))
        back = along(turned, y[:6], f(y[:6]))
        return [a - b for a, b in zip(forward, back, strict=True)]

    b_v, b_p, a_v, a_p = (rates(s, k) for k in (1, 0) for s in (scene, printed))
    X = turned(y[:6])
    differences = {
        "b_printed + b_variational - 2 xi X": [u + v - 2 * xi[2] * w for u, v, w in zip(b_p(y[:6]), b_v(y[:6]), X)],
        "a_printed - a_variational": [u - v for u, v in zip(a_p(y[:6]), a_v(y[:6]))],
        "[X, a]": bracket(a_v), "[X, b_variational]": bracket(b_v), "[X, b_printed]": bracket(b_p),
    }  # fmt: skip
    return {k: max(int(np.max(field.spread(x)[field.valid])) for x in v) for k, v in differences.items()}


# %%
# Runs: Γ₃ in a narrow band and Γ₃ that sweeps.

RUNS = {
    "narrow": {"Omega": (0.0, 0.0, 5.0), "Gamma": (0.28, 0.0, -0.96)},
    "wide": {"Omega": (0.0, 2.0, 2.0), "Gamma": (0.28, 0.0, -0.96)},
}


def simulated(name):
    ball = sd.load("routh-sphere", **BALL)
    return ball.simulate(t_end=20, dt=0.01, paths=60, seed=1, method="lie-midpoint", state=RUNS[name])


def h(run):
    """m s₃/√Q along a run, m = 1."""
    return run["s"][..., 2] / np.sqrt(run["Q"])


def affine(run):
    """a, b of the best line R = aJ + b over all paths and times, the correlation, and rms rest over rms spread."""
    J, R = run["jellett"].ravel(), run["routh"].ravel()
    a, b = np.polyfit(J, R, 1)
    return a, b, np.corrcoef(J, R)[0, 1], np.std(R - a * J - b) / np.std(R)


def variation(run, every):
    """Quadratic variation of R − h(Γ₃)J, mean over the paths, from intervals of ``every`` steps."""
    rest = (run["routh"] - h(run) * run["jellett"])[:, ::every]
    return np.mean(np.sum(np.diff(rest, axis=1) ** 2, axis=1))


def integral(run, every):
    """Largest |R − R(0) − ∫h∘dJ|, by the trapezoidal rule on intervals of ``every`` steps."""
    R, J, slope = (x[:, ::every] for x in (run["routh"], run["jellett"], h(run)))
    sums = np.cumsum(0.5 * (slope[:, 1:] + slope[:, :-1]) * np.diff(J, axis=1), axis=1)
    return np.max(np.abs(R[:, 1:] - R[:, :1] - sums))


# %%
# The two models on one Brownian path, one of them with its sign changed.


def pair(dt, t_end=5.0, paths=40):
    """Runs ``variational`` under −W and ``printed`` under W, and what the geometric centres differ by if all is exact."""
    state, c = RUNS["wide"], BALL["noise"][0][2]
    settings = {
        "t_end": t_end,
        "dt": dt,
        "paths": paths,
        "seed": 2,
        "driver": sd.Wiener(0.00125),
        "method": "heun",
        "state": state,
    }
    v = sd.load("routh-sphere", **{**BALL, "noise": [[0.0, 0.0, -c]]}).simulate(**settings)
    p = sd.load("routh-sphere", **BALL, coupling="printed").simulate(**settings)
    chi = v["g"].reshape(*v["g"].shape[:2], 3, 3)[..., 2]
    dW = sd.noise.WienerNoise(2, 1, 0.00125).block(range(paths), 0, round(t_end / dt), dt)[:, 0].T
    steps = 0.5 * (chi[:, 1:] + chi[:, :-1]) * dW[..., None]
    moved = np.cross(2 * c * np.cumsum(steps, axis=1), [0.0, 0.0, 1.0])
    return v, p, np.concatenate([np.zeros((paths, 1, 3)), moved], axis=1)


@cache
def same_and_not(dt):
    """Largest differences of E, J, R, Γ₃; of the geometric centres; and of these less 2c∫gχ∘dW × e₃."""
    v, p, expected = pair(dt)
    same = {k: np.max(np.abs(v[k] - p[k])) for k in ("energy", "jellett", "routh")}
    same["Gamma3"] = np.max(np.abs(v["Gamma"][..., 2] - p["Gamma"][..., 2]))
    apart = p["geometric-centre"] - v["geometric-centre"]
    return same, np.max(np.linalg.norm(apart, axis=-1)), np.max(np.linalg.norm(apart - expected, axis=-1))


def spreads(model):
    """Standard deviations of J, R and |x_gc| at 5 s over 4000 paths."""
    settings = {"t_end": 5, "dt": 0.02, "paths": 4000, "seed": 7, "method": "lie-heun", "save": "final"}
    run = sd.load("routh-sphere", **BALL, coupling=model).simulate(**settings, state=RUNS["narrow"])
    distance = np.linalg.norm(run["geometric-centre"][:, 0, :2], axis=-1)
    return np.std(run["jellett"]), np.std(run["routh"]), np.std(distance)


# %%
# The numbers of the page.


def small(probability):
    """A power of ten above it."""
    return f"1e{int(np.ceil(np.log10(max(probability, 1e-300))))}"


def report(runs):
    """All of it as text."""
    (alpha, beta), (m_ell, m_r), count = derived_h()
    proof = proved_h()
    lines = [
        "the relation, derived and proved",
        f"  sqrt(Q) dR/dJ = {alpha} + {beta} Gamma3 at {count} inclinations; m ell = {m_ell}, m r = {m_r}",
        f"  d(R^2)/2 = Omega3 m s3 dJ, any parameters, both models: {proof.verdict}, error < {small(proof.error)}",
        "",
        "the constant C, any parameters of an axisymmetric ball",
    ]
    for model in MODELS:
        centred = sd.load("rolling-ball", **{**BALL, "offset": 0.0}, coupling=model)
        proof = prove(centred, CONSTANT, parameters="generic", symbolic=False)
        verdict = "conserved" if proof.holds else "not conserved"
        lines.append(f"  ell = 0, {model}: {verdict}, error < {small(proof.error)}")
        ball = sd.load("rolling-ball", **BALL, coupling=model)
        refuted = prove(ball, CONSTANT, along="noise")
        rank = lie_rank(ball, "both")
        lines.append(f"  ell = 3/10, {model}: coefficient of dW {refuted.counterexample.value} at a rational state")
        lines.append(f"    the fields span {rank.rank} of {rank.dimension} dimensions, so that no function is constant")
    lines += ["", "the two models, residues modulo a prime at 24 states"]
    lines += [f"  {name}: {value}" for name, value in reflection().items()]
    lines += ["", "60 paths, 20 s, R = aJ + b by least squares"]
    for name, run in runs.items():
        a, b, correlation, rest = affine(run)
        G, slope = run["Gamma"][..., 2], h(run)
        lines += [
            f"  {name}: Gamma3 in [{G.min():.2f}, {G.max():.2f}], h in [{slope.min():.2f}, {slope.max():.2f}]",
            f"    a = {a:.2f}, b = {b:.2f}, mean h = {slope.mean():.2f}, correlation {correlation:.4f}, rms rest {rest:.2f} of "
            "the spread of R",
            f"    spread of R {np.std(run['routh']):.3f}; from steps of .08, .04, .02 s: largest |R - R(0) - int h o dJ| "
            + ", ".join(f"{integral(run, k):.0e}" for k in (8, 4, 2)),
            "    quadratic variation of R - hJ " + ", ".join(f"{variation(run, k):.1e}" for k in (8, 4, 2)),
        ]
    lines += ["", "printed under W and variational under -W, 40 paths, 5 s, largest difference"]
    for dt in (0.01, 0.005, 0.0025):
        same, apart, rest = same_and_not(dt)
        values = ", ".join(f"{name} {value:.0e}" for name, value in same.items())
        lines.append(
            f"  dt = {dt}: {values}; geometric centre {apart:.2f} m, less 2c int(g chi o dW) x e3 {rest:.0e} m"
        )
    lines += ["", "4000 paths each, narrow, at 5 s: standard deviations (each to 1.1 %)"]
    for model in MODELS:
        J, R, distance = spreads(model)
        lines.append(f"  {model}: J {J:.5f}, R {R:.5f}, distance of the geometric centre {distance:.4f} m")
    return "\n".join(lines)


# %%
# The figure: R over J for both runs.


def draw(runs):
    """The figure as PNG."""
    with style.styled():
        figure = style.new_figure(8.6, 3.6)
        axes = figure.subplots(1, 2)
        for ax, (name, run) in zip(axes, runs.items(), strict=True):
            G, every = run["Gamma"][..., 2], 20
            dots = ax.scatter(
                run["jellett"][:, ::every], run["routh"][:, ::every], c=G[:, ::every], s=2, cmap="viridis", linewidths=0
            )
            a, b, correlation, _ = affine(run)
            J = np.array([run["jellett"].min(), run["jellett"].max()])
            ax.plot(J, a * J + b, **{**style.DETERMINISTIC, "linewidth": 1.2})
            ax.set(
                xlabel="$J$ [kg m$^3$/s]",
                ylabel="$R$ [kg m$^2$/s]",
                title=f"{name} band: correlation {correlation:.3f}",
            )
            style.dress(ax)
            bar = figure.colorbar(dots, ax=ax, fraction=0.05, pad=0.02)
            bar.set_label(r"$\Gamma_3$")
            bar.outline.set_visible(False)
        pixels = io.BytesIO()
        figure.savefig(pixels, format="png", dpi=160)
    return pixels.getvalue()


if __name__ == "__main__":
    made = {name: simulated(name) for name in RUNS}
    print(report(made))
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FIGURE).write_bytes(draw(made))

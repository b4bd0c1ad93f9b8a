"""Checks of pages, proofs, searches and measures."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.definition import in_scalars
from semidirect.invariants import find_measure
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, Statement, has_values_per_path, is_hybrid
from what_works_with_what.runs import ROUNDING, close, run, value

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "equations"))


def single(system: Any) -> Any:
    """The system of the first path, where parameters differ."""
    return system.at_path(0) if has_values_per_path(system) else system


@capability("page")
def page(kind: Kind) -> str:
    """Text and LaTeX are parsed and evaluated at a random state."""
    from printed_page import Printed

    if getattr(kind.made.system, "_states_arrays", False):
        return _pages_of_lattice(kind) if kind.name == "lattice" else _pages_of_matrices(kind)
    str(kind.made.system.equations()), kind.made.system.equations("ito").latex()
    if kind.made.system.workings.table_names:
        text, formula = (str(st.system.equations()) for st in (kind.made, kind.twin))
        assert "h'" in text
        assert "h'" not in formula
        return "the derivative of the table is named; fields against the formula, in runs"
    worst = 0.0
    for form in ("stratonovich", "ito"):
        worst = max(worst, Printed(single(kind.made.system), form).read().worst)
    assert worst < 1e-12, f"the page says something else by {worst:.2g}"
    return "text and LaTeX parsed, against the equations that are run"


def _pages_of_matrices(kind: Kind) -> str:
    """The Itô drift that the page of matrices states, against the mean of a run from one state."""
    system, W = kind.made.system, np.array(kind.made.system.initial["W"])
    page, X = str(system.equations("ito")), [np.asarray(x) for x in system.fields()]
    assert "([W, P(W)] + ½ Σ [[W, X_k], X_k]) dt + Σ [W, X_k] dWᵏ" in page
    assert r"\circ dW^k" in system.equations().latex()

    def bracket(A: Any, B: Any) -> Any:
        return A @ B - B @ A

    stated = bracket(W, system.velocity(W)) + sum(bracket(bracket(W, x), x) for x in X) / 2
    h, both = 1e-4, []
    for sign in (1, -1):  # the mean over increments ±√h is that of the weak method of order 1
        ends = system.simulate(
            t_end=h, dt=h, state={"W": W}, driver=np.full((1, len(X)), sign * np.sqrt(h)), method="heun"
        )
        both.append(ends["W"][0, -1])
    error = np.abs((both[0] + both[1]) / 2 - W - h * stated).max() / h
    assert error < 1e-3, f"the page says something else by {error:.2g}"
    return "the Itô drift of the page against the mean of two opposite increments"


def _derivation_of_matrices(kind: Kind) -> str:
    """Both identities of the derivation, at random elements."""
    system = kind.made.system
    text, space = str(system.derivation()), system.lie_algebra()
    assert "⟨A, [B, C]⟩ = ⟨[A, B], C⟩" in text
    assert "d tr Wᵏ = k tr(Wᵏ⁻¹[W, X]) = 0" in text
    A, B, C = space.draw(np.random.default_rng(5), 3)
    sides = space.pairing(A, space.bracket(B, C)), space.pairing(space.bracket(A, B), C)
    assert np.isclose(*sides, rtol=1e-12)
    assert abs(np.trace(A @ A @ A @ space.bracket(A, B))) < 1e-12
    return "both identities that it names, at random elements"


def _force(lattice: Any, site: int) -> Any:
    """The force of the edges on Γ of a site by differences of the energy of edges."""
    up, h = np.array([[0.6, 0.0, 0.8], [0.0, 0.28, 0.96], [0.8, 0.6, 0.0]]), 1e-6

    def total(moved: Any) -> float:
        return -sum(
            k * moved[i] @ moved[j] for k, (i, j) in zip(lattice.strength, ((0, 1), (1, 2), (2, 0)), strict=True)
        )

    steps = [np.where(np.arange(3)[:, None] == site, h * e, 0.0) for e in np.eye(3)]
    return up, np.array([(total(up - step) - total(up + step)) / (2 * h) for step in steps])


def _pages_of_lattice(kind: Kind) -> str:
    """The drift that the page states, with the sum over edges by differences, against that of a run."""
    system = kind.made.system
    page = str(system.equations())
    for words in ("F_Γ × Γ", "M × Ω", "edges (i, j): 'ring', 3"):
        assert words in page
    assert "V_ij = -k (Γ_i·Γ_j), subtracted from l" in page
    assert "F_Γ of site i = −Σ ∂V/∂Γ" in page
    assert r"V_{ij} &= - k (\Gamma_i\cdot \Gamma_j)" in system.equations().latex()
    assert "F_Γ × Γ" in str(system.equations("ito")) or "κ⁽⁰⁾ = F_Γ" in str(system.equations("ito"))
    model, worst = system.workings.model(), 0.0
    M = np.array([[0.4, 1.5, -1.4], [0.5, 1.2, -1.4], [0.4, 1.6, -1.2]])
    for site in range(3):
        up, force = _force(system, site)
        y = np.concatenate([M.T.ravel(), up.T.ravel()])
        rate = model.column(0, y, 0.0).reshape(6, 3)[:, site]
        kappa = force - np.array([0.0, 0.0, system.weight])
        stated = np.cross(kappa, up[site]) + np.cross(M[site], M[site] / system.inertia)
        worst = max(
            worst,
            np.abs(rate[:3] - stated).max(),
            np.abs(rate[3:] - np.cross(up[site], M[site] / system.inertia)).max(),
        )
    assert worst < 1e-8, f"the page says something else by {worst:.2g}"
    return "the drift of the page, with forces of edges by differences"


def _derivation_of_lattice(kind: Kind) -> str:
    """What it says of the sum of Lagrangians, by differences."""
    system = kind.made.system
    text = str(system.derivation())
    assert "F_i = −Σ_j ∂V_ij/∂a_i" in text
    assert "Variations of different sites are independent" in text
    up, force = _force(system, 1)
    k = system.strength
    assert np.allclose(force, k[0] * up[0] + k[1] * up[2], atol=1e-8)
    return "the force that it names, by differences"


@capability("derivation")
def derivation(kind: Kind) -> str:
    """Every line is evaluated with random numbers."""
    from printed_derivation import PrintedDerivation

    if getattr(kind.made.system, "_states_arrays", False):
        return _derivation_of_lattice(kind) if kind.name == "lattice" else _derivation_of_matrices(kind)
    text = kind.made.system.derivation().latex()
    if kind.made.system.workings.table_names:
        assert "h" in text
        return "the table is a function there"
    if not kind.smooth:
        assert "cases" in text
        return "the pieces and their conditions are there"
    worst = PrintedDerivation(single(kind.made.system)).read().worst
    assert worst < 1e-12, f"a line of the derivation is wrong by {worst:.2g}"
    return "each line evaluated from the definition"


FIVE = np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / 12


@capability("evolution")
def evolution(kind: Kind) -> str:
    """Drift and noise of the scalar, against differences of a run that a smooth path drives."""
    from printed_page import Printed

    system = kind.made.system
    str(system.evolution(kind.scalar))
    if not system.workings.table_names:
        Printed(single(system), quantity=kind.scalar if kind.name == "matrices" else kind.scalar.rstrip("123")).read()
    h = 2.0**-8
    smooth = {"t_end": 4 * h, "dt": h, "method": "rk4"}
    wieners = system.workings.model().wieners
    made = run(kind.made, driver=["t"] * wieners, **smooth) if wieners else run(kind.made, **smooth)
    found = made[kind.scalar] @ FIVE / h
    start = {**(kind.state or {})}
    for path in range(4 if system.workings.paths or any(np.ndim(v) > 1 for v in start.values()) else 1):
        one = system.at_path(path) if system.workings.paths else system
        here = {k: v[path] if np.ndim(v) > 1 else v for k, v in start.items()}
        if "energy" in one.observables() and kind.scalar == "energy":
            row = one.evaluate(here)["observables"]["energy"]
            rate = row["drift"] + sum(row["noise"])
        else:
            fields, name, i = one.evaluate(here), kind.scalar[:-1], int(kind.scalar[-1]) - 1
            name, i = (kind.scalar, ...) if kind.name == "matrices" else (name, i)  # an entry is a variable of its own
            rate = np.asarray(fields["drift"][name])[i] + sum(np.asarray(f[name])[i] for f in fields["noise"])
        close(rate, found[path], 1e-6, "rate of the scalar against differences")
    return "page parsed; rates against differences of runs along a smooth path"


def scalar_in(st: Statement, name: str) -> str:
    """The expression of a scalar in a statement."""
    return st.same.get(name, name)


@capability("prove")
def prove(kind: Kind) -> str:
    """The verdicts of all statements agree with each other, and that of the drift with a run without noise."""
    proofs = [st.system.prove(scalar_in(st, kind.scalar)) for st in (kind.made, kind.units, kind.twin)]
    assert len({p.along("drift").holds for p in proofs}) == 1, "statements disagree on the drift"
    assert len({p.holds for p in proofs[:2]}) == 1, "restated units change the verdict"
    assert proofs[2].holds == proofs[0].holds, "statements disagree on the noise"
    quiet = {"driver": 0} if kind.noisy else {}
    made = run(kind.made, method="rk4", dt=1 / 256, save="every:16", **quiet)
    moved = float(np.ptp(made[kind.scalar], axis=1).max())
    assert (moved < 1e-9) == bool(proofs[0].along("drift").holds), (
        f"a run moves it by {moved:.2g}, the proof says otherwise"
    )
    return "verdicts of three statements; a run without noise"


@capability("search")
def search(kind: Kind) -> str:
    """All statements have as many invariants, and a run keeps each of them."""
    found = [st.system.invariants(2) for st in (kind.made, kind.units)]
    assert found[0].dimension == found[1].dimension, "restated units change the number of invariants"
    other = kind.twin.system.invariants(2)
    if len(other.variables) == len(found[0].variables):
        assert other.dimension == found[0].dimension, (
            f"{found[0].dimension} invariants, {other.dimension} in another statement"
        )
    quiet = {"driver": 0} if kind.noisy else {}
    made = run(kind.made, method="rk4", dt=1 / 256, save="every:16", **quiet)
    for one in found[0].basis:
        moved = float(np.ptp(made[str(one)], axis=1).max())
        assert moved < 1e-8, f"a run moves {one} by {moved:.2g}"
    return f"{found[0].dimension} invariants in each statement; a run keeps them"


@capability("relations")
def relations(kind: Kind) -> str:
    """All statements have as many relations."""
    counts = [len(sd.invariants.find_relations(st.system, 1).found) for st in (kind.made, kind.units)]
    assert counts[0] == counts[1], "restated units change the number of relations"
    other = sd.invariants.find_relations(kind.twin.system, 1)
    if kind.exact and kind.twin.system.group == kind.made.system.group:
        assert len(other.found) == counts[0], f"{counts[0]} relations, {len(other.found)} in another statement"
    return f"{counts[0]} in each statement"


@capability("measure")
def measure(kind: Kind) -> str:
    """A preserved measure exists in all statements or in none, and Lebesgue's where the trace of the Jacobian is 0."""
    found = [find_measure(st.system) for st in (kind.made, kind.units, kind.twin)]
    assert len({m.exists for m in found[:2]}) == 1, "restated units change whether a measure exists"
    assert found[2].exists == found[0].exists or not kind.exact, "statements disagree"
    system = single(kind.made.system)
    if not is_hybrid(system) and found[0].divergence_free[0]:
        system = in_scalars(system)
        d = system.workings.model().dimension
        y = np.linspace(0.3, 0.9, d)
        h = 1e-3
        trace = sum((system.drift(y + h * e) - system.drift(y - h * e))[i] / (2 * h) for i, e in enumerate(np.eye(d)))
        close(trace, 0.0, 1e-6, "trace of the Jacobian by differences")
    return "existence in three statements; trace by differences"


@capability("gibbs")
def gibbs(kind: Kind) -> str:
    """The same verdict in other units, where energies and β are others."""
    how = {} if kind.name == "double bracket" else {"beta": 1}
    factor = kind.units.factor.get("energy", 1.0)
    found = sd.invariants.gibbs_density(kind.made.system, **how)
    units = sd.invariants.gibbs_density(kind.units.system, **{k: 1 / Fraction(factor) for k in how})
    assert found.variables, "a density of no variables"
    assert found.stationary == units.stationary, "restated units change the verdict"
    close(float(found.beta), float(units.beta) * factor, ROUNDING, "β in other units")
    twin = in_scalars(kind.twin.system)
    momenta = kind.name == "matrices" or "momentum" in {v.kind for v in twin.workings.model().structure.shape.variables}
    if not found.stationary and "energy" in kind.names and momenta:
        other = sd.invariants.gibbs_density(kind.twin.system, beta=found.beta)
        assert other.stationary is False, "another statement is stationary"
    return f"β in other units; {'stationary' if found.stationary else 'not stationary'}"


@capability("evaluate, linearise")
def fields(kind: Kind) -> str:
    """Jacobians against differences of fields; fields against those in other units."""
    system, state = kind.made.system, dict(kind.state or {})
    here = system.evaluate(state)
    there = kind.units.system.evaluate(dict(kind.units.state or {}))
    for name, row in here["observables"].items():
        if name in kind.names:
            close(
                there["observables"][name]["value"],
                np.array(row["value"]) * kind.units.factor.get(name, 1.0),
                ROUNDING,
                name,
            )
    found = system.linearise(state)
    other = kind.units.system.linearise(dict(kind.units.state or {}))
    if not is_hybrid(system) and kind.units.clock == 1:
        usual = (
            kind.units.factor[kind.scalar] if kind.name == "matrices" else 1.0
        )  # entries of 0 have the factor of others
        scale = np.divide(
            other["state"], found["state"], out=np.full(len(found["state"]), usual), where=found["state"] != 0
        )
        close(other["drift"], found["drift"] * np.outer(scale, 1 / scale), ROUNDING, "Jacobian in other units")
    model = system.workings.model(variables="velocity")
    y, h = np.asarray(found["state"]), 1e-5
    J = np.stack(
        [(model.column(0, y + h * e, 0.0) - model.column(0, y - h * e, 0.0)) / (2 * h) for e in np.eye(len(y))], axis=1
    )
    close(found["drift"], J, 1e-7, "Jacobian against differences")
    return "Jacobians against differences; fields in other units"


__all__ = ["sd", "value"]

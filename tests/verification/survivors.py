"""The changed numbers that no order and no conserved quantity can notice, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SAME, ROUND_OFF, OTHER = "same bits", "round-off", "another method of the same order"
"""How a mutant survives: its results are the same, differ by round-off, or are those of another method of the same orders."""


@dataclass(frozen=True)
class Survivor:
    """A number, by its file, its function, a part of its line and its value; how a change of it survives, and why."""

    file: str
    function: str
    part: str
    before: Any
    how: str
    why: str

    def is_that(self, file: str, function: str, line: str, before: Any, how: str) -> bool:
        """Whether it is that one, and survives as is said."""
        return (self.file, self.function, self.before, self.how) == (file, function, before, how) and self.part in line


BEYOND = "on or above the diagonal of an explicit method: that stage is not there yet, and the entry is not used"
LATE = "fields met at t + h/4 in the terms of the areas change E φ by h³, the error of a step of weak order 2"
UNIT = "the unit of the convergence test: it affects when the iteration stops, not its limit"
PATTERN = "a pattern tells 0 and 1 from entries that are not known, which any other number stands for"

SURVIVORS = (
    Survivor("dop853.py", "DOP853.solve", "driver.derivative(times[0]) if driver.steady", 0, SAME,
             "the derivative of a steady path is the same at all times"),
    Survivor("dop853.py", "DOP853.solve", "np.isfinite(at(times[0], start))", 0, SAME,
             "it is asked only whether the rate at the start is finite; where it is not, SciPy would not end"),
    Survivor("discrete_mechanics.py", "discrete_step", "guess = ", 0, ROUND_OFF,
             "another start of the iteration, the same limit"),
    Survivor("gauss.py", "Gauss.step", "terms=2 * self.stages - 2", 2, OTHER,
             "3s − 2 terms of the series of (dτ_v)⁻¹ are kept where the order asks for 2s − 2"),
    Survivor("heun.py", "Heun.step", "terms=0", 0, OTHER,
             "with w₂ + ½[w₁, w₂] for w₂ the transport ½(w₁ + w₂) of s changes by ¼[w₁, w₂]: O(Δt³) without noise, with noise "
             "O(|ΔW|³) of mean O(Δt²), so the orders stay"),
    Survivor("heun.py", "EulerHeun.step", "terms=0", 0, OTHER,
             "the transport of s changes by a bracket of the noise transports of the two stages, O(|ΔW|³) of mean O(Δt²), so the "
             "orders stay"),
    Survivor("implicit_midpoint.py", "ImplicitMidpoint.step", "terms=0", 0, ROUND_OFF,
             "at the only stage v = ½w, and [½w, w] = 0"),
    Survivor("lift.py", "lifted", "max(1, tableau.order - 2)", 1, OTHER,
             "methods of order 1 and 2 by the exponential keep two terms of the series of (dτ_v)⁻¹ where one is enough"),
    Survivor("method.py", "Integrator.retraction", 'get("general", 1.0)', 1.0, SAME,
             "of the methods without weak orders only sra1 asks, and its strong order 1.5 decides"),
    Survivor("method.py", "Integrator.retraction", "deterministic_order <= 2", 2, SAME,
             "no method has order 3 without noise and no order above 1 with it"),
    Survivor("method.py", "Integrator.nodes", "tableau.order > 2", 2, SAME, "no tableau has order 3"),
    Survivor("method.py", "scale", "1.0", 1.0, ROUND_OFF, UNIT),
    Survivor("runge_kutta.py", "AFTER", "AFTER", 2, ROUND_OFF, "one iteration more than is needed"),
    Survivor("runge_kutta.py", "_implicit", "start = ", 0, ROUND_OFF, "another start of the iteration, the same limit"),
    Survivor("runge_kutta.py", "time", "if c == 1", 1, SAME, "t + 1·Δt is t + Δt: a multiplication is spared"),
    Survivor("runge_kutta.py", "_sum", "if w == 1", 1, SAME, "1·k is k: a multiplication is spared"),
    Survivor("tableau.py", "EULER_HEUN", "EULER_HEUN", 0.0, OTHER,
             "in the matrix of the drift: Euler's order 1 asks for Σ b_i = 1 only"),
    Survivor("tableau.py", "EULER_HEUN", "EULER_HEUN", 1.0, OTHER,
             "the node of the second stage: noise met at t + 1.2Δt is wrong by Δt ΔW g′/10, of strong order 1"),
    Survivor("tableau.py", "gauss_legendre", "2 * stages)", 2, OTHER,
             "the order is read only for the terms of the series of (dτ_v)⁻¹, of which more are kept than are needed, and for "
             "whether W′ is asked for at nodes; what the methods declare is their own"),
    Survivor("tangent.py", "BERNOULLI", "1.0", 1.0, SAME, "the coefficient of the power 0: the sum begins with w itself"),
    Survivor("tangent.py", "_cosandwich", "support[a, b] = 2", 2, SAME, PATTERN),
    Survivor("tangent.py", "_product", "return 2 *", 2, SAME, PATTERN),
    Survivor("tangent.py", "_product", "!= 0", 0, SAME,
             "no entry of an element of an algebra is 1 by structure, so nothing is lost, and zeros are multiplied as well"),
    Survivor("tangent.py", "_cosandwich", "[0 * p[0]]", 0, SAME, "0 times another component is 0 as well"),
    Survivor("weak_runge_kutta.py", "_NOISE", '"B0"', 0, SAME, BEYOND),
    Survivor("weak_runge_kutta.py", "_NOISE", '"B1"', 0, SAME, BEYOND),
    Survivor("weak_runge_kutta.py", "_NOISE", '"B2"', 0, SAME,
             "only the first column of B2 is used: the others are 0 in this class"),
    Survivor("weak_runge_kutta.py", "_NOISE", '"B3"', 0, SAME, BEYOND),
    Survivor("weak_runge_kutta.py", "_step", "* J[k - 1]", 1, OTHER,
             "each field gets the increment of another noise: they are independent and of one law, and no moment that weak order "
             "2 needs joins J_k with an odd power of the J_kl"),
    Survivor("weak_runge_kutta.py", "_area_terms", "at_start = [", 0.0, OTHER, LATE),
    Survivor("weak_runge_kutta.py", "_area_terms", "at_start = [", 1, SAME,
             "a column beyond the last noise is evaluated and not used"),
    Survivor("weak_runge_kutta.py", "_area_terms", "V[max(k, l) - 1]", 1, ROUND_OFF,
             "the signs V_l trade places: they are independent and of one law, so expectations stay"),
    Survivor("weak_runge_kutta.py", "_area_terms", "yield weight * stages.field", 0.0, OTHER, LATE),
)  # fmt: skip


def reason(file: str, function: str, line: str, before: Any, how: str) -> str:
    """Why a mutant survives; nothing where that is not known, or where it survives in another way than is said."""
    return next((s.why for s in SURVIVORS if s.is_that(file, function, line, before, how)), "")

"""Checks of the Lagrangian or the Hamiltonian: its derivatives, its inertia, and matrices that it sees in part only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import sympy as sp

from semidirect.core import errors, interpolation
from semidirect.definition import ValuesAt
from semidirect.equations import Program, SymbolicDefinition, derived_sde, emission
from semidirect.model import NumericalSDE
from semidirect.testing.laws.exact_points.numbers import derivatives as slopes_at
from semidirect.testing.laws.exact_points.numbers import plain, plain_array, same, solve
from semidirect.testing.laws.exact_points.states import ExactState
from semidirect.testing.laws.law import unless
from semidirect.testing.laws.locked_inertia import locked_inertia
from semidirect.testing.laws.report import Outcome, failed, missing, ok
from semidirect.testing.laws.subject import Subject

STEP = 2.0**-10
DIFFERENCES = 1e-7
"""Relative to the largest derivative. Measured over all installed systems: 2e-10."""
SMALLEST = 1e-9
"""Eigenvalue, relative to the largest one, below which an inertia counts as singular."""


@interpolation.extended_tables()
def derivatives(subject: Subject) -> Outcome:
    """∂l/∂ξ and ∂l/∂a from symbols are the differences of l called with numbers; ∂h/∂p and ∂h/∂a those of h."""
    s = derived_sde(subject.system, variables="velocity").setting
    model = NumericalSDE.of(subject.system, variables="velocity")
    d = subject.system.workings.definition()
    stated = "lagrangian" if s.hamiltonian is None else "hamiltonian"
    letter, energy, first = ("l", s.lagrangian, s.xi) if s.hamiltonian is None else ("h", s.hamiltonian, s.p)
    expressions = [sp.diff(energy, x) for x in (*first, *s.a)]
    function = emission.numerical_function(
        Program((), (), {}), expressions, (*first, *s.a, *s.z, s.t, *s.definition.parameters)
    )
    n, k = len(first), len(s.a)

    def off(state: ExactState) -> tuple[float, int]:
        point = subject.point(state)
        moving = point.xi if s.hamiltonian is None else point.p
        q0, a, z, t = (np.array([float(x) for x in part]) for part in (moving, point.a, point.z, [point.t]))

        def value(q: np.ndarray) -> float:
            here = ValuesAt(d, q[:n], q[n:], z, float(t[0]), q[:n])
            return float(here.lagrangian if s.hamiltonian is None else here.hamiltonian)

        symbolic = np.array(function(*q0, *a, *z, t[0], *model.parameters), dtype=float)
        numeric = np.array([_slope(value, np.concatenate([q0, a]), i) for i in range(n + k)])
        rest = np.abs(symbolic - numeric) / max(1.0, float(np.max(np.abs(symbolic))))
        return float(np.max(rest)), int(np.argmax(rest))

    with np.errstate(all="ignore"):
        worst, where = max(subject.at_states("derivatives", off))
    if not worst <= DIFFERENCES:
        name = (*first, *s.a)[where].name
        return failed(
            f"∂{letter}/∂{name} differs from the difference quotient by {worst:.2g}",
            f"{stated}: it gives different results for symbols and numbers (a Python if, float(), NumPy instead of "
            "semidirect.core.ops), or it has a kink or a jump there.",
        )
    return ok(f"{n + k} of {letter} against differences: off by {worst:.1e}")


def _slope(f: Callable[[np.ndarray], float], q: np.ndarray, i: int) -> float:
    """The central difference of fourth order."""
    e = STEP * max(1.0, abs(float(q[i]))) * np.eye(len(q))[i]
    size = float(np.max(e))
    return (8 * (f(q + e) - f(q - e)) - (f(q + 2 * e) - f(q - 2 * e))) / (12 * size)


def no_square_matrix(subject: Subject) -> str:
    """The reason why there is no matrix to check."""
    return "" if _square(subject) else "no parameter is a square matrix"


def _square(subject: Subject) -> dict[str, np.ndarray]:
    values = subject.system.values
    return {n: v for n, v in values.items() if np.ndim(v) == 2 and np.shape(v)[0] == np.shape(v)[1] > 1}


@unless(no_square_matrix)
def symmetric_matrices(subject: Subject) -> Outcome:
    """Where l or h sees the symmetric part of a square matrix only, the matrix is symmetric."""
    system, square = subject.system, _square(subject)
    stated, names = SymbolicDefinition.of(system.workings.symbolic_definition()).varied, []
    letter = "h" if subject.definition.by_hamiltonian else "l"
    for name, value in square.items():
        symbols = system.workings.parameter_symbols[name]
        if not stated.free_symbols & set(symbols.flat):
            continue
        names.append(name)
        rows = range(len(symbols))
        part = float(np.max(np.abs(value - value.T)))
        half = all(sp.expand(sp.diff(stated, symbols[i, j]) - sp.diff(stated, symbols[j, i])) == 0
                   for i in rows for j in rows if i < j)  # fmt: skip
        if half and part > 1e-12 * float(np.max(np.abs(value))):
            return failed(
                f"{name} is not symmetric (by {part:.2g}), and {letter} sees ½({name} + {name}ᵀ) only",
                f"{name}: an inertia is symmetric; declare it by sd.inertia, which rejects other matrices.",
            )
    return ok(f"{', '.join(names)} symmetric") if names else missing(f"{letter} does not depend on a square matrix")


def no_lagrangian(subject: Subject) -> str:
    """Why there is no inertia."""
    return "h may be of any kind: nothing is solved" if subject.definition.by_hamiltonian else ""


def not_both(subject: Subject) -> str:
    """Why there are no l and h to compare."""
    d = subject.definition
    return "" if d.lagrangian is not None and d.hamiltonian is not None else "not both of l and h are stated"


@unless(not_both)
def legendre(subject: Subject) -> Outcome:
    """h at p = ∂l/∂ξ is ⟨p, ξ⟩ − l, and ∂h/∂p is ξ; exactly."""
    theorem = subject.theorem

    def off(state: ExactState) -> str:
        point = subject.point(state)
        at = replace(point, p=list(plain_array(theorem.momentum(point))))
        value, slopes = slopes_at(lambda p: theorem.hamiltonian(replace(at, p=p)), at.p)
        pairs = [("h", value.item(), theorem.energy(point), "⟨p, ξ⟩ − l")]
        pairs += [
            (f"component {i + 1} of ∂h/∂p", x, y, "ξ") for i, (x, y) in enumerate(zip(slopes, at.xi, strict=True))
        ]
        for what, left, right, name in pairs:
            one, other = plain(left), plain(right)
            if not same(one, other):
                return f"{what} is {float(one):.6g}, that of {name} is {float(other):.6g}"
        return ""

    remedy = "hamiltonian: equations come from lagrangian; leave out the one that is not meant."
    return subject.faultless("legendre", off, "h is the Legendre transform of l,", remedy)


@unless(no_lagrangian)
def inertia(subject: Subject) -> Outcome:
    """∂²l/∂ξ² is positive definite on admissible velocities: BᵀHB, or H on ker A."""

    def eigenvalues(state: ExactState) -> tuple[float, float]:
        values = np.linalg.eigvalsh(locked_inertia(subject.theorem, subject.point(state)))
        return (float(values[0]), float(values[-1])) if len(values) else (1.0, 1.0)

    extremes = subject.at_states("inertia", eigenvalues)
    low, high = min(extremes)
    if low <= SMALLEST * abs(high):
        what = "negative" if low < -SMALLEST * abs(high) else "zero"
        return failed(
            f"smallest eigenvalue of the locked inertia {low:.3g}, {what}",
            "lagrangian and the inertias in it: does every admissible velocity carry kinetic energy?",
        )
    return ok(f"smallest eigenvalue of the locked inertia {low:.3g}, largest {max(h for _, h in extremes):.3g}")


@unless(no_lagrangian)
def solvable(subject: Subject) -> Outcome:
    """The matrix of the accelerations is regular: B_VᵀHB, and [H −C; A 0] if there are covectors."""
    theorem = subject.theorem
    forms: list[str] = []

    def regular(state: ExactState) -> None:
        point = subject.point(state)
        H, basis, covectors = theorem.hessian(point), theorem.distribution(point), theorem.annihilator(point)
        forms.clear()
        if basis is not None:
            B, _, test = basis
            solve(test.T @ H @ B, [0] * B.shape[1])
            forms.append("B_VᵀHB")
        if covectors is not None:
            A, _, C = covectors
            zero = np.zeros((len(A), len(A)), dtype=int).astype(object)
            solve(np.block([[H, -C], [A, zero]]), [0] * (len(H) + len(A)))
            forms.append("[H −C; A 0]")

    try:
        count = len(subject.at_states("solvable", regular))
    except errors.SemidirectError:
        point = subject.point(next(subject.source.exact("solvable", subject.definition)))
        singular = float(np.min(np.linalg.svd(plain_array(theorem.hessian(point)).astype(float))[1]))
        return failed(
            f"singular at every state tried; smallest singular value of H {singular:.2g}",
            "is H regular on ker A, and does the reaction push against the constraint (CᵀB_V = 0)?",
        )
    return ok(f"{' and '.join(forms)} regular at {count} states")

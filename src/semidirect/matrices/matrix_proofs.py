"""Proofs that a matrix system conserves a quantity: traces of powers by the bracket, the energy by the pairing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from semidirect.core import errors
from semidirect.definition import Observable
from semidirect.expressions import component_names
from semidirect.invariants import Proof, Verdict
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_state import MatrixState
from semidirect.matrices.traces import trace_of_power
from semidirect.model import NumericalSDE, numbers_of

if TYPE_CHECKING:
    from semidirect.invariants import Along

ELEMENTS, SEED = 8, 21
SAME = 1e-11
"""Largest relative difference of a quantity from a combination of traces; measured are up to 1e-14."""
SHORT = 1e-4
CHANGES = 1e-6
"""A rate above this, relative to the sizes of gradient and field, is no rounding of a central difference of the fourth order."""
TRACE = re.compile(r"\s*tr\(\s*W\s*(?:(?:\*\*|\^)\s*([1-9][0-9]?)\s*)?\)\s*")
"""The trace of a power of W, as text."""
BRACKET = "the bracket: d tr Wᵏ = k tr(Wᵏ⁻¹[W, X]) = 0 for every X"
PAIRING = "the pairing: dH = ⟨P, [W, P]⟩ = ⟨[P, P], W⟩ = 0"


def prove_of_matrices(system: Any, quantity: Any, along: Along = "both") -> Proof:
    """Decide whether a matrix system conserves a quantity along its columns; the arguments as of :meth:`.System.prove`.

    Traces of powers of W, ``"tr(W**3)"``, are proved along everything, and the energy along the drift. An observable counts as
    a multiple of a trace if it agrees with one at random elements, which the proof says. A rate that differs from 0 at a random
    element, by differences, shows that a quantity is not conserved; one that does not leaves it undecided.
    """
    if system.workings.paths is not None:
        raise errors.InputError("a proof works at one set of parameters", got="parameters per path",
                                hint="Give the system of one path, system.at_path(0).")  # fmt: skip
    algebra = system.lie_algebra()
    functions = MatrixFunctions(system, algebra)
    columns = ["drift", *(f"noise{k + 1}" for k in range(len(functions.fields)))]
    name, function = _read(system, quantity)
    W = algebra.draw(np.random.default_rng(SEED), ELEMENTS)
    rows = _values(system, functions, function, W)
    traces = _as_traces(rows, W)

    def decide(k: int) -> Verdict:
        if traces is not None:
            return Verdict(columns[k], True, certificate=True, reason=BRACKET)
        if k == 0 and name == "energy" and system._derives_energy:
            return Verdict(columns[k], True, certificate=True, reason=PAIRING)
        return _tried(system, functions, function, W, k, columns[k])

    plain = isinstance(quantity, str) and TRACE.fullmatch(quantity)
    return Proof.by_columns(name, columns, along, decide, () if plain or not traces else (traces,))


def _read(system: Any, quantity: Any) -> tuple[str, Callable[[Any], Any]]:
    """The name of a quantity, and the function of the state that it is."""
    if isinstance(quantity, Observable):
        return component_names.hyphenated(quantity.method.__name__), lambda state: quantity.method(system, state)
    if callable(quantity):
        return "Q", quantity
    if not isinstance(quantity, str):
        raise errors.InputError(
            "a quantity", expected="a name, an expression or a function of the state", got=repr(quantity)
        )
    power = TRACE.fullmatch(quantity)
    if power:
        return quantity, lambda state: _both(trace_of_power(state.W, int(power[1] or 1)))
    quantities = {**system.workings.quantities(derived=True), **system.observables()}
    if quantity in quantities:
        return quantity, lambda state: quantities[quantity].method(system, state)
    model: Any = NumericalSDE.of(system)
    rows = {quantity: model.structure.components(system, quantity)}
    return quantity, lambda state: model.read_rows(model.rows_of(state.W), model.rows_of(state.W)[:0], state.t, rows).T


def _both(values: np.ndarray) -> np.ndarray:
    """Real and imaginary part ``(paths, 2)``."""
    return np.stack([values.real, values.imag], axis=-1)


def _values(system: Any, functions: MatrixFunctions, function: Callable[[Any], Any], W: np.ndarray) -> np.ndarray:
    """The rows ``(d, paths)`` of a quantity."""
    with np.errstate(all="ignore"):
        return numbers_of(function(MatrixState(W, 0.0, functions)), len(W), "the quantity")


def _as_traces(rows: np.ndarray, W: np.ndarray) -> str | None:
    """In which words each row is a multiple of one trace, real or imaginary; ``None`` if one is not, and empty for traces."""
    words = []
    for row in rows:
        word = None
        for k in range(1, W.shape[-1] + 1):
            trace = trace_of_power(W, k)
            for part, numbers in (("Re ", trace.real), ("Im ", trace.imag)):
                size = numbers @ numbers
                if not size > SAME:
                    continue
                factor = (numbers @ row) / size
                if np.max(np.abs(row - factor * numbers)) <= SAME * np.max(np.abs(numbers)) * max(1.0, abs(factor)):
                    real = not np.iscomplexobj(W)
                    word = f"{factor:.6g} {'' if real else part}tr W^{k}" if abs(factor) > SAME else "0"
                    break
            if word:
                break
        if word is None and np.max(np.abs(row)) <= SAME:
            word = "0"
        if word is None:
            return None
        words.append(word)
    return f"the value compared with {', '.join(words)} at {len(W)} random elements, to {SAME:g}"


def _tried(system: Any, functions: MatrixFunctions, function: Callable[[Any], Any], W: np.ndarray, k: int,
           column: str) -> Verdict:  # fmt: skip
    """The rate of a quantity along a column at random elements, by central differences of the fourth order."""
    algebra = functions.algebra
    generator = functions.velocity(W, 0.0) if k == 0 else np.broadcast_to(functions.field(k - 1, W, 0.0), W.shape)
    field = algebra.bracket(W, generator)
    step = SHORT / max(float(np.max(np.abs(field))), 1e-300)

    def at(multiple: float) -> np.ndarray:
        return _values(system, functions, function, W + multiple * step * field)

    rate = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    size = np.max(np.abs(at(0)), axis=1) / (step / SHORT)
    where = np.argwhere(~(np.abs(rate) <= CHANGES * np.maximum(size, 1e-300)[:, None]))
    if len(where):
        import sympy as sp

        row, path = map(int, where[0])
        numbers = tuple(sp.Float(float(x), 8) for x in algebra.flat.flattened(W[path]))
        value = sp.Float(float(rate[row, path]), 6)
        return Verdict.refuted(column, {"W": numbers}, value)
    return Verdict(column, None, reason="its rate is within rounding at random elements, and no proof is known")

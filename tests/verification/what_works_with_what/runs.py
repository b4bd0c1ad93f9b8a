"""Short runs of a statement, and how their values compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import semidirect as sd
from semidirect.integrators import integrator
from what_works_with_what.kind import Kind, Statement, is_hybrid

PATHS, T_END, DT = 4, 0.25, 1 / 64
NUMPY, KERNEL = sd.Execution(engine="numpy", threads=1), sd.Execution(engine="auto", threads=1)
ROUNDING, METHOD = 1e-9, 0.02
"""How far paths may be apart: those of restated units; those of equations that are stated in another way, at this step."""


def kernel() -> sd.Execution:
    """The compiled engine."""
    return sd.Execution(engine="compiled", threads=1)


def arguments(st: Statement, **how: Any) -> dict[str, Any]:
    """What a run of the statement is called with; times are those of the kind."""
    given: dict[str, Any] = {"dt": DT, "seed": 1, "execution": NUMPY, "state": st.state, **how}
    if "t_end" in given or not how.get("stepped"):
        given.setdefault("t_end", T_END)
    given.pop("stepped", None)
    if is_hybrid(st.system):
        if not isinstance(given["state"], sd.runs.Final):
            given.setdefault("mode", "flight")
        given["t_end"] *= 5
        given["dt"] *= 2
    if given["execution"].engine == "compiled" and _is_not_compiled(st.system, given.get("method", "lie-heun")):
        # what is not compiled has the same bits in other chunks
        given["execution"] = sd.Execution(engine="numpy", threads=2)
    for name in ("t_end", "dt", "t_start"):
        if given.get(name) is not None:
            given[name] *= st.clock
    if "paths" not in given and not (given.get("state") or {}).get("t"):
        given["paths"] = PATHS
    if given["paths"] is None:
        del given["paths"]
    return given


def _is_not_compiled(system: Any, method: Any) -> bool:
    arrays = getattr(system, "_states_arrays", False)
    return arrays and system.workings.model().not_compiled(integrator(method)) is not None


def run(st: Statement, **how: Any) -> Any:
    """A run of the statement."""
    return st.system.simulate(**arguments(st, **how))


def value(st: Statement, made: Any, name: str) -> np.ndarray:
    """A quantity of the kind, read from a run of a statement of it."""
    found = np.asarray(made[st.same.get(name, name)])
    return (found - st.offset.get(name, 0.0)) / st.factor.get(name, 1.0)


def apart(one: Any, other: Any) -> float:
    """How far two arrays are apart, relative to 1 and to the second; infinite where only one of them is nan."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape or not np.array_equal(np.isnan(one), np.isnan(other)):
        return np.inf
    if not one.size or np.isnan(one).all():
        return 0.0
    return float(np.nanmax(np.abs(one - other)) / (1 + np.nanmax(np.abs(other))))


def close(one: Any, other: Any, within: float, what: str) -> float:
    """Assert that two arrays agree; returns how far they are apart."""
    found = apart(one, other)
    assert found <= within, f"{what}: {found:.2g} apart, {within:.2g} allowed"
    return found


def identical(one: Mapping[str, Any], other: Mapping[str, Any], names: Iterable[str], what: str) -> None:
    """Assert that quantities of two runs are the same to the last bit."""
    for name in names:
        a, b = np.asarray(one[name]), np.asarray(other[name])
        assert np.array_equal(a, b, equal_nan=True), f"{what}: {name} differs by {apart(a, b):.2g}"


def together(
    kind: Kind, statement: Statement, within: float, what: str, names: Iterable[str] | None = None, **how: Any
) -> float:
    """Assert that a run of the example and one of another statement agree."""
    ours, theirs = run(kind.made, **how), run(statement, **how)
    return max(close(value(statement, theirs, n), value(kind.made, ours, n), within, f"{n} {what}")
               for n in (kind.names if names is None else names))  # fmt: skip


def agreement(kind: Kind) -> float:
    """How far paths of the other statement may be apart at the step of the runs."""
    return ROUNDING if kind.exact else METHOD

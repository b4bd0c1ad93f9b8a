"""Checks of methods in both engines, and of what moves the noise."""

from __future__ import annotations

import contextlib
from functools import partial

import numpy as np

import semidirect as sd
from semidirect.core.errors import MethodError
from semidirect.integrators import integrator
from what_works_with_what.capability import CAPABILITIES, Capability, capability
from what_works_with_what.kind import Kind, is_hybrid
from what_works_with_what.kinds import FITTING
from what_works_with_what.runs import (
    DT,
    METHOD,
    PATHS,
    ROUNDING,
    agreement,
    apart,
    close,
    identical,
    kernel,
    run,
    together,
    value,
)

FAMILIES = ("euler-maruyama", "heun", "euler-heun", "milstein", "lie-heun", "lie-midpoint", "lie-milstein", "rk4", "rkmk4",
            "implicit-midpoint", "gauss(2)", "sdelab(1)", "sra1", "rs1", "nonholonomic", "coadjoint-midpoint", "variational",
            "lift(heun)", "dop853")  # fmt: skip


LACKING = " has no strong order"
"""What a method says that has an order for some classes of noise alone."""


def family(method: str, kind: Kind) -> str:
    """As :func:`_family`; where the noise of the example is of a class in which the method has no order, that is an error,
    and the system is followed with noise that commutes, or with none.
    """
    system = kind.made.system
    if is_hybrid(system) or not _wieners(kind):
        return _family(method, kind)
    try:
        run(kind.made, method=method)
    except MethodError as error:
        if LACKING not in str(error):
            return _family(method, kind)
        if (method, kind.name) in FITTING:
            return f"{FITTING[method, kind.name][0]}: {_family(method, FITTING[method, kind.name][1])}"
        return _family(method, kind, quiet=True)
    return _family(method, kind)


def _family(method: str, kind: Kind, *, quiet: bool = False) -> str:
    """Engines give the same bits; units are restated to rounding; another statement by another method is near."""
    system = kind.made.system
    three = {"driver": sd.Wiener(increment_law="three-point")} if method == "rs1" else {}
    how = {"method": method, **three}
    if method == "dop853" and not is_hybrid(system) and _wieners(kind):  # no more than that: it is for smooth equations
        with contextlib.suppress(MethodError):
            run(kind.made, **how)
            raise AssertionError("an adaptive method follows a Wiener process")
        how["driver"] = 0
    if quiet:
        how["driver"] = 0
    ours = run(kind.made, **how)
    if not is_hybrid(system):
        identical(ours, run(kind.made, execution=kernel(), **how), kind.names, "engines")
    theirs = run(kind.units, **how)
    for name in kind.names:
        close(value(kind.units, theirs, name), value(kind.made, ours, name), 1e-7, f"{name} in other units")
    if is_hybrid(system):
        together(kind, kind.twin, 1e-6, "in another statement", method=method)
        return "other units; another statement"
    still = {"driver": 0} if kind.noisy or quiet or (method == "dop853" and _wieners(kind)) else three
    order = integrator(method).deterministic_order
    within = METHOD if order < 2 else 2e-3 if order < 4 or not kind.smooth else 1e-6
    if method != "euler-maruyama" or not kind.noisy:
        mine, exact = (
            run(kind.made, method=method, **still),
            run(kind.twin, method="rk4", dt=DT / 4, save="every:4", **still),
        )
        for name in kind.names:
            close(
                value(kind.made, mine, name),
                value(kind.twin, exact, name),
                within,
                f"{name} against rk4 in another statement",
            )
    if how.get("driver") == 0:
        return "without noise: both engines; other units; rk4 in another statement"
    if kind.noisy and method not in ("rs1", "dop853", "sdelab(1)"):
        fine = sd.Wiener(resolution=DT / 4 * kind.made.clock)
        noisy = run(kind.made, method=method, driver=fine)
        reference = run(kind.twin, method="heun", dt=DT / 4, driver=fine, save="every:4")
        for name in kind.names:
            close(
                value(kind.made, noisy, name), value(kind.twin, reference, name), METHOD, f"{name} on the noise of heun"
            )
    return "both engines; other units; rk4 and heun in another statement"


CAPABILITIES.extend(Capability(f"method {name}", partial(family, name)) for name in FAMILIES)


def _wieners(kind: Kind) -> int:
    return 0 if is_hybrid(kind.made.system) else int(kind.made.system.workings.model().wieners)


def _default(kind: Kind) -> dict[str, str]:
    return {"method": "rkmk4" if is_hybrid(kind.made.system) else "heun"}


def _drives(kind: Kind, driver, **how) -> str:
    """A run with a driver in both engines and all statements."""
    given = {**_default(kind), **how}
    ours = run(kind.made, driver=driver, **given)
    if not is_hybrid(kind.made.system):
        identical(ours, run(kind.made, driver=driver, execution=kernel(), **given), kind.names, "engines")
    if kind.units.clock == 1:
        together(kind, kind.units, 1e-8, "in other units", driver=driver, **given)
    if is_hybrid(kind.made.system) or kind.twin.system.workings.model().wieners == _wieners(kind):
        together(kind, kind.twin, max(agreement(kind), 1e-8), "in another statement", driver=driver, **given)
    return ours


@capability("driver with covariance")
def covariance(kind: Kind) -> str:
    """L times the increments of independent processes, given as an array."""
    m = max(_wieners(kind), 1)
    C = 0.5 * np.eye(m) + 0.5
    ours = _drives(kind, sd.Wiener(covariance=C))
    steps = 16
    independent = sd.noise.WienerNoise(1, m, DT)
    dW = independent.block(range(PATHS), 0, steps, DT)  # (steps, m, paths)
    if not _wieners(kind):
        return "nothing to drive: bits of a run without it"
    mixed = np.einsum("ij,njp->nip", np.linalg.cholesky(C), dW)
    given = run(kind.made, driver=mixed, **_default(kind))
    for name in kind.names:
        close(ours[name], given[name], 1e-9, f"{name} with increments of my own")
    return "increments mixed by hand; both engines; other statements"


@capability("one noise for all paths")
def one_noise(kind: Kind) -> str:
    """Paths that start alike stay alike, and are path 2 of independent ones."""
    ours = _drives(kind, sd.Wiener(path=2))
    plain = run(kind.made, **_default(kind))
    for name in kind.names:
        assert apart(np.asarray(ours[name])[2], np.asarray(plain[name])[2]) == 0, f"path 2 of {name}"
    return "path 2 of independent noises; both engines; other statements"


@capability("driver: three-point increments")
def three_point(kind: Kind) -> str:
    _drives(kind, sd.Wiener(increment_law="three-point"))
    return "both engines; other statements"


@capability("driver with a resolution")
def resolution(kind: Kind) -> str:
    """At the resolution of half a step the increments are sums of two."""
    fine = sd.Wiener(resolution=DT / 2)
    ours = _drives(kind, fine)
    m = _wieners(kind)
    if not m:
        return "nothing to drive: other statements"
    noise = sd.noise.WienerNoise(1, m, DT / 2)
    dW = noise.block(range(PATHS), 0, 32, DT / 2).reshape(16, 2, m, PATHS).sum(axis=1)
    given = run(kind.made, driver=dW, **_default(kind))
    for name in kind.names:
        close(ours[name], given[name], 1e-9, f"{name} with sums of increments")
    return "sums of increments; both engines; other statements"


@capability("driver: expression")
def expression(kind: Kind) -> str:
    """The increments of the expression, as an array."""
    m = _wieners(kind)
    ours = _drives(kind, ["sin(3*t)", "t**2", "t"][:m] if m else "sin(3*t)")
    W = (lambda t: np.sin(3 * t), lambda t: t**2, lambda t: t)
    t = np.arange(17) * DT
    given = run(kind.made, driver=np.stack([np.diff(w(t)) for w in W[:m]], axis=1), **_default(kind))
    for name in kind.names:
        close(ours[name], given[name], 1e-9, f"{name} with increments of the expression")
    return "its increments as an array; both engines; other statements"


@capability("driver: array of increments")
def increments(kind: Kind) -> str:
    """Permuting the paths of the increments permutes the paths."""
    m = _wieners(kind)
    dW = np.random.default_rng(5).standard_normal((16, m, PATHS)) * np.sqrt(DT)
    ours = _drives(kind, dW)
    if kind.state is None and not kind.made.system.workings.paths:
        turned = run(kind.made, driver=dW[:, :, ::-1], **_default(kind))
        for name in kind.names:
            assert apart(np.asarray(turned[name])[::-1], ours[name]) == 0, f"paths of {name} in another order"
    return "paths permuted; both engines; other statements"


@capability("driver: path")
def path(kind: Kind) -> str:
    """A driving path of an expression is the expression."""
    m = max(_wieners(kind), 1)
    texts = ["sin(3*t)", "t**2", "t"][:m]
    ours = _drives(kind, sd.noise.DrivingPath.from_expression(texts if m > 1 else texts[0]))
    identical(ours, run(kind.made, driver=texts if m > 1 else texts[0], **_default(kind)), kind.names, "the expression")
    return "the expression; both engines; other statements"


@capability("driver: none")
def none(kind: Kind) -> str:
    """Zero increments."""
    ours = _drives(kind, 0)
    m = _wieners(kind)
    if m:
        identical(ours, run(kind.made, driver=np.zeros((16, m)), **_default(kind)), kind.names, "zeros")
    return "increments of zero; both engines; other statements"


__all__ = ["ROUNDING"]

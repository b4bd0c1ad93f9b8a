"""What a method has to pass: its orders, its limit, and what it keeps, each by few steps of NumPy.

A check looks at a method and at the same method as it stands in the repository. Orders: errors at three steps against a solution
by another method; the last slope has to be that of the method within ¼, without noise also its declared order, and the last error
at most half as large again. Kept quantities: what the method keeps has to stay.
"""

from __future__ import annotations

import types
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from enumeration import expectations
from problems import FIELDS, NUMBERS
from semidirect_heavy_top import HeavyTop
from semidirect_rolling_ball import RollingBall

import semidirect as sd
from semidirect import ops
from semidirect.integrators import Integrator, integrator
from semidirect.random.iterated_integrals import IteratedIntegrals
from semidirect.random.wiener import WienerNoise
from semidirect.state.state import InitialState

FINE, PATHS = 512, 24
SLOPE, WORSE = 0.25, 1.5
FAST = 6.0
"""Frequency of the forces [rad/s], so that the times of stages matter."""


class ForcedTop(HeavyTop):
    """A heavy top under a torque that depends on time, also by way of an internal state."""

    def force(self, t: Any, z: Any) -> Any:
        return ops.array([ops.cos(3 * t), ops.sin(2 * t), z.z])

    def internal(self) -> list[sd.InternalState]:
        return [sd.InternalState("z", 0.5, drift=lambda t, z: [ops.cos(3 * t) - z.z**2])]


class ShakenTop(ForcedTop):
    """Under a random torque that turns with time as well: additive noise."""

    def independent_force(self, t: Any) -> list[Any]:
        return [ops.array([ops.cos(FAST * t), 0.7 * ops.sin(FAST * t), 0.4])]


class StirredTop(ForcedTop):
    """Under torques about Γ × τ(t) and along M as well: noise that depends on state and time."""

    def independent_force(self, xi: Any, a: Any, t: Any) -> list[Any]:
        return [
            ops.cos(FAST * t) * ops.cross(a.Gamma, ops.array((0.5, 0.7, -0.2))) + 0.3 * ops.sin(FAST * t) * xi.Omega
        ]


class TwistedTop(StirredTop):
    """And along Γ as Ω₁: noise that is not linear in the state either."""

    def independent_force(self, xi: Any, a: Any, t: Any) -> list[Any]:
        return [super().independent_force(xi, a, t)[0] + 0.5 * xi.Omega[0] * a.Gamma]


class ForcedBall(RollingBall):
    """A Routh ball under a torque that depends on time."""

    def force(self, t: Any) -> Any:
        return ops.array([ops.cos(3 * t), ops.sin(2 * t), 0.5 * ops.cos(t)]), ops.zeros(3)


class Pendulous(sd.System):
    """A heavy body in a potential that is not linear, under noise that depends on Γ and is varied."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}
    momentum_names = {"Omega": "M"}
    initial = {"Omega": (0.6, 0.3, 1.2), "Gamma": (0.36, -0.48, 0.8)}

    def lagrangian(self, xi: Any, a: Any) -> Any:
        x, y, z = a.Gamma
        return ops.dot(xi.Omega, ops.inertia((1.0, 1.5, 0.8), xi.Omega)) / 2 - 0.4 * x**3 - 0.7 * y * z - 0.2 * z

    def constraint(self) -> sd.Unconstrained:
        return sd.Unconstrained(
            noise=sd.StateNoise(
                lambda a: [0.2 * ops.cross(a.Gamma, (1, 2, 0)), 0.4 * a.Gamma[0] * ops.array((0, 1, 1))]
            )
        )


SL2 = sd.groups.MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2", form=[[0, 1], [-1, 0]])


class Geodesic(sd.System):
    """Geodesics of a left-invariant metric on a product of three kinds of groups, with terms that join the factors."""

    group = sd.DirectProduct(SL2, sd.SE2(), sd.groups.Torus(1))
    initial = {name: np.cos(np.arange(p.start, p.stop)) for name, p in group.blocks.items()}

    def lagrangian(self, xi: Any) -> Any:
        u = [x for name, p in self.group.blocks.items() for x in (xi[name] if p.stop - p.start > 1 else [xi[name]])]
        return sum((1 + ops.array(j) / 3) * x**2 for j, x in enumerate(u)) / 2 + 0.3 * u[0] * u[3] + 0.2 * u[1] * u[6]


TOP, BALL = NUMBERS["heavy top"], NUMBERS["Routh ball"]
SYSTEMS: dict[str, Callable[[], sd.System]] = {
    "top": lambda: ForcedTop(**TOP, noise=()),
    "shaken top": lambda: ShakenTop(**TOP, noise=()),
    "top, single": lambda: ForcedTop(**TOP, noise=np.array(FIELDS["single"])),
    "stirred top": lambda: StirredTop(**TOP, noise=np.array(FIELDS["general"][:2])),
    "twisted top": lambda: TwistedTop(**TOP, noise=np.array(FIELDS["general"][:2])),
    "twisted top, two noises": lambda: TwistedTop(**TOP, noise=np.array(FIELDS["single"])),
    "free top": lambda: HeavyTop(**TOP, noise=np.array(FIELDS["general"])),
    "pendulum": Pendulous,
    "ball": lambda: ForcedBall(**BALL, noise=()),
    "ball, single": lambda: ForcedBall(**BALL, noise=np.array(FIELDS["single"]) / 2),
    "centred ball": lambda: RollingBall(inertia=(2.0, 1.4, 1.1), offset=0.0, noise=()),
    "SL(2) × SE(2) × T": Geodesic,
}


@cache
def setting(name: str) -> tuple[Any, np.ndarray, np.ndarray]:
    """Model, state (d,) and stored coordinates (r,) at the start."""
    system = SYSTEMS[name]()
    model, start = system.workings.model(), InitialState.of(system, None)
    return model, start.vector(model, 0.0)[:, 0], start.stored[:, 0]


@cache
def brownian(m: int, integrals: IteratedIntegrals | None, steps: int) -> np.ndarray:
    """Rows of the steps from 0 to 1, (steps, rows, PATHS)."""
    return WienerNoise(5, m, 1 / FINE, None, "normal", integrals).block(range(PATHS), 0, steps, 1 / steps)


W = types.SimpleNamespace(
    steady=False, value=lambda t: np.sin(FAST * t) / 2, derivative=lambda t: np.array([FAST * np.cos(FAST * t) / 2])
)
"""A smooth driving path."""


def march(method: Integrator, name: str, steps: int, drive: str, end: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """State (d, paths) and s (N, N, paths) at the end; drive is "", "Wiener" or "path"."""
    model, y, stored = setting(name)
    h, m = end / steps, model.wieners
    y, stored = (np.repeat(x[:, None], PATHS if drive == "Wiener" else 1, axis=1) for x in (y, stored))
    for n in range(steps):
        t = n * h
        if drive == "Wiener":
            dW = brownian(m, method.integrals, steps)[n]
        elif drive == "path" and method.nodes:
            dW = np.array([W.derivative(t + c * h) * h for c in method.nodes])
        else:
            dW = np.zeros((method.rows(m), 1)) if drive == "" else np.array([[W.value(t + h) - W.value(t)]])
        step = method.step(model, y, t, h, dW)
        if step.converged is not None and not np.all(step.converged):
            raise FloatingPointError("iterations did not converge")
        y, stored = step.y, model.reconstruct(stored, step.v, method.retraction(model))
    return y, model.group.element(stored)


@dataclass(frozen=True)
class Check(ABC):
    """One check; ``cost`` is about how many steps of one path with one stage would take as long."""

    name: str
    cost: float

    @property
    def noisy(self) -> bool:
        """Whether it is a strong order."""
        return False

    @abstractmethod
    def applies(self, method: Integrator) -> bool:
        """Whether a method, as it stands, is subject to it."""

    @abstractmethod
    def measure(self, method: Integrator) -> np.ndarray:
        """Errors (steps, ·), or defects of what is kept."""

    @abstractmethod
    def results(self, method: Integrator) -> Sequence[np.ndarray]:
        """What a method gives, to be compared with what it gives as it stands."""

    @abstractmethod
    def against(self, found: np.ndarray, healthy: np.ndarray, method: Integrator) -> str:
        """What is wrong, or nothing."""


@dataclass(frozen=True)
class Order(Check):
    """An order: of state and configuration."""

    problem: str
    drive: str
    suits: Callable[[Integrator], bool]
    reference: str

    def applies(self, method: Integrator) -> bool:
        return self.suits(method)

    @property
    def noisy(self) -> bool:
        return self.drive == "Wiener"

    def steps(self, order: float) -> tuple[int, ...]:
        """Fewer where the order is high, so that errors are far above round-off; more along the path, which is fast."""
        if self.drive == "Wiener" or order <= 2:
            return (8, 16, 32)
        return (4, 8, 16) if order <= 4 or self.drive == "path" else (2, 4, 8)

    def measure(self, method: Integrator) -> np.ndarray:
        healthy = integrator(method.label)
        x, r = solution(self.problem, self.drive, self.reference)
        out = []
        for n in self.steps(healthy.deterministic_order):
            y, g = march(method, self.problem, n, self.drive)
            out.append(
                [np.sqrt(np.mean(np.sum((y - x) ** 2, axis=0))), np.sqrt(np.mean(np.sum((g - r) ** 2, axis=(0, 1))))]
            )
        return np.array(out)

    def results(self, method: Integrator) -> Sequence[np.ndarray]:
        return march(method, self.problem, self.steps(integrator(method.label).deterministic_order)[0], self.drive)

    def against(self, found: np.ndarray, healthy: np.ndarray, method: Integrator) -> str:
        if not np.all(np.isfinite(found)):
            return "not finite"
        slopes, expected = (np.log2(e[-2] / np.maximum(e[-1], 1e-300)) for e in (found, healthy))
        if np.any(np.abs(slopes - expected) > SLOPE):
            return f"order {slopes.round(2).tolist()} for {expected.round(2).tolist()}"
        if self.drive == "" and abs(slopes[0] - method.deterministic_order) > 2 * SLOPE:
            return f"order {slopes[0]:.2f} for the declared {method.deterministic_order}"
        if np.any(found[-1] > WORSE * healthy[-1] + 1e-13):
            return f"error {(found[-1] / healthy[-1]).round(1).tolist()} times as large"
        return ""


@cache
def solution(problem: str, drive: str, reference: str) -> tuple[np.ndarray, np.ndarray]:
    """At t = 1: by dop853, or by fine steps of another method."""
    if drive == "Wiener":
        return march(integrator(reference), problem, FINE, drive)
    model, y, stored = setting(problem)
    ends: Any = integrator("dop853")
    states, coordinates = ends.solve(model, y, stored, np.array([0.0, 1.0]), W if drive == "path" else None)
    return states[-1][:, None], model.group.element(coordinates[-1][:, None])


@dataclass(frozen=True)
class Weak(Check):
    """Weak order 2 and the limit, by enumeration: errors of a step, own and against Heun's."""

    problem: str

    def applies(self, method: Integrator) -> bool:
        return method.weak

    def measure(self, method: Integrator) -> np.ndarray:
        return weak_errors(method, self.problem)

    def results(self, method: Integrator) -> Sequence[np.ndarray]:
        return list(expectations(SYSTEMS[self.problem](), method, 1 / 16, 1).values())

    def against(self, found: np.ndarray, healthy: np.ndarray, method: Integrator) -> str:
        if not np.all(np.isfinite(found)):
            return "not finite"
        slopes, expected = (np.log2(e[-2] / np.maximum(e[-1], 1e-300)) for e in (found, healthy))
        if np.any(np.abs(slopes - expected) > SLOPE):
            return f"order of a step {slopes.round(2).tolist()} for {expected.round(2).tolist()}"
        if np.any(found[-1] > WORSE * healthy[-1]):
            return f"error {(found[-1] / healthy[-1]).round(1).tolist()} times as large"
        return ""


def weak_errors(method: Integrator, problem: str) -> np.ndarray:
    """For two steps, of state and second moments, and of s: own, own, against Heun's (2, 3)."""
    system, heun = SYSTEMS[problem](), integrator("heun")
    out = []
    for h in (1 / 256, 1 / 512):
        once, twice = expectations(system, method, h, 1), expectations(system, method, h / 2, 2)
        theirs = expectations(system, heun, h, 1)
        own = {k: float(np.linalg.norm(once[k] - twice[k])) for k in once}
        out.append(
            [own["state"] + own["products"], own["s"], sum(float(np.linalg.norm(once[k] - theirs[k])) for k in once)]
        )
    return np.array(out)


@dataclass(frozen=True)
class Kept(Check):
    """What stays to round-off, for a method that keeps it: where it is below the bound it has to stay there."""

    suits: Callable[[Integrator], bool]
    defect: Callable[[Integrator], np.ndarray]
    bound: float

    def applies(self, method: Integrator) -> bool:
        return self.suits(method)

    def measure(self, method: Integrator) -> np.ndarray:
        return self.defect(method)

    def results(self, method: Integrator) -> Sequence[np.ndarray]:
        return [self.defect(method)]

    def against(self, found: np.ndarray, healthy: np.ndarray, method: Integrator) -> str:
        lost = (healthy <= self.bound) & ~(found <= self.bound)
        return f"not kept: {found[lost].tolist()}" if np.any(lost) else ""


def casimirs(method: Integrator) -> np.ndarray:
    """Changes of |Γ|² and M·Γ of a noisy top, in 8 long steps."""
    _, start, _ = setting("free top")
    y, _ = march(method, "free top", 8, "Wiener")
    defects = np.sum(y[3:] ** 2, axis=0) - 1, np.sum(y[3:] * y[:3], axis=0) - start[:3] @ start[3:]
    return np.array([np.max(np.abs(d)) for d in defects])


def one(method: Integrator, y: np.ndarray, dt: float, dW: np.ndarray, name: str = "pendulum") -> np.ndarray:
    """A step from y (d, paths)."""
    return method.step(setting(name)[0], y, 0.0, dt, np.broadcast_to(dW[:, None], (len(dW), y.shape[1]))).y


AT, DT, DW = np.array([0.6, 0.45, 0.96, 0.36, -0.48, 0.8]), 0.2, np.array([0.3, -0.2])


def reversal(method: Integrator) -> np.ndarray:
    """(Δt, ΔW) and then (−Δt, −ΔW)."""
    return np.array([np.max(np.abs(one(method, one(method, AT[:, None], DT, DW), -DT, -DW)[:, 0] - AT))])


def poisson(method: Integrator) -> np.ndarray:
    """On so(3)* ⋉ R³."""

    def tensor(y: np.ndarray) -> np.ndarray:
        M, Gamma = ops.hat(y[:3]), ops.hat(y[3:])
        return np.block([[M, Gamma], [Gamma, np.zeros((3, 3))]])

    return _poisson_defect(lambda y: one(method, y, DT, DW), AT, tensor)


def poisson_of_factors(method: Integrator) -> np.ndarray:
    """On the dual of sl(2) × se(2) × R."""
    model, start, _ = setting("SL(2) × SE(2) × T")
    units = np.eye(len(start))
    return _poisson_defect(lambda y: one(method, y, DT, np.zeros(0), "SL(2) × SE(2) × T"), start,
                           lambda y: np.array([[y @ model.group.bracket(a, b) for b in units] for a in units]))  # fmt: skip


def _poisson_defect(step: Callable[..., np.ndarray], at: np.ndarray, tensor: Callable[..., np.ndarray]) -> np.ndarray:
    """D Λ Dᵀ less Λ at the end of a step, D its Jacobian by differences of order 4."""
    h = 1e-3
    around = np.concatenate([k * h * np.eye(len(at)) for k in (2, 1, -1, -2)], axis=1) + at[:, None]
    up2, up, down, down2 = np.split(step(around), 4, axis=1)
    D = (8 * (up - down) - (up2 - down2)) / (12 * h)
    return np.array([np.max(np.abs(D @ tensor(at) @ D.T - tensor(step(at[:, None])[:, 0])))])


def spatial_momentum(method: Integrator) -> np.ndarray:
    """Of a ball with its centre of mass in the centre about the point of contact, in 4 long steps (|v| ≈ 0.8); |Γ|² too."""
    model, y, stored = setting("centred ball")
    y0, g0 = y[:, None], model.group.element(stored[:, None])
    y, g = march(method, "centred ball", 4, "", end=2.0)
    turned, before = (np.einsum("ijp,jp->ip", s[:3, :3], x[:3]) for s, x in ((g, y), (g0, y0)))
    return np.array([np.max(np.abs(turned - before)), np.max(np.abs(np.sum(y[3:] ** 2, axis=0) - 1))])


def reference_solution(method: Any) -> np.ndarray:
    """Of ``dop853`` along a smooth path: errors at ½ and 1, at 1 alone, at 0 alone, by steps of Gauss's method of order 12."""
    model, y, stored = setting("top, single")
    start = method.solve(model, y, stored, np.zeros(1), W)[0][0]
    twice, once = (method.solve(model, y, stored, np.array(t), W) for t in ((0.0, 0.5, 1.0), (0.0, 1.0)))
    defects = [start - y, twice[0][0] - y, once[0][0] - y]
    for end, found in ((0.5, (x[1] for x in twice)), (1.0, (x[2] for x in twice)), (1.0, (x[1] for x in once))):
        x, g = march(integrator("gauss(6)"), "top, single", 16, "path", end)
        state, coordinates = found
        defects += [state - x[:, 0], model.group.element(coordinates) - g[..., 0]]
    return np.array([np.max(np.abs(d)) for d in defects])


SYMMETRIC = ("implicit-midpoint", "gauss", "variational", "coadjoint-midpoint")


def free(method: Integrator) -> bool:
    return method.name not in ("nonholonomic", "dop853")


CHECKS: Sequence[Check] = (
    Order("no noise", 1, "top", "", free, ""),
    Kept("Casimirs", 0.3, lambda m: bool(m.preserves) and "general" in m.strong_order and free(m), casimirs, 1e-12),
    Kept("reversal", 0.05, lambda m: free(m) and m.name in SYMMETRIC, reversal, 1e-13),
    Kept("Poisson", 0.1, lambda m: "symplectic" in m.preserves, poisson, 1e-10),
    Kept("Poisson, SL(2) × SE(2) × T", 0.1, lambda m: "symplectic" in m.preserves, poisson_of_factors, 1e-10),
    Kept("spatial momentum", 0.3, lambda m: m.name == "nonholonomic", spatial_momentum, 2e-12),
    Order("no noise, ball", 1.3, "ball", "", lambda m: m.name == "nonholonomic", ""),
    Order("no noise, SL(2) × SE(2) × T", 2.5, "SL(2) × SE(2) × T", "", lambda m: m.geometric and free(m), ""),
    Order("smooth path", 1, "top, single", "path", lambda m: bool(m.nodes), ""),
    Order("additive noise", 1.5, "shaken top", "Wiener", lambda m: free(m) and "additive" in m.strong_order, "sra1"),
    Order("single noise", 1.5, "top, single", "Wiener", lambda m: free(m) and "single" in m.strong_order, "implicit-midpoint"),
    Order("single noise, ball", 2.5, "ball, single", "Wiener", lambda m: m.name == "nonholonomic", "lie-midpoint"),
    Order("general noise", 2, "stirred top", "Wiener", lambda m: free(m) and "general" in m.strong_order, "milstein(areas)"),
    Order("noise in the state", 2, "pendulum", "Wiener", lambda m: free(m) and "general" in m.strong_order, "milstein(areas)"),
    Kept("solution", 1, lambda m: m.name == "dop853", reference_solution, 1e-11),
    Weak("weak", 3, "twisted top"),
    Weak("weak, two noises", 2, "twisted top, two noises"),
)  # fmt: skip


@cache
def healthy(check: Check, label: str) -> np.ndarray:
    """What a check measures of the method as it is."""
    method = integrator(label)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check.measure(method)
    if check.against(found, found, method) or (isinstance(check, Kept) and not np.all(found <= check.bound)):
        raise ValueError(f"{label} does not pass {check.name!r} as it is: {found.tolist()}")
    return found


def complaint(check: Check, label: str, method: Integrator) -> str:
    """What a check says against a method, nothing where it passes."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = check.measure(method)
    except Exception as error:
        healthy(check, label)
        return type(error).__name__
    return check.against(found, healthy(check, label), method)

# ruff: noqa: E501
"""The rows of the table, each with two other statements of its system."""

from __future__ import annotations

from typing import Any

import numpy as np

import semidirect as sd
from what_works_with_what import systems as s
from what_works_with_what.kind import Kind, Statement

TURN = (1, 2, 0)
"""Axes of the body in the other order: component i of the turned body is component TURN[i] of the body."""


def rolled(vector: Any) -> list[float]:
    """A vector, or rows of vectors, in the turned body."""
    return np.asarray(vector, dtype=float)[..., list(TURN)].tolist()


def turned(kind: type[sd.System], names: tuple[str, ...], state: Any = None, **more: Any) -> Statement:
    """A system on SO(3) with its axes permuted."""
    one = kind(**more)
    vectors = ("inertia", "axis", "noise", "kick", "shake", "direction", "forcing")
    changed = {k: rolled(v) for k, v in one.values.items() if k in vectors and np.size(v)}
    start = {k: rolled(v) if np.ndim(v) else v for k, v in {**one.initial, **(state or {})}.items()}
    back = {f"{q}{TURN[i] + 1}": f"{q}{i + 1}" for q in ("Omega", "Gamma", "M", "p_Omega") for i in range(3)}
    return Statement(kind(**{**more, **changed}), {name: back.get(name, name) for name in names}, state=start)


def heavier(kind: type[sd.System], names: tuple[str, ...], masses: tuple[str, ...], scaled: tuple[str, ...], *, state: Any = None,
            inverse: tuple[str, ...] = (), **more: Any) -> Statement:  # fmt: skip
    """A system with four times the mass in all of its terms."""
    one = kind(**more)
    changed = {k: (4 * np.asarray(one.values[k])).tolist() for k in masses}
    changed |= {k: one.values[k] / 4 for k in inverse}
    return Statement(
        kind(**{**more, **changed}), {n: n for n in names}, dict.fromkeys(scaled, 4.0), state=state or {**one.initial}
    )


SPIN = ("Omega1", "Omega2", "Omega3", "Gamma1", "Gamma3", "energy")
FREE = ("Omega1", "Omega2", "Omega3", "energy")
TRACK = ("nu", "x", "y", "energy")
MASSES = ("inertia", "weight")


def body(
    name: str,
    kind: Any,
    *,
    scalar: str = "energy",
    twin: Any = None,
    masses: tuple[str, ...] = MASSES,
    names: tuple[str, ...] = SPIN,
    **how: Any,
) -> Kind:
    """A kind whose example is a body with a fixed point."""
    more = how.pop("more", {})
    direct, inverse = how.pop("direct", False), how.pop("inverse", ())

    def other() -> Statement:
        if twin is None:
            return turned(kind, names, **more)
        if direct:
            made = twin(**more)
            return Statement(made, {n: n for n in names}, state={**made.initial})
        return turned(twin, names, **more)

    return Kind(name, lambda: kind(**more), names, other, lambda: heavier(kind, names, masses, ("energy",), inverse=inverse, **more),
                **{"parameter": "inertia1", "direction": "Omega1", "scalar": scalar, **how})  # fmt: skip


def per_path(values: Any) -> sd.PerPath:
    """A parameter that differs on the four paths of a run."""
    return sd.PerPath([np.asarray(values) * f for f in (1.0, 1.0625, 0.9375, 1.125)])


def _skate_covectors() -> Statement:
    return Statement(s.SkateCovectors(), {n: n for n in TRACK}, state={"nu": 1.0, "v": (0.5, 0.0)})


def _skate() -> Statement:
    return heavier(s.Skate, TRACK, ("mass", "inertia"), ("energy",))


def _rolling_covectors() -> Statement:
    made = s.RollingCovectors()
    return Statement(made, {n: n for n in ROLL}, state={**made.initial})


ROLL = ("Omega1", "Omega2", "Omega3", "Gamma1", "Gamma3", "x1", "x2", "energy")
GIVEN = ("Gamma1", "Gamma2", "Gamma3")
SWING = ("omega", "energy")
LINE = ("x", "energy")
SUSLOV = SPIN


def _kinematics(velocity: Any = (0.3, -0.5, 0.2), noise: Any = ((0.2, 0.1, -0.1),)) -> sd.Kinematics:
    return sd.Kinematics(
        s.GROUP, velocity=velocity, noise=noise, advected={"Gamma": s.UP}, initial={"Gamma": (0.6, 0.0, 0.8)}
    )


def _kinematics_turned() -> Statement:
    made = sd.Kinematics(s.GROUP, velocity=rolled((0.3, -0.5, 0.2)), noise=rolled(((0.2, 0.1, -0.1),)),
                         advected={"Gamma": s.UP}, initial={"Gamma": rolled((0.6, 0.0, 0.8))})  # fmt: skip
    return Statement(made, {f"Gamma{TURN[i] + 1}": f"Gamma{i + 1}" for i in range(3)}, state={**made.initial})


def _kinematics_faster() -> Statement:
    made = _kinematics((1.2, -2.0, 0.8), ((0.4, 0.2, -0.2),))
    return Statement(made, {n: n for n in GIVEN}, clock=0.25, state={**made.initial})


def _carried_by_kinematics() -> Statement:
    from semidirect import ops

    def given(a):
        return 0.7 * ops.array([a.Gamma[2], 1, a.Gamma[0]])

    made = _kinematics(given)
    return Statement(made, {n: n for n in GIVEN}, state={**made.initial})


def _carried_heavier() -> Statement:
    return heavier(s.Carried, GIVEN, ("inertia",), ())


def _pendulum_in_space() -> Statement:
    return Statement(s.PendulumInSpace(), {"omega": "omega", "energy": "energy"}, state={"omega": 1.2})


def _bead(kind: Any, state: Any) -> Any:
    return lambda: Statement(kind(), {"x": "x", "energy": "energy"}, state=state)


def _cart_reversed() -> Statement:
    made = s.CartReversed()
    return Statement(made, {n: n for n in CART}, state={**made.initial})


def _loose_reversed() -> Statement:
    made = s.LooseReversed()
    return Statement(made, {n: n for n in CART}, state={**made.initial})


def _axle_by_hand() -> Statement:
    made = s.AxleByHand()
    return Statement(made, {n: n for n in TRACK}, state={**made.initial})


CART = ("nu", "steer", "x", "y", "phi", "energy")
HOPS = ("x", "y", "height", "energy")


def _floor_raised() -> Statement:
    up = {"y": 0.25, "height": 0.25, "energy": 0.25}
    return Statement(s.floor(height=0.25), {n: n for n in HOPS}, offset=up, state={"v": (0.5, 0.0), "y": 0.75})


def _floor_heavier() -> Statement:
    return Statement(s.floor(mass=4.0), {n: n for n in HOPS}, {"energy": 4.0}, state={"v": (0.5, 0.0), "y": 0.5})


ENTRIES = ("W21", "W31", "W32", "energy")


def _matrices_turned() -> Statement:
    """Axes in the other order."""
    one = s.Matrices()

    def turn(matrix: Any) -> Any:
        return np.asarray(matrix)[np.ix_(TURN, TURN)]

    made = s.Matrices(moments=rolled(one.moments), planes=turn(one.planes))
    same = {f"W{TURN[i] + 1}{TURN[j] + 1}": f"W{i + 1}{j + 1}" for i in range(3) for j in range(3)}
    return Statement(
        made, {**{n: same[n] for n in ENTRIES[:3]}, "energy": "energy"}, state={"W": turn(one.initial["W"])}
    )


def _matrices_heavier() -> Statement:
    one = s.Matrices()
    made = s.Matrices(moments=4 * one.moments)
    return Statement(made, {n: n for n in ENTRIES}, dict.fromkeys(ENTRIES, 4.0), state={"W": 4 * one.initial["W"]})


TOPS = ("Omega1_1", "Omega3_2", "Gamma1_2", "Gamma3_3", "energy")


def _tops_written_out() -> Statement:
    """One system on a product of three factors."""
    made = s.ThreeTops()
    same = {f"top{i}_Omega{k}": f"Omega{i}_{k}" for i in (1, 2, 3) for k in (1, 2, 3)}
    same |= {f"Gamma{i}{k}": f"Gamma{i}_{k}" for i in (1, 2, 3) for k in (1, 2, 3)}
    back = {ours: theirs for theirs, ours in same.items()}
    return Statement(made, {n: back.get(n, n) for n in TOPS}, state={**made.initial})


def _tops_heavier() -> Statement:
    one = s.Tops()
    made = s.Tops(inertia=tuple(4 * x for x in one.inertia), weight=2.0, strength=tuple(4 * x for x in one.strength))
    return Statement(made, {n: n for n in TOPS}, {"energy": 4.0}, state={**one.initial})


THREE = ((0.2, 0.1, -0.1), (0.0, 0.2, 0.1), (0.1, 0.0, 0.3))
BALANCED = ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5))
START = {"Omega": [[0.4, 1.0, -0.7], [0.5, 1.0, -0.7], [0.4, 1.1, -0.7], [0.4, 1.0, -0.6]]}


def _starts_turned() -> Statement:
    return turned(s.Body, SPIN, state=START)


def _starts_heavier() -> Statement:
    made = heavier(s.Body, SPIN, MASSES, ("energy",))
    return Statement(made.system, made.same, made.factor, state={**made.system.initial, **START})


def _per_path_turned() -> Statement:
    made = s.Body(
        inertia=per_path(rolled((1.0, 1.5, 2.0))), axis=rolled((0.6, 0.0, 0.8)), noise=rolled(((0.2, 0.1, -0.1),))
    )
    plain = turned(s.Body, SPIN)
    return Statement(made, plain.same, state=plain.state)


def _per_path_heavier() -> Statement:
    made = s.Body(inertia=per_path((4.0, 6.0, 8.0)), weight=2.0)
    return Statement(made, {n: n for n in SPIN}, {"energy": 4.0}, state={**s.Body().initial})


def _zero_left_out() -> Statement:
    """The body at zero weight without the noise and the force whose amplitudes are zero."""
    made = s.Body(weight=0.0, noise=())
    return Statement(made, {n: n for n in SPIN}, state={**made.initial})


def _momenta_by_lagrangian() -> Statement:
    made = s.Body()
    return Statement(made, {n: n for n in SPIN}, state={**made.initial})


def _momenta_heavier() -> Statement:
    made = s.Momenta(inertia=(4.0, 6.0, 8.0), weight=2.0)
    return Statement(
        made, {n: n for n in SPIN}, {"energy": 4.0}, state={"M": (1.6, 6.0, -5.6), "Gamma": (0.6, 0.0, 0.8)}
    )


KINDS: tuple[Kind, ...] = (
    Kind("constraint by directions", s.Skate, TRACK, _skate_covectors, _skate, parameter="mass", direction="nu", state={"nu": 1.0, "speed": 0.5}),
    body("constraint by covectors", s.Suslov, twin=s.SuslovDirections, direct=True, direction="configuration", exact=False),
    Kind("rolling: directions that depend on the state", s.Rolling, ROLL, _rolling_covectors,
         lambda: heavier(s.Rolling, ROLL, ("inertia", "mass"), ("energy",)), parameter="offset", direction="Omega1", exact=False),
    body("no constraint, transport noise", s.Body),
    Kind("state in momenta, `hamiltonian`", s.Momenta, SPIN, _momenta_by_lagrangian, _momenta_heavier, parameter="weight"),
    body("several noises", s.Body, more={"noise": THREE}),
    body("state in velocities", s.Quartic, masses=("inertia", "weight", "stiffness")),
    Kind("`Kinematics`", _kinematics, GIVEN, _kinematics_turned, _kinematics_faster, scalar="Gamma3", parameter="velocity1"),
    Kind("`PrescribedVelocity`", s.Carried, GIVEN, _carried_by_kinematics, _carried_heavier, scalar="Gamma3", parameter="rate"),
    body("internal state that reads ξ and a", s.Thermostat, masses=("inertia", "weight", "temperature", "mass"), parameter="temperature"),
    body("explicit time", s.Timed, twin=s.Clocked, direct=True),
    Kind("table", s.Wire, LINE, _bead(s.WireFormula, {"v": 0.5, "x": 0.2}),
         lambda: heavier(s.Wire, LINE, ("mass",), ("energy",), state={"v": 0.5, "x": 0.2}), parameter="mass", direction="v"),
    Kind("parameter per path", lambda: s.Body(inertia=per_path((1.0, 1.5, 2.0))), SPIN, _per_path_turned, _per_path_heavier,
         parameter="weight", direction="Omega1"),
    Kind("start per path", s.Body, SPIN, _starts_turned, _starts_heavier, state=START, parameter="weight", direction="Omega1"),
    Kind("group of one dimension", s.Pendulum, SWING, _pendulum_in_space,
         lambda: heavier(s.Pendulum, SWING, ("inertia", "weight"), ("energy",)), parameter="weight", direction="omega"),
    Kind("line", s.WireFormula, LINE, _bead(s.Point, {"u": 0.5, "x": 0.2}),
         lambda: heavier(s.WireFormula, LINE, ("mass",), ("energy",), state={"v": 0.5, "x": 0.2}), parameter="mass", direction="v"),
    Kind("product of factors", s.Cart, CART, _cart_reversed, lambda: heavier(s.Cart, CART, ("mass", "wheel"), ("energy",)),
         parameter="mass", direction="nu"),
    Kind("product of factors, no constraint", s.Loose, CART, _loose_reversed, lambda: heavier(s.Loose, CART, ("mass", "wheel"), ("energy",)),
         parameter="mass", direction="nu"),
    Kind("several constraints", s.Axle, TRACK, _axle_by_hand, lambda: heavier(s.Axle, TRACK, ("mass", "wheel"), ("energy",)),
         parameter="mass", direction="left", exact=False),
    body("state noise", scalar="Omega2", kind=s.Vertical, parameter="amplitude"),
    body("formal noise", scalar="Omega2", kind=s.Formal, parameter="amplitude"),
    body("noise as a function of time", s.Fading, twin=s.FadingState, direct=True, parameter="amplitude", exact=False),
    body("forces with noise of their own", s.Kicked, masses=("inertia", "weight", "kick", "shake", "pull")),
    body("no noise", scalar="Omega2", kind=s.Body, more={"noise": ()}, noisy=False),
    body("piecewise force", s.Dragged, twin=s.DraggedMaximum, direct=True, masses=("inertia", "weight", "drag"), smooth=False),
    body("double bracket", s.Bracket, twin=s.BracketForce, direct=True, masses=("inertia",), inverse=("theta",), names=FREE, parameter="theta", more={"noise": BALANCED}),
    body("noise that keeps the energy", scalar="Omega2", kind=s.Forced, twin=s.ForcedByForce, direct=True, masses=("inertia", "weight", "forcing")),
    Kind("matrices", s.Matrices, ENTRIES, _matrices_turned, _matrices_heavier, scalar="W32", parameter="moments1", direction="W21"),
    Kind("lattice", s.Tops, TOPS, _tops_written_out, _tops_heavier, scalar="Gamma3_3", parameter="weight", direction="Omega1_1"),
    Kind("hybrid", s.floor, HOPS, _floor_raised, _floor_heavier, scalar="height", direction="v1"),
    Kind("parameters at zero", scalar="Omega2", system=lambda: s.Body(weight=0.0, noise=((0.0, 0.0, 0.0),)), names=SPIN, other=_zero_left_out,
         restated=lambda: heavier(s.Body, SPIN, ("inertia",), ("energy",), weight=0.0, noise=((0.0, 0.0, 0.0),)), parameter="inertia1",
         direction="Omega1", noisy=False),
)  # fmt: skip


PARALLEL = ((0.2, 0.1, -0.1), (0.4, 0.2, -0.2), (0.1, 0.05, -0.05))
_PUSHED = ("inertia", "weight", "kick", "shake", "pull")
FITTING: dict[tuple[str, str], tuple[str, Kind]] = {
    ("milstein", "several noises"): ("noises about one axis", body("several noises", s.Body, more={"noise": PARALLEL})),
    ("milstein", "forces with noise of their own"): (
        "noise in forces alone", body("forces with noise of their own", s.Kicked, masses=_PUSHED, more={"noise": ()})),
    ("sra1", "forces with noise of their own"): (
        "constant noise in forces alone", body("forces with noise of their own", s.Kicked, masses=_PUSHED, more={"noise": (), "pull": 0.0})),
}  # fmt: skip
"""By method and kind: another example of the kind, whose noise is of a class in which the method has an order."""


def kind_of(name: str) -> Kind:
    """The kind of a name."""
    return next(k for k in KINDS if k.name == name)

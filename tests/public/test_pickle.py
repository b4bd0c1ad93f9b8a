"""Every public object can be pickled, so that it can be sent to another process."""

import pickle
from pathlib import Path
from traceback import format_exception_only

import numpy as np
import pytest

import semidirect as sd


def middle(state):
    return state.s[:3, 3]


@pytest.fixture(scope="module")
def system():
    return sd.load("rigid-body", noise=[[0.1, 0, 0]])


@pytest.fixture(scope="module")
def run(system):
    return system.simulate(t_end=0.4, dt=0.1, paths=4, seed=1)


OBJECTS = {
    "system": lambda s, run: s,
    "kinematics": lambda s, run: sd.Kinematics(sd.SO3(), noise=[[0.1, 0, 0]]),
    "run": lambda s, run: run,
    "final": lambda s, run: run.final,
    "statistics": lambda s, run: s.simulate(t_end=0.2, dt=0.1, paths=3, reduce=["moments", "extremes"]).reductions,
    "equations": lambda s, run: s.sde(),
    "page": lambda s, run: s.equations(),
    "derivation": lambda s, run: s.derivation(),
    "ito": lambda s, run: s.sde().ito(),
    "evolution": lambda s, run: s.evolution("energy"),
    "proof": lambda s, run: s.prove("energy"),
    "invariants": lambda s, run: s.invariants(2),
    "relations": lambda s, run: sd.invariants.find_relations(s, 1),
    "recommendation": lambda s, run: s.recommend(),
    "noise class": lambda s, run: sd.noise.noise_class(s),
    "definition": lambda s, run: s.workings.definition(),
    "energy": lambda s, run: type(s).workings.declared_observables()["energy"],
    "derived energy": lambda s, run: sd.energy(),
    "parameter": lambda s, run: type(s).workings.parameters()["inertia"],
    "stepper": lambda s, run: s.ensemble(dt=0.1, paths=3),
    "view": lambda s, run: run.view(),
    "monitor": lambda s, run: sd.analysis.monitor(run, s),
    "lyapunov": lambda s, run: sd.lyapunov(s, t_end=1, dt=0.1, paths=4),
    "camera": lambda s, run: sd.inference.camera([[0.1, 0, 0]], noise=0.01),
    "camera on a stand": lambda s, run: sd.inference.camera([[0.1, 0, 0]], noise=0.01, centre=middle, transparent=True),
    "gyroscope": lambda s, run: sd.inference.gyroscope(noise=0.1),
    "position": lambda s, run: sd.inference.position(noise=0.1),
    "observation": lambda s, run: sd.Observation("Omega", noise=0.1),
    "shape": lambda s, run: sd.shapes.Shape(sd.shapes.ball(0.1), sd.shapes.Dot()),
    "impact": lambda s, run: sd.Impact(restitution=0.5),
    "preset": lambda s, run: sd.plugins.load("lagrange-top"),
    "plugins": lambda s, run: sd.plugins.available(),
    "hybrid": lambda s, run: sd.Hybrid({"a": s, "b": s}, [sd.Switch("a", "b", sd.Crossing("energy", 1.0, "falling"))]),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_a_public_object_can_be_pickled(name, system, run):
    value = OBJECTS[name](system, run)
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value)
    if " at 0x" not in repr(value):
        assert repr(again) == repr(value)


@pytest.mark.parametrize("view", [(0, 0, 1), (1, 1, 0.5)])
@pytest.mark.parametrize(
    "how", [{}, {"centre": middle}, {"transparent": True}], ids=["following", "standing", "transparent"]
)
def test_a_pickled_camera_sees_the_same(view, how):
    """Of three dots about the body of a ball: the same coordinates, to the last bit, and the same dots behind."""
    ball = sd.load("rolling-ball", noise=[[0.3, 0, 0]])
    run = ball.simulate(t_end=0.4, dt=0.1, paths=2, seed=3)
    camera = sd.inference.camera(np.eye(3) * 0.2, noise=0.01, view=view, **how)
    seen = [one.of(run, seed=7) for one in (camera, pickle.loads(pickle.dumps(camera)))]
    np.testing.assert_array_equal(*(np.asarray(x) for x in seen))


WRITTEN_BEFORE = pickle.loads((Path(__file__).parent / "written_before.pickle").read_bytes())
"""Name → pickle of a public object, written by version 0.1.0 when its modules were elsewhere; never written anew."""


@pytest.mark.parametrize("name", WRITTEN_BEFORE)
def test_what_was_pickled_before_modules_moved_still_opens(name):
    value = pickle.loads(WRITTEN_BEFORE[name])
    assert type(pickle.loads(pickle.dumps(value))) is type(value)
    if name == "run":
        assert value["Omega"].shape == (2, 5, 3)
    if name == "stepper":
        assert value.advance(steps=1).t == 0.1


def test_errors_name_the_place_where_users_find_them():
    """In tracebacks and pickles; pickles by their former place open."""
    for name in sd.errors.__all__:
        kind = getattr(sd.errors, name)
        assert f"{kind.__module__}.{kind.__qualname__}" == f"semidirect.errors.{name}"
        before = f"semidirect.core.errors.{'warnings' if issubclass(kind, Warning) else 'errors'}"
        assert pickle.loads(f"c{before}\n{name}\n.".encode()) is pickle.loads(pickle.dumps(kind)) is kind
    error = sd.errors.InputError("dt", expected="a positive number", got="0")
    assert format_exception_only(error)[0].startswith("semidirect.errors.InputError: ")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

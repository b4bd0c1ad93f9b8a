"""Public objects go through pickle, copy, deepcopy and a process pool and are what they were."""

import copy
import multiprocessing
import pickle
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import MethodType

import numpy as np
import pytest
import xarray

sys.path.insert(0, str(Path(__file__).parent))
from examples import Watched, examples, public_classes
from semidirect import Checks, Save, extend
from semidirect.core.frozen import Always, FrozenMapping
from semidirect.definition.parametrised import Parametrised
from semidirect.errors import InputError, StoreError
from semidirect.stepper.ensemble_stepper import Stepper


def same(a, b, seen=None):
    """Whether two objects hold the same: types, fields, numbers to the bit, and whether their arrays can be written to."""
    seen = {} if seen is None else seen
    if a is b or seen.get(id(a)) is b:
        return True
    seen[id(a)] = b
    if isinstance(b, Always):  # which stands for any function without arguments
        return same(dict(a()), b.value, seen)
    if isinstance(a, Mapping) and isinstance(b, (FrozenMapping, dict)):
        return list(a) == list(b) and all(same(a[k], b[k], seen) for k in a)
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return np.float64(a).tobytes() == np.float64(b).tobytes()  # nan is nan
    if isinstance(a, xarray.Dataset):
        return a.identical(b)
    if isinstance(a, np.ndarray):
        alike = a.dtype == b.dtype and a.shape == b.shape
        if a.dtype == object:
            return alike and all(same(x, y, seen) for x, y in zip(a.flat, b.flat, strict=True))
        return alike and a.tobytes() == b.tobytes() and a.flags.writeable == b.flags.writeable
    if isinstance(a, Stepper):
        return same(readings(a), readings(b))
    if isinstance(a, Parametrised):
        return same(dict(a.values), dict(b.values), seen) and same(
            dict(a.workings.choices), dict(b.workings.choices), seen
        )
    if is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name), seen) for f in fields(a) if f.init)
    if isinstance(a, Mapping):
        return list(a) == list(b) and all(same(a[k], b[k], seen) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y, seen) for x, y in zip(a, b, strict=True))
    if isinstance(a, MethodType):
        return a.__func__ is b.__func__ and same(a.__self__, b.__self__, seen)
    if isinstance(a, BaseException):
        return str(a) == str(b) and same(vars(a), vars(b), seen)
    if type(a).__eq__ is not object.__eq__:
        return bool(a == b)
    if type(a).__reduce__ is not object.__reduce__:
        return same(a.__reduce__()[1], b.__reduce__()[1], seen)
    return callable(a) or same(a.__getstate__(), b.__getstate__(), seen)


def readings(ensemble):
    """What an ensemble, which can be changed, reads now and two steps later."""
    later = ensemble.copy()
    later.advance(steps=2)
    return [later.t, later.generation, dict(ensemble.read()), dict(later.read())]


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(
    "kind", public_classes(), ids=lambda kind: f"{kind.__module__.removeprefix('semidirect.')}.{kind.__name__}"
)
def test_a_public_object_is_carried_whole(kind, pool):
    assert kind in examples(), "a public class needs an example in examples.py"
    one = examples()[kind]
    for carried in (
        pickle.loads(pickle.dumps(one)),
        copy.copy(one),
        copy.deepcopy(one),
        pool.submit(copy.copy, one).result(),
    ):
        assert same(one, carried)


def test_a_run_in_a_store_is_carried_by_its_path(tmp_path, pool, monkeypatch):
    place = tmp_path / "run.zarr"
    system = Watched()
    run = system.simulate(t_end=0.5, dt=0.1, paths=600, seed=1, save=Save(store=place), checks=Checks(error_check=True))
    monkeypatch.chdir(tmp_path)
    relative = pickle.dumps(type(run).load("run.zarr"))
    monkeypatch.chdir(tmp_path.parent)
    for one in (run, pickle.loads(relative)):
        data = pickle.dumps(one)
        assert len(data) < 4000 < one["Omega"].nbytes  # measured: 2.6 kB and 86 kB
        for carried in (pickle.loads(data), copy.deepcopy(one), pool.submit(copy.copy, one).result()):
            assert same(dict(one), dict(carried))
            assert same(one.final, carried.final)
            assert same(one.error_check, carried.error_check)
            assert (carried.system is None) == (one.system is None)
    assert copy.copy(run) is run
    assert same(run.final, pickle.loads(pickle.dumps(run.final)))

    data = pickle.dumps(run)
    extend(place, paths=601, system=system)
    with pytest.raises(StoreError, match="was extended or replaced later"):
        pickle.loads(data)
    shutil.rmtree(place)
    with pytest.raises(StoreError):
        pickle.loads(data)


def test_statistics_of_a_carried_run_are_still_read_only_and_can_be_merged():
    first = pickle.loads(pickle.dumps(Watched().simulate(t_end=0.1, dt=0.1, paths=4, reduce="moments")))
    moments = first.reductions["moments"]
    with pytest.raises(ValueError, match="read-only"):
        moments.mean["Omega"][0] = 0
    with pytest.raises(TypeError):
        first.data["Omega"] = 0
    with pytest.raises(InputError, match="counted twice"):
        moments.with_paths(moments)


DEFINED_IN_MAIN = """
import sys
import semidirect as sd

class Mine(sd.System):
    "A system of a script or a notebook."
    group = sd.SO3()
    inertia = sd.inertia((1, 2, 3))
    initial = {"Omega": (1, 0.1, 0.2)}

    def lagrangian(self, xi):
        return sd.ops.dot(xi.Omega, sd.ops.inertia(self.inertia, xi.Omega)) / 2

    @sd.observable(unit="J")
    def energy(self, state):
        return self.lagrangian(state)

def energy(run):
    return run.system.simulate(t_end=0.1, dt=0.1)["energy"], run["energy"]

if __name__ == "__main__":
"""


def test_a_system_of_a_script_goes_to_spawned_workers(tmp_path):
    """They import the script again under another name."""
    script = tmp_path / "script.py"
    script.write_text(
        DEFINED_IN_MAIN
        + """
    import multiprocessing, pickle
    from concurrent.futures import ProcessPoolExecutor
    run = Mine().simulate(t_end=0.1, dt=0.1)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        first, second = pool.submit(energy, run).result()
    assert first.tobytes() == second.tobytes() == run["energy"].tobytes()
    assert pickle.loads(pickle.dumps(Mine.energy.method)) is Mine.energy.method
""",
        encoding="utf-8",
    )
    subprocess.run([sys.executable, script], check=True)


def test_a_system_of_a_notebook_goes_by_cloudpickle_and_not_by_pickle():
    """Another process has no such ``__main__``: pickle refers to the class by name, cloudpickle sends it whole."""
    script = (
        DEFINED_IN_MAIN
        + """
    import cloudpickle, pickle
    run = Mine().simulate(t_end=0.1, dt=0.1)
    sys.stdout.buffer.write(pickle.dumps([pickle.dumps(run), cloudpickle.dumps((energy, run))]))
"""
    )
    sent = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout
    by_name, whole = pickle.loads(sent)
    with pytest.raises(AttributeError, match="Mine"):
        pickle.loads(by_name)
    function, run = pickle.loads(whole)
    first, second = function(run)
    assert first.tobytes() == second.tobytes()
    assert run.system.prove("energy")

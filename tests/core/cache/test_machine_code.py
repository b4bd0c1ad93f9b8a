"""Compiled functions: found by their text and processor, self-contained, kept for the next process."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

import semidirect as sd
from semidirect.compile.kernel import Variant, source
from semidirect.core.cache.machine_code import load_module
from semidirect.integrators.registry import integrator

TEXT = """
import numba as nb
SIGNATURE = "f8(f8)"
@nb.njit(error_model="numpy")
def run(x):
    return {} * x
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


@pytest.fixture
def load():
    """Load a module as a process that has none yet."""

    def load(text):
        for name in [name for name in sys.modules if name.startswith("semidirect_kernel_")]:
            forgotten[name] = sys.modules.pop(name)
        return load_module(text)

    forgotten = {}
    yield load
    sys.modules.update(forgotten)


def from_disk(module):
    return sum(module.run.stats.cache_hits.values())


def test_a_text_is_one_module_and_another_text_another(place, load):
    first = load(TEXT.format(2))
    assert load_module(TEXT.format(2)) is first
    other = load_module(TEXT.format(3))
    assert (first.run(1.0), other.run(1.0)) == (2.0, 3.0)
    assert len(list(place.iterdir())) == 2
    assert all(file.suffix == ".machine" for file in place.iterdir())
    assert from_disk(first) == from_disk(other) == 0
    assert from_disk(load(TEXT.format(2))) == 1


def test_a_damaged_file_is_made_again(place, load):
    load(TEXT.format(2))
    (file,) = place.iterdir()
    content = file.read_bytes()
    for damaged in (b"", content[:-1], content[:40], content[:100] + b"x" + content[101:], content + b"x"):
        file.write_bytes(damaged)
        module = load(TEXT.format(2))
        assert module.run(1.0) == 2.0
        assert from_disk(module) == 0
        assert from_disk(load(TEXT.format(2))) == 1


def test_the_file_of_another_function_is_not_taken(place, load):
    load(TEXT.format(2))
    load(TEXT.format(3))
    one, other = place.iterdir()
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert load(TEXT.format(2)).run(1.0) == 2.0
    assert load(TEXT.format(3)).run(1.0) == 3.0


def test_without_a_folder_everything_is_compiled_anew(place, load):
    place.write_text("a file in the place of the folder")
    for _ in range(2):
        module = load(TEXT.format(4))
        assert module.run(1.0) == 4.0
        assert from_disk(module) == 0
    assert place.read_text() == "a file in the place of the folder"


@pytest.mark.usefixtures("place")
def test_a_module_that_fails_is_not_kept():
    before = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        load_module("1 / 0\n")
    assert set(sys.modules) == before


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ALONE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"semidirect", "sympy", "semidirect_rigid_body"}:
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Refuse())
import importlib.util
import numpy as np
spec = importlib.util.spec_from_file_location("alone", PATH)
module = sys.modules["alone"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
y, s = np.ones((1, 3, 64)), np.ones((1, 9, 64))
p = np.repeat(np.linspace(0.5, 1.5, 12), 64).reshape(1, 12, 64)
none = np.zeros((1, 1))
module.run(y, s, p, none[..., None, None] * np.zeros(64), none, np.uint64(0), np.uint64(1), 0, 3, 0.01, 0.1,
           np.full((1, 64), -1))
assert np.isfinite(y).all() and len(np.unique(y[0, 0])) == 64
assert not [m for m in sys.modules if m.split(".")[0] in {"semidirect", "sympy"}]
"""


def test_kernel_files_are_self_contained(tmp_path):
    text = source(sd.load("rigid-body").model(), integrator("heun"), Variant(drawn=True))
    path = tmp_path / "alone.py"
    path.write_text(text)
    python(ALONE.replace("PATH", repr(str(path))))


def test_texts_do_not_depend_on_hashes():
    """So that all processes share one kernel, and a path has the same bits in each of them."""
    code = """
    import hashlib
    import semidirect as sd
    from semidirect.integrators.registry import integrator
    from semidirect.compile.kernel import Variant, source
    for name, method in (("routh-sphere", "lie-midpoint"), ("heavy-top", "heun")):
        text = source(sd.load(name).model(), integrator(method), Variant(drawn=True))
        print(hashlib.sha256(text.encode()).hexdigest())
    """
    off = {"SEMIDIRECT_CACHE": os.devnull, "HOME": os.devnull}
    outputs = {python(code, PYTHONHASHSEED=seed, **off) for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 2


RUN = """
import json, sys, time
import semidirect as sd
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    started = time.perf_counter()
    run = sd.load("rigid-body").simulate(t_end=0.5, dt=0.05, paths=9, method="heun", save="final",
                                         execution=sd.Execution(engine="compiled"))
    seconds = time.perf_counter() - started
names = {str(event.data["dispatcher"].py_func.__name__) for _, event in compiled.buffer}
print(json.dumps({"compiled": sorted(names), "seconds": seconds, "sympy": "sympy" in sys.modules,
                  "M": run["M"].tobytes().hex()}))
"""


def test_two_processes_at_once_and_a_third_that_compiles_and_derives_nothing(tmp_path, record_property):
    """Both write the same files; neither reads half of one."""
    environment = {**os.environ, "SEMIDIRECT_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    ends = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    results = [json.loads(out) for out, _ in ends]
    assert results[0]["M"] == results[1]["M"]
    assert any("run" in result["compiled"] for result in results)
    assert any(result["sympy"] for result in results)
    assert not list(tmp_path.glob("*.part"))
    third = json.loads(python(RUN, SEMIDIRECT_CACHE=str(tmp_path)))
    assert third["compiled"] == []
    assert not third["sympy"]
    assert third["M"] == results[0]["M"]
    for label, result in (("first", results[0]), ("third", third)):
        record_property(f"rigid body, heun, {label} process", f"{result['seconds']:.2f} s")

"""Generated files: named by content, written at once or not at all, self-contained, kept for the next process."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import semidirect as sd
from semidirect.integrators.registry import integrator
from semidirect.kernels import cache
from semidirect.kernels.kernel import Variant, source

TEXT = "import numpy as np\nVALUE = {}\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "kernels"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    return tmp_path / "kernels"


@pytest.fixture
def forget():
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("semidirect_kernel_"):
            del sys.modules[name]


@pytest.mark.usefixtures("forget")
def test_files_are_named_by_their_content(place):
    first, again, other = (cache.load_module(TEXT.format(v)) for v in (1, 1, 2))
    assert first is again
    assert (first.VALUE, other.VALUE) == (1, 2)
    files = sorted(p.name for p in place.glob("*.py"))
    assert files == sorted(f"{m.__name__}.py" for m in (first, other))
    assert not list(place.glob("*.part"))
    assert os.name != "posix" or place.stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("forget")
def test_a_damaged_file_is_written_anew(place):
    module = cache.load_module(TEXT.format(3))
    path = Path(module.__file__)
    path.write_text("VALUE = 'somebody else'\n")
    del sys.modules[module.__name__]
    assert cache.load_module(TEXT.format(3)).VALUE == 3
    assert path.read_text() == TEXT.format(3)


@pytest.mark.usefixtures("forget")
def test_an_unusable_folder_gives_way_to_a_temporary_one(place, tmp_path):
    place.write_text("a file in the place of the folder")
    module = cache.load_module(TEXT.format(4))
    assert module.VALUE == 4
    assert Path(module.__file__).parent.parent == tmp_path
    assert cache.write("x.json", "{}") == Path(module.__file__).parent / "x.json"
    assert cache.read("x.json") == "{}"


@pytest.mark.usefixtures("forget")
def test_without_any_folder_modules_live_in_memory(place, monkeypatch):
    monkeypatch.setattr(cache, "folders", lambda: iter(()))
    module = cache.load_module("import numba as nb\n@nb.njit('f8(f8)', cache=True)\ndef run(x):\n    return 2 * x\n")
    assert module.run(3.0) == 6.0
    assert cache.write("x.json", "{}") is None
    assert cache.read("x.json") is None


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_folders_of_others_are_not_trusted(place):
    """Nothing is executed that another user may have put there."""
    place.mkdir()
    (place / "x.json").write_text("{}")
    place.chmod(0o777)
    assert cache.read("x.json") is None
    written = cache.write("y.json", "{}")
    assert written is not None
    assert written.parent != place
    place.chmod(0o755)
    assert cache.read("x.json") == "{}"


@pytest.mark.usefixtures("forget")
def test_a_module_that_fails_is_not_kept(place):
    before = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        cache.load_module("1 / 0\n")
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
    from semidirect.kernels.kernel import Variant, source
    for name, method in (("routh-sphere", "lie-midpoint"), ("heavy-top", "heun")):
        text = source(sd.load(name).model(), integrator(method), Variant(drawn=True))
        print(hashlib.sha256(text.encode()).hexdigest())
    """
    off = {"SEMIDIRECT_CACHE": os.devnull, "TMPDIR": os.devnull}
    outputs = {python(code, PYTHONHASHSEED=seed, **off) for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 2


RUN = """
import json, sys, time
import semidirect as sd
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    started = time.perf_counter()
    run = sd.load("rigid-body").simulate(t_end=0.5, dt=0.05, paths=9, method="heun", save="final", engine="compiled")
    seconds = time.perf_counter() - started
names = {str(event.data["dispatcher"].py_func.__name__) for _, event in compiled.buffer}
print(json.dumps({"compiled": sorted(names), "seconds": seconds, "sympy": "sympy" in sys.modules,
                  "M": run["M"].tobytes().hex()}))
"""


def test_a_second_process_compiles_and_derives_nothing(tmp_path, record_property):
    first, second = (json.loads(python(RUN, SEMIDIRECT_CACHE=str(tmp_path))) for _ in range(2))
    assert "run" in first["compiled"]
    assert first["sympy"]
    assert second["compiled"] == []
    assert not second["sympy"]
    assert first["M"] == second["M"]
    for label, result in (("first", first), ("second", second)):
        record_property(f"rigid body, heun, {label} process", f"{result['seconds']:.2f} s")


def test_two_processes_at_once(tmp_path):
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
    assert not list(tmp_path.glob("*.part"))
    third = json.loads(python(RUN, SEMIDIRECT_CACHE=str(tmp_path)))
    assert third["compiled"] == []
    assert third["M"] == results[0]["M"]

"""Compiled functions: found by their text and processor, self-contained, kept for the next process."""

import inspect
import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from semidirect.machine import assembler
from semidirect.machine import llvm_functions as llvm_text
from semidirect.machine.assembler import NotCompiledError
from semidirect.machine.cache import compiled_function, machine_code
from semidirect.machine.cache.compiled_function import CompiledFunction

TEXT = """
def run(x: f8, out: f8[:]):
    out[0] = {} * x
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


@pytest.fixture
def load(monkeypatch):
    """Load a function as a process that has none yet."""

    def load(text):
        monkeypatch.setattr(CompiledFunction, "_known", {})
        return CompiledFunction.of_text(text, "run", {})

    return load


def value(function, x=1.0):
    out = np.zeros(1)
    function(x, out)
    return out[0]


def test_a_text_is_one_function_and_another_text_another(place, load):
    first = load(TEXT.format(2))
    assert CompiledFunction.of_text(TEXT.format(2), "run", {}) is first
    other = CompiledFunction.of_text(TEXT.format(3), "run", {})
    assert (value(first), value(other)) == (2.0, 3.0)
    assert len(list(place.iterdir())) == 2
    assert all(file.suffix == ".machine" for file in place.iterdir())
    assert not first.from_disk
    assert not other.from_disk
    again = load(TEXT.format(2))
    assert again.from_disk
    assert value(again) == 2.0


def test_the_text_of_what_is_called_is_part_of_the_key(load, place):
    load(TEXT.format(2))
    assert not CompiledFunction.of_text(TEXT.format(2), "run", {}, library="another").from_disk
    assert len(list(place.iterdir())) == 2


@pytest.mark.parametrize("module", [assembler, llvm_text, machine_code, compiled_function])
def test_the_files_that_make_machine_code_are_part_of_the_key(place, load, monkeypatch, module):
    """Another level of optimisation is another text of its file."""
    load(TEXT.format(2))
    read = inspect.getsource
    monkeypatch.setattr(
        inspect, "getsource", lambda m: read(m).replace("speed_level=3", "speed_level=2") + "#" * (m is module)
    )
    compiled_function.compiler.cache_clear()
    try:
        assert not load(TEXT.format(2)).from_disk
        assert len(list(place.iterdir())) == 2
    finally:
        compiled_function.compiler.cache_clear()


def test_a_damaged_file_is_made_again(place, load):
    load(TEXT.format(2))
    (file,) = place.iterdir()
    content = file.read_bytes()
    for damaged in (b"", content[:-1], content[:40], content[:100] + b"x" + content[101:], content + b"x"):
        file.write_bytes(damaged)
        function = load(TEXT.format(2))
        assert value(function) == 2.0
        assert not function.from_disk
        assert load(TEXT.format(2)).from_disk


def test_the_file_of_another_function_is_not_taken(place, load):
    load(TEXT.format(2))
    load(TEXT.format(3))
    one, other = place.iterdir()
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert value(load(TEXT.format(2))) == 2.0
    assert value(load(TEXT.format(3))) == 3.0


def test_without_a_folder_everything_is_compiled_anew(place, load):
    place.write_text("a file in the place of the folder")
    for _ in range(2):
        function = load(TEXT.format(4))
        assert value(function) == 4.0
        assert not function.from_disk
    assert place.read_text() == "a file in the place of the folder"


def test_a_text_that_fails_is_not_kept(place):
    with pytest.raises(NotCompiledError, match="of f8"):
        CompiledFunction.of_text("def run(x: f8, out: f8[:]):\n    out[0] = x | 1\n", "run", {})
    assert not place.exists()


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_texts_do_not_depend_on_hashes():
    """So that all processes share one kernel, and a path has the same bits in each of them."""
    code = """
    import semidirect as sd
    from semidirect.integrators.registry import integrator
    from semidirect.compile.step_function import step_function
    from semidirect.compile.variant import Variant
    for name, method in (("routh-sphere", "lie-midpoint"), ("heavy-top", "heun")):
        function = step_function(sd.load(name).workings.model(), integrator(method), Variant(drawn=True))
        print(function.digest, function.code.program.digest)
    """
    off = {"SEMIDIRECT_CACHE": os.devnull, "HOME": os.devnull}
    outputs = {python(code, PYTHONHASHSEED=seed, **off) for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 4


RUN = """
import json, sys, time
import semidirect as sd
from semidirect.machine.cache.compiled_function import CompiledFunction
started = time.perf_counter()
run = sd.load("rigid-body").simulate(t_end=0.5, dt=0.05, paths=9, method="heun", save="final",
                                     execution=sd.Execution(engine="compiled"))
seconds = time.perf_counter() - started
compiled = [not function.from_disk for function in CompiledFunction._known.values()]
print(json.dumps({"compiled": compiled, "seconds": seconds, "sympy": "sympy" in sys.modules, "M": run["M"].tobytes().hex()}))
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
    assert any(result["compiled"] == [True] for result in results)
    assert any(result["sympy"] for result in results)
    assert not list(tmp_path.glob("*.part"))
    third = json.loads(python(RUN, SEMIDIRECT_CACHE=str(tmp_path)))
    assert third["compiled"] == [False]
    assert not third["sympy"]
    assert third["M"] == results[0]["M"]
    for label, result in (("first", results[0]), ("third", third)):
        record_property(f"rigid body, heun, {label} process", f"{result['seconds']:.2f} s")

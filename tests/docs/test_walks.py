"""The walks on the page "Four walks through the code": their files exist and run, and their doors offer the names."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import semidirect
from semidirect.core import offers

SOURCE = Path(semidirect.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "walks.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^## Walk (\d): [^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
FILE = re.compile(r"`((?:\w+/)*\w+\.py)`")
DOOR = re.compile(r"\(`(\w+)`\s+→\s+`(\w+)`:\s+`(\w+)`\)")

FOLLOWED = """
    import inspect, json, os, sys, threading, warnings
    import semidirect as sd
    warnings.simplefilter("ignore")
    root, entered = os.path.dirname(sd.__file__) + os.sep, set()

    def note(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.startswith(root):
            entered.add(code.co_filename[len(root):].replace(os.sep, "/"))

    threading.settrace(note)  # of calls of functions of Python alone: a profile is told of each return and each call of C
    sys.settrace(note)
"""
OBSERVABLE = """
    class Body(sd.System):
        group, initial = sd.SO3(), {"Omega": (0.1, 1.0, 0.2)}

        def lagrangian(self, xi):
            return sd.ops.dot(xi.Omega, xi.Omega) / 2

        def constraint(self):
            return sd.Unconstrained(noise=[[0.1, 0, 0]])

        @sd.observable(unit="rad/s")
        def spin(self, state):
            return state.Omega[0] + state.Omega[1]

    options = {"t_end": 0.2, "dt": 0.1, "paths": 3, "reduce": "moments"}
    for engine in "numpy", "compiled":
        saved = Body().simulate(save=sd.Save(store=f"{engine}.zarr"), execution=sd.Execution(engine=engine), **options)
        saved["spin"]
    Body().simulate(**options).to_xarray()
    Body().simulate(t_end=0.2, dt=0.1, paths=1000, save=sd.Save("final"))
"""
DATA = """
    from semidirect.cli import main
    with open("data.csv", "w") as file:
        file.write("time,x,y\\n0.1,0.31,0.02\\n0.2,0.4,0.05\\n")
    what = "rolling-disk data.csv --observe x,y --noise 0.05 --dt 0.1 --particles 50 --update"
    sys.stdout, real = sys.stderr, sys.stdout
    main(f"filter {what} particles".split())
    main(f"fit {what} extended-kalman --over mass --replicates 1".split())
    sys.stdout = real
"""


@pytest.mark.parametrize("walk", WALKS)
def test_the_files_of_a_walk_exist(walk):
    files = FILE.findall(WALKS[walk])
    assert len(files) > 5
    assert [file for file in files if not (SOURCE / file).exists()] == []


@pytest.mark.parametrize("walk", "34")
def test_doors_of_a_walk_are_those_that_are_passed(walk):
    """A file of the package on the left imports the name from the package on the right, which offers it."""
    doors = DOOR.findall(WALKS[walk])
    assert len(doors) > 5
    assert WALKS[walk].count("→") - WALKS[walk].count('"→"') == len(doors)
    for one, other, name in doors:
        assert name in offers(f"semidirect.{other}"), (other, name)
        of_left = [SOURCE / f"{one}.py"] if (SOURCE / f"{one}.py").exists() else (SOURCE / one).rglob("*.py")
        text = "\n".join(file.read_text(encoding="utf-8") for file in of_left)
        imports = re.findall(rf"from semidirect\.{other} import (\([^)]*\)|[^\n]*)", text)
        assert any(re.search(rf"\b{name}\b", line) for line in imports) or f'"semidirect.{other}:{name}"' in text, (
            one,
            name,
        )


@pytest.mark.parametrize(("walk", "code"), [("3", OBSERVABLE), ("4", DATA)], ids=["observable", "data"])
def test_each_file_of_a_walk_runs(walk, code, tmp_path):
    """In a process with a cache of its own, where nothing is known."""
    script = tmp_path / "followed.py"
    end = "\nsys.settrace(None)\nthreading.settrace(None)\nprint(json.dumps(sorted(entered)))\n"
    script.write_text(textwrap.dedent(FOLLOWED) + textwrap.dedent(code) + end, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "SEMIDIRECT_CACHE": str(tmp_path / "cache")})  # fmt: skip
    assert done.returncode == 0, done.stderr
    entered = set(json.loads(done.stdout))
    text = WALKS[walk].partition("\nProofs take")[0]
    with_code = [file for file in FILE.findall(text) if "def " in (SOURCE / file).read_text(encoding="utf-8")]
    assert [file for file in with_code if file not in entered] == []

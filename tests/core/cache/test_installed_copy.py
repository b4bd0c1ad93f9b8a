"""Processes that use a copy of the package, whose files are edited in between."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import semidirect

SCRIPT = """
import hashlib, json, sys
import semidirect as sd
from semidirect.definition import Identity

class Braked(sd.System):
    group = sd.RealSpace(1)
    initial = {"v": 1.0}
    a = sd.parameter(0.8)

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def force(self, xi):
        return (-self.a * xi.v,)

    @sd.observable()
    def twice(self, state):
        return 2 * state.v

counts, compute = [], Identity.of
Identity.of = lambda system: counts.append(1) or compute(system)
run = Braked().simulate(t_end=0.3, dt=0.1, execution=sd.Execution(engine="compiled"))
values = [float(x).hex() for name in ("v", "twice", "energy") for x in run[name].ravel()]
print(json.dumps({"at": sd.__file__, "derived": "sympy" in sys.modules, "identities": len(counts), "values": values}))
"""


def test_equations_are_derived_again_after_an_edit_of_what_they_depend_on_and_of_nothing_else(tmp_path):
    copy = tmp_path / "semidirect"
    shutil.copytree(Path(semidirect.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "braked.py").write_text(SCRIPT)

    def process():
        places = {"PYTHONPATH": str(tmp_path), "SEMIDIRECT_CACHE": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, tmp_path / "braked.py"], env={**os.environ, **places}, check=True,
                              capture_output=True, text=True)  # fmt: skip
        result = json.loads(done.stdout)
        assert Path(result.pop("at")).parent == copy
        return result

    def edit(*files):
        for file in files:
            with (copy / file).open("a", encoding="utf-8") as text:
                text.write("\n# a comment\n")

    first = process()
    assert first["derived"]
    # at first, after each of two derivations, and once for all that a stage of the run writes; 13 if each text is written alone
    assert first["identities"] <= 7
    edit("view/page.py", "inference/filter.py", "cli/entry.py")
    assert process() == {**first, "derived": False, "identities": 1}
    edit("equations/motion.py")
    assert process() == first

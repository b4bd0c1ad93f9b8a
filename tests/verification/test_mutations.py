"""Changing a number in a method is noticed: a sample of each module; the record is of all numbers of these modules."""

import ast
import json
import sys

import checks
import mutation_section
import mutations
import numpy as np
import pytest
from mutants import FOLDER, concerned, imported, mutants, mutated
from survivors import SAME, SURVIVORS

import semidirect.integrators
from semidirect.integrators import integrator

FOUND = json.loads(mutations.FOUND.read_text(encoding="utf-8"))
SURVIVE = {(name, s["line"], s["before"]) for name, f in FOUND.items() for s in f["survivors"]}
SAMPLE = {"sra1.py": 9, "sdelab.py": 8, "lie.py": 6, "lie_milstein.py": 1, "rk4.py": 1, "stages.py": 3, "weak_runge_kutta.py": 50,
          "tableau.py": 60, "tangent.py": 12, "runge_kutta.py": 4, "discrete_mechanics.py": 24}  # fmt: skip
"""Of how many numbers one is changed; the others, and those of lines with a survivor, are left to the script."""


@pytest.mark.parametrize("name", SAMPLE)
def test_changed_numbers_are_noticed(name):
    tried = mutations.pairs(concerned(name, mutations.labels()))
    chosen = [m for m in mutants(FOLDER / name)[:: SAMPLE[name]] if (name, m.text, repr(m.before)) not in SURVIVE]
    assert chosen
    for mutant in chosen:
        assert mutations.judge(mutant, tried).killed, mutant


def test_the_record_is_of_these_modules():
    """`python tests/verification/mutations.py` writes it again; every survivor has its reason, and every reason a survivor."""
    numbers = {f.name: len(mutants(f)) for f in FOLDER.glob("*.py") if concerned(f.name, mutations.labels())}
    assert {n: f["mutants"] for n, f in FOUND.items()} == {n: k for n, k in numbers.items() if k}
    met = set()
    for name, f in FOUND.items():
        assert f["killed"] + len(f["survivors"]) == f["mutants"]
        assert sum(f["by"].values()) == f["killed"]
        for s in f["survivors"]:
            known = [
                k
                for k in SURVIVORS
                if k.is_that(name, s["function"], s["line"], ast.literal_eval(s["before"]), s["how"])
            ]
            assert [k.why for k in known] == [s["why"]], s
            met.update(known)
    assert met == set(SURVIVORS)


def test_the_section_counts_what_was_found():
    text = mutation_section.section(FOUND)
    total, killed = (sum(f[k] for f in FOUND.values()) for k in ("mutants", "killed"))
    assert f"**{killed} of {total} are noticed.**" in text
    one = {"a.py": {"mutants": 2, "killed": 0, "by": {}, "survivors": [
        {"function": "f", "line": "x", "before": "1", "after": "2", "how": SAME, "why": ""}] * 2}}  # fmt: skip
    assert "2 survive for no known reason" in mutation_section.section(one)
    assert "- `a.py`, `f`, 1 → 2 (2 times): not known." in mutation_section.section(one)


@pytest.mark.parametrize("label", ["heun", "sdelab(0.5)", "euler-maruyama", "milstein", "rs2", "nonholonomic"])
def test_the_methods_themselves_pass(label):
    for check, _ in mutations.pairs([label]):
        assert np.all(np.isfinite(checks.healthy(check, label)))  # it raises an error where a method does not pass


def test_literals_are_those_of_steps(tmp_path):
    source = tmp_path / "some.py"
    source.write_text(
        '"""Text 1."""\nWEIGHTS = (0.5, 20)\nORDERS = MappingProxyType({"single": 1.0})\nMOST = 6\n\n\n'
        "def public(x):\n    if not x:\n        raise ValueError(f'{x + 5}')\n    return 3 * WEIGHTS\n\n\n"
        "class A:\n    order = 4\n    tableau = of(1)\n\n    def __post_init__(self):\n        assert self.order < MOST\n\n"
        '    def step(self):\n        """Half: 0.5."""\n        return 0.25 * self._part() + 0.0\n\n'
        "    @property\n    def label(self):\n        return 7\n\n    def _part(self):\n        return True\n"
    )
    found = mutants(source)
    assert [(m.function, m.before, m.after) for m in found] == [
        ("WEIGHTS", 0.5, 0.6), ("WEIGHTS", 20, 24), ("public", 3, 4), ("A.tableau", 1, 2), ("A.step", 0.25, 0.3),
        ("A.step", 0.0, 0.25),
    ]  # fmt: skip
    changed = ast.unparse(found[4].tree)
    assert "0.3 * self._part() + 0.0" in changed
    assert "WEIGHTS = (0.5, 20)" in changed


def test_which_methods_a_file_concerns():
    assert imported("sra1") == {"sra1", "method", "stages"}
    assert concerned("gauss.py", mutations.labels()) == ["gauss(2)", "gauss(3)", "lift(gauss(2))"]
    assert concerned("registry.py", mutations.labels()) == []
    assert concerned("method.py", mutations.labels()) == mutations.labels()


def test_the_package_comes_back():
    before = {n: m for n, m in sys.modules.items() if n.startswith("semidirect")}
    mutant = mutants(FOLDER / "tableau.py")[0]
    with mutated(mutant) as fresh:
        changed = fresh("lift(heun)")
    assert changed.tableau.drift[0][0] == 0.25
    assert integrator("heun").tableau.drift[0][0] == 0
    assert {n: m for n, m in sys.modules.items() if n.startswith("semidirect")} == before
    assert sys.modules["semidirect"].integrators is semidirect.integrators

"""Changing a number in a step is noticed: all of the methods with one or two stages, and a sample of coefficients."""

import ast

import mutations
import pytest


@pytest.mark.parametrize("name", ["heun.py", "sdelab.py", "implicit_midpoint.py", "lie.py"])
def test_every_changed_number_is_noticed(name):
    killed, survivors = mutations.run([mutations.FOLDER / name])
    assert killed >= 2
    assert [str(m) for m, _ in survivors if m.key not in mutations.EXPLAINED] == []


def test_the_methods_themselves_pass():
    for label in ("heun", "sdelab(0.5)", "lie-midpoint", "euler-maruyama", "milstein", "rs2"):
        assert mutations.complaint(mutations.integrator(label), label) == ""


def test_literals_are_those_of_steps(tmp_path):
    source = tmp_path / "some.py"
    source.write_text(
        '"""Text 1."""\nWEIGHTS = (0.5, 2)\n\n\ndef public():\n    return 3\n\n\nclass A:\n    order = 4\n\n'
        '    def step(self):\n        """Half: 0.5."""\n        return 0.25 * self._part() + 0.0\n\n'
        "    def _part(self):\n        return 6\n"
    )
    found = list(mutations.mutants(source))
    assert [(m.function, m.before, m.after) for m in found] == [
        ("WEIGHTS", 0.5, 0.6), ("WEIGHTS", 2, 3), ("A.step", 0.0, 0.25), ("A.step", 0.25, 0.3), ("A._part", 6, 7),
    ]  # fmt: skip
    changed = ast.unparse(found[3].tree)
    assert "0.3 * self._part() + 0.0" in changed
    assert "WEIGHTS = (0.5, 2)" in changed
    assert list(mutations.mutants(mutations.FOLDER / "registry.py")) == []

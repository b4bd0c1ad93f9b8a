"""``semidirect check`` and ``semidirect new``."""

import pytest

from semidirect.scaffold import Choices, package

FAULTY = '''
import semidirect as sd
from semidirect import ops


class Faulty(sd.System):
    """A body of which somebody says that it keeps its energy."""

    noise = sd.parameter([[0.1, 0.0, 0.0]], shape=(None, 3))
    group = sd.SO3()
    initial = {"Omega": (1.0, 0.5, -0.3)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia((1.0, 2.0, 3.0), xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(self.noise)

    @sd.observable(status="exact")
    def energy(self, state):
        return self.lagrangian(state)
'''


def test_check(semidirect):
    done = semidirect("check", "rigid-body", "--quick")
    assert (done.code, done.err) == (0, "")
    assert "ok              energy law" in done.out
    assert "not applicable  contact" in done.out
    assert "failed" not in done.out
    assert "compiled bits" not in done.out


def test_a_failure_has_exit_code_1_and_says_what_to_look_at(semidirect, tmp_path, monkeypatch):
    (tmp_path / "faulty_body.py").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    done = semidirect("check", "faulty_body:Faulty", "--quick")
    assert (done.code, done.err) == (1, "")
    assert "failed          declared statuses" in done.out
    assert "→ energy: the status" in done.out
    found = semidirect("check", "faulty_body:Faulty", "--quick", "--format", "json")
    assert found.code == 1
    assert found.json["good"] is False
    failed = {n: c for n, c in found.json["checks"].items() if c["status"] == "failed"}
    assert list(failed) == ["declared statuses"]
    assert "noise1: not conserved" in failed["declared statuses"]["figure"]
    assert semidirect("check", "faulty_body:Faulty", "--quick", "--set", "noise=[]").code == 0


OWN = """
import semidirect as sd
from semidirect import ops

class Body(sd.System):
    mass = sd.parameter(1.0, unit="kg", positive=True)
    group = sd.SO3()

    def lagrangian(self, xi):
        return self.mass * ops.dot(xi.Omega, xi.Omega) / 2

class Wrong(Body):
    def lagrangian(self, xi):
        return self.mass * xi.Omega[3]
"""


def test_a_class_of_a_module_in_this_folder_is_a_name_everywhere(semidirect, tmp_path, monkeypatch):
    (tmp_path / "own_body.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["show"],
        ["equations"],
        ["evaluate", "--set", "mass=2"],
        ["run", "--t-end", "0.1", "--dt", "0.05"],
    ):
        done = semidirect(arguments[0], "own_body:Body", *arguments[1:])
        assert (done.code, done.err) == (0, "")
        assert "Omega" in done.out or "Ω" in done.out
    wrong = semidirect("equations", "own_body:Wrong")
    assert (wrong.code, wrong.out) == (2, "")
    assert "unexpected IndexError: index 3 is out of bounds" in wrong.err
    assert "at line 14 of own_body.py, lagrangian: return self.mass * xi.Omega[3]. More with --debug." in wrong.err


def test_what_cannot_be_checked_has_exit_code_2(semidirect):
    for name, message in (
        ("rigid-boy", "Did you mean 'rigid-body'?"),
        ("math:pi", "expected a System subclass or a Preset"),
        ("no_such_module:Top", "cannot be imported"),
    ):
        done = semidirect("check", name)
        assert done.code == 2
        assert message in done.err


def test_new(semidirect, tmp_path):
    folder = tmp_path / "top"
    done = semidirect("new", "my-top", "--advected", "gamma", "-o", folder)
    assert (done.code, done.err) == (0, "")
    assert {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} == set(
        package(Choices("my-top", advected="gamma"))
    )
    assert "semidirect check my-top" in done.out
    again = semidirect("new", "my-top", "-o", folder)
    assert again.code == 2
    assert "exists already" in again.err
    assert "is installed already" in semidirect("new", "rigid-body", "-o", tmp_path / "body").err
    refused = semidirect("new", "my-top", "--noise", "state", "-o", tmp_path / "other")
    assert refused.code == 2
    assert "needs something advected" in refused.err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", ["numpy", "typing-extensions", "semidirect", "json", "yaml", "hypothesis"])
def test_new_refuses_a_name_that_would_replace_what_is_installed(semidirect, tmp_path, name):
    """A distribution of that name, however it is spelled, a module of another distribution or of Python."""
    done = semidirect("new", name, "-o", tmp_path / "folder")
    assert done.code == 2
    assert "is installed already, which a plugin of this name would replace" in done.err
    assert not (tmp_path / "folder").exists()


LINE = """
import semidirect as sd

class Line(sd.System):
    group = sd.RealSpace(2, coordinates=("x", "y"))
    initial = {"u": 1.0}

    def lagrangian(self, xi):
        return (xi.v[0] ** 2 + xi.v[1] ** 2) / 2

    def constraint(self):
        return sd.DistributionConstraint([[1], [2]])
"""


def test_a_warning_is_no_failure(semidirect, tmp_path, monkeypatch):
    (tmp_path / "line_system.py").write_text(LINE)
    monkeypatch.chdir(tmp_path)
    done = semidirect("check", "line_system:Line", "--quick")
    assert done.code == 0
    assert "warning         holonomic" in done.out

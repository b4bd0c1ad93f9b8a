"""``semidirect check``: right systems pass, and each fault is named by the check that is made for it."""

import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from wrong_systems import FAULTS, HolonomicInDisguise, Kink, Right, RightBall

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.definition.plugins.system_names import resolve
from semidirect.equations import HamiltonPontryagin, emission
from semidirect.equations.emission import numerical_function
from semidirect.laws import LAWS, check
from semidirect.testing.laws.reach import reach
from semidirect.testing.laws.subject import Subject
from semidirect.testing.laws.system_variants import variants

NEEDED = {"made", "algebra", "names", "inertia", "solvable", "derivation", "derivatives of l", "symbols and numbers",
          "principles", "energy law", "noise", "recommended state", "printed equations", "reconstruction"}  # fmt: skip
"""What applies to every system."""


@pytest.fixture(autouse=True)
def _faulty_numbers_are_allowed():
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize(
    ("fault", "name", "text"), [(k, *v) for k, v in FAULTS.items()], ids=lambda x: getattr(x, "__name__", "")
)
def test_a_fault_is_named(fault, name, text, monkeypatch):
    """The first law that fails is the one made for it; those after it, which may follow from it, are not tried here."""
    until = 1 + [one.name for one in LAWS].index(name)
    monkeypatch.setattr(sys.modules[check.__module__], "LAWS", LAWS[:until])
    report = check(fault, quick=fault is not Kink)
    assert report.failures == (name,)
    assert report[name].status == "failed"
    assert re.search(text, report[name].figure)
    assert report[name].look_at
    assert not report.good


@pytest.mark.parametrize(
    "fault", [f for f in FAULTS if f.__name__ in ("InvertedAction", "DependentNumbers", "WrongInitialName")]
)
def test_what_follows_from_a_fault_comes_after_it_and_is_readable(fault):
    report = check(fault, quick=True)
    assert report.failures[0] == FAULTS[fault][0]
    assert len(report.failures) > 3
    assert not any(re.search(r"\b\w; \w; ", report[later].figure) for later in report.failures), "a text as a list"


class Upright(sd.System):
    """A plane body that may not turn: two directions that commute."""

    group = sd.SE2(blocks=("nu", "v"))
    initial = {"along": 1.0, "across": 0.5}

    def lagrangian(self, xi):
        return (ops.dot(xi.v, xi.v) + xi.nu**2) / 2

    def constraint(self):
        return sd.DistributionConstraint([[0, 0], [1, 0], [0, 1]], names=("along", "across"), noise=[[0, 1, 0]])


class AboutTheVertical(RightBall):
    """A ball held at its centre: it turns, which is a subgroup, and advects Γ."""

    initial = {"Omega": (1.0, 0.5, 0.2), "Gamma": (0.0, 0.6, 0.8)}

    def constraint(self):
        return sd.Rolling([0, 0, 0])


@pytest.mark.parametrize("system", [HolonomicInDisguise, Upright, AboutTheVertical])
def test_a_constraint_that_is_holonomic_in_disguise_is_a_warning(system):
    """Its reaction may be wanted: nothing fails, and what follows is checked."""
    report = check(system, quick=True)
    assert "holonomic" in report.warnings, str(report)
    assert "in disguise" in report["holonomic"].figure
    assert "missing direction" in report["holonomic"].look_at
    assert "holonomic" not in report.failures
    assert system is AboutTheVertical or report.good, str(report)
    assert " 1 warning" in str(report)
    assert report.described()["checks"]["holonomic"]["status"] == "warning"


@pytest.mark.parametrize("system", [Right, RightBall])
def test_a_right_system_passes(system):
    report = check(system, quick=True)
    assert report.good, str(report)
    statuses = {f.check: f.outcome.status for f in report.findings}
    assert {n for n, s in statuses.items() if s == "ok"} >= NEEDED
    assert report.warnings == ()
    assert not any(f.outcome.look_at for f in report.findings)
    assert statuses["contact"] == ("ok" if system is RightBall else "not applicable")
    assert statuses["declared statuses"] == ("ok" if system is Right else "not applicable")


class Placed(Right):
    """Parameters of which each has one effect beside the equations, and options that matter with further noises only."""

    height = sd.parameter(0.4)
    size = sd.parameter(0.2)
    first = sd.parameter(0.3)
    scale = sd.parameter(2.0)
    shaking = sd.parameter((), shape=(None,))
    kind = sd.option("body", choices=("body", "vertical"))
    spin = sd.option(True)

    def initial(self):
        return {"Omega": (float(np.max(sd.by_path(self.first))), 0.2, 0.3 if self.spin else 0.0), "Gamma": (0, 0, 1)}

    def shape(self):
        return sd.shapes.Shape(sd.shapes.ball(self.size))

    def constraint(self):
        fields = [[c, 0, 0] if self.kind == "body" else [0, 0, c] for c in self.shaking]
        return sd.Unconstrained([*self.noise, *fields])

    def internal(self):
        return [sd.InternalState("q", [self.scale], lambda z: [-z.q])]

    @sd.observable()
    def level(self, state):
        return self.height - state.Gamma[2]


@pytest.mark.filterwarnings("ignore")
def test_an_effect_beside_the_equations_counts():
    """On observables, the start, the shape and internal states; options may matter for other shapes of parameters."""
    assert check(Placed, quick=True)["parameters and options"].status == "ok"


def test_an_empty_parameter_counts_where_constraints_are_joined():
    """They are joined at numbers, and what is read is found with symbols."""
    subject = Subject(type(sd.load("differential-drive")), {}, 0)
    assert subject.system.values["slip"].size == 0
    assert reach(subject).status == "ok"


def test_variants_of_one_structure_are_compiled_once_and_equations_are_derived_once(monkeypatch):
    """Right has 2 structures with other shapes and 12 variants: 3 functions of numbers for each structure."""
    compiled, subject = [], Subject.of(Right())
    monkeypatch.setattr(emission, "numerical_function", lambda *a: compiled.append(a) or numerical_function(*a))
    laws = {one.name: one for one in LAWS}
    assert laws["symbols and numbers"].outcome(subject).status == "ok"
    of_structures = {system.workings.signature for system in variants(subject.system).values()}
    assert len(compiled) == 3 * len(of_structures) < 3 * len(variants(subject.system))
    monkeypatch.setattr(HamiltonPontryagin, "equations", None)  # nothing is derived again
    assert laws["parameters and options"].outcome(subject).status == "ok"


def test_the_slow_checks():
    report = check(Right)
    assert [f.check for f in report.findings] == [c.name for c in LAWS]
    assert report["orders"].status == report["compiled bits"].status == "ok"
    heun, rk4 = map(float, re.fullmatch(r"heun (\S+) of 2, rk4 (\S+) of 4", report["orders"].figure).groups())
    assert abs(heun - 2) < 0.25
    assert abs(rk4 - 4) < 0.25


def test_a_report_depends_on_its_seed_only():
    def told(seed):
        return {f.check: f.outcome for f in check(HolonomicInDisguise, quick=True, seed=seed).findings}

    def states(seed):
        subject = Subject(Right, {}, seed)
        return list(subject.source.exact("purpose", subject.definition))

    assert told(3) == told(3)
    assert states(3) == states(3)
    assert states(3) != states(4)


def test_choices_go_to_the_system():
    assert check(Right, quick=True, noise=(), offset=0.0)["noise"].status == "not applicable"
    assert check(Right, quick=True, offset=-1.0).failures == ("made",)


def test_resolve(tmp_path, monkeypatch):
    assert resolve("rigid-body") is sd.plugins.load("rigid-body")
    assert resolve("semidirect_rigid_body:RigidBody") is sd.plugins.load("rigid-body")
    (tmp_path / "of_this_folder.py").write_text("from semidirect_rigid_body import RigidBody\nnumber = 3\n")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert resolve("of_this_folder:RigidBody") is sd.plugins.load("rigid-body")
    assert sys.path == before
    with pytest.raises(InputError, match="expected a System subclass or a Preset, got 3"):
        resolve("of_this_folder:number")
    with pytest.raises(InputError, match="no_such_module:Top cannot be imported"):
        resolve("no_such_module:Top")
    with pytest.raises(
        UnknownNameError, match=r"unknown system of of_this_folder 'RigidBoy'\. Did you mean 'RigidBody'"
    ):
        resolve("of_this_folder:RigidBoy")
    for name in ("of_this_folder.py", "of_this_folder.py:RigidBody"):
        with pytest.raises(InputError, match=r"expected module:Class, without \.py"):
            resolve(name)
    for name in ("rigid-boy", "no such:thing"):
        with pytest.raises(UnknownNameError, match="unknown system"):
            resolve(name)


def test_check_needs_neither_pytest_nor_hypothesis():
    source = """
        import sys
        from semidirect.laws import check
        assert check("rigid-body", quick=True).good
        assert not {"pytest", "hypothesis", "_pytest"} & set(sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_check_that_breaks_on_a_wrong_shape_says_which_shape_is_wrong():
    class OneCovector(sd.System):
        group = sd.SO3()
        advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}

        def lagrangian(self, xi):
            return ops.dot(xi.Omega, xi.Omega) / 2

        def constraint(self):
            return sd.CovectorConstraint(lambda a: a.Gamma)

    report = check(OneCovector, quick=True)
    for name in ("rank of the constraint", "derivation"):
        assert report[name].status == "failed"
        assert "covectors A of a constraint has the wrong shape: expected (any, 3), got (3,)" in report[name].figure


def test_a_failure_names_the_users_line():
    class Misspelt(sd.System):
        mass = sd.parameter(1.0)
        group = sd.SO3()

        def lagrangian(self, xi):
            return self.mas * ops.dot(xi.Omega, xi.Omega) / 2

    found = check(Misspelt, quick=True)["derivation"]
    assert "no attribute 'mas'" in found.figure
    assert "of test_checking.py, lagrangian: return self.mas * ops.dot(xi.Omega, xi.Omega) / 2" in found.look_at

"""Packages that ``semidirect new`` writes install, are listed, checked, run, and pass their own tests without edits.

Here each choice is tried in some package, two of them after an installation into an empty folder. All 252 packages are tried by
``python tests/scaffold/every_choice.py``.
"""

import json
import os
import subprocess
import sys
import tomllib

import pytest
from every_choice import every_choice, tried
from packaging.requirements import Requirement

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.scaffold import Choices, package, write

COVERING = [
    Choices("a-body", "so3", "none", "none", "constant"),
    Choices("a-suslov-body", "so3", "gamma", "affine", "state"),
    Choices("a-rolling-ball", "se3", "gamma", "basis", "constant"),
    Choices("a-ball-on-a-table", "se3", "gamma-and-point", "affine", "none"),
    Choices("an-arrow", "se3", "point", "covector", "force"),
    Choices("a-sleigh", "se2", "gamma-and-point", "basis", "volatility"),
    Choices("a-wheel", "so2", "gamma", "none", "state"),
    Choices("a-heisenberg-particle", "heisenberg", "point", "covector", "force"),
    Choices("a-particle", "r3", "point", "basis", "constant"),
]


def test_every_choice_is_tried_here():
    assert {c.group for c in COVERING} == set(Choices.GROUPS)
    assert {c.advected for c in COVERING} == set(Choices.ADVECTED)
    assert {c.constraint for c in COVERING} == set(Choices.CONSTRAINTS)
    assert {c.noise for c in COVERING} == set(Choices.NOISES)


@pytest.mark.parametrize("choices", COVERING, ids=lambda c: c.name)
def test_a_package_passes_the_check_and_its_own_facts(choices, tmp_path):
    report = tried(choices, tmp_path / "package")
    assert report.good, str(report)


def test_a_package_requires_the_version_that_writes_it():
    """Also a release candidate, which pip takes only where it is named; the last release lacks what the package uses."""
    (required,) = tomllib.loads(package(COVERING[0])["pyproject.toml"])["project"]["dependencies"]
    assert Requirement(required).specifier.contains(sd.__version__)
    assert not Requirement(required).specifier.contains("0.1.0")


def test_incompatible_choices_raise_errors_with_the_reason():
    made, refused = every_choice()
    assert (len(made), len(refused)) == (252, 228)
    reasons = {
        ("r3", "gamma", "none", "none"): "nothing turns in r3",
        ("so3", "point", "none", "none"): "so3 has no positions",
        ("so2", "none", "basis", "none"): "so2 has one velocity",
        ("r3", "none", "basis", "none"): "constant coefficients on r3 is holonomic",
        ("se3", "gamma", "affine", "none"): "depends on the place",
        ("so3", "none", "none", "state"): "needs something advected",
    }
    for choice, reason in reasons.items():
        with pytest.raises(InputError, match=f"do not go together: .*{reason}") as caught:
            Choices("a-body", *choice)
        assert caught.value.hint


def test_a_holonomic_constraint_is_a_warning_of_the_check():
    """What ``new`` refuses on r3, the check finds."""
    import semidirect as sd
    from semidirect.laws import check

    class Plane(sd.System):
        group = sd.RealSpace(3)
        initial = {"u": (0.8, 0.6)}

        def lagrangian(self, xi):
            return sd.ops.dot(xi.v, xi.v) / 2

        def constraint(self):
            return sd.DistributionConstraint([[1, 0], [0, 1], [0, 0]], {"u": 2})

    report = check(Plane, quick=True)
    assert report.good
    assert report.warnings == ("holonomic",)


@pytest.mark.parametrize("name", ["My-Top", "my_top", "1st-top", "my--top", "", "class", "top-"])
def test_invalid_names_raise_errors(name):
    with pytest.raises(InputError, match="the name of a system: expected lower-case words"):
        Choices(name)


def test_unknown_choices():
    with pytest.raises(UnknownNameError, match=r"unknown group 'so4'\. Did you mean 'so3'"):
        Choices("my-top", "so4")


class Installed:
    """Packages installed by pip into an empty folder, without a network, and what runs with them."""

    def __init__(self, folder):
        self.folder, self.site = folder, folder / "site"

    def install(self, *projects):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        options = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(self.site)]
        subprocess.run([*pip, *options, *map(str, projects)], check=True)

    def python(self, *arguments):
        path = os.pathsep.join([str(self.site), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
        )

    def semidirect(self, *lines):
        """What command lines print, one after the other in one process that ends at the first that fails."""
        call = "import sys; from semidirect.cli.entry import main\nfor line in sys.argv[1:]: main(line.split()) and sys.exit(1)"
        done = self.python("-c", call, *lines)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def several_json(text):
    """Documents of JSON that stand one after the other."""
    found, read = [], json.JSONDecoder().raw_decode
    while text := text.lstrip():
        document, end = read(text)
        found.append(document)
        text = text[end:]
    return found


def test_installed_packages_work_without_edits(tmp_path):
    """List, check and run them; one checks itself by its own tests, with pytest, which knows no configuration of ours."""
    environment = Installed(tmp_path)
    packages = [Choices("my-top", "so3", "gamma", "none", "state"), Choices("my-sleigh", "se2", "none", "covector")]
    projects = [tmp_path / f"project-of-{c.name}" for c in packages]
    for choices, project in zip(packages, projects, strict=True):
        write(choices, project)
    environment.install(*projects)
    names = [c.name for c in packages]
    assert all((environment.site / c.module).is_dir() for c in packages)
    steps = "--t-end 0.5 --dt 0.0625 --paths 3 --format json"
    commands = [f"check {names[1]} --quick --format json", *(f"run {name} {steps}" for name in names)]
    listed, check, *runs = several_json(environment.semidirect("list --format json", *commands))
    assert set(names) <= {system["name"] for system in listed}
    assert check["good"]
    assert [run["failures"] for run in runs] == [0, 0]
    tests = environment.python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(projects[0] / "tests"))
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert " passed" in tests.stdout

"""Plugins as third parties ship them: packages installed by pip into an environment of their own."""

import json
import os
import subprocess
import sys
import sysconfig
import textwrap
import tomllib
import venv
from pathlib import Path

import pytest

import semidirect as sd
from semidirect import plugins
from semidirect.core import registry
from semidirect.core.errors import DefinitionError, InputError, PluginWarning, UnknownNameError
from semidirect.definition.parameters import option, parameter
from semidirect.definition.preset import Preset
from semidirect.system import System

ROOT = Path(__file__).parents[1]
BUILT_IN = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["semidirect.systems"])

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{distribution}"
version = "1.0"

[project.entry-points."semidirect.systems"]
{entries}

[tool.hatch.build.targets.wheel]
include = ["{module}.py"]
"""

SPINNING_BODY = '''
import semidirect as sd
from semidirect import ops


class SpinningBody(sd.System):
    """A free rigid body that somebody else ships."""

    inertia = sd.parameter((1.0, 2.0, 3.0), unit="kg m²", doc="principal moments", positive=True)
    noise = sd.parameter([[0.0, 0.0, 0.1]], unit="rad/√s", doc="one row per noise", shape=(None, 3))

    group = sd.SO3()
    initial = {"Omega": (1.0, 0.5, -0.3)}

    def lagrangian(self, xi):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)

    @sd.observable(unit="J", status="random")
    def energy(self, state):
        return self.lagrangian(state)


slow_body = sd.definition.Preset(SpinningBody, {"inertia": (10.0, 20.0, 30.0)}, "The same, ten times heavier.")
'''

BODY = ("acme-tops", 'acme-body = "acme_tops:SpinningBody"\nacme-slow-body = "acme_tops:slow_body"', SPINNING_BODY)
BROKEN = ("broken-tops", 'broken-top = "broken_tops:Top"', "raise ImportError('no such library')\n")
WRONG = ("wrong-tops", 'wrong-top = "wrong_tops:Top"', "Top = 42\n")
TWINS = [
    (name, f'twin-top = "{name.replace("-", "_")}:SpinningBody"', SPINNING_BODY) for name in ("left-tops", "right-tops")
]


class Environment:
    """A virtual environment that sees what this one has, and into which pip installs plugins."""

    def __init__(self, folder):
        venv.create(folder, with_pip=False)
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.folder = folder
        self.python = folder / scripts / ("python.exe" if os.name == "nt" else "python")
        site = self.run("import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
        parents = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        lines = "".join(f"import site; site.addsitedir({parent!r})\n" for parent in sorted(parents))
        with open(os.path.join(site, "parent.pth"), "w") as file:
            file.write(lines)

    def install(self, *plugins):
        folders = [self.folder / "sources" / distribution for distribution, _, _ in plugins]
        for folder, (distribution, entries, source) in zip(folders, plugins, strict=True):
            folder.mkdir(parents=True)
            module = distribution.replace("-", "_")
            project = PYPROJECT.format(distribution=distribution, entries=entries, module=module)
            (folder / "pyproject.toml").write_text(project)
            (folder / f"{module}.py").write_text(source, encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check", "install"]
        options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*pip, *options, *map(str, folders)], check=True)

    def run(self, source, *arguments):
        command = [str(self.python), "-c", textwrap.dedent(source), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def semidirect(self, *arguments):
        return self.run("import sys; from semidirect.cli.main import main; sys.exit(main())", *arguments)


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    environment = Environment(tmp_path_factory.mktemp("healthy"))
    environment.install(BODY)
    return environment


@pytest.fixture(scope="module")
def troubled(tmp_path_factory):
    environment = Environment(tmp_path_factory.mktemp("troubled"))
    environment.install(BODY, BROKEN, WRONG, *TWINS)
    return environment


def test_the_built_in_systems_are_installed_plugins():
    found = plugins.available()
    assert set(found) >= BUILT_IN
    assert {found[name].distribution for name in BUILT_IN} == {"semidirect"}
    for name in BUILT_IN:
        assert isinstance(plugins.load(name)(), System)
        assert isinstance(sd.load(name), System)


def test_an_installed_plugin_is_listed(healthy):
    done = healthy.semidirect("list")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for name in BUILT_IN | {"acme-body", "acme-slow-body"}:
        assert name in done.stdout


@pytest.mark.parametrize(("name", "moments"), [("acme-body", (1, 2, 3)), ("acme-slow-body", (10, 20, 30))])
def test_an_installed_plugin_runs(healthy, name, moments):
    steps = ["--paths", "3", "--dt", "0.01", "--t-end", "0.5", "--method", "dop853", "--set", "noise=[]"]
    done = healthy.semidirect("run", name, *steps, "--format", "json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["paths"], result["steps"], result["failures"]) == (3, 50, 0)
    energy = sum(i * w**2 for i, w in zip(moments, (1.0, 0.5, -0.3), strict=True)) / 2
    assert result["final"]["energy"]["mean"] == pytest.approx(energy, rel=1e-9)  # the tolerance of dop853 is 1e-12


def test_listing_imports_no_plugin(troubled):
    done = troubled.run("""
        import sys, warnings
        from semidirect import plugins
        warnings.simplefilter("ignore")
        found = plugins.available()
        assert {"acme-body", "broken-top", "wrong-top"} < set(found)
        assert not {"acme_tops", "broken_tops", "wrong_tops", "left_tops"} & set(sys.modules)
        assert (found["acme-body"].distribution, found["acme-body"].value) == ("acme-tops", "acme_tops:SpinningBody")
    """)
    assert done.returncode == 0, done.stderr


def test_a_broken_plugin_warns_and_leaves_the_rest_working(troubled):
    done = troubled.semidirect("list")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    for name in BUILT_IN | {"acme-body", "acme-slow-body"}:
        assert name in done.stdout
    for owner in ("broken-tops", "no such library", "wrong-tops"):
        assert owner in done.stderr
    done = troubled.semidirect("run", "acme-body", "--dt", "0.1", "--t-end", "0.2", "--format", "json")
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line != "semidirect: importing acme-tops:acme-body"]
    assert not warnings  # that line comes where an import takes more than a second


@pytest.mark.parametrize(("name", "cause"), [("broken-top", "no such library"), ("wrong-top", "42")])
def test_asking_for_a_broken_plugin_says_why(troubled, name, cause):
    done = troubled.semidirect("show", name)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert name in done.stderr
    assert cause in done.stderr


def test_two_plugins_with_one_name_are_reported(troubled):
    done = troubled.semidirect("list")
    for name in ("left-tops:twin-top", "right-tops:twin-top"):
        assert name in done.stdout
        assert name in done.stderr
    done = troubled.semidirect("show", "twin-top")
    assert done.returncode == 2
    assert "left-tops" in done.stderr
    assert "right-tops" in done.stderr
    assert troubled.semidirect("show", "right-tops:twin-top").returncode == 0


def test_load_all_and_its_warnings(troubled):
    done = troubled.run("""
        import json, warnings
        from semidirect import plugins
        from semidirect.core.errors import PluginWarning
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded = plugins.load_all()
        assert all(issubclass(w.category, PluginWarning) for w in caught)
        print(json.dumps([sorted(loaded), sorted(str(w.message) for w in caught)]))
    """)
    assert done.returncode == 0, done.stderr
    names, messages = json.loads(done.stdout)
    assert set(names) == BUILT_IN | {"acme-body", "acme-slow-body", "left-tops:twin-top", "right-tops:twin-top"}
    assert len(messages) == 3
    assert "'broken-top' of 'broken-tops'" in messages[0]
    assert "'wrong-top' of 'wrong-tops'" in messages[1]
    assert "'left-tops' and 'right-tops'" in messages[2]


class Point:
    """Metadata of an entry point, as :mod:`importlib.metadata` gives it."""

    def __init__(self, name, distribution, value):
        self.name, self.value = name, value
        self.dist = type("Distribution", (), {"name": distribution})


@pytest.fixture
def installed(monkeypatch):
    def install(*points):
        monkeypatch.setattr(registry.extension, "entry_points", lambda group: [Point(*p) for p in points])

    return install


def test_an_unknown_name_lists_what_is_installed(installed):
    installed(("top", "a", "a:Top"), ("ball", "b", "b:Ball"))
    with pytest.raises(UnknownNameError, match=r"unknown system 'topp'. Did you mean 'top'\? Known: ball, top."):
        plugins.load("topp")
    with pytest.raises(UnknownNameError, match="unknown system 'c:top'"):
        plugins.load("c:top")


def test_one_name_twice_is_ambiguous_unless_qualified(installed):
    value = "semidirect_rigid_body:RigidBody"
    installed(("top", "Tops_One", value), ("top", "tops-two", "no.such.module:Top"), ("ball", "c", "c:Ball"))
    with pytest.warns(PluginWarning, match="'top' is used by 'Tops_One' and 'tops-two'"):
        found = plugins.available()
    assert list(found) == ["Tops_One:top", "ball", "tops-two:top"]
    with pytest.raises(InputError, match="'Tops_One:top' or 'tops-two:top'"):
        plugins.load("top")
    assert plugins.load("tops.one:top") is plugins.load("Tops_One:top")
    with pytest.raises(InputError, match="'top' of 'tops-two' cannot be loaded") as caught:
        plugins.load("tops-two:top")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


def test_a_distribution_that_repeats_itself_is_one(installed):
    installed(("top", "a", "a:Top"), ("top", "a", "a:Top"))
    assert list(plugins.available()) == ["top"]


@pytest.mark.parametrize("value", ["math:pi", "math:sqrt", "collections:OrderedDict", "math:nothing", "math"])
def test_an_entry_point_must_name_a_system_or_a_preset(installed, value):
    installed(("top", "a", value))
    with pytest.raises(InputError, match="'top' of 'a' cannot be loaded") as caught:
        plugins.load("top")
    assert isinstance(caught.value.__cause__, DefinitionError | AttributeError)


class Marble(System):
    """A ball of glass."""

    mass = parameter(3.0)
    radius = parameter(1.0)
    finish = option("clear", choices=("clear", "frosted"))


def test_what_the_user_gives_wins_over_the_preset():
    preset = Preset(Marble, {"mass": 1.0, "finish": "frosted"}, "A choice.")
    assert isinstance(preset(), Marble)
    assert (preset().values["mass"], preset().values["radius"], preset().workings.choices["finish"]) == (
        1.0,
        1.0,
        "frosted",
    )
    changed = preset(mass=2.0, finish="clear")
    assert (changed.values["mass"], changed.values["radius"], changed.workings.choices["finish"]) == (2.0, 1.0, "clear")
    with pytest.raises(UnknownNameError, match="of Marble 'colour'"):
        Preset(Marble, {"colour": "red"})()


def test_a_preset_is_documented():
    preset = Preset(Marble, {"mass": 1.0}, "A choice.")
    assert preset.doc == preset.__doc__ == "A choice."
    assert Preset(Marble).doc == "A ball of glass."


def test_a_preset_is_frozen():
    chosen = {"mass": 1.0}
    preset = Preset(Marble, chosen)
    chosen["mass"] = 2.0
    assert preset.overrides == {"mass": 1.0}
    with pytest.raises(TypeError):
        preset.overrides["mass"] = 2.0
    with pytest.raises(AttributeError):
        preset.system = System
    with pytest.raises(DefinitionError, match="expected the class of a system"):
        Preset(Marble())

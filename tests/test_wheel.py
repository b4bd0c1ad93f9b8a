"""The wheel holds everything: all systems are found by entry point and imported from it, and the templates are in it.

``python tests/installed_wheel.py`` runs the facts against it in an environment of its own.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import textwrap
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import semidirect

ROOT = Path(__file__).parents[1]
PLUGINS = [p.relative_to(ROOT) for p in ROOT.glob("plugins/*") if p.is_dir()]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def wheel(built):
    return built[1]


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed") / "site"
    subprocess.run(
        [*PIP, "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel)], check=True
    )
    return folder


def run(site, source, cwd):
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-c", textwrap.dedent(source)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)


def test_all_systems_come_from_the_wheel(site, tmp_path):
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"][
        "semidirect.systems"
    ]
    done = run(site, """
        import json, sys
        import semidirect
        from semidirect import plugins
        from semidirect.definition.preset import Preset
        found = {"": semidirect.__file__}
        for name, loaded in plugins.load_all().items():
            kind = loaded.system if isinstance(loaded, Preset) else loaded
            loaded()
            found[name] = sys.modules[kind.__module__].__file__
        print(json.dumps(found))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert set(found) == {"", *declared}
    assert all(Path(place).is_relative_to(site) for place in found.values()), found


def test_the_command_lists_them(site, tmp_path):
    done = run(site, """
        import sys
        from semidirect.cli.entry import main
        sys.exit(main(["list", "--format", "json"]))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {s["from"] for s in json.loads(done.stdout)} == {"semidirect"}


def test_a_run_from_an_empty_folder(site, tmp_path):
    done = run(site, """
        import sys
        from semidirect.cli.entry import main
        sys.exit(main(["run", "rigid-body", "--t-end", "0.1", "--dt", "0.05", "--paths", "2", "--engine", "numpy"]))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 paths to t = 0.1 s by lie-heun, 2 steps of 0.05 s")
    assert not list(tmp_path.iterdir())


def test_a_new_system_can_be_written_from_the_wheel(site, tmp_path):
    done = run(site, """
        import sys
        from semidirect.cli.entry import main
        sys.exit(main(["new", "my-top"]))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "my-top" / "my_top" / "my_top.py").exists()


def test_the_wheel_holds_the_package_and_no_tests(wheel):
    names = ZipFile(wheel).namelist()
    source = {
        p.relative_to(ROOT / "src").as_posix() for p in (ROOT / "src").rglob("*.py*") if p.suffix in (".py", ".pyi")
    }
    assert source <= set(names)
    assert {"semidirect/__init__.pyi", "semidirect/testing/__init__.pyi", "semidirect/equations/__init__.pyi"} <= set(
        names
    )
    packages = {n.partition("/")[0] for n in names if not n.partition("/")[0].endswith(".dist-info")}
    assert packages == {"semidirect", *(p.name for p in ROOT.glob("plugins/*/semidirect_*"))}
    assert {f"{package}/py.typed" for package in packages} <= set(names)
    assert {f"semidirect/view/viewer/{name}" for name in ("page.html", "page.css", "bundle.js")} <= set(names)
    assert any(n.endswith(".dist-info/licenses/LICENSE") for n in names)
    assert not [n for n in names if "node_modules" in n]
    assert not [n for n in names if "/tests/" in n or n.startswith("tests/")]


def test_the_sdist_holds_what_builds_tests_and_explains_the_package(built, wheel):
    with tarfile.open(built[0]) as archive:
        names = {n.partition("/")[2] for n in archive.getnames()}
    needed = {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CITATION.cff",
        ".ci/run",
        "tests/conftest.py",
        "plugins/conftest.py",
    }
    assert needed <= names
    patterns = ("src/**/*.py*", "tests/**/*.py", "plugins/**/*.py", "examples/*.*", "docs/*.*", "docs/extensions/*.py")
    kept = {p.relative_to(ROOT).as_posix() for pattern in patterns for p in ROOT.glob(pattern) if p.suffix != ".pyc"}
    kept -= {"docs/catalogue.md"}  # written when the pages are built
    assert kept <= names, sorted(kept - names)
    in_wheel = [n for n in ZipFile(wheel).namelist() if ".dist-info/" not in n]
    assert all(f"src/{n}" in names or any(f"{p.as_posix()}/{n}" in names for p in PLUGINS) for n in in_wheel)
    assert not [n for n in names if "node_modules" in n or "__pycache__" in n or n.endswith(".zarr")]


def test_the_version_is_written_in_one_place(built):
    version = semidirect.__version__
    assert [f"-{version}" in p.name for p in built] == [True, True]
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited[1] == version  # people cite it without the package
    changes = (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", changes, re.MULTILINE)[0] in (version, "Unreleased")
    assert "version" not in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

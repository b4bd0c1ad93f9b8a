"""The wheel holds everything: all systems are found by entry point and imported from it, and the templates are in it."""

import json
import os
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([*PIP, *build, "--quiet"], check=True)
    (found,) = folder.glob("*.whl")
    return found


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
        from semidirect.cli.main import main
        sys.exit(main(["list", "--format", "json"]))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {s["from"] for s in json.loads(done.stdout)} == {"semidirect"}


def test_a_new_system_can_be_written_from_the_wheel(site, tmp_path):
    done = run(site, """
        import sys
        from semidirect.cli.main import main
        sys.exit(main(["new", "my-top"]))
    """, tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "my-top" / "my_top" / "my_top.py").exists()


def test_the_wheel_holds_the_package_and_no_tests(wheel):
    names = ZipFile(wheel).namelist()
    source = {str(p.relative_to(ROOT / "src")).replace(os.sep, "/") for p in (ROOT / "src").rglob("*.py")}
    assert source <= set(names)
    assert "semidirect/py.typed" in names
    assert {f"semidirect/view/viewer/{name}" for name in ("page.html", "page.css", "bundle.js")} <= set(names)
    assert not [n for n in names if "node_modules" in n]
    assert not [n for n in names if "/tests/" in n or n.startswith("tests/")]

"""The tests of the facts against the installed wheel, in an environment of its own, with no source of the package beside them.

    python tests/installed_wheel.py [--resolution {highest,lowest-direct}] [--python VERSION] [TEST …]

builds the sdist and the wheel from it, and installs that by uv (``pip install uv``), with the newest dependencies there are
or with the oldest that ``pyproject.toml`` allows, for this interpreter or another that uv finds. It copies the tests, and runs
those that are named; by default those of ``tests/facts`` and of the systems. It prints the versions that it ran with, and needs a
network.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FACTS = (
    "tests/facts",
    *(f"{p.relative_to(ROOT)}" for p in sorted(ROOT.glob("plugins/*/tests")) if "holm" not in str(p)),
)
WHERE = """
import importlib.metadata, pathlib, re, sys
import semidirect
from semidirect import plugins
place = pathlib.Path(sys.prefix).resolve()
kinds = [getattr(kind, "system", kind) for kind in plugins.load_all().values()]
files = {semidirect.__file__, *(sys.modules[kind.__module__].__file__ for kind in kinds)}
assert all(pathlib.Path(f).resolve().is_relative_to(place) for f in files), files
needed = [re.match(r"[\\w-]+", r)[0] for r in importlib.metadata.requires("semidirect") if "extra ==" not in r]
print("Python", sys.version.split()[0], *(f"{name} {importlib.metadata.version(name)}" for name in sorted(needed)))
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resolution", choices=("highest", "lowest-direct"), default="highest")
    parser.add_argument("--python", default=sys.executable, help="an interpreter or its version")
    parser.add_argument("tests", nargs="*", default=FACTS)
    asked = parser.parse_args()
    uv = shutil.which("uv")
    if uv is None:
        sys.exit("uv is not installed: pip install uv")
    with tempfile.TemporaryDirectory() as folder:
        place, checks = Path(folder), Path(folder) / "checks"
        environment = {**os.environ, "XDG_CACHE_HOME": str(place / "cache")}
        environment.pop("PYTHONPATH", None)

        def run(*command, **more):
            return subprocess.run([*map(str, command)], cwd=place, env=environment, **more)

        run(uv, "build", "--quiet", "--out-dir", place / "dist", ROOT, check=True)
        (wheel,) = (place / "dist").glob("*.whl")
        run(uv, "venv", "--quiet", "--python", asked.python, place / "env", check=True)
        python = place / "env" / "bin" / "python"
        install = (uv, "pip", "install", "--quiet", "--python", python)
        run(*install, "--resolution", asked.resolution, "-r", ROOT / "pyproject.toml", check=True)
        run(*install, f"semidirect[test] @ {wheel.as_uri()}", check=True)  # what is there stays as it is
        for tests in (ROOT / "tests", *ROOT.glob("plugins/*/tests"), *ROOT.glob("plugins/conftest.py")):
            copy = shutil.copytree if tests.is_dir() else shutil.copy
            (checks / tests.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            copy(tests, checks / tests.relative_to(ROOT))
        shutil.copy(ROOT / "pyproject.toml", checks)  # the settings of pytest
        run(python, "-c", WHERE, check=True)
        sys.exit(
            run(
                python, "-m", "pytest", "-q", "-n", "2", "--rootdir", checks, *(checks / t for t in asked.tests)
            ).returncode
        )


if __name__ == "__main__":
    main()

"""Importing the package and asking for help stay cheap: no heavy library is loaded."""

import json
import subprocess
import sys

import pytest

HEAVY = ["sympy", "llvmlite", "xarray", "matplotlib", "geomstats"]

PROBE = """
import json, sys, time
started = time.perf_counter()
status = 0
try:
    {action}
except SystemExit as stop:
    status = stop.code or 0
seconds = time.perf_counter() - started
print(json.dumps({{"status": status, "seconds": seconds, "modules": sorted(sys.modules)}}), file=sys.stderr)
"""

IMPORT = "import semidirect"
HELP = "from semidirect.cli.entry import main; sys.argv = ['semidirect', '--help']; status = main() or 0"


def probe(action):
    done = subprocess.run([sys.executable, "-c", PROBE.format(action=action)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1]), done.stdout


@pytest.mark.parametrize(("label", "action"), [("import semidirect", IMPORT), ("semidirect --help", HELP)])
def test_loads_nothing_heavy(label, action, record_property):
    report, output = probe(action)
    assert report["status"] == 0
    assert "semidirect" in report["modules"]
    assert [name for name in HEAVY if name in report["modules"]] == []
    if action is HELP:
        assert "usage: semidirect" in output
        assert "numpy" not in report["modules"]
    record_property(f"time of {label}", f"{report['seconds']:.3f} s")


def test_the_probe_sees_what_is_loaded():
    report, _ = probe("import sympy")
    assert "sympy" in report["modules"]


def test_importing_the_package_leaves_its_parts_and_their_libraries_for_the_first_use():
    """Errors, locks and what these need: they were 40 % of the import."""
    report, _ = probe(IMPORT)
    parts = {name for name in report["modules"] if name.startswith("semidirect.")}
    assert parts == {
        f"semidirect.core{part}" for part in ("", ".door", ".explained_calls", ".module_finder", ".version")
    }
    assert not {"logging", "concurrent.futures", "numpy", "inspect"} & {*report["modules"]}

"""The command line's second process: no derivation, no compilation, no heavy library."""

import json
import os
import resource
import subprocess
import sys

COMMAND = """
import sys
from semidirect.cli.entry import main
status = main(["run", "routh-sphere", "--paths", "100", "--t-end", "20", "--dt", "0.02", "--format", "json"])
import json
print(json.dumps(sorted(m for m in sys.modules if "." not in m)), file=sys.stderr)
sys.exit(status)
"""


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_two_processes(tmp_path, record_property):
    results, modules, seconds = [], [], []
    for _ in range(2):
        before = processor_seconds()
        done = subprocess.run([sys.executable, "-c", COMMAND], capture_output=True, text=True,
                              env={**os.environ, "SEMIDIRECT_CACHE": str(tmp_path)})  # fmt: skip
        seconds.append(processor_seconds() - before)
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout))
        modules.append(set(json.loads(done.stderr.splitlines()[-1])))
    assert results[0] == results[1]
    assert results[0]["paths"] == 100
    assert "sympy" in modules[0]
    assert not modules[0] & {"xarray", "zarr", "matplotlib", "geomstats", "pandas"}
    assert not modules[1] & {"sympy", "xarray", "zarr", "matplotlib", "geomstats", "pandas"}
    # Printed, not asserted: 3.5 s and 0.85 s on a quiet machine.
    record_property("semidirect run routh-sphere, 100 paths, 1000 steps, processor time",
                    f"first {seconds[0]:.2f} s, second {seconds[1]:.2f} s")  # fmt: skip

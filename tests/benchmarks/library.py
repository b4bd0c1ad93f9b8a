"""How long each installed system takes to be derived, compiled for the first time, and loaded: ``python library.py``.

Prints a table of processor seconds without imports, each system in processes of its own and with an empty cache. Nothing is
asserted: a clock is no test.
"""

import json
import os
import subprocess
import sys
import tempfile

STEPS = """
import json, sys, time
import llvmlite.binding, sympy
import semidirect as sd, semidirect.ensemble.simulation, semidirect.compile.kernels, semidirect.equations.principles
system = sd.load(sys.argv[1])
out = {}
start = time.process_time()
system.sde()
out["derive"] = time.process_time() - start
start = time.process_time()
system.simulate(t_end=0.002, dt=0.001, paths=64, seed=1, execution=sd.Execution(threads=1, engine="compiled"))
out["run"] = time.process_time() - start
print(json.dumps(out))
"""
AGAIN = STEPS.replace("system.sde()", "pass")


def seconds(name: str) -> dict[str, float]:
    """Derivation; the first run of a kernel, with all it needs; the same in a new process."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for code in (STEPS, AGAIN):
            done = subprocess.run(
                [sys.executable, "-c", code, name], env={**os.environ, "SEMIDIRECT_CACHE": folder}, check=True,
                capture_output=True, text=True,
            )  # fmt: skip
            found.append(json.loads(done.stdout))
    return {"derive": found[0]["derive"], "compile": found[0]["run"], "warm": found[1]["run"]}


def main() -> None:
    """The table."""
    from semidirect import plugins

    print(f"{'system':24s} derive  compile  warm   [processor s]")
    for name in sys.argv[1:] or sorted(plugins.available()):
        row = seconds(name)
        print(f"{name:24s} {row['derive']:6.2f} {row['compile']:8.2f} {row['warm']:5.2f}", flush=True)


if __name__ == "__main__":
    main()

"""The example that plans a large ensemble runs, and its numbers fit together."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "plan_ensemble.py"


def test_the_example_of_a_plan_prints_consistent_times():
    arguments = ["--paths", "1e9", "--cores", "1000", "--steps", "20", "--sample", "64"]
    done = subprocess.run(
        [sys.executable, EXAMPLE, *arguments], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stderr == ""
    lines = dict(re.split(r"  +", line.strip(), maxsplit=1) for line in done.stdout.splitlines()[1:])
    rate = float(lines["computing, one core"].split()[0])
    hours = float(lines["all of it"].split()[0])
    assert abs(hours * 3600 * rate / (1e9 * 20) - 1) < 0.05
    chunks, length = (int(n) for n in re.findall(r"(\d+) of (\d+) paths", lines["chunks"])[0])
    assert chunks == -(-(10**9) // length)
    assert chunks <= 16384
    size = float(lines["store"].split()[0])
    assert 100 < size < 400  # about 200 bytes a path

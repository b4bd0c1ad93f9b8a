"""Runs the tests of stores, and damages stores, in memory and in a local server of S3; ``remote_stores.txt`` is the record.

``python tests/ensemble/remote_stores.py``, with moto[server] and s3fs installed. Tests of links, pipes and locks of a file system
are skipped; all others are those that run with folders. What was interrupted is resumed: tests that passed, which a folder
for temporary files remembers, and what the record has of the same versions are not done again.
"""

import logging
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from s3_server import BUCKET, s3_server

HERE = Path(__file__).parent
RECORD = HERE / "remote_stores.txt"
OUTCOMES = Path(tempfile.gettempdir()) / "semidirect_remote_stores"
PLACES = {"memory": "memory://tests", "s3": f"s3://{BUCKET}/stores"}
TESTS = ["test_store.py"], ["test_damaged_stores.py"]
DAMAGE = {
    "memory": ["damaged_stores.py", "--flips", "4000", "--forgeries", "2000"],
    "s3": ["damaged_stores.py", "--flips", "40", "--others", "40", "--forgeries", "20"],  # seconds each
}


def outcome(command, at, environment):
    """What a script says, or how many tests passed and were skipped."""
    name, *options = command
    tests = name.startswith("test_")
    file = OUTCOMES / f"{name}.{at.partition(':')[0]}"
    done = subprocess.run(
        [sys.executable, *(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "recorded_outcomes"] if tests else []),
         str(HERE / name), *options],
        env={**environment, "SEMIDIRECT_TEST_STORES": at, "SEMIDIRECT_TEST_OUTCOMES": str(file),
             "PYTHONPATH": f"{HERE}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 5 if tests else 0):  # 5: all passed before
        sys.exit(f"{at}: {' '.join(command)} failed\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    if tests:
        last = dict(reversed(line.split(" ", 1)) for line in file.read_text().splitlines())
        file.unlink()
        return ", ".join(f"{count} {word}" for word, count in Counter(last.values()).most_common())
    return "; ".join(re.sub(r", \d+ s$", "", line) for line in done.stdout.splitlines() if line.strip())


def main():
    header = ", ".join(f"{name} {version(name)}" for name in ("fsspec", "s3fs", "moto"))
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    if lines[:1] != [header]:
        lines = []
        RECORD.write_text(f"{header}\n")
    OUTCOMES.mkdir(exist_ok=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # the server names every request
    with s3_server() as environment:
        for place, at in PLACES.items():
            for command in [*TESTS, DAMAGE[place]]:
                title = f"{place}, {' '.join(command)}: "
                if any(line.startswith(title) for line in lines):
                    continue
                began = time.perf_counter()
                line = title + outcome(command, at, environment)
                print(f"{line} [{time.perf_counter() - began:.0f} s]", flush=True)
                with RECORD.open("a") as file:
                    file.write(f"{line}\n")


if __name__ == "__main__":
    main()

"""Runs the tests of stores, and damages stores, in memory and in a local server of S3; ``remote_stores.txt`` is the record.

``python tests/ensemble/remote_stores.py``, with moto[server] and s3fs installed. Tests of links, pipes and locks of a file system
are skipped; all others are those that run with folders. What the file records of the same versions is not done again, so that
the script resumes what was interrupted; remove the file to begin anew.
"""

import logging
import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from s3_server import BUCKET, s3_server

HERE = Path(__file__).parent
RECORD = HERE / "remote_stores.txt"
PLACES = {"memory": "memory://tests", "s3": f"s3://{BUCKET}/stores"}
TESTS = [[name] for name in ("test_store.py", "test_damaged_stores.py")]
DAMAGE = {
    "memory": ["damaged_stores.py", "--flips", "4000", "--forgeries", "2000"],
    "s3": ["damaged_stores.py", "--flips", "200", "--others", "10", "--forgeries", "100"],  # an answer takes a second
}


def outcome(command, at, environment):
    """What a script, or pytest, says."""
    name, *options = command
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if name.startswith("test_") else []
    done = subprocess.run(
        [sys.executable, *pytest, str(HERE / name), *options], env={**environment, "SEMIDIRECT_TEST_STORES": at},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{at}: {' '.join(command)} failed\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return "; ".join(re.sub(r",? (in )?\d[\d.]* ?s( \(.*)?$", "", line) for line in (lines[-1:] if pytest else lines))


def main():
    header = ", ".join(f"{name} {version(name)}" for name in ("fsspec", "s3fs", "moto"))
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    if lines[:1] != [header]:
        RECORD.write_text(f"{header}\n")
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

"""Runs the tests of stores with the stores in memory and in a local S3 server, and writes what came out to ``remote_stores.txt``.

``python tests/ensemble/remote_stores.py``, with moto[server] and s3fs installed. Tests of links, pipes and locks of a file system
are skipped; all others are those that run with folders.
"""

import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from s3_server import BUCKET, s3_server

HERE = Path(__file__).parent
FILES = ("test_store.py", "test_damaged_stores.py")


def outcome(at, environment):
    """The last line of pytest."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(HERE / name for name in FILES)],
        env={**environment, "SEMIDIRECT_TEST_STORES": at}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        print(done.stdout[-6000:], file=sys.stderr)
    line = re.sub(r" in [\d.]+s.*", "", done.stdout.strip().splitlines()[-1])
    return f"{at.partition(':')[0]}: {line}", time.perf_counter() - began


def main():
    with s3_server() as environment:
        lines = []
        for at in ("memory://tests", f"s3://{BUCKET}/stores"):
            line, seconds = outcome(at, environment)
            print(f"{line}, {seconds:.0f} s")
            lines.append(line)
    names = ("fsspec", "s3fs", "moto")
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    (HERE / "remote_stores.txt").write_text(
        f"{', '.join(FILES)} with stores by URL; {packages}\n" + "".join(f"{line}\n" for line in lines)
    )


if __name__ == "__main__":
    main()

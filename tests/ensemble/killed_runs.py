"""A run of 10⁶ paths and 100 steps with moments into a local server of S3, killed twice with ``kill -9`` and resumed.

``python tests/ensemble/killed_runs.py``, with moto[server] and s3fs installed, compares its objects with the files of a run in a
folder that nobody killed, and writes ``killed_runs.txt``.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from remote_path import RemotePath
from s3_server import BUCKET, s3_server

import semidirect as sd

HERE = Path(__file__).parent
URL = f"s3://{BUCKET}/run.zarr"


def simulate(place, paths, resume=False):
    """The run, or what it lacks."""
    return sd.load("rigid-body").simulate(
        t_end=1, dt=0.01, paths=paths, seed=1, reduce=sd.Reduce("moments", at="every:10"), execution=sd.Execution(threads=1),
        save=sd.Save("final", names=["energy"], store=place, resume=resume),
    )  # fmt: skip


def chunks(place):
    """The number of finished chunks."""
    return sum(f.name.startswith("c.") for f in (place / "record/checksums").rglob("c.*"))


def sums(place):
    """The checksum of each file."""
    files = {f.relative_to(place).as_posix(): f for f in place.rglob("*") if f.is_file()}
    return {name: hashlib.sha256(f.read_bytes()).hexdigest() for name, f in files.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paths", type=int, default=10**6)
    parser.add_argument("--worker", action="store_true", help="resume the run; the script kills such processes")
    args = parser.parse_args()
    if args.worker:
        simulate(URL, args.paths, resume=True)
        return
    with tempfile.TemporaryDirectory() as folder, s3_server() as environment:
        os.environ.update(environment)
        url, local, before = RemotePath(URL), Path(folder) / "run.zarr", []
        for least in (2, 7):
            worker = subprocess.Popen([sys.executable, __file__, "--worker", "--paths", str(args.paths)])
            while chunks(url) < least:
                assert worker.poll() is None, "the run ended before it was killed"
                time.sleep(0.02)
            worker.kill()
            worker.wait()
            before.append(chunks(url))
            print("killed with", before[-1], "chunks", flush=True)
        run = simulate(URL, args.paths, resume=True)
        simulate(local, args.paths)
        there, here = sums(url), sums(local)
        assert there == here
        text = (
            f"{args.paths} paths of 100 steps, {len(here)} files: killed with {' and '.join(map(str, before))} chunks done of "
            f"{chunks(url)}, then {run.data.work.chunks.total()} computed; all objects are the files of a run in a folder\n"
        )
        (HERE / "killed_runs.txt").write_text(text)
        print(text)


if __name__ == "__main__":
    main()

"""Kills a worker, and then the leading process, of each recipe with ``kill -9`` in the middle of 10⁶ paths, and resumes the run.

``python tests/ensemble/killed_workers.py``, with mpi4py, mpich, distributed, dask-jobqueue and ray installed, compares the files
with those of one process that nobody killed, and writes ``killed_workers.txt``. Jobs of SLURM are started here, by
``recipes/sbatch``. What the record has of the same versions is not done again.
"""

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
RECORD = HERE / "killed_workers.txt"
PACKAGES = ("mpi4py", "mpich", "distributed", "dask-jobqueue", "ray")
RECIPES = {
    "mpi.py": ("mpiexec -n 3 python -m mpi4py.futures", "mpi4py.futures"),
    "dask_local.py": ("python", "multiprocessing.spawn import spawn_main"),
    "dask_slurm.py": ("python", "multiprocessing.spawn import spawn_main"),
    "ray_tasks.py": ("python", "ray::"),
}
"""The command of each recipe, and what those of its workers contain."""


def sums(store):
    """The checksum of each file."""
    files = (f for f in store.rglob("*") if f.is_file())
    return {f.relative_to(store).as_posix(): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def chunks(store):
    """The number of finished chunks."""
    return sum(1 for _ in (store / "record/checksums").glob("c.*.0.0"))


def started(command, store):
    """The process of a recipe, which writes what it says next to the store; what it starts has the store in its environment."""
    paths = f"{HERE / 'recipes'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    with store.with_suffix(".log").open("w") as log, store.with_suffix(".errors").open("a") as errors:
        return subprocess.Popen(
            [*command, str(store)], env={**os.environ, "PATH": paths, "STORE": str(store)}, cwd=store.parent,
            stdout=log, stderr=errors, start_new_session=True,
        )  # fmt: skip


def said(store):
    """What a recipe says."""
    return store.with_suffix(".log").read_text().strip()


def processes(store):
    """The processes of a run, by their numbers: command and environment."""
    result = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = ((folder / name).read_bytes() for name in ("cmdline", "environ"))
        except OSError:
            continue
        if f"STORE={store}".encode() in environment.split(b"\0"):
            result[int(folder.name)] = command.decode().replace("\0", " "), environment
    return result


def kill(recipe, kind, run, store):
    """Kill a worker, with its job if it has one, or what leads."""
    ranks = recipe == "mpi.py"
    if kind == "leader" and not ranks:
        run.kill()
        return
    for pid, (command, environment) in processes(store).items():
        if (
            RECIPES[recipe][1] in command
            and "mpiexec" not in command
            and (not ranks or (b"PMI_RANK=0" in environment.split(b"\0")) == (kind == "leader"))
        ):
            os.kill(-os.getpgid(pid) if recipe == "dask_slurm.py" else pid, signal.SIGKILL)  # a job is a group
            return
    sys.exit(f"{recipe}: there is no {kind}")


def killed(recipe, kind, folder, truth):
    """What happens to a run of which a process is killed."""
    store = folder / f"{recipe}.{kind}.zarr"
    command = [*RECIPES[recipe][0].split(), str(HERE / "recipes" / recipe)]
    run = started(command, store)
    while chunks(store) < 10:
        if run.poll() is not None:
            sys.exit(f"{recipe} ended before it was killed\n{said(store)}")
        time.sleep(0.01)
    kill(recipe, kind, run, store)
    line = f"{recipe}: {kind} killed with {chunks(store)} chunks done"
    if run.wait():
        line += f", exit {run.returncode}, resumed"
        if started(command, store).wait():  # while workers whose leader was killed may still run
            sys.exit(f"{line}: failed\n{said(store)}")
    line += f": {said(store).splitlines()[-1]}"
    for pid in processes(store):
        os.kill(pid, signal.SIGKILL)
    if sums(store) != truth:
        sys.exit(f"{line}; the files differ")
    return f"{line}; all {len(truth)} files are those of one process"


def main():
    header = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    if lines[:1] != [header]:
        RECORD.write_text(f"{header}\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = started([sys.executable, str(HERE / "recipes/million.py")], folder / "alone.zarr")
        alone.wait()
        truth = sums(folder / "alone.zarr")
        for recipe in RECIPES:
            for kind in ("worker", "leader"):
                if not any(line.startswith(f"{recipe}: {kind} ") for line in lines):
                    line = killed(recipe, kind, folder, truth)
                    print(line, flush=True)
                    with RECORD.open("a") as file:
                        file.write(f"{line}\n")


if __name__ == "__main__":
    main()

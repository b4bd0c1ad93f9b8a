"""Random damage to every file of a kernel cache: found when it is read, removed, and made again with the same numbers.

``python tests/core/cache/flips.py`` runs 3,000 cases, of which 30 are whole runs; CI runs a fixed slice of them.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path

import semidirect as sd
from semidirect.compile.of_equations import OfEquations
from semidirect.core.results import Results
from semidirect.machine.cache import files
from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.random import normal_numbers as normals

SYSTEMS = ("rigid-body", "routh-sphere", "chaplygin-sleigh")


def numbers() -> str:
    """What runs give, by kernels and by array code, in a process that knows nothing yet."""
    for name in SYSTEMS:
        Results.of(type(sd.load(name))).clear()
    import_module("semidirect.compile.kernels").KERNELS = OfEquations()
    normals._compiled.cache_clear()
    CompiledFunction._known.clear()
    found = []
    for name in SYSTEMS:
        system = sd.load(name)
        for engine in ("compiled", "numpy"):
            run = system.simulate(
                t_end=0.1, dt=0.05, paths=2, seed=3, method="heun", execution=sd.Execution(engine=engine), save="final"
            )
            found += [run[k].tobytes().hex() for k in sorted(run)]
    return " ".join(found)


def damaged(content: bytes, random: random.Random) -> tuple[str, bytes]:
    """A file with one bit flipped, or, once in five times, cut."""
    at = random.randrange(len(content))
    if random.random() < 0.2:
        return "cut", content[:at]
    return "flipped", content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def attack(place: Path, cases: int, runs: int, seed: int = 1) -> Counter[str]:
    """Damage the files of a cache and read them; returns how many cases of each kind there were.

    Raises
    ------
    AssertionError
        If something damaged was read, or a run gave another number.
    """
    os.environ["SEMIDIRECT_CACHE"] = str(place)
    right = numbers()
    assert numbers() == right
    kept = {path.name: path.read_bytes() for path in place.iterdir()}
    assert {name.partition(".")[2] for name in kept} == {"equations", "machine"}, sorted(kept)
    count, rng = Counter[str](), random.Random(seed)
    for name in rng.choices(sorted(kept), k=cases):
        how, content = damaged(kept[name], rng)
        (place / name).write_bytes(content)
        assert files.read(name) is None, (name, how)
        assert not (place / name).exists(), (name, how)
        count[f"{how} {name.partition('.')[2]}"] += 1
    for _ in range(runs):
        for name, whole in kept.items():
            (place / name).write_bytes(whole)
        name = rng.choice(sorted(kept))
        how, content = damaged(kept[name], rng)
        (place / name).write_bytes(content)
        assert numbers() == right, (name, how)
        assert set(kept) == {path.name for path in place.iterdir()}
        assert (place / name).read_bytes() != content
        assert files.read(name) is not None
        count[f"run with a {how} file of {name.partition('.')[2]}"] += 1
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--runs", type=int, default=30)
    with tempfile.TemporaryDirectory() as folder:
        for what, n in sorted(attack(Path(folder), **vars(parser.parse_args())).items()):
            print(f"{n:6d}  {what}")

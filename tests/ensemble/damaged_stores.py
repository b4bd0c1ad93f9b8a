"""Damage done to a store, and what is read of it then: what was written, or an error that says where.

``python tests/ensemble/damaged_stores.py --flips 4000`` turns that many bits, one at a time, and does all other kinds of damage;
``test_damaged_stores.py`` does a small part of it. ``SEMIDIRECT_TEST_STORES`` names a URL where the store is to be.
"""

import argparse
import hashlib
import itertools
import json
import os
import random
import tempfile
import time
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import remote_path

import semidirect as sd
from semidirect.core.errors import StoreError
from semidirect.ensemble.store.store import Store
from semidirect.specification import RunSpec

CHUNK, PATHS = 64, 200
CALL = {"t_end": 0.4, "dt": 0.05, "paths": PATHS, "seed": 4, "method": "heun",
        "save": sd.Save("every:2", names=["Omega", "energy"]), "reduce": ("moments", sd.Histogram("energy", 0, 10)),
        "checks": sd.Checks(bounds={"energy": 1e6})}  # fmt: skip


def system():
    """A ball whose mass differs from path to path."""
    return sd.load("rolling-ball", mass=sd.PerPath(np.linspace(1, 2, PATHS)))


def states():
    """States that do."""
    return {"Omega": np.linspace([0.4, -0.2, 1.5], [0.5, 0.2, 1.0], PATHS)}


def make(path, resume=False, **changes):
    """A store with files of every kind: chunks, the last one shorter, statistics, times, inputs."""
    usual = RunSpec.usual_chunk
    RunSpec.usual_chunk = lambda *given: CHUNK
    try:
        return system().simulate(**{
            **CALL, "state": states(), "execution": sd.Execution(threads=1), **changes,
            "save": replace(CALL["save"], store=path, resume=resume),
        })  # fmt: skip
    finally:
        RunSpec.usual_chunk = usual


def files(path):
    """The names of all files, in order."""
    return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file())


def everything(path, partial=False):
    """Whatever a user can read of a run: name → (numbers of the paths or None, value)."""
    run = sd.Run.load(path, partial=partial)
    numbers = np.arange(run.paths) if run.data.numbers is None else run.data.numbers
    of_paths = {f"data/{k}": v for k, v in run.items()} | {f"final/{k}": v for k, v in run.final.items()}
    of_paths |= {f"end/{k}": v for k, v in run.final.end.items()} | {
        f"inputs/{k}": v for k, v in run.final.per_path().items()
    }
    of_paths |= {k: getattr(run.data, k) for k in ("status", "failed_at", "failed_component")}
    store = Store.open(path)
    others = {
        "times": run.times,
        "config": dict(run.config),
        "units": dict(run.data.units),
        "components": run.data.components,
    }
    others |= {"t_end": run.final.t, "seed": run.final.seed, "resolution": run.final.resolution}
    others |= {f"state/{k}": store.fixed(k) for k in store.manifest.fixed}
    if run.paths == PATHS:
        others |= {f"{k}/{name}": np.asarray(v[1]) for k, r in run.reductions.items() for name, v in r.tables().items()}
        others |= {f"{k}/times": r.times for k, r in run.reductions.items()}
    return {k: (numbers, v) for k, v in of_paths.items()} | {k: (None, v) for k, v in others.items()}


def same(value, other):
    """To the bit."""
    if isinstance(value, np.ndarray):
        return (value.dtype, value.shape, value.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return repr(value) == repr(other)


def verdict(path, truth):
    """What reading a store leads to: ``error``, one of ours that names the store; ``harmless``, all is as it was; else
    ``wrong`` or ``foreign``, with what.
    """
    found = []
    for partial in (False, True):
        try:
            read = everything(path, partial)
        except StoreError as error:
            found.append("error" if str(path) in str(error) else f"foreign: nothing says where: {error}")
            continue
        except Exception as error:
            return f"foreign: {type(error).__name__}: {error}"
        for name, (numbers, value) in read.items():
            expected = truth[name][1]
            if not same(value, expected if numbers is None else np.ascontiguousarray(expected[numbers])):
                return f"wrong: {name}"
        if len(read) < len(truth) and not partial:
            return f"wrong: nothing of {sorted(truth.keys() - read.keys())}"
        found.append("harmless")
    return next((f for f in found if f.startswith("foreign")), found[0])


def flips(path, count, seed):
    """Turn one bit at a time, put back after each; half of them in a file drawn evenly, half in a byte drawn evenly."""
    draw, names = random.Random(seed), files(path)
    sizes = [(path / n).stat().st_size for n in names]
    for k in range(count):
        name = draw.choice(names) if k % 2 else draw.choices(names, sizes)[0]
        content = (path / name).read_bytes()
        bit = draw.randrange(8 * len(content))
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        (path / name).write_bytes(damaged)
        yield f"bit {bit} of {name}"
        (path / name).write_bytes(content)


def other_damage(path, other):
    """Files that are gone, empty, cut off, longer, something else than files, or those of others; put back after each."""
    outside = path.parent / "outside"
    for name in files(path):
        file = path / name
        content = file.read_bytes()

        def put_back(file=file, content=content):
            if file.is_dir() and not file.is_symlink():
                file.rmdir()
            else:
                file.unlink(missing_ok=True)
            file.write_bytes(content)

        for what, damaged in {"empty": b"", "cut off": content[: len(content) // 2], "without its last byte": content[:-1],
                              "longer": content + b"\0", "twice": 2 * content, "zeros": bytes(len(content))}.items():  # fmt: skip
            file.write_bytes(damaged)
            yield f"{name} {what}"
        ways = {"gone": lambda file: None}
        if isinstance(path, Path):  # objects are not links, pipes or folders
            ways |= {
                "a folder": Path.mkdir,
                "a pipe": os.mkfifo,
                "a link to nothing": lambda file: file.symlink_to(outside / "nothing"),
                "a link to itself": lambda file: file.symlink_to(file.name),
                "a link without end": lambda file: file.symlink_to("/dev/zero"),
            }
        for what, make_it in ways.items():
            file.unlink(missing_ok=True)
            make_it(file)
            yield f"{name} {what}"
            put_back()
    for name, theirs in itertools.product(files(path), (other,)):
        if (theirs / name).is_file():
            content = (path / name).read_bytes()
            (path / name).write_bytes((theirs / name).read_bytes())
            yield f"{name} of another run"
            (path / name).write_bytes(content)
    manifest = Store.open(path).manifest
    arrays = [*manifest.layout.values(), manifest.marks]
    for array in arrays:
        for i, j in ((0, 1), (0, 3), (2, 3)):
            exchange(path / array.file(i), path / array.file(j))
            yield f"chunks {i} and {j} of {array.name} exchanged"
            exchange(path / array.file(i), path / array.file(j))
    for i, j in ((0, 1), (1, 2), (0, 3)):
        for array in arrays:
            exchange(path / array.file(i), path / array.file(j))
        yield f"all of chunks {i} and {j} exchanged"
        for array in arrays:
            exchange(path / array.file(i), path / array.file(j))
    for i in range(manifest.chunks):
        for array in arrays:
            exchange(path / array.file(i), other / array.file(i))
        yield f"chunk {i} of another run, with its checksums"
        for array in arrays:
            exchange(path / array.file(i), other / array.file(i))
    for a, b in itertools.combinations(manifest.layout.values(), 2):
        if a.size == b.size is not None:
            exchange(path / a.file(1), path / b.file(1))
            yield f"chunk 1 of {a.name} and {b.name} exchanged"
            exchange(path / a.file(1), path / b.file(1))
    for folder in sorted(p for p in path.rglob("*") if p.is_dir()):
        outside.mkdir(exist_ok=True)
        moved = folder.rename(outside / folder.name)
        yield f"{folder.relative_to(path).as_posix()} gone"
        folder.symlink_to(moved, target_is_directory=True)
        yield f"{folder.relative_to(path).as_posix()} a link"
        folder.unlink()
        moved.rename(folder)


def exchange(one, other):
    """Let two files have each other's names."""
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def forge(path, change, name="zarr.json"):
    """Change a manifest and give it the checksum that belongs to it, as only somebody who means harm does."""
    content = json.loads((path / name).read_text())
    attributes = content["attributes"]
    attributes.pop("checksum")
    change(attributes)

    def text():
        return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()

    attributes["checksum"] = hashlib.sha256(text()).hexdigest()
    (path / name).write_bytes(text())


def forgeries(path, seed, count):
    """Manifests in which one value is another one, with the checksum that belongs to them; put back after each."""
    draw = random.Random(seed)
    before = (path / "zarr.json").read_bytes()
    values = [None, True, -1, 0, 1, 2**40, 2**62, 2**63, 10**30, 0.5, 1e308, "", "x", "per path", "float64", [], [0], [2**40],
              [2**31, 2**31], [-1], {}, {"x": 1}, [[]], "../../x", "zarr.json"]  # fmt: skip

    def places(value, way=()):
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in inside:
            yield (*way, key)
            yield from places(inner, (*way, key))

    ways = list(places(json.loads(before)["attributes"]))
    for _ in range(count):
        way, value, gone = (
            draw.choice([w for w in ways if w != ("checksum",)]),
            draw.choice(values),
            draw.random() < 0.15,
        )

        def change(attributes, way=way, value=value, gone=gone):
            for key in way[:-1]:
                attributes = attributes[key]
            if gone:
                del attributes[way[-1]]
            else:
                attributes[way[-1]] = value

        forge(path, change)
        yield f"{'.'.join(map(str, way))} {'gone' if gone else f'= {value!r}'}"
        (path / "zarr.json").write_bytes(before)


def survey(kinds, path, truth):
    """Count the verdicts; a list of what must not be."""
    counts, bad = Counter(), []
    for what in kinds:
        said = verdict(path, truth)
        counts[said.partition(":")[0]] += 1
        if said not in ("error", "harmless"):
            bad.append(f"{what}: {said}")
    return counts, bad


def bomb(size):
    """A gzip file of so many zeros."""
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(2**20)
    return b"".join([*(stream.compress(block) for _ in range(size // len(block))), stream.flush()])


def main():
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=4000)
    parser.add_argument("--others", type=int, default=1, help="do every OTHERSth kind of other damage")
    parser.add_argument("--forgeries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = remote_path.folder(Path(folder))
        path, other = place / "run.zarr", place / "other.zarr"
        make(path)
        make(other, seed=5)
        truth = everything(path)
        names = files(path)
        assert verdict(path, truth) == "harmless"
        print(f"{len(names)} files, {sum((path / n).stat().st_size for n in names)} bytes; seed {args.seed}")
        failed = 0
        for title, kinds in (
            ("bit flips", flips(path, args.flips, args.seed)),
            ("other damage", itertools.islice(other_damage(path, other), 0, None, args.others)),
        ):
            began = time.perf_counter()
            counts, bad = survey(kinds, path, truth)
            failed += len(bad)
            print(f"{title}: {counts.total()}: {dict(counts)}, {time.perf_counter() - began:.0f} s")
            print("\n".join(bad[:50]))
        counts, bad = Counter(), []
        for what in forgeries(path, args.seed, args.forgeries):
            said = verdict(path, truth)
            counts[said.partition(":")[0]] += 1
            if said.startswith("foreign"):
                bad.append(f"{what}: {said}")
        print(f"manifests with another value and the checksum that belongs to it: {counts.total()}: {dict(counts)}")
        print("\n".join(bad[:50]))
        assert files(path) == names
        assert verdict(path, truth) == "harmless"
    return failed + len(bad)


if __name__ == "__main__":
    raise SystemExit(main() != 0)

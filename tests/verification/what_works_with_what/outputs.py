"""Checks of pictures, data sets, stores and the command line."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import pickle
import re
import tempfile
import uuid
from pathlib import Path
from typing import Any

import fsspec
import numpy as np

import semidirect as sd
from semidirect.cli.entry import main
from semidirect.core.errors import InputError
from what_works_with_what.capability import capability
from what_works_with_what.kind import Kind, has_values_per_path, is_hybrid
from what_works_with_what.of_runs import located_statement, method
from what_works_with_what.runs import DT, PATHS, ROUNDING, T_END, arguments, close, identical, run


@contextlib.contextmanager
def folder() -> Any:
    """A folder that is removed."""
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


@capability("plot")
def plot(kind: Kind) -> str:
    """The mean that is drawn."""
    import matplotlib.pyplot as plt

    made = run(kind.made, **method(kind))
    ax = made.plot(kind.scalar)
    drawn = [np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()]
    expected = [np.asarray(made[kind.scalar]).mean(axis=0), *np.asarray(made[kind.scalar])]
    assert any(d.shape == e.shape and np.allclose(d, e, rtol=1e-6, atol=1e-12) for d in drawn for e in expected), (
        "nothing drawn is of the run"
    )
    ax.figure.canvas.draw()
    plt.close("all")
    return "what is drawn against NumPy"


def scene_of(made: Any) -> dict[str, Any]:
    """The scene that a page shows."""
    found = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", made.view().html, re.DOTALL)
    return dict(json.loads(found[1])) if found else dict(made.view().scene)


@capability("view")
def view(kind: Kind) -> str:
    """The pose that a page shows is that of the run, on each path."""
    made = run(located_statement(kind.made), **method(kind))
    scene = scene_of(made)
    times = np.frombuffer(base64.b64decode(scene["times"]), "<f8")
    close(times, made.times, 1e-6, "times")
    q = np.frombuffer(base64.b64decode(scene["quaternion"]), "<f4").reshape(len(scene["labels"]), len(times), 4)
    assert np.isfinite(q).all()
    close(np.linalg.norm(q, axis=-1), np.ones(q.shape[:2]), 1e-6, "quaternions")
    try:
        rotation = made.rotation()
    except InputError:
        return "times and quaternions of the page"
    if not isinstance(rotation, dict):
        theirs = rotation.as_quat()[: len(q)]
        same = np.abs(np.einsum("ptk,ptk->pt", q, theirs.reshape(q.shape)))
        close(same, np.ones(same.shape), 1e-6, "the pose")
    return "the pose of the page against the run"


@capability("animate")
def animate(kind: Kind) -> str:
    """A GIF with frames."""
    from PIL import Image

    made = run(located_statement(kind.made), save="every:8", **method(kind))
    with folder() as place:
        made.view().animate(place / "a.gif", fps=2)
        frames = Image.open(place / "a.gif").n_frames
    assert frames > 1
    return "frames of the file"


@capability("data set")
def data_set(kind: Kind) -> str:
    """Values, labels, a file and back, a table."""
    import xarray

    made = run(kind.made, **method(kind))
    with folder() as place:
        made.to_xarray().to_netcdf(place / "run.nc")
        with xarray.open_dataset(place / "run.nc") as found:
            for name in made.data if hasattr(made, "data") else made:
                if name in found:
                    close(found[name].values.reshape(np.asarray(made[name]).shape), made[name], 0, name)
            close(found["time"].values, made.times, ROUNDING, "time")
    if not is_hybrid(kind.made.system):
        table = made.to_pandas()
        assert len(table) == made.paths * len(made.times)
    return "a netCDF file, read again"


@capability("pickle")
def pickled(kind: Kind) -> str:
    made = run(kind.made, **method(kind))
    again = pickle.loads(pickle.dumps(made))
    identical(made, again, kind.names, "the run")
    system = pickle.loads(pickle.dumps(kind.made.system))
    other = system.simulate(**arguments(kind.made, **method(kind)))
    identical(made, other, kind.names, "a run of the system")
    return "bits, also of a run of the system that was read"


@capability("store")
def store(kind: Kind) -> str:
    """Written while it runs, written afterwards, read, resumed."""
    made = run(kind.made, **method(kind))
    with folder() as place:
        made.save(place / "a.zarr")
        identical(made, sd.Run.load(place / "a.zarr"), kind.names, "saved")
        run(kind.made, save=sd.Save(store=place / "b.zarr"), **method(kind))
        found = sd.Run.load(place / "b.zarr")
        identical(made, found, kind.names, "stored")
        again = run(kind.made, save=sd.Save(store=place / "b.zarr", resume=True), **method(kind))
        identical(made, again, kind.names, "resumed")
    return "bits of the run, saved, stored and resumed"


@capability("store at a URL")
def store_at_a_url(kind: Kind) -> str:
    """Written while it runs, written afterwards, read, resumed."""
    made = run(kind.made, **method(kind))
    place = f"memory://{uuid.uuid4().hex}"
    try:
        made.save(f"{place}/a.zarr")
        identical(made, sd.Run.load(f"{place}/a.zarr"), kind.names, "saved")
        run(kind.made, save=sd.Save(store=f"{place}/b.zarr"), **method(kind))
        identical(made, sd.Run.load(f"{place}/b.zarr"), kind.names, "stored")
        again = run(kind.made, save=sd.Save(store=f"{place}/b.zarr", resume=True), **method(kind))
        identical(made, again, kind.names, "resumed")
    finally:
        fsspec.filesystem("memory").rm(place, recursive=True)
    return "bits of the run, saved, stored and resumed in memory://"


@capability("extend")
def extend(kind: Kind) -> str:
    """Half of the time and of the paths, then all."""
    whole = run(kind.made, **method(kind))
    varied = bool(
        has_values_per_path(kind.made.system) or (kind.state and any(np.ndim(v) > 1 for v in kind.state.values()))
    )
    with folder() as place:
        run(
            kind.made,
            **{
                **method(kind),
                "save": sd.Save(store=place / "a.zarr"),
                "t_end": T_END / 2,
                "paths": PATHS if varied else 2,
            },
        )
        sd.extend(place / "a.zarr", t_end=T_END * kind.made.clock, system=kind.made.system)
        if not varied:
            sd.extend(place / "a.zarr", paths=PATHS, system=kind.made.system)
        identical(whole, sd.Run.load(place / "a.zarr"), kind.names, "extended")
    return "bits of the whole run"


@capability("restart")
def restart(kind: Kind) -> str:
    """Continued from the end of a run."""
    whole = run(kind.made, **method(kind))
    half = run(kind.made, **{**method(kind), "t_end": T_END / 2, "save": "final"})
    rest = run(kind.made, **{**method(kind), "state": half.final, "paths": None, "seed": "default"})
    for name in kind.names:
        a = np.asarray(rest[name])
        b = np.asarray(whole[name])[:, -a.shape[1] :]
        assert np.array_equal(a, b), f"{name} differs from the whole run by {np.abs(a - b).max():.2g}"
    return "bits of the whole run"


@capability("split in paths")
def split(kind: Kind) -> str:
    """Threads and a single path are the run."""
    whole = run(kind.made, **method(kind))
    many = run(kind.made, execution=sd.Execution(engine="numpy", threads=2), **method(kind))
    identical(whole, many, kind.names, "threads")
    if not has_values_per_path(kind.made.system) and not kind.state:
        one = run(kind.made, paths=1, **method(kind))
        for name in kind.names:
            assert np.array_equal(np.asarray(one[name])[0], np.asarray(whole[name])[0]), f"path 0 of {name}"
    return "bits, with two threads and of a single path"


@capability("command line")
def command_line(kind: Kind) -> str:
    """`semidirect run` of the class, its parameters and its start."""
    system = kind.made.system
    module, name = type(system).__module__, type(system).__name__
    plain = run(kind.made, **method(kind))
    line = ["run", f"{module}:{name}", "--t-end", str(T_END), "--dt", str(DT), "--paths", str(PATHS), "--seed", "1"]
    default = type(system)() if not is_hybrid(system) and not isinstance(system, sd.Kinematics) else None
    if default is not None:
        for key, v in system.values.items():
            if isinstance(v, sd.PerPath) or not np.array_equal(v, default.values[key]):
                line += [
                    "--set",
                    f"{key}={json.dumps(np.asarray(v.values if isinstance(v, sd.PerPath) else v).tolist())}",
                ]
    for key, v in (kind.state or {}).items():
        line += ["--state", f"{key}={json.dumps(np.asarray(v).tolist())}"]
    for key, v in method(kind).items():
        line += [f"--{key}", v]
    said = io.StringIO()
    with folder() as place, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        code = main([*line, "-o", str(place / "run.zarr")])
        if code == 2:
            raise InputError(said.getvalue().strip().removeprefix("semidirect: "))
        assert code == 0, f"exit code {code}: {said.getvalue()}"
        identical(plain, sd.Run.load(place / "run.zarr"), kind.names, "the run in Python")
    return "bits of the run in Python"

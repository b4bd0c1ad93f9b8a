"""Runs at URLs: the bytes of folders, one writer, and errors that say what to do.

``remote_stores.py`` runs the other tests of stores at URLs.
"""

import json
import os
import pickle
import socket
import sys
import uuid
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from remote_path import RemotePath
from s3_server import BUCKET, needs_s3, s3_server

import semidirect as sd
from semidirect.cli import main, outputs
from semidirect.core.errors import InputError, StoreError
from semidirect.ensemble.store import remote_lock, running
from semidirect.ensemble.store.remote_folder import RemoteFolder
from semidirect.ensemble.store.remote_lock import RemoteLock
from semidirect.specification import RunSpec

BALL = sd.load("rolling-ball")
CALL = {"t_end": 0.2, "dt": 0.05, "paths": 100, "seed": 4, "method": "heun", "reduce": "moments",
        "execution": sd.Execution(threads=1)}  # fmt: skip
NAMES = ["energy", "Omega"]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)


@pytest.fixture
def url():
    return RemotePath(f"memory://{uuid.uuid4().hex}") / "run.zarr"


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The files of the run, and of that with more time, in folders."""
    place = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
        simulate(place / "run.zarr")
        simulate(place / "longer.zarr", t_end=0.4)
    return tree(place / "run.zarr"), tree(place / "longer.zarr")


def simulate(place, resume=False, **changes):
    return BALL.simulate(**CALL | changes, save=sd.Save(names=NAMES, store=place, resume=resume))


def tree(path):
    return {f.relative_to(path).as_posix(): f.read_bytes() for f in path.rglob("*") if f.is_file()}


def test_the_bytes_are_those_of_a_folder(url, local):
    run = simulate(url)
    assert tree(url) == local[0]
    assert run.data.source.path == url
    again = sd.Run.load(f"{url}/")
    assert again["energy"].tobytes() == run["energy"].tobytes()
    assert sd.Run.load(run.save(url.with_name("saved.zarr")))["Omega"].tobytes() == run["Omega"].tobytes()
    assert sum(part.paths for part in sd.Run.parts(url)) == 100
    assert sd.extend(again, t_end=0.4).times[-1] == 0.4
    assert tree(url) == local[1]
    assert {f.name for f in url.parent.iterdir()} == {"run.zarr", "saved.zarr"}


def test_damaged_and_missing_objects_are_computed_again(url, local):
    simulate(url)
    flipped = bytearray((url / "data/energy/c.0.0").read_bytes())
    flipped[7] ^= 1
    (url / "data/energy/c.0.0").write_bytes(flipped)
    run = sd.Run.load(url)
    with pytest.raises(StoreError, match=r"chunk 0 of memory://.* is damaged: data/energy/c.0.0: .*another checksum"):
        run["energy"]
    (url / "end/y/c.1.0").unlink()
    (url / "data/Omega/zarr.json").unlink()
    with pytest.raises(StoreError, match=r"cannot be read as a run: data/Omega/zarr.json: No such file"):
        sd.Run.load(url)
    assert simulate(url, resume=True).data.work.chunks.total() == 2
    assert tree(url) == local[0]


@pytest.mark.parametrize("longer", [False, True])
def test_what_is_killed_at_any_request_is_resumed_to_the_same_bytes(url, local, monkeypatch, longer):
    """Each request of a run, or of its extension, is the last one of a process once."""
    requests = ("_send", "remove", "_copy", "_clear")

    class Killed(BaseException):
        pass

    def attempt(last):
        count = 0

        def limited(name, call):
            def request(folder, *given):
                nonlocal count
                count += 1
                if count > last:
                    raise Killed
                return call(folder, *given)

            monkeypatch.setattr(RemoteFolder, name, request)

        with monkeypatch.context():
            for name in requests:
                limited(name, getattr(RemoteFolder, name))
            try:
                run = sd.extend(url, t_end=0.4) if longer else simulate(url, resume=True)
            except Killed:
                run = None
        monkeypatch.undo()
        monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: 64)
        return run

    if longer:
        simulate(url)
    attempts = 0
    while attempt(attempts) is None:
        attempts += 1
        assert attempts < 40
    assert attempts >= 4  # 4 and 11
    assert tree(url) == local[longer]
    assert {f.name for f in url.parent.iterdir()} == {"run.zarr"}


def test_checksums_of_a_chunk_are_asked_for_once(url, monkeypatch):
    """Whatever is read of it: each object is a request."""
    simulate(url)
    asked, read = [], RemoteFolder.read
    monkeypatch.setattr(RemoteFolder, "read", lambda folder, name, most: asked.append(name) or read(folder, name, most))
    run = sd.Run.load(url)
    assert run["energy"].shape[0] == run["Omega"].shape[0] == 100
    assert run.reductions["moments"].mean["energy"].size
    assert sorted(name for name in asked if "checksums/c." in name) == [f"record/checksums/c.{n}.0.0" for n in (0, 1)]


def test_there_are_fewer_larger_objects():
    """As many chunks as in a folder, up to 256."""
    from semidirect.ensemble import specify

    spec = specify(BALL, t_end=1.0, dt=0.01, paths=10**6, save="final")
    in_folder, there = running.as_stored(spec), running.as_stored(spec, RemoteFolder.most_chunks)
    assert (in_folder.chunk_paths, in_folder.chunks) == (64, 15625)
    assert (there.chunk_paths, there.chunks) == (4096, 245)


# -- one writer ----------------------------------------------------------------------------------------------------


def test_the_second_writer_is_refused(url, local):
    simulate(url)
    with RemoteLock(url):
        with pytest.raises(StoreError, match=f"is being written by process {os.getpid()} on .*Wait for it, or stop it"):
            simulate(url, resume=True)
        with pytest.raises(StoreError, match="is being written by"):
            sd.extend(url, t_end=0.4)
        assert sd.Run.load(url).paths == 100  # readers need no lock
    simulate(url, resume=True)
    assert tree(url) == local[0]
    assert not url.with_name("run.zarr.lock").exists()


def test_the_lock_of_a_process_that_was_killed_is_taken_over(url, caplog):
    lock = RemoteLock(url)
    lock.__enter__()
    lock._lock.release()  # as the end of a process does, and nothing else
    assert url.with_name("run.zarr.lock").exists()
    simulate(url)
    assert f"took over the lock of process {os.getpid()} on {socket.gethostname()}" in caplog.text
    assert not url.with_name("run.zarr.lock").exists()


@pytest.mark.parametrize("owner", [{"host": "elsewhere"}, {"word": "of another file"}, {"word": None}])
def test_the_lock_of_another_host_stays(url, owner):
    lock, content = url.with_name("run.zarr.lock"), {"host": socket.gethostname(), "pid": 1, "word": "x", **owner}
    lock.write_text(json.dumps(content))
    with pytest.raises(StoreError, match=r"which may still be running.*remove the object memory://.*run.zarr.lock"):
        simulate(url)
    assert json.loads(lock.read_text()) == content
    assert not url.exists()


@pytest.mark.parametrize("content", ["my own notes", "{}", "7"])
def test_objects_that_are_no_locks_are_left_untouched(url, content):
    lock = url.with_name("run.zarr.lock")
    lock.write_text(content)
    with pytest.raises(StoreError, match=r"run\.zarr\.lock is not the lock of a run\. Move it away"):
        simulate(url)
    assert lock.read_text() == content


def test_a_server_that_cannot_lock_is_refused(url, monkeypatch):
    """It ignores the condition that no such object exists, as some servers do."""
    files = type(url.files[0])
    write = files.pipe_file
    monkeypatch.setattr(files, "pipe_file", lambda self, path, value, mode="overwrite", **how: write(self, path, value))
    with pytest.raises(StoreError, match=r"creates an object that exists already, so it cannot lock"):
        simulate(url)
    assert not url.exists()
    assert not url.with_name("run.zarr.lock").exists()


# -- errors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("s4://bucket/run.zarr", r"expected a protocol of fsspec, such as s3.* got s4://bucket/run\.zarr"),
        ("s3://bucket", r"expected a name within the bucket, got s3://bucket\. Write s3://bucket/run\.zarr"),
        ("s3://me:secret@bucket/run", r"without a name or password, got one with both, of s3://bucket/run"),
        ("memory://", r"expected a URL such as memory://bucket/run\.zarr"),
        ("memory://a/../b", r"without empty parts"),
        ("memory://a//b", r"without empty parts"),
        ("memory://a/run[0]", r"without empty parts or any of"),
        ("zip://run.zarr::s3://bucket/a.zip", r"expected a URL of one protocol"),
        ("memory://a/run.csv", r"got that of a file, \.csv\. Write memory://a/run\.zarr"),
    ],
)
def test_urls_that_cannot_be_used(place, message):
    with pytest.raises(InputError, match=message) as error:
        sd.Save(store=place)
    assert "secret" not in str(error.value)


def test_what_is_missing_is_said(url, monkeypatch, tmp_path):
    with pytest.raises(StoreError, match=r"there is no memory://.*Write one with run\.save"):
        sd.Run.load(url)
    with pytest.raises(StoreError, match=r"cannot write ftp://host/run\.zarr: .* ftp:// has no locks"):
        simulate("ftp://host/run.zarr")
    simulate(f"file://{tmp_path}/run.zarr")
    assert (tmp_path / "run.zarr/zarr.json").exists()
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputError, match=r'unless fsspec is installed.*pip install "semidirect\[cloud\]"'):
        sd.Save(store=url)


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(StoreError, match=r"s3://bucket/run\.zarr.* cannot be reached: .*s3fs"):
        sd.Run.load("s3://bucket/run.zarr")


# -- the command line, and a server --------------------------------------------------------------------------------


def test_commands_take_urls(url, capsys):
    call = ["run", "rolling-ball", "--t-end", "0.2", "--dt", "0.05", "--paths", "100", "--method", "heun", "--keep", "energy",
            "-o", str(url)]  # fmt: skip
    assert main(call) == 0
    assert f"saved in {url}" in capsys.readouterr().out
    (url / "record/checksums/c.1.0.0").unlink()
    assert main([*call, "--resume"]) == 0
    assert main(["run", "rolling-ball", "--extend", "--paths", "120", "-o", str(url)]) == 0
    assert sd.Run.load(url).paths == 120
    assert main(["run", "rolling-ball", "--t-end", "0.3", "--dt", "0.05", "--method", "heun", "--from", str(url)]) == 0
    capsys.readouterr()
    assert main(call) != 0
    assert "exists already" in capsys.readouterr().err
    assert outputs.beside(str(url), ".png") == Path.cwd() / "run.png"


@needs_s3
def test_a_run_in_s3(local, monkeypatch):
    with s3_server() as environment:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL"):
            monkeypatch.setenv(name, environment[name])
        url = RemotePath(f"s3://{BUCKET}/run.zarr")
        simulate(url)
        assert tree(url) == local[0]
        sd.extend(url, t_end=0.4)
        assert tree(url) == local[1]
        np.testing.assert_array_equal(sd.Run.load(url).times, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4])
        with pytest.raises(StoreError, match=r"The specified bucket does not exist.*Make the bucket first"):
            simulate("s3://no-such-bucket/run.zarr")
        with RemoteLock(url), pytest.raises(StoreError, match="is being written by"):
            simulate(url, resume=True)
    assert remote_lock.EXCLUSIVE[1] == "s3"


def test_worker_processes_do_not_write_into_a_memory_of_their_own(url, local):
    """A process that is forked has a copy of ``memory://``, with the manifest of the run: what it wrote there was lost."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        own = sd.Execution(executor=pool)
        simulate(url, execution=own)
        assert tree(url) == local[0]
        sd.extend(url, t_end=0.4, execution=own)
        assert tree(url) == local[1]
    pickled = pickle.dumps(sd.Run.load(url))
    RemoteFolder(str(url))._clear()  # as another process has it
    with pytest.raises(StoreError, match=r"in the memory of another process.*Write it to a folder"):
        pickle.loads(pickled)


def test_a_url_may_be_longer_than_a_path(url):
    place = f"{url.parent}/{'a' * 5000}"
    assert sd.Run.load(simulate(place).data.source.path).paths == 100

"""Full disks, files that were cut off, two writers, writers that died: clear errors, and what was done stays."""

import errno
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

import semidirect as sd
from semidirect.core.errors import StoreError
from semidirect.engines.stepping import room
from semidirect.ensemble.signals import ended_like_interrupted
from semidirect.ensemble.store import files, local_folder
from semidirect.ensemble.store.lock import Lock
from semidirect.specification import RunSpec

CHUNK = 64
BALL = sd.load("rolling-ball")
CALL = {"t_end": 0.2, "dt": 0.05, "paths": 200, "seed": 4, "method": "heun"}


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: CHUNK)


@pytest.fixture
def whole(tmp_path):
    """The files of the run that nothing happened to."""
    BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr"))
    return tree(tmp_path / "whole.zarr")


def tree(path):
    return {str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()}


def marks(path):
    return sorted(p.name for p in (path / "record/checksums").glob("c.*.0.0"))


# -- full disk -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 10_000, 400_000])
def test_a_full_disk(tmp_path, monkeypatch, whole, room):
    """A writer for which there is so much room, whatever it has just begun to write."""
    target = tmp_path / "run.zarr"
    left = room

    def write_whole(path, content):
        nonlocal left
        left -= len(content)
        if left < 0:
            path.with_name(f"{path.name}.1-1{files.PARTIAL}").write_bytes(content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        files.write_whole(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(local_folder, "write_whole", write_whole)
        with pytest.raises(
            StoreError, match=r"cannot write chunk \d of .*: No space left on device: \d of 4 chunks .* free disk space"
        ):
            BALL.simulate(**CALL, save=sd.Save(store=target))
    done = marks(target)
    assert bool(done) == (room == 400_000)
    part = sd.Run.load(target, partial=True)
    assert part.paths == sum(8 if name == "c.3.0.0" else 64 for name in done)
    BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
    assert tree(target) == whole
    assert not (tmp_path / "run.zarr.lock").exists()


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="only root mounts a disk of one's own")
def test_a_disk_that_is_really_full(tmp_path, whole, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with pytest.raises(StoreError, match=r"does not fit on its disk: expected at most 0\.\d MB"):
            BALL.simulate(**CALL, save=sd.Save(store=disk / "run.zarr"), execution=sd.Execution(threads=1))
        monkeypatch.setattr(
            room.shutil, "disk_usage", lambda place: SimpleNamespace(free=2**40)
        )  # others fill it meanwhile
        with pytest.raises(StoreError, match=r"No space left on device: [1-3] of 4 chunks are complete"):
            BALL.simulate(**CALL, save=sd.Save(store=disk / "run.zarr"), execution=sd.Execution(threads=1))
        assert not list(disk.rglob("*.partial"))
        subprocess.run(["mount", "-o", "remount,size=4M", disk], check=True)
        BALL.simulate(**CALL, save=sd.Save(store=disk / "run.zarr", resume=True))
        assert tree(disk / "run.zarr") == whole
    finally:
        subprocess.run(["umount", disk], check=True)


def test_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    for target in (tmp_path / "file" / "run.zarr", tmp_path / "nowhere" / "run.zarr"):
        with pytest.raises(StoreError, match=r"cannot write .*run.zarr: .*Choose a place you may write to"):
            BALL.simulate(**CALL, save=sd.Save(store=target))


# -- damage --------------------------------------------------------------------------------------------------------


def test_a_chunk_that_was_cut_off(tmp_path, whole):
    target = tmp_path / "whole.zarr"
    file = target / "data/energy/c.1.0"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(
        StoreError, match=r"chunk 1 of .*, paths 64 to 127, is damaged: data/energy/c.1.0: 100 bytes instead of 2560"
    ):
        sd.Run.load(target)
    run = BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
    assert run.data.work.chunks.total() == 1
    assert tree(target) == whole


def test_a_file_that_is_gone(tmp_path, whole):
    target = tmp_path / "whole.zarr"
    (target / "end/y/c.2.0").unlink()
    with pytest.raises(StoreError, match=r"chunk 2 of .* is damaged: end/y/c.2.0: nothing instead of"):
        sd.Run.load(target)
    BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
    assert tree(target) == whole


def test_one_bit_that_was_turned(tmp_path, whole, caplog):
    target = tmp_path / "whole.zarr"
    file = target / "data/energy/c.0.0"
    content = bytearray(file.read_bytes())
    content[7] ^= 1
    file.write_bytes(content)
    run = sd.Run.load(target)
    run["Omega"]
    with pytest.raises(
        StoreError, match=r"chunk 0 of .* is damaged: data/energy/c.0.0: .*another checksum.*resume=True"
    ):
        run["energy"]
    with caplog.at_level(logging.WARNING):
        BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
    assert "damaged chunks are computed again: 0" in caplog.text
    assert tree(target) == whole


@pytest.mark.parametrize("name", ["zarr.json", "data/zarr.json", "data/energy/zarr.json", "record/times/c.0"])
def test_metadata_that_are_gone(tmp_path, whole, name):
    (tmp_path / "whole.zarr" / name).unlink()
    with pytest.raises(
        StoreError, match=r"cannot be read as a run: .*No such file|is damaged: record/times.*nothing instead"
    ):
        sd.Run.load(tmp_path / "whole.zarr")


def test_metadata_that_were_changed(tmp_path, whole):
    file = tmp_path / "whole.zarr/data/energy/zarr.json"
    file.write_text(file.read_text().replace("200", "300"))
    with pytest.raises(StoreError, match=r"data/energy/zarr.json was changed"):
        sd.Run.load(tmp_path / "whole.zarr")


# -- writers -------------------------------------------------------------------------------------------------------


def test_the_second_writer_is_refused(tmp_path, whole):
    target = tmp_path / "whole.zarr"
    me = f"process {os.getpid()} on {socket.gethostname()}"
    with Lock(target):
        with pytest.raises(StoreError, match=f"is being written by {me}. Wait for it, or stop it"):
            BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
        with pytest.raises(StoreError, match=f"is being written by {me}"):
            sd.extend(target, paths=300)
        assert sd.Run.load(target).paths == 200  # readers need no lock
    assert tree(target) == whole
    BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))


def lock_of(path, **owner):
    lock = path.with_name(f"{path.name}.lock")
    lock.write_text(json.dumps({"host": socket.gethostname(), "pid": 1, **owner}))
    return lock


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path, whole, caplog):
    """Also where another process has its number by now."""
    target = tmp_path / "whole.zarr"
    for pid in (4194304, os.getpid()):
        lock = lock_of(target, pid=pid)
        with caplog.at_level(logging.WARNING):
            BALL.simulate(**CALL, save=sd.Save(store=target, resume=True))
        assert (
            f"took over the lock of process {pid} on {socket.gethostname()}, which is not running any more"
            in caplog.text
        )
        assert not lock.exists()


def test_the_lock_of_another_host_stays(tmp_path, whole):
    lock = lock_of(tmp_path / "whole.zarr", pid=1, host="elsewhere")
    with pytest.raises(StoreError, match=r"by process 1 on elsewhere, which may still be running.*remove .*zarr.lock"):
        BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr", resume=True))
    assert lock.exists()


@pytest.mark.parametrize("content", ["", "\n"])
def test_an_empty_lock_is_taken_over(tmp_path, whole, content):
    lock = tmp_path / "whole.zarr.lock"
    lock.write_text(content)
    BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr", resume=True))
    assert not lock.exists()


def test_an_empty_lock_that_is_held_is_not(tmp_path, whole):
    with Lock(tmp_path / "whole.zarr") as lock:
        lock.path.write_text("")
        with pytest.raises(StoreError, match=r"is being written by another process\. Wait for it, or stop it"):
            BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr", resume=True))


@pytest.mark.parametrize("content", [b"my own notes", b'{"host": "', b"{}", b"[1]", b"\xff\xfe", b"7", b"{}" * 5000])
def test_files_that_are_no_locks_are_left_untouched(tmp_path, whole, content):
    lock = tmp_path / "whole.zarr.lock"
    lock.write_bytes(content)
    with pytest.raises(StoreError, match=r"whole\.zarr\.lock is not the lock of a run\. Move it away"):
        BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr", resume=True))
    assert lock.read_bytes() == content


@pytest.mark.parametrize("kind", ["folder", "link to a file", "link to nothing", "pipe"])
def test_no_lock_is_written_through_a_link(tmp_path, whole, kind):
    lock, mine = tmp_path / "whole.zarr.lock", tmp_path / "mine"
    if kind == "link to a file":
        mine.write_text("")
    {"folder": lock.mkdir, "pipe": lambda: os.mkfifo(lock)}.get(kind, lambda: lock.symlink_to(mine))()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"whole\.zarr\.lock is not the lock of a run"):
            BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "whole.zarr", resume=True))
    assert mine.exists() == (kind == "link to a file")
    assert not mine.exists() or mine.read_text() == ""


def test_a_store_has_one_lock_by_whatever_name(tmp_path, whole):
    """A link that the user made of the whole store is followed, since it was named."""
    link = tmp_path / "short.zarr"
    link.symlink_to(tmp_path / "whole.zarr")
    with (
        Lock(tmp_path / "whole.zarr"),
        pytest.raises(StoreError, match=r"whole\.zarr is being written"),
    ):
        BALL.simulate(**CALL, save=sd.Save(store=link, resume=True))
    (tmp_path / "whole.zarr/data/energy/c.1.0").unlink()
    BALL.simulate(**CALL, save=sd.Save(store=link, resume=True))
    assert tree(tmp_path / "whole.zarr") == whole
    assert sorted(p.name for p in tmp_path.iterdir()) == ["short.zarr", "whole.zarr"]


# -- interruptions -------------------------------------------------------------------------------------------------

SCRIPT = """
    import signal
    import sys
    import time
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores for what it runs in the background
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup ignores for what it runs
    import semidirect as sd
    from semidirect.specification import RunSpec
    from semidirect.ensemble.store.store import Store
    RunSpec.usual_chunk = lambda *given: 64
    write, most = Store.write, int(sys.argv[2])

    def slow(store, *given):  # time for a signal, however fast the machine is, and however late the one who sends it
        write(store, *given)
        time.sleep(0.1 if len(store.done()) < most else 60)

    Store.write = slow
    sd.load("rolling-ball").simulate(t_end=20, dt=0.05, paths=800, method="heun", reduce="moments",
                                     save=sd.Save("every:50", store=sys.argv[1], resume=True),
                                     execution=sd.Execution(threads=2, engine="numpy"))
"""


def begun(target, count, kind):
    """A process that is ended by a signal as soon as it has done some chunks."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), target, str(count + 4)], stderr=subprocess.PIPE, text=True
    )
    patience = time.monotonic() + 120
    while not (target.exists() and len(marks(target)) >= count):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < patience
        time.sleep(0.01)
    process.send_signal(kind)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_killed_and_resumed(tmp_path):
    """kill -9 twice at other moments; the bytes are those of a run that nothing happened to."""
    target = tmp_path / "run.zarr"
    for count in (1, 5):
        assert begun(target, count, signal.SIGKILL)[0] == -signal.SIGKILL
        assert (tmp_path / "run.zarr.lock").exists()
        assert count <= len(marks(target)) < 13
        before = tree(target)
    call = {"t_end": 20, "dt": 0.05, "paths": 800, "method": "heun", "reduce": "moments"}
    with pytest.raises(StoreError, match=r"of 13 chunks are missing"):
        sd.Run.load(target)
    done = {int(name.split(".")[1]) for name in marks(target)}
    BALL.simulate(**call, save=sd.Save("every:50", store=target, resume=True))
    after = tree(target)
    kept = {k: v for k, v in before.items() if "/c." in k and not k.endswith(".partial")}
    assert all(after[k] == v for k, v in kept.items() if int(k.rpartition("/c.")[2].split(".")[0]) in done)
    BALL.simulate(**call, save=sd.Save("every:50", store=tmp_path / "whole.zarr"))
    assert after == tree(tmp_path / "whole.zarr")


def test_killed_while_a_store_was_made(tmp_path):
    """What another process began is removed; what is somebody else's stays."""
    begun, other = tmp_path / "run.zarr.4194304.new", tmp_path / "run.zarr.of-mine.new"
    for folder in (begun, other):
        folder.mkdir()
        (folder / "zarr.json").write_text("{")
    BALL.simulate(**CALL, save=sd.Save(store=tmp_path / "run.zarr"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.zarr", "run.zarr.of-mine.new"]


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_keeps_its_finished_chunks(tmp_path, kind):
    """Ctrl-C, the end of a batch job, a terminal that closes: what is done is kept, and how to go on is said."""
    target = tmp_path / "run.zarr"
    code, errors = begun(target, 2, kind)
    assert code == -kind
    assert "Save(resume=True) or --resume finishes it" in errors
    assert len(marks(target)) >= 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.zarr"]
    assert not list(target.rglob("*.partial"))


def test_signals_that_others_treat_stay_theirs():
    """``nohup`` ignores SIGHUP, a program may have its own way to end; a thread cannot treat signals at all."""
    seen = []
    before = signal.signal(signal.SIGTERM, lambda *given: seen.append("mine"))
    hangup = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_like_interrupted():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGHUP)
        with ThreadPoolExecutor(1) as pool, ended_like_interrupted():
            assert pool.submit(lambda: ended_like_interrupted().__enter__()).result() is None
        assert seen == ["mine"]
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGHUP, hangup)


def test_a_signal_to_a_worker_ends_the_worker_only():
    """A forked worker inherits what the process that leads the run does about signals."""
    with ended_like_interrupted():
        worker = os.fork()
        if worker == 0:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(10)
            finally:
                os._exit(3)
        assert os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]) == -signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

"""A process that is forked while other threads are at work can derive, compile and run."""

import ast
import gc
import os
import subprocess
import sys
import threading
from functools import cached_property
from pathlib import Path

import pytest

from semidirect.core.locks import ForkSafeLock, ProcessChange

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SOURCE = Path(__file__).parents[2] / "src" / "semidirect"

DERIVE = """
import gc, os, threading
import numpy as np
import semidirect as sd

inside, go_on = threading.Event(), threading.Event()

class Slow(sd.System):
    "A body whose Lagrangian waits, in one thread, until the process has forked."
    group = sd.SO3()
    initial = {"Omega": [1.0, 2.0, 3.0]}

    def lagrangian(self, xi):
        if threading.current_thread().name == "slow":
            inside.set()
            assert go_on.wait(60)
        return 0.1 * (xi.Omega @ xi.Omega)

def final():
    return Slow().simulate(t_end=0.1, dt=0.05, execution=sd.Execution(engine="compiled"))["Omega"][0, -1].tolist()

threading.Thread(target=final, name="slow").start()
assert inside.wait(60)
assert not gc.isenabled()  # paused, by the other thread
pid = os.fork()
if pid == 0:
    import faulthandler
    faulthandler.dump_traceback_later(40, exit=True)
    from sympy import Float, sympify
    clean = gc.isenabled() and isinstance(sympify(0.5), Float)
    os._exit(0 if clean and np.allclose(final(), [1, 2, 3]) else 3)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
go_on.set()
print("child", code)
"""


def test_a_child_derives_while_a_thread_of_the_parent_derives(tmp_path):
    """With a cold cache: the thread holds the locks of the derivation, has the collector paused and SymPy's floats exact."""
    environment = {**os.environ, "SEMIDIRECT_CACHE": str(tmp_path)}
    (tmp_path / "derives.py").write_text(DERIVE)
    done = subprocess.run(
        [sys.executable, tmp_path / "derives.py"], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "child 0\n", done.stderr


IMPORT = """
import os, sys, threading, time
sys.path.insert(0, {folder!r})
import semidirect
{before}
threading.Thread(target=lambda: {what}).start()
while {module!r} not in sys.modules:
    time.sleep(0.001)
pid = os.fork()
if pid == 0:
    import faulthandler
    faulthandler.dump_traceback_later(20, exit=True)
    os._exit(0 if {what} else 3)
print("child", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.parametrize(
    ("before", "what", "module"),
    [("semidirect.SO3", '__import__("slow_module").whole', "slow_module"), ("", "semidirect.System", "numpy")],
    ids=["any", "first"],
)
def test_a_child_imports_what_a_thread_of_the_parent_was_importing(tmp_path, before, what, module):
    """Any module after the first use of a name, and the first use itself, which imports others after the hooks at forks."""
    (tmp_path / "slow_module.py").write_text("import time\ntime.sleep(0.5)\nwhole = True\n")
    text = IMPORT.format(folder=str(tmp_path), before=before, what=what, module=module)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.stdout == "child 0\n", done.stderr


def in_child(check):
    """Whether a check holds in a forked process, which must end within seconds."""
    pid = os.fork()
    if pid == 0:
        import signal

        signal.alarm(10)
        code = 3
        try:
            code = 0 if check() else 3
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


class Held:
    """Another thread within a context."""

    def __init__(self, context):
        self.inside, self.end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.work, args=(context,))

    def work(self, context):
        with context:
            self.inside.set()
            self.end.wait(30)

    def __enter__(self):
        self.thread.start()
        assert self.inside.wait(10)

    def __exit__(self, *error):
        self.end.set()
        self.thread.join()


def takes(lock):
    with lock:
        return True


def test_a_lock_that_another_thread_holds_is_free_in_the_child_which_restores():
    restored = []
    lock = ForkSafeLock(restore=lambda: restored.append(1))
    with Held(lock):
        assert in_child(lambda: restored == [1] and takes(lock))
    assert restored == []
    assert takes(lock)


def test_a_lock_that_the_forking_thread_holds_stays_held():
    """The child releases it as the parent does, and its other threads wait for that."""
    lock, order = ForkSafeLock(restore=lambda: order.append("restored")), []

    def waits():
        with lock:
            order.append("other")

    with Held(ForkSafeLock()), lock:
        with lock:

            def check():
                other = threading.Thread(target=waits)
                other.start()
                other.join(0.1)
                order.append("released")
                lock.__exit__(None, None, None)
                lock.__exit__(None, None, None)
                other.join()
                return order == ["released", "other"]

            assert in_child(check)
    assert takes(lock)


def test_a_fork_waits_for_a_lock_that_cannot_be_left_in_the_middle():
    lock, state = ForkSafeLock(waits=True), []

    def work():
        with lock:
            state.append("begun")
            inside.set()
            end.wait(0.3)
            state.append("done")

    inside, end = threading.Event(), threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    assert inside.wait(10)
    assert in_child(lambda: state == ["begun", "done"] and takes(lock))
    thread.join()
    assert takes(lock)


@pytest.mark.parametrize("own", [False, True], ids=["other", "own"])
def test_a_change_of_the_process_ends_in_the_child_unless_its_thread_made_it(own):
    state = [0]

    def make():
        state[0] += 1
        return lambda: state.__setitem__(0, state[0] - 1)

    change = ProcessChange(make)
    with Held(change):
        if own:
            with change:
                assert in_child(lambda: state == [1])
        assert in_child(lambda: state == [0] and takes(change) and state == [0])
        assert state == [1]
    assert state == [0]


@pytest.mark.parametrize("frozen", [False, True])
def test_a_cached_property_that_another_thread_computes_is_free_in_the_child(frozen):
    """Also after ``gc.freeze``, which servers call before they fork: the collector does not list what is frozen."""

    class Slow:
        @cached_property
        def value(self):
            if threading.current_thread() is not threading.main_thread():
                inside.set()
                end.wait(10)
            return 1

    inside, end = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: Slow().value)
    thread.start()
    assert inside.wait(10)
    if frozen:
        gc.freeze()
    try:
        assert in_child(lambda: Slow().value == 1)
    finally:
        end.set()
        thread.join()


def test_there_is_no_other_lock():
    found = []
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module in ("threading", "_thread", "multiprocessing"):
                found += [(file.name, a.name) for a in node.names if a.name in LOCKS]
            if isinstance(node, ast.Attribute) and node.attr in LOCKS and isinstance(node.value, ast.Name):
                found += [(file.name, node.attr)] * (node.value.id in ("threading", "_thread", "multiprocessing"))
    assert found == [("locks.py", "RLock")]


LOCKS = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Barrier", "allocate_lock")

"""Pauses of the collector of cycles overlap, end with an error too, and leave what was before."""

import gc
import threading

import pytest

import semidirect as sd
from semidirect.machine.collector import paused_collector


@pytest.fixture(autouse=True, params=[True, False], ids=["collector on", "collector off"])
def before(request):
    was = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    assert gc.isenabled() == request.param
    (gc.enable if was else gc.disable)()


def fails():
    with paused_collector():
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise KeyError


def test_pauses_overlap_and_end_with_errors(before):
    with pytest.raises(KeyError):
        fails()
    assert gc.isenabled() == before


def test_pauses_of_threads_overlap():
    inside, leave = threading.Event(), threading.Event()

    def pause():
        with paused_collector():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=pause)
    with paused_collector():
        thread.start()
        assert inside.wait(10)
    assert not gc.isenabled()  # the other one goes on
    leave.set()
    thread.join()


def test_a_run_that_is_refused_leaves_the_collector():
    with pytest.raises(sd.errors.InputError):
        sd.load("rigid-body").simulate(t_end=1, dt=0.3)

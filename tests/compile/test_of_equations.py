"""What is compiled for equations is made once, one at a time, and goes with them."""

import gc
import threading

import pytest

from semidirect.compile.of_equations import OfEquations


class Equations:
    """Something that a weak reference can name."""


def test_it_is_made_once_for_equations_and_a_key():
    made, one, other = OfEquations(), Equations(), Equations()
    calls = []
    make = lambda: calls.append(None) or len(calls)  # noqa: E731
    assert not made.knows(one, "a")
    assert [
        made.get(one, "a", make),
        made.get(one, "a", make),
        made.get(one, "b", make),
        made.get(other, "a", make),
    ] == [1, 1, 2, 3]
    assert made.knows(one, "a")
    assert sorted(made.all()) == [1, 2, 3]


def test_it_goes_with_the_equations():
    made, one, other = OfEquations(), Equations(), Equations()
    made.get(one, "a", lambda: 1)
    made.get(other, "a", lambda: 2)
    del one
    gc.collect()
    assert made.all() == [2]


def test_threads_wait_for_the_one_that_makes_it():
    made, one, calls, begun, go_on = OfEquations(), Equations(), [], threading.Event(), threading.Event()

    def make():
        begun.set()
        assert go_on.wait(10)
        calls.append(None)
        return len(calls)

    results = []
    threads = [threading.Thread(target=lambda: results.append(made.get(one, "a", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    go_on.set()
    for thread in threads:
        thread.join()
    assert results == [1] * 4


def test_what_cannot_be_made_is_tried_again():
    made, one = OfEquations(), Equations()
    with pytest.raises(ZeroDivisionError):
        made.get(one, "a", lambda: 1 // 0)
    assert made.get(one, "a", lambda: 2) == 2

"""A run that is interrupted, or in which one part fails, ends soon."""

from threading import Event

import pytest

import semidirect as sd
from semidirect.engines.record import Record
from semidirect.specification import RunSpec

STEPS, CHUNK = 100_000, 64


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_the_other_threads_stop(monkeypatch, error):
    last, begun = {}, Event()

    def watch(record, model, step, *state, again):
        last[record.paths.start] = step
        if record.paths.start:
            begun.set()
        elif step == 40:
            assert begun.wait(60)
            raise error

    monkeypatch.setattr(RunSpec, "usual_chunk", lambda *given: CHUNK)
    monkeypatch.setattr(Record, "watch", watch)
    body = sd.load("rigid-body", noise=[])
    with pytest.raises(error):
        body.simulate(
            t_end=STEPS / 100, dt=0.01, paths=2 * CHUNK, execution=sd.Execution(threads=2, engine="numpy"), save="final"
        )
    assert set(last) == {0, CHUNK}
    assert last[0] == 40
    assert last[CHUNK] < STEPS

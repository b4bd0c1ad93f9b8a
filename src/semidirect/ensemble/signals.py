"""Termination signals, handled like an interruption by the user."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(KeyboardInterrupt):
    """The process was asked to end by a signal."""

    def __init__(self, number: int):
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def ended_like_interrupted() -> Iterator[None]:
    """Within this context, SIGTERM and SIGHUP raise an exception as Ctrl-C does, so that locks are released and partial files
    removed. Then the process ends by the signal, as usual.

    Signals with another handler, or ignored ones (``nohup``), are left alone. Python handles signals in the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    here, raised = os.getpid(), False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if os.getpid() != here:  # a forked worker
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif not raised:  # a second signal does not interrupt the clean-up after the first
            raised = True
            raise Ended(number)

    mine = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    ended: Ended | None = None
    try:
        for number in mine:
            signal.signal(number, end)
        yield
    except Ended as request:
        ended = request
        raise
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
        if ended is not None:
            os.kill(os.getpid(), ended.number)

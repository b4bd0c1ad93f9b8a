"""Limits for what is fuzzed: time, and memory."""

from __future__ import annotations

import argparse
import contextlib
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

MEMORY = 8 * 2**30


class TooLong(BaseException):
    """Raised where something takes longer than it may; no ``except Exception`` catches it."""


@contextlib.contextmanager
def time_limit(seconds: float):
    """End what is inside after so many seconds of the processor, or ten times as many of the clock, and say where it was."""

    def late(number, frame):
        own = [f for f in traceback.extract_stack(frame) if "semidirect" in f.filename]
        raise TooLong("; ".join(f"{f.filename.rpartition('/')[2]}:{f.lineno}" for f in own[-4:]))

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 10 * seconds))
    before = [signal.signal(number, late) for number, _, _ in timers]
    for _, timer, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def limited_memory() -> None:
    """Let what asks for too much memory fail instead of the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def large_run(
    what: str, failures: Callable[[int, int, Callable[[str], None]], list[tuple[Any, str]]], doc: str | None
) -> None:
    """The script of a generator: COUNT of ``what`` with a seed, those that do not pass, and how many these are."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    limited_memory()
    wrong = failures(options.count, options.seed, lambda text: print(text, flush=True))
    print(f"{options.count} {what}, seed {options.seed}: {len(wrong)} do not pass")
    sys.exit(bool(wrong))

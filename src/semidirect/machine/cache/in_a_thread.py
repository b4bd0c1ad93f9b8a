"""Work of a library that calls nobody back, such as LLVM, in a thread, so that Ctrl-C is answered at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["in_a_thread"]

T = TypeVar("T")
ANSWERED_AFTER = 0.1
"""Seconds: signals are looked at so often where waiting does not end with them."""


def in_a_thread(work: Callable[[], T]) -> T:
    """The result of ``work``, or its error. After an interruption it continues alone, and ends with the process.

    Signals are delivered to the main thread; other threads work themselves.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    ended, results, failures = threading.Event(), list[T](), list[BaseException]()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised where the result is waited for
            failures.append(error)
        finally:
            ended.set()

    threading.Thread(target=run, name="compiler", daemon=True).start()
    while not ended.wait(ANSWERED_AFTER):
        pass
    if failures:
        raise failures[0]
    return results[0]

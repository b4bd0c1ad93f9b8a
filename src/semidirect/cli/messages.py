"""Messages on stderr: one line each where a program reads them, lines that fit on a terminal; and what is logged."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Timer

from semidirect.core import messages
from semidirect.text import text_layout

PATIENCE = 1.0
"""Seconds after which work that continues is announced where stderr is no terminal."""


def report(text: str) -> None:
    """Print a message after the name of the program."""
    print(_laid_out(text), file=sys.stderr)


@contextmanager
def log_on_stderr(*, verbose: bool) -> Iterator[None]:
    """Show what the library logs: warnings; what takes time, on a terminal or once it takes long; all of it if ``verbose``."""
    logger, handler = logging.getLogger("semidirect"), _Handler(verbose)
    before = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    try:
        with messages.showing_progress():
            yield
    finally:
        handler.forget()
        logger.removeHandler(handler)
        logger.setLevel(before)


class _Handler(logging.StreamHandler):
    """Messages at once, or after :data:`PATIENCE` where nobody watches and the work may be done by then."""

    def __init__(self, verbose: bool):
        super().__init__(sys.stderr)
        on_terminal = verbose or (sys.stderr is not None and sys.stderr.isatty())
        self._least = logging.DEBUG if verbose else logging.INFO if on_terminal else logging.WARNING
        self._waiting: Timer | None = None

    def format(self, record: logging.LogRecord) -> str:
        """The message as it is printed."""
        return _laid_out(super().format(record))

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message, or wait with it."""
        if record.levelno >= self._least:
            messages.erase_lines()
            super().emit(record)
        elif getattr(record, "work", "") == messages.BEGINS:
            self.forget()
            self._waiting = Timer(PATIENCE, self._print_late, [record])
            self._waiting.daemon = True
            self._waiting.start()
        elif getattr(record, "work", "") == messages.DONE:
            self.forget()

    def forget(self) -> None:
        """Print nothing more of what waits."""
        if self._waiting is not None:
            self._waiting.cancel()

    def _print_late(self, record: logging.LogRecord) -> None:
        with self.lock or nullcontext():
            super().emit(record)


def _laid_out(text: str) -> str:
    return text_layout.wrapped(
        f"semidirect: {messages.printable(text)}", text_layout.text_width(sys.stderr, piped=text_layout.WHOLE)
    )

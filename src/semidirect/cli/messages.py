"""Messages on stderr: one line each where a program reads them, lines that fit on a terminal."""

from __future__ import annotations

import sys

from semidirect.core.text_layout import WHOLE, text_width, wrapped


def report(text: str) -> None:
    """Print a message after the name of the program."""
    print(laid_out(f"semidirect: {text}"), file=sys.stderr)


def laid_out(text: str) -> str:
    """A message as it is printed."""
    return wrapped(text, text_width(sys.stderr, piped=WHOLE))


def on_terminal() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()

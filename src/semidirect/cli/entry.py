"""The entry point: arguments in, exit code out; errors become one line on stderr."""

from __future__ import annotations

import codecs
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from semidirect.cli.commands import add_commands
from semidirect.cli.completion import complete
from semidirect.cli.messages import log_on_stderr, report
from semidirect.cli.parser import CommandParser, add_messages
from semidirect.core import __version__, errors

SHOWN = (errors.PluginWarning, errors.DefinitionWarning, errors.FailedPathsWarning, errors.FilterWarning)
"""Warnings that are messages of a command."""

FAILED, USAGE_ERROR, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments after the program's name; by default those of the process.

    Returns
    -------
    int
        0 good; 1 a run finished but paths failed, or a check failed; 2 wrong usage or input; 130 interrupted;
        141 the reader of the output went away.
    """
    if sys.stderr is None:  # closed: what is meant for it would go to stdout
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # for the rest of the process
    _print_what_the_terminal_can_show()
    debug = False
    try:
        with _warnings_as_text(), log_on_stderr(verbose=False):  # commands of other packages may take long to import
            parser = make_parser(sys.argv[1:] if arguments is None else arguments)
        complete(parser)
        args, others = parser.parse_known_args(arguments)
        if others:
            getattr(args, "parser", parser).refuse(others)
        debug = args.debug
        if args.command is None:
            parser.print_help(sys.stderr)
            return USAGE_ERROR
        with _warnings_as_text(), log_on_stderr(verbose=args.verbose):
            status: int = args.execute(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        _tell_what_was_replaced()
        return status
    except SystemExit as stop:  # argparse, after help, the version, or its own message
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        report("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
        else:
            report(f"error: {described(error)}")
        if isinstance(error, OSError):
            _forget_output()
        return FAILED if isinstance(error, errors.SimulationError) else USAGE_ERROR


def make_parser(arguments: Sequence[str] = ()) -> CommandParser:
    """The parser of all commands; those of other packages are left out if the arguments name a built-in one."""
    parser = CommandParser(
        prog="semidirect",
        description="Derive and simulate stochastic equations of mechanical systems.",
        epilog="'semidirect COMMAND -h' describes a command. Values of --set and --state are JSON. "
        "Exit codes: 0 good, 1 paths or checks failed, 2 wrong usage or input.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"semidirect {__version__}")
    add_messages(parser)
    commands = parser.add_commands()
    add_commands(commands, arguments)
    for one in commands.choices.values():
        one.set_defaults(parser=one)  # whose usage is shown if its arguments are invalid
    return parser


def described(error: BaseException) -> str:
    """An error in one line: our errors unchanged, errors of the operating system with the file, all others with their type."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    elif isinstance(error, errors.SemidirectError):
        text = str(error)
    else:
        from semidirect.core import messages

        where = messages.user_source_line(error)
        text = (
            f"unexpected {type(error).__name__}: {error}" + (f", at {where}" if where else "") + ". More with --debug."
        )
    return " ".join(text.split())


@contextmanager
def _warnings_as_text() -> Iterator[None]:
    with warnings.catch_warnings():
        others: Callable[..., Any] = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, SHOWN):
                report(f"warning: {' '.join(str(message).split())}")
            else:
                others(message, category, *where, **more)

        for kind in SHOWN:
            warnings.simplefilter("always", kind)
        warnings.showwarning = show
        yield


def _print_what_the_terminal_can_show() -> None:
    """Replace characters that the encoding of the output cannot show, so that Greek letters do not end the command."""
    _replaced.clear()
    codecs.register_error("semidirect", _question_mark)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="semidirect")


_replaced: set[str] = set()
"""The encodings in which letters were missing."""


def _question_mark(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _replaced.add(error.encoding)
    return "?" * (error.end - error.start), error.end


def _tell_what_was_replaced() -> None:
    for encoding in sorted(_replaced):
        report(f"warning: ? stands for letters that the output, in {encoding}, does not have. Set PYTHONUTF8=1.")
    _replaced.clear()


def _forget_output() -> None:
    """Let the interpreter end without another try to write what could not be written."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):  # there is none, or it is not a file
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, number)
    os.close(nothing)

"""Commands that a package declares by hand on the subparsers of :mod:`argparse`, as it calls no one function.

:class:`.Command` declares a command from the function that it calls, with the same flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semidirect.cli.parser import CommandParser, add_command
from semidirect.cli.shared import NAME, SET
from semidirect.cli.values import number, place, whole

if TYPE_CHECKING:
    from semidirect.cli.parser import Commands as Commands

__all__ = ["CommandParser", "add_command", "add_system", "number", "place", "whole"]


def add_system(parser: CommandParser, *, settings: bool = True) -> None:
    """NAME, and ``--set``: ``semidirect.cli.values.load(args.name, args.settings)`` is the system."""
    for flag in (NAME, SET) if settings else (NAME,):
        parser.add_flag(flag)

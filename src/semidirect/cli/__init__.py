"""The command line, one module per command; nothing heavy is imported until a command runs."""

from semidirect.core import open_door

open_door(__name__)

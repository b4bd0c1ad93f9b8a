"""Text for people: tables, wrapped lines, output of commands."""

from semidirect.core import open_door

open_door(__name__)

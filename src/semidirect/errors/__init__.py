"""Errors and warnings of the package; the base of the errors, `sd.SemidirectError`, is at the top too."""

from semidirect.core import open_door

open_door(__name__)

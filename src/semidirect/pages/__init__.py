"""Printed pages: equations, derivations and evolutions as text, LaTeX and JSON."""

from semidirect.core import open_door

open_door(__name__)

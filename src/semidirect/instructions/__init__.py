"""Straight-line programs as data: instructions with operands, phases and iterations, and the printers that write them."""

from semidirect.core import open_door

open_door(__name__)

"""Straight-line programs as data: instructions with operands, phases and iterations, and the printers that write them."""

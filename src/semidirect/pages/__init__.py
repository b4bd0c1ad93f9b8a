"""Printed pages: equations, derivations and evolutions as text, LaTeX and JSON."""

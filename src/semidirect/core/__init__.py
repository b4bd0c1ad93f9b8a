"""Arithmetic on symbols and numbers alike, errors, parameters; no mechanics."""

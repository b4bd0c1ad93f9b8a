"""The weights of central differences."""

SIXTH_ORDER = ((1, 45 / 60), (2, -9 / 60), (3, 1 / 60))
"""Multiples k and weights c of f′(0)·h ≈ Σ c (f(k h) − f(−k h)), exact for polynomials of degree 6."""

"""Noise as a function of seed, path and step."""

"""Engines: what steps paths, one file each."""

"""Engines, which step paths, one file each."""

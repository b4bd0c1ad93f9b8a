"""Runs on disk: Zarr v3 groups, written chunk by chunk."""

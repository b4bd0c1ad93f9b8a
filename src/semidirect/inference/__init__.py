"""Inference: what an observation says of the states of a system, filters."""

"""Noise: amplitudes of transport noise, classes of noise, and what drives a run."""

from semidirect.core import open_door

open_door(__name__)

"""Rotations and motions of space: exponentials, series, and the least motion between two poses."""

from semidirect.core import open_door

open_door(__name__)

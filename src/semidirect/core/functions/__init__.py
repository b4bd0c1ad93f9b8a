"""Functions of emitted text, on floats or on fractions."""

from semidirect.core.door import open_door

open_door(__name__)

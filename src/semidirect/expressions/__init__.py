"""The language of quantities: names of components, expressions given as text, their size and units."""

from semidirect.core import open_door

open_door(__name__)

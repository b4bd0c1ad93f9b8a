"""The result of a run: arrays by name, derivatives, data sets."""

from semidirect.core import open_door

open_door(__name__)

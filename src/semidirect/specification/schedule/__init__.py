"""The steps of a run at which something is done, and the times that label them."""

from semidirect.core import open_door

open_door(__name__)

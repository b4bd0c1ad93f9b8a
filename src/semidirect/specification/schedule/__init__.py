"""The steps of a run at which something is done, and the times that label them."""

from semidirect.core.door import open_door

open_door(__name__)

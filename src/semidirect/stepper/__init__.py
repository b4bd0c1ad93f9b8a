"""An ensemble that is advanced step by step, for filters, controllers and optimisers."""

from semidirect.core import open_door

open_door(__name__)

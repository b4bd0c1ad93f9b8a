"""Systems of installed packages, found by the entry-point group ``semidirect.systems``."""

from semidirect.core import open_door

open_door(__name__)

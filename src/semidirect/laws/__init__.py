"""Laws of groups, constraints, systems and methods, checked at exact points; ``semidirect check`` reports them."""

from semidirect.core import open_door

open_door(__name__)

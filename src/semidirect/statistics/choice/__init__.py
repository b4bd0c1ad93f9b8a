"""Statistics as users name them: by an object, a name, a description, or text."""

from semidirect.core import open_door

open_door(__name__)

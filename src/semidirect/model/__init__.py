"""The derived program with numerical parameters: vector fields, moving frame, linearisation."""

from semidirect.core import open_door

open_door(__name__)

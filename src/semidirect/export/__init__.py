"""Export: the step of a method and the quantities of a system as text of another language, which needs no semidirect."""

from semidirect.core import open_door

open_door(__name__)

"""User code: functions, called with the arguments that they name or with symbols, and classes with misspelled names."""

from semidirect.core.door import open_door

open_door(__name__)

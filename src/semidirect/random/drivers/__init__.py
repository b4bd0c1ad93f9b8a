"""The drivers of semidirect, one per file; each final class here is found by its name."""

from semidirect.core import open_door

open_door(__name__)

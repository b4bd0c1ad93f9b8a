"""Words for people: names that are nearly right, texts that are quoted, lines of users, and what takes long."""

from semidirect.core.door import open_door

open_door(__name__)

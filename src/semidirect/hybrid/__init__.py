"""Systems between which a path changes: contact that ends and begins."""

from semidirect.core import open_door

open_door(__name__)

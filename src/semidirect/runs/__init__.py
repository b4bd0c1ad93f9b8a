"""Runs: their results, their ends, and the engines that advance them."""

from semidirect.core import open_door

open_door(__name__)

"""Derivatives of paths: by what they are taken, and how they are carried along."""

from semidirect.core import open_door

open_door(__name__)

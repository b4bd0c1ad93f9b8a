"""Runs that move: a page with the body of a system in three dimensions, in one file."""

from semidirect.view.page import View, view

__all__ = ["View", "view"]

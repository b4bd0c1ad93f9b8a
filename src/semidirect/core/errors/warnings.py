"""Warnings of the package."""

from __future__ import annotations


class DefinitionWarning(UserWarning):
    """A definition gives other results for numbers than for symbols, from which its equations were derived."""


class FailedPathsWarning(UserWarning):
    """Paths of a run failed: how many, the first of them, why; ``run.failures()`` lists all. Paths of a hybrid system failed, or
    stay beyond the level of a switch.
    """


class FilterWarning(UserWarning):
    """Estimates of a filter cannot be trusted: its particles collapsed, or data are far from their prediction."""


class ShortAverageWarning(UserWarning):
    """The error of an average over time cannot be trusted: batches are too few, or short against the autocorrelation time."""


class PluginWarning(UserWarning):
    """A plugin could not be loaded, or two share one name; everything else works."""


class MovedNameWarning(DeprecationWarning):
    """A name that has another place now; the page "What moved" lists all of them."""

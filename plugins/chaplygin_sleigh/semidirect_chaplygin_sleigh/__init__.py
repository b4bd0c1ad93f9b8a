"""The Chaplygin sleigh."""

from semidirect_chaplygin_sleigh.chaplygin_sleigh import ChaplyginSleigh

__all__ = ["ChaplyginSleigh"]

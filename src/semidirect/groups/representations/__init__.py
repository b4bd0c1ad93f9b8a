"""Representations of Lie groups, diamond maps and advected quantities."""

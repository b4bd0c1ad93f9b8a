"""Holm and Putkaradze (2018): the equations of the paper, audited, and its figures."""

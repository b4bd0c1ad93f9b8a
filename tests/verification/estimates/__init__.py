"""The estimates whose stated errors ``coverage.py`` repeats, one file for each kind; every file states ``CELLS``."""

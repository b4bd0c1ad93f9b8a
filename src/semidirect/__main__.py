"""``python -m semidirect``: the command line, where the script ``semidirect`` is not on the path."""

from __future__ import annotations

import sys

from semidirect.cli import main

if __name__ == "__main__":
    sys.exit(main())

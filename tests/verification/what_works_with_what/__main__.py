"""Fill the record and write the page: see ``--help``."""

import os
import sys
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from what_works_with_what.table import main

if __name__ == "__main__":
    main()

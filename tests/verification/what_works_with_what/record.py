# ruff: noqa: E501
"""What the checks found, cell by cell, in a file that a run resumes."""

from __future__ import annotations

import json
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from semidirect.core.errors import SemidirectError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))
from limits import TooLong, time_limit

RECORD = Path(__file__).parent / "record.json"
SECONDS = 120


def outcome(check: Callable[[], str]) -> dict[str, str]:
    """What a check found: ``verified`` with how, ``refused`` with the message of an error of ours, or ``failed`` with what is wrong."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), time_limit(SECONDS):
            warnings.simplefilter("ignore")
            return {"outcome": "verified", "text": check()}
    except SemidirectError as error:
        return {"outcome": "refused", "text": str(error)}
    except TooLong as error:
        return {"outcome": "failed", "text": f"takes longer than {SECONDS} s: {error}"}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = "" if isinstance(error, AssertionError) else f" at {Path(where.filename).name}:{where.lineno}"
        return {"outcome": "failed", "text": f"{type(error).__name__}: {error}{place}"}


def read(place: Path = RECORD) -> dict[str, dict[str, dict[str, str]]]:
    """The cells by row and column."""
    return dict(json.loads(place.read_text("utf-8"))) if place.exists() else {}


def write(cells: Mapping[str, Any], place: Path = RECORD) -> None:
    """Replace the record."""
    place.write_text(json.dumps(cells, ensure_ascii=False, indent=1) + "\n", "utf-8")


__all__ = ["Iterator", "outcome", "read", "signal", "time", "write"]

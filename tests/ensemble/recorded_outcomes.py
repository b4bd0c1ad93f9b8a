"""A plugin of pytest that writes the outcome of each test to a file, and does not run again what the file says has passed.

``SEMIDIRECT_TEST_OUTCOMES`` names the file.
"""

import os
from pathlib import Path

FILE = Path(os.environ["SEMIDIRECT_TEST_OUTCOMES"])


def outcomes():
    """Test → passed, skipped or failed, the last time."""
    lines = FILE.read_text().splitlines() if FILE.exists() else []
    return {test: outcome for outcome, test in (line.split(" ", 1) for line in lines)}


def pytest_collection_modifyitems(items, config):
    known = outcomes()
    again = [item for item in items if known.get(item.nodeid, "failed") == "failed"]
    config.hook.pytest_deselected(items=[item for item in items if item not in again])
    items[:] = again


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        with FILE.open("a") as file:
            file.write(f"{report.outcome} {report.nodeid}\n")

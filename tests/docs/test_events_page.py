"""The page on events: its table is what the script measures."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "verification"))

import first_passages as script  # noqa: E402


def test_the_table_holds_a_million_paths_near_the_exact_value():
    page = (ROOT / "docs" / "events_in_detail.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| (0\.\d+) \| (0\.\d+) \| ([+-][\d.]+) \|$", page, re.MULTILINE)
    assert [float(dt) for dt, *_ in rows] == list(script.STEPS)
    for _, at_steps, located, _ in rows:
        assert abs(float(located) - script.EXACT) < 3 * script.error(script.PATHS)
        assert float(at_steps) < script.EXACT - 40 * script.error(script.PATHS)


@pytest.mark.parametrize("dt", script.STEPS)
def test_a_slice_of_the_script(dt):
    paths = 4096
    assert abs(script.share(dt, paths, locate=True) - script.EXACT) < 3 * script.error(paths)
    assert script.share(dt, paths, locate=False) < script.EXACT - 2 * script.error(paths)

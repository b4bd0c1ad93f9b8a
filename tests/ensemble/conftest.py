"""Helpers of these tests, importable under pytest's importlib mode."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest  # noqa: E402
from remote_path import folder  # noqa: E402


@pytest.fixture
def store_path(tmp_path):
    """A folder for the stores of a test, or where ``SEMIDIRECT_TEST_STORES`` has them."""
    return folder(tmp_path)

"""Helpers of these tests, importable under pytest's importlib mode."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def store_path(tmp_path):
    """A folder for the stores of a test, or where ``SEMIDIRECT_TEST_STORES`` has them."""
    from remote_path import folder

    return folder(tmp_path)

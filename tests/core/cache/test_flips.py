"""A slice of the large run of ``flips.py``."""

import importlib.util
from pathlib import Path

import pytest


def test_damage_gives_no_wrong_number_and_no_error(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path))  # which the attack sets
    spec = importlib.util.spec_from_file_location("flips", Path(__file__).with_name("flips.py"))
    flips = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(flips)
    monkeypatch.setattr(flips, "SYSTEMS", ("rigid-body",))
    count = flips.attack(tmp_path, cases=300, runs=2)
    assert count.total() == 302
    assert {kind.split()[-1] for kind in count} == {"equations", "machine"}


def test_the_corruption_test_fails_without_digests(tmp_path, monkeypatch):
    """Without digests it fails."""
    from semidirect.machine.cache import files

    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path))
    monkeypatch.setattr(files, "_digest", lambda name, content: b"-" * 32)
    spec = importlib.util.spec_from_file_location("flips", Path(__file__).with_name("flips.py"))
    flips = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(flips)
    monkeypatch.setattr(
        flips, "numbers", lambda: files.write("a.equations", b"1") or files.write("a.machine", b"2") or ""
    )
    with pytest.raises(AssertionError):
        flips.attack(tmp_path, cases=300, runs=0)

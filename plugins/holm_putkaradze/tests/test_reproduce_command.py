"""``semidirect reproduce``: which function it calls with what, and where the result goes."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from semidirect_holm_putkaradze import reproduce


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (Path("figures"), None, False)),
        (["-o", "there", "--force"], (Path("there"), None, True)),
        (["--config", "mine.toml", "--output", "there"], (Path("there"), Path("mine.toml"), False)),
    ],
)
def test_reproduce(semidirect, monkeypatch, arguments, expected):
    called = []

    def pretend(directory, config=None, *, force=False):
        called.append((directory, config, force))
        return SimpleNamespace(table=lambda: "a table", failures=len(called) - 1)

    monkeypatch.setattr(reproduce, "reproduce", pretend)
    result = semidirect("reproduce", *arguments)
    assert (result.code, result.out, result.err) == (0, "a table\n", "")
    assert called == [expected]
    assert semidirect("reproduce", *arguments).code == 1  # a path failed


@pytest.mark.parametrize(("text", "reason"), [(None, "none.toml"), ("seed = ", "none.toml"), ("sede = 1", "sede")])
def test_configurations_that_cannot_be_used(semidirect, tmp_path, text, reason):
    config = tmp_path / "none.toml"
    if text is not None:
        config.write_text(text)
    result = semidirect("reproduce", "--config", config, "-o", tmp_path / "figures")
    assert (result.code, result.out) == (2, "")
    assert reason in result.err
    assert result.err.startswith("semidirect: error: ")
    assert not (tmp_path / "figures").exists()

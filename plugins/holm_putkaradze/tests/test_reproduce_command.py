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
    done = semidirect("reproduce", *arguments)
    assert (done.code, done.out, done.err) == (0, "a table\n", "")
    assert called == [expected]
    assert semidirect("reproduce", *arguments).code == 1  # a path failed


@pytest.mark.parametrize(("text", "reason"), [(None, "none.toml"), ("seed = ", "none.toml"), ("sede = 1", "sede")])
def test_configurations_that_cannot_be_used(semidirect, tmp_path, text, reason):
    config = tmp_path / "none.toml"
    if text is not None:
        config.write_text(text)
    done = semidirect("reproduce", "--config", config, "-o", tmp_path / "figures")
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert done.err.startswith("semidirect: error: ")
    assert not (tmp_path / "figures").exists()

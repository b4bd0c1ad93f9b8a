"""The command line, called in the process of the tests."""

import json
from types import SimpleNamespace

import pytest
from semidirect_holm_putkaradze.audit import audit

from semidirect.cli import main


@pytest.fixture(scope="session")
def findings():
    """The audit of all equations."""
    return audit()


@pytest.fixture
def semidirect(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # a pipe of the usual width

    def call(*arguments):
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err, json=json.loads(out) if "json" in arguments else None)

    return call

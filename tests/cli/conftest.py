"""The command line, called in the process of the tests."""

import json
from dataclasses import dataclass

import pytest

from semidirect.cli.entry import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        """The output as JSON of the strict kind, which knows no NaN."""
        return json.loads(self.out, parse_constant=lambda constant: pytest.fail(f"{constant} in the output"))


@pytest.fixture(autouse=True)
def _a_patient_reader(monkeypatch):
    monkeypatch.setattr("semidirect.cli.messages.PATIENCE", 1000.0)  # however slow the machine is on which tests run


@pytest.fixture
def semidirect(capsys):
    def call(*arguments):
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        return Outcome(code, *capsys.readouterr())

    return call

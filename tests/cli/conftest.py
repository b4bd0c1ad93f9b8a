"""The command line, called in the process of the tests."""

import json
import pickle
from dataclasses import dataclass
from inspect import signature

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


@pytest.fixture(scope="session")
def once():
    """Makes a function that computes each call once; to an equal one, from Python or the command line, it returns the same."""

    def remembering(function):
        known = {}

        def remembered(*given, **options):
            call = signature(function).bind(*given, **options)
            call.apply_defaults()
            key = pickle.dumps(call.arguments)
            if key not in known:
                known[key] = function(*given, **options)
            return known[key]

        remembered.known = known
        return remembered

    return remembering

"""Type checkers and editors know the public names."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import semidirect as sd

SOURCE = Path(sd.__file__).read_text(encoding="utf-8")

USE = """
import semidirect as sd

reveal_type(sd.SO3())
reveal_type(sd.load("heavy-top"))
reveal_type(sd.load("heavy-top").simulate(t_end=1.0, dt=0.1))


class Mine(sd.System):
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), (0, 0, 1))}
    inertia = sd.inertia((1, 2, 3))
    initial = {"Omega": (1, 0, 0), "Gamma": (0, 0, 1)}

    def lagrangian(self, xi: sd.Blocks, a: sd.Blocks) -> object:
        return sd.ops.dot(xi.Omega, sd.ops.inertia(self.inertia, xi.Omega)) / 2

    @sd.observable(unit="J")
    def energy(self, state: sd.Blocks) -> object:
        return self.lagrangian(state, state)


print(Mine(inertia=(1, 2, 2)).energy)
sd.Sytem
"""


def test_names_for_type_checkers_are_those_that_are_imported_when_used():
    block = next(
        n for n in ast.parse(SOURCE).body
        if isinstance(n, ast.If) and any(isinstance(b, ast.ImportFrom) for b in n.body)
    )  # fmt: skip
    named = {a.asname for n in block.body for a in n.names}
    assert named == set(sd.__all__) - {"load"}
    for n in block.body:
        for a in n.names:
            module = __import__(n.module, fromlist=[a.name])
            assert getattr(module, a.name, None) is getattr(sd, a.asname) or n.module == "semidirect"


def test_mypy_knows_every_name_and_a_system_as_the_guide_writes_it(tmp_path):
    pytest.importorskip("mypy")
    place = tmp_path / "use.py"
    place.write_text(USE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        "",
        "--ignore-missing-imports",
        "--follow-imports=silent",
        place,
    ]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == 1, said
    assert "Sytem" in errors[0]
    for kind in ("semidirect.groups.so3.SO3", "semidirect.system.System", "semidirect.run.Run"):
        assert f'Revealed type is "{kind}"' in said


def test_a_system_has_a_signature_from_its_parameters():
    kind = type(sd.load("rolling-ball"))
    assert set(inspect.signature(kind).parameters) == {*kind.parameters(), *kind.options()}
    assert inspect.signature(kind).parameters["coupling"].default == "variational"

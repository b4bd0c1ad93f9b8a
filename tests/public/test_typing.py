"""Type checkers and editors know the public names."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

import semidirect as sd
from semidirect import equations
from semidirect.core import offers

USE = """
import semidirect as sd

reveal_type(sd.SO3())
reveal_type(sd.load("heavy-top"))
reveal_type(sd.load("heavy-top").simulate(t_end=1.0, dt=0.1))


class Mine(sd.System):
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), (0, 0, 1))}
    inertia: sd.Parameter = sd.inertia((1, 2, 3))
    initial = {"Omega": (1, 0, 0), "Gamma": (0, 0, 1)}

    def lagrangian(self, xi: sd.Blocks, a: sd.Blocks) -> object:
        return sd.ops.dot(xi.Omega, sd.ops.inertia(self.inertia, xi.Omega)) / 2

    @sd.observable(unit="J")
    def energy(self, state: sd.Blocks) -> object:
        return self.lagrangian(state, state)


print(Mine(inertia=(1, 2, 2)).energy)
reveal_type(sd.inference.GaussianNoise(0.1))
reveal_type(sd.load("heavy-top").simulate(t_end=1.0, dt=0.1).plot.sphere("Gamma"))
sd.Sytem
sd.GaussianNoise  # moved: it works and warns, but a type checker knows the new name only
sd.load("heavy-top").simulate(t_end=1.0, dt=0.1).plot_sphere("Gamma")
"""

SETTINGS = """
[mypy]
ignore_missing_imports = true
follow_imports = silent

[mypy-numpy.*,sympy.*,scipy.*,pandas.*,xarray.*,mpmath.*,llvmlite.*,IPython.*,pytest.*,hypothesis.*,dask.*,distributed.*]
follow_imports = skip
"""
"""No name that is asked for is of these libraries, and reading them takes half the time."""


@pytest.mark.parametrize(
    "package",
    [
        sd,
        sd.testing,
        equations,
        sd.analysis,
        sd.definition,
        sd.errors,
        sd.groups,
        sd.inference,
        sd.noise,
        sd.representations,
        sd.runs,
    ],
)
def test_every_name_of_a_stub_is_imported_when_it_is_used(package):
    names = {n: place for n, (place, for_users) in offers(package.__name__).items() if for_users}
    assert set(names) <= set(package.__all__) <= set(dir(package))
    for name, module in names.items():
        value = getattr(import_module(package.__name__), name)
        imported = {}
        exec(f"from {module} import {name}", imported)
        assert value is imported[name]
    with pytest.raises(AttributeError, match="has no attribute 'Sytem'"):
        _ = package.Sytem


def test_a_star_imports_the_public_names():
    imported = {}
    exec("from semidirect import *", imported)
    assert set(sd.__all__) == imported.keys() - {"__builtins__"}


def test_mypy_knows_every_name_and_a_system_as_the_guide_writes_it(tmp_path):
    pytest.importorskip("mypy")
    place, settings = tmp_path / "use.py", tmp_path / "mypy.ini"
    place.write_text(USE, encoding="utf-8")
    settings.write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", settings, place]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == 3, said
    for error, name in zip(errors, ("Sytem", "GaussianNoise", "plot_sphere"), strict=True):
        assert f'has no attribute "{name}"' in error
    for kind in ("semidirect.groups.so3.SO3", "semidirect_heavy_top.heavy_top.HeavyTop", "semidirect.run.Run",
                 "semidirect.inference.noise.GaussianNoise", "matplotlib.axes._axes.Axes"):  # fmt: skip
        assert f'Revealed type is "{kind}"' in said


def test_a_system_has_a_signature_from_its_parameters():
    kind = type(sd.load("rolling-ball"))
    assert set(inspect.signature(kind).parameters) == {*kind.workings.parameters(), *kind.workings.options()}
    assert inspect.signature(kind).parameters["coupling"].default == "variational"

"""Names, sizes and functions of equations on disk: used for the definition that they came from, and for no other."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import semidirect as sd
from semidirect.definition.identity import Identity
from semidirect.definition.traced_definition import observable_digests
from semidirect.model.derived_equations import DerivedEquations

PLUGIN = """
import semidirect as sd
from semidirect import ops
{imports}

class Body(sd.System):
    stiffness = sd.parameter(2.0)
    noise = sd.parameter(((0.1, 0.0, 0.0),), shape=(None, 3))
    group = sd.SO3()
    initial = {{"Omega": (1.0, 0.5, -0.3)}}

    def lagrangian(self, xi):
        return ({factor} * xi.Omega[0] ** 2 + ops.dot(xi.Omega, xi.Omega)) * self.stiffness / 2

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)

    @sd.observable()
    def energy(self, state):
        return {energy}
"""

RUN = """
import json, sys
import semidirect as sd
from body import Body
run = Body(**json.loads(sys.argv[1])).simulate(t_end=0.5, dt=0.05, seed=3, execution=sd.Execution(engine="numpy"), method="heun")
print(json.dumps({"derived": "sympy" in sys.modules, "energy": run["energy"].tolist(), "Omega": run["Omega"].tolist()}))
"""


class Plugin:
    """A module that can be edited, and a function that runs it in a process of its own."""

    def __init__(self, place):
        self.place = place

    def write(self, factor="1", energy="self.lagrangian(state)", imports="", name="body"):
        self.put(name, PLUGIN.format(factor=factor, energy=energy, imports=imports))

    def put(self, name, text):
        path = self.place / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(10**18, 10**18))  # times of files are not to be relied on

    def run(self, **values):
        paths = os.pathsep.join([str(self.place), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "SEMIDIRECT_CACHE": str(self.place / "cache"), "PYTHONPATH": paths}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python finds its own by times
        done = subprocess.run(
            [sys.executable, "-c", RUN, json.dumps(values)], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A plugin and its first run."""
    plugin = Plugin(tmp_path_factory.mktemp("first"))
    plugin.write()
    return plugin.place, plugin.run()


@pytest.fixture
def before(first):
    """The first run."""
    return first[1]


@pytest.fixture
def plugin(first, tmp_path):
    """A copy of the plugin after its first run, with its cache."""
    shutil.copytree(first[0], tmp_path, dirs_exist_ok=True)
    return Plugin(tmp_path)


def test_the_second_process_derives_nothing_and_has_the_same_bits(plugin, before):
    assert before["derived"]
    assert plugin.run() == {**before, "derived": False}


def test_values_are_no_part_of_the_key_and_shapes_are(plugin, before):
    other = plugin.run(stiffness=3.0)
    assert not other["derived"]
    assert other["energy"] != before["energy"]
    two = plugin.run(noise=[[0.1, 0, 0], [0, 0.1, 0]])
    assert two["derived"]
    assert two["Omega"] != before["Omega"]


def test_an_edited_definition_is_derived_anew(plugin, before):
    plugin.write(factor="3")
    after = plugin.run()
    assert after["derived"]
    assert after["Omega"] != before["Omega"]
    assert not plugin.run()["derived"]


def test_an_edited_observable_is_evaluated_anew(plugin, before):
    plugin.write(energy="2 * self.lagrangian(state)")
    after = plugin.run()
    assert after["Omega"] == before["Omega"]
    np.testing.assert_allclose(after["energy"], 2 * np.array(before["energy"]), rtol=1e-15)


def test_an_edit_of_an_imported_module_derives_anew(plugin):
    """What no file of the class shows, its values do."""
    plugin.put("elsewhere", "FACTOR = 1\n")
    plugin.write(factor="FACTOR", imports="from elsewhere import FACTOR")
    before = plugin.run()
    plugin.put("elsewhere", "FACTOR = 3\n")
    after = plugin.run()
    assert after["derived"]
    assert after["Omega"] != before["Omega"]


@pytest.mark.parametrize("damage", [b"", b"{", b"semidirect cache 1\n", b"null", b"\x00", None])
def test_damaged_files_are_derived_anew(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path))
    system = sd.load("rigid-body")
    text = DerivedEquations(system, "momentum", None).text("a", lambda: "x * y")
    (path,) = tmp_path.glob("*.equations")
    content = path.read_bytes()
    assert "sde" not in vars(DerivedEquations(system, "momentum", None))
    path.write_bytes(content.replace(b"x * y", b"x + y", 1) if damage is None else damage)
    assert path.read_bytes() != content
    again = DerivedEquations(system, "momentum", None)
    assert "sde" in vars(again)
    assert not path.exists()
    assert again.text("a", lambda: "x * y") == text
    assert path.read_bytes() == content


def test_local_classes_are_not_kept():
    class Local(sd.System):
        group = sd.SO3()

        def lagrangian(self, xi):
            return sd.ops.dot(xi.Omega, xi.Omega)

    assert Identity.first(Local()).traced
    assert Identity.first(Local()).code
    assert Identity.key_on_disk(Local(), "momentum", None) is None


def test_keys_depend_on_variables_form_options_and_shapes():
    ball = sd.load("routh-sphere")
    keys = [
        Identity.key_on_disk(system, variables, form)
        for system, variables, form in [
            (ball, "momentum", None), (ball, "velocity", None), (ball, "velocity", "A"),
            (ball.replace(coupling="printed"), "momentum", None), (ball.replace(noise=[]), "momentum", None),
            (sd.load("rigid-body"), "momentum", None),
        ]
    ]  # fmt: skip
    assert None not in keys
    assert len(set(map(tuple, keys))) == len(keys)
    assert Identity.key_on_disk(ball.replace(mass=2.0, offset=0.1), "momentum", None) == keys[0]


@pytest.mark.parametrize("name", sorted(sd.plugins.available()))
def test_every_plugin_can_be_kept(name):
    system = sd.load(name)
    system = system() if isinstance(system, type) else system
    assert Identity.key_on_disk(system, "momentum", None) is not None
    assert Identity.key_on_disk(system, "momentum", None) == Identity.key_on_disk(system.replace(), "momentum", None)
    shape = system.workings.model().structure.shape
    found = observable_digests(system, shape.seen)
    assert all(found[name] for name in system.workings._observed)
    assert found == observable_digests(system.replace(), shape.seen)
    assert json.loads(json.dumps(vars(shape))) == json.loads(json.dumps(vars(type(shape).from_json(vars(shape)))))


@pytest.mark.parametrize("name", ["routh-sphere", "rolling-disk", "heavy-top"])
@pytest.mark.parametrize("variables", ["momentum", "velocity"])
def test_names_and_sizes_are_those_of_the_equations(name, variables):
    system = sd.load(name)
    structure, sde = DerivedEquations(system, variables, None), system.sde(variables=variables)
    assert structure.state == tuple(x.name for x in sde.state)
    assert structure.shape.wieners == sde.wieners
    assert structure.shape.form == sde.form
    assert structure.shape.named == {k: len(v) for k, v in sde.named.items()}
    assert len(system.workings.symbol_places) == len(sde.definition.parameters)


def test_parameters_are_in_the_order_of_their_symbols():
    """A symmetric inertia has one symbol for both triangles."""
    tensor = [[2.0, 0.1, 0.2], [0.1, 2.5, 0.3], [0.2, 0.3, 3.0]]
    system = sd.load("rigid-body", inertia=tensor)
    values = system.workings.model().parameters
    assert values[:6] == [2.0, 0.1, 0.2, 2.5, 0.3, 3.0]
    assert len(values) == len(system.sde().definition.parameters) == 6 + 9

"""Equations are found by what a definition does and reaches: an edit anywhere that it reaches is seen, however it is made."""

import functools
import importlib
import itertools
import linecache
import os
import sys
import textwrap
import types
from dataclasses import replace

import numpy as np
import pytest

import semidirect as sd
from semidirect.compile.kernels import label_of
from semidirect.compile.variant import Variant
from semidirect.definition.identity import Identity
from semidirect.integrators.heun import Heun
from semidirect.integrators.lift import Lift
from semidirect.machine.cache import files
from semidirect.machine.reached_code import UnknownCodeError, reached_code

SYSTEM = """
import functools, importlib
import numpy as np
import semidirect as sd
from semidirect import ops
{imports}

class Body(sd.System):
    group = sd.SO3()
    stiffness = sd.parameter(2.0)
    {members}

    def lagrangian(self, xi, t):
        x = xi.Omega[0]
        return ops.dot(xi.Omega, xi.Omega) * self.stiffness / 2 + ({potential})
"""
COUNT = itertools.count()


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Write modules of one time stamp, and import a system from them as a new process would."""
    names: set[str] = set()

    def forget():
        for name in [n for n in sys.modules if n.partition(".")[0] in names]:
            del sys.modules[name]
        importlib.invalidate_caches()
        linecache.clearcache()

    def load(files, potential="", imports="", members=""):
        if potential:
            files = {**files, "body_mod.py": SYSTEM.format(imports=imports, members=members, potential=potential)}
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
            os.utime(path, ns=(10**18, 10**18))
            names.add(name.partition("/")[0].removesuffix(".py"))
        forget()
        return importlib.import_module("body_mod").Body

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield load
    forget()


# what two versions of one helper differ in, and how a definition reaches the helper
EDITS = {
    "hidden from one point": ("ops.where(t > 1, 0.5, 0.0)", "ops.where(t > 1, 5.0, 0.0)"),
    "equal where x > 0": ("x", "ops.absolute(x)"),
    "for symbols only": ("x if isinstance(x, float) else 2 * x", "x if isinstance(x, float) else 3 * x"),
    "of SymPy only": ("2 * x if isinstance(x, sp.Basic) else x", "3 * x if isinstance(x, sp.Basic) else x"),
    "an exact number and its float": ("x * sd.ops.array([1])[0] / 2", "x * 0.5"),
}
HELPER = """
import semidirect as sd
import sympy as sp
from semidirect import ops
def height(x, t):
    return {}
"""
WAYS = {
    "module": {"imports": "import terrain", "potential": "terrain.height(x, t)"},
    "from module": {"imports": "from terrain import height", "potential": "height(x, t)"},
    "another name": {"imports": "from terrain import height as h\ng = h", "potential": "g(x, t)"},
    "imported late": {
        "members": "def late(self, x, t):\n        import terrain\n        return terrain.height(x, t)",
        "potential": "self.late(x, t)",
    },
    "imported by name": {"potential": "importlib.import_module('terr' + 'ain').height(x, t)"},
    "getattr": {"imports": "import terrain", "potential": "getattr(terrain, 'height')(x, t)"},
    "globals": {"imports": "from terrain import *", "potential": "globals()['height'](x, t)"},
    "partial": {"imports": "import terrain\nf = functools.partial(terrain.height, t=0.1)", "potential": "f(x)"},
    "closure": {
        "imports": "import terrain\ndef make(g):\n    return lambda x, t: g(x, t)\nf = make(terrain.height)",
        "potential": "f(x, t)",
    },
    "default": {
        "imports": "import terrain",
        "members": "def of(self, x, t, f=terrain.height):\n        return f(x, t)",
        "potential": "self.of(x, t)",
    },
    "class attribute": {
        "imports": "import terrain",
        "members": "f = staticmethod(terrain.height)",
        "potential": "self.f(x, t)",
    },
    "table": {"imports": "import terrain\nTABLE = {'h': [terrain.height]}", "potential": "TABLE['h'][0](x, t)"},
    "object": {
        "imports": "import terrain\nclass Ground:\n    def __call__(self, x, t):\n        return terrain.height(x, t)",
        "members": "ground = Ground()",
        "potential": "self.ground(x, t)",
    },
    "cached": {
        "imports": "import terrain\n@functools.cache\ndef f():\n    return terrain.height",
        "potential": "f()(x, t)",
    },
    "exec": {
        "imports": "import pathlib, terrain\nn = {}\nexec(pathlib.Path(terrain.__file__).read_text(), n)",
        "potential": "n['height'](x, t)",
    },
}


# a branch that only SymPy takes shows in the code alone, and code that is imported by a computed name in the trace alone
SEEN = [case for case in itertools.product(WAYS, EDITS) if case != ("imported by name", "of SymPy only")]


@pytest.mark.parametrize(("way", "edit"), SEEN)
def test_an_edit_of_a_helper_is_seen(modules, way, edit):
    found = []
    for version in (EDITS[edit][0], EDITS[edit][1], EDITS[edit][0]):
        Body = modules({"terrain.py": HELPER.format(version)}, **WAYS[way])
        found.append((Identity.first(Body()), Identity.key_on_disk(Body(), "momentum", None)))
        assert Identity.of(Body()) == found[-1][0]  # what is asked leaves nothing behind
    assert found[0] == found[2]
    assert found[0][0] != found[1][0]
    assert found[0][1] is not None
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize("late", [False, True])
def test_a_helper_in_a_package_that_others_reach(modules, late):
    def load(factor):
        use = "def height(x):\n    from .deep.rocks import scale\n    return scale(x)" if late else (
            "from .deep import rocks\ndef height(x):\n    return rocks.scale(x)"
        )  # fmt: skip
        return modules({
            "land/__init__.py": "", "land/deep/__init__.py": "", "land/terrain.py": use,
            "land/deep/rocks.py": f"FACTOR = [{factor}]\ndef scale(x):\n    return FACTOR[0] * x if x is None else x",
        }, imports="import land.terrain", potential="land.terrain.height(x)")  # fmt: skip

    one, other, again = (Identity.first(load(factor)()) for factor in (1, 2, 1))
    assert one == again
    assert one != other
    assert one.traced == other.traced


def test_a_file_that_is_read_shows_in_what_the_functions_give(modules, tmp_path):
    def load(text, **how):
        (tmp_path / "data.txt").write_text(text)
        return modules({}, **how)()

    place = repr(str(tmp_path / "data.txt"))
    at_import = {"imports": f"import pathlib\nC = float(pathlib.Path({place}).read_text())", "potential": "C * x"}
    at_call = {"imports": "import pathlib", "potential": f"float(pathlib.Path({place}).read_text()) * x"}
    for how in (at_import, at_call):
        one, other, again = (Identity.first(load(text, **how)) for text in ("1.0", "2.0", "1.0"))
        assert one == again
        assert one.traced != other.traced


def test_lines_that_move_and_numbers_that_change_derive_nothing_anew(modules):
    files = {"terrain.py": HELPER.format("x")}
    one = modules(files, **WAYS["module"])
    other = modules({"terrain.py": "\n\n# moved\n" + HELPER.format("x")}, **WAYS["module"])
    assert Identity.first(one()) == Identity.first(other()) == Identity.first(other(stiffness=3.0))


def test_unreachable_code_does_not_change_the_identity(modules):
    one = modules({"terrain.py": HELPER.format("x") + "def other():\n    return 1\n"}, **WAYS["module"])
    two = modules({"terrain.py": HELPER.format("x") + "def other():\n    return 2\n"}, **WAYS["module"])
    assert Identity.first(one()) == Identity.first(two())


def test_an_edit_in_the_same_process_is_seen(modules, monkeypatch):
    """A helper reloaded, an attribute assigned, a function whose code is exchanged as an autoreload does."""
    Body = modules({"terrain.py": HELPER.format("x")}, **WAYS["module"])
    state = {"Omega": (1.0, 0.5, -0.3)}

    def momentum():
        return Body().workings.model().momentum(np.array(state["Omega"]), np.zeros(0), np.zeros(0), 0.0)[0]

    assert momentum() == 3.0
    modules({"terrain.py": HELPER.format("2 * x")})
    Body.lagrangian.__globals__["terrain"] = importlib.import_module("terrain")
    assert momentum() == 4.0
    assert str(Body().sde().setting.momentum[0]) == "Omega1*stiffness + 2"
    terrain = sys.modules["terrain"]
    monkeypatch.setattr(terrain, "height", lambda x, t: 3 * x)
    assert momentum() == 5.0
    terrain.height.__code__ = (lambda x, t: 7 * x).__code__
    assert momentum() == 9.0


def test_the_identity_is_fixed_at_first_use(modules):
    """An edit between a derivation and what is written to disk later does not get there."""
    Body = modules({"terrain.py": HELPER.format("x")}, **WAYS["module"])
    old = Body()
    structure = old.workings.model().structure
    name = structure._name
    height = sys.modules["terrain"].height
    code, height.__code__ = height.__code__, (lambda x, t: 3 * x).__code__

    files.remove(name)
    structure.text("late", lambda: "of other functions")
    assert files.read(name) is None
    old.sde("lagrange-dalembert")  # derived from the new functions under the old identity: for this system alone
    height.__code__ = code
    assert Identity.first(Body()) == Identity.first(old)
    assert Body().sde("lagrange-dalembert") is not old.sde("lagrange-dalembert")


def test_a_notebook(monkeypatch):
    """A cell run again makes a class of the same name in ``__main__``."""
    main = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)

    def cell(factor):
        exec(f"def height(x, t):\n    return {factor} * x if t is None else x", vars(main))
        exec(SYSTEM.format(imports="", members="", potential="height(x, t)"), vars(main))
        return Identity.key_on_disk(main.Body(), "momentum", None)

    one, other, again = cell(1), cell(2), cell(1)
    assert one is not None
    assert one == again
    assert one != other


def test_functions_without_a_stable_identity_are_not_cached(modules):
    Body = modules({}, imports="import itertools\nN = itertools.count(1)", potential="next(N) * x")
    first, second = Body(), Body()
    assert first.workings.model().momentum(np.ones(3), np.zeros(0), np.zeros(0), 0.0)[0] > 2
    assert first.sde() is first.sde()
    assert first.sde() is not second.sde()


@pytest.mark.parametrize(
    "potential",
    ["x if x == 0 else 2 * x", "x if x > 0 else 2 * x", "sympy.sqrt(x)", "x.diff(x)", "0 if x in [0, 1] else x"],
)
def test_functions_that_need_sympy_are_not_traced(modules, potential):
    """It would have taken another branch."""
    Body = modules({}, imports="import sympy", potential=potential)
    assert Identity.first(Body()).traced is None
    assert Identity.key_on_disk(Body(), "momentum", None) is None


def test_values_without_identity_across_processes_are_not_cached(modules, tmp_path):
    (tmp_path / "data.txt").write_text("1.0")
    Body = modules(
        {}, imports=f"FILE = open({str(tmp_path / 'data.txt')!r})", potential="x if t is not None else FILE.read()"
    )
    assert Identity.first(Body()).traced is not None
    assert Identity.first(Body()).code is None
    assert Identity.key_on_disk(Body(), "momentum", None) is None
    Body.lagrangian.__globals__["FILE"].close()


def test_every_function_of_a_definition_is_traced():
    """One that is added to a constraint, a noise, the forces or an internal state has to be added to the trace.

    What a definition names is not traced, and is found by its code alone; units and ``with_vectors`` change no equation.
    """
    from semidirect.definition.constraints.contact import Contact
    from semidirect.definition.constraints.stochastic_constraint import Annihilator, Distribution
    from semidirect.definition.definition import Definition, Forces
    from semidirect.definition.transport_noise import InternalState, TransportNoise

    public = {kind: {n for n in (*vars(kind), *kind.__annotations__) if not n.startswith("_")} for kind in (
        sd.StochasticConstraint, TransportNoise, Forces, InternalState, Distribution, Annihilator, Contact, Definition,
    )}  # fmt: skip
    assert public == {
        Contact: {"linear", "normal", "load", "point"},
        sd.StochasticConstraint: {
            "noise", "coordinates", "distribution", "annihilator", "lift", "extra_fields", "moving_block", "one_source",
            "ground_contact", "with_vectors", "prescribed", "all_fields", "contacts",
        },
        TransportNoise: {"formal", "internal", "amplitudes"},
        Forces: {"drift", "noise", "independent"},
        InternalState: {"name", "initial", "drift", "noise", "dimension", "unit"},
        Distribution: {"basis", "offset", "test"},
        Annihilator: {"covectors", "values", "directions"},
        Definition: {
            "group", "lagrangian", "constraint", "advected", "internal", "forces", "parameters", "momentum_names",
            "internal_states", "advected_layout", "internal_layout", "momentum_name", "names", "made_by", "origin", "units",
            "named", "dissipation", "velocities", "has_basis", "orbit_point", "random_orbit_point",
            "hamiltonian", "noise_hamiltonian", "by_hamiltonian", "has_momenta", "momenta", "first", "has_energy", "states",
        },
    }  # fmt: skip


PARTS = {
    "lagrangian": lambda k: lambda self, xi, t: k * xi.Omega[0] ** 2,
    "force": lambda k: lambda self, xi: k * xi.Omega,
    "noise_force": lambda k: lambda self, a: [k * a.Gamma],
    "independent_force": lambda k: lambda self, a: [k * a.Gamma],
    "internal": lambda k: lambda self: [sd.InternalState("y", 0.0, lambda t, z: k * t, ())],
    "constraint": lambda k: lambda self: sd.Unconstrained(noise=sd.StateNoise(lambda a: [k * a.Gamma])),
    "advected": lambda k: {"Gamma": sd.Advected(sd.load("heavy-top").advected["Gamma"].representation, (0, 0, k))},
    "momentum_names": lambda k: {"Omega": "m" * k},
    "hamiltonian": lambda k: lambda self, p, a: k * p.Omega[0] ** 2,
    "noise_hamiltonian": lambda k: lambda self, p, a: [k * p.Omega[0]],
}


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_definition_shows_in_what_is_traced(part):
    """A test of the trace alone, which sees what no code shows."""
    given = {"lagrangian": lambda self, xi: sd.ops.dot(xi.Omega, xi.Omega), "group": sd.SO3()}
    given["advected"] = sd.load("heavy-top").advected
    traced = [Identity.first(type("Body", (sd.System,), {**given, part: PARTS[part](k)})()).traced for k in (1, 2, 1)]
    assert traced[0] is not None
    assert traced[0] == traced[2] != traced[1]


def test_cycles_and_orders():
    a: dict = {"x": 1}
    a["a"] = a
    b: dict = {"x": 1}
    b["a"] = b
    assert reached_code(a) == reached_code(b)
    assert reached_code({3, 1, 2}) == reached_code({2, 1, 3})
    assert reached_code({"a", "b"}) == reached_code({"b", "a"})
    assert reached_code([1, 1.0]) != reached_code([1, 1])
    assert reached_code([[], []]) != reached_code([[]] * 2)
    assert reached_code(np.ones(2)) != reached_code(np.ones((1, 2)))
    with pytest.raises(UnknownCodeError):
        reached_code(i for i in range(3))


def test_a_method_lifted_from_an_edited_one_has_another_kernel():
    """Its label is that of a method of this package, and says nothing of the tableau of somebody else's base."""

    class Mine(Heun):
        tableau = Heun.tableau

    variant = Variant(drawn=True)
    one = label_of(Lift(base=Mine()), variant)
    tableau = Mine.tableau
    Mine.tableau = replace(tableau, nodes=(0.0, 0.5))
    other = label_of(Lift(base=Mine()), variant)
    assert None not in (one, other)
    assert one != other
    assert Lift(base=Mine()).label in one
    Mine.tableau = tableau
    assert label_of(Lift(base=Mine()), variant) == one


def test_a_property_that_is_cached_in_an_instance_is_no_part_of_its_code():
    """It follows from the rest, and is there after its first use: the key of what was derived before must not change."""

    class Held:
        def __init__(self, number):
            self.number = number

        @functools.cached_property
        def double(self):
            return 2 * self.number

    one, other = Held(1), Held(2)
    before = reached_code(one)
    assert one.double == 2
    assert reached_code(one) == before != reached_code(other)
    group = sd.SE3()
    before = reached_code(group)
    assert group.structure_constants.any()
    assert reached_code(group) == before

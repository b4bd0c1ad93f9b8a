"""Classes that nothing uses any more are collected, with all that was derived of them."""

import ast
import gc
import pickle
import weakref
from pathlib import Path
from types import MappingProxyType

import pytest

import semidirect as sd
from semidirect import ops
from semidirect.core.results import Results
from semidirect.definition.identity import Identity
from semidirect.integrators.method import Integrator, Step, flat
from semidirect.model.derived_equations import structure

RUN = {"t_end": 0.2, "dt": 0.1, "seed": 1}


def braked():
    """A class of the cheapest kind that has everything: a line, noise, an observable, an option."""

    class Braked(sd.System):
        """dv = −a v dt + b dW."""

        group = sd.RealSpace(1, coordinates=("x",))
        initial = {"v": 1.0}
        a = sd.parameter(0.8, positive=True)
        b = sd.parameter(0.7, nonnegative=True)

        def lagrangian(self, xi):
            return xi.v * xi.v / 2

        def force(self, xi):
            return (-self.a * xi.v,)

        def noise_force(self, xi):
            return [(self.b,)]

        @sd.observable()
        def twice(self, state):
            return 2 * state.v

    return Braked


STAYS = braked()()


@pytest.fixture(autouse=True)
def _collections_are_short():
    """What is there before the test stays, and no collection searches it again."""
    gc.collect()
    gc.freeze()


def alive(references):
    """The objects of weak references that are still there after a collection."""
    gc.collect()
    return [x for x in (reference() for reference in references) if x is not None]


def test_a_thousand_classes_made_in_a_loop_are_collected():
    def made():
        kind = braked()
        kind(a=0.5)
        return weakref.ref(kind)

    assert not alive([made() for _ in range(1000)])


def derived(kind):
    system = kind()
    system.sde(), str(system.equations()), str(system.evolution("energy")), system.evaluate()
    system.prove("twice")


def simulated(kind):
    for engine in ("numpy", "compiled"):
        run = kind().simulate(
            **RUN, paths=3, save=sd.Save("all"), stop=sd.Stop("x", 5), execution=sd.Execution(engine=engine)
        )
        assert len(run["twice"]) == 3


def by_dop853(kind):
    kind().simulate(**RUN, method="dop853", driver="sin(t)")


def filtered(kind):
    seen, system = sd.Observation("v", noise=0.5), kind()
    for update in ("particles", sd.ExtendedKalman()):
        sd.filter(system, seen, ([0.1, 0.2], [[1.0], [0.9]]), dt=0.1, update=update, particles=100, seed=1)


def stepped(kind):
    ensemble = kind().ensemble(paths=2, dt=0.1, seed=1)
    ensemble.advance(steps=2)
    ensemble.read("twice")


def differentiated(kind):
    kind().simulate(**RUN, paths=2, formulation=sd.Formulation(sensitivity=("a",)))


def switched(kind):
    there = sd.Switch("one", "two", sd.Crossing("x", 0.05, "rising"))
    sd.Hybrid({"one": kind(), "two": kind()}, [there]).simulate(mode="one", **RUN, paths=2)


@pytest.mark.parametrize(
    "use", [derived, simulated, by_dop853, filtered, stepped, differentiated, switched], ids=lambda f: f.__name__
)
def test_a_class_is_collected_with_all_that_was_made_of_it(use):
    def used():
        kind = braked()
        use(kind)
        return weakref.ref(kind)

    assert not alive([used()])


def test_motions_are_collected_with_their_functions_and_groups():
    def used():
        class Line(type(sd.RealSpace(1))):
            """Another line."""

        def velocity(t):
            return [ops.sin(t)]

        sd.Kinematics(sd.SO2(), velocity=velocity).simulate(**RUN, paths=2)
        sd.Kinematics(Line(1), velocity=[1.0]).simulate(**RUN, paths=2)
        return weakref.ref(velocity), weakref.ref(Line)

    assert not alive(used())


def test_methods_are_collected_though_the_system_stays():
    def used():
        class Euler(Integrator):
            """The method of Euler."""

            name = "euler"
            strong_order = MappingProxyType({"additive": 1.0})
            deterministic_order = 1

            def step(self, model, y, t, dt, dW):
                k = model.field(y, t, dt, dW)
                return Step(flat(model, y, k), k[model.dimension :])

        STAYS.simulate(**RUN, paths=2, method=Euler(), execution=sd.Execution(engine="compiled"))
        return weakref.ref(Euler)

    assert not alive([used()])


def test_results_of_a_class_are_no_part_of_it():
    """Neither of its digest, nor of a copy: equations would not be found again, and machine code cannot be pickled."""
    before = Identity.of(STAYS)
    STAYS.simulate(**RUN)
    assert Results.of(type(STAYS))
    assert Identity.of(STAYS) == before
    assert not pickle.loads(pickle.dumps(Results.of(type(STAYS))))
    motion = sd.Kinematics(sd.SO2(), velocity=lambda t: [t])
    before = Identity.of(motion)
    motion.simulate(**RUN)
    assert motion.workings.shared_results
    assert Identity.of(motion) == before


def test_systems_of_one_class_share_their_equations():
    assert structure(type(STAYS)(a=2.0), "momentum", None) is structure(STAYS, "momentum", None)
    one, other = (sd.Kinematics(sd.SO2(), velocity=[v]) for v in (1.0, 2.0))
    assert structure(one, "momentum", None) is structure(other, "momentum", None)
    assert structure(one.replace(velocity=[3.0]), "momentum", None) is structure(one, "momentum", None)
    lines = (sd.Kinematics(sd.SO2(), velocity=lambda t: [t], noise=[[n]]) for n in (0.1, 0.2))
    assert len({id(structure(x, "momentum", None)) for x in lines}) == 2  # other functions


CACHES = {
    "library", "vocabulary", "_tell", "compiler", "processor", "_places", "_compiled", "offers", "parameters", "_definition",
    "_sources", "_functions_of_module", "_tables", "_version", "package_digest", "simplest_fraction", "_of_text",
    "gauss_legendre", "_candidates", "shortest", "_compiled_own", "_entry_points", "keep_memory",
    "_source", "_pools", "_point_set", "_library", "_come_before_executors",
}  # fmt: skip
"""Caches of the process, none of which has a class, or an object of a user, for a key or for a value."""


def caches():
    """Functions with a cache and dictionaries of modules, by name."""
    root = Path(sd.__file__).parent
    for file in sorted(root.rglob("*.py")):
        module = ".".join(file.relative_to(root).with_suffix("").parts)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any("cache" in ast.unparse(d) for d in node.decorator_list):
                yield module, node.name
            value = getattr(node, "value", None)
            if isinstance(value, ast.Dict) and not value.keys and isinstance(node, ast.Assign | ast.AnnAssign):
                yield module, ast.unparse(getattr(node, "target", None) or node.targets[0])


def test_there_are_no_other_caches_of_the_process():
    """A new one belongs to an object, see ``core/results.py``, unless its keys are texts and numbers: then add it here."""
    assert not [(module, name) for module, name in caches() if name not in CACHES]

"""The ordinary slips of someone who writes a system: each is refused in our words, at its line, before anything runs."""

import math

import numpy as np
import pytest
import sympy as sp

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError, UnknownNameError
from semidirect.core.messages.user_source_line import user_source_line

SYMBOLS = "cannot be called with symbols: got "


def kinetic(xi):
    return ops.dot(xi.Omega, xi.Omega) / 2


class Top(sd.System):
    """A top whose parts are replaced by wrong ones."""

    mass = sd.parameter(1.0, positive=True)
    chi = sd.parameter((0.0, 0.0, 1.0))
    noise = sd.parameter([[0.0, 0.0, 0.1]], shape=(None, 3))

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))}
    initial = {"Omega": (0.1, 0.2, 1.0)}

    def lagrangian(self, xi, a):
        return kinetic(xi) - self.mass * ops.dot(self.chi, a.Gamma)

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


def top(**parts):
    """A system with some parts of its own; a class of its own each time, so that nothing is known of it."""
    return type("Wrong", (Top,), parts)


def potential(function):
    """A Lagrangian with a potential of (chi, Gamma, mass)."""
    return top(lagrangian=lambda self, xi, a: kinetic(xi) - function(self.chi, a.Gamma, self.mass))


def written(change):
    """A Lagrangian that writes into what it is given."""

    def lagrangian(self, xi, a):
        change(self.chi, a.Gamma, xi.Omega)
        return kinetic(xi)

    return top(lagrangian=lagrangian)


def put(array, value):
    array[0] = value


def added(array, value):
    array += value


FOREIGN = {
    "np.sin": (lambda c, g, m: np.sin(g[0]), r"has no callable sin method.*Write ops\.sin"),
    "np.sqrt": (lambda c, g, m: np.sqrt(g @ g), r"Write ops\.sqrt"),
    "np.exp of an array": (lambda c, g, m: np.exp(g)[0], r"Write ops\.exp"),
    "np.arctan2": (lambda c, g, m: np.arctan2(g[0], g[1]), "with functions of semidirect.core.ops"),
    "np.linalg.norm": (lambda c, g, m: np.linalg.norm(g - c), r"Write ops\.sqrt"),
    "np.linalg.det": (lambda c, g, m: np.linalg.det(np.diag(g)), "linear algebra takes numbers only"),
    "math.sin": (lambda c, g, m: math.sin(g[0]), "Symbols are not floats"),
    "float": (lambda c, g, m: float(g[0]), "Symbols are not floats"),
    "an array of floats": (lambda c, g, m: np.array([g[0], 0], dtype=float)[0], "Symbols are not floats"),
    "an array of zeros": (lambda c, g, m: put(np.zeros(3), g[0]), "Symbols are not floats"),
    "if on a state": (lambda c, g, m: g[0] if g[0] > 0 else 0, "No Python if"),
    "if on a parameter": (lambda c, g, m: g[0] if m > 0 else 0, "No Python if"),
    "max": (lambda c, g, m: max(g[0], 0), r"ops\.maximum"),
    "np.maximum": (lambda c, g, m: np.maximum(g[0], 0), r"ops\.maximum"),
    "np.where": (lambda c, g, m: np.where(g[0] > 0, g[0], 0), r"ops\.where"),
    "a condition of an array": (lambda c, g, m: ops.where(g > 0, g, 0)[0], "entry by entry"),
    "rows of different shapes": (lambda c, g, m: np.array([g, 0])[0][0], "rows of one shape"),
    "np.isnan": (lambda c, g, m: np.isnan(g[0]), "with functions of semidirect.core.ops"),
    "round": (lambda c, g, m: round(g[0]), "with functions of semidirect.core.ops"),
    "a number as text": (lambda c, g, m: float(f"{g[0]:.3f}"), "cannot be formatted"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_only_numbers_can_do_is_told_with_the_line_and_the_remedy(name):
    function, message = FOREIGN[name]
    with pytest.raises(DefinitionError, match=message) as caught:
        str(potential(function)().equations())
    assert SYMBOLS in str(caught.value)
    assert caught.value.where.startswith("line ")
    assert "of test_slips.py" in caught.value.where
    assert not isinstance(caught.value.__cause__, DefinitionError)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "function",
    [
        lambda c, g, m: np.dot(g, c), lambda c, g, m: g @ c, lambda c, g, m: np.cross(g, c)[0], lambda c, g, m: abs(g[0]),
        lambda c, g, m: np.abs(g[0]), lambda c, g, m: (2 + g[0]) ** 0.5, lambda c, g, m: sum(g * c), lambda c, g, m: np.sum(g),
        lambda c, g, m: np.array([g[0], 0, 1])[0], lambda c, g, m: sp.sin(g[0]),
    ],
)  # fmt: skip
def test_what_is_right_for_symbols_as_well_is_left_alone(function):
    assert "∘dW" in str(potential(function)().equations())


def yielding(values):
    return lambda self: (value for value in values)


@pytest.mark.parametrize(
    "parts",
    [
        {"constraint": lambda self: sd.Unconstrained(sd.StateNoise(lambda a: (k * a.Gamma for k in (1, 2))))},
        {"constraint": lambda self: sd.Unconstrained(iter([(1, 0, 0), (0, 1, 0)]))},
        {"noise_force": yielding([(1, 0, 0), (0, 1, 0)])},
        {"internal": yielding([sd.InternalState("q", 0, noise=[1, 2])])},
    ],
)
def test_what_is_yielded_is_a_sequence(parts):
    assert top(**parts)(noise=()).sde().wieners == 2


CHANGED = {
    "an advected quantity": lambda chi, Gamma, Omega: put(Gamma, 0),
    "a velocity": lambda chi, Gamma, Omega: added(Omega, 1),
    "a parameter": lambda chi, Gamma, Omega: put(chi, Gamma[0]),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_a_function_is_given_cannot_be_changed(name):
    with pytest.raises(DefinitionError, match=r"read-only.*make a new array, ops\.array"):
        written(CHANGED[name])().sde()


MISMATCHED = {
    "dot": (lambda c, g, m: ops.dot([1, 2], g), r"a dot product: expected two vectors of one length, got shape \(2,\) and"),
    "dot with a number": (lambda c, g, m: ops.dot(g, 3), r"shape \(3,\) and a number"),
    "dot of names": (lambda c, g, m: ops.dot(*sd.Blocks({"Omega": g, "Y": c})), "one length, got 'Omega' and 'Y'"),
    "cross of four": (lambda c, g, m: ops.cross(g, [1, 2, 3, 4])[0], "a cross product: expected two vectors of three"),
    "hat of two": (lambda c, g, m: ops.hat([1, 2])[0, 0], "the hat of a vector: expected three"),
    "matvec": (lambda c, g, m: ops.matvec([[1, 2], [3, 4]], g)[0], "a matrix times a vector"),
    "matvec of a vector": (lambda c, g, m: ops.matvec(c, g), "a matrix times a vector"),
    "matmul": (lambda c, g, m: ops.matmul([[1, 2], [3, 4]], ops.hat(g))[0, 0], "a product of matrices"),
    "inertia": (lambda c, g, m: ops.inertia([1, 2], g)[0], "an inertia times a vector"),
    "outer": (lambda c, g, m: ops.outer(g, 2)[0, 0], "an outer product"),
    "rows of a matrix": (lambda c, g, m: ops.array([[1, 2], [3]])[0, 0], "a matrix: expected rows of one length"),
    "text": (lambda c, g, m: ops.sin("x"), r"ops\.sin: expected a number"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISMATCHED)
def test_shapes_that_do_not_go_together_are_not_cut(name):
    function, message = MISMATCHED[name]
    with pytest.raises(DefinitionError, match=message) as caught:
        potential(function)().sde()
    assert "of test_slips.py" in caught.value.where
    c, g = np.array([0.0, 0.0, 1.0]), np.array([0.6, 0.0, 0.8])
    with pytest.raises(InputError, match=message):  # the same with numbers
        function(c, g, 1.0)


def test_products_of_right_shapes():
    a, b = np.arange(1.0, 4), np.arange(2.0, 5)
    assert ops.dot(a, b) == 2 + 6 + 12
    assert ops.outer([1, 2], [3, 4, 5]).shape == (2, 3)
    assert ops.sin([0.0, 0.0]).tolist() == [0, 0]
    assert ops.dot(np.ones((3, 5)), b).shape == (5,)  # a batch


NOT_REAL = [
    None,
    "Gamma1",
    "energy",
    1j,
    True,
    float("nan"),
    float("inf"),
    np.float64("nan"),
    sp.I,
    sp.oo,
    {"l": 1},
    object(),
]


@pytest.mark.parametrize("value", NOT_REAL, ids=lambda value: repr(value).partition(" at 0x")[0])
def test_only_real_finite_values_are_values(value):
    with pytest.raises(
        DefinitionError, match="a Lagrangian: not a number: expected a real finite number or an expression"
    ):
        top(lagrangian=lambda self, xi, a: value)().sde()
    with pytest.raises(DefinitionError, match="the observable 'seen': not a number"):
        watching(lambda self, state: value)()


def watching(function, **how):
    function.__name__ = "seen"
    return lambda: top(seen=sd.observable(**how)(function))().evaluate()


def constrained(make):
    return lambda: top(constraint=make)().sde()


def with_noise(noise):
    return constrained(lambda self: sd.Unconstrained(noise))


def basis(*rows, names=("u",)):
    return constrained(lambda self: sd.DistributionConstraint(rows, names=names))


GAMMA = Top.advected["Gamma"]
KINDS = {
    # what a system states
    "no group": (lambda: type("Bare", (sd.System,), {})().sde(), "Bare defines no group"),
    "a group's class": (lambda: top(group=sd.SO3)().sde(), "group: expected a Lie group"),
    "a constraint's class": (constrained(lambda self: sd.Unconstrained), r"returned by constraint\(\): expected a constraint"),
    "no constraint": (constrained(lambda self: None), r"returned by constraint\(\): expected a constraint"),
    "advected as a list": (lambda: top(advected=[GAMMA])().sde(), "advected: expected names and their sd.Advected"),
    "advected without a reference": (lambda: top(advected={"Gamma": GAMMA.representation})().sde(), "sd.Advected"),
    "internal states alone": (lambda: top(internal=lambda self: sd.InternalState("q", 0))().sde(), "a sequence of sd.Internal"),
    "no internal states": (lambda: top(internal=lambda self: None)().sde(), r"the value returned by internal\(\)"),
    "momenta as text": (lambda: top(momentum_names="Pi")().sde(), "momentum_names: expected a mapping"),
    "a force that is a number": (lambda: top(force=3)().sde(), "an external force has the wrong shape"),
    "a check that answers": (lambda: top(check=lambda self: False)(), "Wrong.check gives False"),
    # names
    "a name of Blocks": (lambda: top(advected={"Gamma": GAMMA, "vector": GAMMA})().sde(), "'vector' cannot be the name"),
    "a name that is a number": (lambda: top(advected={1: GAMMA})().sde(), "1 cannot be the name"),
    "a name of the configuration": (lambda: top(advected={"Gamma": GAMMA, "g": GAMMA})().sde(), "names used twice: g"),
    "a parameter of every system": (lambda: top(values=sd.parameter(1.0)), "Wrong.values has the name of something"),
    "an option of every system": (lambda: top(method=sd.option("a")), "Wrong.method has the name of something"),
    "an observable of every system": (lambda: top(simulate=sd.observable()(lambda self, state: 0)), "Wrong.simulate has"),
    "an option like a method of System": (lambda: top(evolution=sd.option("a")), "Wrong.evolution has"),
    "an option of every definition": (lambda: top(replace=sd.option("a")), "Wrong.replace has"),
    "one symbol twice": (lambda: top(other=sd.parameter(1.0, symbol="mass"))().sde(), "'mass' and 'other' of Wrong have one"),
    "a symbol of a component": (lambda: top(other=sd.parameter(1.0, symbol="chi1"))().workings.model(), "have one symbol, chi1"),
    "an observable of a component": (lambda: observing("Gamma1"), "'Gamma1' is named like a component of 'Gamma'"),
    "an observable of the time": (lambda: observing("time"), "'time' cannot be the name of a quantity"),
    "an observable of the outcome": (lambda: observing("status"), "'status' cannot be the name of a quantity"),
    "an observable of an axis": (lambda: observing("component"), "'component' cannot be the name"),
    "a derived momentum": (lambda: observing("M", sd.derived), "observables named like state variables: M"),
    "a recommended name": (lambda: top(initial={"Omgea": (1, 0, 0)})().evaluate(), "Wrong.initial 'Omgea'. Did you mean 'Omega'"),
    "a list as a recommendation": (lambda: top(initial=lambda self: [])().evaluate(), "Wrong.initial: expected a mapping"),
    # declarations
    "an option that is a number": (lambda: sd.option(1.5), "an option: expected text, a truth value or a count, got 1.5"),
    "an option's default": (lambda: sd.option("a", choices=("b", "c")), "the default of an option: expected 'b' or 'c'"),
    "choices as text": (lambda: sd.option("a", choices="abc"), "the choices of an option"),
    "a shape as a number": (lambda: sd.parameter(1.0, shape=3), "the shape of a parameter"),
    "a ragged default": (lambda: sd.parameter([[1, 2], [3]]), "the default of a parameter"),
    "a check that tells": (lambda: top(q=sd.parameter(1.0, check=np.all))(), "the check of parameter 'q' of Wrong gives"),
    "an observable without brackets": (lambda: sd.observable(lambda self, state: 0), r"Write @sd\.observable\(\)"),
    "a derived one without brackets": (lambda: sd.derived(lambda self, state: 0), r"Write @sd\.derived\(\)"),
    "a need that is an answer": (lambda: sd.observable(needs=True), "needs of an observable"),
    "a reference as text": (lambda: sd.Advected(GAMMA.representation, "e3"), "a reference is not numeric"),
    "a complex reference": (lambda: sd.Advected(GAMMA.representation, (0, 0, 1j)), "a reference is not numeric"),
    "a group as a representation": (lambda: sd.Advected(sd.SO3(), (0, 0, 1)), "expected a representation"),
    # noise and constraints
    "a function as a noise": (with_noise(lambda a: [a.Gamma]), r"sd\.StateNoise\(function\)"),
    "None as a noise": (with_noise(None), "the amplitudes of a noise: expected a sequence of vectors"),
    "one vector as a noise": (with_noise([0, 0, 1]), "one for each Wiener process"),
    "a ragged noise": (with_noise([[0, 1, 2], [0, 1]]), r"a noise field N_i has the wrong shape: expected \(3\), got \(2,\)"),
    "a noise of the state that is one vector": (with_noise(sd.StateNoise(lambda a: a.Gamma)), "value of a noise of the state"),
    "a noise of the state that is nothing": (with_noise(sd.StateNoise(lambda a: None)), "value of a noise of the state"),
    "a prescribed noise of one number": (with_noise(sd.noise.PrescribedNoise(lambda t: t)), "the value of a prescribed noise"),
    "a formal noise of one number": (with_noise(sd.noise.FormalNoise(lambda a: 1)), "the value of a formal noise"),
    "an infinite amplitude": (with_noise([[0, 0, np.inf]]), "an amplitude of a noise: not a number"),
    "names as one text": (basis([1, 0], [0, 1], [0, 0], names="uv"), "the names of the coordinates.*got 'uv'"),
    "a number of names": (basis([1], [0], [0], names=1), "the names of the coordinates"),
    "a negative number of components": (basis([1], [0], [0], names={"u": -1}), "the names of the coordinates"),
    "no column": (basis([], [], [], names=()), "the basis B of a distribution: expected one column or more"),
    "a random force of one covector": (lambda: top(noise_force=lambda self: 3)().sde(), "a random force: expected a sequence"),
    "no random force": (lambda: top(independent_force=lambda self: None)().sde(), "a random force: expected a sequence"),
    "an internal start that is text": (
        lambda: top(internal=lambda self: [sd.InternalState("q", "a")])().evaluate(), "state variable 'q': expected numbers",
    ),
    "an internal state of no component": (lambda: sd.InternalState("q", []), "an internal state: expected a name, and the"),
    "parts that are no noises": (lambda: sd.noise.CombinedNoise(([[0, 0, 1]],)),
        "the parts of a combined noise: expected noises"),
    "no parts": (lambda: sd.noise.CombinedNoise(None), "the parts of a combined noise: expected noises"),
    "a slip of one number": (lambda: sd.Rolling([0, 0, 1], slip=3).extra_fields(a=0, t=0, z=0), "the slip of rolling: expected"),
    # arguments
    "arguments without names": (lambda: top(lagrangian=lambda self, *parts: 0)().sde(), "takes arguments without names"),
    "an observable of nothing": (watching(lambda self: 0), "the observable 'seen' takes other arguments"),
    "an observable of two": (watching(lambda self, state, t: 0), "missing a required argument: 't'"),
    "an observable that is a matrix": (watching(lambda self, state: state.s), r"'seen' has the wrong shape.*got \(3, 3\)"),
    "an observable of no component": (watching(lambda self, state: []), "the observable 'seen' has no component"),
    "an observable of ragged rows": (watching(lambda self, state: [state.Omega, 1]), "the observable 'seen' is not an array"),
    "an evolution of a number": (lambda: Top().evolution(3), "a quantity: expected a name"),
    # configuration
    "a configuration that is text": (lambda: placed(lambda self, a: "upright"), "Wrong.configuration: expected a finite matrix"),
    "a configuration of another size": (lambda: placed(lambda self, a: np.eye(4)), r"a finite matrix \(3, 3\)"),
    "a configuration that is not finite": (lambda: placed(lambda self, a: np.full((3, 3), np.nan)), "a finite matrix"),
}  # fmt: skip


def observing(name, kind=sd.observable):
    return top(**{name: kind()(lambda self, state: state.Gamma[0])})().simulate(t_end=0.02, dt=0.01)


def placed(configuration):
    return top(configuration=configuration)().evaluate({"Gamma": (0, 0.6, 0.8)})


@pytest.mark.parametrize("name", KINDS)
def test_wrong_types_raise_errors(name):
    make, message = KINDS[name]
    with pytest.raises((DefinitionError, UnknownNameError, InputError), match=message) as caught:
        make()
    assert len(str(caught.value)) < 500


def test_a_users_own_exception_says_where_it_came_from():
    """What would fail with numbers as well passes through as it is."""
    with pytest.raises(IndexError) as caught:
        potential(lambda c, g, m: g[3])().sde()
    assert user_source_line(caught.value).startswith("line ")
    assert "g[3]" in user_source_line(caught.value)
    with pytest.raises(AttributeError, match="masss"):
        top(lagrangian=lambda self, xi: self.masss)().sde()
    assert user_source_line(ValueError("never raised")) == ""


def test_blocks_answer_as_mappings_and_as_objects():
    blocks = sd.Blocks({"Gamma": np.ones(3)}, "advected quantity")
    assert "Gamma" in blocks
    assert "gamma" not in blocks
    assert 0 not in blocks
    assert [0] not in blocks
    assert blocks.get("gamma", 7) == 7
    assert hasattr(blocks, "Gamma")
    assert not hasattr(blocks, "gamma")
    assert getattr(blocks, "gamma", None) is None
    for ask in (lambda: blocks["gamma"], lambda: blocks.gamma):
        with pytest.raises(UnknownNameError, match="unknown advected quantity 'gamma'"):
            ask()
    for key in (0, 1.5, slice(2), None, [0]):
        with pytest.raises(UnknownNameError, match=r"Known: Gamma\."):
            blocks[key]


# -- what no error tells: a definition that is another one for symbols -----------------------------------------------------

UNSEEN = {
    "a parameter": potential(lambda c, g, m: g[0] if m == 1 else 0),
    "a state": potential(lambda c, g, m: g[0] if g[0] != g[0] + 0 or isinstance(g[0], float) else 0),
    "a random number": potential(lambda c, g, m: g[0] * np.random.default_rng().random()),
    "a basis": top(
        constraint=lambda self: sd.DistributionConstraint([[1], [2 if self.mass == 1 else 1], [0]], ("u",)), initial={}
    ),
    "covectors": top(constraint=lambda self: sd.CovectorConstraint([[1 if self.mass == 1 else 2, 1, 1]]), initial={}),
    "a noise": top(constraint=lambda self: sd.Unconstrained([[1 if self.mass == 1 else 2, 0, 0]])),
    "a force": top(force=lambda self, xi: -xi.Omega if self.mass == 1 else 0 * xi.Omega),
    "an internal state": top(
        internal=lambda self: [sd.InternalState("q", 0, lambda z: -z.q if self.mass == 1 else z.q)]
    ),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_a_definition_that_steers_by_a_value_is_warned_of(name):
    with pytest.warns(
        sd.errors.DefinitionWarning, match=r"for symbols, .* for numbers\. Does it use a Python if"
    ) as caught:
        UNSEEN[name]().simulate(t_end=0.02, dt=0.01)
    assert len(caught) == 1
    with pytest.warns(sd.errors.DefinitionWarning):
        UNSEEN[name]().evaluate()


def test_it_is_asked_once_and_of_the_parameters_of_the_run():
    system = UNSEEN["a parameter"]()
    with pytest.warns(sd.errors.DefinitionWarning):
        system.evaluate()
    system.evaluate()  # warnings are errors here
    UNSEEN["a parameter"](mass=2.0).simulate(t_end=0.02, dt=0.01)
    with pytest.warns(sd.errors.DefinitionWarning):
        UNSEEN["a parameter"](mass=sd.PerPath([1.0, 2.0])).simulate(t_end=0.02, dt=0.01)


def test_undefined_values_are_not_judged():
    """A root of what is negative there, and a function that knows symbols only."""
    potential(lambda c, g, m: ops.sqrt(g[0] - 9) - ops.sqrt(g[0] - 9))().evaluate()
    potential(lambda c, g, m: sp.sin(g[0]))().evaluate()

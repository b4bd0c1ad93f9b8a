"""What a class states by name: misspelled names raise an error, and each of the usual forms of a definition is read."""

import random
import string

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import DefinitionError
from semidirect.core.messages.near_names import SHORT, edits, nearest
from semidirect.definition.hooks import HOOKS

DATA = {
    "group": sd.SO3(),
    "lagrangian": lambda self, xi: 0.1 * xi.Omega[0] ** 2 + 0.2 * xi.Omega[1] ** 2 + 0.25 * xi.Omega[2] ** 2,
    "initial": {"Omega": (1.0, 2.0, 3.0)},
}


def body(base=(sd.System,), **names):
    return type("Body", base, {"__doc__": "A body.", "__module__": __name__, **DATA, **names})


def one_edit(name, draw):
    """A name with one letter inserted, left out, replaced or exchanged with the next one."""
    i, letter = draw.randrange(len(name) - 1), draw.choice(string.ascii_lowercase)
    return draw.choice(
        [name[:i] + letter + name[i:], name[:i] + name[i + 1 :], name[:i] + letter + name[i + 1 :],
         name[:i] + name[i + 1] + name[i] + name[i + 2 :], name + letter]
    )  # fmt: skip


def misspelled(hook):
    """Slips of one hook: other letters, plurals, one edit, and two edits of longer names."""
    draw = random.Random(hook)
    words = {
        hook.capitalize(),
        hook.upper(),
        hook + "_",
        hook + "s",
        hook.replace("_", ""),
        hook.title().replace("_", ""),
    }
    words |= {one_edit(hook, draw) for _ in range(12)}
    if len(hook) > SHORT:
        words |= {one_edit(one_edit(hook, draw), draw) for _ in range(12)}
    return sorted(w for w in words - {hook} if w.isidentifier() and not w.startswith("_") and not hasattr(sd.System, w))


@pytest.mark.parametrize("hook", HOOKS)
def test_a_misspelled_hook_of_a_system_raises_an_error_with_the_right_name(hook):
    for name in misspelled(hook):
        near = {h for h in HOOKS if edits(name.lower(), h) <= 2}
        with pytest.raises(DefinitionError) as error:
            body(**{name: lambda self: None})
        assert any(f"expected {h}" in str(error.value) for h in near | {hook}), name
        assert f"_{name}" in str(error.value)
        with pytest.raises(DefinitionError, match="would be ignored"):
            body(__annotations__={name: float})


def test_a_misspelled_hook_is_found_in_what_is_mixed_in():
    mixed = type("Mixed", (), {"constraints": lambda self: sd.Unconstrained()})
    with pytest.raises(DefinitionError, match=r"Mixed\.constraints would be ignored.*expected constraint"):
        body((mixed, sd.System))


@pytest.mark.parametrize("name", ["noise", "noise_fields", "noisefields", "initial_state", "start"])
def test_a_name_that_belongs_elsewhere_says_where(name):
    with pytest.raises(DefinitionError, match=r"constraint\(self\)|initial = "):
        body(**{name: ((0.0, 0.0, 0.1),)})


LEGITIMATE = (
    "space", "state_of", "scale", "slope", "ground", "source", "mass", "moment", "inertia", "axis", "gravity", "place", "radius",
    "potential", "kinetic_energy", "friction", "control", "torque", "length", "contact", "frame", "angle", "offset",
    "height", "shadow", "grid", "unit_of", "forward",
)  # fmt: skip


def test_other_public_names_and_private_ones_are_left_alone():
    kind = body(**dict.fromkeys(LEGITIMATE, lambda self: None), _constraints=1, _forces=2)
    assert kind().simulate(t_end=0.01, dt=0.01)["Omega"].shape == (1, 2, 3)
    declared = body(
        forces=sd.parameter(1.0), shapes=sd.option("a"), energies=sd.observable()(lambda self, state: state.Omega[0])
    )
    assert {"forces", "shapes"} <= declared().values.keys() | declared().workings.choices.keys()
    used = body(noise=lambda self: ((0.1, 0.0, 0.0),), constraint=lambda self: sd.Unconstrained(noise=self.noise()))
    assert used().sde().wieners == 1
    inherits = body((body(_forces=1),), energy=sd.energy(status="exact"))
    assert inherits().observables()["energy"].status == "exact"


def test_nearest_knows_short_names_by_one_edit():
    """Two edits of five letters are other words."""
    assert nearest("shap", HOOKS) == "shape"
    assert nearest("space", HOOKS) is None
    assert nearest("ground", HOOKS) is None
    assert nearest("indpendent_forces", HOOKS) == "independent_force"


@pytest.mark.parametrize(
    ("base", "names", "right"),
    [
        (sd.LieGroup, ("exp_entrys", "cayleyentries", "Draw", "residal"), ("exp_entries", "cayley_entries", "draw", "residual")),
        (sd.noise.TransportNoise, ("amplitudess", "internals"), ("amplitudes", "internal")),
        (sd.StochasticConstraint, ("distributions", "extra_field", "noises"), ("distribution", "extra_fields", "noise")),
        (sd.noise.Driver, ("proces", "from_arguments"), ("process", "from_argument")),
        (sd.runs.Engine, ("usual_path", "Go"), ("usual_paths", "go")),
    ],
    ids=lambda x: x.__name__ if isinstance(x, type) else "",
)  # fmt: skip
def test_a_misspelled_hook_of_another_base_raises_an_error(base, names, right):
    for name, hook in zip(names, right, strict=True):
        with pytest.raises(DefinitionError, match=f"expected {hook}"):
            type("Mine", (base,), {"__module__": __name__, name: lambda self: None})
        type("Mine", (base,), {"__module__": __name__, name: None, hook: None})  # both are stated: a helper
        type("Mine", (base,), {"__module__": __name__, f"_{name}": None})


def forms(value):
    """A value as a method, a property and an attribute."""
    return {"method": lambda self: value, "property": property(lambda self: value), "attribute": value}


VALUES = {
    "group": sd.SO3(),
    "advected": {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), reference=(0, 0, 1))},
    "initial": {"Omega": (0.3, 0.2, 0.1)},
    "constraint": sd.Unconstrained(noise=((0.0, 0.0, 0.1),)),
    "internal": (sd.InternalState("q", (0.5, 0.1), lambda z: (-z.q[0], z.q[0])),),
    "units": {"Omega": "rad/s"},
    "momentum_names": {"Omega": "P"},
    "method": "rk4",
    "force": (0.0, 0.0, 1.0),
    "independent_force": ((0.0, 0.1, 0.0),),
}
"""Values of hooks, each of which changes a body."""


@pytest.mark.parametrize("name", VALUES)
def test_a_hook_may_be_a_method_a_property_or_an_attribute(name):
    def what(system):
        run = system.simulate(t_end=0.02, dt=0.01)
        return str(system.equations()), run.config["method"], {k: np.asarray(run[k]).tolist() for k in run}

    plain = what(body()())
    seen = [what(body(**{name: value})()) for value in forms(VALUES[name]).values()]
    assert seen[0] == seen[1] == seen[2]
    assert name in ("group", "units") or seen[0] != plain


def test_a_lagrangian_may_be_any_callable():
    def l(xi):  # noqa: E743
        return DATA["lagrangian"](None, xi)

    texts = [
        str(body(lagrangian=x)().equations()) for x in (DATA["lagrangian"], property(lambda self: l), staticmethod(l))
    ]
    assert texts[0] == texts[1] == texts[2]


def test_a_shape_may_be_an_attribute():
    shape = sd.shapes.Shape(sd.shapes.ball(0.1))
    run = body(shape=shape)().simulate(t_end=0.02, dt=0.01)
    assert (
        run.view()._repr_html_() == body(shape=lambda self: shape)().simulate(t_end=0.02, dt=0.01).view()._repr_html_()
    )


@pytest.mark.parametrize("name", ["constraint", "internal", "dissipation"])
def test_a_hook_that_takes_the_state_raises_an_error(name):
    with pytest.raises(DefinitionError, match="without arguments"):
        body(**{name: lambda self, xi, a: None})().workings.definition()

"""Calls of everything public with arguments of other names or another number raise errors that say how the call is written."""

import importlib
import inspect
from functools import cache

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import CallError, SemidirectError
from semidirect.core.explained_calls import explains_calls

MODULES = ("semidirect.analysis", "semidirect.analysis.convergence_study", "semidirect.analysis.comparison",
           "semidirect.analysis.pictures", "semidirect.invariants", "semidirect.definition.plugins")  # fmt: skip
MADE_BY_THE_LIBRARY = ("Blocks", "Final", "StratonovichSDE", "NoiseClass")


def concrete(kind):
    """Whether it is a class of which users make objects: others are abstract, or made by the library."""
    made = inspect.isclass(kind) and not inspect.isabstract(kind) and not issubclass(kind, BaseException | Warning)
    return made and kind is not sd.StochasticConstraint


@cache
def subjects():
    """Public functions and classes, and the methods of what users hold."""
    found = {f"sd.{name}": getattr(sd, name) for name in sd.__all__ if name not in MADE_BY_THE_LIBRARY}
    for name in MODULES:
        module = importlib.import_module(name)
        found |= {f"{name}.{each}": getattr(module, each) for each in module.__all__}
    found = {k: v for k, v in found.items() if inspect.isfunction(v) or (k.startswith("sd.") and concrete(v))}
    body = sd.load("rigid-body")
    run = body.simulate(t_end=0.02, dt=0.01, paths=2, reduce="moments", execution=sd.Execution(engine="numpy"))
    held = {"system": (sd.System, body), "run": (sd.Run, run), "ensemble": (None, body.ensemble(dt=0.01)),
            "observation": (None, sd.Observation("M", noise=0.1))}  # fmt: skip
    for label, (kind, one) in held.items():
        for name, value in vars(kind or type(one)).items():
            if not name.startswith("_") and inspect.isfunction(value):
                found[f"{label}.{name}"] = getattr(one, name)
    return found


def parameters(function):
    return [p for p in inspect.signature(function).parameters.values() if p.name != "self"]


@pytest.mark.parametrize("name", sorted(subjects()))
def test_other_arguments_than_those_of_the_signature_are_explained(name):
    function = subjects()[name]
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters(function))
    with pytest.raises(SemidirectError):
        function(no_such_argument_anywhere=1)
    if not several:
        with pytest.raises(SemidirectError):
            function(*[object()] * 30)
    if any(p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters(function)):
        with pytest.raises(CallError, match="needs the argument"):
            function()


@pytest.mark.parametrize(("call", "message"), [
    (lambda s: s.simulate(t_end=1, dt=0.1, path=3), "unknown argument 'path' of simulate. Did you mean 'paths'? Write"),
    (lambda s: s.simulate(10), "arguments of simulate: expected arguments with their names, got 10. Write simulate(t_end=…"),
    (lambda s: s.simulate(t_end=1), "simulate needs the argument 'dt'. Write simulate(t_end=…, dt=…"),
    (lambda s: s.simulate(), "simulate needs the arguments 't_end', 'dt'"),
    (lambda s: s.ensemble(dt=0.1, Paths=3), "Did you mean 'paths'?"),
    (lambda s: sd.Save(name=["M"]), "unknown argument 'name' of Save. Did you mean 'names'?"),
    (lambda s: sd.Observation("x", noize=1), "Did you mean 'noise'?"),
    (lambda s: sd.filter(s, sd.Observation("M", noise=1)), "filter needs the arguments 'data', 'dt'"),
    (lambda s: sd.load("rigid-body", 3), "arguments of load: expected 1 without its name, got 'rigid-body', 3"),
    (lambda s: sd.load("rigid-body", name="heavy-top"), "the argument 'name' of load is given twice"),
], ids=range(10))  # fmt: skip
def test_message_names_the_right_argument(call, message):
    with pytest.raises(CallError) as found:
        call(sd.load("rigid-body"))
    assert message in str(found.value)
    assert isinstance(found.value, TypeError)


def test_errors_within_a_function_are_its_own():
    @explains_calls
    def broken(value):
        return len(value)

    with pytest.raises(TypeError, match="has no len") as found:
        broken(3)
    assert not isinstance(found.value, CallError)
    assert broken("abc") == 3
    assert np.array_equal(sd.load("rigid-body").simulate(t_end=0.1, dt=0.1).times, [0, 0.1])


@pytest.mark.parametrize("update", ["particles", "extended-kalman"])
def test_warnings_name_the_line_of_the_user(update):
    """A wrapper is one call more between the line and the warning."""
    line = sd.Kinematics(sd.RealSpace(1), noise=[[0.1]])
    far = np.array([0.1]), np.array([5.0])
    with pytest.warns(sd.errors.FilterWarning) as found:
        sd.filter(line, sd.Observation("x1", noise=0.01), far, dt=0.1, particles=100, update=update)
    assert {one.filename for one in found} == {__file__}

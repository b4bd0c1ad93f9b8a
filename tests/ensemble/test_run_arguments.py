"""The objects that specify a run: what they accept, their record, and what is said to those who give their fields one by one."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.analysis.comparison import compare
from semidirect.analysis.convergence_study import convergence
from semidirect.cli.entry import make_parser
from semidirect.ensemble.run_arguments import DEFAULTS, EnsembleArguments, RunArguments
from semidirect.specification.moved_arguments import ARGUMENTS, MOVED, OF_A_RUN

BODY = sd.load("rigid-body")
SHORT: dict[str, Any] = {"t_end": 0.2, "dt": 0.1}
NAMES = st.lists(st.sampled_from(["energy", "Omega", "dot(M, M)"]), unique=True)
SIZES = st.floats(min_value=0, exclude_min=True, allow_nan=False) | st.integers(1, 10**6) | st.none()
SCHEDULES = (
    st.sampled_from(["all", "final", "times:0.1,0.2"])
    | st.integers(1, 10**9).map(lambda k: f"every:{k}")
    | st.lists(st.floats(0, 10), max_size=4)
)
STATISTICS = st.sampled_from(
    ["moments", "mean", "covariance", sd.Extremes(["Omega"]), sd.Histogram("energy", 0, 1, bins=5)]
)
OBJECTS: dict[type, st.SearchStrategy[Any]] = {
    sd.Save: st.builds(sd.Save, SCHEDULES, names=st.none() | NAMES, crossings=st.sampled_from([(), sd.Crossing("energy", 1.0)])),
    sd.Reduce: st.builds(sd.Reduce, st.lists(STATISTICS, unique_by=str, max_size=3), at=st.none() | SCHEDULES),
    sd.Checks: st.builds(sd.Checks, st.dictionaries(st.sampled_from(["energy", "M"]), SIZES),
                         st.sampled_from(["report", "raise", "mask"]), validate=st.booleans()),
    sd.Formulation: st.builds(sd.Formulation, st.sampled_from([None, "A", "B"]), st.sampled_from(["momentum", "velocity"]),
                              reconstruct=st.booleans()),
    sd.Execution: st.builds(sd.Execution, st.none() | st.integers(1, 64), engine=st.sampled_from(["auto", "numpy", "compiled"]),
                            progress=st.booleans()),
}  # fmt: skip
ANY = st.one_of(*OBJECTS.values())
FORWARDING = (BODY.simulate, BODY.ensemble, sd.extend, convergence, compare)
VALUES = {
    "crossings": sd.Crossing("energy", 5.0),
    "keep": ["energy"], "store": "run.zarr", "resume": False, "reduce_at": "final", "bounds": {"energy": 5.0},
    "on_failure": "mask",
    "validate": False, "error_check": True, "threads": 1, "executor": None, "engine": "numpy", "progress": False, "form": None,
    "variables": "momentum", "reconstruct": False, "sensitivity": ("inertia",),
    "noise_dt": 0.05, "noise_covariance": [[2, 1, 0], [1, 2, 0], [0, 0, 1]], "increments": "three-point",
}  # fmt: skip


@given(ANY)
def test_objects_are_values(one):
    twin = pickle.loads(pickle.dumps(one))
    assert twin == one
    assert hash(twin) == hash(one)
    assert len(repr(one)) <= 180
    assert repr(type(one)()) == f"{type(one).__name__}()"
    with pytest.raises(AttributeError):
        setattr(one, next(iter(vars(one))), None)


@given(st.one_of(*(made for kind, made in OBJECTS.items() if kind is not sd.Execution)))
def test_the_record_of_an_object_gives_the_object(one):
    """Statistics are recorded where there are some, and with them their times."""
    expected = sd.Reduce() if one == sd.Reduce((), at=getattr(one, "at", None)) else one
    defaults = sd.Save().as_json() | sd.Checks().as_json() | sd.Formulation().as_json()
    assert type(one).from_json(defaults | one.as_json()) == expected


def test_shorthands_are_the_objects():
    assert sd.Save.of("final") == sd.Save("final")
    assert sd.Save.of([0, 1]) == sd.Save((0.0, 1.0))
    assert sd.Reduce.of("moments") == sd.Reduce(sd.Moments()) == sd.Reduce(["mean", "variance"])
    assert sd.Checks(bounds={"energy": None}) == sd.Checks({"energy": float("inf")}) != sd.Checks()
    for name in ("checks", "execution", "formulation"):
        with pytest.raises(sd.errors.InputError, match=f"{name}: expected an object sd.{name.title()}, got 'numpy'"):
            BODY.simulate(**SHORT, **{name: "numpy"})


EXPANDED = {
    "MethodLike": "str | Integrator", "Schedule": "str | Sequence[float] | Save", "Stops": "Condition | Sequence[Condition]",
    "Statistics": "str | Statistic | Sequence[str | Statistic] | Reduce",
}  # fmt: skip


def types_of(annotations):
    """Name → the alternatives of its type, without ``None``, which a default may add."""
    texts = {k: EXPANDED.get(part := str(v).removesuffix(" | None"), part) for k, v in annotations.items()}
    return {
        k: text.removeprefix("Required[").removesuffix("]") if "Required" in text else text for k, text in texts.items()
    }


def test_functions_that_run_paths_take_the_declared_arguments():
    """Under the same names and with the same types, whichever of them they take; the whole for ``simulate`` and ``ensemble``."""
    declared = types_of(
        {k: v.__forward_arg__ for kind in (EnsembleArguments, RunArguments) for k, v in kind.__annotations__.items()}
    )
    whole = {BODY.simulate: RunArguments, BODY.ensemble: EnsembleArguments}
    others = (sd.Hybrid.simulate, sd.lyapunov, sd.multilevel, convergence, compare, sd.extend, sd.filter, sd.fit)
    for function in (*whole, *others):
        taken = types_of({k: p.annotation for k, p in inspect.signature(function).parameters.items() if k in declared})
        if function in whole:
            assert taken.keys() == {k for k in declared if k in whole[function].__annotations__}
        if function in (sd.filter, sd.fit):
            assert taken.pop("state") == "Prior"  # or a function that draws one
        if taken.get("state") == "Mapping[str, Any]":
            del taken["state"]  # and no function that draws one
        if taken.get("seed") == "int":
            del taken["seed"]  # which draws none
        assert taken == {k: declared[k] for k in taken}, function
    assert declared.keys() == OF_A_RUN - MOVED.keys()
    defaults = {
        k: p.default for k, p in inspect.signature(BODY.simulate).parameters.items() if p.default is not p.empty
    }
    assert defaults == DEFAULTS


def test_a_run_is_specified_by_at_most_fourteen_arguments():
    assert len(inspect.signature(BODY.simulate).parameters) <= 14
    taken = {name for function in FORWARDING for name in inspect.signature(function).parameters}
    assert not taken & MOVED.keys()


@pytest.mark.parametrize("name", sorted(MOVED))
def test_a_former_argument_is_answered_by_a_call_that_works(name, tmp_path, monkeypatch):
    """The call that the message writes gives a run, in which the object has the value that was given."""
    monkeypatch.chdir(tmp_path)
    kind, field = MOVED[name]
    assert field in inspect.signature(getattr(sd, kind)).parameters
    value = VALUES[name]
    for function in FORWARDING:
        if ARGUMENTS[kind] in inspect.signature(function).parameters:
            with pytest.raises(sd.errors.InputError, match=f"Write {ARGUMENTS[kind]}=sd.{kind}") as caught:
                function(**{name: value})
    given = {"reduce": "moments"} if kind == "Reduce" else {}
    with pytest.raises(sd.errors.InputError) as caught:
        BODY.simulate(**SHORT, **given, **{name: value})
    written = re.search(r"Write (.*)\.$", str(caught.value))
    if name == "crossings":  # whose value is no literal
        assert written[1] == "save=sd.Save(crossings=…)"
        return
    made = eval(f"dict({written[1]})", {"sd": sd})
    first = ["moments"] if kind == "Reduce" else []
    assert made == {ARGUMENTS[kind]: getattr(sd, kind)(*first, **{field: value})}
    assert BODY.simulate(**SHORT, **made).good.all()


def test_the_changelog_lists_the_former_arguments():
    page = (Path(__file__).parents[2] / "docs" / "changelog.md").read_text(encoding="utf-8")
    later = {"crossings", "sensitivity"}  # which no release took
    assert {name for name in MOVED if f"`{name}=`" in page} == MOVED.keys() - later


def test_several_former_arguments_are_one_message():
    with pytest.raises(sd.errors.InputError) as caught:
        BODY.simulate(**SHORT, save="final", keep=["energy"], threads=2, engine="numpy")
    assert str(caught.value).endswith(
        "Write save=sd.Save('final', names=['energy']), execution=sd.Execution(threads=2, engine='numpy')."
    )


def test_each_flag_of_an_object_is_one_of_the_command():
    commands = next(a for a in make_parser()._actions if hasattr(a, "choices") and a.choices)
    parser = commands.choices["run"]
    parser.format_help()
    shown = {option for action in parser._actions for option in action.option_strings}
    for kind in OBJECTS:
        assert {f"--{flag.name}" for flag in kind.flags} <= shown

"""Whatever cannot be used gives one line that says what to do, exit code 2, and no traceback."""

import re

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, MethodError, SemidirectError, StoreError

SET, STATE = "evaluate routh-sphere --set", "evaluate routh-sphere --state"
RUN = "run routh-sphere --t-end 0.1 --dt 0.01"
WIDE = "expected JSON, a finite number or an array of such"

BAD = [
    # names
    ("show nope", "", "unknown system 'nope'. Known: "),
    ("run routh-spher", "", "Did you mean 'routh-sphere'?"),
    ("evolution routh-sphere jelett", "", "Did you mean 'jellett'?"),
    (SET, "massy=1", "Did you mean 'mass'?"),
    (STATE, "Omgea=[1, 0, 0]", "Did you mean 'Omega'?"),
    (RUN, "--method=heum", "Did you mean 'heun'?"),
    (RUN, "--method=", "unknown method ''"),
    (RUN, "--keep=enrgy", "Did you mean 'energy'?"),
    (RUN, "--keep=,", "expected names of quantities"),
    # keys and values
    (SET, "mass", "expected KEY=JSON, got 'mass'. Write for example --set key=1.5."),
    (SET, "=1", "expected KEY=JSON"),
    (SET + " mass=1 --set", "mass=2", "--set mass is given twice: got 1 and 2"),
    (STATE + " Omega=[1,0,0] --state", "Omega=[1,0,0]", "--state Omega is given twice"),
    (SET, "mass=abc", f"--set mass: {WIDE}, got 'abc'. Write for example --set mass=1.0."),
    (SET, "noise=0,0,1", "Write for example --set 'noise=[[0.0, 0.0, 0.1]]'."),
    (SET, "mass=", WIDE),
    (SET, "mass=NaN", WIDE),
    (SET, "mass=-Infinity", WIDE),
    (SET, "noise=[[0, 0, NaN]]", WIDE),
    (SET, "mass=true", WIDE),
    (SET, "mass=null", WIDE),
    (SET, 'mass="1"', WIDE),
    (SET, 'mass={"a": 1}', WIDE),
    (SET, "axis=[0, false, 1]", WIDE),
    (SET, "mass=__import__('os').getcwd()", WIDE),
    (SET, "mass=" + "[" * 10_000, WIDE),
    (SET, "mass=1" + "0" * 5000, WIDE),
    (SET, "mass=1" + "0" * 400, "is not numeric"),
    (SET, "mass=1e999", "expected finite numbers, got inf"),
    (STATE, "Omega=abc", f"--state Omega: {WIDE}, got 'abc'. Write for example --state 'Omega=[0, 0, 1]'."),
    (STATE, "Omega=[1, 0, NaN]", WIDE),
    (STATE, "Omega=[1, 0, 1e999]", "expected finite numbers"),
    # what no body has
    (SET, "mass=-1", "parameter 'mass' of RollingBall: expected positive, got -1.0"),
    (SET, "mass=0", "expected positive"),
    (SET, "offset=-0.1", "expected not negative"),
    (SET, "mass=[1, 2]", "expected (), got (2,). One value for each path is mass=sd.PerPath(…), in Python."),
    (SET, "inertia=[1, 1]", "has the wrong shape: expected (3,) or (3, 3), got (2,)"),
    (SET, "inertia=[[1, 0, 0], [0, 1], [0, 0, 1]]", "is not numeric"),
    (SET, "inertia=[1, 1, 3]", "triangle inequality"),
    (SET, "inertia=[1, 1, 2.00000000001]", "triangle inequality"),
    (SET, "inertia=[[1, 0, 0], [0, 1, 0], [0, 0.1, 1]]", "expected a symmetric matrix"),
    (SET, "inertia=[1, -1, 1]", "expected positive principal moments"),
    (SET, "axis=[1, 1, 1]", "expected length 1, got length 1.732"),
    (SET, "coupling=print", "expected 'variational' or 'printed', got 'print'"),
    (SET, "coupling=1", "expected 'variational' or 'printed', got 1"),
    ("evaluate rigid-body --set", "advect_gamma=True", "expected JSON, true or false, got 'True'"),
    ("evaluate rigid-body --set", "advect_gamma=1", "expected true or false, got 1"),
    (STATE, "Omega=[1, 0]", "expected shape (3,), or one per path, got shape (2,)"),
    (STATE, "Omega=[[1, 0, 0], [0, 1, 0]]", "evaluate works at one state"),
    (STATE, "Gamma=[0, 0, 2]", "scaled: [0.0, 0.0, 1.0]"),
    (STATE, "Gamma=[0, 0, 1.00000001]", "'Gamma' does not belong to the configuration"),
    (STATE, "Gamma=[0, 0, 0]", "expected a vector that is not zero"),
    ("evaluate heavy-top --state", "Gamma=[0, 0, 2]", "must have length 1"),
    ("evaluate heavy-top --state", "g=[1, 0, 0, 0, 1, 0, 0, 0, 2]", "a matrix is not on SO3"),
    (STATE + " Omega=[1,0,0] --state", "M=[1, 0, 0]", "the state mixes velocities and momenta"),
    ("evaluate heavy-top --t", "nan", "expected a finite time"),
    # runs
    ("run routh-sphere --t-end 1 --dt", "0.03", "Take t_end = 0.99, or dt = 0.030303030303."),
    ("run routh-sphere --t-end", "-1", "expected a positive finite number of seconds, got -1.0"),
    ("run routh-sphere --dt", "0", "expected a positive finite number"),
    ("run routh-sphere --dt", "nan", "expected a positive finite number"),
    (RUN, "--paths=0", "paths: expected a whole number, at least 1, got 0"),
    (RUN, "--paths=1000000000000", "does not fit into memory"),
    (RUN, "--seed=-1", "seed: expected a whole number"),
    (RUN, "--threads=0", "at least 1, got 0"),
    (RUN, "--method=sdelab(x)", "sdelab(alpha): expected a number, got 'x'"),
    (RUN, "--method=sdelab(2)", "expected alpha between 0 and 1"),
    (RUN, "--method=heun(2)", "takes no argument"),
    (RUN + " --method euler-maruyama --driver", "sin(t)", "Use a Stratonovich method such as heun or lie-heun"),
    (RUN + " --method euler-maruyama --driver", "0", "Use a Stratonovich method such as heun or lie-heun"),
    (RUN, "--method=dop853", "none of the derivatives that its order and its error estimate need. Give a smooth driving path"),
    ("run rigid-body --driver", "sin(t)", "expected 3 components, one for each noise, got 1. Write for example [sin(t), 0, 0]."),
    (RUN, "--driver=sin(x)", "not allowed in an expression of t"),
    (RUN, "--driver=", "not an expression"),
    (RUN, "--driver=log(t)", "the driving path is not finite: at t = 0"),
    (RUN + " --noise-dt 0.01", "--driver=sin(t)", "--driver and --noise-dt state different drivers"),
    (RUN, "--noise-dt=0.003", "the noise is not defined at this step"),
    (RUN, "--save=most", "save: expected final, all, every:K"),
    (RUN, "--save=", "save: expected final, all"),
    (RUN, "--save=every:0", "save: expected final, all"),
    (RUN, "--save=times:", "save: expected final, all"),
    (RUN, "--save=times:0.005", "expected a multiple of 0.01 from 0 to 0.1, got 0.005"),
    (RUN, "--save=times:NaN", "expected a multiple of 0.01"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "last", "reason"), BAD, ids=[f"{c} {a[:40]}" for c, a, _ in BAD])
def test_one_line_says_what_to_do(semidirect, command, last, reason):
    done = semidirect(*command.split(), *([last] if last else []))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("semidirect: error: ")
    assert done.err.count("\n") == 1
    assert reason in done.err
    assert len(done.err) < 500
    assert "unexpected" not in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--paths", "1.5"], "argument --paths: expected a whole number, got '1.5'"),
        (["--dt", "abc"], "argument --dt: expected a number, got 'abc'"),
        (["--format", "xml"], "invalid choice: 'xml'"),
    ],
)
def test_options_that_are_no_numbers(semidirect, arguments, reason):
    done = semidirect("run", "routh-sphere", *arguments)
    assert (done.code, done.out) == (2, "")
    assert f"semidirect run: error: {reason}" in done.err.replace("argument --format: ", "")


def test_inertia_within_rounding_of_the_triangle_inequality_is_a_body(semidirect):
    assert semidirect("evaluate", "routh-sphere", "--set", "inertia=[1, 1, 2.0000000000001]").code == 0


# -- the same from Python ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["5", True, [True, False, True], [["0", "0", "1"]], None, 10**400, object()])
def test_only_numbers_are_numbers(value):
    with pytest.raises(InputError, match="parameter 'mass' of HeavyTop"):
        sd.load("heavy-top", mass=value)
    with pytest.raises(InputError, match="state variable 'Omega'"):
        sd.load("heavy-top").evaluate({"Omega": value})


def test_a_direction_of_no_length_is_refused():
    for gamma in ([0, 0, 0], [np.inf, 0, 0], [np.nan, 0, 0]):
        with pytest.raises(InputError, match="a vector that is not zero"):
            sd.groups.minimal_rotation(gamma)


def test_the_ito_form_is_not_run_without_noise():
    # it would keep the Itô correction, which is no part of the equations without noise
    top = sd.load("heavy-top")
    with pytest.raises(MethodError, match="needs increments of a Wiener process"):
        top.simulate(t_end=0.1, dt=0.01, method="euler-maruyama", driver=0)
    still = sd.load("heavy-top", noise=[])
    run = still.simulate(t_end=0.1, dt=0.01, method="euler-maruyama", driver=0)
    assert run.good.all()


def test_errors_of_the_store_say_what_to_do(tmp_path):
    run = sd.load("heavy-top").simulate(t_end=0.1, dt=0.01)
    with pytest.raises(StoreError, match=r"exists already\. Choose another name, or remove it\.") as caught:
        run.save(tmp_path)
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, SemidirectError)
    assert caught.value.hint == "Choose another name, or remove it."


@pytest.mark.parametrize("command", ["run", "evaluate", "invariants", "plot", "convergence"])
def test_two_dashes_are_no_value_of_any_flag(semidirect, command):
    """The parser of the standard library drops them and calls the flag with an empty list."""
    flags = set(re.findall(r"(?<=[\s,\[])-{1,2}[a-z][a-z-]*", semidirect(command, "--help").out)) - {"-h", "--help"}
    assert "--debug" in flags
    for flag in flags:
        text = f"{flag}=--" if flag.startswith("--") else f"{flag}--"
        outcome = semidirect(command, "heavy-top", text)
        assert outcome.code == 2
        assert f"error: argument {flag}: expected a value, got '--'" in outcome.err


def test_a_class_that_needs_arguments_is_named(capsys):
    """A motion on a group has no name by which it can be made."""
    from semidirect.cli.entry import main

    for command in (["run", "--t-end", "1"], ["equations"], ["show"]):
        assert main([command[0], "semidirect.system:Kinematics", *command[1:]]) == 2
        said = capsys.readouterr().err
        assert "needs group" in said
        assert "sd.PrescribedVelocity" in said
        assert "unexpected" not in said

"""One language of expressions: a text means the same number after a run, while it goes on, in a picture and in the equations."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.equations.quantity_expressions.texts import text_expressions
from semidirect.expressions.expression_sizes.limits import WRITTEN_OUT

HOW = {"t_end": 0.2, "dt": 0.1, "paths": 3, "seed": 1, "execution": sd.Execution(engine="numpy")}


@pytest.fixture(scope="module")
def top():
    return sd.load("heavy-top")


@pytest.fixture(scope="module")
def run(top):
    return top.simulate(**HOW)


def numbers():
    """Scalars that are written with names of the state, observables and parameters, and defined everywhere."""
    leaf = st.sampled_from(
        [
            "Omega[0]",
            "Gamma[2]",
            "M[1]",
            "Gamma2",
            "energy",
            "mass",
            "inertia[0]",
            "0.3",
            "2",
            "pi",
            "dot(M, Gamma)",
            "t",
        ]
    )

    def combined(inner):
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: f"({p[0]} + {p[1]})"), pair.map(lambda p: f"({p[0]})*({p[1]})"),
            pair.map(lambda p: f"({p[0]})/(1 + ({p[1]})**2)"), inner.map(lambda x: f"sqrt(1 + ({x})**2)"),
            inner.map(lambda x: f"sin({x})"), inner.map(lambda x: f"cos({x})"), inner.map(lambda x: f"exp(-abs({x}))"),
            inner.map(lambda x: f"log(2 + cos({x}))"), inner.map(lambda x: f"norm(({x})*Gamma + [1, 0, 3/2])"),
            inner.map(lambda x: f"dot(cross(Omega, [{x}, 1, t]), M)"),
            st.tuples(inner, inner, inner).map(lambda p: f"where({p[0]} < {p[1]}, {p[2]}, {p[0]})"),
        )  # fmt: skip

    return st.recursive(leaf, combined, max_leaves=4)


def simulated(top, text):
    """A run that uses the text in every way; an expression of symbols may be too large, which is refused."""
    try:
        return top.simulate(
            **HOW,
            save=sd.Save(names=["energy", text]),
            reduce=[sd.Moments([text])],
            stop=sd.Stop(text, above=1e300),
            checks=sd.Checks(bounds={text: 1e300}),
        )
    except InputError as error:
        assume("too large" not in str(error))
        raise


@settings(max_examples=15)
@given(text=numbers())
def test_an_expression_means_one_number_in_all_uses(top, run, text):
    after = run[text]
    scale = 1 + np.max(np.abs(after))
    while_it_goes_on = simulated(top, text)
    assert np.max(np.abs(while_it_goes_on[text] - after)) < 1e-12 * scale  # measured 3e-15
    mean = while_it_goes_on.reductions["moments"].mean[text]
    assert np.max(np.abs(mean - after.mean(axis=0))) < 1e-12 * scale
    line = run.plot(text, realisations=0, ax=Figure().subplots()).lines[0]
    np.testing.assert_array_equal(line.get_ydata(), after.mean(axis=0))
    sde = top.workings.model().structure.sde
    (symbolic,) = text_expressions(top, text, sde, WRITTEN_OUT)
    written = top.workings.model().read(
        np.concatenate([run[v][:, 0].T for v in run.config["variables"]]),
        run["g"][:, 0].T,
        0.0,
        {"q": [sp.sympify(symbolic)]},
    )
    assert np.max(np.abs(written["q"][0] - after[:, 0])) < 1e-12 * scale


def test_vectors_and_what_is_known_after_a_run_only(run):
    np.testing.assert_array_equal(run["2*Omega"], 2 * run["Omega"])
    np.testing.assert_allclose(run["cross(M, Omega)"], np.cross(run["M"], run["Omega"]), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(run["[t, 1, energy]"][..., 2], run["energy"])
    np.testing.assert_array_equal(run["atan2(M[1], M[0])"], np.arctan2(run["M"][..., 1], run["M"][..., 0]))
    assert run["1/2"].shape == run["energy"].shape
    assert not run["2*Omega"].flags.writeable


def test_parameters_of_each_path():
    top = sd.load("heavy-top", mass=sd.PerPath([1.0, 2.0]))
    run = top.simulate(
        t_end=0.2, dt=0.1, execution=sd.Execution(engine="numpy"), save=sd.Save(names=["mass*Gamma[2]", "Gamma"])
    )
    np.testing.assert_array_equal(run["mass*Gamma[2]"], [[1.0], [2.0]] * run["Gamma"][..., 2])
    loaded = run["mass * Gamma[2]"]  # another text, evaluated after the run
    np.testing.assert_array_equal(loaded, run["mass*Gamma[2]"])


def test_expressions_in_a_store(top, run, tmp_path):
    """Also those whose signs a file system does not take, in one go and chunk by chunk, in other processes."""
    texts = ["M[0]/(1 + M[1]**2)", "where(M[0] < 1, 2, M[2])", "dot(M, M)"]
    how = {**HOW, "save": sd.Save(names=["M", *texts]), "reduce": [sd.Moments(texts)]}
    stored = top.simulate(**{**how, "save": sd.Save(names=["M", *texts], store=tmp_path / "run.zarr")})
    saved = top.simulate(**how).save(tmp_path / "saved.zarr")
    for loaded in (sd.Run.load(tmp_path / "run.zarr"), sd.Run.load(saved), stored):
        for text in texts:
            np.testing.assert_allclose(loaded[text], run[text], rtol=1e-14)
            assert loaded.reductions["moments"].mean[text].shape == (3,)
        np.testing.assert_array_equal(loaded["norm(M)**2 - dot(M, M)"].shape, (3, 3))


@pytest.mark.parametrize("use", ["after", "keep", "reduce", "stop", "bounds", "plot", "evolution", "prove"])
def test_refusals_are_the_same_in_all_uses(top, run, use):
    does = {
        "after": lambda q: run[q], "keep": lambda q: top.simulate(**HOW, save=sd.Save(names=[q])),
        "reduce": lambda q: top.simulate(**HOW, reduce=[sd.Moments([q])]),
        "stop": lambda q: top.simulate(**HOW, stop=sd.Stop(q, above=1)),
        "bounds": lambda q: top.simulate(**HOW, checks=sd.Checks(bounds={q: 1.0})),
        "plot": lambda q: run.plot(q, ax=Figure().subplots()), "evolution": top.evolution, "prove": top.prove,
    }[use]  # fmt: skip
    for text, words in (("dot(M, M", "cannot be parsed"), ("M.shape", "not allowed"), ("M + 1", "different shapes"),
                        ("M[3]", "beyond"), ("where(M[0], 1, 2)", "comparison"), ("1/0", "division by zero")):  # fmt: skip
        with pytest.raises(InputError, match=words if use != "plot" or text != "M[3]" else "from 0 to 2"):
            does(text)
    for text in ("enrgy", "2*enrgy", "dot(Mm, M)"):
        with pytest.raises(UnknownNameError):
            does(text)


def test_where_a_function_is_not_known_the_refusal_says_where_it_is(top):
    angle = "atan2(M[0], M[1])"
    for use in (lambda: top.simulate(**HOW, save=sd.Save(names=[angle])), lambda: top.prove(angle)):
        with pytest.raises(InputError, match=r"column 1 .*in an evolution, or after a run: run\[...\]|in an evolution"):
            use()
    assert "M₁" in str(top.evolution(angle))
    with pytest.raises(InputError, match="piecewise"):
        top.prove("where(M[0] > 0, M[0], 1)")


def test_the_configuration_is_needed(top):
    with pytest.raises(InputError, match="not reconstructed"):
        top.simulate(**HOW, formulation=sd.Formulation(reconstruct=False), save=sd.Save(names=["g11 + 1"]))

"""The unit of an expression is the law by which its value grows when base units shrink; what follows no law has none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect.expressions.expression_text.evaluation import evaluate_arrays
from semidirect.expressions.expression_text.units import unit_of_expression
from semidirect.expressions.units import Unit

UNITS = {
    "energy": "J", "M": "kg m²/s", "Omega": "rad/s", "x": "m", "Gamma": "1", "mass": "kg", "t": "s", "length": "mm",
    "reaction": "N m, N m, N m, N, N, N", "unknown": "",
}  # fmt: skip
UNIT_OF = {"pi": "1", **UNITS}.get
VECTORS = {"M": 3, "Omega": 3, "x": 3, "Gamma": 3}

quantities = st.sampled_from(["energy", "mass", "t", "M[1]", "Gamma[2]", "Omega[0]"])
scalars = st.deferred(
    lambda: st.one_of(
        quantities,
        st.sampled_from(["2", "pi", "0", "1.5"]),
        st.builds("norm({})".format, vectors),
        st.builds("dot({}, {})".format, vectors, vectors),
        st.builds("({} {} {})".format, scalars, st.sampled_from("*/+-"), scalars),
        st.builds("(({})**{})".format, scalars, st.sampled_from(["2", "-1", "(1/2)", "0.5"])),
        st.builds("{}({})".format, st.sampled_from(["sqrt", "abs", "sin", "exp", "log"]), scalars),
        st.builds("atan2({}, {})".format, scalars, scalars),
        st.builds("where({} * {} < {}, {}, {})".format, quantities, scalars, quantities, scalars, scalars),
    )
)
vectors = st.deferred(
    lambda: st.one_of(
        st.sampled_from(list(VECTORS)),
        st.builds("cross({}, {})".format, vectors, vectors),
        st.builds("({} {} {})".format, vectors, st.sampled_from("+-"), vectors),
        st.builds("({} * {})".format, scalars, vectors),
        st.builds("[{}, {}, {}]".format, scalars, scalars, scalars),
    )
)
BASE = np.random.default_rng(1)
VALUES = {
    name: BASE.uniform(0.5, 2.0, VECTORS.get(name, ()))
    for name in UNITS
    if name not in ("reaction", "unknown", "length")
}


def values(sizes):
    """All quantities, in base units of these sizes."""
    grown = {name: value * Unit.read(UNITS[name]).growth(sizes) for name, value in VALUES.items()}
    return {name: value.reshape(*value.shape, 1) for name, value in grown.items()}


@given(scalars | vectors, st.tuples(*[st.sampled_from([0.5, 1.0, 2.0, 4.0])] * 3))
def test_values_grow_as_the_unit_says(text, sizes):
    stated = unit_of_expression(text, UNIT_OF)
    scales = dict(zip(("kg", "m", "s"), sizes, strict=True))
    try:
        before, after = (evaluate_arrays(text, values(s), batch=1) for s in (dict.fromkeys(scales, 1.0), scales))
    except sd.errors.InputError:  # no expression of numbers, whatever its unit
        return
    if not stated or not np.isfinite([*np.ravel(before), *np.ravel(after)]).all() or np.abs(before).max() < 1e-6:
        return
    each = [Unit.read(part).growth(scales) for part in stated.split(", ")]
    growth = np.reshape(each, (-1, 1)) if len(each) > 1 else each[0]
    assert np.allclose(after, before * growth, rtol=1e-6, atol=1e-9 * np.abs(before * growth).max())


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("dot(M, M)", "kg² m⁴/s²"), ("norm(M)", "kg m²/s"), ("2*energy", "J"), ("energy/mass", "m²/s²"), ("Omega[2]", "rad/s"),
        ("energy - dot(M, Omega)/2", "J"), ("sqrt(energy/mass)", "m/s"), ("energy + 0", "J"), ("where(t < 2*t, 0, energy)", "J"),
        ("where(t < 1, 0, energy)", "J"), ("where(2*pi >= t, mass, 2*mass)", "kg"), ("where(1 < 2, t, 0)", "s"),
        ("where(t < 1 + mass, 0, energy)", ""),
        ("reaction[4]/mass", "m/s²"), ("reaction[[0, 1]]", "N m"), ("2*reaction", "N m, N m, N m, N, N, N"),
        ("atan2(x[1], x[0])", "rad"), ("exp(Gamma[0])", "1"), ("mass**(3/2)", "kg^(3/2)"), ("length + length", "mm"),
        ("energy + mass", ""), ("sin(energy)", ""), ("where(energy < mass, 1, 2)", ""), ("length**2", ""), ("2*unknown", ""),
        ("mass**t", ""), ("2**t", ""),
        ("dot(reaction, reaction)", ""), ("atan2(energy, mass)", ""), ("energy +", ""),
    ],
)  # fmt: skip
def test_what_is_written(text, unit):
    assert unit_of_expression(text, UNIT_OF) == unit


def test_runs_say_it_where_they_show_an_expression(tmp_path):
    names = ["dot(M, M)", "energy/mass", "M1", "energy + mass"]
    crossing = sd.Crossing("energy", 1.0, keep=["dot(M, M)"])
    run = sd.load("heavy-top").simulate(
        t_end=0.02, dt=0.01, paths=2, save=sd.Save(names=names, crossings=crossing), reduce=[sd.Moments(["arm*M3", "energy**2"])],
        execution=sd.Execution(engine="numpy"),
    )  # fmt: skip
    for one in (run, sd.Run.load(run.save(tmp_path / "run.zarr"))):
        units = {name: v.attrs.get("units") for name, v in one.to_xarray().items()}
        assert units["dot(M, M)"] == units["crossing1_dot(M, M)"] == "kg² m⁴/s²"
        assert (units["energy over mass"], units["M1"], units["energy + mass"]) == ("m²/s²", "kg m²/s", None)
        table = one.reductions["moments"].to_xarray()
        assert {"kg m³/s", "kg² m⁴/s⁴"} <= {v.attrs.get("units") for v in table.values()}
        assert table["arm*M3_variance"].attrs["units"] == "kg² m⁶/s²"
        assert one.data.unit("dot(M, M)/mass") == "kg m⁴/s²"
        assert one.data.unit("t**2") == "s²"
        assert one.data.unit("no_such_name") == one.data.unit("energy/no_such_name") == ""
    whole = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, paths=2, execution=sd.Execution(engine="numpy"))
    assert "kg$^{2}$ m$^{4}$/s$^{2}$]" in whole.plot("dot(M, M)").get_ylabel()

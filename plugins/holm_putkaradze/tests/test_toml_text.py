import tomllib

from hypothesis import given
from hypothesis import strategies as st
from semidirect_holm_putkaradze.toml_text import toml_text

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=True), texts
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
tables = st.recursive(
    st.dictionaries(texts, values, max_size=4),
    lambda inner: st.dictionaries(texts, st.one_of(values, inner), max_size=4),
    max_leaves=8,
)


@given(tables)
def test_read_back(table):
    assert tomllib.loads(toml_text(table)) == table


def test_reads_like_what_people_write():
    assert toml_text({"seed": 1, "ball": {"dt": 0.02, "state": {"Omega": [0.5, 0.0]}}}) == (
        "seed = 1\n\n[ball]\ndt = 0.02\n\n[ball.state]\nOmega = [0.5, 0.0]\n"
    )

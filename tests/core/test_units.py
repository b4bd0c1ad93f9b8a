"""Units as text: what is written can be read, products and powers have the right dimension, and what is no unit is none."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.expressions.units import Unit, UnitLabel

NAMES = st.sampled_from(["kg", "m", "s", "A", "K", "mol", "cd", "px"])
POWERS = st.integers(-5, 5) | st.sampled_from([Fraction(n, d) for n in (-3, -1, 1, 3) for d in (2, 3)])


@st.composite
def units(draw):
    unit = Unit()
    for name, power in draw(st.dictionaries(NAMES, POWERS, max_size=4)).items():
        unit *= Unit.read(name) ** power
    return unit


@given(units())
def test_what_is_written_is_read(unit):
    assert Unit.read(str(unit)) == unit


@given(units(), units(), POWERS)
def test_products_of_texts_are_products(one, other, power):
    assert Unit.read(f"({one}) ({other})") == one * other
    assert Unit.read(f"({one})/({other})") == one / other
    assert (one * other) ** power == one**power * other**power
    assert one / one == Unit()


@given(units(), st.dictionaries(NAMES, st.floats(0.3, 3), min_size=8, max_size=8))
def test_numbers_grow_as_base_units_shrink(unit, sizes):
    assert unit.growth(sizes) * (unit**-1).growth(sizes) == pytest.approx(1, rel=1e-12)  # 1e-15 measured
    assert (unit * Unit.read("m")).growth(sizes) == pytest.approx(unit.growth(sizes) / sizes["m"], rel=1e-12)


SAME = [
    ("N m", "kg m²/s²"), ("J", "N m"), ("W s", "J"), ("rad/s", "1/s"), ("kg m2 s-2", "J"), ("m/s/√s", "m/s^(3/2)"),
    ("N m √s", "J √s"), ("J/(kg K)", "m²/s²/K"), ("J/kg K", "m² K/s²"), ("1/(m s)", "m⁻¹ s⁻¹"), ("m·s", "m*s"), ("Pa", "N/m²"),
    ("√kg √kg", "kg"), ("m^2", "m**2"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_texts_of_one_unit(one, other):
    assert Unit.read(one) is not None
    assert Unit.read(one) == Unit.read(other)


def test_prefixes_are_scales():
    assert Unit.read("mm") == Unit((("m", Fraction(1)),), 1e-3)
    assert Unit.read("km/h").scale == pytest.approx(1 / 3.6)
    assert Unit.read("g").powers == Unit.read("kg").powers


@pytest.mark.parametrize(
    "text", ["", " ", "s/m or 1", "10 m", "(m", "m)", "a/", "()", "m//s", "m⁻", "m^(1/0)", "km99999999", "m, s", "m+s"]
)
def test_invalid_units_raise_errors(text):
    assert Unit.read(text) is None


@given(st.text(alphabet="kgmsNJ1/()√²³⁻ ·^-23", max_size=12))
def test_any_text_is_read_or_not(text):
    found = Unit.read(text)
    assert found is None or Unit.read(str(found)) == Unit(found.powers)


def test_units_of_components():
    assert [UnitLabel("N m, N").of_component(i, 2) for i in range(2)] == ["N m", "N"]
    assert UnitLabel("rad/√s, m/√s").of_component(0, 3) == "rad/√s, m/√s"
    assert UnitLabel("m").of_component(2, 3) == "m"
    assert UnitLabel("1").behind_a_number() == ""
    assert UnitLabel("N m, N m, N").behind_a_number() == "N m, N"

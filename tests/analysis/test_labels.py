import pytest

from semidirect.analysis.pictures.labels import axis_label, short, symbol


@pytest.mark.parametrize(
    ("name", "component", "written"),
    [
        ("Omega", None, r"$\Omega$"),
        ("Omega", 0, r"$\Omega_{1}$"),
        ("p_nu", None, r"$p_{\nu}$"),
        ("xi1", 2, r"$\xi_{1,3}$"),
        ("x", None, "$x$"),
        ("momentum-squared", None, "momentum squared"),
        ("geometric-centre", 1, "geometric centre$_{2}$"),
        ("angle_sum", None, "angle sum"),
        ("", None, ""),
    ],
)
def test_symbol(name, component, written):
    assert symbol(name, component) == written


def test_raised_digits_of_units_are_mathtext():
    assert axis_label("routh", "kg² m⁻¹") == "routh [kg$^{2}$ m$^{-1}$]"
    assert axis_label("energy") == "energy"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (0.1234, "0.12"),
        (-2e-15, r"$-2.0\times10^{-15}$"),
        (float("nan"), "nan"),
        (3e5, r"$3.0\times10^{5}$"),
    ],
)
def test_short(value, written):
    assert short(value) == written

"""The catalogue lists all classes that are chosen by name or class, each with words of its own."""

import re
import sys
from pathlib import Path

import pytest

import semidirect as sd
from semidirect.cli.commands import BUILT_IN
from semidirect.engines.stepping.choice import ENGINES
from semidirect.inference import UPDATES
from semidirect.integrators import METHODS
from semidirect.random.drivers.registry import DRIVERS
from semidirect.statistics.choice.by_name import STATISTICS

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "extensions"))
import catalogue  # noqa: E402

PAGE = catalogue.page()


def section(title):
    rows = re.search(rf"^## {title}\n\n(.*?)(?=\n\n|\Z)", PAGE, re.DOTALL | re.MULTILINE)[1].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def public(base, topic):
    """Classes of a topic that are public, not abstract, and of some kind, as users write them."""
    package = getattr(sd, topic)
    kinds = (value for name in package.__all__ if isinstance(value := getattr(package, name), type))
    names = {k.__name__ for k in kinds if issubclass(k, base) and not k.__abstractmethods__}
    return {f"`sd.{name}`" if name in sd.__all__ else f"`sd.{topic}.{name}`" for name in names}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Groups", public(sd.LieGroup, "groups")),
        ("Noise amplitudes", public(sd.noise.TransportNoise, "noise")),
        ("Drivers", {f"`{k.__name__}`" for k in DRIVERS.built_in.values()}),
        ("Methods", {f"`{n}({k.argument})`" if k.argument else f"`{n}`" for n, k in METHODS.built_in.items()}),
        ("Statistics", {f"`{n}`" for n in STATISTICS.built_in}),
        ("Engines", {f"`{n}`" for n in ENGINES.built_in}),
        ("Filter updates", {f"`{n}`" for n in UPDATES.built_in}),
        ("Commands", {f"`{n}`" for n in BUILT_IN}),
    ],
)
def test_each_table_has_one_line_for_each(title, expected):
    rows = section(title)
    assert {row[0] for row in rows} == expected
    assert len(rows) == len(expected)
    assert all(len(row[-1]) > 10 for row in rows)
    assert len({row[-1] for row in rows}) == len(rows)


def test_flags_of_a_driver_are_those_of_its_class():
    assert ["`Wiener`", "`--noise-dt`, `--noise-covariance`, `--increment-law`, `--noise-path`"] in [
        row[:2] for row in section("Drivers")
    ]


def test_the_page_is_built():
    assert '"catalogue"' in (DOCS / "conf.py").read_text(encoding="utf-8")
    assert "\ncatalogue\n" in (DOCS / "index.md").read_text(encoding="utf-8")

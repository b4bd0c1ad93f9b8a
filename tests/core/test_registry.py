"""Methods and statistics by name: those of semidirect are found in its modules, those of other packages by entry points."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import semidirect as sd
from semidirect import integrators
from semidirect import statistics as reductions
from semidirect.core import registry
from semidirect.core.errors import InputError, PluginWarning, UnknownNameError
from semidirect.integrators import METHODS, Heun, Integrator, integrator
from semidirect.statistics.choice.by_name import STATISTICS, from_description, statistic

STATISTICS_PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


class Foreign(Integrator):
    """A method of another package."""

    name = "foreign"
    deterministic_order = 2
    step = Heun.step


class Unfinished(Integrator):
    """A method without a step."""

    name = "unfinished"


NOTHING = 42


class Point:
    def __init__(self, name, distribution, value):
        self.name, self.value = name, value
        self.dist = type("Distribution", (), {"name": distribution})


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "acme", sys.modules[__name__])

    def install(*points):
        found = [Point(*p) for p in points]
        monkeypatch.setattr(registry.extension, "entry_points", lambda group: found if group == METHODS.group else [])

    return install


@pytest.mark.parametrize(
    ("table", "package"), [(METHODS, integrators), (STATISTICS, reductions)], ids=["methods", "statistics"]
)
def test_every_exported_class_with_a_name_is_found_and_every_one_found_is_exported(table, package):
    exported = {k for n in package.__all__ if isinstance(k := getattr(package, n), type) and issubclass(k, table.base)}
    assert {k for k in exported if "__final__" in vars(k)} == set(table.built_in.values())
    assert all(getattr(kind, table.key) == name for name, kind in table.built_in.items())


def test_a_method_of_another_package_is_found_by_name(installed):
    installed(("foreign", "acme", "acme:Foreign"))
    assert type(integrator("foreign")) is Foreign
    assert list(METHODS) == [*METHODS.built_in, "foreign"]
    assert METHODS.all()["foreign"] is Foreign
    with pytest.raises(UnknownNameError, match=r"Did you mean 'foreign'\? Known: .*, foreign\."):
        integrator("foriegn")
    with pytest.raises(InputError, match="method 'foreign' takes no argument"):
        integrator("foreign(2)")


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (("foreign", "acme", "no_such_module:Method"), "ModuleNotFoundError"),
        (("foreign", "acme", "acme:Nothing"), "AttributeError"),
        (("foreign", "acme", "acme:NOTHING"), "expected a subclass of Integrator"),
        (("unfinished", "acme", "acme:Unfinished"), "with all its methods"),
        (("other", "acme", "acme:Foreign"), "expected the name of its entry point, 'other', got 'foreign'"),
    ],
)
def test_a_broken_plugin_is_skipped_with_a_warning(installed, point, words):
    installed(point)
    with pytest.raises(InputError, match=f"the method '{point[0]}' of 'acme' cannot be loaded.*{words}") as caught:
        integrator(point[0])
    assert caught.value.__cause__ is not None
    with pytest.warns(PluginWarning, match="cannot be loaded"):
        assert METHODS.all() == METHODS.built_in
    assert integrator("heun") == Heun()


def test_names_that_clash(installed):
    installed(
        ("heun", "acme", "acme:Foreign"), ("foreign", "left", "acme:Foreign"), ("foreign", "right", "acme:Foreign")
    )
    assert integrator("heun") == Heun()
    with pytest.warns(PluginWarning, match="'heun' of 'acme' is left out: semidirect has one of this name"):
        assert list(METHODS) == [*METHODS.built_in, "foreign"]
    with pytest.raises(InputError, match="the method 'foreign' is defined by 'left' and 'right'"):
        integrator("foreign")
    installed(("foreign", "left", "acme:Foreign"), ("foreign", "left", "acme:Foreign"))  # one that repeats itself
    assert type(integrator("foreign")) is Foreign


def test_metadata_is_not_read_for_a_built_in_name(monkeypatch):
    def refuse(group):
        raise AssertionError(group)

    monkeypatch.setattr(registry.extension, "entry_points", refuse)
    assert [integrator(name).name for name in METHODS.built_in] == list(METHODS.built_in)
    assert [statistic(name).kind for name in ("mean", "extremes")] == ["moments", "extremes"]
    with pytest.raises(AssertionError):
        integrator("no-such-method")


@given(st.one_of(st.none(), st.integers(), st.lists(st.text()), st.text(), st.dictionaries(st.text(), st.text())))
def test_any_other_name_is_unknown(name):
    for ask in (METHODS.__getitem__, statistic, lambda n: from_description({"kind": n})):
        with pytest.raises(UnknownNameError):
            ask(name)


def test_a_statistic_that_needs_options_says_which():
    body = sd.load("rigid-body")
    with pytest.raises(
        InputError, match=r"'histogram' needs name and low and high. Write Histogram\(name=…, low=…, high=…\)"
    ):
        body.simulate(t_end=0.1, dt=0.1, reduce="histogram")


def test_the_page_lists_every_statistic():
    page = STATISTICS_PAGE.read_text(encoding="utf-8")
    rows = [
        f"| `{kind.__name__}` | {', '.join(f'`{n}`' for n in (name, *kind.aliases))} |"
        for name, kind in STATISTICS.built_in.items()
    ]
    assert [row for row in rows if row not in page] == []
    assert page.count("\n| `") == len(rows)


def test_help_of_commands_is_light_too():
    """That of a command whose parameters name nothing that is installed does not read what is installed."""
    probe = (
        "import sys; from semidirect.cli.main import main; main(['invariants', '--help']); "
        "assert not {'numpy', 'importlib.metadata'} & sys.modules.keys(); status = main(['run', '--help']); "
        "print(status, [m for m in ('sympy', 'llvmlite', 'scipy', 'xarray', 'matplotlib') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.stderr == "0 []\n"


def test_what_is_installed_is_read_once_until_a_folder_of_the_path_changes(monkeypatch, tmp_path):
    """A package that is installed, changed or removed meanwhile is seen; nothing is read twice otherwise."""
    reads = []
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: reads.append(group) or entry_points(group=group)
    )
    monkeypatch.syspath_prepend(tmp_path)

    def names():
        return list(registry.installed("some.group"))

    def install(name):
        place = tmp_path / f"{name}-1.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (place / "entry_points.txt").write_text(f"[some.group]\n{name} = some.module:thing\n")
        return place

    assert names() == names() == []
    assert len(reads) == 1
    place = install("one")
    assert names() == names() == ["one"]
    os.utime(tmp_path, ns=(1, 1))  # as if time had gone by
    install("other")
    assert names() == ["one", "other"]
    shutil.rmtree(place)
    assert names() == ["other"]
    assert len(reads) == 4

"""Every public name is on a page of the API, with words of its own."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import semidirect as sd

PAGE = "".join(p.read_text(encoding="utf-8") for p in (Path(__file__).parents[2] / "docs" / "api").glob("*.md"))
DIRECTIVE = re.compile(r"^\.\. (automodule|autofunction):: (\S+)\n((?:   :.*\n)*)", re.MULTILINE)


def shown():
    """The objects on the page, by the place where they are defined."""
    out = {}
    for kind, name, options in DIRECTIVE.findall(PAGE):
        if kind == "autofunction":
            where, _, last = name.rpartition(".")
            out[where, last] = getattr(import_module(where), last)
            continue
        module = import_module(name)
        found = re.search(r":members:(.*)", options)
        listed = [n.strip() for n in found[1].split(",") if n.strip()] if found else []
        for member in listed or (dir(module) if found else ()):
            value = getattr(module, member)
            own = getattr(value, "__module__", name)
            shown = own == name or member in getattr(module, "__all__", ())
            if listed or shown or (":imported-members:" in options and str(own).startswith("semidirect")):
                out[own, member] = value
    return out


SHOWN = shown()
PACKAGES = [
    sd,
    *(value for name in sd.__all__ if inspect.ismodule(value := getattr(sd, name)) and hasattr(value, "__all__")),
]
"""The package and its topics: all of their names are public."""


@pytest.mark.parametrize(
    ("package", "name"),
    [(package.__name__, name) for package in PACKAGES for name in package.__all__ if callable(getattr(package, name))],
)
def test_a_public_name_is_on_the_page(package, name):
    value = getattr(import_module(package), name)
    assert any(value is other for other in SHOWN.values())
    assert value.__doc__
    if inspect.isclass(value) and value.__dict__.get("__doc__") is None:
        pytest.fail("the words are those of a base class")


def test_the_index_names_each_topic_and_names_that_exist():
    folder = Path(__file__).parents[2] / "docs" / "api"
    rows = re.findall(r"^\| \{doc\}`(\w+)` \|(.*)\|$", (folder / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {topic for topic, _ in rows} == {p.stem for p in folder.glob("*.md")} - {"index"}
    assert len(rows) <= 12  # so that the index fits a screen
    for name in re.findall(r"`([\w.]+)`", "".join(words for _, words in rows)):
        value = {"system": sd.System, "run": sd.Run}.get(name.partition(".")[0], sd)
        for part in name.removeprefix("system.").removeprefix("run.").split("."):
            value = getattr(value, part)


def test_each_name_in_the_table_of_all_names_leads_to_what_a_page_shows(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs" / "extensions")
    rows = re.findall(r"{py:obj}`sd\.([\w.]+) <([\w.]+)>`", import_module("api_names").table())
    assert len(rows) > 300
    headings = {(kind, name) for kind, name, _ in DIRECTIVE.findall(PAGE)}
    for place, target in rows:
        module, _, name = target.rpartition(".")
        assert ("autofunction", target) in headings or ("automodule", module) in headings, place
        value = sd
        for part in place.split("."):
            value = getattr(value, part)
        assert getattr(import_module(module), name) is value

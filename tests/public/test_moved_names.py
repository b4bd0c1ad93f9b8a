"""Few names at the top, of a run and of a system; the old ones work, and say the new ones at the line that uses them."""

import inspect
import re
import sys
import warnings
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from semidirect_rigid_body import RigidBody

import semidirect as sd
from semidirect.core import offers
from semidirect.core.door import Door
from semidirect.core.moved_names import MOVED, at_place
from semidirect.errors import MovedNameWarning

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
from what_moved import PAGE, written  # noqa: E402

AT_THE_TOP, OF_A_RUN, OF_A_HYBRID_RUN, OF_A_SYSTEM = 90, 30, 45, 40
"""The most public names of each."""
TOPICS = [name for name in sd.__all__ if isinstance(getattr(sd, name), Door)]


@pytest.fixture(scope="module")
def body():
    return RigidBody()


@pytest.fixture(scope="module")
def run(body):
    return body.simulate(t_end=0.02, dt=0.01, paths=2, seed=1)


def public(owner):
    """The public attributes of an object or a class, also those that are only announced."""
    kind = owner if isinstance(owner, type) else type(owner)
    announced = {name for base in kind.__mro__ for name in inspect.get_annotations(base)}
    return {name for name in {*dir(owner), *announced} if not name.startswith("_")}


def warned(read):
    """The value of a function, and the one warning that it causes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = read()
    assert [one.category for one in caught] == [MovedNameWarning]
    return value, caught[0]


def same(value, other):
    """Whether two values are one, or methods of one function, or alike."""
    if callable(value) and hasattr(value, "__name__"):
        return inspect.unwrap(value) is inspect.unwrap(other) or value.__qualname__ == other.__qualname__
    return value is other or repr(value) == repr(other)


def test_there_are_few_names_at_the_top_and_all_are_public():
    names = dir(sd)
    print(f"{len(names)} names at the top")
    assert len(names) <= AT_THE_TOP
    assert names == sorted(sd.__all__)
    assert not [name for name in names if name.startswith("_") or not hasattr(sd, name)]
    assert not {"Any", "cast", "annotations", "core", "lazy_names", "open_door"} & set(names)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_shows_public_names(topic):
    package = getattr(sd, topic)
    assert {*dir(package)} == {*package.__all__}
    assert not [name for name in package.__all__ if name.startswith("_")]


def test_there_are_few_names_of_a_run_and_of_a_system(run):
    hybrid = sd.runs.HybridRun
    counts = {one: len(public(one)) for one in (type(run), hybrid, sd.System)}
    print({kind.__name__: count for kind, count in counts.items()})
    assert public(run) == public(sd.Run)
    assert counts[sd.Run] <= OF_A_RUN
    assert public(sd.Run) <= public(hybrid)
    assert counts[hybrid] <= OF_A_HYBRID_RUN
    assert counts[sd.System] <= OF_A_SYSTEM


@pytest.mark.parametrize("old", MOVED["semidirect"])
def test_an_old_name_at_the_top_works_and_says_the_new_one(old):
    new = MOVED["semidirect"][old]
    assert old not in dir(sd)
    value, warning = warned(lambda: getattr(sd, old))
    assert value is at_place(sd, new)
    assert str(warning.message).startswith(f"sd.{old} is sd.{new} now")
    assert warning.filename == __file__
    again, _ = warned(lambda: getattr(sd, old))  # at each line, not once in a process
    assert again is value


@pytest.mark.parametrize(
    "program", ["import semidirect as sd\nsd.InputError\n", "\nfrom semidirect import InputError\n"]
)
def test_the_warning_names_the_line_that_uses_the_old_name(program):
    _, warning = warned(lambda: exec(compile(program, "program.py", "exec"), {}))
    assert (warning.filename, warning.lineno) == ("program.py", 2)


@pytest.mark.parametrize("old", MOVED["Run"])
def test_an_old_name_of_a_run_works_and_says_the_new_one(old, run):
    new = MOVED["Run"][old]
    value, warning = warned(lambda: getattr(run, old))
    assert same(value, at_place(run, new))
    assert str(warning.message).startswith(f"run.{old} is run.{new} now")
    assert warning.filename == __file__
    assert old not in dir(run)


@pytest.mark.parametrize("old", MOVED["System"])
def test_an_old_name_of_a_system_works_and_says_the_new_one(old, body):
    new = MOVED["System"][old]
    value, warning = warned(lambda: getattr(body, old))
    assert same(value, at_place(body, new)) or old == "cache"
    assert str(warning.message).startswith(f"system.{old} is {new if new.startswith('sd.') else f'system.{new}'} now")
    assert warning.filename == __file__
    assert old not in dir(body)


def test_old_names_of_classes_work(body, run):
    function, warning = warned(lambda: sd.Run.plot_sphere)
    assert "Run.plot_sphere is Run.plot.sphere now" in str(warning.message)
    assert warning.filename == __file__
    assert function(run, "M").get_aspect() == 1
    of_objects, _ = warned(lambda: RigidBody.symbolic_definition)
    assert of_objects(body).group == body.group
    for old in ("title", "parameters", "options", "declared_observables"):
        of_class, _ = warned(lambda old=old: getattr(RigidBody, old))
        assert of_class() == getattr(RigidBody.workings, old)()


def test_other_attributes_are_missing_as_ever(body, run):
    class Odd(RigidBody):
        @property
        def weight(self):
            raise AttributeError("of its own")

    with pytest.raises(AttributeError, match="of its own"):
        _ = Odd().weight
    for owner in (sd, body, run, sd.System, sd.Run):
        with pytest.raises(AttributeError, match="nothing"):
            _ = owner.nothing


def test_a_name_that_was_taken_may_be_that_of_a_parameter():
    class Known(RigidBody):
        cache = sd.parameter(2.0)

    assert Known().cache == 2.0
    assert Known().workings.cache == {}


def test_a_name_of_a_package_wins_over_its_module():
    for topic in TOPICS:
        package = getattr(sd, topic)
        for module in iter_modules(package.__path__):
            if (
                module.name in package.__all__
                and (Path(package.__file__).parent / "__init__.pyi").exists()
                and offers(package.__name__)[module.name][0] != package.__name__
            ):
                import_module(f"semidirect.{topic}.{module.name}")
                assert not inspect.ismodule(getattr(package, module.name)), f"{topic}: {module.name}"


def texts():
    """Programs and pages of the repository, but the history and the page of old names."""
    for folder in ("src", "plugins", "examples", "tests", "docs"):
        yield from (
            p for end in ("py", "pyi", "md") for p in (ROOT / folder).rglob(f"*.{end}") if "_build" not in p.parts
        )
    yield ROOT / "README.md"


def test_nothing_in_the_repository_uses_an_old_name():
    left_out = {
        ROOT / "docs/changelog.md",
        PAGE,
        Path(__file__),
        *(ROOT / "tests/public" / f"test_{name}.py" for name in ("typing", "pyright")),
    }
    old = re.compile(rf"\bsd\.({'|'.join(MOVED['semidirect'])})\b|(?<!def )\b(?:run|made)\.plot_\w+\(")
    uses = [
        f"{path}: {m[0]}" for path in texts() if path not in left_out for m in old.finditer(path.read_text("utf-8"))
    ]
    assert not uses, "\n".join(uses)


def test_the_page_shows_the_table():
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "run `python docs/what_moved.py` and commit docs/what_moved.md"
    changed = page.replace("sd.errors.InputError` |", "sd.faults.InputError` |")
    assert changed != page
    assert written(changed) == page

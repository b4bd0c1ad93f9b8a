"""Every choice of ``semidirect new``: each package is written, imported, checked, run, and its own facts are asserted.

    python tests/scaffold/every_choice.py [--contract]

takes some ten minutes on one core (with ``--contract`` an hour: the whole contract of each by pytest) and prints a line each.
"""

import importlib
import sys
import tempfile
from itertools import product
from pathlib import Path

from semidirect.core.errors import InputError
from semidirect.engines.execution import Execution
from semidirect.laws import check
from semidirect.scaffold import Choices, write


def every_choice():
    """All choices that go together, and the reasons of the others."""
    made, refused = [], {}
    for group, advected, constraint, noise in product(
        Choices.GROUPS, Choices.ADVECTED, Choices.CONSTRAINTS, Choices.NOISES
    ):
        name = f"my-{group}-{advected}-{constraint}-{noise}"
        try:
            made.append(Choices(name, group, advected, constraint, noise))
        except InputError as error:
            refused[name] = str(error)
    return made, refused


def tried(choices, folder, *, quick=True):
    """The report of the written package, after its own facts were asserted; the module of its tests."""
    write(choices, folder)
    sys.path[:0] = [str(folder), str(folder / "tests")]
    try:
        module = importlib.import_module(choices.module)
        tests = importlib.import_module(f"test_{choices.module}")
    finally:
        del sys.path[:2]
    report = check(getattr(module, choices.class_name), quick=quick)
    facts = [f for name, f in vars(tests).items() if name.startswith("test_") and "check" not in name]
    assert facts
    for fact in facts:
        fact()
    system = getattr(module, choices.class_name)()
    run = system.simulate(t_end=0.25, dt=0.0625, paths=2, seed=1, execution=Execution(engine="numpy", threads=1))
    assert not run.failures(), run.failures()
    return report


def main():
    made, refused = every_choice()
    bad = 0
    for choices in made:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "package"
            try:
                report = tried(choices, place)
                good, why = report.good, "" if report.good else str(report)
                if good and "--contract" in sys.argv:
                    import pytest

                    good = pytest.main(["-x", "-q", "-p", "no:cacheprovider", str(place)]) == 0
            except Exception as error:
                good, why = False, f"{type(error).__name__}: {error}"
            bad += not good
            print("ok " if good else "BAD", choices.name, why, flush=True)
    print(f"{len(made)} choices, {len(refused)} refused, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
